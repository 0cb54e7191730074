"""Everything that the sandbox assumes about Discord without documentation to support it.

Each entry is used by the code that it concerns, so an assumption that turns out wrong is corrected here. What
is documented (limits of components, error codes, deadlines) is not repeated in this file.
"""

from collections.abc import Mapping
from typing import Final

COMPONENT_REPLY_TYPE: Final = 19
"""A new message that answers a component or a modal opened by one is a reply to that component's message."""

COMMAND_REPLY_TYPE: Final = 20
"""A message that answers a slash command has the type CHAT_INPUT_COMMAND, also after a deferral."""

FOLLOW_UP_FILLS_DEFERRAL: Final = True
"""The first follow-up after a type 5 deferral becomes the deferred message and takes its ephemeral flag."""

ANSWERS_NEED_SEND_MESSAGES: Final[bool] = False
"""Responses and follow-ups to interactions are not checked against the bot's permissions in the channel."""

REMOVED_BOT_HEARS_OF_PRESSES: Final[bool] = False
"""A bot that was removed from a guild no longer receives presses on the messages that it left there."""

EPHEMERALS_ON_GATEWAY: Final = False
"""Ephemeral messages of the bot are not dispatched to its own gateway connection."""

DM_CHANNEL_OPENS_WHEN_CLOSED: Final = True
"""A DM channel with somebody who accepts no DMs can be opened; only sending into it fails with 50007."""

V2_MEDIA_NEEDS_EMBED_LINKS: Final = False
"""Components V2 with uploaded media need Attach Files but not Embed Links."""

RETAINED_ATTACHMENTS_CAN_BE_REFERENCED: Final = True
"""`attachment://name` in an edit may name a file that the message already has and keeps."""

OLD_MESSAGE_AGE: Final = 3600.0
"""Seconds after which edits of a message are counted separately (error 30046)."""

OLD_EDITS: Final = 3
"""Edits of messages older than an hour that a channel allows in `OLD_EDITS_PERIOD`; not published."""

OLD_EDITS_PERIOD: Final = 60.0
"""The period of `OLD_EDITS`, in seconds."""

OLD_EDITS_RETRY_AFTER: Final = 20.0
"""30046 arrives as a 429 with a `retry_after` of this order."""

USUAL_LIMIT: Final = (50, 1.0)
"""Requests and seconds of the bucket of a route that is not in `ROUTE_LIMITS`."""

ROUTE_LIMITS: Final[Mapping[str, tuple[int, float]]] = {
    "POST /channels/{channel_id}/messages": (5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": (5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": (5, 1.0),
    "POST /channels/{channel_id}/typing": (5, 5.0),
    "POST /users/@me/channels": (10, 10.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": (5, 2.0),
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": (5, 2.0),
}
"""Requests and seconds by method and route, as observed in the rate limit headers of Discord's responses."""

DM_OPENINGS: Final = 10
"""New DM channels that may be opened within `DM_OPENINGS_PERIOD` before error 40003."""

DM_OPENINGS_PERIOD: Final = 600.0
"""The period of `DM_OPENINGS`, in seconds."""

REPLAYED_EVENTS: Final = 1000
"""Events that a gateway session keeps for a RESUME."""

RESUME_WINDOW: Final = 180.0
"""Seconds for which a session without a connection can be resumed."""

NONCE_MEMORY: Final = 300.0
"""Seconds for which `enforce_nonce` finds the first message with a nonce ("the past few minutes")."""

EMOJI_NAME_TAKEN: Final = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
"""The code inside 50035 when two application emojis would have the same name."""

LEGACY_FIELDS_WITH_V2: Final = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
"""The code inside 50035 when content, embeds, a poll or stickers meet Components V2."""

TOO_MANY_COMPONENTS: Final = "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"
"""The code inside 50035 when a message has more than 40 components, nested ones counted."""

TOO_MUCH_TEXT: Final = "COMPONENT_MAX_TEXT_SIZE_EXCEEDED"
"""The code inside 50035 when the text displays of a message exceed 4,000 characters together."""

DUPLICATE_CUSTOM_ID: Final = "COMPONENT_CUSTOM_ID_DUPLICATED"
"""The code inside 50035 when two components of a message share a custom_id."""

DUPLICATE_COMPONENT_ID: Final = "COMPONENT_ID_DUPLICATED"
"""The code inside 50035 when two components of a message share a numeric id."""

ATTACHMENT_NOT_FOUND: Final = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
"""The code inside 50035 when `attachment://name` names no file of the message."""

MISSING_REPLY_CODE: Final = "CALLBACK_TYPE_INVALID"
"""The code inside 50035 when an interaction cannot be answered with the given callback type."""

NETWORK_DELAY = 0.05
"""The least latency of a heartbeat's acknowledgement in seconds, as over a real network."""
