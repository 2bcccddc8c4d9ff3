"""The calls of authors: each is let in, counted, parsed, answered. What is answered is made in `answers`, what takes long in errands."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from google.protobuf.message import DecodeError, Message

from mtref.ladder.authors import Authors
from mtref.ladder.listing import read_listing
from mtref.ladder.records import SeatRecord
from mtref.ladder.runner import LadderRun
from mtref.portal import answers
from mtref.portal._proto import ladder_pb2 as pb
from mtref.portal.errands import Errands
from mtref.portal.gate import Allowance, AskError, Gate
from mtref.portal.unrated import choose_table
from mtref.portal.wire import PIECE, SERVICE
from mtref.server.wiring import grpc
from mtref_sdk.errors import ConfigError, MtrefError

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]

__all__ = ["LadderService"]

_UPLOAD_SECONDS: Final = 120.0
_CALLS: Final = 120
_MINUTE, _HOUR = 60.0, 3600.0

_Asked = TypeVar("_Asked", bound=Message)


class LadderService:
    """Answers for one ladder that runs in this process."""

    def __init__(self, ladder: LadderRun) -> None:
        self._ladder, self._config = ladder, ladder.config
        self._gate = Gate(Authors(self._config.state))
        self._calls = Allowance(_CALLS, _MINUTE)
        self._submissions = Allowance(self._config.submissions.per_hour, _HOUR)
        self._unrated_games = Allowance(self._config.submissions.unrated_per_hour, _HOUR)
        self._errands = Errands()
        self._busy: set[str] = set()
        self._table_of, self._table = (-1, 0, 0), pb.GetStandingsResponse()
        self._folder = self._config.state / "uploads"
        shutil.rmtree(self._folder, ignore_errors=True)  # what was under way when the last server ended

    def handlers(self) -> grpc.GenericRpcHandler:
        """The calls by their names. All bytes are parsed here, so that broken ones end in a status and in no traceback."""
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "ListVersions": self._unary(pb.ListVersionsRequest, self._versions),
                "GetStandings": self._unary(pb.GetStandingsRequest, self._standings),
                "CompareBots": self._unary(pb.CompareBotsRequest, self._compare),
                "ListGames": self._unary(pb.ListGamesRequest, self._games),
                "DownloadLog": self._streaming(pb.DownloadLogRequest, self._log),
                "PlayUnrated": self._streaming(pb.PlayUnratedRequest, self._unrated),
                "Submit": grpc.stream_stream_rpc_method_handler(self._submit),
            },
        )

    # -- one answer

    async def _versions(self, author: str, _: pb.ListVersionsRequest) -> Message:
        return answers.versions(self._ladder.journal, self._ladder.tally.sums(), author)

    async def _standings(self, _: str, __: pb.GetStandingsRequest) -> Message:
        seen = (self._ladder.tally.games, *self._ladder.journal.register.state())
        if seen != self._table_of:  # while nothing has changed, nobody can make us fit the ratings again
            self._table_of, self._table = seen, answers.standings(self._config.name, self._ladder.table())
        return self._table

    async def _compare(self, _: str, asked: pb.CompareBotsRequest) -> Message:
        return answers.compared(self._ladder.journal, self._ladder.tally.sums(), asked.one, asked.two)

    async def _games(self, author: str, asked: pb.ListGamesRequest) -> Message:
        return await asyncio.to_thread(answers.games, self._config, author, asked.bot, asked.after)

    # -- many

    async def _log(self, author: str, asked: pb.DownloadLogRequest) -> AsyncGenerator[Message, None]:
        for piece in _pieces(answers.log_path(self._config, self._ladder.journal, author, asked.game)):
            yield pb.DownloadLogResponse(piece=piece)

    async def _unrated(self, author: str, asked: pb.PlayUnratedRequest) -> AsyncGenerator[Message, None]:
        listing = read_listing(self._ladder.journal)
        table = choose_table(listing, author, asked.bot, list(asked.opponents), self._config.seats)
        self._unrated_games.take(author)
        with self._alone(author), self._scratch() as folder:
            log = folder / "game.jsonl.zst"
            order = {"task": "unrated", "ladder": str(self._config.path), "bots": table, "log": str(log)}
            async with contextlib.aclosing(self._errands.run(order)) as news:
                answer = await anext(news)
            if "seats" not in answer:
                yield pb.PlayUnratedResponse(refused=answer["refused"])
                return
            seats = answers.seats(map(SeatRecord.from_plain, answer["seats"]))
            yield pb.PlayUnratedResponse(result=pb.UnratedResult(seats=seats))
            for piece in _pieces(log):
                yield pb.PlayUnratedResponse(piece=piece)

    async def _submit(self, requests: AsyncIterator[bytes], context: Context) -> AsyncGenerator[bytes, None]:
        try:
            author = self._let_in(context)
            self._submissions.take(author)
            with self._alone(author), self._scratch() as folder:
                header = await self._receive(requests, folder / "sent")
                order = {
                    "task": "submit",
                    "ladder": str(self._config.path),
                    "file": str(folder / "sent"),
                    "file_name": header.file_name,
                    "name": header.name,
                    "author": author,
                }
                async with contextlib.aclosing(self._errands.run(order)) as news:
                    async for answer in news:
                        yield _news(answer).SerializeToString()
        except MtrefError as error:
            await context.abort(_status(error), str(error))

    async def _receive(self, requests: AsyncIterator[bytes], path: Path) -> pb.SubmitHeader:
        """Write what is sent to a file, and no more of it than may be."""
        limits = self._config.submissions.limits
        header: pb.SubmitHeader | None = None
        size = 0
        try:
            with path.open("wb") as file:
                async with asyncio.timeout(_UPLOAD_SECONDS):
                    async for data in requests:
                        request = _parsed(pb.SubmitRequest, data)
                        if request.HasField("header") != (header is None):
                            raise _bad("the header comes first, and once")
                        if header is None:
                            header = request.header
                        size += len(request.piece)
                        if size > limits.archive_bytes:
                            raise AskError(
                                grpc.StatusCode.RESOURCE_EXHAUSTED,
                                f"refused: more than {limits.archive_mb} MiB",
                            )
                        file.write(request.piece)
        except TimeoutError:
            raise AskError(
                grpc.StatusCode.DEADLINE_EXCEEDED,
                f"nothing is waited for longer than {_UPLOAD_SECONDS:.0f} s",
            ) from None
        if header is None:
            raise _bad("nothing was sent")
        return header

    # -- what all have in common

    def _let_in(self, context: Context) -> str:
        author = self._gate.author(context)
        self._calls.take(author)
        return author

    def _unary(
        self, kind: type[_Asked], answer: Callable[[str, _Asked], Awaitable[Message]]
    ) -> grpc.RpcMethodHandler[bytes, bytes]:
        async def handle(data: bytes, context: Context) -> bytes:
            try:
                return (await answer(self._let_in(context), _parsed(kind, data))).SerializeToString()
            except MtrefError as error:
                await context.abort(_status(error), str(error))

        return grpc.unary_unary_rpc_method_handler(handle)

    def _streaming(
        self, kind: type[_Asked], answer: Callable[[str, _Asked], AsyncGenerator[Message, None]]
    ) -> grpc.RpcMethodHandler[bytes, bytes]:
        async def handle(data: bytes, context: Context) -> AsyncGenerator[bytes, None]:
            try:
                author = self._let_in(context)
                async with contextlib.aclosing(answer(author, _parsed(kind, data))) as messages:
                    async for message in messages:
                        yield message.SerializeToString()
            except MtrefError as error:
                await context.abort(_status(error), str(error))

        return grpc.unary_stream_rpc_method_handler(handle)

    @contextlib.contextmanager
    def _alone(self, author: str) -> Iterator[None]:
        """One long call of an author at a time."""
        if author in self._busy:
            raise AskError(grpc.StatusCode.RESOURCE_EXHAUSTED, "one at a time; wait for the other one")
        self._busy.add(author)
        try:
            yield
        finally:
            self._busy.discard(author)

    @contextlib.contextmanager
    def _scratch(self) -> Iterator[Path]:
        folder = (self._folder / secrets.token_hex(8)).absolute()
        folder.mkdir(parents=True, mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _parsed(kind: type[_Asked], data: bytes) -> _Asked:
    message = kind()
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise _bad("the message cannot be read") from None
    return message


def _bad(why: str) -> AskError:
    return AskError(grpc.StatusCode.INVALID_ARGUMENT, why)


def _status(error: MtrefError) -> grpc.StatusCode:
    if isinstance(error, AskError):
        return error.status
    return grpc.StatusCode.NOT_FOUND if isinstance(error, ConfigError) else grpc.StatusCode.INTERNAL


def _news(answer: dict[str, Any]) -> pb.SubmitResponse:
    if "step" in answer:
        return pb.SubmitResponse(step=pb.Step(**answer["step"]))
    if "admitted" in answer:
        return pb.SubmitResponse(admitted=pb.Admitted(**answer["admitted"]))
    return pb.SubmitResponse(refused=answer["refused"])


def _pieces(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
    except OSError as error:
        raise AskError(grpc.StatusCode.NOT_FOUND, f"the log cannot be read: {error.strerror}") from error
