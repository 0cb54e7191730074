-- Discord's id of the direct messages with a person, so that none are opened a second time.
ALTER TABLE people ADD COLUMN dm_channel INTEGER;
