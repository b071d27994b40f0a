-- What code compares with the state has the words of today: why the page of a record is not fetched, why a site is left of which only forms were
-- queried, why no more forms of a step are followed, for which arguments revisits were planned. Advice names the command that there is.
UPDATE links SET why = 'answers say enough of its record (HIDDENWEB_DETAIL_PAGES)'
    WHERE why = 'answers tell enough of its record (HIDDENWEB_DETAILS)';
UPDATE sites SET left = 'only its forms were queried' WHERE left = 'only forms of it were asked';
UPDATE forms SET
    verdict = replace(verdict, 'the question before it leads to many such forms', 'the query before it leads to many such forms'),
    why = replace(why, 'the question before it leads to many such forms', 'the query before it leads to many such forms')
    WHERE instr(verdict, 'the question before it leads to many such forms');
UPDATE knowledge SET value = json_set(value, '$.wanted',
    replace(replace(replace(replace(json_extract(value, '$.wanted'), 'Revisit', ''), 'Budget(requests=', ''), ', by_day=True)', '/day'), ', by_day=False)', '')
) WHERE part = 'plan' AND json_valid(value) AND instr(json_extract(value, '$.wanted'), 'Budget(requests=');
UPDATE extractors SET why = replace(why, 'choose a new region (scrapy regions add)', 'show the attributes again (scrapy extract add)');
UPDATE template_events SET summary = replace(summary, 'choose a new region (scrapy regions add)', 'show the attributes again (scrapy extract add)');
