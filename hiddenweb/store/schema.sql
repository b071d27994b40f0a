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
    nothing_new INTEGER NOT NULL DEFAULT 0, -- pages in a row that links led to and that were known already
    left TEXT,                              -- why it is not explored now; NULL while it is
    explored INTEGER NOT NULL DEFAULT 0,    -- of the pages, those that links led to
    record_pages INTEGER NOT NULL DEFAULT 0 -- of the pages, own pages of records
);
CREATE INDEX sites_via ON sites (via) WHERE via IS NOT NULL;

-- A host is fetched from politely: one queue, one set of robots rules, one pause.
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE, -- https://www.example.org, with its port unless it is the usual one
    site INTEGER NOT NULL REFERENCES sites (id),
    robots TEXT,                 -- JSON: the rules, and until when they hold
    paused_until REAL NOT NULL DEFAULT 0,
    paused_why TEXT
);

-- The frontier and the seen-set: one row for every known address.
-- state: 0 pending, 1 leased, 2 done, 3 missed, 4 refused.  bucket: 0 is fetched first.
CREATE TABLE links (
    id INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL, -- of method, canonical address and body
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    bucket INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL DEFAULT 'page', -- page, answer, paging, record or sitemap: how the answer is read
    hops INTEGER NOT NULL DEFAULT 0,
    redirects INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    parent INTEGER,        -- the link whose page had it
    submission INTEGER,    -- the query it belongs to
    page_number INTEGER NOT NULL DEFAULT 1,
    not_before REAL NOT NULL DEFAULT 0,
    why TEXT,              -- why it was missed or refused
    anchor TEXT NOT NULL DEFAULT '',  -- these three where links are ranked: what the link says,
    around TEXT NOT NULL DEFAULT '',  -- the words around it,
    tag_path TEXT NOT NULL DEFAULT '' -- and its place in the page
);
CREATE UNIQUE INDEX links_by_hash ON links (hash);
CREATE INDEX links_of_host ON links (host);
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
    duplicate_why TEXT NOT NULL DEFAULT '', -- what decided that it repeats that page
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    marks TEXT NOT NULL DEFAULT ''
);
CREATE INDEX pages_by_fingerprint ON pages (fingerprint);

-- What pages said: text and source, compressed together; each content once, by its hash.
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,          -- xxh3_128 of text and source
    content BLOB NOT NULL
);

-- Which contents a page had, and when. Duplicates have none.
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    at REAL NOT NULL,
    fingerprint INTEGER NOT NULL,
    content INTEGER NOT NULL REFERENCES contents (id),
    content_type TEXT NOT NULL DEFAULT '', -- as the server said: often the only word about the charset
    title TEXT NOT NULL DEFAULT ''
);
CREATE INDEX versions_of_page ON versions (page, id);
CREATE INDEX versions_of_content ON versions (content);

-- Pages that may say nearly the same meet in a band: the site in front, then 40 bits of four numbers of the sketch.
-- A band that 16 pages share is a template's and takes no more.
CREATE TABLE bands (
    band INTEGER NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (band, page)
) WITHOUT ROWID;

-- The sketch that says whether pages that met are worth comparing: 64 numbers of four bytes.
CREATE TABLE sketches (
    page INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);

-- Every form met, with the verdict on it. A form in the header of a thousand pages is one form.
-- state: found, querying, queried (as often as allowed), done (nothing left to query), left (alone).
CREATE TABLE forms (
    id INTEGER PRIMARY KEY,
    site INTEGER NOT NULL REFERENCES sites (id),
    hash INTEGER NOT NULL, -- of method, action and controls
    page_url TEXT NOT NULL,
    form TEXT NOT NULL,    -- JSON
    may_submit INTEGER NOT NULL,
    kind TEXT NOT NULL,    -- what it is taken for: search, login, newsletter ...
    probability REAL NOT NULL DEFAULT 0, -- that it searches
    verdict TEXT NOT NULL DEFAULT '',    -- JSON: all that decided, for people who ask why
    why TEXT NOT NULL,     -- why it is in its state
    state TEXT NOT NULL,
    found REAL NOT NULL,
    queries INTEGER NOT NULL DEFAULT 0,
    records INTEGER NOT NULL DEFAULT 0,
    conversation_state TEXT NOT NULL DEFAULT '', -- JSON: what was learnt about what to submit
    coverage TEXT NOT NULL DEFAULT '', -- JSON: records met, how many there are by our estimate, at least, at most
    UNIQUE (site, hash)
);

-- The ledger: every query, written before it is sent.
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
    next_url TEXT,                    -- the page at which reading stopped, if it can be resumed
    next_page INTEGER,                -- its number
    reason TEXT NOT NULL DEFAULT '',  -- why it was submitted, for people
    UNIQUE (form, keyword, filled)
);

-- Further pages of answers that are fetched by POST: what is sent, written before it is.
CREATE TABLE page_posts (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    sent REAL -- not to be sent again
);

-- What was found in answers, each once, whatever query brought it.
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
    link INTEGER,          -- where its own page is, if it has one
    detail TEXT,           -- what its own page says besides the template; NULL until that was read
    attributes TEXT NOT NULL DEFAULT '[]', -- JSON: names and values, the best of what its answers and its own page say
    shown TEXT NOT NULL DEFAULT '[]',      -- JSON: the names that its answers show; others are guessed
    listed TEXT NOT NULL DEFAULT '',       -- JSON: what its answers say, where its own page adds to it or changes it
    stated TEXT NOT NULL DEFAULT '',       -- JSON: what its own page states: names, values, whether the markup says so
    conflicts TEXT NOT NULL DEFAULT '',    -- JSON: names, the values of the record, those of the other page, which page that is
    gone REAL,             -- since when no answer shows it that used to; NULL while one does
    UNIQUE (site, hash)
);
CREATE INDEX records_of_submission ON records (submission);
CREATE INDEX records_by_link ON records (link) WHERE link IS NOT NULL;

-- Which answers show a record. A revisit that does not find it any more says so.
CREATE TABLE answer_records (
    record INTEGER NOT NULL,
    submission INTEGER NOT NULL,
    missing REAL,                    -- when a revisit first did not find it in this answer; NULL while it is there
    proof INTEGER NOT NULL DEFAULT 0, -- that revisit saw the whole answer: it was not pushed behind what is read
    PRIMARY KEY (record, submission)
) WITHOUT ROWID;
CREATE INDEX records_of_answer ON answer_records (submission);

-- What the search index holds: a page, a record, or both where a page is a record's own.
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

-- The first stage of a crawl on a topic: sites that wait, and pages that may name some.
CREATE TABLE candidates (
    id INTEGER PRIMARY KEY,
    topic TEXT NOT NULL,
    key TEXT NOT NULL,       -- the domain of a site, the address of a page
    queue INTEGER NOT NULL,  -- the two change places; which one is high now is knowledge
    rank REAL NOT NULL,
    candidate TEXT NOT NULL, -- JSON
    UNIQUE (topic, key)
);
CREATE INDEX candidates_by_rank ON candidates (topic, queue, rank DESC, key);

-- What became of a site, or of a page that may name some, in a crawl on a topic.
CREATE TABLE explored_sites (
    topic TEXT NOT NULL,
    key TEXT NOT NULL,
    kind INTEGER NOT NULL,              -- 0 off topic, 1 on topic, 2 with search forms on the topic
    seed INTEGER NOT NULL DEFAULT 0,
    candidate TEXT NOT NULL,            -- JSON: what was known before the visit
    progress TEXT NOT NULL DEFAULT '[]', -- JSON: pages and forms by depth
    barren INTEGER NOT NULL DEFAULT 0,  -- pages since the last form on the topic
    features TEXT NOT NULL DEFAULT '[]', -- JSON: of the site, for its links
    forms INTEGER NOT NULL DEFAULT 0,   -- on the topic
    language TEXT NOT NULL DEFAULT '',
    verdict TEXT NOT NULL DEFAULT '',   -- JSON: of the site classifier, with its reasons
    opened REAL NOT NULL,
    ended TEXT,                         -- the criterion that ended the visit; NULL while it may go on
    PRIMARY KEY (topic, key)
) WITHOUT ROWID;

-- Who links to whom, of all that was read for a topic: one page for each pair of sites.
CREATE TABLE site_links (
    topic TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    page TEXT NOT NULL,
    PRIMARY KEY (topic, source, target)
) WITHOUT ROWID;
CREATE INDEX site_links_to ON site_links (target);

-- How far the search forms are on a topic.
CREATE TABLE form_topics (
    form INTEGER NOT NULL REFERENCES forms (id),
    topic TEXT NOT NULL,
    relevance REAL NOT NULL,
    relevant INTEGER NOT NULL,
    PRIMARY KEY (form, topic)
) WITHOUT ROWID;

-- What the two stages learnt about a topic, term by term: JSON.
CREATE TABLE topic_knowledge (
    topic TEXT NOT NULL,
    part TEXT NOT NULL,
    term TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (topic, part, term)
) WITHOUT ROWID;

-- What revisits of a page taught, for the next one. A page that was read once has none: its newest version tells.
CREATE TABLE revisits (
    page INTEGER PRIMARY KEY REFERENCES pages (id),
    at REAL NOT NULL,                   -- of the last one, whatever came of it
    times INTEGER NOT NULL,
    changed INTEGER NOT NULL,           -- those that found a change
    step TEXT NOT NULL,                 -- where the last one ended
    why TEXT NOT NULL DEFAULT '',
    known TEXT NOT NULL,                -- JSON: all but the version
    version BLOB NOT NULL,              -- compressed JSON: what it said, and the records it had
    history BLOB NOT NULL               -- how likely what they found is at each rate of change
);

-- Revisits that are planned. A crawl that was killed resumes them.
CREATE TABLE revisit_queue (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    host INTEGER NOT NULL,
    not_before REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    expected REAL NOT NULL,             -- the chance that it finds a change
    gain REAL NOT NULL DEFAULT 0,       -- what it adds to the share of all pages that are as they were read
    sitemap_says INTEGER NOT NULL DEFAULT 0, -- what a sitemap said of the page: 1 that it changed, -1 that it did not, 0 nothing
    step INTEGER NOT NULL DEFAULT 0     -- it was not planned: a further page of an answer that is revisited now
);
CREATE INDEX revisit_queue_of_host ON revisit_queue (host, leased, not_before);

-- Sitemaps that were fetched on behalf of a host whose robots.txt names them.
CREATE TABLE sitemaps (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL REFERENCES hosts (id),
    url TEXT NOT NULL,
    asked REAL NOT NULL,                -- when it was last requested
    read REAL,                          -- when it was last read
    parts TEXT NOT NULL DEFAULT '[]',   -- JSON: further sitemaps that it names
    why TEXT NOT NULL DEFAULT '',       -- why it was not read when it was requested, or not to its end
    UNIQUE (host, url)
);

-- When a page was changed as its sitemap has it; only of pages that were read, and only of those that are dated.
CREATE TABLE sitemap_dates (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    sitemap INTEGER NOT NULL REFERENCES sitemaps (id),
    modified REAL NOT NULL              -- at the latest: a day is its last moment
);
CREATE INDEX dates_of_sitemap ON sitemap_dates (sitemap);

-- Revisits, and requests for sitemaps, of the last day: for budgets by the day.
CREATE TABLE request_counts (
    minute INTEGER PRIMARY KEY,
    requests INTEGER NOT NULL
);

-- What changed, as it was reported.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    site INTEGER NOT NULL REFERENCES sites (id),
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    old INTEGER,                        -- versions, kept or not; NULL where a record tells all
    new INTEGER,
    noise TEXT NOT NULL DEFAULT '',     -- a person says that it is none, and why
    change TEXT NOT NULL,               -- JSON: all the rest
    record INTEGER,                     -- that came, went or changed
    submission INTEGER                  -- the query whose answer shows it
);
CREATE INDEX changes_by_time ON changes (at);
CREATE INDEX changes_of_site ON changes (site, at);
CREATE INDEX changes_of_record ON changes (record) WHERE record IS NOT NULL;

-- What became of the records of an answer at each revisit.
CREATE TABLE answer_revisits (
    submission INTEGER NOT NULL REFERENCES submissions (id),
    at REAL NOT NULL,
    pages INTEGER NOT NULL,             -- that were revisited
    whole INTEGER NOT NULL,             -- these are all that the answer has
    why TEXT NOT NULL DEFAULT '',       -- what was not revisited, and why
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,           -- no answer shows them any more
    changed INTEGER NOT NULL,
    not_seen INTEGER NOT NULL,          -- no longer in this answer, which proves nothing
    PRIMARY KEY (submission, at)
) WITHOUT ROWID;

-- Extractors: what is taken from pages of one kind, as a person showed it on one of them or as it was found without one.
-- state: waiting (for its page), learning (for more pages), watched, alarm, put_off (what it was made for is gone), off.
CREATE TABLE extractors (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,               -- of its site, which may not have been crawled yet
    origin TEXT NOT NULL,               -- person, or crawl
    form INTEGER,                       -- of an extractor that a crawl made: the form whose answers, or records, it is about
    state TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',       -- why it is in its state, for people
    added REAL NOT NULL,
    example TEXT NOT NULL,              -- JSON: what was shown, and on which page
    extractor TEXT NOT NULL DEFAULT '', -- JSON: what was learnt; empty while its page is waited for
    pages TEXT NOT NULL DEFAULT ''      -- JSON: the last pages that the watch saw, and what it remembers of them
);
CREATE INDEX extractors_of_domain ON extractors (domain);

-- What an extractor took from pages, entry by entry: the newest, and the newest before the template changed.
CREATE TABLE extractions (
    id INTEGER PRIMARY KEY,
    extractor INTEGER NOT NULL REFERENCES extractors (id),
    page INTEGER NOT NULL REFERENCES pages (id),
    place INTEGER NOT NULL,             -- 0 where the page is about one record; in a list from 1 on
    at REAL NOT NULL,
    deviates INTEGER NOT NULL,          -- the page looked different from those that were learnt from
    record INTEGER,                     -- the record it is about
    attributes TEXT NOT NULL            -- JSON: names, each with its values as the page has them
);
CREATE INDEX extractions_of_page ON extractions (page, extractor, place);
CREATE INDEX extractions_of_extractor ON extractions (extractor, id);

-- What happened to the templates that extractors know.
CREATE TABLE template_events (
    id INTEGER PRIMARY KEY,
    extractor INTEGER NOT NULL REFERENCES extractors (id),
    at REAL NOT NULL,
    kind TEXT NOT NULL,                 -- learnt, alarm, repaired, proposed, accepted, put_off
    summary TEXT NOT NULL,              -- in a sentence
    detail TEXT NOT NULL DEFAULT '{}'   -- JSON: alarm, both bar-trees, proof, and what is proposed
);
CREATE INDEX events_of_extractor ON template_events (extractor, id);
