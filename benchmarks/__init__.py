"""What the bot costs: how fast it counts and folds, and what a move takes of a processor and of Discord.

`python -m benchmarks` runs all of it, `python -m benchmarks NAME` one; nothing here is a test, and no figure
is a promise for another machine. Ratios and processor time depend least on what else the machine does.
"""
