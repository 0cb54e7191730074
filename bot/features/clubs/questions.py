"""Questions to an organiser before something ends, in private: what ends, and two buttons."""

from __future__ import annotations

from discord import ButtonStyle

from bot.features.clubs.custom_ids import ClubId, ClubWish
from bot.features.clubs.event import Entrant, Event, Outcome, Pairing, Phase
from bot.features.clubs.messages import Sides, name_of, pairing_line
from bot.render.drawing import Drawing
from bot.render.layouts import RED, button, container, layout, row, text
from bot.render.text.voice import Voice
from engine.computer import Level


def closing(event: Event, voice: Voice) -> Drawing:
    """Asks whether to end the event early."""
    open_games = sum(each.outcome is None and each.away is not None for each in event.current)
    if event.phase is Phase.GATHERING:
        ends = voice.gettext("It hasn't started. Nobody can sign up any more.")
    elif not open_games:
        ends = voice.gettext("No game is under way. The standings stay as they are.")
    else:
        ends = voice.ngettext(
            "{number} game under way ends without a result. The standings stay as they are.",
            "{number} games under way end without a result. The standings stay as they are.",
            open_games,
        )
    if event.again is not None:
        weekly = voice.command("crib-organise weekly")
        ends += "\n" + voice.gettext(
            "The next one still opens {when}; {weekly} ends that.", when=f"<t:{event.again}:F>", weekly=weekly
        )
    return _question(
        voice.gettext("### Close {event}?", event=name_of(event)),
        ends,
        ClubId(event.id, ClubWish.CLOSE),
        voice.gettext("Close it"),
        voice,
    )


def removing(event: Event, entrant: Entrant, level: Level | None, what: str, voice: Voice) -> Drawing:
    """Asks whether to take an entrant out, or to let the computer play for them; `what` is in the button."""
    player = Sides(event, voice).entrant(entrant)
    if level is not None:
        title = voice.gettext("### Let the computer play for {player}?", player=player)
        ends = voice.gettext("It plays their games, this round's too, until they press *I'm here* again.")
        label = voice.gettext("Let it play")
    else:
        title = voice.gettext("### Take {player} out?", player=player)
        label = voice.gettext("Take them out")
        if event.phase is Phase.GATHERING:
            ends = voice.gettext("They can sign up again until the start.")
        elif event.partners:
            ends = voice.gettext("The computer plays beside their partner from now on.")
        else:
            ends = voice.gettext("If their game of this round isn't over, their opponent wins it by forfeit.")
    return _question(title, ends, ClubId(event.id, ClubWish.REMOVE, what), label, voice)


def correcting(event: Event, pairing: Pairing, outcome: Outcome, what: str, voice: Voice) -> Drawing:
    """Asks whether to correct a result; `what` is in the button."""
    if pairing.outcome is not None:
        before = voice.gettext("Now: {result}", result=pairing_line(event, pairing, pairing.outcome, voice))
    elif pairing.game is not None:
        before = voice.gettext("Their game is under way. It ends at once.")
    else:
        before = voice.gettext("There's no result yet.")
    after = voice.gettext("Then: {result}", result=pairing_line(event, pairing, outcome, voice))
    title = voice.gettext(
        "### Correct round {round}, table {table}?", round=pairing.round, table=pairing.table
    )
    wish = ClubId(event.id, ClubWish.CORRECT, what)
    return _question(title, f"{before}\n{after}", wish, voice.gettext("Correct it"), voice)


def done(said: str) -> Drawing:
    """Replaces a question after its answer."""
    return layout(container(text(said), colour=RED))


def _question(title: str, ends: str, wish: ClubId, label: str, voice: Voice) -> Drawing:
    return layout(
        container(
            text(title, ends),
            row(
                button(wish, label, style=ButtonStyle.danger),
                button(ClubId(wish.event, ClubWish.KEEP), voice.gettext("Leave it")),
            ),
            colour=RED,
        )
    )
