"""How many modules a start imports, which can be counted where time cannot be told: for the help, in a bot, in the referee of a match.

Run as a script it is one of these, and imports nothing itself before that.
"""

from __future__ import annotations

import sys
from importlib import import_module

SUBJECTS = ("python alone", "mtref --help", "a bot, until it is asked", "the referee, until it asks")


def imported() -> dict[str, int]:
    """The modules of each of the `SUBJECTS`, those of a Python that does nothing among them."""
    return dict(zip(SUBJECTS, (_count("nothing"), _count("help"), *_match()), strict=True))


def _count(subject: str) -> int:
    import subprocess  # noqa: PLC0415 - not to be counted

    done = subprocess.run([sys.executable, __file__, subject], check=True, capture_output=True, text=True)
    return int(done.stderr)


def _match() -> tuple[int, int]:
    """A bot's and the referee's. The bots are debugged, because then each is a Python of its own and imports what it needs itself."""
    import re  # noqa: PLC0415
    import subprocess  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    bot = str(Path(__file__).with_name("firstmove.py"))
    words = (bot, bot, "--sandbox", "none", "--debug")
    done = subprocess.run(
        [sys.executable, __file__, "match", *words], check=True, capture_output=True, text=True
    )
    counts = re.findall(r"first asked at [\d.]+ with (\d+) modules", done.stderr)
    return max(map(int, counts)), int(done.stderr.splitlines()[-1])


def _tell() -> None:
    sys.stderr.write(f"\n{len(sys.modules)}\n")


def _be(subject: str) -> None:
    if subject == "nothing":
        _tell()
        return
    main = import_module("mtref.cli.main").main  # which nothing imports; the script `mtref` calls it

    if subject == "help":
        sys.argv = ["mtref", "--help"]
        try:
            main()
        finally:
            _tell()
    from mtref.server.host import Host  # noqa: PLC0415

    begin, counts = Host.begin, []

    def counted(host: Host) -> None:
        counts.append(len(sys.modules))
        begin(host)

    Host.begin = counted  # type: ignore[method-assign, assignment]
    try:
        main()
    finally:
        sys.stderr.write(f"\n{counts[0]}\n")


if __name__ == "__main__":
    _be(sys.argv[1])
