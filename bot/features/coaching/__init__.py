"""The coach: hints, comparison of discards, counting of hands, and reviews of games."""
