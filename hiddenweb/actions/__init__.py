"""What each command does. Its name, options and help are in `hiddenweb.commands`, all of which Scrapy loads before it runs one."""
