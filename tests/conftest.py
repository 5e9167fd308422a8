"""What holds for all tests: the language is English, and how busy the machine is decides none."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from p2p_hearts.i18n import VARIABLE
from tools.messages import compile_stale

settings.register_profile("p2p-hearts", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("p2p-hearts")

# The tests' own processes and those that they start.
os.environ[VARIABLE] = "en"
compile_stale()
