"""The launcher: the small process that is the parent of every bot. Run as a script; beside the standard
library it imports only `processtree.py`.

It never imports grpc, so forking here is safe. It is a child subreaper: whatever a bot starts or leaves behind stays
below it. When its socket to the referee closes, for whatever reason, it kills everything below it, deletes the run
directory and ends. So neither an interrupt nor ``kill -9`` of the referee leaves a bot or a bot's child behind.

Between the launcher and each bot stands a *keeper*, a fork of the launcher that is the subreaper of that one bot: it
knows what belongs to the bot, drains the bot's output into a capped file, and reports the bot's end at once.

The socket carries one JSON object a packet. Requests: ``{"spawn": id, "argv": [...], "env": {...}, "unset": [...],
"cwd": path, "output": path, "cap": bytes, "live": bool, "thaw": [[file, text], ...], "remove": [folder, ...]}``, ``{"kill": id}``.
``thaw`` is written before the bot is killed, as a bot whose cgroup is frozen does not die; ``remove`` are empty folders
to be removed at the very end, if the referee has not done it. Reports: ``{"started": id, "pid": n}``,
``{"failed": id, "error": text}``, ``{"exited": id, "status": n}`` (exit code, or minus the signal; None when unknown).
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
from typing import Any

sys.path.append(os.path.abspath(__file__ + "/../../.."))  # started without the folders of packages

from mtref.server.processtree import adopt_orphans, below, die_with_parent, kill_below, write_texts

PACKET = 1 << 20
CHUNK = 1 << 16


def send(channel: socket.socket, report: dict[str, Any]) -> None:
    """One report to the referee, if it still listens."""
    with contextlib.suppress(OSError):
        channel.send(json.dumps(report).encode())


class Output:
    """A file that takes the beginning and, at the end, the last part of what a bot prints; the middle is counted.

    The beginning is written as it comes, so a file of a running bot can be read. Everything goes to the descriptor `live` too.
    """

    def __init__(self, path: str, cap: int, live: int | None) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._room, self._cap, self._live = cap, cap, live
        self._tail, self._beyond = b"", 0

    def add(self, data: bytes) -> None:
        """Take some more output."""
        if self._live is not None:
            with contextlib.suppress(OSError):
                os.write(self._live, data)
        head, rest = data[: self._room], data[self._room :]
        if head:
            self._write(head)
            self._room -= len(head)
        if rest:
            self._beyond += len(rest)
            self._tail = (self._tail + rest)[-self._cap :]

    def finish(self) -> None:
        """Write the last part and close."""
        if self._tail:
            dropped = self._beyond - len(self._tail)
            note = f"\n[... {dropped} bytes left out ...]\n".encode() if dropped else b""
            self._write(note + self._tail)
        os.close(self._file)

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # a full disk costs the bot nothing
            os.write(self._file, data)


class Keeper:
    """The process between the launcher and one bot. Created in the fork; `run` never returns."""

    def __init__(self, request: dict[str, Any], channel: socket.socket) -> None:
        self.request, self.channel, self.name = request, channel, request["spawn"]
        self.doomed = False

    def run(self) -> None:
        """Start the bot, drain its output until it ends, kill what is left of it, report, exit."""
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
            bot = self._start()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            send(self.channel, {"failed": self.name, "error": reason})
            os._exit(0)
        if self.doomed:
            self._kill()
        send(self.channel, {"started": self.name, "pid": bot.pid})
        status = self._watch(bot, output, wake_read)
        write_texts(self.request["thaw"])
        kill_below(os.getpid())
        send(self.channel, {"exited": self.name, "status": status})
        os._exit(0)

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {key: value for key, value in os.environ.items() if key not in self.request["unset"]}
        return subprocess.Popen(
            self.request["argv"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.request["cwd"],
            env=environment | self.request["env"],
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - safe here: one thread, no grpc
        )

    def _watch(self, bot: subprocess.Popen[bytes], output: Output, wake_read: int) -> int:
        assert bot.stdout is not None
        pipe = bot.stdout.fileno()
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
            status = self._reap(bot.pid)
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

    def __init__(self, channel: socket.socket, directory: str) -> None:
        self.channel, self.directory = channel, directory
        self.keepers: dict[int, Any] = {}
        self.thaw: dict[Any, list[list[str]]] = {}
        self.remove: list[str] = []

    def run(self) -> None:
        """Serve until the referee's end of the socket is closed, then leave nothing behind."""
        adopt_orphans()
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # the referee decides; its end is ours
        watched: list[Any] = [self.channel, wake_read]
        try:
            while True:
                ready, _, _ = select.select(watched, [], [])
                if wake_read in ready:
                    os.read(wake_read, 4096)
                    self._reap()
                if self.channel in ready:
                    packet = self.channel.recv(PACKET)
                    if not packet:
                        return
                    self._serve(json.loads(packet))
        except OSError:
            return  # the socket is gone, and so is the referee
        finally:
            for texts in self.thaw.values():
                write_texts(texts)
            kill_below(os.getpid())
            for folder in self.remove:
                with contextlib.suppress(OSError):
                    os.rmdir(folder)
            shutil.rmtree(self.directory, ignore_errors=True)

    def _serve(self, request: dict[str, Any]) -> None:
        if "kill" in request:
            for pid, name in self.keepers.items():
                if name == request["kill"]:
                    os.kill(pid, signal.SIGTERM)
            return
        self.thaw[request["spawn"]] = request["thaw"]
        self.remove += request["remove"]
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until the keeper can take it
        pid = os.fork()
        if not pid:
            try:
                Keeper(request, self.channel).run()
            finally:
                os._exit(1)
        self.keepers[pid] = request["spawn"]

    def _reap(self) -> None:
        """Forget the keepers that ended. One that was killed from outside leaves its bot to us: kill that too."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, code = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                name = self.keepers.pop(pid, None)
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


if __name__ == "__main__":
    os.umask(0o077)
    Launcher(socket.socket(fileno=int(sys.argv[1])), sys.argv[2]).run()
