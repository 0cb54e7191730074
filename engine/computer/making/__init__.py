"""Makes the computer's tables. Playing needs nothing of it."""
