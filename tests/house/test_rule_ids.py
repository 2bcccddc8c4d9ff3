"""Every rule id stands in three places: the document, the code that implements it, and a test that shows it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.repository import ROOT, files

RULE_ID = re.compile(r"\bR-[a-z]+(?:-[a-z]+)*\b")
DOCUMENT = ROOT / "docs" / "rules.md"


def cited_in(paths: list[Path]) -> set[str]:
    return {rule for path in paths for rule in RULE_ID.findall(path.read_text("utf-8"))}


def under(folder: str, *suffixes: str) -> list[Path]:
    here = Path(__file__).parent
    inside = (path for path in files() if path.is_relative_to(ROOT / folder) and path.parent != here)
    return [path for path in inside if path.suffix in suffixes]


def defined() -> set[str]:
    """The ids that docs/rules.md defines, each in bold where its rule is stated."""
    found = re.findall(r"\*\*(R-[a-z-]+)\*\*", DOCUMENT.read_text("utf-8"))
    assert len(found) == len(set(found)), "a rule is defined twice"
    return set(found)


def test_the_document_defines_rules() -> None:
    assert len(defined()) > 30


def test_every_id_the_document_mentions_is_defined_there() -> None:
    assert cited_in([DOCUMENT]) - defined() == set()


def test_every_id_cited_anywhere_is_defined_in_the_document() -> None:
    places = under("referee", ".py") + under("sdk", ".py", ".md") + under("tests", ".py", ".yaml", ".json")
    places += under("docs", ".md") + under("proto", ".proto") + under("bots", ".py")
    assert cited_in(places) - defined() == set()


def test_every_rule_is_cited_by_the_code_that_implements_it() -> None:
    assert defined() - cited_in(under("referee/mtref/rules", ".py")) == set()


def test_every_rule_is_shown_by_a_scenario_or_a_test() -> None:
    assert defined() - cited_in(under("tests", ".py", ".yaml")) == set()
