-- Until when (s since 1970) a person is not called again by that challenger, NULL if they take it back themselves,
-- and how often they have said *Not now*.
ALTER TABLE declined ADD COLUMN until bigint;
ALTER TABLE declined ADD COLUMN refusals integer NOT NULL DEFAULT 0;
CREATE INDEX declined_until ON declined (until) WHERE until IS NOT NULL;
