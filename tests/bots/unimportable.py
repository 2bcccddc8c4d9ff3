"""Imports something there is not."""

import no_such_module_at_all  # noqa: F401
