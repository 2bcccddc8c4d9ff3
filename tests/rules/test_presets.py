"""The presets, value by value: against a snapshot, and against the tables and marks of the rulebook."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mtref_sdk.presetreasons import GENERAL_REASONS, READINGS, REASONS
from mtref_sdk.presets import PRESETS
from mtref_sdk.provenance import sources
from mtref_sdk.ruleoptions import OPTIONS
from mtref_sdk.ruleset import PRESET_NAMES, RuleSet, preset

ROOT = Path(__file__).parents[2]
SNAPSHOT: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "presets.json").read_text("utf-8"))
RULEBOOK = (ROOT / "docs" / "rules.md").read_text("utf-8")
DOCUMENTS = ("playboard", "dominos-cc", "online-table", "cubano", "traditional")


def table(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading of the rulebook, its head first, without the line below it."""
    section = RULEBOOK.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [rows[0], *rows[2:]]


PRESET_TABLE = table("3. Presets")
ROWS = {row[0].strip("`"): row[1:] for row in PRESET_TABLE[1:]}
ALL_OTHERS = next(row for row in PRESET_TABLE if row[0] == "all others")[1]


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_a_preset_has_exactly_these_values(name: str) -> None:
    assert preset(name).to_mapping() == SNAPSHOT[name]


def test_the_snapshot_has_every_preset() -> None:
    assert tuple(SNAPSHOT) == PRESET_NAMES


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_a_preset_is_found_by_its_name_in_a_mapping(name: str) -> None:
    assert RuleSet.from_mapping({"preset": name}) == preset(name)


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_the_rulebook_names_every_preset(name: str) -> None:
    assert f"`{name}`" in RULEBOOK


def test_the_rulebook_has_a_row_for_every_option_and_no_other() -> None:
    assert [row[0].strip("`") for row in table("2. Options")[1:]] == list(OPTIONS)


@pytest.mark.parametrize("option", table("2. Options")[1:], ids=lambda row: row[0].strip("`"))
def test_the_values_in_the_rulebook_are_the_allowed_ones(option: list[str]) -> None:
    name, values = option[0].strip("`"), option[1]
    if name in {"seats", "hand", "rounds", "double_blank"}:
        return  # ranges; what they allow is tested in test_ruleset.py
    listed = re.findall(r"[\w]+", values)
    assert sorted(listed) == sorted(re.findall(r"\w+", OPTIONS[name].allowed.replace(" or ", " ")))


@pytest.mark.parametrize("column", range(5), ids=DOCUMENTS)
@pytest.mark.parametrize("key", [row for row in ROWS if row in OPTIONS])
def test_the_table_of_presets_in_the_rulebook_is_what_the_presets_say(key: str, column: int) -> None:
    cell, name = ROWS[key][column], DOCUMENTS[column]
    rules = preset(name)
    plain = re.sub(r"\(.*?\)", "", cell).replace("▲", "").replace("`", "").strip()
    told = rules.to_mapping()[key]
    if key == "seats":
        assert plain == f"{told[0]}–{told[1]}"
    elif key == "hand":
        texts = {"cubano": "leave_per_seat: 2", "dominos-cc": "15"}
        assert cell.strip("`") == (texts.get(name) or hand_text(told))
    elif key == "rounds":
        assert rules.rounds == (rules.tile_set + 1 if plain == "all" else int(plain))
    else:
        assert plain.split(",")[0] == str(told)
    marked = key != "seats" and "▲" in cell
    assert (sources(rules)[key].kind == "reading") is marked


def hand_text(hand: dict[str, int]) -> str:
    """A hand map as the rulebook's table writes it: ``16 (2), 15 (3–4)``."""
    groups: dict[int, list[str]] = {}
    for seats, tiles in hand.items():
        groups.setdefault(tiles, []).append(seats)
    return ", ".join(
        f"{tiles} ({seats[0]}–{seats[-1]})" if len(seats) > 1 else f"{tiles} ({seats[0]})"
        for tiles, seats in groups.items()
    )


def test_all_others_in_the_table_of_presets() -> None:
    expected = {
        "first_turn_run": (False, set()),
        "boneyard": ("draw", set()),
        "trainless_draw": ("one", {"traditional"}),
        "marker_on_draw_elsewhere": (False, set()),
        "marker_removal": ("auto", {"traditional"}),
        "finish_on_double": (True, {"cubano"}),
        "double_blank": (0, set(DOCUMENTS) - {"dominos-cc"}),
    }
    for key, (value, readings) in expected.items():
        assert f"{key} {str(value).lower() if isinstance(value, bool) else value}" in ALL_OTHERS
        assert {getattr(preset(name), key) for name in DOCUMENTS} == {value}
        assert {name for name in DOCUMENTS if sources(preset(name))[key].kind == "reading"} == readings
    assert ALL_OTHERS.count("▲") == 4


def test_marked_seats_of_the_larger_sets_are_readings() -> None:
    assert "`cubano-12` ▲ 2–8" in RULEBOOK
    assert "`cubano-15` ▲ 2–10" in RULEBOOK
    for name in ("cubano-12", "cubano-15"):
        assert sources(preset(name))["seats"].kind == "reading"
    assert sources(preset("cubano"))["seats"].kind == "document"


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_every_value_has_a_source_and_a_reason(name: str) -> None:
    found = sources(preset(name))
    assert list(found) == list(OPTIONS)
    for source in found.values():
        assert source.reason
        assert source.document == PRESETS[name].document
        assert str(source) in {f"document {source.document}", "our reading"}


@pytest.mark.parametrize("name", [name for name in PRESET_NAMES if PRESETS[name].base])
def test_a_variant_gives_a_reason_for_every_change_and_shares_the_rest(name: str) -> None:
    entry = PRESETS[name]
    assert entry.base is not None
    base = preset(entry.base)
    for key in OPTIONS:
        differs = getattr(preset(name), key) != getattr(base, key)
        if differs and not (key == "rounds" and base.rounds == base.tile_set + 1):
            assert key in entry.changes
            assert key in REASONS[name]
        elif key not in REASONS[name]:
            assert sources(preset(name))[key] == sources(base)[key]


def test_reasons_are_for_options_that_exist() -> None:
    assert set(REASONS) == set(PRESET_NAMES)
    for keys in (*REASONS.values(), *READINGS.values(), GENERAL_REASONS):
        assert set(keys) <= set(OPTIONS)


def test_an_overridden_value_is_given_and_the_others_keep_their_source() -> None:
    found = sources(preset("cubano").with_overrides({"double_blank": 50, "lock": "table"}))
    assert (found["double_blank"].kind, found["double_blank"].reason) == ("given", "cubano has 0")
    assert found["double_blank"].document is None
    assert found["lock"] == sources(preset("cubano"))["lock"]


def test_without_a_preset_every_value_is_given() -> None:
    custom = RuleSet.from_mapping({**preset("playboard").to_mapping(), "preset": "custom"})
    assert {str(source) for source in sources(custom).values()} == {"given"}
