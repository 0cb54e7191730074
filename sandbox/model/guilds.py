"""Guilds and the application's emojis, with their payloads."""

from dataclasses import dataclass, field

from sandbox.model.channels import Channel
from sandbox.model.json_types import JSON
from sandbox.model.users import Member, Role, User


@dataclass(slots=True, eq=False)
class Guild:
    """A Discord server, as people call it."""

    id: str
    name: str
    owner_id: str
    roles: dict[str, Role] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    """Its channels and threads, by id."""

    viewed: set[str] = field(default_factory=set)
    """Ids of the channels, without threads, that the bot may view as far as it was told."""

    system_channel_id: str | None = None
    """The channel in which Discord welcomes members, if one is chosen."""

    commands: dict[str, JSON] = field(default_factory=dict)
    """The application's commands for this guild alone, by id."""

    has_bare_commands: bool = False
    """True if the application was added with `applications.commands` alone, without its bot."""

    preferred_locale: str = "en-US"
    """Its language; only Community servers can choose one, all others have American English."""

    @property
    def features(self) -> list[str]:
        """Its features, as far as they follow from its state."""
        return [] if self.preferred_locale == "en-US" else ["COMMUNITY"]

    def payload(self) -> JSON:
        """The guild object of `GET /guilds/{id}`."""
        nothing = (
            "icon description home_header splash discovery_splash banner application_id afk_channel_id "
            "widget_channel_id max_presences vanity_url_code rules_channel_id "
            "safety_alerts_channel_id public_updates_channel_id incidents_data"
        )
        return dict.fromkeys(nothing.split()) | {
            "id": self.id,
            "name": self.name,
            "owner_id": self.owner_id,
            "features": self.features,
            "region": "us-west",
            "afk_timeout": 300,
            "system_channel_id": self.system_channel_id,
            "system_channel_flags": 0,
            "widget_enabled": False,
            "verification_level": 1,
            "roles": [role.payload() for role in self.roles.values()],
            "default_message_notifications": 1,
            "mfa_level": 0,
            "explicit_content_filter": 0,
            "max_members": 500_000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "preferred_locale": self.preferred_locale,
            "premium_progress_bar_enabled": False,
            "nsfw": False,
            "nsfw_level": 0,
            "emojis": [],
            "stickers": [],
        }


@dataclass(slots=True, eq=False)
class Emoji:
    """An emoji that belongs to the application."""

    id: str
    name: str
    image: bytes
    content_type: str
    owner: User

    def payload(self) -> JSON:
        """The emoji object of Discord's API."""
        return {
            "id": self.id,
            "name": self.name,
            "user": self.owner.payload(),
            "roles": [],
            "require_colons": True,
            "managed": False,
            "animated": self.content_type == "image/gif",
            "available": True,
        }
