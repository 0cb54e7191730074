-- A player's hand by DM is one message a game, kept as of deal 0: the newest takes that place if it is still
-- drawn. A draft names its deal.
UPDATE posts SET drawn = 'draft ' || deal || ' ' || substr(drawn, 7) WHERE drawn LIKE 'draft %';
UPDATE posts SET deal = 0
WHERE kind = 'hand' AND drawn != 'settled' AND deal = (
    SELECT max(deal) FROM posts AS hands
    WHERE hands.game = posts.game AND hands.kind = 'hand' AND hands.seat = posts.seat
);
