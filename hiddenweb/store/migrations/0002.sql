-- What a form is taken for gets a probability and reasons; queries are told apart by all that is filled in; a page that is read again needs
-- what the server said about its charset.
ALTER TABLE versions ADD COLUMN content_type TEXT NOT NULL DEFAULT '';
ALTER TABLE forms RENAME COLUMN purpose TO kind;
ALTER TABLE forms ADD COLUMN probability REAL NOT NULL DEFAULT 0;
ALTER TABLE forms ADD COLUMN verdict TEXT NOT NULL DEFAULT '';
CREATE TABLE submissions_of_2 (
    id INTEGER PRIMARY KEY,
    form INTEGER NOT NULL REFERENCES forms (id),
    keyword TEXT NOT NULL,
    filled TEXT NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    state TEXT NOT NULL,
    planned REAL NOT NULL,
    sent REAL,
    answered REAL,
    outcome TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '',
    total INTEGER,
    pages INTEGER NOT NULL DEFAULT 0,
    new_records INTEGER NOT NULL DEFAULT 0,
    seen_records INTEGER NOT NULL DEFAULT 0,
    UNIQUE (form, keyword, filled)
);
INSERT INTO submissions_of_2
    SELECT id, form, keyword, filled, method, url, body, content_type, state, planned, sent, answered, outcome, why, total, pages,
        new_records, seen_records FROM submissions;
DROP TABLE submissions;
ALTER TABLE submissions_of_2 RENAME TO submissions;
