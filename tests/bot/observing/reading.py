"""Parses metrics as Prometheus does."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families


class Scraped:
    """One page of metrics."""

    def __init__(self, page: str) -> None:
        self.samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        }

    def value(self, name: str, **labels: str) -> float | None:
        """Value of that series; None if missing."""
        return self.samples.get((name, frozenset(labels.items())))

    def total(self, name: str) -> float:
        """Sum of all series of that name."""
        return sum(value for (each, _), value in self.samples.items() if each == name)

    def labels(self) -> set[str]:
        """All values of labels, except bounds of buckets and the versions of bot and Python."""
        return {
            value
            for _, labels in self.samples
            for name, value in labels
            if name not in {"le", "version", "python", "generation"}
        }
