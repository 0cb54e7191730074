"""The card faces of all pictures are drawn in advance."""

from __future__ import annotations

from bot.model.colours import standard_colours
from bot.render.pictures import show
from bot.render.pictures.cards import card_face
from bot.render.pictures.panels import starter_face
from bot.render.pictures.show import HandInPicture, ShowFacts, draw_show
from bot.sync.illustrator import Illustrator
from bot.sync.picture_cache import PictureCache
from engine import PACK


async def test_after_the_start_no_picture_of_two_players_waits_for_the_face_of_a_card() -> None:
    gallery = PictureCache()
    await Illustrator(gallery).prepare()
    gallery.close()
    faces, shown = card_face.cache_info().misses, show._with_its_shadow.cache_info().misses
    for first in range(0, len(PACK), 13):
        starter, *cards = PACK[first : first + 13]
        hands = (
            HandInPicture(colour=standard_colours(2)[0], cards=tuple(those), points=2, is_crib=False)
            for those in (cards[:4], cards[4:8], cards[8:])
        )
        draw_show(ShowFacts(starter=starter, hands=tuple(hands)))
        starter_face(starter)
    assert card_face.cache_info().misses == faces
    assert show._with_its_shadow.cache_info().misses == shown
