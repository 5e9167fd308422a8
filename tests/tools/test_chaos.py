"""The tool that lets processes come late and sleep."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.programs import until
from tools.chaos import MARK, Chaos, main, status

SLEEPER = "import time; time.sleep(300)  # p2p_hearts"


@pytest.fixture
def sleeper() -> Iterator[int]:
    """A process of ours with the mark."""
    command = [sys.executable, "-c", SLEEPER]
    with subprocess.Popen(
        command, env={**os.environ, MARK: "ours"}, start_new_session=True
    ) as process:
        try:
            yield process.pid
        finally:
            process.kill()


def test_chaos__lets_ours_come_late_sleep_and_go_on(sleeper: int) -> None:
    now = 0.0
    ours = Chaos("ours", 3.0, 2.0, 10.0, random.Random(1), lambda: now)
    others = Chaos("theirs", 3.0, 2.0, 0.1, random.Random(1), lambda: now)

    def is_stopped() -> bool:
        ours.look()
        return status(sleeper).state == "T"

    until(is_stopped)
    now = 4.0
    until(lambda: not is_stopped())
    now = 40.0
    until(is_stopped)
    others.look()
    assert others.stops == 0
    assert ours.stops == 2
    ours.end()
    until(lambda: status(sleeper).state != "T")


def test_chaos__returns_how_the_command_ended() -> None:
    assert main(["--", sys.executable, "-c", "raise SystemExit(7)"]) == 7
