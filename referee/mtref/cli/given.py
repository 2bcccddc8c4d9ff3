"""Which options stand on the command line, for those that another one makes useless. What they mean is not known here."""

from __future__ import annotations

import click
from click.core import ParameterSource

__all__ = ["given", "refuse"]


def given(*names: str) -> list[str]:
    """Those of the running command's parameters `names` that were given, as one writes them: ``--move-time``."""
    context = click.get_current_context()
    flags = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    return [
        flags[name]
        for name in names
        if name in flags and context.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]


def refuse(*names: str, beside: str, because: str) -> None:
    """Raise UsageError if one of the parameters `names` was given: it does nothing `beside` another option, `because` …"""
    useless = given(*names)
    if useless:
        raise click.UsageError(f"{useless[0]} cannot be used with {beside}: {because}")
