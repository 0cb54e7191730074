"""A language that is added to `LANGUAGES` is offered and spoken wherever languages are listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord.app_commands import TranslationContext, TranslationContextLocation, locale_str

from bot.interactions.translator import Translator
from bot.language import languages
from bot.language.languages import DOMAIN, LANGUAGES, Language
from bot.model.server_settings import ServerSettings
from bot.render.messages.server_settings import server_settings_drawing
from bot.render.text.speech import speech
from programs import words
from tests.bot.registered import full_voice
from tests.bot.render import games

pytestmark = pytest.mark.deep

SPANISH = "es-ES"


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


def test_settings_offer_it_in_a_server_that_speaks_it() -> None:
    voice = full_voice(language=Language.of(SPANISH))
    shown = games.words(server_settings_drawing(ServerSettings(), SPANISH, voice))
    assert "Language: the server's own (Español)" in shown
    assert "Language: Español" in shown
    assert "Idioma de las mesas" in shown


async def test_commands_are_translated_into_it() -> None:
    command = locale_str("Language of tables")
    context: TranslationContext[Any, Any] = TranslationContext(TranslationContextLocation.other, command)
    said = await Translator().translate(command, discord.Locale.spain_spanish, context)
    assert said == "Idioma de las mesas"


def test_its_calls_are_english_until_they_are_written() -> None:
    assert speech(full_voice(language=Language.of(SPANISH))) is speech(full_voice())
