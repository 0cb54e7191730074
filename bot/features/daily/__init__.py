"""The daily hand: one deal a day, the same for everybody."""
