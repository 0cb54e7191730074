"""Metrics for Prometheus, liveness and readiness.

Loaded only if METRICS is set, and prometheus-client with it; other packages import `readings` alone. Labels
come from short fixed lists: never the id of a person, server or game, never a card.
"""
