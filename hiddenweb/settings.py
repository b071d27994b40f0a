"""The journey of a page: every part, in the order Scrapy runs it. Only what we change."""

from hiddenweb import __version__

BOT_NAME = "hiddenweb"
SPIDER_MODULES = ["hiddenweb.spiders"]
COMMANDS_MODULE = "hiddenweb.commands"

# Manners
USER_AGENT = f"hiddenweb/{__version__}"
ROBOTSTXT_OBEY = True

# Nobody steers a running crawl from outside: both of these run code that is sent to them.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
