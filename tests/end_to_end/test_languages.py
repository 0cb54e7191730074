"""Each message speaks the language of those who read it, also when settings change during a game."""

from __future__ import annotations

from sandbox.server import Sandbox
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, lobby_by


async def test_a_table_keeps_its_language_and_each_player_theirs(sandbox: Sandbox, bot: BotProcess) -> None:
    ada, ben = (sandbox.people[name] for name in ("Ada", "Ben"))
    first, second = sandbox.channels["cribbage"], sandbox.channels["second-table"]
    ben.user.locale = "fr"
    table = await Table.begin(first, [ada, ben])
    await table.until(lambda: all(player.hand() for player in table.players))

    hands = [player.hand() for player in table.players]
    texts = [hand.text if hand is not None else "" for hand in hands]
    assert any("discard" in each for each in texts)
    assert any("écarte" in each for each in texts)
    assert "choose 2 cards for the crib" in table.newest.text

    ada.choose_server_language("fr")
    await table.players[0].act()
    await table.until(lambda: "Ben" in table.newest.text)
    assert "à choisir" not in table.newest.text, "fixed when it opened"
    lobby = await lobby_by(ada.command(second, "crib new"))
    assert [each["label"] for each in lobby.buttons][:2] == ["Rejoindre", "Commencer"]
