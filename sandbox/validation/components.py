"""Validation of message components, including Components V2.

The rules for a whole message or modal are in `messages` and `modals`.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sandbox import assumptions
from sandbox.errors import Form, Path
from sandbox.model.components import LINK_STYLE, PREMIUM_STYLE, SELECTS, ComponentType, walk
from sandbox.model.json_types import JSON

MOST_COMPONENTS = 40
"""The largest number of components in one message, including nested ones."""

MOST_TEXT = 4000
"""The largest number of characters in all text displays of one message together."""

V1_TOP = frozenset({ComponentType.ACTION_ROW})
V2_TOP = frozenset(
    {
        ComponentType.ACTION_ROW,
        ComponentType.SECTION,
        ComponentType.TEXT_DISPLAY,
        ComponentType.MEDIA_GALLERY,
        ComponentType.FILE,
        ComponentType.SEPARATOR,
        ComponentType.CONTAINER,
    }
)
IN_CONTAINER = V2_TOP - {ComponentType.CONTAINER}
IN_ROW = frozenset({ComponentType.BUTTON}) | {ComponentType(kind) for kind in SELECTS}
ACCESSORIES = frozenset({ComponentType.BUTTON, ComponentType.THUMBNAIL})

_ADDRESS = re.compile(r"(https?|discord)://.+")


@dataclass(frozen=True, slots=True)
class Judge:
    """Validates components; `filenames` are the files that `attachment://` may refer to."""

    form: Form
    filenames: Collection[str]

    def message(self, path: Path, components: object, *, v2: bool) -> None:
        """Validate all components of a message."""
        top = self.form.items(path, components, most=MOST_COMPONENTS if v2 else 5)
        self._each(path, top, V2_TOP if v2 else V1_TOP)
        everything = list(walk([each for each in top if isinstance(each, dict)]))
        if len(everything) > MOST_COMPONENTS:
            self.form.fault(
                path,
                assumptions.TOO_MANY_COMPONENTS,
                f"Cannot have more than {MOST_COMPONENTS} components in total.",
            )
        text = sum(
            len(str(each.get("content")))
            for each in everything
            if each.get("type") == ComponentType.TEXT_DISPLAY
        )
        if text > MOST_TEXT:
            self.form.fault(
                path,
                assumptions.TOO_MUCH_TEXT,
                f"Text of all components must not exceed {MOST_TEXT} characters.",
            )
        self.unique(path, top)

    def unique(self, path: Path, components: list[Any]) -> None:
        """Record an error for components with the same custom_id or numeric id."""
        seen: set[object] = set()
        for at, component in _paths(path, components):
            for key, code, sentence in (
                ("custom_id", assumptions.DUPLICATE_CUSTOM_ID, "Component custom id cannot be duplicated"),
                ("id", assumptions.DUPLICATE_COMPONENT_ID, "Component id cannot be duplicated"),
            ):
                if not (value := component.get(key)):
                    continue
                if (key, value) in seen:
                    self.form.fault((*at, key), code, sentence)
                seen.add((key, value))

    def one(self, path: Path, component: object, allowed: Collection[ComponentType]) -> None:
        """Validate a component of one of the `allowed` types, with its children."""
        if not isinstance(component, dict):
            self.form.fault(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
            return
        kind = component.get("type")
        if not isinstance(kind, int) or kind not in allowed:
            numbers = ", ".join(str(int(each)) for each in sorted(allowed))
            only = f"({numbers},)" if len(allowed) == 1 else f"({numbers})"
            self.form.fault(path, "UNION_TYPE_CHOICES", f'Value of field "type" must be one of {only}.')
            return
        self.form.number((*path, "id"), component.get("id"), least=0, most=2**31 - 1)
        rules: dict[int, Callable[[Path, JSON], None]] = {
            ComponentType.ACTION_ROW: self._row,
            ComponentType.BUTTON: self._button,
            ComponentType.SECTION: self._section,
            ComponentType.TEXT_DISPLAY: self.text_display,
            ComponentType.THUMBNAIL: self._thumbnail,
            ComponentType.MEDIA_GALLERY: self._gallery,
            ComponentType.FILE: self._file,
            ComponentType.SEPARATOR: self._separator,
            ComponentType.CONTAINER: self._container,
        }
        rules.get(int(kind), self.select)(path, component)

    def select(self, path: Path, select: JSON) -> None:
        """Validate a select of any type."""
        form = self.form
        form.text((*path, "custom_id"), select.get("custom_id"), least=1, most=100, needed=True)
        form.text((*path, "placeholder"), select.get("placeholder"), most=150)
        form.number((*path, "min_values"), select.get("min_values"), least=0, most=25)
        form.number((*path, "max_values"), select.get("max_values"), least=1, most=25)
        low, high = _number(select, "min_values"), _number(select, "max_values")
        if low > high:
            form.fault(
                (*path, "min_values"),
                "SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX",
                "min_values must not exceed max_values.",
            )
        if select["type"] == ComponentType.STRING_SELECT:
            self.options((*path, "options"), select.get("options"), high)

    def options(self, path: Path, value: object, most_chosen: int, *, least: int = 1, most: int = 25) -> None:
        """Validate the options of a select, a radio group or a group of checkboxes."""
        options = self.form.items(path, value, least=least, most=most)
        values = []
        for index, option in enumerate(options):
            at = (*path, index)
            if not isinstance(option, dict):
                self.form.fault(at, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
                continue
            self.form.text((*at, "label"), option.get("label"), least=1, most=100, needed=True)
            self.form.text((*at, "value"), option.get("value"), least=1, most=100, needed=True)
            self.form.text((*at, "description"), option.get("description"), most=100)
            self._emoji((*at, "emoji"), option.get("emoji"))
            if option.get("value") in values:
                self.form.fault(
                    (*at, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.append(option.get("value"))
        chosen = [option for option in options if isinstance(option, dict) and option.get("default")]
        if len(chosen) > most_chosen:
            self.form.fault(
                path,
                "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES",
                "There are more default options than max_values",
            )
        if most_chosen > len(options):
            self.form.fault(
                path, "SELECT_COMPONENT_NOT_ENOUGH_OPTIONS", "There are fewer options than max_values"
            )

    def text_display(self, path: Path, component: JSON) -> None:
        """Validate a text display."""
        self.form.text((*path, "content"), component.get("content"), least=1, most=MOST_TEXT, needed=True)

    def _each(self, path: Path, components: list[object], allowed: Collection[ComponentType]) -> None:
        for index, component in enumerate(components):
            self.one((*path, index), component, allowed)

    def _row(self, path: Path, row: JSON) -> None:
        inside = self.form.items((*path, "components"), row.get("components"), least=1, most=5)
        self._each((*path, "components"), inside, IN_ROW)
        kinds = [child.get("type") for child in inside if isinstance(child, dict)]
        if len(kinds) > 1 and any(kind in SELECTS for kind in kinds):
            self.form.fault(
                (*path, "components"),
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )

    def _button(self, path: Path, button: JSON) -> None:
        form, style = self.form, button.get("style")
        form.text((*path, "label"), button.get("label"), most=80)
        if not isinstance(style, int) or not 1 <= style <= PREMIUM_STYLE:
            form.fault((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")
        if style == LINK_STYLE:
            self._address((*path, "url"), button.get("url"), most=512)
            if button.get("custom_id") is not None:
                form.fault(
                    path,
                    "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        elif style != PREMIUM_STYLE:
            form.text((*path, "custom_id"), button.get("custom_id"), least=1, most=100, needed=True)
            if button.get("url") is not None:
                form.fault(path, "BUTTON_COMPONENT_INVALID_STYLE", "A url can only be given to a link button")
        self._emoji((*path, "emoji"), button.get("emoji"))
        if style != PREMIUM_STYLE and not button.get("label") and not button.get("emoji"):
            form.fault(path, "BUTTON_COMPONENT_INVALID_LABEL", "A button needs a label or an emoji")

    def _section(self, path: Path, section: JSON) -> None:
        inside = self.form.items((*path, "components"), section.get("components"), least=1, most=3)
        self._each((*path, "components"), inside, {ComponentType.TEXT_DISPLAY})
        if section.get("accessory") is None:
            self.form.fault((*path, "accessory"), "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self.one((*path, "accessory"), section["accessory"], ACCESSORIES)

    def _thumbnail(self, path: Path, thumbnail: JSON) -> None:
        self._media((*path, "media"), thumbnail.get("media"))
        self.form.text((*path, "description"), thumbnail.get("description"), least=1, most=1024)

    def _gallery(self, path: Path, gallery: JSON) -> None:
        for index, item in enumerate(
            self.form.objects((*path, "items"), gallery.get("items"), least=1, most=10)
        ):
            at = (*path, "items", index)
            self._media((*at, "media"), item.get("media"))
            self.form.text((*at, "description"), item.get("description"), least=1, most=1024)

    def _file(self, path: Path, file: JSON) -> None:
        self._media((*path, "file"), file.get("file"), uploaded_only=True)

    def _separator(self, path: Path, separator: JSON) -> None:
        self.form.number((*path, "spacing"), separator.get("spacing"), least=1, most=2)

    def _container(self, path: Path, container: JSON) -> None:
        self.form.number((*path, "accent_color"), container.get("accent_color"), least=0, most=0xFFFFFF)
        inside = self.form.items(
            (*path, "components"), container.get("components"), least=1, most=MOST_COMPONENTS
        )
        self._each((*path, "components"), inside, IN_CONTAINER)

    def _media(self, path: Path, media: object, *, uploaded_only: bool = False) -> None:
        url = media.get("url") if isinstance(media, dict) else None
        if not isinstance(url, str):
            self.form.fault((*path, "url"), "BASE_TYPE_REQUIRED", "This field is required")
        elif url.startswith("attachment://"):
            if url.removeprefix("attachment://") not in self.filenames:
                self.form.fault(
                    (*path, "url"),
                    assumptions.ATTACHMENT_NOT_FOUND,
                    f"The referenced attachment was not found: {url}",
                )
        elif uploaded_only:
            self.form.fault(
                (*path, "url"), "URL_TYPE_INVALID_SCHEME", "Only attachment:// references are allowed here."
            )
        else:
            self._address((*path, "url"), url, most=2048)

    def _address(self, path: Path, url: object, *, most: int) -> None:
        self.form.text(path, url, least=1, most=most, needed=True)
        if isinstance(url, str) and not _ADDRESS.fullmatch(url):
            self.form.fault(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")

    def _emoji(self, path: Path, emoji: object) -> None:
        if emoji is None:
            return
        if not isinstance(emoji, dict) or not (emoji.get("id") or emoji.get("name")):
            self.form.fault(path, "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
        else:
            self.form.text((*path, "name"), emoji.get("name"), most=32)


def _number(select: JSON, key: str) -> int:
    value = select.get(key)
    return value if isinstance(value, int) else 1


def _paths(path: Path, components: list[Any]) -> list[tuple[Path, JSON]]:
    found: list[tuple[Path, JSON]] = []
    for index, component in enumerate(components):
        if not isinstance(component, dict):
            continue
        found.append(((*path, index), component))
        found += _paths((*path, index, "components"), component.get("components") or [])
        for single in ("accessory", "component"):
            if isinstance(inner := component.get(single), dict):
                found += [((*path, index, single), inner)]
    return found
