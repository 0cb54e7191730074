"""A language that is added to `LANGUAGES` is offered and spoken wherever languages are listed."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from discord.app_commands import TranslationContext, TranslationContextLocation, locale_str

from bot.interactions.server_settings import ServerActions
from bot.interactions.translator import Translator
from bot.language import languages
from bot.language.languages import DOMAIN, LANGUAGES, Language
from bot.model.custom_ids import ServerChoice
from bot.render.text.speech import speech
from programs import words
from tests.bot.answered import MEMBER
from tests.bot.registered import full_voice
from tests.bot.render import games
from tests.bot.store.memory import MemoryStore

SPANISH = "es-ES"
GUILD = 10


@pytest.fixture(autouse=True, scope="module")
def spanish(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Spanish as `docs/languages.md` adds it: a line and `make words`, with one sentence translated."""
    folder = tmp_path_factory.mktemp("locales")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LANGUAGES, SPANISH, "Español")
        patch.setattr(languages, "LOCALES", folder)
        patch.setattr(words, "LOCALES", folder)
        patch.setattr(words, "TEMPLATE", folder / f"{DOMAIN}.pot")
        words.main()
        catalogue = words.read(SPANISH)
        catalogue["Language of tables"].string = "Idioma de las mesas"
        words.catalogue_of(SPANISH).write_bytes(words.written(catalogue))
        yield


async def test_settings_offer_it_and_take_it_in_a_server_that_speaks_it() -> None:
    store = MemoryStore()
    interaction = SimpleNamespace(
        guild_id=GUILD,
        client=MEMBER,
        guild_locale=discord.Locale.spain_spanish,
        permissions=discord.Permissions(manage_guild=True),
    )
    answer: Any = SimpleNamespace(
        interaction=interaction,
        voice=full_voice(language=Language.of(SPANISH)),
        show=AsyncMock(),
        redraw=AsyncMock(),
    )
    await ServerActions(store).open(answer)
    shown = games.words(answer.show.await_args.args[0])
    assert "Language: the server's own (Español)" in shown
    assert "Language: Español" in shown
    assert "Idioma de las mesas" in shown

    await ServerActions(store).choose(answer, ServerChoice.LANGUAGE, SPANISH)
    assert (await store.server(GUILD)).language == SPANISH


async def test_commands_are_translated_into_it() -> None:
    context: TranslationContext[Any, Any] = TranslationContext(
        TranslationContextLocation.command_description, AsyncMock()
    )
    said = await Translator().translate(
        locale_str("Language of tables"), discord.Locale.spain_spanish, context
    )
    assert said == "Idioma de las mesas"


def test_its_calls_are_english_until_they_are_written() -> None:
    assert speech(full_voice(language=Language.of(SPANISH))) is speech(full_voice())
