"""Opponents from outside that the computer player is measured against.

`bsd` plays as BSD cribbage does. `bsd_terminal` plays against the real program in a terminal of its own, and
`python -m benchmarks.opponents.compare_bsd --deals 60` says whether the two decide alike.

Compared with Debian's bsdgames 2.17 over 6,000 deals (`--deals 6000 --seed 7`): 3,870 different discards and
19,580 different plays of a card, without a difference. 217 discards and 931 plays of another run are in
`tests/benchmarks/data/bsd_decisions.json`, so a test checks the player against them where the program is not
installed; where it is, another test plays the program itself.
"""
