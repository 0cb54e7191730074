"""Sentences, names, cards and counts as text.

The other packages of `render` build their layouts from these; only `rules` makes a layout here.
`bot.language` and `words` have the grammar (plurals, lists, numbers).
"""
