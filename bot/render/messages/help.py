"""The answer to `/crib help`: how to play in a minute, and the commands."""

from __future__ import annotations

from bot.render.drawing import Drawing
from bot.render.layouts import container, layout, rule, subtext, text

_STEPS = """\
**Sit down.** `/crib new` sets up a table, others press *Join*, and then *Start*.
**Or alone.** `/crib new computer:` begins at once against the computer: beginner, steady or expert.
**Your hand.** It comes by DM, and is behind *My hand* at the table. Only you see it.
**Lay away.** Choose cards for the crib, then confirm.
**Cut.** The player left of the dealer presses *Cut*.
**Play.** Press a card; *Go* appears when you can play none. Points are pegged as they fall.
**Show.** Hands and crib are counted with the cards behind every point."""

_COMMANDS = """\
**Gathering:** `/crib new` · `join` · `leave` · `start`
**Playing:** `/crib hand` · `discard` · `cut` · `play` · `go`
**Counting aloud:** `/crib count` · `muggins`
**Any time:** `/crib table` posts the table anew · `resign` · `end` (closes a table, too)
**Afterwards:** `/crib stats` · `leaderboard` · `privacy` · `export` · `forget-me`
**To play better:** `/crib hint` · `discards` weighs any cards · `review` looks back on your game
**To know more:** `/crib rules` · `score` counts any hand · `help`"""


def help_drawing() -> Drawing:
    """The whole help as one message."""
    return layout(
        container(
            text("## Cribbage in a minute", _STEPS),
            rule(),
            text("### Every button has a command", _COMMANDS),
            text(subtext("Cards are typed as `5h`, `10d` or `5h jd`.")),
        )
    )
