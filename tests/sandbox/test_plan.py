"""How a bot is started at each level, read from the plan: nothing is run here."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mtref.server.sandbox import enter
from mtref.server.sandbox.levels import MIB, Bot, InForce, Level, Limits
from mtref.server.sandbox.plan import Means, Plan, make_plan

BOT = Bot(
    command=("python", "bot.py", "--depth", "3"),
    folder=Path("/games/mine"),
    socket=Path("/run/7/s"),
    token="t0ken",
    scratch=Path("/run/7/tmp"),
    env={"MTREF_EXTRA": "1"},
    cwd=Path("/games"),
)
MEANS = Means(
    program="/opt/python/bin/python",
    system=(Path("/usr"),),
    readable=(Path("/opt/python"), Path("/games/mine")),
    env={"PYTHONPATH": "/opt/mtref"},
    listable=(Path("/opt/mtref"),),
    user=60600,
    members=("/sys/fs/cgroup/pids/b/cgroup.procs",),
    covers=[("/opt", [("/opt/python", False)])],
    filter=b"12345678",
    bwrap="/usr/bin/bwrap",
    landlock=6,
)


def orders(plan: Plan) -> dict[str, Any]:
    return enter.read(plan.env)


def environment(what: dict[str, Any]) -> dict[str, str]:
    """What the bot finds in its environment; bubblewrap itself is given it in a file."""
    if "files" not in what:
        return dict(what["env"])
    words = what["files"]["environment"].decode().split("\0")[:-1]
    assert set(words[::3]) == {"--setenv"}
    return dict(zip(words[1::3], words[2::3], strict=True))


@pytest.mark.parametrize("level", list(Level))
def test_the_token_is_in_the_environment_and_never_among_the_arguments(level: Level) -> None:
    plan = make_plan(level, BOT, Limits(), MEANS)
    assert "t0ken" not in " ".join(plan.argv)
    assert "t0ken" not in repr(plan) and "t0ken" not in repr(BOT)
    if level is not Level.NONE:
        assert "t0ken" not in " ".join(orders(plan)["argv"])
        assert environment(orders(plan))["MTREF_TOKEN"] == "t0ken"


def test_without_a_sandbox_a_bot_is_just_started() -> None:
    plan = make_plan(Level.NONE, BOT, Limits(), MEANS)
    assert plan.argv == ("/opt/python/bin/python", "bot.py", "--depth", "3")
    assert plan.env == {"MTREF_EXTRA": "1", "MTREF_ADDRESS": "unix:/run/7/s", "MTREF_TOKEN": "t0ken"}


@pytest.mark.parametrize("level", [Level.RLIMITS, Level.LANDLOCK, Level.BWRAP])
def test_a_sandboxed_bot_is_started_by_a_script_in_a_bare_interpreter(level: Level) -> None:
    plan = make_plan(level, BOT, Limits(), MEANS)
    assert plan.argv[:3] == (sys.executable, "-I", "-S")
    assert Path(plan.argv[3]).name == "enter.py"
    assert set(plan.env) == {"MTREF_ORDERS"}
    what = orders(plan)
    assert what["user"] == 60600
    assert what["join"] == MEANS.members
    assert what["covers"] == [("/opt", [("/opt/python", False)])]
    assert what["cwd"] == "/games"
    assert what["limits"].items() >= {"CORE": 0, "MEMLOCK": 0, "FSIZE": 16 * MIB, "NOFILE": 256}.items()
    assert environment(what).items() >= {"PYTHONPATH": "/opt/mtref", "MTREF_EXTRA": "1"}.items()


def test_rlimits_restrict_nothing_but_use() -> None:
    what = orders(make_plan(Level.RLIMITS, BOT, Limits(), MEANS))
    assert not {"landlock", "filter", "files"} & set(what)
    assert what["argv"] == ["/opt/python/bin/python", "bot.py", "--depth", "3"]
    assert what["env"]["HOME"] == what["env"]["TMPDIR"] == "/run/7/tmp"


def test_landlock_opens_the_runtime_the_bots_folder_and_a_scratch_folder() -> None:
    what = orders(make_plan(Level.LANDLOCK, BOT, Limits(), MEANS))
    files = what["landlock"]
    assert {"/usr", "/opt/python", "/games/mine", "/dev/urandom"} <= set(files["read"])
    assert files["list"] == ["/opt/mtref"]
    assert files["write"] == ["/run/7/tmp", "/dev/null"]
    assert files["version"] == 6
    assert what["filter"] == MEANS.filter


def test_bubblewrap_is_told_everything() -> None:
    what = orders(make_plan(Level.BWRAP, BOT, Limits(processes=40), MEANS))
    arguments = what["argv"]
    assert arguments[0] == "/usr/bin/bwrap"
    spaces = {"user", "pid", "ipc", "uts", "net"}
    assert {f"--unshare-{name}" for name in spaces} | {"--disable-userns", "--die-with-parent"} <= set(
        arguments
    )
    text = " ".join(arguments)
    assert "--ro-bind /run/7/s /run/mtref/referee" in text
    assert "--ro-bind /games/mine /games/mine" in text
    assert "--size 33554432 --perms 0700 --tmpfs /tmp" in text
    assert text.index("--tmpfs /tmp") < text.index("--ro-bind /games/mine") < text.index("--remount-ro / ")
    assert text.endswith("-- /usr/bin/prlimit --nproc=40 -- /opt/python/bin/python bot.py --depth 3")
    assert "--bind" not in arguments and "--setenv" not in arguments
    assert "--seccomp {filter}" in text and what["files"]["filter"] == MEANS.filter
    assert environment(what)["MTREF_ADDRESS"] == "unix:/run/mtref/referee"
    assert environment(what)["HOME"] == "/tmp"
    assert "NPROC" not in what["limits"]  # set inside, where it counts this bot alone


def test_where_there_is_no_cgroup_limits_of_a_process_stand_in() -> None:
    limits = Limits(memory=100 * MIB, processes=40)
    with_cgroup = orders(make_plan(Level.RLIMITS, BOT, limits, MEANS))["limits"]
    without = orders(make_plan(Level.RLIMITS, BOT, limits, replace(MEANS, members=())))["limits"]
    assert (with_cgroup["DATA"], without["DATA"]) == (150 * MIB, 100 * MIB)
    assert with_cgroup["NPROC"] == without["NPROC"] == 40


def test_an_ordinary_users_limit_on_processes_leaves_room_for_all_bots() -> None:
    limits = orders(make_plan(Level.LANDLOCK, BOT, Limits(processes=40), replace(MEANS, user=None)))["limits"]
    assert limits["TASKS_LEFT"] == 160 and "NPROC" not in limits


def test_levels_have_an_order() -> None:
    assert [level.strength for level in (Level.NONE, Level.RLIMITS, Level.LANDLOCK, Level.BWRAP)] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("level", list(Level))
def test_the_line_says_what_is_in_force_and_what_is_not(level: Level) -> None:
    facts = InForce(level, "your user", "512 MiB", "64", "signals", ("use the network",), "no bwrap")
    assert facts.line.startswith(f"sandbox: {level} ")
    assert "network" in facts.line and "\n" not in facts.line
    assert facts.to_mapping()["line"] == facts.line
    assert facts.to_mapping()["open"] == ["use the network"]
    json.dumps(facts.to_mapping())


def test_a_bots_environment_is_not_that_of_bubblewrap_which_would_load_what_it_names() -> None:
    bot = replace(BOT, env={"LD_PRELOAD": "./mine.so", "WORD": "two\nlines =\udcff"})
    what = orders(make_plan(Level.BWRAP, bot, Limits(), MEANS))
    assert what["env"] == {}
    assert what["argv"][:3] == ["/usr/bin/bwrap", "--args", "{environment}"]
    assert (
        b"--setenv\0LD_PRELOAD\0./mine.so\0--setenv\0WORD\0two\nlines =\xff\0" in what["files"]["environment"]
    )
