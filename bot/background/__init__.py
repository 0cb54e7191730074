"""Background jobs: turn clocks, computer players, and servers that come and go.

They move through `tables`, as people do. No interaction calls them.
"""
