"""The room in which cribbage is played: a Discord bot around the engine."""
