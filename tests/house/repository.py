"""The repository as the house tests see it: its root, its files, the code blocks of its documents."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

__all__ = ["ROOT", "code_block", "command", "copy_to", "documents", "files", "python_files"]

ROOT = Path(__file__).resolve().parents[2]


@cache
def files() -> tuple[Path, ...]:
    """Every file under version control, and those that would be if they were added now."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (ROOT / name for name in listing.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def copy_to(folder: Path) -> None:
    """Copy every file into an empty folder, for what would leave something behind in the repository."""
    for path in files():
        place = folder / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def python_files() -> tuple[Path, ...]:
    """The Python files somebody wrote: all but the generated ones, and the bot whose point is a syntax error."""
    broken = ROOT / "tests" / "bots" / "broken.py"
    return tuple(
        path for path in files() if path.suffix == ".py" and "_proto" not in path.parts and path != broken
    )


def documents() -> tuple[Path, ...]:
    """The documents, in Markdown."""
    return tuple(path for path in files() if path.suffix == ".md")


def command(name: str) -> str:
    """The README's command `name`, found as `.ci/run` finds it: the code block after ``<!-- command: NAME -->``."""
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.search(rf"^<!-- command: {name} -->\n```bash\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found, f"README.md has no command {name}"
    return found[1].strip()


def code_block(path: Path, language: str, containing: str) -> str:
    """The first code block of a document that is in `language` and contains a text."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks, f"{path.name} has no block in {language}"
    return str(next(block for block in blocks if containing in block))
