"""Choosing between words, options of the other controls, and both together.

A form may have selects, radio buttons, checkboxes, ranges and further boxes beside its box for words, or instead of one. The next query is
whatever promises the most new records for its cost:

- words, as the policy for words says;
- an option, or several of different controls. The options of a control divide the records, so earlier answers show how many records a query
  finds (`OptionCounts`). A query is left out if a wider one showed all of its records. A window of a range whose answer was cut is split in two;
- words together with options. The policy for words sees options as words of records, and combines them like
  words. The options of a record are known if it was found by them, or guessed from its words (`OptionWords`). Where this is
  not possible, a cut answer is refined by the options of the control, in proportion to their shares of all records.

Promises of options are corrected by what queries with the same controls brought before: found / promised. The
informativeness test (`QueryTemplates`) decides which controls go together: a control that changes nothing is left after a few queries. While it is
undecided what a control does, one query in three may test it.

A form without a box is first submitted without any option: that shows everything, or the total. Then the options of its controls
follow, and pairs only where answers were cut, until every record is known or no query is left. A control that must have a value has
one in every query. Options may depend on another control: they are known once its option was chosen.

| module | what it does |
| --- | --- |
| `policy` | the policy itself: it reads answers and asks the chooser |
| `chooser` | the best of all promises |
| `candidates` | which combinations of options may be worth a query |
| `word_candidates` | what the policy for words proposes, with options |
| `promises` | how many new records a query promises, for its cost |
| `corrections` | how far promises of each kind were off |
| `knowledge` | everything learnt about the controls of one form |
| `offers` | which options each control offers |
| `tokens` | options written as words |
| `record_options` | which options a record has |
| `option_answers`, `word_answers` | the cut answers, to options and to words |
| `known_front` | known records that come first in a narrower answer |
| `empty_box` | whether the site answers if the box is empty |
| `submitted_queries` | which queries were submitted |
| `no_words` | replaces the policy for words |
"""
