-- A record keeps what its answers and its own page say apart, and what they disagree about. A form has one row, whatever parameters of its page it copies.
ALTER TABLE records ADD COLUMN shown TEXT NOT NULL DEFAULT '[]';
ALTER TABLE records ADD COLUMN listed TEXT NOT NULL DEFAULT '';
ALTER TABLE records ADD COLUMN stated TEXT NOT NULL DEFAULT '';
ALTER TABLE records ADD COLUMN conflicts TEXT NOT NULL DEFAULT '';
UPDATE OR IGNORE forms SET hash = hash_of_form(form, hash);
