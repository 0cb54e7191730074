"""A press or a command at a bot that can do nothing but answer, and records what it should do."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import discord

from bot.features.clubs.actions import ClubActions
from bot.features.clubs.organising import Organising
from bot.features.coaching.actions import CoachingActions
from bot.features.daily.actions import DailyActions
from bot.features.drill.actions import DrillActions
from bot.features.fair.actions import DeckActions
from bot.features.lesson.actions import LessonActions
from bot.features.replay.actions import ReplayActions
from bot.features.squares.actions import SquaresActions
from bot.features.stats.actions import StatsActions
from bot.features.stats.own_games import OwnGames
from bot.interactions.challenges import Challenges
from bot.interactions.ending_early import EndingEarly
from bot.interactions.lookup import TableLookup
from bot.interactions.own_data import OwnData
from bot.interactions.server_settings import ServerActions
from bot.interactions.substitutes import Substitutes
from bot.interactions.table_actions import TableActions
from bot.render.drawing import Drawing
from bot.render.text.voice import Voices
from tests.bot.registered import registry
from tests.bot.render.games import ALOUD, BEN, at_the_show, words
from tests.bot.stand_in import stand_in

ACTIONS = {
    "tables": TableActions,
    "challenges": Challenges,
    "ending": EndingEarly,
    "substitutes": Substitutes,
    "servers": ServerActions,
    "data": OwnData,
    "clubs": ClubActions,
    "organising": Organising,
    "coaching": CoachingActions,
    "lesson": LessonActions,
    "daily": DailyActions,
    "drill": DrillActions,
    "fair": DeckActions,
    "replay": ReplayActions,
    "squares": SquaresActions,
    "stats": StatsActions,
    "own_games": OwnGames,
}
"""By name: the table's actions as in `Actions`, those of features by their name in `registered`."""

_asked: list[_Actions] = []
"""The actions of the newest request: features know theirs from the start, so what they call is passed on."""

REGISTRY = registry(lambda name: getattr(_asked[-1], name))


def pressed(custom_id: str, *values: str) -> Any:
    """The interaction of a press."""
    interaction = stand_in(discord.Interaction)
    interaction.user = SimpleNamespace(id=1)
    interaction.message = None
    interaction.response = stand_in(discord.InteractionResponse)
    _asked[:] = [_Actions()]
    interaction.client = SimpleNamespace(actions=_asked[-1], registry=REGISTRY)
    return press_anew(interaction, custom_id, *values)


def press_anew(interaction: Any, custom_id: str, *values: str) -> Any:
    """The interaction as that of another press, of which nothing was asked: to make one takes longer."""
    for each in (interaction.response, *vars(interaction.client.actions).values()):
        each.method_calls.clear()
    interaction.type = discord.InteractionType.component
    interaction.data = {"custom_id": custom_id, "component_type": 2, "values": list(values)}
    return interaction


class _Actions:
    """Has the actions that somebody asks for: to make all of them for each press takes 10 ms."""

    def __getattr__(self, name: str) -> Any:
        if name not in ACTIONS:
            raise AttributeError(f"the class of {name} is missing in ACTIONS of this module")
        actions = stand_in(ACTIONS[name])
        if name == "tables":
            actions.sync = SimpleNamespace(voices=Voices())
            actions.hand_panel = SimpleNamespace(answering_on=lambda *_, **__: nullcontext())
            actions.lookup = stand_in(TableLookup)
            actions.lookup.table.return_value = actions.table_of.return_value = SimpleNamespace(game="k3f9")
            actions.lookup.agreement.return_value = None
            actions.view.return_value = at_the_show(ALOUD).view(BEN)
        setattr(self, name, actions)
        return actions


def said_to(interaction: Any) -> list[Any]:
    """What the interaction was answered: texts, and drawings as their words."""
    said = []
    for name, _, message in interaction.response.method_calls:
        if name in {"send_message", "edit_message"}:
            said.append(words(Drawing(message["view"])) if "view" in message else message["content"])
        elif name == "send_modal":
            said.append("a modal")
    return said


def asked_of(interaction: Any) -> list[tuple[Any, ...]]:
    """Calls of the actions: name and arguments, without the answer; moves as that seat makes them."""
    calls = []
    for of, actions in vars(interaction.client.actions).items():
        for name, (_, *facts), options in actions.method_calls:
            if name in {"table_of", "require_member"} or name.startswith("lookup."):
                continue
            made = (each(BEN) if callable(each) else each for each in (*facts, *options.values()))
            calls.append((f"{of}.{name}", *made))
    return calls


def commanded() -> Any:
    """The interaction of a command."""
    interaction = pressed("")
    interaction.type = discord.InteractionType.application_command
    return interaction
