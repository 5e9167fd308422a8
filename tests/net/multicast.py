"""The multicast group of loopback, which all tests on a machine share."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone_on_loopback() -> Iterator[None]:
    """Announce tables on loopback, or look for them there, while no other test does.

    Else a test hears of another one's tables, and may sit down at one of them.
    """
    lock = Path(tempfile.gettempdir()) / f"p2p-hearts-tests-{os.getuid()}.multicast"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
