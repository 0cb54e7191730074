"""Games forged by a cheating bot: both checks refuse them, and those that one cannot see are named.

Most are played from the first card to the last by a bot that cheats in one way, so points, moves and hashes
agree with each other; the others are files that say something else than what was played. `docs/fair.md` names
what no check can see.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import pytest

from engine import PACK, Card, Cards, Game, Move, Rank, Seat, cards, encode_rules
from engine.events import DeckSealed
from engine.fair import FairChance, Proof, Terms, word_digest
from engine.fair.canonical import digest
from engine.moves import CutForFirstDeal, CutStarter, PreArranged, StandIn
from engine.rules import FirstDeal
from tests.engine.fair_games import (
    GAME,
    SALTS,
    SECRET,
    WORDS,
    agreed,
    both,
    by_chance,
    engine_check,
    plain_check,
    play_by,
    played,
    proof_of,
)
from tests.engine.games import VARIANTS, mostly_deep
from tests.engine.tables import PlainChance

_T = TypeVar("_T")

File = dict[str, Any]

TWO = VARIANTS["short-2-machine"]
THREE = VARIANTS["short-3-machine"]
FOUR = VARIANTS["short-4-machine"]
ALOUD = VARIANTS["short-2-muggins"]
FIVE = VARIANTS["standard-5-machine"]
SIX = VARIANTS["standard-6-machine"]
OLD = VARIANTS["five_card-2-machine"]
RANDOM = replace(TWO, first_deal=FirstDeal.RANDOM)

# -- a bot that deals otherwise --------------------------------------------------------------------------


class CheatingChance(FairChance):
    """Draws as the scheme has it, and then changes what it likes."""

    def __init__(
        self,
        terms: Terms,
        *,
        pack: Callable[[Cards, str], Sequence[Card]] = lambda pack, _: pack,
        place: Callable[[Sequence[Any], Any, str], Any] = lambda _, drawn, __: drawn,
        label: Callable[[str], str] = lambda label: label,
        secret: bytes = SECRET,
        seal: str | None = None,
    ) -> None:
        super().__init__(secret, DeckSealed(terms.commitment, seal or terms.seal))
        self.sealed = terms.sealed
        self._change_pack, self._change_place, self._change_label = pack, place, label
        self.packs: dict[str, Cards] = {}

    def shuffled(self, pack: Cards, label: str) -> Cards:
        """The honest order, changed."""
        honest = super().shuffled(pack, self._change_label(label))
        self.packs[label] = tuple(self._change_pack(honest, label))
        return self.packs[label]

    def pick(self, choices: Sequence[_T], label: str) -> _T:
        """The honest choice, changed."""
        changed: _T = self._change_place(choices, super().pick(choices, self._change_label(label)), label)
        return changed


def dealt_with(rules: Any = TWO, seed: int = 1, **cheats: Any) -> File:
    """A game dealt by a chance that cheats."""
    terms = agreed(rules)
    return file_of(played(rules, seed, terms=terms, chance=CheatingChance(terms, **cheats)))


def file_of(proof: Proof) -> File:
    file: File = json.loads(proof.write())
    return file


@lru_cache(maxsize=16)
def honest(rules: Any = TWO, seed: int = 1) -> str:
    return played(rules, seed).write()


def in_deal(
    number: int, change: Callable[[list[Card]], Sequence[Card]]
) -> Callable[[Cards, str], Sequence[Card]]:
    """A change of the pack in one deal only."""
    return lambda pack, label: change(list(pack)) if label == f"deal/{number}" else pack


def swapped(one: int, other: int) -> Callable[[list[Card]], Sequence[Card]]:
    def change(pack: list[Card]) -> Sequence[Card]:
        pack[one], pack[other] = pack[other], pack[one]
        return pack

    return change


def first_to(*wanted: str, at: Sequence[int]) -> Callable[[list[Card]], Sequence[Card]]:
    """The pack with the cards that are wanted at these places, each swapped with what lay there."""

    def change(pack: list[Card]) -> Sequence[Card]:
        for place, card in zip(at, cards(" ".join(wanted)), strict=True):
            other = pack.index(card)
            pack[place], pack[other] = pack[other], pack[place]
        return pack

    return change


def a_jack_at_every_place(pack: list[Card]) -> Sequence[Card]:
    rest = sorted(pack[12:], key=lambda card: card.rank is Rank.JACK)
    return [*pack[:12], *rest]


def naively_shuffled(*_: object) -> Cards:
    """Each card swapped with any, which is a usual mistake."""
    numbers = FairChance(SECRET, agreed(TWO).sealed).numbers("deal/2")
    pack = list(PACK)
    for place in range(51, 0, -1):
        other = next(numbers) % 52
        pack[place], pack[other] = pack[other], pack[place]
    return tuple(pack)


def with_numbers(read: str, *, begins: bytes = b"", block_from: int = 0, hashed: str = "sha256") -> File:
    """A game whose draws come from other bytes than those of the scheme."""
    terms = agreed(TWO)

    def numbers(_: FairChance, label: str) -> Iterator[int]:
        name = (begins or len(label).to_bytes(4, "big")) + label.encode()
        for block in count(block_from):
            told = bytes.fromhex(terms.seal) + name + block.to_bytes(4, "big")
            yield from struct.unpack(read, hmac.digest(SECRET, told, hashed)[:32])

    with patch.object(FairChance, "numbers", numbers):
        return file_of(played(TWO, terms=terms))


def better_of_two_packs(pack: Cards, label: str) -> Sequence[Card]:
    """A second try where the first gives seat 0 less than four fives, tens and faces."""
    wanted = {Rank.FIVE, Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}
    if not label.startswith("deal/") or sum(card.rank in wanted for card in pack[:12:2]) >= 4:
        return pack
    return FairChance(SECRET, agreed(TWO).sealed).shuffled(PACK, f"{label}/again")


def hands_exchanged(pack: list[Card]) -> Sequence[Card]:
    pack[:12:2], pack[1:12:2] = pack[1:12:2], pack[:12:2]
    return pack


DEALS: dict[str, Callable[[], File]] = {
    **{
        f"deal {number}: {what}": partial(dealt_with, pack=in_deal(number, change))
        for number, what, change in (
            (1, "a card of one hand for a card of the other", swapped(0, 1)),
            (3, "a card of one hand for a card of the other", swapped(0, 1)),
            (1, "a card of a hand for one of the pack", swapped(0, 40)),
            (1, "the two last cards of the pack", swapped(50, 51)),
            (3, "the two last cards of the pack", swapped(50, 51)),
            (1, "the best hand of all", first_to("5C", "5D", "5H", "JS", at=(0, 2, 4, 6))),
            (1, "jacks below the pack", a_jack_at_every_place),
            (1, "the hands exchanged", hands_exchanged),
            (1, "a pack dealt from the bottom", lambda pack: [*pack[-12:], *pack[:-12]]),
        )
    },
    "each card swapped with any": lambda: dealt_with(
        pack=lambda pack, label: naively_shuffled() if label == "deal/2" else pack
    ),
    "a second try for a better hand": lambda: dealt_with(pack=better_of_two_packs),
    "the same deal twice": lambda: dealt_with(label=lambda each: each.replace("deal/2", "deal/1")),
    "deals counted from zero": lambda: dealt_with(
        label=lambda each: f"deal/{int(each[5:]) - 1}" if each.startswith("deal/") else each
    ),
    "labels of another language": lambda: dealt_with(label=lambda each: each.replace("deal", "donne")),
    "a secret of its own for the deals": lambda: dealt_with(secret=bytes(32)),
    "the seal of other terms": lambda: dealt_with(seal=agreed(TWO, words={}).seal),
    "the seal backwards": lambda: dealt_with(seal=agreed(TWO).seal[::-1]),
    "the first seal that gives a good hand": lambda: dealt_with(
        seal=next(
            seal
            for seal in (digest(["try", number]) for number in range(10_000))
            if sum(
                card.rank is Rank.FIVE
                for card in FairChance(SECRET, DeckSealed("", seal)).shuffled(PACK, "deal/1")[:12:2]
            )
            > 2
        )
    ),
    "numbers read from the other end": lambda: with_numbers("<8I"),
    "numbers of sixteen bits": lambda: with_numbers(">16H"),
    "labels without their length": lambda: with_numbers(">8I", begins=b"\0\0\0\0"),
    "blocks counted from one": lambda: with_numbers(">8I", block_from=1),
    "another hash": lambda: with_numbers(">8I", hashed="sha3_256"),
    "three players: another card to the crib": lambda: dealt_with(
        THREE, pack=in_deal(1, swapped(15, 30))
    ),
    "three players: the crib's card for a hand's": lambda: dealt_with(THREE, pack=in_deal(2, swapped(0, 15))),
    "four players: a five from one to the next": lambda: dealt_with(FOUR, pack=in_deal(1, swapped(2, 3))),
    "four players: two partners exchange a card": lambda: dealt_with(FOUR, pack=in_deal(2, swapped(0, 2))),
    "five players: the dealer's last card for the next that is dealt": lambda: dealt_with(
        FIVE, pack=in_deal(1, swapped(19, 20))),
    "six players: a card from the dealer to the seat opposite": lambda: dealt_with(
        SIX, pack=in_deal(1, swapped(2, 5))),
    "five cards: the last cards of both hands": lambda: dealt_with(OLD, pack=in_deal(1, swapped(8, 9))),
}  # fmt: skip


# -- a bot that cuts otherwise ---------------------------------------------------------------------------


def cut_for(who: str) -> File:
    """A game in which the bot cuts for `who` where it likes."""
    terms = agreed(TWO)
    chance, honestly = CheatingChance(terms), by_chance(PlainChance(3), terms.seats)

    def next_move(game: Game) -> Move:
        move = honestly(game)
        own = move.move if isinstance(move, StandIn | PreArranged) else move
        if not isinstance(own, CutForFirstDeal | CutStarter):
            return move
        best = replace(own, place=best_place(type(own), [*chance.packs.values()][-1]))
        if who == "stand-in" and isinstance(own, CutStarter):
            return StandIn(best)
        is_by_computer = terms.seats[own.seat] != "person" and not isinstance(move, StandIn)
        return best if is_by_computer and who == f"computer {type(own).__name__}" else move

    return file_of(played(TWO, terms=terms, chance=chance, next_move=next_move))


def best_place(kind: type[Move], pack: Cards) -> int:
    """The place of a five for the starter, and of the lowest card for the deal."""
    rest = pack[12:] if kind is CutStarter else pack
    places = range(4, len(rest) - 3)
    wanted = Rank.FIVE if kind is CutStarter else min(rest[place].rank for place in places)
    return next((place for place in places if rest[place].rank is wanted), places[0])


def placed(meant: str, to: Callable[[Sequence[Any], Any], Any], rules: Any = TWO) -> File:
    """A game in which what chance picks under some labels is another choice."""
    return dealt_with(
        rules,
        seed=2,
        place=lambda choices, drawn, label: to(choices, drawn) if label.startswith(meant) else drawn,
    )


def next_of(choices: Sequence[Any], drawn: Any) -> Any:
    return choices[(choices.index(drawn) + 1) % len(choices)]


def cut_in_the_name_of_another() -> File:
    """A game in which the bot cuts for the computer where it likes, and says that the person did."""
    file = cut_for("computer CutStarter")
    for each in bodies(file, "StarterCut"):
        if each["seat"] == 1 and not each["by_chance"]:
            each["seat"] = 0
    return file


CUTS: dict[str, Callable[[], File]] = {
    "the computer cuts for the starter where it likes": lambda: cut_for("computer CutStarter"),
    "the computer cuts for the deal where it likes": lambda: cut_for("computer CutForFirstDeal"),
    "the computer cuts for the starter, it is said for the person": cut_in_the_name_of_another,
    "who stands in cuts where they like": lambda: cut_for("stand-in"),
    "chance cuts one card deeper": lambda: placed("place/", next_of),
    "chance cuts deeper for the deal": lambda: placed("cut/", next_of),
    "chance cuts by the label of the deal before": lambda: dealt_with(
        seed=2,
        label=lambda each: f"place/{int(each[6:]) - 1}" if each.startswith("place/") else each,
    ),
    "the dealer is not the one that was drawn": lambda: placed("dealer", next_of, RANDOM),
    "the dealer is drawn by another label": lambda: dealt_with(
        RANDOM,
        label=lambda each: next(
            name
            for name in (f"dealer{number}" for number in range(99))
            if FairChance(SECRET, agreed(RANDOM).sealed).pick((0, 1), name)
            != FairChance(SECRET, agreed(RANDOM).sealed).pick((0, 1), "dealer")
        )
        if each == "dealer"
        else each,
    ),
    "a stacked pack for the first cut": lambda: dealt_with(
        pack=lambda pack, label: sorted(pack) if label == "cut/1" else pack
    ),
    "a second shuffle for the first cut": lambda: dealt_with(
        label=lambda each: "cut/2" if each == "cut/1" else each
    ),
}  # fmt: skip


# -- a bot that tells another game than the one that was played ------------------------------------------


def told(change: Callable[[File], object], rules: Any = TWO, seed: int = 1) -> Callable[[], File]:
    """An honest game of which the file says something else."""

    def made() -> File:
        file: File = json.loads(honest(rules, seed))
        change(file)
        return file

    return made


def bodies(file: File, kind: str) -> list[dict[str, Any]]:
    return [each["body"] for each in file["log"] if each["kind"] == kind]


def at(file: File, kind: str, number: int = 0) -> int:
    """The index of that event."""
    return [place for place, each in enumerate(file["log"]) if each["kind"] == kind][number]


def drop(kind: str, number: int = 0) -> Callable[[File], object]:
    return lambda file: file["log"].pop(at(file, kind, number))


def double(kind: str, number: int = 0) -> Callable[[File], object]:
    def change(file: File) -> None:
        place = at(file, kind, number)
        file["log"].insert(place, json.loads(json.dumps(file["log"][place])))

    return change


def moved(kind: str, by: int, number: int = 0) -> Callable[[File], object]:
    def change(file: File) -> None:
        place = at(file, kind, number)
        file["log"].insert(place + by, file["log"].pop(place))

    return change


def body(kind: str, number: int = 0, **changes: Any) -> Callable[[File], object]:
    return lambda file: bodies(file, kind)[number].update(changes)


def term(**changes: Any) -> Callable[[File], object]:
    return lambda file: file["terms"].update(changes)


def resealed(change: Callable[[File], object]) -> Callable[[File], object]:
    """A change of terms, with the seal of the log made to match."""

    def changed(file: File) -> None:
        change(file)
        bodies(file, "DeckSealed")[0]["seal"] = digest(["ft2 seal", file["terms"]])

    return changed


def skip_a_deal(file: File) -> None:
    """As a dealer might who does not like the second deal: the third in its place, and honestly dealt."""
    for each in bodies(file, "DealBegan"):
        each["number"] += each["number"] > 1


def leave_out_a_deal(file: File) -> None:
    first, second = at(file, "DealBegan", 1), at(file, "DealBegan", 2)
    del file["log"][first:second]


def leave_out_two_deals_and_renumber(file: File) -> None:
    first, second = at(file, "DealBegan", 1), at(file, "DealBegan", 3)
    del file["log"][first:second]
    for number, each in enumerate(bodies(file, "DealBegan"), 1):
        each["number"] = number


def deal_again(file: File) -> None:
    """The first deal is given up after its hands were seen, and dealt again as the second."""
    del file["log"][at(file, "PackPutDown", 1) + 1 : at(file, "DealBegan", 1)]


def deal_twice(file: File) -> None:
    for each in bodies(file, "DealBegan"):
        each["dealer"] = bodies(file, "DealBegan")[0]["dealer"]


def cut_at_the_best_place(file: File) -> None:
    """Somebody who did not like their starter says that another was cut; the points are as they were."""
    starter, pack = bodies(file, "StarterCut")[0], bodies(file, "PackPutDown")[1]["cards"]
    starter.update(place=(place := 4 + (starter["place"] == 4)), card=pack[place], by_chance=True)


def another_starter(file: File) -> None:
    starter, pack = bodies(file, "StarterCut")[0], bodies(file, "PackPutDown")[1]["cards"]
    starter["card"] = pack[starter["place"] - 1]


def cut_too_deep(file: File) -> None:
    starter, pack = bodies(file, "StarterCut")[0], bodies(file, "PackPutDown")[1]["cards"]
    starter.update(place=len(pack) - 3, card=pack[-3], by_chance=False)


def cut_where_another_did(file: File) -> None:
    one, other = bodies(file, "CutForDeal")[:2]
    other.update(place=one["place"], card=one["card"], by_chance=False)


def shorter_pack(file: File) -> None:
    """The starter is cut from a pack whose first cards are gone: any card can be brought to any place."""
    starter, pack = bodies(file, "StarterCut")[0], bodies(file, "PackPutDown")[1]
    del pack["cards"][0]
    starter["place"] -= 1


def shorter_pack_below(file: File) -> None:
    del bodies(file, "PackPutDown")[1]["cards"][-1]


def three_shuffles_for_the_first_cut(file: File) -> None:
    chance = FairChance(SECRET, agreed(TWO).sealed)
    place = at(file, "PackPutDown")
    for number in (2, 3):
        pack = [str(card) for card in chance.shuffled(PACK, f"cut/{number}")]
        event = {"kind": "PackPutDown", "body": {"cards": pack}, "codec": 3}
        file["log"].insert(place + number - 1, event)


def play_what_the_other_holds(file: File) -> None:
    card = bodies(file, "CardPlayed")[0]
    hands = bodies(file, "HandDealt")[:2]
    card["card"] = next(hand["cards"][0] for hand in hands if hand["seat"] != card["seat"])


def play_what_was_discarded(file: File) -> None:
    card = bodies(file, "CardPlayed")[0]
    given = next(each for each in bodies(file, "Discarded") if each["seat"] == card["seat"])
    card["card"] = given["cards"][0]


def play_a_card_twice(file: File) -> None:
    first = bodies(file, "CardPlayed")[0]
    again = [each for each in bodies(file, "CardPlayed") if each["seat"] == first["seat"]][1]
    again["card"] = first["card"]


def spared_gives(opposite: int = 0) -> Callable[[File], object]:
    """The dealer, or the seat so many places from them, gives a card to the crib, which they keep."""

    def change(file: File) -> None:
        seat = (bodies(file, "DealBegan")[0]["dealer"] + opposite) % file["terms"]["rules"]["seats"]
        hand = next(each["cards"] for each in bodies(file, "HandDealt") if each["seat"] == seat)
        event = {"kind": "Discarded", "body": {"seat": seat, "cards": hand[:1]}, "codec": 3}
        file["log"].insert(at(file, "StarterCut"), event)

    return change


def dealer_with_five(file: File) -> None:
    """The dealer of five is dealt a fifth card, the first of the rest."""
    dealer, rest = bodies(file, "DealBegan")[0]["dealer"], bodies(file, "PackPutDown")
    hand = next(each["cards"] for each in bodies(file, "HandDealt") if each["seat"] == dealer)
    pack = next(each["cards"] for each in rest if len(each["cards"]) < 52)
    hand.append(pack.pop(0))


def drop_a_discard(file: File) -> None:
    """Every discard of the first seat to give in the first deal is left out."""
    seat, cut = bodies(file, "Discarded")[0]["seat"], at(file, "StarterCut")
    file["log"] = [
        each
        for place, each in enumerate(file["log"])
        if place > cut or each["kind"] != "Discarded" or each["body"]["seat"] != seat
    ]


def discard_what_was_not_dealt(file: File) -> None:
    given = bodies(file, "Discarded")[0]
    given["cards"][0] = bodies(file, "PackPutDown")[1]["cards"][0]


def discard_a_card_twice(file: File) -> None:
    given = bodies(file, "Discarded")[0]["cards"]
    given[1] = given[0]


def show_another_hand(file: File) -> None:
    shown = bodies(file, "HandShown")[0]
    shown["cards"][0] = bodies(file, "PackPutDown")[1]["cards"][0]


def show_another_crib(file: File) -> None:
    crib = next(each for each in bodies(file, "HandShown") if each["source"] == "crib")
    crib["cards"][0] = bodies(file, "PackPutDown")[1]["cards"][0]


def too_many_events(file: File) -> None:
    file["log"] += [file["log"][-1]] * 5_000


def two_codecs(file: File) -> None:
    file["log"][-1]["codec"] = 2


def other_salt(file: File) -> None:
    file["salts"][1] = {"salt": bytes(32).hex()}


def rows(change: Callable[[list[Any]], object]) -> Callable[[File], object]:
    return resealed(lambda file: change(file["terms"]["words"]))


def word_for_the_computer(file: File) -> None:
    rows(lambda words: words.append([1, word_digest(SALTS[1], "abcdefgh")]))(file)
    file["words"].append("abcdefgh")


def another_winner(file: File) -> None:
    won = bodies(file, "GameWon")[0]
    won["side"] = 1 - won["side"]


def seat_hash(number: int) -> dict[str, str]:
    return {"hash": digest(["ft2 salt", SALTS[number].hex()])}


TOLD: dict[str, Callable[[], File]] = {
    "a deal is passed over": told(skip_a_deal),
    "a deal is left out": told(leave_out_a_deal),
    "two deals are left out": told(leave_out_two_deals_and_renumber),
    "a deal is given up and dealt again": told(deal_again),
    "one seat deals always": told(deal_twice),
    "the first dealer is another": told(lambda file: [
        each.update(seat=1 - each["seat"]) for each in bodies(file, "DealerChosen")]),
    "the dealer of all deals is another": told(lambda file: [
        each.update(dealer=1 - each["dealer"]) for each in bodies(file, "DealBegan")]),
    "the starter was cut elsewhere": told(cut_at_the_best_place),
    "the starter is the card above": told(another_starter),
    "the starter comes from too deep": told(cut_too_deep),
    "two cut for the deal at one place": told(cut_where_another_did),
    "the pack for the starter is shorter above": told(shorter_pack),
    "the pack for the starter is shorter below": told(shorter_pack_below),
    "three shuffles for the first cut": told(three_shuffles_for_the_first_cut),
    "the first pack is put down twice": told(double("PackPutDown")),
    "the rest is put down twice": told(double("PackPutDown", 1)),
    "the rest is never put down": told(drop("PackPutDown", 1)),
    "a hand is dealt twice": told(double("HandDealt")),
    "a hand is never dealt": told(drop("HandDealt")),
    "the hands are dealt in another order": told(moved("HandDealt", 1)),
    "a hand of one seat goes to the other": told(
        lambda file: bodies(file, "HandDealt")[0].update(seat=bodies(file, "HandDealt")[1]["seat"])),
    "a hand with a card more": told(lambda file: bodies(file, "HandDealt")[0]["cards"].append("KS")),
    "a hand with a card less": told(lambda file: bodies(file, "HandDealt")[0]["cards"].pop()),
    "five players: the dealer gives to the crib": told(spared_gives(), FIVE),
    "five players: the dealer is dealt five": told(dealer_with_five, FIVE),
    "five players: one of four gives nothing": told(drop_a_discard, FIVE),
    "six players: the seat opposite the dealer gives to the crib": told(spared_gives(3), SIX),
    "three players: no card to the crib": told(drop("CribDealt"), THREE),
    "three players: two cards to the crib": told(
        lambda file: bodies(file, "CribDealt")[0]["cards"].append("KS"), THREE),
    "two starters": told(double("StarterCut")),
    "no starter": told(drop("StarterCut")),
    "a starter before the discards": told(moved("StarterCut", -2)),
    "somebody plays what the other holds": told(play_what_the_other_holds),
    "somebody plays what they discarded": told(play_what_was_discarded),
    "somebody plays a card twice": told(play_a_card_twice),
    "somebody plays before the cut": told(moved("CardPlayed", -3)),
    "somebody discards what they were not dealt": told(discard_what_was_not_dealt),
    "somebody discards one card": told(lambda file: bodies(file, "Discarded")[0]["cards"].pop()),
    "somebody discards one card twice": told(discard_a_card_twice),
    "somebody does not discard": told(drop("Discarded")),
    "another hand is shown": told(show_another_hand),
    "another crib is shown": told(show_another_crib),
    "a hand is not shown": told(drop("HandShown")),
    "the crib is shown twice": told(double("HandShown", 2)),
    "the deal does not end": told(drop("DealEnded")),
    "the play does not end": told(drop("PlayEnded")),
    "a first cut is missing": told(drop("CutForDeal")),
    "a first cut is doubled": told(double("CutForDeal")),
    "no dealer is chosen": told(drop("DealerChosen")),
    "the dealer is chosen before the cut": told(moved("DealerChosen", -2)),
    "a seat that is not there": told(body("HandDealt", seat=2)),
    "a seat below nothing": told(body("CardPlayed", seat=-1)),
    "an event that nobody knows": told(lambda file: file["log"][-2].update(kind="Redealt")),
    "an event with more than it has": told(body("DealBegan", note="again")),
    "an event with less than it has": told(lambda file: bodies(file, "DealBegan")[0].pop("number")),
    "a cut that says nothing of chance": told(lambda file: bodies(file, "StarterCut")[0].pop("by_chance")),
    "an event beside its body": told(lambda file: file["log"][3].update(extra=1)),
    "an event that only seems to be a list": told(lambda file: file["log"].__setitem__(3, ["DealBegan"])),
    # the seal
    "no seal in the log": told(drop("DeckSealed")),
    "two seals in the log": told(double("DeckSealed")),
    "a seal after the first pack": told(moved("DeckSealed", 1)),
    "a seal after the first cut": told(moved("DeckSealed", 3)),
    "a seal before the rules": told(moved("DeckSealed", -1)),
    "an option of the rules left out": told(lambda file: file["log"][0]["body"]["rules"].pop("muggins")),
    "another seal in the log": told(body("DeckSealed", seal="00" * 32)),
    "another commitment in the log": told(body("DeckSealed", commitment="00" * 32)),
    # the terms
    **{
        f"terms, {how}: {what}": told(wrap(change))
        for how, wrap in {"told": lambda change: change, "sealed again": resealed}.items()
        for what, change in {
            "another game": term(game="other"),
            "another dealer": term(dealer=0),
            "a dealer who is not there": term(dealer=2),
            "another player": term(player="2"),
            "another level": term(seats=["person", "beginner"]),
            "a person for the computer": term(seats=["person", "person"]),
            "another to stand in": term(stand_in="steady"),
            "other rules": term(rules={**encode_rules(TWO), "target": 121}),
            "rules with another first deal": term(rules={**encode_rules(TWO), "first_deal": "random"}),
            "another commitment": term(commitment="00" * 32),
            "no words": term(words=[]),
        }.items()
    },
    "a seat more": told(resealed(term(seats=["person", "expert", "person"]))),
    "a term more": told(resealed(term(nonce=1))),
    "a term less": told(resealed(lambda file: file["terms"].pop("player"))),
    "a commitment in capitals": told(
        resealed(lambda file: term(commitment=file["terms"]["commitment"].upper())(file))),
    # the words
    "a word nobody gave": told(rows(lambda words: words.append([1, "00" * 32]))),
    "a word for the computer": told(word_for_the_computer),
    "the words in another order": told(rows(lambda words: words.reverse()), THREE),
    "two words of one seat": told(rows(lambda words: words[1].__setitem__(0, 2)), THREE),
    "a seat's word at another seat": told(rows(lambda words: words[0].__setitem__(0, 1))),
    "another digest": told(rows(lambda words: words[0].__setitem__(1, "00" * 32))),
    "a digest in capitals": told(rows(lambda words: words[0].__setitem__(1, words[0][1].upper()))),
    "another word": told(lambda file: file["words"].__setitem__(0, "swordfish2")),
    "a word in capitals": told(lambda file: file["words"].__setitem__(0, WORDS[0].upper())),
    "a short word": told(lambda file: file["words"].__setitem__(0, "short")),
    "a word of two": told(lambda file: file["words"].__setitem__(0, "two words")),
    "a word too many": told(lambda file: file["words"].append("porpoise9")),
    "a word is withheld": told(lambda file: file["words"].clear()),
    "a word is withheld and its salt is there": told(lambda file: file["words"].__setitem__(0, None)),
    "a salt is withheld and its word is there": told(lambda file: file["salts"].__setitem__(0, seat_hash(0))),
    "a word is withheld with another salt": told(
        lambda file: (file["words"].__setitem__(0, None), file["salts"].__setitem__(0, seat_hash(3)))),
    # secret and salts
    "another secret": told(lambda file: file.update(secret=bytes(32).hex())),
    "a secret of 31 bytes": told(lambda file: file.update(secret=file["secret"][:-2])),
    "a secret of 33 bytes": told(lambda file: file.update(secret=file["secret"] + "00")),
    "a secret in capitals": told(lambda file: file.update(secret=file["secret"].upper())),
    "a secret with spaces": told(lambda file: file.update(secret=" ".join(file["secret"]))),
    "no secret": told(lambda file: file.pop("secret")),
    "another salt": told(other_salt),
    "the salts exchanged": told(lambda file: file["salts"].reverse()),
    "a salt more": told(lambda file: file["salts"].append({"salt": SALTS[2].hex()})),
    "a salt less": told(lambda file: file["salts"].pop()),
    "a salt of 31 bytes": told(lambda file: file["salts"].__setitem__(1, {"salt": SALTS[1][1:].hex()})),
    "a salt and a hash": told(lambda file: file["salts"][1].update(seat_hash(1))),
    "the hash of another salt": told(lambda file: file["salts"].__setitem__(1, seat_hash(2))),
    # the file
    "a key more": told(lambda file: file.update(forgotten=True)),
    "a key less": told(lambda file: file.pop("players")),
    "another scheme": told(lambda file: file.update(scheme="ft3")),
    "more than 5,000 events": told(too_many_events),
    "two codecs": told(two_codecs),
    "a game cut short is said to be finished": told(lambda file: file["log"].pop()),
    "a game cut short in the middle": told(lambda file: file["log"].__delitem__(slice(60, None))),
    "a finished game is said to be cancelled": told(lambda file: file.update(ending="cancelled")),
    "a finished game is said to be closed": told(lambda file: file.update(ending="closed")),
    "a finished game without events": told(lambda file: file["log"].clear()),
    "a cancelled game without events": told(lambda file: file.update(ending="cancelled", log=[])),
    "an ending of its own": told(lambda file: file.update(ending="abandoned")),
    "a game that goes on after its end": told(lambda file: file["log"].append(file["log"][-2])),
    "a game that is won twice": told(lambda file: file["log"].append(file["log"][-1])),
    "a game that is won in the middle": told(lambda file: file["log"].insert(40, file["log"][-1])),
}  # fmt: skip


def earlier_commitment() -> File:
    """The id takes a byte of the secret: joined without a limit, both would be the same bytes."""
    file: File = json.loads(honest())
    file["terms"]["game"] = GAME + chr(SECRET[-1] + 66).lower()
    file["secret"] = file["secret"][2:] + "00"
    return file


def chosen_secret() -> File:
    """A whole game with a secret that was chosen when all words were known, and the commitment of another."""
    terms = agreed(TWO)
    chosen = hashlib.sha256(b"a better deck").digest()
    proof = played(TWO, terms=terms, chance=FairChance(chosen, terms.sealed))
    return file_of(replace(proof, secret=chosen))


def other_game(rules: Any, **changes: Any) -> File:
    """A game by rules, or with a dealer, other than the terms say."""
    terms = agreed(TWO)
    game = Game.new(rules, chance=FairChance(SECRET, terms.sealed), **changes)
    return file_of(proof_of(terms, play_by(by_chance(PlainChance(1), terms.seats), game)))


def late_word() -> File:
    """A word that is added when the game is over."""
    file: File = json.loads(honest(THREE))
    file["terms"] = json.loads(agreed(THREE, words={0: WORDS[0], 2: WORDS[2]}).canonical)
    file["words"].reverse()
    return file


PLAYED: dict[str, Callable[[], File]] = {
    "a secret that moved into the id": earlier_commitment,
    "a secret chosen last": chosen_secret,
    "a game by other rules": lambda: other_game(VARIANTS["standard-2-machine"]),
    "a game counted aloud": lambda: other_game(ALOUD),
    "a game with a dealer of its own": lambda: other_game(TWO, dealer=Seat(1)),
    "words reordered after the game": late_word,
}

FORGED = DEALS | CUTS | TOLD | PLAYED

ONLY_BY_REPLAY: dict[str, Callable[[], File]] = {
    "a point too many": told(lambda file: bodies(file, "Pegged")[0].update(points=20)),
    "a hand counted too high": told(lambda file: bodies(file, "HandCounted")[0].update(points=29)),
    "points left out": told(drop("Pegged")),
    "points pegged twice": told(double("Pegged")),
    "points for the other": told(
        lambda file: bodies(file, "Pegged")[0].update(seat=1 - bodies(file, "Pegged")[0]["seat"])
    ),
    "a go that was not said": told(drop("GoSaid")),
    "somebody else won": told(another_winner),
    "won in another way": told(body("GameWon", ending="resigned")),
    "cards in another order": told(moved("CardPlayed", 1)),
    "a version of the computer that clears the screen": told(lambda file: file["log"].insert(
        at(file, "DealBegan"), {"kind": "ComputerChanged", "body": {"player": "\x1b[2J"}, "codec": 3})),
    "somebody comes back who was not away": told(lambda file: file["log"].insert(
        at(file, "DealBegan"), {"kind": "CameBack", "body": {"seat": 0}, "codec": 3})),
    "muggins that nobody may call": told(
        lambda file: file["log"].insert(
            at(file, "DealEnded"),
            {"kind": "MugginsCalled", "body": {"seat": 0, "called": 2, "taken": 2}, "codec": 3},
        )
    ),
}  # fmt: skip
"""Points and the order of play: the document's check, which says so, does not look at them."""


@pytest.mark.parametrize("name", mostly_deep(FORGED, [*FORGED][::6]))
def test_both_checks_refuse_a_forged_game(name: str, tmp_path: Path) -> None:
    file = FORGED[name]()
    assert json.dumps(file) != json.dumps(json.loads(honest())), "nothing was forged"
    document, engine = both(tmp_path / "forged.json", file)
    assert (document, engine > 0) == (1, True)


@pytest.mark.parametrize("name", ONLY_BY_REPLAY)
def test_wrong_points_and_moves_are_found_by_playing_the_game_again(name: str, tmp_path: Path) -> None:
    assert both(tmp_path / "forged.json", ONLY_BY_REPLAY[name]()) == (0, 1)


def test_both_checks_print_each_cut_at_a_chosen_place(tmp_path: Path) -> None:
    """A bot that knows the cards may cut in the name of somebody who left it to chance."""
    path, file = tmp_path / "game.json", json.loads(honest())
    deals = [each["kind"] for each in file["log"]]
    chosen = [
        f"deal {deals[:place].count('DealBegan')} seat {each['body']['seat']}"
        for place, each in enumerate(file["log"])
        if each["kind"] in {"CutForDeal", "StarterCut"} and not each["body"]["by_chance"]
    ]
    assert chosen
    path.write_text(json.dumps(file), "utf-8")
    said = f"Cuts at a place of their own choice: {', '.join(chosen)}."
    assert said in plain_check(path)[1]
    assert said in engine_check(path)[1]


def test_json_of_any_depth_ends_without_a_traceback(tmp_path: Path) -> None:
    """At some depth it is read, and too deep for what follows."""
    for depth in (*range(900, 1_000, 9), 100_000):
        nested = '"rules": {"nested": ' + "[" * depth + "]" * depth + ","
        document, engine = both(tmp_path / "game.json", honest().replace('"rules": {', nested, 1))
        assert (document, engine > 0) == (1, True), depth


TEXTS = {
    "a key twice": ('"ending":', '"ending": "cancelled", "ending":'),
    "a term twice": ('"stand_in":', '"stand_in": "steady", "stand_in":'),
    "a float for a number": ('"number": 1}', '"number": 1.0}'),
    "a float with an exponent": ('"number": 1}', '"number": 1e0}'),
    "no number at all": ('"number": 1}', '"number": NaN}'),
    "an endless number": ('"number": 1}', '"number": Infinity}'),
    "a number as a text": ('"number": 1}', '"number": "1"}'),
    "a number in a list": ('"number": 1}', '"number": [1]}'),
}


@pytest.mark.parametrize("name", TEXTS)
def test_both_checks_refuse_json_that_could_mean_two_things(name: str, tmp_path: Path) -> None:
    old, new = TEXTS[name]
    assert old in honest()
    document, engine = both(tmp_path / "forged.json", honest().replace(old, new, 1))
    assert (document, engine > 0) == (1, True)


@pytest.mark.parametrize(
    "rules",
    [
        TWO,
        RANDOM,
        *(pytest.param(each, marks=pytest.mark.deep) for each in (THREE, FOUR, FIVE, SIX, OLD, ALOUD)),
    ],
    ids=["2", "random", "3", "4", "5", "6", "five cards", "aloud"],
)
def test_an_honest_game_of_the_same_players_holds(rules: Any, tmp_path: Path) -> None:
    assert both(tmp_path / "game.json", honest(rules)) == (0, 0)
