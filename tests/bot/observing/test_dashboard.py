"""Dashboard and alerts query existing metrics, and every alert says what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.observing.metrics import ANSWER_BOUNDS, Metrics

_ROOT = Path(__file__).parents[3]
_RULES = yaml.safe_load((_ROOT / "docs/alerts.yaml").read_text(encoding="utf-8"))["groups"][0]["rules"]
_DASHBOARD = json.loads((_ROOT / "docs/grafana/fifteen-two.json").read_text(encoding="utf-8"))

_NO_METRICS = {"sum", "max", "count", "rate", "increase", "histogram_quantile", "topk", "vector", "or", "and"}
"""Words of Prometheus' query language."""
_FROM_PROMETHEUS = {"up"}
"""Series that Prometheus itself adds to every target."""
_LABELS = {
    "job": None,  # Prometheus's own
    "state": {"expected", "connected", "gathering", "playing", "telling", "retried", "put_off"},
    "status": {"2xx", "3xx", "4xx", "5xx", "429", "none"},
    "counted": {"yes", "no"},
    "call": {"append"},
    "le": {"2.2"},
    "scope": {"user", "global", "shared", "unknown"},
}
"""Possible values of the labels that a query may select by."""


def metrics_in(query: str) -> set[str]:
    """The names of metrics in a query."""
    bare = re.sub(r"\{[^}]*\}|\[[^]]*\]|\bby \([^)]*\)", " ", query)
    return set(re.findall(r"\b[a-z_][a-z_0-9]*\b", bare)) - _NO_METRICS


def queries() -> Iterator[tuple[str, str]]:
    yield from ((rule["alert"], rule["expr"]) for rule in _RULES)
    for panel in _DASHBOARD["panels"]:
        yield from ((panel["title"], target["expr"]) for target in panel["targets"])


def test_the_names_in_a_query_are_found() -> None:
    query = 'topk(8, histogram_quantile(0.95, sum by (le, call) (rate(a_bucket{le="2"}[5m])))) > 1 or b - c'
    assert metrics_in(query) == {"a_bucket", "b", "c"}


def test_every_metric_that_is_asked_for_exists() -> None:
    there = Metrics().names | _FROM_PROMETHEUS
    for what, query in queries():
        asked = metrics_in(query)
        assert asked, what
        assert asked <= there, what
        for label, values in re.findall(r'(\w+)=~?"([^"]*)"', query):
            known = _LABELS[label]
            assert known is None or set(values.split("|")) <= known, what


def test_the_boundary_that_an_alert_asks_for_exists() -> None:
    bounds = {
        f"{bound}"
        for rule in _RULES
        for bound in re.findall(r'crib_answer_seconds_bucket\{le="([^"]*)"', rule["expr"])
    }
    assert bounds == {"2.2"}
    assert 2.2 in ANSWER_BOUNDS


def test_every_metric_of_ours_is_on_the_dashboard() -> None:
    shown = {name for _, query in queries() for name in metrics_in(query)}
    ours = {name for name in Metrics().names if name.startswith("crib_")}
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in ours}
    assert families - {re.sub("_(bucket|sum|count)$", "", name) for name in shown} == set()


def test_the_dashboards_panels_stand_each_in_a_place_of_their_own() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in _DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24, "Grafana has 24 columns"
        assert panel["description"]
        taken |= cells
    assert len({panel["id"] for panel in _DASHBOARD["panels"]}) == len(_DASHBOARD["panels"])


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule["alert"])
def test_what_to_do_about_an_alert_is_said(rule: dict[str, Any]) -> None:
    base, _, link = rule["annotations"]["runbook_url"].rpartition("}}")
    document, _, anchor = link.partition("#")
    assert base == "{{ $externalLabels.runbooks "
    text = (_ROOT / "docs" / document).read_text(encoding="utf-8")
    headings = [line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")]
    assert anchor in headings
    assert rule["alert"] in text
    assert rule["annotations"]["summary"].endswith(".")
