-- How long a move may take: the pace agreed on, and other seconds than it has, if any.
ALTER TABLE games ADD COLUMN pace TEXT NOT NULL DEFAULT 'slow' CHECK (pace IN ('live', 'slow'));
ALTER TABLE games ADD COLUMN seconds INTEGER CHECK (seconds > 0);
