"""The buttons, selects and modals of the table: maps each custom_id to its action.

A submitted modal carries its custom_id like a button, so it works after a restart.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import TypeVar

from bot.interactions.actions import Actions, Interaction, handling
from bot.interactions.answering import Answer
from bot.interactions.data_commands import grant_wish
from bot.interactions.modals import amount_modal, count_modal, muggins_modal
from bot.interactions.registry import Act, Component
from bot.interactions.rule_forms import answers_in
from bot.interactions.table_actions import TableActions
from bot.model.colours import Colour
from bot.model.custom_ids import (
    HELLO,
    HELP,
    PERSON,
    RULES,
    SERVER,
    TEMPLATE,
    ComponentId,
    Hello,
    RulesPage,
    ServerChoice,
    Verb,
)
from bot.model.errors import NotANumber, StaleButton
from bot.model.rule_forms import RULE_SET, RulesTopic
from bot.model.rule_settings import OTHER, Setting
from bot.model.table_record import Agreement, Explaining
from bot.model.votes import Question
from bot.render.messages.help import help_drawing
from bot.render.messages.rules_pages import example_drawing, sources_drawing
from bot.render.text.rules import rules_drawing
from engine import (
    PRESETS,
    CallMuggins,
    Cards,
    ClaimGame,
    ClaimHeels,
    ComeBack,
    Discard,
    LetStand,
    Move,
    PlayCard,
    SayGo,
    Seat,
    card,
    cards,
)
from engine.computer import Level


async def turn_help(interaction: Interaction, match: re.Match[str], values: list[str]) -> None:
    """Turn the help to the topic of a button, or of the select."""
    async with handling(interaction) as (actions, answer):
        agreement = await actions.tables.lookup.agreement(interaction) or Agreement()
        voice = answer.voice.by(agreement.preset)
        await answer.redraw(help_drawing(voice, "".join(values) or match["topic"], agreement.rules))


async def turn_rules(interaction: Interaction, match: re.Match[str], __: list[str]) -> None:
    """Turn the rules to the button's page. Raises `StaleButton` for an unknown one."""
    async with handling(interaction) as (actions, answer):
        match _one_of(RulesPage, [match["page"]]):
            case RulesPage.TABLE:
                drawing = rules_drawing(await actions.tables.lookup.agreement(interaction), answer.voice)
            case RulesPage.SOURCES:
                drawing = sources_drawing(answer.voice)
            case RulesPage.EXAMPLE:
                drawing = example_drawing(int(match["place"]), answer.voice)
        await answer.redraw(drawing)


async def set_for_server(interaction: Interaction, match: re.Match[str], values: list[str]) -> None:
    """Set a server's setting to a moderator's choice."""
    async with handling(interaction) as (actions, answer):
        await actions.servers.choose(answer, _one_of(ServerChoice, [match["choice"]]), "".join(values))


async def answer_hello(interaction: Interaction, match: re.Match[str], __: list[str]) -> None:
    """Begin a game against the computer, or in a server open a table; or show the help."""
    async with handling(interaction) as (actions, answer):
        if match[0] == str(Hello.PLAY):
            await actions.tables.open_table(answer, Agreement())
        else:
            await answer.show(help_drawing(answer.voice))


async def act(interaction: Interaction, match: re.Match[str], values: list[str]) -> None:
    """Handle a custom_id of a game, within the error boundary."""
    async with handling(interaction) as (actions, answer):
        try:
            at = ComponentId.from_match(match)
        except ValueError:
            raise StaleButton(0, 0) from None
        tables = actions.tables
        shows = 0 if at.verb in _AT_THE_END else at.deal
        async with tables.hand_panel.answering_on(
            answer, at.game, is_question=at.verb in _QUESTIONS, shows=shows
        ):
            try:
                if at.verb not in _TO_LOOK:
                    await tables.require_member(answer, at.game)
                await interaction.client.registry.act(actions, answer, at, values)
            except StaleButton as error:
                if not error.now or error.now == error.deal:
                    raise  # it belongs to no deal
                await tables.redraw_outdated(answer, at.game, error)


_REQUESTS: dict[Verb, Callable[[TableActions], Callable[[Answer, str], Awaitable[None]]]] = {
    Verb.JOIN: lambda tables: tables.join,
    Verb.SEAT: lambda tables: tables.open_seat,
    Verb.RULES: lambda tables: tables.open_rules,
    Verb.LEAVE: lambda tables: tables.leave,
    Verb.START: lambda tables: tables.start,
    Verb.CANCEL: lambda tables: tables.cancel,
    Verb.REMOVE: lambda tables: tables.remove_computer,
    Verb.REMATCH: lambda tables: tables.rematch,
    Verb.HAND: lambda tables: tables.show_hand,
    Verb.KEEP: lambda tables: tables.show_hand,
    Verb.DM: lambda tables: tables.try_dm_again,
    Verb.RESIGN: lambda tables: tables.resign,
    Verb.WHAT: lambda tables: tables.explain_last,
}
"""Requests at a table that need only the game."""

_TO_LOOK = frozenset(
    {
        *(Verb.HAND, Verb.KEEP, Verb.DM, Verb.RULES, Verb.SEAT, Verb.MORE, Verb.COUNT, Verb.MUGGINS),
        *(Verb.EXPLAIN, Verb.WHAT, Verb.PLAYS, Verb.REVIEW),
    }
)
"""Buttons in a DM that change nothing for the others at the table."""

_PLAIN_MOVES: dict[Verb, Callable[[Seat], Move]] = {
    Verb.CLAIM: ClaimGame,
    Verb.WAKE: ComeBack,
    Verb.GO: SayGo,
    Verb.HEELS: ClaimHeels,
    Verb.STAND: LetStand,
}
"""Moves that need only the user's seat."""


_OF_CARDS = frozenset(
    {Verb.PICK, Verb.UNPICK, Verb.DISCARD, Verb.PLAY, Verb.MORE, Verb.CALL, Verb.CUT, Verb.ALWAYS, Verb.DEAL},
)
"""Moves with cards and the pack."""

_QUESTIONS = frozenset({Verb.COVER, Verb.AGREE, Verb.END, Verb.STOP, Verb.BACK})
"""Questions to all players, and the votes on them."""


async def _on_question(actions: Actions, answer: Answer, at: ComponentId, _: list[str]) -> None:
    """Ask, agree, or withdraw a vote. Raises `StaleButton` for an outdated question."""
    match at.verb, at.argument:
        case Verb.COVER, _:
            await actions.substitutes.ask(answer, at.game)
        case Verb.AGREE, level:
            await actions.substitutes.agree(answer, at.game, _level(level), at.deal)
        case Verb.END, "":
            await actions.ending.agree(answer, at.game, at.deal)
        case Verb.STOP, _:
            await actions.ending.stop(answer, at.game, at.deal)
        case Verb.BACK, Question.SUBSTITUTE.value:
            await actions.substitutes.take_back(answer, at.game, at.deal)
        case Verb.BACK, Question.END.value:
            await actions.ending.keep_playing(answer, at.game, at.deal)
        case _:
            raise StaleButton(0, 0)


_AT_THE_END = frozenset({Verb.REMATCH, Verb.NEXT})
"""Buttons of a game's result."""

_CALLED = frozenset({Verb.DECLINE, Verb.ACCEPT})
"""Answers to a challenge, other than joining the table."""


async def _on_challenge(actions: Actions, answer: Answer, at: ComponentId, _: list[str]) -> None:
    """Decline a challenge, or all of a person's, or accept those again. Raises `StaleButton`."""
    challenger = at.argument if at.argument.isdecimal() and len(at.argument) <= _LONGEST_ID else ""
    match at.verb:
        case Verb.DECLINE if not at.argument:
            await actions.challenges.decline(answer, at.game)
        case Verb.DECLINE if challenger:
            await actions.challenges.decline_for_good(answer, at.game, int(challenger))
        case Verb.ACCEPT if challenger:
            await actions.challenges.accept(answer, at.game, int(challenger))
        case _:
            raise StaleButton(0, 0)


_LONGEST_ID = 20
"""Limit of digits of a Discord id."""

_LOBBY = frozenset({Verb.ADD, Verb.COLOUR, Verb.PARTNER})
"""Choices in the private panel of one's seat in the lobby."""


async def _in_the_lobby(actions: Actions, answer: Answer, at: ComponentId, values: list[str]) -> None:
    """Carries out a player's choice for themselves, or the host's of a computer."""
    tables = actions.tables
    match at.verb:
        case Verb.ADD:
            await tables.add_computer(answer, at.game, _level(at.argument))
        case Verb.COLOUR:
            await tables.choose_colour(answer, at.game, _one_of(Colour, values))
        case Verb.PARTNER:
            await tables.choose_partner(answer, at.game, Seat(_number(values)))


_OF_RULES = frozenset(
    {Verb.TOPIC, Verb.FORM, Verb.SELECTS, Verb.PRESET, Verb.SETTING, Verb.SET, Verb.AMOUNT},
)
"""The host's choices in the private panels of the rules."""


async def _on_rules(actions: Actions, answer: Answer, at: ComponentId, values: list[str]) -> None:
    """Opens or carries out the host's choice of rules."""
    tables = actions.tables
    match at.verb:
        case Verb.TOPIC:
            await tables.open_form(answer, at.game, _one_of(RulesTopic, [at.argument]))
        case Verb.FORM:
            answers = answers_in(dict(answer.interaction.data or {}))
            if RULE_SET in answers:
                _preset([answers[RULE_SET]])
            await tables.fill_in(answer, at.game, answers)
        case Verb.SELECTS:
            await tables.open_selects(answer, at.game)
        case Verb.PRESET:
            await tables.choose_rules(answer, at.game, _preset(values))
        case Verb.SETTING:
            await tables.open_selects(answer, at.game, _one_of(Setting, values))
        case Verb.SET if values == [OTHER]:
            await answer.ask(amount_modal(at, _one_of(Setting, [at.argument]), answer.voice))
        case Verb.SET:
            await tables.set_rule(answer, at.game, _one_of(Setting, [at.argument]), "".join(values))
        case Verb.AMOUNT:
            number = str(_number(values, 6))
            await tables.set_rule(answer, at.game, _one_of(Setting, [at.argument]), number)


async def _with_cards(actions: Actions, answer: Answer, at: ComponentId, values: list[str]) -> None:
    """Carries out a move with cards, named by the custom_id or by the values of a select."""
    tables = actions.tables
    match at.verb:
        case Verb.PICK if at.argument:
            await tables.pick(answer, at.game, at.deal, card(at.argument))
        case Verb.UNPICK:
            await tables.put_back(answer, at.game, at.deal, card(at.argument))
        case Verb.PICK:
            await tables.choose_again(answer, at.game, at.deal)
        case Verb.DEAL:
            await tables.deal(answer, at.game, at.deal)
        case Verb.CUT:
            place = _number([at.argument]) if at.argument else None
            await tables.cut(answer, at.game, place, at.deal)
        case Verb.ALWAYS:
            await tables.always_cut(answer, at.game, at.deal, always=at.argument == "cut")
        case Verb.DISCARD:
            given = _cards_in(at.argument)
            await tables.move(answer, at.game, lambda seat: Discard(seat, given), at.deal)
        case Verb.PLAY:
            await tables.press_card(answer, at.game, at.deal, card(at.argument))
        case Verb.MORE:
            await tables.ask_for_more(answer, at.game, at.deal, card(at.argument))
        case Verb.CALL:
            played, points = card(at.argument[:2]), _number([at.argument[2:]] if at.argument[2:] else values)
            await tables.move(answer, at.game, lambda seat: PlayCard(seat, played, points), at.deal)


async def _with_argument(actions: Actions, answer: Answer, at: ComponentId, values: list[str]) -> None:
    """Carries out an action with an argument from the custom_id, a select or a modal."""
    tables = actions.tables
    match at.verb:
        case Verb.PLAYS:
            await tables.play_by_play(answer, at.game, at.deal)
        case Verb.COUNT:
            await answer.ask(count_modal(at, await tables.view(answer, at.game), answer.voice))
        case Verb.POINTS:
            if not at.argument.isdecimal():
                raise StaleButton(0, 0)
            await tables.count(answer, at.game, _number(values), deal=at.deal, which=int(at.argument))
        case Verb.EXPLAIN:
            await tables.explain(answer, at.game, Explaining.OFF if at.argument == "off" else Explaining.ON)
        case Verb.NEXT:
            await tables.rematch(answer, at.game, _level(at.argument))
        case Verb.MUGGINS:
            view = await tables.view(answer, at.game)
            await answer.ask(muggins_modal(at, view.table.rules, answer.voice))
        case Verb.TAKE:
            points = _number(values)
            await tables.move(answer, at.game, lambda seat: CallMuggins(seat, points), at.deal)


_WITH_ARGUMENT = frozenset(
    {Verb.PLAYS, Verb.COUNT, Verb.POINTS, Verb.MUGGINS, Verb.TAKE, Verb.EXPLAIN, Verb.NEXT}
)
"""Actions with a choice, that read the table first, or open a modal."""


def _asking(request: Callable[[TableActions], Callable[[Answer, str], Awaitable[None]]]) -> Act:
    return lambda actions, answer, at, _: request(actions.tables)(answer, at.game)


def _moving(make: Callable[[Seat], Move]) -> Act:
    return lambda actions, answer, at, _: actions.tables.move(answer, at.game, make, at.deal)


VERBS: dict[Verb, Act] = {
    **{verb: _asking(ask) for verb, ask in _REQUESTS.items()},
    **{verb: _moving(make) for verb, make in _PLAIN_MOVES.items()},
    **dict.fromkeys(_OF_CARDS, _with_cards),
    **dict.fromkeys(_QUESTIONS, _on_question),
    **dict.fromkeys(_CALLED, _on_challenge),
    **dict.fromkeys(_LOBBY, _in_the_lobby),
    **dict.fromkeys(_OF_RULES, _on_rules),
    **dict.fromkeys(_WITH_ARGUMENT, _with_argument),
}
"""The table's own handlers, by the verb of a game's custom_id."""

COMPONENTS = (
    Component("crib", TEMPLATE, act),
    Component("help", HELP, turn_help),
    Component("rules", RULES, turn_rules),
    Component("hello", HELLO, answer_hello),
    Component("server", SERVER, set_for_server),
    Component("person", PERSON, grant_wish),
)
"""The table's own components."""


def _level(argument: str) -> Level:
    """The computer's level. Raises `StaleButton` for an unknown one."""
    try:
        return Level(argument)
    except ValueError:
        raise StaleButton(0, 0) from None


def _cards_in(argument: str) -> Cards:
    """The cards of an argument such as `5HJD`."""
    return cards(" ".join(argument[place : place + 2] for place in range(0, len(argument), 2)))


_Choice = TypeVar("_Choice", bound=Enum)


def _one_of(kind: type[_Choice], values: list[str]) -> _Choice:
    """The chosen value. Raises `StaleButton` for an unknown one."""
    try:
        return kind("".join(values))
    except ValueError:
        raise StaleButton(0, 0) from None


def _preset(values: list[str]) -> str:
    """The chosen rule set. Raises `StaleButton` for an unknown one."""
    name = "".join(values)
    if name not in PRESETS:
        raise StaleButton(0, 0)
    return name


def _number(values: list[str], digits: int = 3) -> int:
    text = values[0].strip() if values else ""
    if not (text.isascii() and text.isdigit() and len(text) <= digits):
        raise NotANumber(text)
    return int(text)
