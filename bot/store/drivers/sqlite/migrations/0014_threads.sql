-- Whether a game has a thread of its own; `open` says that its channel is that thread.
ALTER TABLE games ADD COLUMN thread TEXT NOT NULL DEFAULT 'none'
    CHECK (thread IN ('none', 'wanted', 'open', 'refused'));
