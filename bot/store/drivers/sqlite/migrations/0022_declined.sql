-- Whose challenges a person takes no more: a digest of both ids (`bot.store.sqlite.declined`), empty for everybody's.
CREATE TABLE declined (
    user INTEGER NOT NULL,
    challenger BLOB NOT NULL,
    PRIMARY KEY (user, challenger)
) STRICT, WITHOUT ROWID;
