"""The picture of the open hands at a step of a finished game; drawn off the event loop."""

from __future__ import annotations

from functools import partial

from bot.features.replay.open_hands import open_hands_alt, open_hands_facts
from bot.model.table_record import TableRecord
from bot.render.drawing import DrawnFile
from bot.render.pictures.show import draw_show
from bot.render.text.voice import Voice
from bot.sync.illustrator import Illustrator
from engine import Step


async def open_hands_picture(
    record: TableRecord, step: Step, illustrator: Illustrator, voice: Voice
) -> DrawnFile | None:
    """All hands and the crib; `None` while no cards are dealt."""
    if not step.hands:
        return None
    facts = open_hands_facts(record, step)
    alt = open_hands_alt(record, step, voice)
    return await illustrator.picture("hands", facts, partial(draw_show, facts), alt)
