"""A message with a picture, and the same as text where Discord does not take the picture.

Which errors may be for a picture is decided here; what the message says is its maker's business.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Protocol

import discord

from bot.delivery.discord_errors import CLOSED_DMS, described
from bot.model.posts import Post
from bot.render.drawing import Drawing

log = logging.getLogger(__name__)

_FOR_PICTURES = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.REQUEST_ENTITY_TOO_LARGE})


class Maker(Protocol):
    """Makes a drawing, with its picture or as text."""

    def __call__(self, *, has_picture: bool) -> Awaitable[Drawing]:
        """The drawing."""


class PictureFallback:
    """Whether Discord takes our pictures in one place, as far as we know."""

    def __init__(self, *, are_taken: bool, what: str) -> None:
        """Unless they `are_taken`, everything is text; `what` names in the log what is drawn there."""
        self.are_taken = are_taken
        self._what = what

    async def draw(
        self,
        make: Maker,
        shown: Callable[[Drawing], Awaitable[Post]],
        *,
        again: Callable[[], Awaitable[Post]] | None = None,
    ) -> Post:
        """Let a drawing be `shown`, as text if it is refused with its picture.

        Where only the edit may have been refused, the message is first posted `again`. Raises
        `discord.HTTPException` when Discord refuses the text too, and when it was not for the picture.
        """
        drawing = await make(has_picture=self.are_taken)
        try:
            return await shown(drawing)
        except discord.HTTPException as error:
            if not drawing.files or not _may_be_for_the_picture(error):
                raise
            if again is not None and error.status != HTTPStatus.FORBIDDEN:
                with suppress(discord.HTTPException):
                    return await again()
            post = await shown(await make(has_picture=False))
            # Only now is it certain that the picture was the trouble.
            log.warning("%s told without pictures: %s", self._what, described(error))
            self.are_taken = False
            return post


def _may_be_for_the_picture(error: discord.HTTPException) -> bool:
    """Whether the same message might be taken without its picture."""
    if error.code in CLOSED_DMS:
        return False
    return error.status in _FOR_PICTURES or error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
