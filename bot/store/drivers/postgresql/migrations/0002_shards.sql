-- Several processes on one database: which there are, and which has the lease of each shard.

CREATE TABLE members (
    -- It grows: a process that was given up has a smaller one than all that come after it.
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    shards bigint NOT NULL,
    until timestamptz NOT NULL
);

CREATE TABLE leases (
    shard bigint PRIMARY KEY,
    member bigint REFERENCES members ON DELETE SET NULL,
    -- Who is connected there, and asks for it.
    claimed_by bigint REFERENCES members ON DELETE SET NULL,
    -- The presses that its last holder has taken in the seconds before it handed it over, in JSON.
    taken text NOT NULL DEFAULT '[]'
);

-- By Discord's rate limit key of IDENTIFY: from when on the next may be sent.
CREATE TABLE identify_turns (
    key bigint PRIMARY KEY,
    free_at timestamptz NOT NULL
);

-- From when on the next counted request to Discord may be sent: one row.
CREATE TABLE request_slots (
    one bigint PRIMARY KEY CHECK (one = 1),
    free_at timestamptz NOT NULL
);

-- Hands that are open at tables of a shard that is being handed over: what draws them, for minutes.
CREATE TABLE open_hands (
    shard bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    -- In JSON, with a token of Discord's; never logged.
    hand text NOT NULL
);
