"""The launcher: the process that is the parent of every bot. Beside the standard library it imports only its neighbours.

It has one thread and never uses grpc, so forking here is safe. It is a child subreaper: whatever a bot starts or leaves
behind stays below it. When its socket to the referee closes, for whatever reason, it kills everything below it, deletes the run
directory and ends. So neither an interrupt nor ``kill -9`` of the referee leaves a bot or a bot's child behind.

Between the launcher and each bot stands a *keeper*, a fork of the launcher that is the subreaper of that one bot: it
knows what belongs to the bot, drains the bot's output into a capped file, and reports the bot's end at once.

The socket carries one JSON object a packet. Requests: ``{"kill": id}``, and ``{"spawn": id, "thaw": [[file, text], ...],
"remove": [folder, ...]}`` with the descriptor of a file that only the keeper reads, as it tells the bot's token and bots may be forks of
the launcher: ``{"argv": [...], "env": {...}, "forked": bool, "cwd": path, "output": path, "cap": bytes, "live": bool}``.
``thaw`` is written before the bot is killed, as a bot whose cgroup is frozen does not die; ``remove`` are empty folders
to be removed at the very end, if the referee has not done it. ``forked`` allows to start the bot as `newborn.py` does. Reports:
``{"started": id, "pid": n}``, ``{"failed": id, "error": text}``, ``{"exited": id, "status": n}`` (exit code, or minus the
signal; None when unknown).
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

sys.path.append(os.path.abspath(__file__ + "/../../.."))  # started without the folders of packages

from mtref.server.newborn import Newborn, preload
from mtref.server.output import Output
from mtref.server.processtree import adopt_orphans, below, die_with_parent, kill_below, write_texts

PACKET = 1 << 20  # as in launching.py
CHUNK = 1 << 16
PATIENCE_S = 5.0
"""How long a keeper may take to end its bot. A bot of the same user can stop it again and again."""


def send(channel: socket.socket, report: dict[str, Any]) -> None:
    """One report to the referee, if it still listens."""
    with contextlib.suppress(OSError):
        channel.send(json.dumps(report).encode())


class Keeper:
    """The process between the launcher and one bot. Created in the fork; `run` never returns.

    `file` is the descriptor of its orders, `preloaded` whether a fork of this process can become a bot.
    """

    def __init__(self, name: int, file: int, channel: socket.socket, *, preloaded: bool) -> None:
        with open(file, "rb") as text:
            self.request = json.load(text)
        self.name, self.channel, self.preloaded = name, channel, preloaded
        self.doomed = False

    def run(self) -> None:
        """Start the bot, drain its output until it ends, kill what is left of it, report, exit.

        Raises `Newborn` in the process that is to become a forked bot.
        """
        os.setsid()
        die_with_parent()
        adopt_orphans()
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)  # or the bot would inherit that they are ignored
        signal.signal(signal.SIGTERM, self._killed)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        output = Output(self.request["output"], self.request["cap"], 2 if self.request["live"] else None)
        try:
            bot, pipe = self._fork() if self.preloaded and self.request["forked"] else self._start()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            send(self.channel, {"failed": self.name, "error": reason})
            os._exit(0)
        if self.doomed:
            self._kill()
        send(self.channel, {"started": self.name, "pid": bot})
        status = self._watch(bot, pipe, output, wake_read)
        write_texts(self.request["thaw"])
        kill_below(os.getpid())
        send(self.channel, {"exited": self.name, "status": status})
        os._exit(0)

    def _start(self) -> tuple[int, int]:
        """Start a program of its own: its process, and what it prints."""
        reading, writing = os.pipe2(os.O_CLOEXEC)
        bot = subprocess.Popen(
            self.request["argv"],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            cwd=self.request["cwd"],
            env=os.environ | self.request["env"],
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - safe here: one thread, no grpc
        )
        os.close(writing)
        bot.returncode = 0  # it is reaped here
        return bot.pid, reading

    def _fork(self) -> tuple[int, int]:
        """The same with a fork of this process, in which Newborn is raised."""
        reading, writing = os.pipe2(os.O_CLOEXEC)
        pid = os.fork()
        if not pid:
            env = os.environ | self.request["env"]
            raise Newborn(self.request["argv"], env, self.request["cwd"], writing)
        os.close(writing)
        return pid, reading

    def _watch(self, bot: int, pipe: int, output: Output, wake_read: int) -> int:
        os.set_blocking(pipe, False)
        poll = select.poll()
        poll.register(pipe, select.POLLIN)
        poll.register(wake_read, select.POLLIN)
        status: int | None = None
        while status is None:
            for descriptor, _ in poll.poll():
                if descriptor == wake_read:
                    os.read(wake_read, 4096)
                elif not self._drain(pipe, output, 1):
                    poll.unregister(pipe)
            status = self._reap(bot)
        self._drain(pipe, output, 64)
        output.finish()
        return status

    def _drain(self, pipe: int, output: Output, times: int) -> bool:
        """Read what is there, at most so many chunks. False when the pipe has ended."""
        for _ in range(times):
            try:
                data = os.read(pipe, CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            output.add(data)
        return True

    def _reap(self, bot: int) -> int | None:
        """Reap every child that ended; the status of the bot itself if it is among them."""
        status = None
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, code = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    break
                if pid == bot:
                    status = os.waitstatus_to_exitcode(code)
        return status

    def _killed(self, *_: object) -> None:
        """Asked to end the bot: everything below goes, and the watch ends by itself."""
        self.doomed = True
        self._kill()

    def _kill(self) -> None:
        write_texts(self.request["thaw"])
        for pid in below(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


class Launcher:
    """The event loop: requests from the referee, ends of keepers."""

    def __init__(self, channel: socket.socket, directory: str, modules: Sequence[str] = ()) -> None:
        self.channel, self.directory, self.modules = channel, directory, modules
        self.preloaded = False
        self.pid = os.getpid()
        self.keepers: dict[int, Any] = {}
        self.dying: dict[int, float] = {}  # since when
        self.thaw: dict[Any, list[list[str]]] = {}
        self.remove: list[str] = []

    def run(self) -> None:
        """Serve until the referee's end of the socket is closed, then leave nothing behind. Raises `Newborn` in a fork."""
        adopt_orphans()
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the referee decides; its end is ours
        watched: list[Any] = [self.channel, wake_read]
        try:
            self.preloaded = preload(self.modules)
            while True:
                ready, _, _ = select.select(watched, [], [], PATIENCE_S if self.dying else None)
                self._insist()
                if wake_read in ready:
                    os.read(wake_read, 4096)
                    self._reap()
                if self.channel in ready:
                    packet, files, _, _ = socket.recv_fds(self.channel, PACKET, 1)
                    if not packet:
                        return
                    self._serve(json.loads(packet), files)
        except OSError:
            return  # the socket is gone, and so is the referee
        finally:
            if os.getpid() == self.pid:  # and not in a fork that becomes a bot
                self._clear()

    def _clear(self) -> None:
        for texts in self.thaw.values():
            write_texts(texts)
        kill_below(self.pid)
        for folder in self.remove:
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        shutil.rmtree(self.directory, ignore_errors=True)

    def _serve(self, request: dict[str, Any], files: Sequence[int]) -> None:
        if "kill" in request:
            for pid, name in self.keepers.items():
                if name == request["kill"]:
                    os.kill(pid, signal.SIGTERM)
                    os.kill(pid, signal.SIGCONT)  # its bot may have stopped it
                    self.dying.setdefault(pid, time.monotonic())
            return
        self.thaw[request["spawn"]] = request["thaw"]
        self.remove += request["remove"]
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until the keeper can take it
        pid = os.fork()
        if not pid:
            try:
                Keeper(request["spawn"], files[0], self.channel, preloaded=self.preloaded).run()
            except Newborn:
                raise
            except BaseException:  # noqa: BLE001 - nothing else of the launcher is to run in this process
                os._exit(1)
        os.close(files[0])
        self.keepers[pid] = request["spawn"]

    def _insist(self) -> None:
        """Kill the keepers that do not end their bots."""
        for pid, since in self.dying.items():
            if time.monotonic() - since >= PATIENCE_S:
                os.kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        """Forget the keepers that ended. One that was killed from outside leaves its bot to us: kill that too."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, code = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                name = self.keepers.pop(pid, None)
                self.dying.pop(pid, None)
                texts = self.thaw.pop(name, [])
                if name is not None and code:
                    write_texts(texts)
                    self._kill_strays()
                    send(self.channel, {"exited": name, "status": None})

    def _kill_strays(self) -> None:
        """Kill whatever is below us and below no keeper, until nothing of it is left."""
        while True:
            strays = below(os.getpid()) - set(self.keepers)
            for keeper in self.keepers:
                strays -= below(keeper)
            if not strays:
                return
            for pid in strays:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(0.001)


def main(path: Sequence[str] | None = None) -> None:
    """Be the launcher, with the descriptor of the socket, the run directory and the modules to preload as arguments.

    `path` is what a Python has on its path before the folder of its script is added. Where bots are forked, all forks return from here, too.
    """
    os.umask(0o077)
    channel, bot = socket.socket(fileno=int(sys.argv[1])), None
    if path is not None:
        sys.path[:] = path
    try:
        Launcher(channel, sys.argv[2], sys.argv[3:]).run()
    except Newborn as newborn:
        bot = newborn.with_traceback(None)
    if bot is not None:  # outside the `except`, or its exceptions would tell of this one
        bot.live(sys.path[:], channel)


if __name__ == "__main__":
    main()
