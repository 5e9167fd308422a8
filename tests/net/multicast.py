"""The multicast group of loopback, which all tests on a machine share."""

from __future__ import annotations

import fcntl
import os
import socket
import sys
import tempfile
import time
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
        with _alone_in_this_network():
            yield


@contextmanager
def _alone_in_this_network() -> Iterator[None]:
    """Keep out tests of other users and with other temporary folders, too, where Linux can.

    A name without a file is one socket's in a network, and free again once that has ended.
    """
    with socket.socket(socket.AF_UNIX) as sock:
        while sys.platform == "linux":
            try:
                sock.bind("\0p2p-hearts tests on the multicast group of loopback")
            except OSError:
                time.sleep(0.02)
            else:
                break
        yield
