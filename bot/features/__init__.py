"""Features beyond the table, one folder each; none imports another.

`bot.app` lists them, and the core names none. The `feature.py` of each builds its parts from those of the
table (`bot.interactions.core`) and registers them (`bot.interactions.registry`): commands, custom_ids,
listeners, and additions to the table's messages and to the help. Buttons of a feature that is no longer
listed are refused with a sentence.
"""
