-- Matches of three or five games. All games of one match: coalesce(match, id), where best_of > 1.
ALTER TABLE games ADD COLUMN best_of INTEGER NOT NULL DEFAULT 1;
-- The first game of the match; NULL in that game itself, and in a game by itself.
ALTER TABLE games ADD COLUMN match TEXT REFERENCES games (id);
-- The games of the match before this one: a JSON array of `MatchGame`, by its fields.
ALTER TABLE games ADD COLUMN match_before TEXT NOT NULL DEFAULT '[]';
-- Which game of its match it is, from 1; also 1 for a game by itself.
ALTER TABLE games ADD COLUMN match_game INTEGER NOT NULL
    GENERATED ALWAYS AS (CASE WHEN json_valid(match_before) THEN json_array_length(match_before) + 1 ELSE 0 END) VIRTUAL;

CREATE UNIQUE INDEX games_of_a_match ON games (match, match_game) WHERE match IS NOT NULL;
