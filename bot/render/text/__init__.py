"""Sentences, names, cards and counts as text.

The other packages of `render` build their layouts from these; with the exception of `rules`, nothing here is
a layout. All English grammar (plurals, articles, lists) is in `words`.
"""
