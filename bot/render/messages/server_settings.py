"""*Settings*: the private panel in which moderators choose how tables in their server speak and look."""

from __future__ import annotations

from typing import Final

import discord

from bot.language.languages import LANGUAGES, Language, gettext_noop
from bot.model.custom_ids import ServerChoice
from bot.model.server_settings import ServerSettings
from bot.model.table_record import Board
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, container, layout, select, subtext, text
from bot.render.text.voice import Voice

SERVERS_OWN: Final = "server"
"""The value of the language that follows the server's own."""

_BOARDS: Final = {
    Board.PICTURES: gettext_noop("Board: a picture"),
    Board.TEXT: gettext_noop("Board: text, for slow connections"),
}


def server_settings_drawing(settings: ServerSettings, servers_own: str | None, voice: Voice) -> Drawing:
    """The panel; `servers_own` is the code of the server's own language."""
    return layout(
        container(
            text(
                voice.gettext("## Tables in this server"),
                voice.gettext("These apply to every table opened from now on."),
            ),
            _languages(settings, servers_own, voice),
            _boards(settings, voice),
            text(
                subtext(
                    voice.gettext(
                        "For one table only: {new} with `board`. Open tables stay as they are.",
                        new=voice.command("crib new"),
                    )
                )
            ),
            colour=BAIZE,
        )
    )


def _languages(settings: ServerSettings, servers_own: str | None, voice: Voice) -> Part:
    own = LANGUAGES[Language.of(servers_own).code]
    options = [
        discord.SelectOption(
            label=voice.gettext("Language: the server's own ({language})", language=own)[:100],
            value=SERVERS_OWN,
            default=settings.language is None,
        ),
        *(
            discord.SelectOption(
                label=voice.gettext("Language: {language}", language=name)[:100],
                value=code,
                default=settings.language == code,
            )
            for code, name in LANGUAGES.items()
        ),
    ]
    return select(ServerChoice.LANGUAGE, voice.gettext("Language of tables"), options)


def _boards(settings: ServerSettings, voice: Voice) -> Part:
    options = (
        discord.SelectOption(
            label=voice.gettext(words)[:100], value=board.value, default=settings.board is board
        )
        for board, words in _BOARDS.items()
    )
    return select(ServerChoice.BOARD, voice.gettext("Board"), options)
