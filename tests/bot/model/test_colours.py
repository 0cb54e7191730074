"""Calculated differences between the six colours for every kind of sight."""

from itertools import combinations

import numpy as np
import pytest

from bot.model.colours import Colour, standard_colours

SIGHT = {
    "normal sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices for linear RGB at full severity: G. M. Machado and others, "A Physiologically-based Model for
Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), table 1.
"""

XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)


@pytest.mark.parametrize("sight", SIGHT)
def test_every_two_colours_can_be_told_apart_with(sight: str) -> None:
    """Neighbouring patches differ clearly from a distance of about 10 in CIELAB."""
    seen = {each: _lab(each, sight) for each in Colour}

    for one, other in combinations(Colour, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 24, (one, other)


def test_shapes_emojis_and_values_are_all_different() -> None:
    for part in ("shape", "emoji", "value"):
        assert len({getattr(each, part) for each in Colour}) == len(Colour) == 6


@pytest.mark.parametrize("sides", [2, 3, 4, 5])
def test_each_number_of_sides_has_that_many_standard_colours(sides: int) -> None:
    assert len(set(standard_colours(sides))) == sides
    assert standard_colours(sides)[:2] == (Colour.RED, Colour.BLUE)


@pytest.mark.parametrize("sides", [0, 1, 6])
def test_no_other_number_of_sides_has_colours(sides: int) -> None:
    with pytest.raises(ValueError, match=str(sides)):
        standard_colours(sides)


def _lab(colour: Colour, sight: str) -> np.ndarray:
    """The colour in CIELAB (D65), as people with this sight see it."""
    shown = np.array(colour.rgb) / 255
    linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(SIGHT[sight]) @ linear, 0, 1)
    ratios = np.array(XYZ) @ seen / np.array(WHITE)
    x, y, z = np.where(ratios > 0.008856, np.cbrt(ratios), 7.787 * ratios + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
