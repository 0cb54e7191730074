"""Benchmarks: how fast the engine counts and folds, and what an action costs in CPU time and in requests.

`python -m benchmarks` runs all of them, `python -m benchmarks NAME` one. They are not tests, and their
figures hold for one machine; ratios and CPU time depend least on what else the machine is doing.
"""
