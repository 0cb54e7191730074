"""The type of a JSON object, which half of the sandbox passes around."""

from typing import Any

JSON = dict[str, Any]
"""A JSON object: Discord's bodies, payloads and frames."""
