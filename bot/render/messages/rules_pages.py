"""Pages beside the rules: the sources of the rule sets, and the worked examples of those sources."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model.custom_ids import RulesId, RulesPage
from bot.render.drawing import Drawing
from bot.render.layouts import BAIZE, Part, button, container, layout, row, subtext, text
from bot.render.text.rules import PRESET_NAMES, credit, page_buttons
from bot.render.text.rules_documents import DOCUMENTS, EXAMPLES, Document, Example, Work
from bot.render.text.spoken_counts import lines, spoken
from bot.render.text.voice import Voice
from bot.render.text.words import sentence
from engine import PRESETS, Cards, Score, count, running_count, scores_in_play, total


def sources_drawing(voice: Voice) -> Drawing:
    """The document of each rule set, with its author, reading list and licence."""
    congress = " · ".join(_name(preset, voice) for preset in PRESETS if preset not in DOCUMENTS)
    return layout(
        container(
            text(voice.gettext("## Sources of the rules"), f"**{congress}**", credit("standard", voice)),
            *(text(*_document(preset, each, voice)) for preset, each in DOCUMENTS.items()),
            row(*page_buttons(RulesPage.SOURCES, voice)),
            colour=BAIZE,
        )
    )


def example_drawing(place: int, voice: Voice) -> Drawing:
    """The worked example at `place`, or the last one, counted by the rules of its document."""
    place = min(place, len(EXAMPLES) - 1)
    example = EXAMPLES[place]
    title = voice.gettext("## Example {number} of {all}", number=place + 1, all=len(EXAMPLES))
    origin = voice.gettext(
        "From “{title}”, by {rules} rules",
        title=DOCUMENTS[example.preset].title,
        rules=_name(example.preset, voice),
    )
    return layout(
        container(
            text(title, subtext(origin)),
            *(text(*_counted(example, each, voice)) for each in example.sets),
            text(voice.gettext(example.point, told=voice.number(example.told))),
            row(
                _leads_to(max(place - 1, 0), voice.gettext("Previous"), enabled=place > 0),
                _leads_to(
                    min(place + 1, len(EXAMPLES) - 1),
                    voice.gettext("Next"),
                    enabled=place + 1 < len(EXAMPLES),
                ),
            ),
            row(*page_buttons(RulesPage.EXAMPLE, voice)),
            colour=BAIZE,
        )
    )


def scores_of(example: Example, some: Cards) -> tuple[Score, ...]:
    """The scores of one of the example's sets, by the rules of its document."""
    rules = PRESETS[example.preset]()
    if example.is_played:
        return scores_in_play(some, rules)
    # Without a starter any card may be called one: the suits of these cards score nothing.
    *hand, last = some
    return count(tuple(hand), starter=last, rules=rules).scores


def _counted(example: Example, some: Cards, voice: Voice) -> Iterator[str]:
    scores = scores_of(example, some)
    points = voice.ngettext("{number} point", "{number} points", total(scores))
    if example.has_starter:
        *hand, starter = some
        yield f"# {voice.faces.all(hand)}"
        yield voice.gettext("Starter: {starter}", starter=voice.faces.text(starter))
    else:
        yield f"# {voice.faces.all(some)}"
    if example.is_played:
        yield voice.gettext("In the play, up to a count of {count}", count=running_count(some))
    if example.is_played or not scores:
        yield f"**{points}**"
    else:
        yield f"**{points}** · {sentence(spoken(scores, total(scores), voice))}."
    yield from map(subtext, lines(scores, voice))


def _document(preset: str, document: Document, voice: Voice) -> Iterator[str]:
    yield voice.gettext(
        "**{name}:** “{title}”, {about}.",
        name=_name(preset, voice),
        title=document.title,
        about=voice.gettext(document.about),
    )
    yield voice.gettext(document.author) if document.author else voice.gettext("Author not named.")
    if document.licence:
        yield voice.gettext(
            "Licence: {licence}. The bot has the rules in its own words.", licence=_linked(document.licence)
        )
    else:
        yield voice.gettext("Licence not stated.")
    if document.reading:
        yield voice.gettext("Its reading list:")
        for work in document.reading:
            note = f", {voice.gettext(work.note)}" if work.note else ""
            yield f"- {_linked(work)}{note}"


def _linked(work: Work) -> str:
    return f"[{work.name}](<{work.url}>)" if work.url else work.name


def _name(preset: str, voice: Voice) -> str:
    return voice.gettext(PRESET_NAMES[preset])


def _leads_to(place: int, label: str, *, enabled: bool) -> Part:
    return button(RulesId(RulesPage.EXAMPLE, place), label, enabled=enabled)
