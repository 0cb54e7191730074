"""Drills: short exercises in private, a round after the other: count a hand, or choose a discard."""
