"""Bots that `mtref` does not start: by hand under a debugger, and over TCP with `mtref serve`."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
from pathlib import Path

import pytest

from tests.bots.villains import HERE
from tests.e2e.commands import ROOT, mtref, mtref_argv

GREEDY = "bots/greedy.py"
ONE_ROUND = ("--rule", "rounds=1", "--seed", "elsewhere")


def started(*args: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        mtref_argv(*args), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as first:
            port: int = first.getsockname()[1]
            try:
                for number in range(1, count):
                    socket.create_server(("127.0.0.1", port + number)).close()
            except OSError:
                continue
            return port


def told(referee: subprocess.Popen[str], bots: int) -> list[str]:
    """What is to be typed for each bot."""
    assert referee.stderr is not None
    lines: list[str] = []
    while len(lines) < bots:
        line = referee.stderr.readline()
        assert line, "the referee ended before it told everything"
        if line.startswith("  MTREF_ADDRESS="):
            lines.append(line.strip())
    return lines


def environment(line: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in shlex.split(line) if re.match("MTREF_[A-Z]+=", word))


def finished(referee: subprocess.Popen[str]) -> tuple[str, str]:
    with referee:
        try:
            return referee.communicate(timeout=120)
        finally:
            referee.kill()


def test_a_bot_started_by_hand_can_stop_in_the_debugger_for_as_long_as_it_likes() -> None:
    args = (
        "match",
        GREEDY,
        HERE / "debugged.py",
        *ONE_ROUND,
        "--debug",
        "--by-hand",
        2,
        "--move-time",
        "1ms",
    )
    referee = started(*args, "--bank", 0, "--json")
    (line,) = told(referee, 1)
    bot = subprocess.run(
        ["/bin/sh", "-c", line],
        input="p 6 * 7\nc\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    out, _ = finished(referee)
    assert referee.returncode == 0, bot.stderr
    assert "42" in bot.stdout and "went on after the breakpoint" in bot.stdout
    result = json.loads(out)
    assert result["clock"] is None and result["bots"][1]["faults"] == {}
    assert "bots not isolated, as others start them: 2" in result["sandbox"]["line"]


def test_with_debug_what_bots_print_appears_at_once() -> None:
    done = mtref("match", GREEDY, HERE / "floods.py", *ONE_ROUND, "--debug", "--sandbox", "none", "--json")
    assert done.returncode == 0
    assert len(done.stderr) > 2_000_000
    assert json.loads(done.stdout)["bots"][1]["faults"] == {}


def certificate(folder: Path) -> tuple[Path, Path]:
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run(
        ["openssl", *words.split(), *names, "-out", cert, "-keyout", key], check=True, capture_output=True
    )
    return cert, key


@pytest.mark.parametrize("secure", [True, False])
def test_serve_plays_several_games_with_bots_that_call_over_tcp(secure: bool, tmp_path: Path) -> None:
    safety: list[object] = ["--insecure"]
    if secure:
        cert, key = certificate(tmp_path)
        safety = ["--cert", cert, "--key", key]
    port = free_ports(2)
    args = ("serve", "ME=remote", "YOU=remote", GREEDY, *ONE_ROUND, "--games", 2, "--json")
    referee = started(*args, "--listen", f"127.0.0.1:{port}", "--move-time", 20, *safety)
    lines = told(referee, 2)
    assert all(("MTREF_CERT=" in line) is secure for line in lines)
    assert environment(lines[0])["MTREF_TOKEN"] != environment(lines[1])["MTREF_TOKEN"]
    argv = [mtref_argv()[0], str(ROOT / GREEDY)]
    bots = [subprocess.Popen(argv, env=os.environ | environment(line)) for line in lines]

    out, err = finished(referee)
    for bot in bots:
        with bot:
            assert bot.wait(60) == 0
    assert referee.returncode == 0, err
    result = json.loads(out)
    assert [game["number"] for game in result["games"]] == [1, 2]
    assert all(bot["faults"] == {} for bot in result["bots"])
    here = mtref("match", GREEDY, GREEDY, GREEDY, *ONE_ROUND, "--games", 2, "--in-process", "--json")
    assert [game["digest"] for game in result["games"]] == [
        game["digest"] for game in json.loads(here.stdout)["games"]
    ]


def test_a_bot_that_never_calls_is_named_when_the_limit_has_passed() -> None:
    args = ("serve", "ME=remote", GREEDY, *ONE_ROUND, "--insecure", "--join-limit", "500ms")
    done = mtref(*args, "--listen", f"127.0.0.1:{free_ports(1)}")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no game was played: bot 1, ME (remote), did not connect within 0.5 s" in done.stderr


def test_whoever_has_no_token_is_turned_away() -> None:
    port = free_ports(1)
    referee = started("serve", "ME=remote", GREEDY, *ONE_ROUND, "--insecure", "--listen", f"127.0.0.1:{port}")
    (line,) = told(referee, 1)
    argv = [mtref_argv()[0], str(ROOT / GREEDY)]
    false = os.environ | environment(line) | {"MTREF_TOKEN": "guessed"}
    stranger = subprocess.run(argv, env=false, capture_output=True, text=True, timeout=60, check=False)
    assert stranger.returncode == 1
    assert "UNAUTHENTICATED" in stranger.stderr
    assert subprocess.run(argv, env=os.environ | environment(line), timeout=60, check=False).returncode == 0
    finished(referee)
    assert referee.returncode == 0


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["ME=remote", GREEDY], "give --cert and --key, or --insecure"),
        (["ME=remote", GREEDY, "--insecure", "--listen", "0.0.0.0:7100"], "only this machine may be served"),
        (["ME=remote", GREEDY, "--cert", "x.pem"], "go together"),
        (["ME=remote", GREEDY, "--cert", "nosuch", "--key", "nosuch"], "cannot read nosuch"),
        (["ME=remote", GREEDY, "--insecure", "--listen", "7100"], "is no HOST:PORT"),
        ([GREEDY, GREEDY, "--insecure"], "no bot to wait for"),
    ],
)
def test_serve_is_never_careless(args: list[str], line: str) -> None:
    done = mtref("serve", *args)
    assert done.returncode in {1, 2}
    assert line in done.stderr and "Traceback" not in done.stderr
