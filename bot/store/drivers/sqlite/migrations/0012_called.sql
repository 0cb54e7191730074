-- Who is asked to play, in the lobby; forgotten as soon as the table gathers no more.
ALTER TABLE games ADD COLUMN called INTEGER;
