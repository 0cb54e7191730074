"""Users, roles and members of the guild, with their payloads."""

from dataclasses import dataclass

from sandbox.model.json_types import JSON
from sandbox.model.permissions import Permission
from sandbox.model.snowflakes import iso

# fmt: off
LOCALES = frozenset({
    "id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt",
    "hu", "nl", "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs",
    "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko",
})
# fmt: on
"""The languages of Discord's client, as the API reference lists them."""


@dataclass(slots=True, eq=False)
class User:
    """An account: a person, the bot, or the sandbox's own system user."""

    id: str
    username: str
    global_name: str | None
    color: str = "#5865f2"
    """The colour of the avatar on the page; not a field of Discord's."""

    bot: bool = False
    system: bool = False
    dms_open: bool = True
    locale: str = "en-US"
    """The language that they have chosen in Discord's client."""

    def payload(self) -> JSON:
        """The user object of Discord's API."""
        user: JSON = {
            "id": self.id,
            "username": self.username,
            "discriminator": "0",
            "global_name": self.global_name,
            "avatar": None,
            "avatar_decoration_data": None,
            "banner": None,
            "accent_color": None,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }
        if self.bot:
            user["bot"] = True
        if self.system:
            user["system"] = True
        return user

    @property
    def mention(self) -> str:
        """The mention of this user in a message's text."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False)
class Role:
    """A role with its permissions."""

    id: str
    name: str
    permissions: Permission
    position: int
    managed_by: str | None = None
    """The id of the bot whose managed role this is."""

    def payload(self) -> JSON:
        """The role object of Discord's API."""
        role: JSON = {
            "id": self.id,
            "name": self.name,
            "permissions": str(int(self.permissions)),
            "position": self.position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": self.managed_by is not None,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }
        if self.managed_by is not None:
            role["tags"] = {"bot_id": self.managed_by}
        return role


@dataclass(slots=True, eq=False)
class Member:
    """A user's membership of the guild."""

    user: User
    roles: list[str]
    joined_at: float
    nick: str | None = None
    timed_out_until: float | None = None
    """The end (s since 1970) of a timeout, which may be over."""

    def payload(self, *, with_user: bool = True) -> JSON:
        """The guild member object of Discord's API; inside a message it is without the user."""
        member: JSON = {
            "avatar": None,
            "banner": None,
            "communication_disabled_until": None
            if self.timed_out_until is None
            else iso(self.timed_out_until),
            "flags": 0,
            "joined_at": iso(self.joined_at),
            "nick": self.nick,
            "pending": False,
            "premium_since": None,
            "roles": list(self.roles),
            "mute": False,
            "deaf": False,
        }
        return member | {"user": self.user.payload()} if with_user else member
