"""Strength and speed of the computer: everything from seeds, with 95 % intervals."""
