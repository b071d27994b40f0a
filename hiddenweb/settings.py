"""What this project says about itself. What our spiders run with stands in journey.py; other spiders here have Scrapy's own parts."""

from hiddenweb.config import default_settings

BOT_NAME = "hiddenweb"
SPIDER_LOADER_CLASS = "hiddenweb.spider_loader.NamedModuleLoader"  # only the spider that runs is imported
SPIDER_MODULES = ["hiddenweb.spiders"]
NEWSPIDER_MODULE = "hiddenweb.spiders"
COMMANDS_MODULE = "hiddenweb.commands"
ADDONS = {
    "hiddenweb.addon.HiddenwebAddon": 500
}  # gives our spiders their journey, and others what they ask for
ASYNCIO_EVENT_LOOP = "uvloop.Loop"  # half the cost of asyncio's own

# Our own, HIDDENWEB_...: names, limits and defaults stand in config.py, explained in docs/settings.md. To change one, write it here, below.
vars().update(default_settings())
