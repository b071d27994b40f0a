-- All that a crawl knows. One file, one writer: the crawl. Other processes only read.
-- Times are POSIX seconds. Hashes are signed 64-bit. JSON is text; nothing here is ever executed or unpickled.

-- Who crawled, when, and why it ended.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started REAL NOT NULL,
    ended REAL,
    reason TEXT
);

-- A site is what one owner publishes: all hosts of a registered domain. Budgets and stopping rules count here.
CREATE TABLE sites (
    id INTEGER PRIMARY KEY,
    domain TEXT NOT NULL UNIQUE,
    seed TEXT NOT NULL,
    via INTEGER,                            -- the site whose seed redirected here
    pages INTEGER NOT NULL DEFAULT 0,       -- pages read, answers included
    nothing_new INTEGER NOT NULL DEFAULT 0, -- pages in a row that were known already
    left TEXT                               -- why it is not explored now; NULL while it is
);

-- A host is asked politely: one queue, one set of robots rules, one pause.
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE, -- https://www.example.org, with its port unless it is the usual one
    site INTEGER NOT NULL REFERENCES sites (id),
    robots TEXT,                 -- JSON: the rules, and until when they hold
    paused_until REAL NOT NULL DEFAULT 0,
    paused_why TEXT
);

-- The frontier and the seen-set: one row for every known address.
-- state: 0 pending, 1 leased, 2 done, 3 missed, 4 refused.  bucket: 0 is asked first.
CREATE TABLE links (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL, -- of method, canonical address and body
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    bucket INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'page',
    hops INTEGER NOT NULL DEFAULT 0,
    redirects INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    parent INTEGER,        -- the link whose page had it
    submission INTEGER,    -- the question it belongs to
    page_number INTEGER NOT NULL DEFAULT 1,
    not_before REAL NOT NULL DEFAULT 0,
    why TEXT               -- why it was missed or refused
);
CREATE UNIQUE INDEX links_by_hash ON links (hash);
CREATE INDEX links_pending ON links (host, bucket, id) WHERE state = 0;
CREATE INDEX links_of_submission ON links (submission) WHERE submission IS NOT NULL;
CREATE INDEX links_leased ON links (id) WHERE state = 1;

-- What was read. A duplicate keeps its row and points to the page it repeats.
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    link INTEGER NOT NULL UNIQUE REFERENCES links (id),
    site INTEGER NOT NULL,
    url TEXT NOT NULL,
    kind TEXT NOT NULL,
    status INTEGER NOT NULL,
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    title TEXT NOT NULL,
    language TEXT NOT NULL,
    structure INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    duplicate_of INTEGER,
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    marks TEXT NOT NULL DEFAULT ''
);
CREATE INDEX pages_by_fingerprint ON pages (fingerprint);

-- Each content a page had: its text and its source, compressed together. Duplicates have none.
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    at REAL NOT NULL,
    fingerprint INTEGER NOT NULL,
    content BLOB NOT NULL
);
CREATE INDEX versions_of_page ON versions (page, id);

-- Near-duplicates meet in a band. The site is mixed into it.
CREATE TABLE bands (
    band INTEGER NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (band, page)
) WITHOUT ROWID;

-- The sketch that decides whether pages that met are near-duplicates: eight bytes a number.
CREATE TABLE sketches (
    page INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);

-- Every form met, with the verdict on it. A form in the header of a thousand pages is one form.
-- state: found, asking, asked (as often as allowed), done (nothing left to ask), left (alone).
CREATE TABLE forms (
    id INTEGER PRIMARY KEY,
    site INTEGER NOT NULL REFERENCES sites (id),
    hash INTEGER NOT NULL, -- of method, action and controls
    page_url TEXT NOT NULL,
    form TEXT NOT NULL,    -- JSON
    ask INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    why TEXT NOT NULL,
    state TEXT NOT NULL,
    found REAL NOT NULL,
    queries INTEGER NOT NULL DEFAULT 0,
    records INTEGER NOT NULL DEFAULT 0,
    chooser TEXT NOT NULL DEFAULT '', -- JSON: what was learnt about what to ask
    UNIQUE (site, hash)
);

-- The ledger: every question, written before it is sent.
-- state: planned, sent (POST only: not to be sent again), answered, failed, unknown (the crawl died while a POST was under way).
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    form INTEGER NOT NULL REFERENCES forms (id),
    keyword TEXT NOT NULL,
    filled TEXT NOT NULL, -- JSON
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    state TEXT NOT NULL,
    planned REAL NOT NULL,
    sent REAL,
    answered REAL,
    outcome TEXT NOT NULL DEFAULT '', -- one of the cases of an answer
    why TEXT NOT NULL DEFAULT '',
    total INTEGER,                    -- as the site says
    pages INTEGER NOT NULL DEFAULT 0,
    new_records INTEGER NOT NULL DEFAULT 0,
    seen_records INTEGER NOT NULL DEFAULT 0,
    UNIQUE (form, keyword)
);

-- What was found in answers, each once, whatever asked for it.
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    site INTEGER NOT NULL REFERENCES sites (id),
    hash INTEGER NOT NULL, -- of its key
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    url TEXT,
    submission INTEGER,    -- the first that brought it
    page INTEGER,          -- the answer it was first read on
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    UNIQUE (site, hash)
);

-- What the search index holds: a page, or a record that has no page of its own (yet).
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL UNIQUE, -- of its key
    key TEXT NOT NULL,
    page INTEGER,
    record INTEGER,
    digest TEXT NOT NULL,
    behind_form INTEGER NOT NULL
);

-- What the index has still to take in, in order. Rows go when the indexing process says that it has them.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL
);

-- What was learnt, by part and subject: JSON.
CREATE TABLE knowledge (
    part TEXT NOT NULL,
    subject TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (part, subject)
) WITHOUT ROWID;
