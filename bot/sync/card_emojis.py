"""The pack as emojis of the bot's own application, uploaded by the bot itself and kept up to date.

The emojis belong to the application, not to a server: they need no permission there, and 2,000 are
allowed. Each is named after its card in words, `five_of_hearts`, because a screen reader reads the name
out. Names are unique in an application, and two editions of the drawing must stand side by side until the
later one is whole; so the edition is told by underscores at the end of the name, which nobody hears:
none in edition 2, one in edition 3. Edition 1 had names such as `card_5H_1`. When the present edition is all
there, every other is taken away. Emojis with any other name are left alone. Nothing here knows a table or
a player.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, TypeAlias

import aiohttp
import discord

from bot.render.pictures.cards import EDITION, draw_back, draw_card
from engine import PACK

BACK: Final = "back"
"""The key of a card face down; the other keys are cards in notation."""

PICTURES: Final[dict[str, Callable[[], bytes]]] = {
    **{str(each): partial(draw_card, each) for each in PACK},
    BACK: draw_back,
}
"""What to draw for each key."""

_Pack: TypeAlias = dict[str, discord.Emoji]

_WORDS: Final[dict[str, str]] = {
    **{str(each): f"{each.rank.name}_of_{each.suit.name}".lower() for each in PACK},
    BACK: "face_down",
}
"""What each key is called."""

_KEYS: Final = {words: key for key, words in _WORDS.items()}

_IN_WORDS: Final = 2
"""The first edition whose emojis are named in words."""

_NAME: Final = re.compile(rf"(?P<words>{'|'.join(_KEYS)})(?P<editions>_*)")
_IN_CODE: Final = re.compile(r"card_(?P<key>[A2-9TJQK][CDHS]|back)_(?P<edition>[1-9][0-9]{0,3})")

_TROUBLE: Final = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Network errors: a refusal, a rate limit, a lost connection, a timeout."""

_log: Final = logging.getLogger(__name__)


def emoji_name(key: str, edition: int = EDITION) -> str:
    """What the emoji of a card or the back is called in an edition, at most 32 characters."""
    return _WORDS[key] + "_" * (edition - _IN_WORDS)


async def card_emojis(
    client: discord.Client, *, pause: float = 1.0, may_change: bool = True
) -> dict[str, str]:
    """The emoji of each card, `5H` to `<:five_of_hearts:123>`, and of its `back`: all 53, or none.

    Uploads what is missing and so may take minutes, or hours when Discord asks for patience: run it
    in a task after login and cancel the task to stop. `pause` is the number of seconds between two
    requests; Discord counts emojis by quotas that its answers do not announce. A process that may not
    change anything takes what another has sent.

    It is all or none because a hand that is half pictures and half text reads as two kinds of card.
    If the present edition cannot be finished, a whole pack of another edition serves; without one
    the result is empty and cards stay text. Trouble with Discord is logged in one line and never
    raised: uploading stops there, and the next start carries on from what has arrived.
    """
    try:
        packs = _packs(await client.fetch_application_emojis())
    except _TROUBLE as error:
        _log.warning("Cards are text until the next start: their emojis could not be listed (%r)", error)
        return {}

    ours = packs.pop(EDITION, {})
    if may_change:
        await _upload_missing(client, ours, pause=pause)
    if _is_whole(ours):
        if may_change:
            await _take_away(packs.values(), pause=pause)
        return _texts(ours)

    whole = [edition for edition, pack in packs.items() if _is_whole(pack)]
    return _texts(packs[max(whole)]) if whole else {}


def _packs(emojis: Iterable[discord.Emoji]) -> dict[int, _Pack]:
    """Our emojis among all of the application's, by edition and key.

    Editions named in code count below zero, so that they are older than all others and never mixed with one.
    """
    packs: defaultdict[int, _Pack] = defaultdict(dict)
    for emoji in emojis:
        if found := _NAME.fullmatch(emoji.name):
            packs[_IN_WORDS + len(found["editions"])][_KEYS[found["words"]]] = emoji
        elif found := _IN_CODE.fullmatch(emoji.name):
            packs[-int(found["edition"])][found["key"]] = emoji
    return dict(packs)


async def _upload_missing(client: discord.Client, pack: _Pack, *, pause: float) -> None:
    """Add to `pack` what it lacks, in order; leave off at the first trouble."""
    missing = [key for key in PICTURES if key not in pack]
    if not missing:
        return

    _log.info("Uploading %d pictures of cards", len(missing))
    try:
        for key in missing:
            # A drawing takes some milliseconds, during which other people's presses are answered.
            picture = await asyncio.to_thread(PICTURES[key])
            pack[key] = await client.create_application_emoji(name=emoji_name(key), image=picture)
            await asyncio.sleep(pause)
    except _TROUBLE as error:
        # Trying the others at once would only add to the refusals that Discord counts against the bot.
        counts = (len(pack), len(PICTURES))
        _log.warning("Only %d of %d cards have their picture until the next start (%r)", *counts, error)


async def _take_away(packs: Iterable[_Pack], *, pause: float) -> None:
    """Delete the emojis of other editions; what is left over goes at the next start."""
    old = [emoji for pack in packs for emoji in pack.values()]
    try:
        for emoji in old:
            await emoji.delete()
            await asyncio.sleep(pause)
    except _TROUBLE as error:
        _log.warning("Old pictures of cards are left until the next start (%r)", error)


def _is_whole(pack: _Pack) -> bool:
    return pack.keys() == PICTURES.keys()


def _texts(pack: _Pack) -> dict[str, str]:
    """What to write in a message, in the order of the pack."""
    return {key: str(pack[key]) for key in PICTURES}
