-- The few tables that a start looks for are found without reading all that were ever played.
CREATE INDEX open_tables ON games (number) WHERE status IN ('gathering', 'playing');
CREATE INDEX cancelled_tables ON games (number) WHERE status = 'cancelled';
