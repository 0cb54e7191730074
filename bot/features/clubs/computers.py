"""The names of the computers that fill up an event: bright stars, the same in every language."""

from __future__ import annotations

from typing import Final

COMPUTERS: Final = (
    *("Vega", "Rigel", "Mira", "Altair", "Spica", "Deneb", "Capella", "Castor", "Polaris", "Adhara"),
    *("Pollux", "Mizar", "Sirius", "Alcor", "Regulus", "Maia", "Procyon", "Electra", "Antares", "Merope"),
    *("Bellatrix", "Hadar", "Atria", "Izar", "Sabik", "Kochab", "Thuban", "Alioth", "Dubhe", "Merak"),
    *("Algol", "Nashira", "Tarazed", "Sadr", "Arneb", "Furud", "Gienah", "Hamal", "Naos", "Suhail"),
    *("Acamar", "Alnair", "Ankaa", "Avior", "Canopus", "Diphda", "Enif", "Markab", "Menkar", "Miaplacidus"),
    *("Nunki", "Phact", "Sargas", "Scheat", "Shaula", "Unukalhai", "Wezen", "Zaurak", "Alphard", "Alkaid"),
    *("Peacock", "Alhena", "Sheratan", "Kaus"),
)
"""Twice as many as an event has entrants, so that one is free whatever people call themselves."""
