-- What a server's moderators have chosen for the tables there: nothing in it is about a person.
CREATE TABLE servers (
    guild     INTEGER NOT NULL PRIMARY KEY,
    language  TEXT,                     -- a code, as `fr`; NULL for the server's own
    board     TEXT    NOT NULL CHECK (board IN ('pictures', 'text'))
) STRICT;
-- How a table shows its board.
ALTER TABLE games ADD COLUMN board TEXT NOT NULL DEFAULT 'pictures' CHECK (board IN ('pictures', 'text'));
