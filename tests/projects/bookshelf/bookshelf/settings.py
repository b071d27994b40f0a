"""The settings of a project that lists the add-on, and is else as Scrapy's template has it."""

BOT_NAME = "bookshelf"
SPIDER_MODULES = ["bookshelf.spiders"]
NEWSPIDER_MODULE = "bookshelf.spiders"
ADDONS = {"hiddenweb.addon.HiddenwebAddon": 500}
ROBOTSTXT_OBEY = True
FEED_EXPORT_ENCODING = "utf-8"
