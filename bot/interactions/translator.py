"""Translates the names and descriptions of commands, their options and choices.

discord.py requests each text once for every language of Discord when it syncs the commands. The English text
is the key; texts without a translation stay English.
"""

from __future__ import annotations

from typing import Any

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, locale_str

from bot.language.languages import ENGLISH, Language

COMMAND = "command"
"""The catalogues' context (`pgettext_noop`) of words that name a command."""

_NAMES = frozenset({TranslationContextLocation.command_name, TranslationContextLocation.group_name})


class Translator(app_commands.Translator):
    """Looks texts up in the bot's catalogues."""

    async def translate(
        self, string: locale_str, locale: Locale, context: app_commands.TranslationContext[Any, Any]
    ) -> str | None:
        """The text in that language; `None` if it stays English."""
        language = Language.of(locale.value)
        if language.code == ENGLISH:
            return None
        if context.location in _NAMES:
            said = language.pgettext(COMMAND, string.message)
        else:
            said = language.gettext(string.message)
        return said if said != string.message else None
