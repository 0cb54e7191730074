"""The languages in which we speak: sentences by gettext, numbers and lists by Babel.

English is the source, so the sentences stand in the code where they are said; every other language is a
catalogue under `locales`. Which language somebody is spoken to in is decided outside, and passed as an
argument: nothing here remembers one. What is said, and how cards are written, is decided in `bot.render`.
"""
