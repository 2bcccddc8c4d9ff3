"""Referees on a Dask cluster. That a result counts once is the journal's doing; here work is only handed out and lost."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from mtref.ladder.cluster.parcel import blobs_of, pack
from mtref.ladder.config import LadderConfig
from mtref.ladder.job import Answer, Job, read_answer
from mtref.ladder.referees import LostError
from mtref.ladder.submit.collect import BotFiles as BotFolder
from mtref.ladder.submit.store import Store
from mtref_sdk.errors import ConfigError, MtrefError

try:
    from distributed import Client

    from mtref.ladder.cluster.remote import BotFiles, play_there
except ImportError as error:
    raise ConfigError("a cluster needs an extra: pip install 'mtref[dask]'", key="--cluster") from error

__all__ = ["DaskReferees"]

_CONNECT_SECONDS: Final = 10.0
_WORKERS_SECONDS: Final = 60.0
_PATIENCE_SECONDS: Final = 600.0
"""How long a scheduler may be away before the run gives up."""

_LEVELS_WITH_TAG: Final = ("bwrap", "landlock", "rlimits")
_A_LITTLE: Final = 0.001


class DaskReferees:
    """Hands jobs to the workers of a scheduler, and connects again when it comes back. Make it inside the event loop's run.

    Where the ladder asks for a level of isolation, only workers that have a resource of that name get jobs.
    """

    def __init__(self, address: str, config: LadderConfig) -> None:
        self._address, self._config = address, config
        self._blobs = blobs_of(config.bots)
        self._store = Store(config.store)
        self._folders: dict[str, BotFolder] = {}
        self._client: Any = None
        self._connecting = asyncio.Lock()
        self._jobs = 0

    async def play(self, job: Job, hear: Callable[[Answer], None]) -> Answer:
        """See the port."""
        client = await self._connected()
        await self._bring(client, [bot.content for bot in job.bots if bot.folder is not None])
        text = pack(job, self._config.bots, self._blobs)
        self._jobs += 1
        key = f"mtref-{self._jobs}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        future = client.submit(play_there, text, key=key, pure=False, retries=0, resources=self._resources())
        try:
            answers, logs = await self._result(client, future)
        finally:
            with contextlib.suppress(Exception):  # of a scheduler that is gone nothing can be asked
                future.release()
        *games, last = map(read_answer, answers)
        paths = {game.id: Path(game.log) for game in job.games}
        for answer in games:
            assert answer.game is not None
            paths[answer.game].write_bytes(logs[answer.game])
            hear(answer)
        return last

    async def close(self) -> None:
        """See the port. What still runs on workers ends unseen."""
        if self._client is not None:
            await self._drop(self._client)

    async def _result(self, client: Any, future: Any) -> Any:
        """What came of a future. Whatever the cluster fails at is a loss, which says nothing about the bots."""
        gone = asyncio.ensure_future(_until_lost(client))
        done = asyncio.ensure_future(future.result())
        try:
            await asyncio.wait({gone, done}, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise LostError("the scheduler of the cluster is gone")
            if done.cancelled():
                raise LostError("the cluster dropped the job")
            problem = done.exception()
            if problem is not None:
                raise LostError(
                    f"the cluster lost the job: {type(problem).__name__}: {problem}".partition("\n")[0]
                )
            return done.result()
        finally:
            gone.cancel()
            done.cancel()
            await asyncio.gather(gone, done, return_exceptions=True)

    async def _connected(self) -> Any:
        """A client of a scheduler that answers, with the bots' files on all its workers. Raises MtrefError after ten minutes."""
        async with self._connecting:
            if self._client is not None and self._client.status == "running":
                return self._client
            if self._client is not None:
                await self._drop(self._client)
                self._client = None
            until = asyncio.get_running_loop().time() + _PATIENCE_SECONDS
            while True:
                try:
                    self._client = await self._connect()
                except (OSError, TimeoutError) as error:
                    if asyncio.get_running_loop().time() > until:
                        raise MtrefError(f"{self._address}: no scheduler answers: {error}") from error
                    await asyncio.sleep(1)
                else:
                    return self._client

    async def _bring(self, client: Any, contents: Sequence[str]) -> None:
        """Let every worker have bots that were handed in, once each. Raises LostError."""
        async with self._connecting:
            for content in contents:
                if content not in self._folders:
                    fresh = {content: self._store.files(content)}
                    try:
                        await client.register_plugin(BotFiles(f"mtref-bot-{content[:16]}", {}, fresh))
                    except (OSError, TimeoutError) as error:
                        raise LostError("the scheduler of the cluster is gone") from error
                    self._folders |= fresh

    async def _connect(self) -> Any:
        make: Callable[..., Any] = Client
        client = await make(self._address, asynchronous=True, timeout=_CONNECT_SECONDS, set_as_default=False)
        try:
            await client.wait_for_workers(1, timeout=_WORKERS_SECONDS)
            tag = self._tag()
            tags = {
                name
                for worker in client.scheduler_info(n_workers=-1)["workers"].values()
                for name in worker["resources"]
            }
            if tag is not None and tag not in tags:
                raise MtrefError(
                    f"{self._address}: no worker has the tag {tag}, which sandbox: {tag} asks for;"
                    f" start workers with: dask worker --resources {tag}=1"
                )
            name = "mtref-bots-" + hashlib.sha256(" ".join(sorted(self._blobs)).encode()).hexdigest()[:16]
            await client.register_plugin(BotFiles(name, self._blobs, self._folders))
        except BaseException:
            await self._drop(client)
            raise
        return client

    async def _drop(self, client: Any) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            await client.close(timeout=2)

    def _tag(self) -> str | None:
        return self._config.sandbox if self._config.sandbox in _LEVELS_WITH_TAG else None

    def _resources(self) -> dict[str, float]:
        """A worker may play as many jobs as it has threads: only a little of the tag is asked for."""
        tag = self._tag()
        return {} if tag is None else {tag: _A_LITTLE}


async def _until_lost(client: Any) -> None:
    """Until a client has lost its scheduler."""
    while client.status == "running":  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.5)
