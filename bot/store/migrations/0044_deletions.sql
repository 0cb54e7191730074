-- When (s since 1970) somebody's data was deleted, with a digest of their ID (`bot/store/deletions.py`).
CREATE TABLE deletions (
    at bigint NOT NULL,
    who text NOT NULL,
    PRIMARY KEY (at, who)
);
