"""The scenes of the lesson: every step, with what each wrong answer is told."""

from __future__ import annotations

from collections.abc import Iterator

from bot.features.lesson.deal import THROWN, at
from bot.features.lesson.illustrations import show_facts
from bot.features.lesson.messages import begun_drawing, end_drawing, record_of, remark, step_drawing
from bot.features.lesson.steps import STEPS, THROW, Picture, Step
from bot.render.drawing import DrawnFile
from bot.render.messages.lit_hands import lit_alt
from bot.render.messages.pictures import board_alt
from bot.render.text.voice import Voice
from tests.golden import Scene, scenes


def picture_of(step: Step, voice: Voice) -> DrawnFile | None:
    """The picture of a step, without its content."""
    match step.picture:
        case None:
            return None
        case Picture.BOARD:
            alt = board_alt(record_of(voice), at(step.moment).table, voice)
        case shown:
            alt = lit_alt(show_facts(shown, voice), voice)
    return DrawnFile(name="step.png", content=b"", description=alt)


@scenes("lesson", step_drawing, remark)
def steps(voice: Voice) -> Iterator[Scene]:
    for number, step in enumerate(STEPS):
        yield step.word, step_drawing(number, voice, drawn=picture_of(step, voice))
        wrong = [remark(step, each, voice) for each in step.choices if each.why]
        yield f"{step.word}, wrong", "\n".join(wrong)
        if step.word == THROW:
            for chosen in (THROWN[:1], THROWN):
                title = f"{step.word}, {len(chosen)} chosen"
                yield title, step_drawing(number, voice, chosen=chosen, why=wrong[0])
    yield "coming back", step_drawing(7, voice, came_back=True)


@scenes("lesson-pictures", show_facts)
def pictures(voice: Voice) -> Iterator[Scene]:
    for shown in (Picture.HAND, Picture.FIFTEENS, Picture.REST, Picture.DEALER):
        yield shown.value, show_facts(shown, voice)


@scenes("lesson-end", end_drawing, begun_drawing)
def end(voice: Voice) -> Iterator[Scene]:
    yield "the last screen", end_drawing(voice)
    yield "the first game has begun", begun_drawing(900, voice)
