"""Which folders a bot's program needs to run: the system's, the interpreter's, and those of mtref and mtref_sdk."""

from __future__ import annotations

import os
import shutil
import site
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import mtref
import mtref_sdk
from mtref.server.sandbox.levels import Bot

__all__ = [
    "bot_files",
    "outermost",
    "program",
    "program_folders",
    "python_environment",
    "python_folders",
    "python_roots",
    "system_paths",
]

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Programs and libraries of the system; some are links into /usr."""

SETTINGS: Final = (
    "etc/ld.so.cache",
    "etc/ld.so.conf",
    "etc/ld.so.conf.d",
    "etc/localtime",
    "etc/alternatives",
    "etc/java-*",
    "etc/ssl/openssl.cnf",
)
"""What programs of the system need of /etc, below /."""


def system_paths() -> list[Path]:
    """The paths of the system that exist here; links are among them as they are."""
    found = [Path(name) for name in SYSTEM if os.path.lexists(name)]
    return found + [path for pattern in SETTINGS for path in sorted(Path("/").glob(pattern))]


def outermost(paths: Iterable[Path]) -> list[Path]:
    """`paths` in order, without those below others, without doubles, and without what lies in /usr anyhow."""
    wanted = list(dict.fromkeys(paths))
    return [
        path
        for path in wanted
        if not path.is_relative_to("/usr")
        and not any(path != other and path.is_relative_to(other) for other in wanted)
    ]


def _with_target(path: Path) -> list[Path]:
    """A path as it is spelled, and the place it leads to when links are followed."""
    return list(dict.fromkeys([path, path.resolve()]))


def python_folders() -> list[Path]:
    """The folders of this interpreter, its environment, its packages, and both of ours wherever they are installed."""
    homes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    if site.ENABLE_USER_SITE:
        homes.append(site.getusersitepackages())
    folders = [Path(name) for name in homes if name != "/"] + [_package(mtref), _package(mtref_sdk)]
    return outermost(found for path in folders if path.exists() for found in _with_target(path))


def python_roots() -> list[Path]:
    """The folders in which our packages lie when that is not where packages are installed (an editable install)."""
    roots = dict.fromkeys(_package(module).parent for module in (mtref, mtref_sdk))
    return [root for root in roots if root.name not in {"site-packages", "dist-packages"}]


def python_environment() -> dict[str, str]:
    """Variables with which this interpreter finds in a bare environment what it finds in ours."""
    roots = python_roots()
    env = {"PYTHONPATH": os.pathsep.join(map(str, roots))} if roots else {}
    if site.ENABLE_USER_SITE and Path(site.getusersitepackages()).exists():
        env["PYTHONUSERBASE"] = site.getuserbase()
    return env


def _package(module: object) -> Path:
    return Path(str(getattr(module, "__file__", ""))).absolute().parent


def program(command: Sequence[str], cwd: Path) -> str:
    """The absolute path of the program that `command` starts in `cwd`; a bare python is the referee's interpreter.

    Links in the path are kept: a virtual environment is recognised by them. A program that cannot be found is left
    as it is, so that starting it tells why.
    """
    name = command[0]
    if name in {"python", "python3"}:
        return sys.executable
    if "/" in name:
        return os.path.normpath(cwd / name)
    return shutil.which(name) or name


def program_folders(executable: Path) -> list[Path]:
    """What a program outside the system needs to be readable: its installation if it has one, else the file itself."""
    found: list[Path] = []
    for path in _with_target(executable):
        root = path.parent.parent
        settings = root / "pyvenv.cfg"
        if settings.is_file():
            found += _with_target(root) + _base_of(settings)
        elif path.parent.name == "bin" and (root / "lib").is_dir() and not _is_private(root):
            found += _with_target(root)
        else:
            found.append(path)
    return outermost(found)


def _base_of(settings: Path) -> list[Path]:
    """The installation a virtual environment was made from."""
    for line in settings.read_text("utf-8", "replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "home":
            return _with_target(Path(value.strip()).parent)
    return []


def _is_private(folder: Path) -> bool:
    """Whether a folder is a place where much lies that is no bot's business: the home, or a folder around it."""
    home = Path(os.path.expanduser("~"))
    around = {parent for spelled in _with_target(home) for parent in (spelled, *spelled.parents)}
    return folder in around | {Path(tempfile.gettempdir())}


def bot_files(bot: Bot) -> tuple[list[Path], list[Path]]:
    """What a bot may read of its folder, and which folders it may besides list.

    All of the folder; without what is hidden, entry by entry, if something is. The files in it that its command names
    are always among it, and of a folder that holds the user's home, or of /tmp, nothing else is.
    """
    folder = _absolute(bot, bot.folder)
    words = [_absolute(bot, Path(word)) for word in bot.command]
    named = [path for path in words if path.is_file() and path.is_relative_to(folder)]
    if _is_private(folder):
        return named, []
    readable = _without(folder, [_absolute(bot, path) for path in bot.hidden])
    return (readable, []) if readable == [folder] else (outermost([*readable, *named]), [folder])


def _absolute(bot: Bot, path: Path) -> Path:
    return Path(os.path.normpath(bot.cwd / path))


def _without(path: Path, hidden: Sequence[Path]) -> list[Path]:
    if any(path.is_relative_to(secret) for secret in hidden):
        return []
    if not any(secret.is_relative_to(path) for secret in hidden):
        return [path]
    return [found for entry in sorted(path.iterdir()) for found in _without(entry, hidden)]
