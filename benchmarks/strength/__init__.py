"""How well the computer plays, and how fast it decides: everything from seeds, with 95 % intervals."""
