"""Records for other programs: Scrapy's own feed exports, fed with records.

What passes through the pipelines are visits, which nobody wants in a file. So `RecordFeeds` takes the place of Scrapy's extension and
listens to `signals.record_found`; files, formats, batches, storages and filters are Scrapy's.

Records of different sites have different attributes. JSON can say that; for CSV, whose columns are fixed by its first line, and XML, whose element
names cannot be just anything, there are exporters of our own.
"""
