"""Who misuses a table from outside, as a process of its own.

libzmq ends the whole process of who uses it as nobody should, now and then; that is to be the
stranger's, not the one of the tests. What such a process throws it tells in lines of JSON.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

TOLD_SECONDS = 0.1


class Stranger:
    """A module that runs from now on, and ``tell``s; begun anew where libzmq has ended it."""

    def __init__(self, module: str, **told: object) -> None:
        """``told``: what it knows, as JSON has it."""
        self._module, self._told = module, json.dumps(told)
        self._before = Counter[str]()
        self._now = Counter[str]()
        self._is_over = False
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._failed = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Stranger:
        return self

    def __exit__(self, *error: object) -> None:
        """End it; ``AssertionError`` if it had failed by itself."""
        with self._lock:
            self._is_over = True
            if self._process is not None:
                self._process.kill()
        self._thread.join(60)
        assert not self._failed, f"{self._module} ended with {self._failed}"

    @property
    def thrown(self) -> Counter[str]:
        """How many of what it has thrown by now."""
        return self._before + self._now

    def _run(self) -> None:
        while True:
            with self._lock:
                if self._is_over or self._failed:
                    return
                self._process = subprocess.Popen(
                    [sys.executable, "-m", self._module],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    encoding="utf-8",
                )
            with self._process as process:
                assert process.stdin is not None
                assert process.stdout is not None
                # One that is ended at once reads nothing of it.
                with contextlib.suppress(BrokenPipeError), process.stdin:
                    process.stdin.write(self._told + "\n")
                for line in process.stdout:
                    self._now = Counter(json.loads(line))
            self._before, self._now = self.thrown, Counter()
            if process.returncode not in (-signal.SIGABRT, -signal.SIGKILL):
                self._failed = process.returncode


def told() -> dict[str, Any]:
    """Return what this process is told, in a stranger's own process."""
    known: dict[str, Any] = json.loads(sys.stdin.readline())
    return known


def tell(thrown: Callable[[], Mapping[str, int]]) -> None:
    """Tell without end what was thrown by now."""
    while True:
        print(json.dumps(dict(thrown())), flush=True)
        time.sleep(TOLD_SECONDS)
