"""Settings for every test. Fixtures live beside the tests that use them."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The same examples on every run, and no deadline: a slow machine is not a bug, and a red build must be one for everybody.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
# On a developer's machine every run tries new examples.
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "dev")
