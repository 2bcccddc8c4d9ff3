"""The documents are read: their commands exist, their links lead somewhere, their bot is the bot that is tested."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from mtref import VERSION as referee_version  # noqa: N811 - there are two of them
from mtref.cli.main import command as mtref
from mtref_sdk import VERSION as sdk_version  # noqa: N811
from tests.house.repository import ROOT, code_block, command, documents, files

README = ROOT / "README.md"
SHELL_BLOCK = re.compile(r"^```(?:bash|sh|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def project(folder: str) -> dict[str, Any]:
    """The table `project` of a pyproject file."""
    table: dict[str, Any] = tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def mtref_commands() -> list[tuple[str, str]]:
    """Every call of `mtref` in a shell block of a document, as (document, line)."""
    found = []
    for document in documents():
        for block in SHELL_BLOCK.findall(document.read_text("utf-8")):
            lines = block.replace("\\\n", " ").splitlines()
            calls = (part.strip() for line in lines for part in re.split(r"&&|\|\|?|;", line))
            found += [(relative(document), call) for call in calls if re.match(r"(\S*/)?mtref\s", call)]
    return found


def test_one_command_installs_and_plays() -> None:
    play = command("play")
    assert "\n" not in play
    assert play.endswith("mtref match bots/greedy.py bots/random_bot.py")


def test_one_command_installs_and_tests() -> None:
    run_tests = command("test")
    assert "\n" not in run_tests
    assert run_tests.endswith("pytest -n 1")  # and nothing that leaves a test out


def test_continuous_integration_runs_the_commands_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.findall(r"^ *run_readme_command (\w+)", script, re.MULTILINE) == ["play", "test"]


def test_the_bot_in_the_readme_is_the_one_in_the_sdk_readme() -> None:
    bot = code_block(README, "python", containing="def choose")
    assert bot in (ROOT / "sdk" / "README.md").read_text("utf-8")
    assert len([line for line in bot.splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize(("document", "line"), mtref_commands())
def test_commands_and_options_that_documents_show_exist(document: str, line: str) -> None:
    name, *arguments = shlex.split(line, comments=True)[1:]
    if name.startswith("-"):
        return
    context = click.Context(mtref)
    subcommand = mtref.get_command(context, name)
    while isinstance(subcommand, click.Group) and arguments and not arguments[0].startswith("-"):
        subcommand = subcommand.get_command(context, arguments.pop(0))
    assert subcommand, f"{document} shows an unknown command: {line}"
    known = {
        option
        for parameter in subcommand.get_params(context)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    used = {argument.split("=")[0] for argument in arguments if argument.startswith("--")}
    assert used <= known, f"{document} shows an unknown option: {line}"


@pytest.mark.parametrize("document", documents(), ids=relative)
def test_links_lead_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", document.read_text("utf-8"))
    local = [target.split("#")[0] for target in targets if not re.match(r"https?://|#", target)]
    assert [target for target in local if not (document.parent / target).exists()] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_paths_that_guides_name_exist(name: str) -> None:
    named = re.findall(
        r"`((?:bots|docs|proto|referee|sdk|tests)/[\w./-]*)`", (ROOT / name).read_text("utf-8")
    )
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", documents(), ids=relative)
def test_make_targets_that_documents_name_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", document.read_text("utf-8"))) <= targets


def test_both_distributions_and_the_changelog_have_one_version() -> None:
    version = project(".")["version"]
    released = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert project("sdk")["version"] == version
    assert f"mtref-sdk=={version}" in project(".")["dependencies"]
    assert released[0] == version
    assert version == referee_version == sdk_version, (
        "what logs and bots tell is written in mtref and mtref_sdk"
    )


def test_both_distributions_carry_the_licence() -> None:
    assert (ROOT / "sdk" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert "Copyright (c)" in (ROOT / "LICENSE").read_text("utf-8")


def test_every_decision_is_numbered_and_linked_from_the_architecture() -> None:
    pages = [path.name for path in files() if path.parent == ROOT / "docs" / "decisions"]
    assert [name[:4] for name in pages] == [f"{number:04}" for number in range(1, len(pages) + 1)]
    architecture = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert [name for name in pages if f"decisions/{name}" not in architecture] == []
