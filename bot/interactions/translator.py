"""Says commands in each person's language: their names, their descriptions, their options and choices.

discord.py asks for each of them once for every language of Discord, when the commands are synced. English is
the key, and what has no translation stays English. What a command does is not decided here.
"""

from __future__ import annotations

from typing import Any

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, locale_str

from bot.language.languages import ENGLISH, Language

COMMAND = "command"
"""The context (`pgettext_noop`) of words in the catalogues that name a command."""

_NAMES = frozenset({TranslationContextLocation.command_name, TranslationContextLocation.group_name})


class Translator(app_commands.Translator):
    """Looks each sentence up in our catalogues."""

    async def translate(
        self, string: locale_str, locale: Locale, context: app_commands.TranslationContext[Any, Any]
    ) -> str | None:
        """The sentence in that language; `None` where it stays English."""
        language = Language.of(locale.value)
        if language.code == ENGLISH:
            return None
        if context.location in _NAMES:
            said = language.pgettext(COMMAND, string.message)
        else:
            said = language.gettext(string.message)
        return said if said != string.message else None
