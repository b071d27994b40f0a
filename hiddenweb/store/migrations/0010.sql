-- Pages that links lead to and own pages of records have budgets of their own. Records are known with all answers that show them, and what
-- became of the records of an answer is kept for each revisit.
ALTER TABLE sites ADD COLUMN explored INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sites ADD COLUMN record_pages INTEGER NOT NULL DEFAULT 0;
UPDATE sites SET explored = pages;
ALTER TABLE records ADD COLUMN gone REAL;
CREATE TABLE shown (
    record INTEGER NOT NULL,
    submission INTEGER NOT NULL,
    missing REAL,
    proof INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (record, submission)
) WITHOUT ROWID;
INSERT INTO shown (record, submission) SELECT id, submission FROM records WHERE submission IS NOT NULL;
CREATE INDEX shown_in_answer ON shown (submission);
ALTER TABLE due ADD COLUMN step INTEGER NOT NULL DEFAULT 0;
ALTER TABLE changes ADD COLUMN record INTEGER;
ALTER TABLE changes ADD COLUMN submission INTEGER;
CREATE INDEX changes_of_record ON changes (record) WHERE record IS NOT NULL;
CREATE TABLE answer_looks (
    submission INTEGER NOT NULL REFERENCES submissions (id),
    at REAL NOT NULL,
    pages INTEGER NOT NULL,
    whole INTEGER NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    not_seen INTEGER NOT NULL,
    PRIMARY KEY (submission, at)
) WITHOUT ROWID;
