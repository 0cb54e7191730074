"""The layers of the whole project: which module may import which, and what no rendering code may reach.

Within a layer files import each other in one direction, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LAYERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "bot": (
        ("concurrency", "language"),
        ("model", "config"),
        ("standings",),
        ("store", "render"),
        ("tables",),
        ("sync",),
        ("background", "interactions"),
        ("features", "gateway"),
        ("observing",),
        ("maintenance", "client", "ending", "owner"),
        ("app", "starting"),
        ("__main__",),
    ),
    "sandbox": (
        ("errors", "assumptions"),
        ("model",),
        ("validation", "rate_limits"),
        ("traffic",),
        ("gateway", "answers"),
        ("client", "rest"),
        ("faults",),
        ("server",),
        ("places",),
        ("__main__",),
    ),
    "bot/features": (tuple(path.parent.name for path in (ROOT / "bot/features").glob("*/__init__.py")),),
    "bot/render": (
        ("drawing", "pictures"),
        ("layouts",),
        ("text",),
        ("phone",),
        ("messages",),
    ),
    "bot/store": (
        ("connection", "copies"),
        ("damage",),
        ("records", "finished_games", "exports"),
        (
            "declined",
            "decks",
            "clubs",
            "daily",
            "drills",
            "squares",
            "reminders",
            "tallied",
            "rated",
            "seasons",
            "milestones",
        ),
        ("tables", "left_servers", "deletions"),
        ("wall", "history"),
        ("projection", "standings_queries"),
        ("people", "store"),
        ("drivers",),
        ("opening",),
        ("moving", "examination"),
    ),
    "bot/store/drivers": (
        ("migrations", "base"),
        ("sqlite", "postgresql"),
    ),
    "engine": (
        ("seats", "cards", "output"),
        ("errors",),
        ("spelling", "rules", "scores"),
        ("presets", "pegging", "moves", "events"),
        ("counting", "secret_events", "phases", "chance"),
        ("state", "codec", "squares"),
        ("notation", "legal", "evolution", "rulings"),
        ("soundness",),
        ("referee", "views"),
        ("game", "computer", "steps", "possible"),
        ("duties", "position"),
        ("coach", "replay", "fair"),
    ),
    "engine/fair": (
        ("canonical", "draws", "findings"),
        ("chain", "terms"),
        ("replaying",),
        ("ft2",),
        ("verdicts", "computers"),
        ("command",),
        ("__main__",),
    ),
}
"""By package, from the bottom up: a layer imports those below it, and modules of one layer not each other."""

EXCEPTIONS: dict[tuple[str, str], str] = {
    ("bot.config.settings", "bot.model"): "its errors are start-up errors, which stand in the one tree",
    ("bot.config.log_setup", "bot.model"): "the database's address knows which of its parts is a password",
}
"""Imports that cross the layers on purpose, with the reason."""

KNOWS_EVERY_CARD = tuple(
    f"engine.{each}"
    for each in ("Game", "decode", "encode", "read_game", "steps_of", "write_game", "write_game_as_json")
)
"""Exports of the engine that take whole logs: for code that keeps them, not for code that draws."""

CALLED_LIKE_A_MODULE = {
    "engine.cards",
    "engine.coach.advice",
    "engine.coach.best_squares",
    "engine.coach.win_chances",
}
"""Functions that a face offers; the modules of the same name stand behind it."""

FACES = {"engine", "engine.computer", "engine.duties", "engine.coach", "engine.secret_events", "engine.fair"}
FACES |= {"engine.fair.computers"}  # the check that takes seconds
FACES |= {"engine.output"}  # for each command
"""The modules of the engine that others import from."""

FORBIDDEN: list[tuple[str, tuple[str, ...]]] = [
    ("engine", ("bot", "sandbox", "discord", "benchmarks", "programs", "tests")),
    ("bot", ("sandbox", "benchmarks", "programs", "tests")),
    ("sandbox", ("engine", "bot", "benchmarks", "programs", "tests")),
    ("bot/concurrency", ("engine", "discord")),
    ("bot/config", ("engine", "discord")),
    ("bot/model", ("discord",)),
    ("bot/observing", ("engine", "discord")),
    ("bot/standings", ("discord",)),
    ("bot/store", ("discord",)),
    ("bot/render", ("engine.secret_events", "engine.fair", *KNOWS_EVERY_CARD)),
    (
        "engine/computer",
        (
            "engine.state",
            "engine.legal",
            "engine.referee",
            "engine.game",
            "engine.evolution",
            "engine.rulings",
        ),
    ),
]
"""A folder, and what no module in it may import."""

DRAW_IN_A_THREAD = {"illustrator", "illustrations", "card_emojis"}
"""The modules that call what draws a picture, away from the event loop: one takes tens of milliseconds."""

STARTS_THE_BOT = Path("sandbox/__main__.py")
"""The only module of the sandbox that may know of the bot."""

OF_THE_ENGINE = {"fair", "replay"}
"""Features named as modules of the engine are, which the core uses."""

NAMES_FEATURES = {
    "bot/app.py": "it lists them",
    "bot/store": "the schema, an export and a deletion know every table, whatever is offered",
}
"""Modules outside of the features that name one, with the reason."""

_IMPORT = re.compile(r"^[ \t]*(?:import .*|from \S+ import (?:\([^)]*\)|.*))", re.MULTILINE)


def files(folder: str) -> Iterator[Path]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        if path.relative_to(ROOT) != STARTS_THE_BOT:
            yield path


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parent.parts)


def imports_in(text: str) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import of a source, within functions too; parsing these lines alone takes a tenth of the time."""
    lines = "\n".join(found.strip() for found in _IMPORT.findall(text))
    try:
        tree = ast.parse(lines)
    except SyntaxError:  # a line of a text begins like an import
        tree = ast.parse(text)
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def imported(text: str, package: str) -> set[str]:
    """Every module and name that a source imports, by full name; relative imports start at `package`."""
    found: set[str] = set()
    for node in imports_in(text):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parts, *filter(None, [node.module])])
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def offences(text: str, package: str, forbidden: tuple[str, ...]) -> set[str]:
    return {name for name in imported(text, package) if any(is_within(name, each) for each in forbidden)}


def rooms(package: str) -> set[str]:
    """The modules and packages directly in a package."""
    here = ROOT / package
    return {
        path.stem
        for path in here.iterdir()
        if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()
    }


def above(package: str, room: str) -> tuple[str, ...]:
    """Modules that the package's room must not import: all that are not in a layer below it."""
    layers = LAYERS[package]
    own = next(level for level, layer in enumerate(layers) if room in layer)
    others = (each for layer in layers[own:] for each in layer if each != room)
    return tuple(f"{package.replace('/', '.')}.{each}" for each in others)


@pytest.mark.parametrize("package", LAYERS)
def test_every_room_of_the_package_stands_in_one_layer(package: str) -> None:
    placed = [room for layer in LAYERS[package] for room in layer]

    lacking = rooms(package) - set(placed)
    assert not lacking, f"put {', '.join(sorted(lacking))} into the layer of LAYERS above what it imports"
    assert sorted(placed) == sorted(rooms(package)), "LAYERS names each room once, and none that is gone"


@pytest.mark.parametrize("package", LAYERS)
def test_a_room_imports_only_rooms_below_it(package: str) -> None:
    for room in rooms(package):
        there = ROOT / package / room
        for path in sorted(there.rglob("*.py")) if there.is_dir() else [there.with_suffix(".py")]:
            excused = [allowed for (who, allowed) in EXCEPTIONS if who == module_of(path)]
            found = offences(path.read_text(), package_of(path), above(package, room))

            assert {name for name in found if not any(is_within(name, each) for each in excused)} == set(), (
                path
            )


def test_files_import_each_other_in_no_circle() -> None:
    known = {
        module_of(path): path
        for folder in ("engine", "bot", "sandbox", "benchmarks", "programs")
        for path in (ROOT / folder).rglob("*.py")
    }
    imports = {
        module: {
            name
            for name in imported(path.read_text(), package_of(path))
            if name in known and not is_within(module, name)  # its own package is imported before it anyway
        }
        for module, path in known.items()
    }

    TopologicalSorter(imports).prepare()  # refuses circles, if only for types, and names the files of one


def test_the_core_names_no_feature() -> None:
    for path in files("bot"):
        place = path.relative_to(ROOT)
        if place.is_relative_to("bot/features") or any(place.is_relative_to(each) for each in NAMES_FEATURES):
            continue
        found = named(path.read_text(), rooms("bot/features") - OF_THE_ENGINE)
        assert not found, (
            f"{place} has the identifier {', '.join(sorted(found))}, as a folder of bot/features: "
            "the core must not know the feature, and a folder of another name is needed if it does not"
        )


def named(text: str, names: set[str]) -> set[str]:
    """Those names that are identifiers in a source: attributes, arguments, and parts of imported modules."""
    if not any(name in text for name in names):
        return set()
    found = {part for name in imported(text, "bot") for part in name.split(".")}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=name):
                found.add(str(name))
    return found & names


def test_a_name_of_a_feature_would_be_found() -> None:
    for line in ("actions.clubs.open()", "f(clubs=1)", "import bot.features.clubs"):
        assert named(line, {"clubs", "daily"}) == {"clubs"}


def test_what_draws_a_message_of_a_feature_reaches_no_hidden_card() -> None:
    forbidden = next(names for folder, names in FORBIDDEN if folder == "bot/render")
    for path in files("bot/features"):
        if offences(path.read_text(), package_of(path), ("bot.render.layouts", "bot.render.pictures")):
            assert offences(path.read_text(), package_of(path), forbidden) == set(), path.relative_to(ROOT)


def test_nothing_in_a_folder_imports_what_it_may_not() -> None:
    for folder, forbidden in FORBIDDEN:
        for path in files(folder):
            assert offences(path.read_text(), package_of(path), forbidden) == set(), path.relative_to(ROOT)


def drawers(text: str) -> set[str]:
    """The functions that draw pictures, of those that a source imports or calls by their module's name."""
    if "draw_" not in text:
        return set()
    found = {name.rpartition(".")[2] for name in imported(text, "bot")}
    found |= {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    return {name for name in found if name.startswith("draw_")}


def test_no_picture_is_drawn_on_the_event_loop() -> None:
    pictures = ROOT / "bot" / "render" / "pictures"
    for path in files("bot"):
        if not path.is_relative_to(pictures) and path.stem not in DRAW_IN_A_THREAD:
            assert drawers(path.read_text()) == set(), f"{path.relative_to(ROOT)}: give it to the illustrator"


def test_drawing_is_found_however_it_is_imported() -> None:
    for text in (
        "from bot.render.pictures.show import draw_show",
        "from bot.render.pictures.show import draw_show as drawn",
        "from bot.render.pictures import show\nshow.draw_show(facts)",
        "import bot.render.pictures.show\nbot.render.pictures.show.draw_show(facts)",
    ):
        assert drawers(text) == {"draw_show"}


def test_the_engine_is_imported_at_its_faces() -> None:
    for path in (*files("bot"), *files("benchmarks"), *files("programs"), *files("tests")):
        place = path.relative_to(ROOT)
        if place.is_relative_to("tests/engine"):
            continue
        behind = set(engine_modules(path.read_text())) - FACES
        if place.is_relative_to("benchmarks"):  # they take the computer player apart
            behind = {each for each in behind if not is_within(each, "engine.computer")}

        assert behind == set(), place


def engine_modules(text: str) -> Iterator[str]:
    """The modules of the engine that a source imports, or imports from."""
    for node in imports_in(text):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if is_within(alias.name, "engine"))
        elif is_within(node.module or "", "engine"):
            yield str(node.module)
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (name for name in names if is_module(name) and name not in CALLED_LIKE_A_MODULE)


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def test_an_import_from_behind_the_face_would_be_found() -> None:
    for line in (
        "import engine.state",
        "from engine.events import Pegged",
        "from engine import referee",
        "def later():\n    from engine.computer.player import choose",
    ):
        assert set(engine_modules(line)) - FACES
    assert set(engine_modules("from engine import Pegged, cards, secret_events")) <= FACES


def test_settings_are_read_by_the_composition_root_alone() -> None:
    readers = {
        module_of(path)
        for path in files("bot")
        if offences(path.read_text(), "", ("bot.config",)) and path.parent.name != "config"
    }

    assert readers == {"bot.__main__", "bot.app"}


def test_a_forbidden_import_would_be_found() -> None:
    for line in (
        "import bot.store",
        "from bot.store import sqlite",
        "from bot.store import (\n    sqlite,  # twice\n    postgresql,\n)",
        "from bot import store",
        "from bot.store.store import Store as Kept",
        "from ..store import sqlite",
        "from .. import store",
        "def later():\n    import bot.store",
        '"""\nimport what is needed\n"""\nimport bot.store',
    ):
        assert offences(line, "bot.standings", above("bot", "standings"))
        assert not offences(line, "bot.standings", ("bot.storeroom", "engine"))
