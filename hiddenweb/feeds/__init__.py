"""Records for other programs: Scrapy's own feed exports, with records as items.

The items of the pipelines are fetched pages, which are useless in a file. So `RecordFeeds` replaces Scrapy's extension and
listens to `signals.record_found`; files, formats, batches, storages and filters are Scrapy's.

Records of different sites have different attributes. JSON allows that; for CSV, whose columns are fixed by its first line, and XML, whose element
names are restricted, there are our own exporters.
"""
