"""Opponents from outside that the computer player is measured against.

`bsd` plays as BSD cribbage does. `bsd_terminal` plays against the real program in a terminal of its own, and
`python -m benchmarks.opponents.compare_bsd --deals 60` says whether the two decide alike.

Compared with Debian's bsdgames 2.17 over 6,000 deals (`--deals 6000 --seed 7`): 3,870 discards and 19,580
cards, each counted once however often it came, and no difference. 217 discards and 931 cards of another run
stand in `tests/benchmarks/data/bsd_decisions.json`, so a test holds the player to them where the program is
missing; the test that plays the program itself runs wherever it is installed.
"""
