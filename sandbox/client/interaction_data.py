"""The `data` that Discord's client sends for a command, a component or a modal, and its limits.

A choice that the client would not allow raises `NotOfferedError` before anything is sent; the server's
refusals are in `validation` and `rest`.
"""

from collections.abc import Callable, Mapping, Sequence

from sandbox.model.channels import Channel, Message
from sandbox.model.components import SELECTS, ComponentType, walk
from sandbox.model.interactions import MESSAGE_COMMAND, USER_COMMAND, context_of, installations
from sandbox.model.json_types import JSON
from sandbox.model.media import content_type
from sandbox.model.permissions import Permission
from sandbox.model.users import User
from sandbox.model.world import World

CHAT_INPUT = 1
_SUB_COMMANDS = (1, 2)
_FALLBACKS = {"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}
"""The fallback for a missing locale, from the documentation of application commands."""
_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _ROLE, _MENTIONABLE, _NUMBER = 3, 4, 5, 6, 7, 8, 9, 10


class NotOfferedError(Exception):
    """Discord's client does not offer this action to this person at the moment."""


def offered_commands(world: World, user: User, channel: Channel) -> list[JSON]:
    """The commands that a person is offered after typing a slash in a channel."""
    held = world.permissions(user, channel)
    if Permission.USE_APPLICATION_COMMANDS not in held:
        return []
    return [
        command
        for command in world.available_commands(channel)
        if _is_offered(command, held, channel) and installations(world, user, channel, command)
    ]


def localized(thing: JSON, field: str, locale: str) -> str:
    """The name or description of a command, option or choice as a client with this locale shows it."""
    texts = thing.get(f"{field}_localizations") or {}
    for key in (locale, _FALLBACKS.get(locale)):
        if key in texts:
            return str(texts[key])
    return str(thing.get(field) or "")


def menu(commands: Sequence[JSON], locale: str) -> dict[str, str]:
    """Full name and description of each slash command, as a client with this locale lists them."""
    listed: dict[str, str] = {}
    for command in commands:
        if command["type"] == CHAT_INPUT:
            listed |= _listed(command, "", locale)
    return listed


def user_command_data(world: World, user: User, channel: Channel, name: str, target: User) -> JSON:
    """The data of a command that is used on a person."""
    command = _on(world, user, channel, name, USER_COMMAND)
    resolved: JSON = {}
    key = _resolve(world, channel, _USER, target.id, resolved)
    return _used_on(command, key, resolved)


def message_command_data(world: World, user: User, channel: Channel, name: str, message: Message) -> JSON:
    """The data of a command that is used on a message."""
    command = _on(world, user, channel, name, MESSAGE_COMMAND)
    return _used_on(command, message.id, {"messages": {message.id: message.payload()}})


def command_data(
    world: World, user: User, channel: Channel, name: str, options: Mapping[str, object]
) -> JSON:
    """The data of a command with these options."""
    command, branches, leaf = _find(offered_commands(world, user, channel), name, user.locale)
    known = {option["name"]: option for option in leaf.get("options") or ()}
    if unknown := options.keys() - known.keys():
        raise NotOfferedError(f"/{name} has no option {', '.join(sorted(unknown))}")
    for option in known.values():
        if option.get("required") and options.get(option["name"]) is None:
            raise NotOfferedError(f"/{name} needs the option {option['name']}")
    resolved: JSON = {}
    given = [
        {
            "name": key,
            "type": known[key]["type"],
            "value": _value(world, channel, known[key], value, resolved),
        }
        for key, value in options.items()
        if value is not None
    ]
    return _nested(command, branches, given) | ({"resolved": resolved} if resolved else {})


def autocomplete_data(
    world: World,
    user: User,
    channel: Channel,
    name: str,
    *,
    option: str,
    typed: str,
    others: Mapping[str, object],
) -> JSON:
    """The data of an autocomplete interaction, sent while a person types into an option."""
    command, branches, leaf = _find(offered_commands(world, user, channel), name, user.locale)
    known = {each["name"]: each for each in leaf.get("options") or ()}
    if not known.get(option, {}).get("autocomplete"):
        raise NotOfferedError(f"/{name} suggests nothing for {option}")
    resolved: JSON = {}
    given = [
        {
            "name": key,
            "type": known[key]["type"],
            "value": _value(world, channel, known[key], value, resolved),
        }
        for key, value in others.items()
    ]
    given.append({"name": option, "type": known[option]["type"], "value": typed, "focused": True})
    return _nested(command, branches, given)


def chosen_data(world: World, channel: Channel, component: JSON, values: Sequence[object]) -> JSON:
    """The data of a select with the chosen `values`."""
    low, high = component.get("min_values", 1), component.get("max_values", 1)
    if not low <= len(values) <= high:
        raise NotOfferedError(f"{component['custom_id']} takes {low} to {high} values, not {len(values)}")
    if len(set(values)) != len(values):
        raise NotOfferedError("an option can be chosen only once")
    data: JSON = {
        "custom_id": component["custom_id"],
        "component_type": component["type"],
        "id": component["id"],
    }
    if component["type"] == ComponentType.STRING_SELECT:
        offered = [option["value"] for option in component["options"]]
        if missing := [value for value in values if value not in offered]:
            raise NotOfferedError(f"{component['custom_id']} does not offer {missing}; it offers {offered}")
        return data | {"values": list(values)}
    resolved: JSON = {}
    kinds = {5: _USER, 6: _ROLE, 7: _MENTIONABLE, 8: _CHANNEL}
    chosen = [_resolve(world, channel, kinds[component["type"]], value, resolved) for value in values]
    return data | {"values": chosen, "resolved": resolved}


def submitted_components(
    world: World, channel: Channel, components: Sequence[JSON], given: Mapping[str, object]
) -> tuple[list[JSON], JSON]:
    """The components of a submitted modal, and the resolved data of its selects."""
    fields = {each["custom_id"]: each for each in walk(components) if "custom_id" in each}
    if unknown := given.keys() - fields.keys():
        raise NotOfferedError(
            f"the modal has no field {', '.join(sorted(unknown))}; it has {', '.join(sorted(fields))}"
        )
    resolved: JSON = {}
    numbers = iter(range(1, 1000))
    here = (world, channel)
    return [_submitted(here, each, given, resolved, numbers.__next__) for each in components], resolved


def _is_offered(command: JSON, held: Permission, channel: Channel) -> bool:
    needed = command.get("default_member_permissions")
    contexts = command.get("contexts")
    if contexts is None:  # the default has no direct messages between people (#7108)
        contexts = [0, 1] if command.get("dm_permission", True) else [0]
    if context_of(channel) not in contexts:
        return False
    if channel.guild_id is None or needed is None or Permission.ADMINISTRATOR in held:
        return True
    wanted = int(needed)
    return wanted != 0 and int(held) & wanted == wanted


def _on(world: World, user: User, channel: Channel, name: str, kind: int) -> JSON:
    """The command of a context menu, of people or of messages."""
    commands = offered_commands(world, user, channel)
    offered = [each for each in commands if each["type"] == kind]
    command = next((each for each in offered if _is_called(each, name, user.locale)), None)
    if command is None:
        names = [localized(each, "name", user.locale) for each in offered]
        whom = "people" if kind == USER_COMMAND else "messages"
        raise NotOfferedError(f"there is no command {name!r} for {whom} here; there is {names}")
    return command


def _used_on(command: JSON, target: str, resolved: JSON) -> JSON:
    """The data of a command that is used on the target."""
    data: JSON = {
        "id": command["id"],
        "name": command["name"],
        "type": command["type"],
        "target_id": target,
        "resolved": resolved,
    }
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return data


def _is_called(thing: JSON, name: str, locale: str) -> bool:
    """True if this is the default name of a command or option, or the one in this locale."""
    return name in (thing["name"], localized(thing, "name", locale))


def _listed(thing: JSON, before: str, locale: str) -> dict[str, str]:
    name = f"{before} {localized(thing, 'name', locale)}".strip()
    below = [option for option in thing.get("options") or () if option["type"] in _SUB_COMMANDS]
    if not below:
        return {name: localized(thing, "description", locale)}
    return {key: text for option in below for key, text in _listed(option, name, locale).items()}


def _find(commands: Sequence[JSON], name: str, locale: str) -> tuple[JSON, list[JSON], JSON]:
    """The command, its groups and sub-commands by name, and the innermost, which has the options.

    Each part of the name may be the default one or the one in this locale.
    """
    first, *rest = name.removeprefix("/").split()
    slash = [each for each in commands if each["type"] == CHAT_INPUT]
    command = next((each for each in slash if _is_called(each, first, locale)), None)
    if command is None:
        raise NotOfferedError(f"there is no command /{first} here")
    branches: list[JSON] = []
    leaf = command
    for step in rest:
        below = [option for option in leaf.get("options") or () if option["type"] in _SUB_COMMANDS]
        leaf = next((option for option in below if _is_called(option, step, locale)), {})
        if not leaf:
            raise NotOfferedError(
                f"/{name} is no command; there is {', '.join(option['name'] for option in below)}"
            )
        branches.append(leaf)
    if any(option["type"] in _SUB_COMMANDS for option in leaf.get("options") or ()):
        raise NotOfferedError(f"/{name} is not complete: one of its sub-commands must be chosen")
    return command, branches, leaf


def _nested(command: JSON, branches: Sequence[JSON], given: list[JSON]) -> JSON:
    options = given
    for branch in reversed(branches):
        options = [{"name": branch["name"], "type": branch["type"], "options": options}]
    data: JSON = {"id": command["id"], "name": command["name"], "type": 1, "options": options}
    if "guild_id" in command:
        data["guild_id"] = command["guild_id"]
    return data


def _value(world: World, channel: Channel, option: JSON, value: object, resolved: JSON) -> object:
    kind, name = option["type"], option["name"]
    if kind in (_USER, _CHANNEL, _ROLE, _MENTIONABLE):
        return _resolve(world, channel, kind, value, resolved)
    types: dict[int, type | tuple[type, ...]] = {
        _STRING: str,
        _INTEGER: int,
        _BOOLEAN: bool,
        _NUMBER: (int, float),
    }
    if (
        kind not in types
        or not isinstance(value, types[kind])
        or (kind in (4, 10) and isinstance(value, bool))
    ):
        raise NotOfferedError(f"{value!r} does not fit the option {name}")
    choices = option.get("choices") or []
    if choices and value not in [choice["value"] for choice in choices]:
        raise NotOfferedError(f"{name} offers {[choice['value'] for choice in choices]}, not {value!r}")
    size = len(value) if isinstance(value, str) else value
    low, high = ("min_length", "max_length") if kind == _STRING else ("min_value", "max_value")
    if isinstance(size, int | float) and not option.get(low, size) <= size <= option.get(high, size):
        raise NotOfferedError(f"{name} takes {option.get(low)} to {option.get(high)}, not {size}")
    return value


def _resolve(world: World, channel: Channel, kind: int, value: object, resolved: JSON) -> str:
    """The id of a user, role or channel, as it is known in `channel`; its object is added to `resolved`."""
    guild = None if channel.guild_id is None else world.guild_of(channel)
    key = value if isinstance(value, str) else str(getattr(value, "id", value))
    if kind in (_USER, _MENTIONABLE) and (user := world.users.get(key)) is not None:
        resolved.setdefault("users", {})[key] = user.payload()
        if guild is not None and (member := guild.members.get(key)) is not None:
            permissions = {"permissions": str(int(guild.roles[guild.id].permissions))}
            resolved.setdefault("members", {})[key] = member.payload(with_user=False) | permissions
    elif kind in (_ROLE, _MENTIONABLE) and guild is not None and (role := guild.roles.get(key)) is not None:
        resolved.setdefault("roles", {})[key] = role.payload()
    elif kind == _CHANNEL and (found := world.channel(key)) is not None:
        resolved.setdefault("channels", {})[key] = found.payload() | {"permissions": "0"}
    else:
        raise NotOfferedError(f"there is nothing called {value!r} to choose")
    return key


def _submitted(
    here: tuple[World, Channel],
    component: JSON,
    given: Mapping[str, object],
    resolved: JSON,
    number: Callable[[], int],
) -> JSON:
    kind = component["type"]
    sent: JSON = {"type": kind, "id": component.get("id") or number()}
    if kind == ComponentType.ACTION_ROW:
        return sent | {
            "components": [
                _submitted(here, each, given, resolved, number) for each in component["components"]
            ]
        }
    if kind == ComponentType.LABEL:
        return sent | {"component": _submitted(here, component["component"], given, resolved, number)}
    if kind == ComponentType.TEXT_DISPLAY:
        return sent
    sent["custom_id"] = component["custom_id"]
    if kind == ComponentType.TEXT_INPUT:
        return sent | {"value": _typed(component, given)}
    if kind in SELECTS:
        return sent | {"values": _picked(here, component, given, resolved)}
    if kind == ComponentType.FILE_UPLOAD:
        return sent | {"values": _uploaded(here, component, given, resolved)}
    return _ticked(component, given, sent)


def _typed(component: JSON, given: Mapping[str, object]) -> str:
    key = component["custom_id"]
    text = str(given.get(key, component.get("value") or ""))
    needed = component.get("required", True) is not False
    low = component.get("min_length") or 0
    high = component.get("max_length") or 4000
    if not text and not needed:
        return text
    if not max(low, int(needed)) <= len(text) <= high:
        raise NotOfferedError(f"{key} takes {low} to {high} characters, not {len(text)}")
    return text


def _picked(
    here: tuple[World, Channel], component: JSON, given: Mapping[str, object], resolved: JSON
) -> list[str]:
    key = component["custom_id"]
    preset = [option["value"] for option in component.get("options") or () if option.get("default")]
    values = given.get(key, preset)
    listed = [values] if isinstance(values, str) else list(values) if isinstance(values, list | tuple) else []
    if not listed and component.get("required") is False:
        return []
    data = chosen_data(*here, {"id": 0} | component, listed)
    for kind, found in data.get("resolved", {}).items():
        resolved.setdefault(kind, {}).update(found)
    return [str(value) for value in data["values"]]


def _uploaded(
    here: tuple[World, Channel], component: JSON, given: Mapping[str, object], resolved: JSON
) -> list[str]:
    """The ids of the uploaded files, which are given as their bytes by name."""
    key, world = component["custom_id"], here[0]
    files = given.get(key)
    files = files if isinstance(files, Mapping) else {}
    if not files and component.get("required") is False:
        return []
    low, high = component.get("min_values"), component.get("max_values") or 1
    least = 1 if low is None else low
    if not least <= len(files) <= high:
        raise NotOfferedError(f"{key} takes {least} to {high} files, not {len(files)}")
    types = component.get("file_types") or ()
    if types and (wrong := [name for name in files if not _is_of(name, types)]):
        raise NotOfferedError(f"{key} takes files of {types}, not {wrong}")
    stored = [world.add_file(here[1], name, content) for name, content in files.items()]
    found = {file.id: file.payload(ephemeral=True) for file in stored}
    resolved.setdefault("attachments", {}).update(found)
    return list(found)


def _is_of(filename: str, types: Sequence[str]) -> bool:
    """True for a file whose extension is listed, or belongs to a listed kind such as `image`."""
    kind = content_type(filename).partition("/")[0]
    return any(filename.lower().endswith(each.lower()) if "." in each else each == kind for each in types)


def _ticked(component: JSON, given: Mapping[str, object], sent: JSON) -> JSON:
    """The value of a radio group, a checkbox group or a single checkbox."""
    key, kind = component["custom_id"], component["type"]
    offered = [option["value"] for option in component.get("options") or ()]
    preset = [option["value"] for option in component.get("options") or () if option.get("default")]
    if kind == ComponentType.CHECKBOX:
        return sent | {"value": bool(given.get(key, component.get("default")))}
    if kind == ComponentType.RADIO_GROUP:
        value = given.get(key, preset[0] if preset else None)
        if value is None and component.get("required", True):
            raise NotOfferedError(f"{key} needs one of {offered}")
        if value is not None and value not in offered:
            raise NotOfferedError(f"{key} offers {offered}, not {value!r}")
        return sent | {"value": value}
    if kind == ComponentType.CHECKBOX_GROUP:
        chosen = given.get(key, preset)
        values = list(chosen) if isinstance(chosen, list | tuple) else []
        if any(each not in offered for each in values):
            raise NotOfferedError(f"{key} offers {offered}, not {values}")
        low, high = component.get("min_values"), component.get("max_values")
        least, most = 1 if low is None else low, high or len(offered)
        if (values or component.get("required", True)) and not least <= len(values) <= most:
            raise NotOfferedError(f"{key} takes {least} to {most} options, not {len(values)}")
        return sent | {"values": values}
    raise NotOfferedError(f"the sandbox cannot fill in a component of type {kind}")
