-- What the next start recognises the database by (`Database.identity`).
CREATE TABLE identity (
    one bigint PRIMARY KEY CHECK (one = 1),
    name text NOT NULL
);
