-- Links keep what they say, for ranking; two stages keep their candidates, what became of sites, and what they learnt.
ALTER TABLE links ADD COLUMN anchor TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN around TEXT NOT NULL DEFAULT '';
ALTER TABLE links ADD COLUMN tag_path TEXT NOT NULL DEFAULT '';
CREATE INDEX links_of_host ON links (host);
CREATE INDEX sites_via ON sites (via) WHERE via IS NOT NULL;
CREATE TABLE candidates (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    queue INTEGER NOT NULL,
    rank REAL NOT NULL,
    candidate TEXT NOT NULL,
    UNIQUE (topic, key)
);
CREATE INDEX candidates_by_rank ON candidates (topic, queue, rank DESC, key);
CREATE TABLE explored (
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    kind INTEGER NOT NULL,
    seed INTEGER NOT NULL DEFAULT 0,
    candidate TEXT NOT NULL,
    progress TEXT NOT NULL DEFAULT '[]',
    barren INTEGER NOT NULL DEFAULT 0,
    features TEXT NOT NULL DEFAULT '[]',
    forms INTEGER NOT NULL DEFAULT 0,
    language TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',
    opened REAL NOT NULL,
    ended TEXT,
    PRIMARY KEY (topic, key)
) WITHOUT ROWID;
CREATE TABLE site_links (
    topic TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    page TEXT NOT NULL,
    PRIMARY KEY (topic, source, target)
) WITHOUT ROWID;
CREATE INDEX site_links_to ON site_links (target);
CREATE TABLE form_topics (
    form INTEGER NOT NULL REFERENCES forms (id),
    topic TEXT NOT NULL,
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    PRIMARY KEY (form, topic)
) WITHOUT ROWID;
CREATE TABLE learnt (
    topic TEXT NOT NULL,
    part TEXT NOT NULL,
    term TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (topic, part, term)
) WITHOUT ROWID;
