-- Whether a game's scores are explained to the person at a seat: 'newcomer' and 'on' for yes, 'off' as they chose;
-- NULL in a lobby without a choice, in a game for no.
ALTER TABLE seats ADD COLUMN explaining text;
