-- Near-duplicates meet in sixteen short bands instead of eight long ones, a template no longer fills them, and it is said why a page repeats
-- another.
DELETE FROM bands;
DELETE FROM sketches;
INSERT OR IGNORE INTO sketches
    SELECT page, sketch_of_content(content) FROM versions WHERE id IN (SELECT max(id) FROM versions GROUP BY page)
        AND page IN (SELECT id FROM pages WHERE kind IN ('page', 'record'));
INSERT INTO bands
    SELECT band, page FROM (
        SELECT value AS band, page, row_number() OVER (PARTITION BY value ORDER BY page) AS place
        FROM sketches JOIN pages ON pages.id = sketches.page, json_each(band_keys(site, sketch))
    ) WHERE place <= 16;
ALTER TABLE pages ADD COLUMN duplicate_why TEXT NOT NULL DEFAULT '';
