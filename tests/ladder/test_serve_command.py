"""`mtref ladder serve` over TLS, with two authors, real bots, and callers who do not keep to the rules."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from mtref.portal._proto import ladder_pb2 as pb
from mtref.portal.wire import SERVICE
from tests.e2e.commands import mtref, mtref_argv
from tests.ladder.processes import wait_until_gone
from tests.ladder.smallladder import small_ladder

pytestmark = pytest.mark.slow

HEALTH = "/grpc.health.v1.Health/Check"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
SERVING = 1
SETTINGS = "seats: 2\nsubmissions: {archive_mb: 1}\nbots: [{file: a.py}, {file: b.py}]\n"


class Served:
    """A ladder that is served, with the tokens of two authors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = small_ladder(folder / "x", SETTINGS)
        self.cert = folder / "cert.pem"
        words = (
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        )
        names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        files = ["-out", str(self.cert), "-keyout", str(folder / "key.pem")]
        subprocess.run(["openssl", *words.split(), *names, *files], check=True, capture_output=True)
        self.tokens = {
            name: mtref("ladder", "author", "add", name, "--ladder", self.path).stdout.strip()
            for name in ("ann", "bob")
        }
        safety = ("--cert", self.cert, "--key", folder / "key.pem", "--operator", "127.0.0.1:0")
        self.options = ("--listen", "localhost:0", *safety)
        self.process = subprocess.Popen(
            mtref_argv("ladder", "serve", self.path, *self.options),
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stderr is not None
        ports = {}
        for line in self.process.stderr:
            if " port " in line:
                ports[line.split()[0]] = line.split()[-1]
            if len(ports) == 2:
                break
        self.address, self.operator = f"localhost:{ports['authors']}", f"127.0.0.1:{ports['the']}"

    def ask(self, author: str, *words: object, code: int = 0) -> str:
        """What `mtref` prints for an author, who is given the address; its complaint if it is to fail."""
        environment = os.environ | {"MTREF_AUTHOR_TOKEN": self.tokens.get(author, author)}
        done = subprocess.run(
            mtref_argv(*words, "--ca", self.cert),
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    def channel(self) -> grpc.Channel:
        return grpc.secure_channel(self.address, grpc.ssl_channel_credentials(self.cert.read_bytes()))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"))
    bot = served.folder / "mine"
    bot.mkdir()
    (bot / "bot.py").write_text((served.path.parent / "a.py").read_text())
    (bot / "note.txt").write_text("a bot of two files")
    told = served.ask("ann", "submit", bot, "--to", served.address).splitlines()
    assert len(told) == 8 and told[-1].startswith("entered as mine@1 (content ")
    yield served
    served.process.send_signal(signal.SIGINT)
    last = served.process.communicate(timeout=60)[1].splitlines()[-1]
    assert served.process.returncode == 0
    again = " ".join(map(str, ("mtref ladder serve", served.path, *served.options)))
    assert last == f"stopped; to go on: {again}"
    wait_until_gone(str(served.folder))


def call(served: Served, method: str, data: bytes, token: str | None) -> grpc.StatusCode:
    """The status of a call with one message of these bytes."""
    metadata = () if token is None else (("authorization", f"Bearer {token}"),)
    with served.channel() as channel:
        asked: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/{method}")
        return asked.future(data, metadata=metadata, timeout=30).code()


def test_a_version_is_listed_plays_and_its_author_alone_has_its_logs(served: Served) -> None:
    again = json.loads(served.ask("ann", "submit", served.folder / "mine", "--to", served.address, "--json"))
    assert again["already"] and again["label"] == "mine@1"
    [version] = json.loads(served.ask("ann", "remote", "versions", served.address, "--json"))["versions"]
    assert version["label"] == "mine@1" and version["current"]
    assert served.ask("bob", "remote", "versions", served.address) == "no bot of yours is in the ladder\n"

    games: list[dict[str, object]] = []
    while not any(game["log"] for game in games):
        games = json.loads(served.ask("ann", "remote", "games", served.address, "--json"))["games"]
    logs = served.folder / "logs"
    served.ask("ann", "remote", "games", served.address, "mine", "--logs", logs)
    fetched = sorted(logs.iterdir())
    assert fetched and all(mtref("verify", path).returncode == 0 for path in fetched)
    [game, *_] = [str(game["id"]) for game in games if game["log"]]
    request = pb.DownloadLogRequest(game=game).SerializeToString()
    assert call(served, "DownloadLog", request, served.tokens["bob"]) is grpc.StatusCode.PERMISSION_DENIED

    rows = json.loads(served.ask("bob", "remote", "standings", served.address, "--json"))["rows"]
    assert {row["bot"] for row in rows} >= {"mine@1"}
    compared = json.loads(served.ask("bob", "remote", "head-to-head", served.address, "mine", "b", "--json"))
    assert compared["one"] == "mine@1" and compared["games"] > 0
    assert "nobody: takes no part" in served.ask(
        "ann", "remote", "head-to-head", served.address, "mine", "nobody", code=1
    )


def test_an_unrated_game_is_played_at_once_and_is_in_no_journal(served: Served) -> None:
    log = served.folder / "unrated.jsonl.zst"
    result = json.loads(
        served.ask("ann", "remote", "unrated", served.address, "mine", "b", "--log", log, "--json")
    )
    assert [seat["bot"] for seat in result["seats"]] == ["mine@1", "b"]
    assert mtref("verify", log).returncode == 0
    again = served.ask("ann", "remote", "unrated", served.address, "mine", "b", "--log", log, code=2)
    assert "exists already, and a log is never overwritten" in again
    deals = {
        json.loads(line)["deal"]
        for line in mtref("replay", "--json", log).stdout.splitlines()
        if '"deal":' in line
    }
    assert not deals & {"1", "2", "3"}
    assert "not one of your bots" in served.ask("bob", "remote", "unrated", served.address, "mine", code=1)


def test_nobody_gets_in_without_a_token_or_with_another_one(served: Served) -> None:
    wrong = served.ask("wrong", "remote", "standings", served.address, code=1)
    assert wrong == f"mtref: {served.address}: the token is missing or wrong\n"
    for token in (None, "", served.tokens["ann"][:-1], served.tokens["ann"] + "x"):
        for method in ("GetStandings", "Submit", "DownloadLog", "PlayUnrated", "ListGames"):
            assert call(served, method, b"", token) is grpc.StatusCode.UNAUTHENTICATED
    with grpc.insecure_channel(served.address) as channel:
        asked: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/GetStandings")
        with pytest.raises(grpc.RpcError):
            asked(b"", timeout=5)
    without = mtref("ladder", "serve", served.path)
    assert without.returncode == 2 and "give --cert and --key" in without.stderr
    public = mtref("ladder", "serve", served.path, "--insecure", "--listen", "0.0.0.0:0")
    assert public.returncode == 2 and "without TLS only this machine may be served" in public.stderr


def test_what_breaks_the_rules_is_ended_with_a_status_and_the_ladder_goes_on(served: Served) -> None:
    token = served.tokens["bob"]
    assert call(served, "ListGames", b"\xff\xff\xff", token) is grpc.StatusCode.INVALID_ARGUMENT
    assert call(served, "Submit", b"\xff\xff\xff", token) is grpc.StatusCode.INVALID_ARGUMENT
    no_header = pb.SubmitRequest(piece=b"x").SerializeToString()
    assert call(served, "Submit", no_header, token) is grpc.StatusCode.INVALID_ARGUMENT
    large = pb.SubmitRequest(piece=bytes(500_000)).SerializeToString()
    assert call(served, "Submit", large, token) is grpc.StatusCode.RESOURCE_EXHAUSTED
    huge = served.folder / "huge.py"
    huge.write_bytes(b"#" * (1 << 20) + b"\n")
    assert "refused: more than 1 MiB" in served.ask("bob", "submit", huge, "--to", served.address, code=1)
    link = served.folder / "link.py"
    link.symlink_to(huge)
    assert "a symbolic link" in served.ask("bob", "submit", link, "--to", served.address, code=1)
    broken = served.folder / "broken.py"
    broken.write_text("import nothing_of_that_name")
    assert "1 of 1 step failed" in served.ask("bob", "submit", broken, "--to", served.address, code=1)
    stolen = served.ask("bob", "submit", served.folder / "mine", "--to", served.address, code=1)
    assert "mine: belongs to another author" in stolen
    assert served.process.poll() is None
    assert list((served.path.parent / "ladder-state" / "uploads").iterdir()) == []


def test_health_and_reflection_are_the_operator_s(served: Served) -> None:
    with grpc.insecure_channel(served.operator) as channel:
        check: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(HEALTH)
        for service in ("", SERVICE):
            data = check(health_pb2.HealthCheckRequest(service=service).SerializeToString(), timeout=10)
            assert health_pb2.HealthCheckResponse.FromString(data).status == SERVING
        reflect: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(REFLECTION)
        asked = reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE).SerializeToString()
        [described] = reflect(iter([asked]), timeout=10)
        assert b"PlayUnrated" in described
    with served.channel() as channel:
        check = channel.unary_unary(HEALTH)
        assert check.future(b"", timeout=10).code() is grpc.StatusCode.UNIMPLEMENTED
    outside = mtref("ladder", "serve", served.path, "--insecure", "--operator", "0.0.0.0:0")
    assert outside.returncode == 2 and "the operator's port is for this machine only" in outside.stderr
