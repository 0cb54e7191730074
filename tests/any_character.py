"""Any character of Unicode, for texts that Hypothesis makes up."""

from __future__ import annotations

from hypothesis import strategies as st

ANY_CHARACTER = st.characters(exclude_categories=["Cs"])
"""The alphabet that `st.text()` has by itself, which it takes from a table of what UTF-8 can encode.

In a fresh checkout each worker makes that table, and needs 180 MB for it.
"""
