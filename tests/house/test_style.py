"""What the house style asks for and no linter checks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.repository import ROOT, files, python_files

# Put together here so that this file does not find itself.
MACHINE_PATHS = re.compile(
    "|".join(["/" + "work/", "/" + "root/", r"\.\." + "/shared", "/" + "home/[a-z]+/"])
)
PROMISES = re.compile(
    "|".join(
        [
            "TO" + "DO",
            "FIX" + "ME",
            r"pytest\.(?:mark\.)?(?:sk" + "ip|xf" + "ail)",
            "NotImple" + "mentedError",
        ]
    )
)
NAMES_OF_BUILTINS = {"hash", "match", "round", "set"}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_python_file_needs_a_table_of_contents() -> None:
    lengths = {relative(path): len(path.read_text("utf-8").splitlines()) for path in python_files()}
    assert {name: length for name, length in lengths.items() if length > 300} == {}


def test_no_file_is_called_after_nothing() -> None:
    vague = {"utils.py", "util.py", "helpers.py", "misc.py", "common.py"}
    assert [relative(path) for path in python_files() if path.name in vague] == []


def lines_with(pattern: re.Pattern[str], paths: tuple[Path, ...]) -> list[str]:
    found = []
    for path in paths:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:  # a binary fixture has no lines
            continue
        lines = enumerate(text.splitlines(), start=1)
        found += [f"{relative(path)}:{number}" for number, line in lines if pattern.search(line)]
    return found


def test_nothing_refers_to_the_machine_it_was_written_on() -> None:
    assert lines_with(MACHINE_PATHS, files()) == []


def test_code_makes_no_promises() -> None:
    assert lines_with(PROMISES, python_files()) == []


@pytest.mark.parametrize("path", python_files(), ids=relative)
def test_no_variable_or_parameter_has_a_name_that_means_something_else(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    stored = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    fields = {
        statement.target.id  # the field of a value, spelled as in the log, is not a variable
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
    assert (stored - fields | parameters) & NAMES_OF_BUILTINS == set()


def test_every_module_of_the_packages_says_what_lives_there() -> None:
    sources = [
        path
        for path in python_files()
        if path.is_relative_to(ROOT / "sdk") or path.is_relative_to(ROOT / "referee")
    ]
    assert [
        relative(path) for path in sources if not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ] == []
