"""Mutation testing by sample: breaks random places of engine and bot, and lists those that no test saw.

`python -m tests.breaks reach` runs the suite once and keeps, for each line, the test files that run it;
`python -m tests.breaks run` breaks the sampled places one after another, each against those files. A seed
chooses the places: on the same code it always gives the same breaks, so that a suite can be compared with a
smaller one.
"""
