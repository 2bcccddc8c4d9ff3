"""A fork of a Python that has imported everything becomes a bot, as if that bot's file had been started afresh.

Importing the SDK takes longer than all else until a bot's first move, so it is done once for all bots of a match, in the
launcher; what that means for isolation is told in docs/isolation.md. Beside the standard library only `enter.py`, and what
`preload` is told to import.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.machinery
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from types import CodeType, ModuleType, TracebackType
from typing import Any

from mtref.server.processtree import die_with_parent
from mtref.server.sandbox import enter

__all__ = ["Newborn", "preload"]


def preload(modules: Sequence[str]) -> bool:
    """Import these for all bots to come. False when that did not work, or left threads, with which nobody may fork.

    What they set in the environment is undone: a bot must see that happen, too.
    """
    before = dict(os.environ)
    try:
        for name in modules:
            importlib.import_module(name)
    except Exception:  # noqa: BLE001 - whatever it is, a Python of its own tells each bot
        return False
    finally:
        os.environ.clear()
        os.environ.update(before)
    gc.freeze()  # collections of bots need not look at these, nor copy their pages
    return bool(modules) and len(os.listdir("/proc/self/task")) == 1


class Newborn(BaseException):
    """Raised in the fork: unwinds it to where nothing of the launcher is running any more; there call `live`.

    `argv` is a Python with a file, or with `enter.py`, whose orders are in `env`. `output` is the descriptor bots print to.
    """

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: str, output: int) -> None:
        super().__init__("a bot")
        self._argv, self._env, self._cwd, self._output = list(argv), dict(env), cwd, output

    def live(self, path: Sequence[str], *sockets: socket.socket) -> None:
        """Be the bot. `path` is where a Python looks for modules, without the folder of its script; `sockets` are not the bot's.

        Returns, or raises, when the bot's file does; both is for the interpreter to deal with. For a file that cannot be run here
        as it would be in a Python of its own, that Python takes this process over.
        """
        parent = os.getppid()
        self._separate(sockets)
        try:
            argv, env = self._restricted(parent)
        except OSError as error:
            raise SystemExit(_complain(error)) from None
        script = argv[1]
        os.environ.clear()
        os.environ.update(env)
        code = _code(script)
        if code is None:
            os.execve(argv[0], argv, env)  # noqa: S606 - the same process
        sys.argv, sys.orig_argv = argv[1:], argv
        sys.path[:] = path if sys.flags.safe_path else [os.path.dirname(os.path.realpath(script)), *path]
        _run(script, code)

    def _separate(self, sockets: Sequence[socket.socket]) -> None:
        """A session of its own, its three streams and no other descriptor, and the signals as Python has them at first."""
        os.setsid()
        die_with_parent()
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(-1)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.dup2(self._output, 1)
        os.dup2(self._output, 2)
        for one in sockets:
            one.detach()
        for name in os.listdir("/proc/self/fd"):
            if int(name) > 2:
                with contextlib.suppress(OSError):  # the one this list was read from
                    os.close(int(name))

    def _restricted(self, parent: int) -> tuple[list[str], dict[str, str]]:
        """What is to be run, and in which environment, once this process is as small as it was ordered to be."""
        if os.path.abspath(enter.__file__) not in self._argv:
            os.chdir(self._cwd)
            return self._argv, self._env
        orders = enter.read(self._env)
        argv = enter.shrink(orders, parent)
        if orders.get("powerless"):  # which root is from its next program on
            os.execve(argv[0], argv, orders["env"])  # noqa: S606
        return argv, orders["env"]


def _complain(error: OSError) -> int:
    sys.stderr.write(enter.complaint(error))
    return enter.FAILED


def _code(script: str) -> CodeType | None:
    """The program in a file.

    None if it cannot be read or compiled, or if what lies beside it has the name of a module that was imported here already.
    """
    known = {name.partition(".")[0] for name in sys.modules} - {"__main__"}
    try:
        beside = os.listdir(os.path.dirname(os.path.realpath(script)))
        with open(script, "rb") as file:
            source = file.read()
        if known.isdisjoint(name.partition(".")[0] for name in beside):
            return compile(source, script, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError):
        pass  # Python itself says so in its own words
    return None


def _run(script: str, code: CodeType) -> None:
    """Run it as the program of this process. The lines of a traceback begin in its file."""
    main = ModuleType("__main__")
    loader = importlib.machinery.SourceFileLoader("__main__", script)
    main.__dict__.update(
        __annotations__={},
        __builtins__=sys.modules["builtins"],
        __cached__=None,
        __file__=script,
        __loader__=loader,
    )
    sys.modules["__main__"] = main
    try:
        exec(code, main.__dict__)  # noqa: S102 - this process is the bot's
    except BaseException:
        _hide_own_lines(script)
        raise


def _hide_own_lines(script: str) -> None:
    show = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> Any:
        inner = trace
        while inner is not None and inner.tb_frame.f_code.co_filename != script:
            inner = inner.tb_next
        return show(kind, error.with_traceback(inner or trace), inner or trace)

    sys.excepthook = hook
