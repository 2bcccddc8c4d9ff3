"""What a start imports, as continuous integration can hold it: most of its time is spent on that."""

from __future__ import annotations

import json
from pathlib import Path

from mtref.bench.imports import SUBJECTS, imported

CEILINGS = Path(__file__).with_name("imports.json")
LIMITS: dict[str, int] = json.loads(CEILINGS.read_text("utf-8"))


def test_a_start_imports_no_more_modules_than_before() -> None:
    found = imported()
    alone = found.pop(SUBJECTS[0])
    assert set(found) == set(LIMITS)
    too_many = [
        f"{subject}: {count - alone} modules besides those of Python itself, and {LIMITS[subject]} are allowed"
        for subject, count in found.items()
        if count - alone > LIMITS[subject]
    ]
    assert not too_many, "\n".join(
        [
            *too_many,
            f"Import what is not needed at once where it is used, or raise the ceiling in {CEILINGS.name}.",
        ]
    )
