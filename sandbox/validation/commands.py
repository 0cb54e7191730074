"""Validation of application commands and their options."""

import re

from sandbox import assumptions
from sandbox.errors import Form, Path
from sandbox.model.json_types import JSON
from sandbox.model.users import LOCALES

CHAT_INPUT, USER, MESSAGE = 1, 2, 3

MOST_COMMANDS = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15}
"""The largest number of commands of each type, globally or in one guild."""

_PLACES = {"integration_types": (0, 1), "contexts": (0, 1, 2)}
"""Valid values: installation for servers or for users; use in servers, the bot's DMs, or people's own DMs."""

_USER_INSTALL = 1

MOST_CHARACTERS = 8000
"""The largest sum of the characters of all names, descriptions and choice values of one command.

Of a text with localizations only the longest counts.
"""


SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10

_NAME = re.compile(r"[-_'\w]{1,32}")
_NAME_RULE = "Command name is invalid"
_CHOICE_VALUES: dict[int, type | tuple[type, ...]] = {STRING: str, INTEGER: int, NUMBER: (int, float)}


def validate_commands(given: object, *, has_user_install: bool = True) -> list[JSON]:
    """Validate a whole set of commands, and return it; one that is invalid refuses all.

    Without User Install no command may be for an installation by users.
    """
    form = Form()
    commands = form.objects((), given, most=130)
    for index, command in enumerate(commands):
        _command(form, (index,), command)
        _installable(form, (index,), command, has_user_install=has_user_install)
    form.check()
    for kind, most in MOST_COMMANDS.items():
        if sum((command.get("type") or CHAT_INPUT) == kind for command in commands) > most:
            form.fault((), "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")
    names: set[tuple[int, str]] = set()
    for index, command in enumerate(commands):
        _size(form, (index,), command)
        key = (command.get("type") or CHAT_INPUT, command["name"])
        if key in names:
            form.fault(
                (index, "name"),
                "APPLICATION_COMMANDS_DUPLICATE_NAME",
                "Application command names must be unique",
            )
        names.add(key)
    form.check()
    return commands


def validate_command(command: JSON, *, has_user_install: bool = True) -> None:
    """Validate one command; see `validate_commands`."""
    form = Form()
    _command(form, (), command)
    _installable(form, (), command, has_user_install=has_user_install)
    form.check()
    _size(form, (), command)
    form.check()


def _command(form: Form, path: Path, command: JSON) -> None:
    for key, known in _PLACES.items():
        for index, value in enumerate(form.items((*path, key), command.get(key), most=len(known))):
            if value not in known:
                form.fault((*path, key, index), "BASE_TYPE_CHOICES", f"Value must be one of {known}.")
    kind = command.get("type")
    if kind is not None and not (isinstance(kind, int) and kind in MOST_COMMANDS):
        form.fault((*path, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3}.")
        return
    if (kind or CHAT_INPUT) != CHAT_INPUT:
        # User and message commands have free names and neither description nor options.
        form.text((*path, "name"), command.get("name"), least=1, most=32, needed=True)
        for at, name in _localized(form, path, command, "name"):
            form.text(at, name, least=1, most=32, needed=True)
        for key in ("description", "options"):
            if command.get(key):
                form.fault(
                    (*path, key),
                    "APPLICATION_COMMAND_CONTEXT_MENU_INVALID",
                    "Context menu commands have none",
                )
        return
    _named(form, path, command)
    _options(form, (*path, "options"), command.get("options"), {SUB_COMMAND, SUB_COMMAND_GROUP})


def _installable(form: Form, path: Path, command: JSON, *, has_user_install: bool) -> None:
    """Record an error for a command for users' installations where the application has none."""
    types = command.get("integration_types")
    for index, value in enumerate(types if isinstance(types, list) else ()):
        if value == _USER_INSTALL and not has_user_install:
            form.fault(
                (*path, "integration_types", index),
                assumptions.INSTALLATION_NOT_SUPPORTED,
                "The application does not support this installation context",
            )


def _size(form: Form, path: Path, command: JSON) -> None:
    """Record an error for a command, valid otherwise, that is too large."""
    if _characters(command) > MOST_CHARACTERS:
        form.fault(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MOST_CHARACTERS})")


def _named(form: Form, path: Path, thing: JSON) -> None:
    for at, name in [((*path, "name"), thing.get("name")), *_localized(form, path, thing, "name")]:
        form.text(at, name, least=1, most=32, needed=True)
        if isinstance(name, str) and (not _NAME.fullmatch(name) or name != name.lower()):
            form.fault(at, "APPLICATION_COMMAND_INVALID_NAME", _NAME_RULE)
    descriptions = [((*path, "description"), thing.get("description"))]
    for at, description in [*descriptions, *_localized(form, path, thing, "description")]:
        form.text(at, description, least=1, most=100, needed=True)


def _localized(form: Form, path: Path, thing: JSON, field: str) -> list[tuple[Path, object]]:
    """The localizations of a name or description, each with its path; an unknown locale is an error."""
    at, given = (*path, f"{field}_localizations"), thing.get(f"{field}_localizations")
    if given is None:
        return []
    if not isinstance(given, dict):
        form.fault(at, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
        return []
    for locale in given.keys() - LOCALES:
        form.fault((*at, locale), "BASE_TYPE_CHOICES", "Value must be one of the available locales.")
    return [((*at, locale), text) for locale, text in given.items() if locale in LOCALES]


def _options(form: Form, path: Path, value: object, branches: set[int]) -> None:
    """Validate the options of a command or sub-command; `branches` are the sub-command types allowed here."""
    options = form.objects(path, value, most=25)
    names: set[str] = set()
    kinds = {option.get("type") in (SUB_COMMAND, SUB_COMMAND_GROUP) for option in options}
    if len(kinds) > 1:
        form.fault(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    was_optional = False
    for index, option in enumerate(options):
        at = (*path, index)
        _named(form, at, option)
        if (name := str(option.get("name"))) in names:
            form.fault(
                (*at, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"
            )
        names.add(name)
        _unique_in_each_locale(form, at, option, options)
        kind = option.get("type")
        if kind in (SUB_COMMAND, SUB_COMMAND_GROUP):
            if kind not in branches:
                form.fault(
                    (*at, "type"),
                    "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                    "Sub-commands can only be nested once",
                )
            _options(
                form,
                (*at, "options"),
                option.get("options"),
                {SUB_COMMAND} if kind == SUB_COMMAND_GROUP else set(),
            )
            continue
        if option.get("required") and was_optional:
            form.fault(
                at,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        was_optional = was_optional or not option.get("required")
        _option(form, at, option)


def _unique_in_each_locale(form: Form, path: Path, option: JSON, options: list[JSON]) -> None:
    """Record an error for a localized name that another option has by default or in the same locale."""
    for locale, name in _localizations(option).items():
        for other in options:
            theirs = (other.get("name"), _localizations(other).get(locale))
            if other is not option and name in theirs:
                form.fault(
                    (*path, "name_localizations", locale),
                    "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                    "Option name already exists",
                )


def _localizations(option: JSON) -> JSON:
    """The localized names of an option, none if they have another shape."""
    given = option.get("name_localizations")
    return given if isinstance(given, dict) else {}


def _option(form: Form, path: Path, option: JSON) -> None:
    kind = option.get("type")
    if not isinstance(kind, int) or kind not in range(3, 12):
        form.fault(
            (*path, "type"), "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}."
        )
        return
    choices = form.objects((*path, "choices"), option.get("choices"), most=25)
    if (choices or option.get("autocomplete")) and kind not in _CHOICE_VALUES:
        form.fault(
            path, "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "This option type cannot have choices"
        )
        return
    if choices and option.get("autocomplete"):
        form.fault(
            path, "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", "Autocomplete and choices exclude each other"
        )
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        at = (*path, "choices", index)
        for where, name in [((*at, "name"), choice.get("name")), *_localized(form, at, choice, "name")]:
            form.text(where, name, least=1, most=100, needed=True)
        value = choice.get("value")
        if not isinstance(value, _CHOICE_VALUES[kind]):
            form.fault((*at, "value"), "BASE_TYPE_INVALID", "The value does not fit the type of the option.")
        elif isinstance(value, str):
            form.text((*at, "value"), value, least=1, most=100)
        if (shown := str(choice.get("name"))) in seen:
            form.fault(
                (*at, "name"),
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS",
                "Choice name already exists",
            )
        seen.add(shown)
    if kind == STRING:
        form.number((*path, "min_length"), option.get("min_length"), least=0, most=6000)
        form.number((*path, "max_length"), option.get("max_length"), least=1, most=6000)


def _characters(thing: JSON) -> int:
    value = thing.get("value")
    inside = [*(thing.get("options") or ()), *(thing.get("choices") or ())]
    own = (
        _longest(thing, "name")
        + _longest(thing, "description")
        + len(value if isinstance(value, str) else "")
    )
    return own + sum(_characters(each) for each in inside)


def _longest(thing: JSON, field: str) -> int:
    texts = [thing.get(field), *dict(thing.get(f"{field}_localizations") or {}).values()]
    return max(len(text) if isinstance(text, str) else 0 for text in texts)
