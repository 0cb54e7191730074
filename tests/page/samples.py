"""Messages, components and commands as Discord's JSON."""

from typing import Any

JSON = dict[str, Any]

CRIBBAGE, GENERAL, DIRECT, GUILD, BOT_ID = "201", "202", "203", "200", "100"
ADA, BEN, CLEO, DAN = "101", "102", "103", "104"
V2, EPHEMERAL = 1 << 15, 1 << 6


def user(user_id: str, name: str, color: str) -> JSON:
    return {"id": user_id, "username": name.lower(), "global_name": name, "avatar": None, "color": color}


PEOPLE = [
    user(ADA, "Ada", "#c94f3d"),
    user(BEN, "Ben", "#3b78c4"),
    user(CLEO, "Cleo", "#8a58c0"),
    user(DAN, "Dan", "#2f8f5b"),
]
BOT = user(BOT_ID, "Fifteen Two", "#1f7a54") | {"bot": True}


def message(
    number: int, content: str = "", *, author: JSON = BOT, channel: str = CRIBBAGE, **more: Any
) -> JSON:
    plain: JSON = {
        "id": str(1000 + number),
        "channel_id": channel,
        "author": author,
        "content": content,
        "embeds": [],
        "components": [],
        "attachments": [],
        "mentions": [],
        "flags": 0,
        "timestamp": f"2026-03-01T12:{number:02}:00+00:00",
        "edited_timestamp": None,
    }
    return plain | more


def attached(description: str) -> JSON:
    """A picture of a message."""
    place = {"id": "7", "filename": "a.png", "url": "/cdn/a.png", "content_type": "image/png"}
    return place | {"description": description, "width": 10, "height": 10}


def layout(number: int, *components: JSON, **more: Any) -> JSON:
    return message(number, components=list(components), **({"flags": V2} | more))


def button(custom_id: str, label: str, *, style: int = 2, **more: Any) -> JSON:
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id, **more}


def row(*components: JSON) -> JSON:
    return {"type": 1, "components": list(components)}


def words(content: str) -> JSON:
    return {"type": 10, "content": content}


def select(custom_id: str, *labels: str, **more: Any) -> JSON:
    options = [{"label": label, "value": label.lower()} for label in labels]
    return {"type": 3, "custom_id": custom_id, "options": options, "min_values": 1, "max_values": 1, **more}


def option(kind: int, name: str, description: str, **more: Any) -> JSON:
    return {"type": kind, "name": name, "description": description, **more}


COMMAND_ID = "301"
COMMANDS = [
    {
        "id": COMMAND_ID,
        "type": 1,
        "name": "crib",
        "description": "Cribbage",
        "options": [
            option(
                1,
                "new",
                "Start a game",
                options=[
                    option(4, "players", "How many play", min_value=2, max_value=4),
                    option(
                        3,
                        "rules",
                        "Which rules",
                        choices=[
                            {"name": "Standard", "value": "standard"},
                            {"name": "Five card", "value": "five"},
                        ],
                    ),
                    option(6, "partner", "Who plays with you"),
                    option(5, "muggins", "Claim what others miss"),
                ],
            ),
            option(1, "table", "Show the table again"),
            option(
                1,
                "play",
                "Play a card",
                options=[option(3, "card", "Which card", required=True, autocomplete=True)],
            ),
        ],
    }
]


def ready() -> JSON:
    """A guild with a welcome message, a quiet channel, and an open DM."""
    return {
        "people": PEOPLE,
        "bot": BOT,
        "bot_online": True,
        "guild": {"id": GUILD, "name": "The Crib Room"},
        "emoji_in_headings": "large",
        "channels": [
            {"id": CRIBBAGE, "type": 0, "name": "cribbage", "position": 0},
            {"id": GENERAL, "type": 0, "name": "general", "position": 1},
        ],
        "dms": [{"id": DIRECT, "type": 1, "recipients": [BOT]}],
        "messages": {CRIBBAGE: [message(0, "Welcome to the room.")], GENERAL: [], DIRECT: []},
        "commands": COMMANDS,
        "dms_open": True,
        "permissions": {},
    }
