"""Settling a request's tree of components into the one that Discord answers with.

Whether the tree is allowed is decided in `validation`; here it is taken to be sound.
"""

from collections.abc import Iterator, Sequence

from sandbox.model.channels import Attachment
from sandbox.model.components import SELECTS, ComponentType, walk
from sandbox.model.jsons import JSON

_DEFAULTS: dict[int, JSON] = {
    ComponentType.SECTION: {},
    ComponentType.THUMBNAIL: {"description": None, "spoiler": False},
    ComponentType.FILE: {"spoiler": False},
    ComponentType.SEPARATOR: {"spacing": 1, "divider": True},
    ComponentType.CONTAINER: {"accent_color": None, "spoiler": False},
}


def settle(components: Sequence[JSON], files: Sequence[Attachment]) -> list[JSON]:
    """The tree as Discord answers with it: every component numbered, defaults filled in, media resolved."""
    taken = {component["id"] for component in walk(components) if component.get("id")}
    free = (number for number in range(1, 2**31) if number not in taken)
    by_name = {file.filename: file for file in files}
    return [_settle(component, free, by_name) for component in components]


def _settle(component: JSON, free: Iterator[int], files: dict[str, Attachment]) -> JSON:
    settled = {key: value for key, value in component.items() if value is not None}
    settled["id"] = component.get("id") or next(free)
    kind = component["type"]
    settled = _DEFAULTS.get(kind, {}) | settled
    if kind in SELECTS:
        settled = {"min_values": 1, "max_values": 1} | settled
        settled.pop("required", None)
    if isinstance(settled.get("emoji"), dict):
        settled["emoji"] = _emoji(settled["emoji"])
    if "options" in settled:
        settled["options"] = [_option(option) for option in settled["options"]]
    if "components" in settled:
        settled["components"] = [_settle(child, free, files) for child in settled["components"]]
    if "accessory" in settled:
        settled["accessory"] = _settle(settled["accessory"], free, files)
    if kind == ComponentType.THUMBNAIL:
        settled["media"] = _media(settled["media"], files)
    if kind == ComponentType.FILE:
        settled["file"] = _media(settled["file"], files)
        file = next((each for each in files.values() if each.url == settled["file"]["url"]), None)
        settled |= {"name": file and file.filename, "size": file and len(file.content)}
    if kind == ComponentType.MEDIA_GALLERY:
        settled["items"] = [
            {
                "media": _media(item["media"], files),
                "description": item.get("description"),
                "spoiler": bool(item.get("spoiler")),
            }
            for item in settled["items"]
        ]
    return settled


def _option(option: JSON) -> JSON:
    settled = {key: value for key, value in option.items() if value is not None}
    if "emoji" in settled:
        settled["emoji"] = _emoji(settled["emoji"])
    return settled


def _emoji(emoji: JSON) -> JSON:
    settled = {key: value for key, value in emoji.items() if value is not None}
    if "id" in settled:
        settled["id"] = str(settled["id"])
    return settled


def _media(media: JSON, files: dict[str, Attachment]) -> JSON:
    url = media["url"]
    if url.startswith("attachment://"):
        return files[url.removeprefix("attachment://")].unfurled()
    known = next((file for file in files.values() if file.url == url), None)
    if known is not None:
        return known.unfurled()
    return {"id": "0", "url": url, "proxy_url": url, "width": None, "height": None, "content_type": None}
