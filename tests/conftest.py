"""What holds for all tests: the language is English, and how busy the machine is decides none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from p2p_hearts.i18n import VARIABLE
from tests.net.multicast import alone_on_loopback
from tests.protocol import opinion
from tools.messages import compile_stale

# What is found in one run of a thousand belongs to those that look for it: all but the usual run.
settings.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("usual", settings.get_profile("new"), derandomize=True)
settings.load_profile("usual")

# The tests' own processes and those that they start.
os.environ[VARIABLE] = "en"
# What is written without a folder named, such as reports of failures, is not the developer's.
_usual_place = TemporaryDirectory()
os.environ["XDG_DATA_HOME"] = _usual_place.name
compile_stale()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let every audit of a test be compared with what ``protocol/verify.py`` says."""
    parser.addoption(opinion.OPTION, action="store_true", help="ask protocol/verify.py as well")


@pytest.fixture
def multicast() -> Iterator[None]:
    """No other test on this machine announces tables on loopback, or looks for them there."""
    with alone_on_loopback():
        yield


def pytest_configure(config: pytest.Config) -> None:
    opinion.is_wanted = config.getoption(opinion.OPTION)
    if "not deep" not in config.getoption("markexpr"):
        settings.load_profile("new")
