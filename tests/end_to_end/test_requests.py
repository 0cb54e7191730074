"""The number of requests that count towards Discord's rate limit; interaction responses do not."""

from __future__ import annotations

from engine import CardPlayed, GoSaid, Stage
from sandbox.server import Sandbox
from sandbox.traffic import Exchange
from tests.conformance import Conformance
from tests.end_to_end.archive import Archive
from tests.end_to_end.bot_process import BotProcess
from tests.end_to_end.tables import Table, everything_told

FREE = ("/interactions/", "/webhooks/")


def counted(exchanges: list[Exchange]) -> int:
    """The requests that Discord counts towards the fifty a second."""
    return len([each for each in exchanges if not each.path.startswith(FREE)])


async def test_a_card_takes_two_requests_at_most_and_so_does_a_press(
    sandbox: Sandbox, bot: BotProcess, conformance: Conformance
) -> None:
    people = [sandbox.people["Ada"], sandbox.people["Ben"]]
    archive = Archive(bot.database)
    table = await Table.gather(sandbox.channels["cribbage"], people, length=61)
    await table.until(lambda: any(each.path.endswith("/emojis") for each in conformance.exchanges))

    def is_told() -> bool:
        record = archive.table(table.game)
        return record.synced == record.version > 0

    def cards_left() -> int:
        return sum(archive.replayed(table.game).table.hand_sizes)

    begun = counted(conformance.exchanges)
    await table.start()
    await table.cut_for_deal()
    await table.play(lambda: archive.replayed(table.game).table.stage is Stage.PLAYING)
    await table.until(is_told)
    before, version = counted(conformance.exchanges), archive.version(table.game)
    await table.play(lambda: cards_left() == 1)  # with the last card the show and the next deal come
    await table.until(is_told)
    calls = [each for each in archive.log(table.game)[version:] if isinstance(each, CardPlayed | GoSaid)]
    a_call = (counted(conformance.exchanges) - before) / len(calls)

    await table.play()
    await everything_told([table])
    presses = sum(each.presses for each in table.players)
    a_press = (counted(conformance.exchanges) - begun) / presses
    print(f"{a_call:.2f} requests a call in the play, {a_press:.2f} a press in the whole game")  # for -rP
    # The table and the other player's hand are edited, the hand often by the token of its last response;
    # one's own hand is in the response.
    assert a_call <= 2
    # With everything else in a deal: new table and hands, the show, edits of old messages.
    assert a_press <= 1.45  # about 1.25; it would be 1.55 if unchanged messages were edited
    assert [each for each in conformance.exchanges if each.status >= 400] == [], "nothing was refused"
