"""Where each value of a rule set comes from: a document, our reading of one, or whoever overrode it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mtref_sdk.presetreasons import GENERAL_REASONS, READINGS, REASONS
from mtref_sdk.presets import CUSTOM, PRESETS
from mtref_sdk.ruleoptions import OPTIONS
from mtref_sdk.ruleset import RuleSet, preset

__all__ = ["Source", "sources"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where one value comes from.

    ``kind`` is ``document`` (the document says so, or plays without the option), ``reading`` (it is silent or contradicts
    itself, and this is our choice) or ``given`` (overridden; then ``document`` is None).
    """

    kind: Literal["document", "reading", "given"]
    document: str | None
    reason: str

    def __str__(self) -> str:
        if self.kind == "given":
            return "given"
        return f"document {self.document}" if self.kind == "document" else "our reading"


def sources(rules: RuleSet) -> dict[str, Source]:
    """The source of every option of `rules`, in the order of the rulebook. A value equal to the preset's is the preset's."""
    if rules.name == CUSTOM:
        return {key: Source("given", None, "not from a preset") for key in OPTIONS}
    original = preset(rules.name)
    return {
        key: _source(rules.name, key)
        if getattr(rules, key) == getattr(original, key)
        else Source("given", None, f"{rules.name} has {_shown(original, key)}")
        for key in OPTIONS
    }


def _source(name: str, key: str) -> Source:
    """The source of a preset's own value; a variant shares its base's where it has none of its own."""
    entry = PRESETS[name]
    own = REASONS[name].get(key)
    if own is None and entry.base is not None and key not in entry.changes:
        return _source(entry.base, key)
    reason = own if own is not None else GENERAL_REASONS[key]
    kind: Literal["document", "reading"] = "reading" if key in READINGS.get(name, ()) else "document"
    return Source(kind, entry.document, reason)


def _shown(rules: RuleSet, key: str) -> str:
    value = rules.to_mapping()[key]
    return str(value).lower() if isinstance(value, bool) else str(value)
