"""Mutation testing by sample: breaks random places of engine and bot, and lists those that no test saw.

`python -m tests.breaks reach` runs the suite once and keeps, for each line, the tests that run it;
`python -m tests.breaks run` breaks the sampled places one after another, each against those tests and then
against those that start the bot as a process. A seed chooses the places: on the same code it always gives
the same breaks, so that a suite can be compared with a smaller one.
"""
