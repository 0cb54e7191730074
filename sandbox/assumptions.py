"""Everything that the sandbox assumes about Discord without documentation to support it.

Each entry is used by the code that it concerns, so an assumption that turns out wrong is corrected here. What
is documented (limits of components, error codes, deadlines) is not repeated in this file. A number such as
#4557 is an issue of github.com/discord/discord-api-docs. Each entry says where it comes from, or that it is a
guess: of two possible behaviours, the one that is harder for a bot.
"""

from collections.abc import Mapping
from typing import Final

COMPONENT_REPLY_TYPE: Final = 19
"""A new message that answers a component or a modal opened by one is a reply to that component's message.

A guess from how Discord's apps show it; the type is REPLY in the API reference.
"""

ANSWERS_NEED_SEND_MESSAGES: Final[bool] = False
"""Responses and follow-ups to interactions need none of the bot's permissions in the channel. From #2343."""

ANSWERS_NEED_ATTACH_FILES: Final[bool] = False
"""Responses and follow-ups may carry files without Attach Files.

From the change log of 29 June 2022, which makes only Mention Everyone, Send TTS Messages and Use External
Emojis count there, and expressly not Attach Files and Embed Links; `app_permissions` tells of both and
refuses nothing.
"""

UPDATE_RESPONSE_KEEPS_FILES: Final[bool] = False
"""A callback of type 7 that leaves `attachments` out keeps the files of its message, as a PATCH does.

From #6277, closed with no word of the outcome, where it was reported not to. The stricter is assumed: a
bot that lists what it keeps, or edits with a PATCH, is right either way.
"""

VOICE_TEXT_NEEDS_CONNECT: Final[bool] = True
"""The chat of a voice or stage channel needs Connect, to read and to write.

From the API reference of Get Channel Messages; that it holds for posting there is a guess.
"""

BARE_COMMANDS_HAVE_EVERYONES_PERMISSIONS: Final[bool] = True
"""`app_permissions` in a guild with the application's commands and without its bot.

They are, of what @everyone has, Attach Files, Embed Links, Mention Everyone and Use External Emojis. From
the API reference. None of them tells that the bot cannot post there.
"""

APP_PERMISSIONS_KNOW_PRIVATE_THREADS: Final[bool] = False
"""`app_permissions` in a private thread show if the bot was added to it.

From the same reading of August 2026: they do not, and posts there are refused.
"""

UNARCHIVED_THREADS_TELL_OF_MEMBERSHIP: Final[bool] = True
"""A THREAD_MEMBER_UPDATE follows the THREAD_UPDATE of a thread that is opened again, for its members.

A guess: THREAD_UPDATE does not say who is a member.
"""

HIDDEN_FIELDS_ARE_NULL: Final[bool] = True
"""A channel that the bot may not view has null in the fields that are hidden; else it lacks them.

A guess: the change log of 12 August 2026 calls them "nulled or reduced". A bot should read either.
"""

REMOVED_BOT_HEARS_OF_PRESSES: Final[bool] = False
"""A bot that was removed from a guild no longer receives presses on the messages that it left there.

A guess: its commands go with it, and no event of the guild reaches it.
"""

APP_PERMISSIONS_TELL_OF_EXTERNAL_APPS: Final[bool] = True
"""`app_permissions` in a guild without the application have Use External Apps, if the asking person has it.

From the change log of 27 June 2024, by which they are right for applications that people install; that this
permission is among them is a guess.
"""

FOLLOW_UPS_BETWEEN_PEOPLE_ARE_PRIVATE: Final[bool] = False
"""Follow-ups in direct messages between people are private, whatever their flag says.

A guess: the API reference counts them, and says nothing of who sees them.
"""

GUILDS_WITHOUT_THE_BOT_HAVE_A_SHARD: Final[bool] = False
"""Interactions of a guild without the bot come on the shard that its id would have.

A guess: no session has that guild, so they come on any.
"""

ANSWERS_BETWEEN_PEOPLE_NOTIFY: Final[bool] = True
"""An application's message in direct messages between people notifies the others, as theirs do. A guess."""

INSTALLATION_NOT_SUPPORTED: Final = "APPLICATION_COMMAND_INSTALLATION_CONTEXT_NOT_SUPPORTED"
"""The code inside 50035 for a command for users' installations while *User Install* is off. A guess."""

EPHEMERALS_ARE_DIRECT_MESSAGES: Final[bool] = True
"""The gateway dispatches the bot's own ephemeral messages as if they were DMs.

From #4557. They come with the DIRECT_MESSAGES intent alone, and without `guild_id` and `member`. That
deletions do not come is a guess.
"""

COMPONENTS_NOTIFY_WITHOUT_A_WORD: Final[bool] = True
"""A message of Components V2, which has no `content`, gives a push notification without text.

From #7854, which says that it can be so; that it always is, is the stricter guess.
"""

EMOJI_GROW_WITH_HEADINGS: Final[bool] = True
"""Custom emoji in a heading of a text display are as large as its text; otherwise as in a line of text.

From Discord's apps as seen in 2026; no document says so. The page draws either.
"""

EPHEMERALS_NOTIFY: Final[bool] = False
"""An ephemeral message gives a push notification; its reader has just pressed something. A guess."""

OWN_ANSWERS_NOTIFY: Final[bool] = False
"""A person's own command, press or modal is answered with a push notification. A guess: they look at it."""

DM_CHANNEL_OPENS_WHEN_CLOSED: Final = True
"""A DM channel with somebody who accepts no DMs can be opened; only sending into it fails with 50007.

From the API reference, which has 50007 ("Cannot send messages to this user") for messages and no error of the
kind for Create DM.
"""

V2_MEDIA_NEEDS_EMBED_LINKS: Final = False
"""Components V2 with uploaded media need Attach Files but not Embed Links.

From Discord's documentation and other bots' issue threads, read in August 2026.
"""

RETAINED_ATTACHMENTS_CAN_BE_REFERENCED: Final = True
"""`attachment://name` in an edit may name a file that the message already has and keeps.

From #8277, of which it follows: a file that components show is listed nowhere else, to be kept by its id.
"""

DROPPED_FILES_MAY_STAY_IN_SIGHT: Final[bool] = False
"""An edit may drop a file that components still show which it leaves as they are. A guess: it is 400."""

ARCHIVED_THREADS_TAKE_PRESSES: Final[bool] = False
"""Buttons, selects and commands reach the bot from an archived thread.

From #8474: the apps on the web and on phones try to unarchive the thread first and fail. The documentation of
threads says that application commands cannot be used there.
"""

OLD_MESSAGE_AGE: Final = 3600.0
"""Seconds after which edits of a message are counted separately.

From the text of error 30046 ("Maximum number of edits to messages older than 1 hour reached").
"""

OLD_EDITS: Final = 3
"""Edits of messages older than an hour that a channel allows in `OLD_EDITS_PERIOD`.

Discord publishes no figures (#4413). From bots' authors: 3 in 20 seconds (circuitsacul/starboard-4 #118), and
3 in 6 by the community's documentation of 2026 (discord-userdoccers #551). The stricter is assumed.
"""

OLD_EDITS_PERIOD: Final = 20.0
"""The period of `OLD_EDITS`, in seconds; from the same."""

OLD_EDITS_RETRY_AFTER: Final = 20.0
"""30046 arrives as a 429 with a `retry_after` of this order. A guess: one whole period."""

USUAL_LIMIT: Final = (50, 1.0)
"""Requests and seconds of the bucket of a route that is not in `ROUTE_LIMITS`. From the global limit."""

ROUTE_LIMITS: Final[Mapping[str, tuple[int, float]]] = {
    "POST /channels/{channel_id}/messages": (5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": (5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": (5, 1.0),
    "POST /channels/{channel_id}/typing": (5, 5.0),
    "POST /users/@me/channels": (10, 10.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": (5, 2.0),
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": (5, 2.0),
}
"""Requests and seconds by method and route. From the rate limit headers of Discord's responses, as seen."""

DM_OPENINGS: Final = 10
"""New DM channels that may be opened within `DM_OPENINGS_PERIOD` before error 40003.

A guess: the API reference warns of opening "a significant amount of DMs too quickly", without figures.
"""

DM_OPENINGS_PERIOD: Final = 600.0
"""The period of `DM_OPENINGS`, in seconds. A guess."""

REPLAYED_EVENTS: Final = 1000
"""Events that a gateway session keeps for a RESUME. A guess."""

RESUME_WINDOW: Final = 180.0
"""Seconds for which a session without a connection can be resumed. A guess."""

NONCE_MEMORY: Final = 300.0
"""Seconds for which `enforce_nonce` finds the first message with a nonce.

From the API reference of Create Message ("the past few minutes"); that these are five is a guess.
"""

EMOJI_NAME_TAKEN: Final = "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"
"""The code inside 50035 when two application emojis would have the same name. A guess."""

LEGACY_FIELDS_WITH_V2: Final = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
"""The code inside 50035 when content, embeds, a poll or stickers meet Components V2.

From the error reports of several bots.
"""

TOO_MANY_COMPONENTS: Final = "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"
"""The code inside 50035 when a message has more than 40 components, nested ones counted.

From the error reports of several bots.
"""

TOO_MUCH_TEXT: Final = "COMPONENT_MAX_TEXT_SIZE_EXCEEDED"
"""The code inside 50035 when the text displays of a message exceed 4,000 characters together. A guess."""

DUPLICATE_CUSTOM_ID: Final = "COMPONENT_CUSTOM_ID_DUPLICATED"
"""The code inside 50035 when two components of a message share a custom_id. From #3673."""

DUPLICATE_COMPONENT_ID: Final = "COMPONENT_ID_DUPLICATED"
"""The code inside 50035 when two components of a message share a numeric id. A guess."""

ATTACHMENT_NOT_FOUND: Final = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
"""The code inside 50035 when `attachment://name` names no file of the message.

From the error reports of several bots.
"""

MISSING_REPLY_CODE: Final = "CALLBACK_TYPE_INVALID"
"""The code inside 50035 when an interaction cannot be answered with the given callback type. A guess."""

ALL_RECOMMENDED_SHARDS_ARE_REQUIRED: Final[bool] = True
"""A session with fewer shards than `GET /gateway/bot` recommends is refused with 4011.

A guess: Discord requires sharding when a shard would have 2,500 guilds, and recommends shards of about 1,000.
"""

NETWORK_DELAY = 0.05
"""The least latency of a heartbeat's acknowledgement in seconds, as over a real network. A guess."""
