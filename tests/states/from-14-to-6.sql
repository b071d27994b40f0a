-- Makes a state of version 14 one of version 6: tables have their old names, no budgets by kind, no answers that show a record, no sources, no values apart by where they are from, no sitemaps, versions have contents of their own, and no titles.
ALTER TABLE sites DROP COLUMN explored;
ALTER TABLE sites DROP COLUMN record_pages;
DROP TABLE answer_revisits;
DROP INDEX changes_of_record;
ALTER TABLE changes DROP COLUMN record;
ALTER TABLE changes DROP COLUMN submission;
DROP TABLE answer_records;
ALTER TABLE records DROP COLUMN gone;
ALTER TABLE records DROP COLUMN shown;
ALTER TABLE records DROP COLUMN listed;
ALTER TABLE records DROP COLUMN stated;
ALTER TABLE records DROP COLUMN conflicts;
DROP TABLE template_events;
DROP TABLE extractions;
DROP TABLE extractors;
ALTER TABLE records DROP COLUMN attributes;
DROP TABLE sitemap_dates;
DROP TABLE sitemaps;
DROP TABLE request_counts;
DROP TABLE revisit_queue;
CREATE TABLE due (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    host INTEGER NOT NULL,
    not_before REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    expected REAL NOT NULL
);
CREATE INDEX due_of_host ON due (host, leased, not_before);
ALTER TABLE revisits RENAME COLUMN times TO looks;
ALTER TABLE revisits RENAME COLUMN history TO odds;
ALTER TABLE revisits RENAME TO looks;
ALTER TABLE explored_sites RENAME TO explored;
ALTER TABLE topic_knowledge RENAME TO learnt;
ALTER TABLE forms RENAME COLUMN conversation_state TO chooser;
ALTER TABLE forms RENAME COLUMN may_submit TO ask;
CREATE TABLE versions_of_6 (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    at REAL NOT NULL,
    fingerprint INTEGER NOT NULL,
    content BLOB NOT NULL,
    content_type TEXT NOT NULL DEFAULT ''
);
INSERT INTO versions_of_6
    SELECT versions.id, page, at, fingerprint, contents.content, content_type FROM versions JOIN contents ON contents.id = versions.content;
DROP TABLE versions;
DROP TABLE contents;
ALTER TABLE versions_of_6 RENAME TO versions;
CREATE INDEX versions_of_page ON versions (page, id);
PRAGMA user_version = 6;
