"""Playing better: hints, discards compared, hands counted, games reviewed."""
