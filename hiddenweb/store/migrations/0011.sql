-- Tables and columns bear the names that code and documentation have for what they hold.
ALTER TABLE forms RENAME COLUMN chooser TO conversation_state;
UPDATE forms SET state = CASE state WHEN 'asking' THEN 'querying' WHEN 'asked' THEN 'queried' ELSE state END;

ALTER TABLE shown RENAME TO answer_records;
DROP INDEX shown_in_answer;
CREATE INDEX records_of_answer ON answer_records (submission);

ALTER TABLE explored RENAME TO explored_sites;
ALTER TABLE learnt RENAME TO topic_knowledge;

ALTER TABLE looks RENAME TO revisits;
ALTER TABLE revisits RENAME COLUMN looks TO times;
ALTER TABLE revisits RENAME COLUMN odds TO history;
ALTER TABLE answer_looks RENAME TO answer_revisits;
ALTER TABLE due RENAME TO revisit_queue;
ALTER TABLE revisit_queue RENAME COLUMN said TO sitemap_says;
DROP INDEX due_of_host;
CREATE INDEX revisit_queue_of_host ON revisit_queue (host, leased, not_before);
ALTER TABLE spent RENAME TO request_counts;

ALTER TABLE sources RENAME TO extractors;
ALTER TABLE extractors RENAME COLUMN made_by TO origin;
ALTER TABLE extractors RENAME COLUMN region TO example;
ALTER TABLE extractors RENAME COLUMN source TO extractor;
DROP INDEX sources_of_domain;
CREATE INDEX extractors_of_domain ON extractors (domain);
ALTER TABLE extracted RENAME TO extractions;
ALTER TABLE extractions RENAME COLUMN source TO extractor;
DROP INDEX extracted_of_page;
DROP INDEX extracted_of_source;
CREATE INDEX extractions_of_page ON extractions (page, extractor, place);
CREATE INDEX extractions_of_extractor ON extractions (extractor, id);
ALTER TABLE template_events RENAME COLUMN source TO extractor;
ALTER TABLE template_events RENAME COLUMN told TO summary;
DROP INDEX events_of_source;
CREATE INDEX events_of_extractor ON template_events (extractor, id);
