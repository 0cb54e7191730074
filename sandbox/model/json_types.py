"""The type of a JSON object."""

from typing import Any

JSON = dict[str, Any]
"""A JSON object: Discord's bodies, payloads and frames."""
