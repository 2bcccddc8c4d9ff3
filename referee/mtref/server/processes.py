"""The referee's side of the launcher: start and end bot processes, and hear of their ends at once. No grpc here."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from mtref.server.launching import PACKET, PATIENCE_S, LauncherProcess, make_run_directory
from mtref_sdk.errors import MtrefError

__all__ = ["OUTPUT_CAP", "Launcher", "Process", "SpawnError", "ended_text", "make_run_directory"]

OUTPUT_CAP = 64 * 1024
"""Bytes kept of the beginning and of the end of what a bot prints."""


class SpawnError(MtrefError):
    """A program that could not be started at all."""


def ended_text(status: int | None) -> str:
    """How a process ended, in words: an exit code, or the name of the signal (minus the number)."""
    if status is None:
        return "was killed"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}"
        return f"was killed by signal {-status}"
    return f"ended with exit code {status}"


class Process:
    """One bot process. ``pid`` is its process id, ``exited`` is done with its status as soon as it ends."""

    def __init__(self, launcher: Launcher, number: int, output: Path) -> None:
        loop = asyncio.get_running_loop()
        self.number = number
        self.pid = 0
        self.exited: asyncio.Future[int | None] = loop.create_future()
        self.started: asyncio.Future[None] = loop.create_future()
        self._launcher, self._output = launcher, output

    def kill(self) -> None:
        """End it and everything it started; ``exited`` tells when that is done. Does nothing when it has ended."""
        if not self.exited.done():
            self._launcher.end(self.number)

    async def ended(self) -> None:
        """Returns when it has ended. Unlike ``exited`` itself, this may be cancelled."""
        await asyncio.shield(self.exited)

    def output(self) -> bytes:
        """What it has printed so far; the last part of much output only once it has ended."""
        try:
            return self._output.read_bytes()
        except OSError:
            return b""


class Launcher:
    """A running launcher process. Use as ``async with``; leaving ends every bot and deletes the run directory."""

    def __init__(self, process: LauncherProcess) -> None:
        self.directory = process.directory
        self._process, self._channel = process, process.channel
        self._processes: dict[int, Process] = {}
        self._next = 0
        self.lost: asyncio.Future[None]

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self.lost = loop.create_future()
        loop.add_reader(self._channel, self._read)
        return self

    async def __aexit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._channel)
        await asyncio.to_thread(self._process.close)

    async def spawn(
        self,
        argv: Sequence[str],
        env: Mapping[str, str],
        output: Path,
        *,
        thaw: Sequence[tuple[str, str]] = (),
        remove: Sequence[str] = (),
        forked: bool = False,
    ) -> Process:
        """Start a program with these additions to the environment, in a session of its own, stdin closed.

        With `forked` it is a file for our own Python, and a fork of a preloaded one will do, if there is one.
        `thaw` and `remove` are those of a sandbox's `Prepared`. Raises SpawnError when there is no such program or it may not be run.
        """
        self._next += 1
        process = self._processes[self._next] = Process(self, self._next, output)
        orders = {
            "argv": list(argv),
            "env": dict(env),
            "forked": forked,
            "cwd": os.getcwd(),
            "output": str(output),
            "cap": OUTPUT_CAP,
            "live": self._process.live,
            "thaw": list(thaw),
        }
        file = os.memfd_create("orders", os.MFD_CLOEXEC)
        try:
            os.write(file, json.dumps(orders).encode())
            os.lseek(file, 0, os.SEEK_SET)
            self.request({"spawn": self._next, "thaw": list(thaw), "remove": list(remove)}, file)
        finally:
            os.close(file)
        try:
            await process.started
        except asyncio.CancelledError:
            process.kill()
            raise
        return process

    def end(self, number: int) -> None:
        """End this process. A launcher that cannot do it is killed itself, and is `lost` with all bots."""
        with contextlib.suppress(MtrefError):  # a launcher that is gone took it along
            self.request({"kill": number})
        asyncio.get_running_loop().call_later(PATIENCE_S, self._insist, number)

    def _insist(self, number: int) -> None:
        if number in self._processes:
            self._process.child.kill()

    def request(self, packet: dict[str, Any], *files: int) -> None:
        """Send a request, and descriptors with it. Raises MtrefError when the launcher is gone or the request is too long."""
        try:
            socket.send_fds(self._channel, [json.dumps(packet).encode()], files)
            self._process.wake()
        except OSError as error:
            raise MtrefError(
                f"the process that starts the bots cannot be reached: {error.strerror}"
            ) from error

    def _read(self) -> None:
        while True:
            try:
                packet = self._channel.recv(PACKET)
            except BlockingIOError:
                return
            except OSError:
                packet = b""
            if not packet:
                self._lose()
                return
            self._hear(json.loads(packet))

    def _hear(self, report: dict[str, Any]) -> None:
        kind, number = next(iter(report.items()))
        process = self._processes[number]
        if kind == "started":
            process.pid = report["pid"]
            if not process.started.done():  # whoever waited has been cancelled
                process.started.set_result(None)
            return
        del self._processes[number]
        if not process.started.done():
            text = f"cannot be started: {report['error']}" if kind == "failed" else "could not be started"
            process.started.set_exception(SpawnError(text))
        if not process.exited.done():
            process.exited.set_result(report.get("status"))

    def _lose(self) -> None:
        """The launcher died: so did every bot. Whoever runs the match is told by ``lost``."""
        asyncio.get_running_loop().remove_reader(self._channel)
        for process in self._processes.values():
            if not process.started.done():
                process.started.set_exception(SpawnError("could not be started"))
            if not process.exited.done():
                process.exited.set_result(None)
        self._processes.clear()
        if not self.lost.done():
            self.lost.set_result(None)
