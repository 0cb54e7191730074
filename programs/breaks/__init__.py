"""Mutation testing by sample: breaks random places of engine and bot, and lists those that no test sees.

`python -m programs.breaks reach` runs the suite once and keeps, for each line, the tests that run it. `python
-m programs.breaks run` breaks the sampled places one after another, each against those tests, the cheapest
first, until three of them fail. A seed chooses the places. `--kept FILE` tries the breaks of an earlier run
again, wherever the code around them has gone, so that a suite can be compared with a smaller one; `--cheap`
leaves out deep tests.

Whether a test file may go: `run --inside FILES --number 0 --only TESTS --enough 1` tries every break of the
code with those tests alone, and `run --kept TRIALS --seen --without TESTS --enough 1` what the others see of
them. Each run wants a `--folder` of its own, and `--reach` for the one map.
"""
