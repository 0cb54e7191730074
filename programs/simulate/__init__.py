"""Simulation from a seed: whole games of one bot, in simulated time, while everything around it fails.

    python -m programs.simulate                     # a thousand games, on all cores
    python -m programs.simulate --seed 17           # that one again, exactly, with what happened

A seed decides the games, what people press, and the faults; two runs of one seed make the same requests, byte
by byte (`digest`). Bot, sandbox and database run in one process and one event loop, threads' work is done by
the loop itself, and all chance comes from the seed.
"""
