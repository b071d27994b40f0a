-- A plan keeps what each revisit was to gain, and what a sitemap had said; sitemaps keep what they say of known pages; requests are counted by
-- the minute.
ALTER TABLE due ADD COLUMN gain REAL NOT NULL DEFAULT 0;
ALTER TABLE due ADD COLUMN said INTEGER NOT NULL DEFAULT 0;
CREATE TABLE sitemaps (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    asked REAL NOT NULL,
    read REAL,
    parts TEXT NOT NULL DEFAULT '[]',
    why TEXT NOT NULL DEFAULT '',
    UNIQUE (host, url)
);
CREATE TABLE sitemap_dates (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    sitemap INTEGER NOT NULL REFERENCES sitemaps (id),
    modified REAL NOT NULL
);
CREATE INDEX dates_of_sitemap ON sitemap_dates (sitemap);
CREATE TABLE spent (
    minute INTEGER PRIMARY KEY,
    requests INTEGER NOT NULL
);
