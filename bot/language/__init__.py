"""The languages of the bot's texts: sentences by gettext, numbers and lists by Babel.

English is the source language, so its sentences stand in the code; every other language is a catalogue under
`locales`. The language is an argument everywhere; nothing here remembers one for a person or table.
`bot.render` has the texts and the notation of cards.
"""
