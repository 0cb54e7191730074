"""Squares: a game for one, with sixteen cards a day that are the same for everybody."""
