"""Records for other programs while a crawl runs: Scrapy's own feed exports, with records as items.

The items of the pipelines are fetched pages, which are useless in a file. So `RecordFeeds` replaces Scrapy's extension and listens to
`signals.record_found`, which `RecordReports` sends for each record once, when no more is expected of it in this crawl. Files, formats, batches, storages and
filters are Scrapy's. Records of different sites have different attributes. JSON allows that; for CSV, whose columns are known when all records have come, and
XML, whose element names are restricted, there are our own exporters. `hiddenweb.exports` writes what is stored, whatever crawl found it.
"""
