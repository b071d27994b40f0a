-- Pages are revisited: what is known for that, what is planned, and what changed.
CREATE TABLE looks (
    page INTEGER PRIMARY KEY REFERENCES pages (id),
    at REAL NOT NULL,
    looks INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    step TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    known TEXT NOT NULL,
    version BLOB NOT NULL,
    odds BLOB NOT NULL
);

CREATE TABLE due (
    link INTEGER PRIMARY KEY REFERENCES links (id),
    host INTEGER NOT NULL,
    not_before REAL NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    leased INTEGER NOT NULL DEFAULT 0,
    expected REAL NOT NULL
);
CREATE INDEX due_of_host ON due (host, leased, not_before);

CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    site INTEGER NOT NULL REFERENCES sites (id),
    kind TEXT NOT NULL,
    at REAL NOT NULL,
    old INTEGER,
    new INTEGER,
    noise TEXT NOT NULL DEFAULT '',
    change TEXT NOT NULL
);
CREATE INDEX changes_by_time ON changes (at);
CREATE INDEX changes_of_site ON changes (site, at);
