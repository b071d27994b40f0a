-- Answers can be resumed; forms say how much of their database is known, and their records are found. Records know their own pages, and links
-- to those the query that brought them. Further pages of answers are fetched by POST, each at most once.
ALTER TABLE forms ADD COLUMN coverage TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN next_url TEXT;
ALTER TABLE submissions ADD COLUMN next_page INTEGER;
ALTER TABLE submissions ADD COLUMN reason TEXT NOT NULL DEFAULT '';
CREATE INDEX records_of_submission ON records (submission);
ALTER TABLE records ADD COLUMN link INTEGER;
ALTER TABLE records ADD COLUMN detail TEXT;
CREATE INDEX records_by_link ON records (link) WHERE link IS NOT NULL;
UPDATE links SET submission = (SELECT p.submission FROM links p WHERE p.id = links.parent) WHERE kind = 'record';
CREATE TABLE page_posts (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    sent REAL
);
