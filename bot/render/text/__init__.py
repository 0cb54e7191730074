"""Sentences, names, cards and counts as text, without layouts.

Messages, hands and statistics are put together elsewhere in `render`, from these words.
"""
