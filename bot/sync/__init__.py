"""Outbound: makes Discord show what the log says, within Discord's limits.

Messages are drawn, redrawn, bumped and deleted here, with retries. No move is made here and no press is
answered.
"""
