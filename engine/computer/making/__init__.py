"""How the computer's tables are made. Nothing here is needed to play."""
