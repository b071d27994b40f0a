"""What our parts tell each other, and spiders, through Scrapy's signals."""

record_found = object()
"""A record is new or says something else, and no more is expected of it in this crawl: sent once for each, at the end for those that still wait.
Argument: row (dict): the RECORD_COLUMNS, and between them its attributes by name. Connect before the spider opens: without receivers nothing is noted."""

form_found = object()
"""The page of a spider that is not ours has a form that its crawl had not met. Argument: form (`hiddenweb.forms.stored_form.StoredForm`), with its verdict."""

change_found = object()
"""A page says something else than before. Argument: change (`hiddenweb.revisit.change.Change`)."""

stop_requested = object()
"""The user wants the crawl to end soon: parts that wait for something only useful wait no longer. No arguments."""

RECORD_COLUMNS = ("site", "url", "title", "extractor", "found_at", "kind")
"""What every record has, as feeds write it; its attributes have other names."""

ATTRIBUTES = "attributes"
"""The column of CSV feeds with all attributes, if it is named; no attribute is called that."""

TYPED = "typed"
"""What values say that are more than texts, by the names of their attributes: prices, dates, numbers. No attribute is called that."""
