"""Resolves the component tree of a request into the one that Discord stores and returns.

Ids are assigned, defaults filled in and `attachment://` references replaced by URLs. The tree is expected to
be valid; see `validation.components`.
"""

from collections.abc import Iterator, Sequence

from sandbox.model.channels import Attachment
from sandbox.model.components import SELECTS, ComponentType, walk
from sandbox.model.json_types import JSON

_DEFAULTS: dict[int, JSON] = {
    ComponentType.SECTION: {},
    ComponentType.THUMBNAIL: {"description": None, "spoiler": False},
    ComponentType.FILE: {"spoiler": False},
    ComponentType.SEPARATOR: {"spacing": 1, "divider": True},
    ComponentType.CONTAINER: {"accent_color": None, "spoiler": False},
}


def resolve(components: Sequence[JSON], files: Sequence[Attachment]) -> list[JSON]:
    """The tree as Discord returns it: with an id for every component, defaults, and resolved media."""
    taken = {component["id"] for component in walk(components) if component.get("id")}
    free = (number for number in range(1, 2**31) if number not in taken)
    by_name = {file.filename: file for file in files}
    return [_resolved(component, free, by_name) for component in components]


def _resolved(component: JSON, free: Iterator[int], files: dict[str, Attachment]) -> JSON:
    resolved = {key: value for key, value in component.items() if value is not None}
    resolved["id"] = component.get("id") or next(free)
    kind = component["type"]
    resolved = _DEFAULTS.get(kind, {}) | resolved
    if kind in SELECTS:
        resolved = {"min_values": 1, "max_values": 1} | resolved
        resolved.pop("required", None)
    if isinstance(resolved.get("emoji"), dict):
        resolved["emoji"] = _emoji(resolved["emoji"])
    if "options" in resolved:
        resolved["options"] = [_option(option) for option in resolved["options"]]
    if "components" in resolved:
        resolved["components"] = [_resolved(child, free, files) for child in resolved["components"]]
    if "accessory" in resolved:
        resolved["accessory"] = _resolved(resolved["accessory"], free, files)
    if kind == ComponentType.THUMBNAIL:
        resolved["media"] = _media(resolved["media"], files)
    if kind == ComponentType.FILE:
        resolved["file"] = _media(resolved["file"], files)
        file = next((each for each in files.values() if each.url == resolved["file"]["url"]), None)
        resolved |= {"name": file and file.filename, "size": file and len(file.content)}
    if kind == ComponentType.MEDIA_GALLERY:
        resolved["items"] = [
            {
                "media": _media(item["media"], files),
                "description": item.get("description"),
                "spoiler": bool(item.get("spoiler")),
            }
            for item in resolved["items"]
        ]
    return resolved


def _option(option: JSON) -> JSON:
    resolved = {key: value for key, value in option.items() if value is not None}
    if "emoji" in resolved:
        resolved["emoji"] = _emoji(resolved["emoji"])
    return resolved


def _emoji(emoji: JSON) -> JSON:
    resolved = {key: value for key, value in emoji.items() if value is not None}
    if "id" in resolved:
        resolved["id"] = str(resolved["id"])
    return resolved


def _media(media: JSON, files: dict[str, Attachment]) -> JSON:
    url = media["url"]
    if url.startswith("attachment://"):
        return files[url.removeprefix("attachment://")].unfurled()
    known = next((file for file in files.values() if file.url == url), None)
    if known is not None:
        return known.unfurled()
    return {"id": "0", "url": url, "proxy_url": url, "width": None, "height": None, "content_type": None}
