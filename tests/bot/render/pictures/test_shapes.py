"""The sides' shapes differ without their colours."""

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

from bot.model.colours import Colour, Shape
from bot.render.pictures.shapes import shape_outline
from bot.render.pictures.sprites import badge, ink_on, mark


@pytest.mark.parametrize("shape", Shape)
def test_a_shape_fills_its_square_and_stays_within(shape: Shape) -> None:
    across, down = zip(*shape_outline(shape), strict=True)

    assert min(across) >= -0.005
    assert max(across) <= 1.005
    assert min(down) >= -0.005
    assert max(down) <= 1.005
    assert max(across) - min(across) >= 0.8
    assert max(down) - min(down) >= 0.8


def test_at_ten_pixels_every_two_shapes_differ() -> None:
    masks = {shape: _mask(shape, 10) for shape in Shape}

    for one, other in combinations(Shape, 2):
        difference = ImageChops.difference(masks[one], masks[other])
        assert ImageStat.Stat(difference).sum[0] >= 255 * 12, (one, other)


@pytest.mark.parametrize("colour", Colour)
def test_a_badge_and_a_mark_stand_out_from_a_plate_of_their_colour(colour: Colour) -> None:
    ink = ink_on(colour)
    for sprite in (badge(colour, 50), mark(colour, 50)):
        inked = {pixel: count for count, pixel in sprite.getcolors(1 << 16) or []}
        assert inked[(*ink, 255)] > 100


def _mask(shape: Shape, size: int) -> Image.Image:
    large = Image.new("L", (size * 8, size * 8))
    ImageDraw.Draw(large).polygon([(x * size * 8, y * size * 8) for x, y in shape_outline(shape)], fill=255)
    return large.resize((size, size), Image.Resampling.BOX)
