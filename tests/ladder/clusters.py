"""A Dask cluster on this machine, of processes that are started again when they end, as a supervisor would."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

__all__ = ["Cluster", "running_cluster"]


class _Kept:
    """A process that is started again whenever it ends."""

    def __init__(self, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self._command, self._log = command, log
        self._environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "10s", **environment}
        self._stopping = threading.Event()
        self.process = self._start()
        self._keeper = threading.Thread(target=self._keep)
        self._keeper.start()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)

    def stop(self) -> None:
        self._stopping.set()
        self.process.send_signal(signal.SIGTERM)
        self._keeper.join(15)
        if self._keeper.is_alive():
            self.kill()
            self._keeper.join()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True, env=self._environment
            )

    def _keep(self) -> None:
        while True:
            self.process.wait()
            if self._stopping.wait(0.2):
                return
            self.process = self._start()


class Cluster:
    """A scheduler and some workers. ``address`` is the scheduler's."""

    def __init__(
        self, folder: Path, workers: Sequence[str], environment: Mapping[str, str], protocol: str
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"{protocol}://127.0.0.1:{port}"
        self.scheduler = _Kept(
            [
                *_program("scheduler"),
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
                "--protocol",
                protocol,
                "--no-dashboard",
            ],
            folder / "scheduler.log",
            environment,
        )
        self.workers = [
            _Kept(
                [
                    *_program("worker"),
                    self.address,
                    "--no-nanny",
                    "--nthreads",
                    "1",
                    "--no-dashboard",
                    *options.split(),
                    "--local-directory",
                    str(folder / f"worker{number}"),
                ],
                folder / f"worker{number}.log",
                environment,
            )
            for number, options in enumerate(workers)
        ]

    def stop(self) -> None:
        for kept in (*self.workers, self.scheduler):
            kept.stop()


def _program(part: str) -> list[str]:
    return [sys.executable, "-m", "dask", part]


@contextmanager
def running_cluster(
    folder: Path,
    workers: Sequence[str] = ("", ""),
    environment: Mapping[str, str] = MappingProxyType({}),
    protocol: str = "tcp",
) -> Iterator[Cluster]:
    """A cluster with a worker for each text of further options."""
    cluster = Cluster(folder, workers, environment, protocol)
    try:
        yield cluster
    finally:
        cluster.stop()
