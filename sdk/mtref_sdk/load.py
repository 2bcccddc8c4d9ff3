"""Loading a bot's .py file into this process, for play without processes and for tests. The file's code is trusted."""

from __future__ import annotations

import sys
import traceback
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType

from mtref_sdk.bot import Bot
from mtref_sdk.errors import ConfigError

__all__ = ["BotCaptured", "capture", "load_bot"]


class BotCaptured(BaseException):
    """Carries the bot out of a file that calls `run` while it is loaded instead of started; no error."""

    def __init__(self, bot: Bot) -> None:
        super().__init__("run() was called")
        self.bot = bot


capture: ContextVar[bool] = ContextVar("capture", default=False)
"""Whether `run` hands its bot over by raising `BotCaptured`; set by `load_bot` only."""


def load_bot(path: str | Path) -> Bot:
    """The bot that the file at `path` gives to `run`, ready for a session. The file's code runs up to that call.

    As when Python starts the file, ``__name__`` is ``"__main__"`` and the file's folder comes first on the path for
    its imports; both are undone afterwards, and modules from that folder are forgotten, so that two bots may each have
    a ``helper.py``. A bot loaded so must import what lies beside it at the top of its file.
    Raises ConfigError, in one line, for a file that cannot be read or compiled, raises, exits or never calls `run`.
    """
    file = Path(path)
    module = ModuleType("__main__")
    module.__file__ = str(file)
    before = sys.modules["__main__"], sys.argv, sys.path[:]
    known = set(sys.modules)
    token = capture.set(True)
    try:
        code = compile(file.read_bytes(), str(file), "exec")
        sys.modules["__main__"], sys.argv = module, [str(file)]
        sys.path.insert(0, str(file.resolve().parent))
        exec(code, module.__dict__)  # noqa: S102 - running the bot is what the caller asked for
    except BotCaptured as captured:
        return captured.bot
    except OSError as error:
        raise ConfigError(error.strerror or "cannot be read", where=str(file)) from error
    except SyntaxError as error:
        raise ConfigError(f"SyntaxError: {error.msg}", where=f"{file}:{error.lineno or 1}") from error
    except (Exception, SystemExit) as error:  # whatever a bot's file raises is for its author to read
        raise ConfigError(_said(error), where=_line(file, error)) from error
    finally:
        capture.reset(token)
        sys.modules["__main__"], sys.argv, sys.path[:] = before
        _forget_modules(file.resolve().parent, known)
    raise ConfigError("the file never calls run(…) with its bot", where=str(file))


def _forget_modules(folder: Path, known: set[str]) -> None:
    """Take the modules out of `sys.modules` that were imported from `folder` and are not `known`."""
    new = sys.modules.keys() - known
    local = {
        name
        for name in new
        if Path(getattr(sys.modules[name], "__file__", None) or "")
        in (folder / f"{name}.py", folder / name / "__init__.py")
    }
    for name in new:
        if name.partition(".")[0] in local:
            del sys.modules[name]


def _said(error: BaseException) -> str:
    return " ".join(traceback.format_exception_only(error)[-1].split())


def _line(file: Path, error: BaseException) -> str:
    """``file:line`` of the last line of the bot's file that was running."""
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)
    ]
    return f"{file}:{lines[-1]}" if lines else str(file)
