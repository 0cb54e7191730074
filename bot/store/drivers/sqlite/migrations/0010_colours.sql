-- The colour that somebody has chosen for their side; NULL leaves it to the table.
ALTER TABLE seats ADD COLUMN colour TEXT;
