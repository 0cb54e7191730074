-- The language of a table, and what a person likes: the codes are Discord's, as `fr` or `en-GB`.
ALTER TABLE games ADD COLUMN language TEXT NOT NULL DEFAULT 'en';
ALTER TABLE people ADD COLUMN language TEXT;
ALTER TABLE people ADD COLUMN always_cut INTEGER NOT NULL DEFAULT 0 CHECK (always_cut IN (0, 1));
