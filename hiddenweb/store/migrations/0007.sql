-- Each content is kept once, whatever pages and times have it; versions have titles.
CREATE TABLE contents (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    content BLOB NOT NULL
);
CREATE TEMP TABLE hashed AS SELECT id, hash_of_content(content) AS hash FROM versions;
INSERT INTO contents (id, hash, content)
    SELECT versions.id, hash, content FROM (SELECT min(id) AS id, hash FROM hashed GROUP BY hash) JOIN versions USING (id) ORDER BY id;
CREATE TABLE versions_of_7 (
    id INTEGER PRIMARY KEY,
    page INTEGER NOT NULL REFERENCES pages (id),
    at REAL NOT NULL,
    fingerprint INTEGER NOT NULL,
    content INTEGER NOT NULL REFERENCES contents (id),
    content_type TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT ''
);
INSERT INTO versions_of_7
    SELECT versions.id, page, at, versions.fingerprint, contents.id, content_type, CASE WHEN versions.id =
        (SELECT max(id) FROM versions newest WHERE newest.page = versions.page) THEN coalesce(pages.title, '') ELSE '' END
    FROM versions JOIN hashed ON hashed.id = versions.id JOIN contents USING (hash) LEFT JOIN pages ON pages.id = versions.page
    ORDER BY versions.id;
DROP TABLE temp.hashed;
DROP TABLE versions;
ALTER TABLE versions_of_7 RENAME TO versions;
CREATE INDEX versions_of_page ON versions (page, id);
CREATE INDEX versions_of_content ON versions (content);
