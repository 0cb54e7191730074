"""The pack as application emojis: uploads the 53 pictures and deletes old editions.

Application emojis need no permission in a server; Discord allows 2,000. Screen readers read an emoji's name
out, so each is named after its card in words: `five_of_hearts`. Names are unique in an application, and two
editions exist side by side until the newer one is complete, so trailing underscores, which screen readers
skip, number the edition: none in edition 2, one in edition 3. Edition 1 had names such as `card_5H_1`. Once
the current edition is complete, all others are deleted. Emojis with any other name are left alone.
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
"""By key: the function that draws the picture."""

_Pack: TypeAlias = dict[str, discord.Emoji]

_WORDS: Final[dict[str, str]] = {
    **{str(each): f"{each.rank.name}_of_{each.suit.name}".lower() for each in PACK},
    BACK: "face_down",
}
"""By key: the emoji's name without its edition."""

_KEYS: Final = {words: key for key, words in _WORDS.items()}

_IN_WORDS: Final = 2
"""The first edition whose emojis are named in words."""

_NAME: Final = re.compile(rf"(?P<words>{'|'.join(_KEYS)})(?P<editions>_*)")
_IN_CODE: Final = re.compile(r"card_(?P<key>[A2-9TJQK][CDHS]|back)_(?P<edition>[1-9][0-9]{0,3})")

_TROUBLE: Final = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Network errors: a refusal, a rate limit, a lost connection, a timeout."""

_log: Final = logging.getLogger(__name__)


def emoji_name(key: str, edition: int = EDITION) -> str:
    """The name of an emoji in an edition, at most 32 characters (Discord's limit)."""
    return _WORDS[key] + "_" * (edition - _IN_WORDS)


async def card_emojis(
    client: discord.Client, *, pause: float = 1.0, may_change: bool = True
) -> dict[str, str]:
    """By key: the emoji in a message's markup, `<:five_of_hearts:123>`. All 53, or none.

    Uploads the missing emojis, which takes minutes, or hours under Discord's rate limits: run it in a task
    after login, and cancel the task to stop. `pause` is the delay (s) between two requests; Discord's
    responses do not announce the quotas of emojis. With `may_change=False` nothing is uploaded or deleted.

    A partial pack is never used: a hand of pictures and text reads as two kinds of card. If the current
    edition cannot be completed, the newest complete one is used; without one the result is empty, and cards
    are text. Network errors are logged in one line and never raised: the next start continues the upload.
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
            await _delete_old(packs.values(), pause=pause)
        return _texts(ours)

    whole = [edition for edition, pack in packs.items() if _is_whole(pack)]
    return _texts(packs[max(whole)]) if whole else {}


def _packs(emojis: Iterable[discord.Emoji]) -> dict[int, _Pack]:
    """The packs among the application's emojis, by edition.

    Editions with names in code have negative numbers: older than all others, and never mixed with one.
    """
    packs: defaultdict[int, _Pack] = defaultdict(dict)
    for emoji in emojis:
        if found := _NAME.fullmatch(emoji.name):
            packs[_IN_WORDS + len(found["editions"])][_KEYS[found["words"]]] = emoji
        elif found := _IN_CODE.fullmatch(emoji.name):
            packs[-int(found["edition"])][found["key"]] = emoji
    return dict(packs)


async def _upload_missing(client: discord.Client, pack: _Pack, *, pause: float) -> None:
    """Upload the emojis that `pack` lacks, in order, and add them to it; stop at the first network error."""
    missing = [key for key in PICTURES if key not in pack]
    if not missing:
        return

    _log.info("Uploading %d pictures of cards", len(missing))
    try:
        for key in missing:
            # Drawing takes milliseconds, so it does not run in the event loop.
            picture = await asyncio.to_thread(PICTURES[key])
            pack[key] = await client.create_application_emoji(name=emoji_name(key), image=picture)
            await asyncio.sleep(pause)
    except _TROUBLE as error:
        # Every further refusal would count towards Discord's limit of invalid requests.
        counts = (len(pack), len(PICTURES))
        _log.warning("Only %d of %d cards have their picture until the next start (%r)", *counts, error)


async def _delete_old(packs: Iterable[_Pack], *, pause: float) -> None:
    """Delete the emojis of other editions; after a network error the next start deletes the rest."""
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
    """By key, in the order of the pack: the emoji in a message's markup."""
    return {key: str(pack[key]) for key in PICTURES}
