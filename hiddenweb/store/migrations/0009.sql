-- Records have attributes; what is taken from pages of one kind, what they said, and what happened to their templates.
ALTER TABLE records ADD COLUMN attributes TEXT NOT NULL DEFAULT '[]';
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    made_by TEXT NOT NULL,
    form INTEGER,
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    added REAL NOT NULL,
    region TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    pages TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sources_of_domain ON sources (domain);
CREATE TABLE extracted (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    page INTEGER NOT NULL REFERENCES pages (id),
    place INTEGER NOT NULL,
    at REAL NOT NULL,
    deviates INTEGER NOT NULL,
    record INTEGER,
    attributes TEXT NOT NULL
);
CREATE INDEX extracted_of_page ON extracted (page, source, place);
CREATE INDEX extracted_of_source ON extracted (source, id);
CREATE TABLE template_events (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    told TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX events_of_source ON template_events (source, id);
