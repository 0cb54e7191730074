"""Validation of modals, and of autocomplete choices."""

import re

from sandbox.errors import Form, Path
from sandbox.model.components import SELECTS, ComponentType
from sandbox.model.json_types import JSON
from sandbox.validation.components import Judge
from sandbox.validation.shapes import check_shape

MOST_IN_MODAL = 5
"""Top-level components of a modal: the documentation's figure; the OpenAPI schema allows 40."""

MOST_OPTIONS = 10
"""Options of a radio group or of a group of checkboxes."""

MOST_FILES = 10
"""Files of one upload, and the types that it is limited to."""

_FILE_KINDS = ("image", "video", "audio")
_EXTENSION = re.compile(r"\.\w+")

_SELECTS = frozenset(ComponentType(kind) for kind in SELECTS)
_TOP = frozenset({ComponentType.ACTION_ROW, ComponentType.TEXT_DISPLAY, ComponentType.LABEL})
_IN_LABEL = _SELECTS | {
    ComponentType.TEXT_INPUT,
    ComponentType.FILE_UPLOAD,
    ComponentType.RADIO_GROUP,
    ComponentType.CHECKBOX_GROUP,
    ComponentType.CHECKBOX,
}
_VALUE_TYPES: dict[int, type | tuple[type, ...]] = {3: str, 4: int, 10: (int, float)}


def validate_modal(data: JSON) -> None:
    """Validate a modal: the `data` of a callback of type 9."""
    form, path = Form(), ("data",)
    check_shape(form, path, data)
    judge = Judge(form, ())
    form.text((*path, "custom_id"), data.get("custom_id"), least=1, most=100, needed=True)
    form.text((*path, "title"), data.get("title"), least=1, most=45, needed=True)
    within = (*path, "components")
    components = form.objects(within, data.get("components"), least=1, most=MOST_IN_MODAL)
    for index, component in enumerate(components):
        _top(judge, (*within, index), component)
    judge.unique(within, components)
    form.check()


def validate_choices(asked: JSON, data: JSON) -> None:
    """Validate autocomplete choices against the type of the focused option."""
    form = Form()
    focused = _focused(asked)
    for index, choice in enumerate(form.objects(("data", "choices"), data.get("choices"), most=25)):
        path = ("data", "choices", index)
        form.text((*path, "name"), choice.get("name"), least=1, most=100, needed=True)
        value = choice.get("value")
        if focused["type"] == 3 and isinstance(value, str):
            form.text((*path, "value"), value, most=100)
        elif isinstance(value, bool) or not isinstance(value, _VALUE_TYPES[focused["type"]]):
            form.fault(
                (*path, "value"), "BASE_TYPE_INVALID", "The value does not fit the type of the option."
            )
    form.check()


def _top(judge: Judge, path: Path, component: JSON) -> None:
    form, kind = judge.form, component.get("type")
    if kind not in _TOP:
        form.fault(path, "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (1, 10, 18).')
    elif kind == ComponentType.TEXT_DISPLAY:
        judge.text_display(path, component)
    elif kind == ComponentType.ACTION_ROW:
        inside = form.objects((*path, "components"), component.get("components"), least=1, most=1)
        for index, child in enumerate(inside):
            at = (*path, "components", index)
            if child.get("type") != ComponentType.TEXT_INPUT:
                form.fault(at, "UNION_TYPE_CHOICES", 'Value of field "type" must be one of (4,).')
            else:
                form.text((*at, "label"), child.get("label"), least=1, most=45, needed=True)
                _text_input(form, at, child)
    else:
        _label(judge, path, component)


def _label(judge: Judge, path: Path, label: JSON) -> None:
    form = judge.form
    form.text((*path, "label"), label.get("label"), least=1, most=45, needed=True)
    form.text((*path, "description"), label.get("description"), most=100)
    inner, at = label.get("component"), (*path, "component")
    kind = inner.get("type") if isinstance(inner, dict) else None
    if inner is None or kind not in _IN_LABEL:
        form.fault(at, "UNION_TYPE_CHOICES", 'Value of field "type" is not allowed inside a label.')
    elif kind == ComponentType.TEXT_INPUT:
        if inner.get("label") is not None:
            form.fault(
                (*at, "label"),
                "TEXT_INPUT_LABEL_NOT_ALLOWED",
                "Inside a label the input has no label of its own.",
            )
        _text_input(form, at, inner)
    elif kind in SELECTS:
        judge.select(at, inner)
        if inner.get("disabled"):
            form.fault(
                (*at, "disabled"),
                "SELECT_COMPONENT_DISABLED_IN_MODAL",
                "A select in a modal cannot be disabled.",
            )
    else:
        form.text((*at, "custom_id"), inner.get("custom_id"), least=1, most=100, needed=True)
        if kind == ComponentType.RADIO_GROUP:
            judge.options((*at, "options"), inner.get("options"), 1, least=2, most=MOST_OPTIONS)
        elif kind == ComponentType.CHECKBOX_GROUP:
            form.number((*at, "min_values"), inner.get("min_values"), least=0, most=MOST_OPTIONS)
            form.number((*at, "max_values"), inner.get("max_values"), least=1, most=MOST_OPTIONS)
            options = inner.get("options")
            most = inner.get("max_values") or (len(options) if isinstance(options, list) else 1)
            judge.options((*at, "options"), options, most, most=MOST_OPTIONS)
        elif kind == ComponentType.FILE_UPLOAD:
            _file_upload(form, at, inner)


def _file_upload(form: Form, path: Path, component: JSON) -> None:
    low, high = component.get("min_values"), component.get("max_values") or 1
    is_needed = component.get("required") is not False
    form.number((*path, "min_values"), low, least=int(is_needed), most=MOST_FILES)
    form.number((*path, "max_values"), component.get("max_values"), least=1, most=MOST_FILES)
    if low is not None and low > high:
        form.fault(
            (*path, "min_values"),
            "FILE_UPLOAD_COMPONENT_MIN_VALUES_EXCEEDS_MAX",
            "min_values must not exceed max_values.",
        )
    for index, kind in enumerate(
        form.items((*path, "file_types"), component.get("file_types"), most=MOST_FILES)
    ):
        if kind not in _FILE_KINDS and not (isinstance(kind, str) and _EXTENSION.fullmatch(kind)):
            form.fault((*path, "file_types", index), "FILE_TYPE_INVALID", "Not a type of files.")


def _text_input(form: Form, path: Path, component: JSON) -> None:
    form.text((*path, "custom_id"), component.get("custom_id"), least=1, most=100, needed=True)
    if component.get("style") not in (1, 2):
        form.fault((*path, "style"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
    form.text((*path, "placeholder"), component.get("placeholder"), most=100)
    form.number((*path, "min_length"), component.get("min_length"), least=0, most=4000)
    form.number((*path, "max_length"), component.get("max_length"), least=1, most=4000)
    most = component.get("max_length") or 4000
    form.text((*path, "value"), component.get("value"), most=most)
    if (component.get("min_length") or 0) > most:
        form.fault(
            (*path, "min_length"),
            "TEXT_INPUT_MIN_LENGTH_EXCEEDS_MAX",
            "min_length must not exceed max_length.",
        )


def _focused(data: JSON) -> JSON:
    """The focused option of an autocomplete interaction."""
    for option in data.get("options") or ():
        if option.get("focused"):
            return dict(option)
        if found := _focused(option):
            return found
    return {}
