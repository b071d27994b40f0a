"""What each command does. Names, options and help are in `hiddenweb.commands`, which Scrapy loads completely before it runs one command."""
