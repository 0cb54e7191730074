"""Messages that were reposted further down say where."""

from bot.render.messages.moved import moved_drawing
from bot.render.text.voice import Voice
from tests.bot.render.games import words


def test_it_says_so_and_leads_there() -> None:
    drawing = moved_drawing("https://discord.com/channels/1/2/3", Voice())

    assert words(drawing) == "The table has moved down.\n[Table]"
    assert "https://discord.com/channels/1/2/3" in str(drawing.layout.to_components())
