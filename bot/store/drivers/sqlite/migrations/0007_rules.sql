-- The rules agreed on, whole, as the engine's codec writes them: one value in place of the choices that they
-- were made from, so that a new option needs no column. `rules_agreed` is a function of bot/store/sqlite/schema.py.
ALTER TABLE games ADD COLUMN rules TEXT NOT NULL DEFAULT '';     -- a JSON object
ALTER TABLE games ADD COLUMN codec INTEGER NOT NULL DEFAULT 2;   -- the version of the object's meaning

UPDATE games SET rules = rules_agreed(players, preset, target, partners, aloud, muggins);

ALTER TABLE games DROP COLUMN players;
ALTER TABLE games DROP COLUMN target;
ALTER TABLE games DROP COLUMN partners;
ALTER TABLE games DROP COLUMN aloud;
ALTER TABLE games DROP COLUMN muggins;
