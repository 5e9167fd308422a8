"""``p2p-hearts`` as a process of its own: started, waited for with bounds, ended by its pid."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, TypeVar

from tests.held import NEVER, Decision, write_hold

T = TypeVar("T")

PROGRAM = (sys.executable, "-m", "p2p_hearts")

LONG = 240.0
"""Seconds for what takes a few on an idle machine."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its exit code and all that it wrote."""

    code: int
    out: str
    err: str

    @property
    def sentences(self) -> list[str]:
        """The lines on stderr."""
        return self.err.splitlines()


class Program:
    """A running ``p2p-hearts``; as a context manager it is ended whatever happens."""

    def __init__(
        self,
        *arguments: str,
        home: Path | None = None,
        prefix: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        hold: Decision | None = None,
    ) -> None:
        """Start it; ``prefix`` stands before the command, such as a change of namespace.

        Its computer player takes no decision from ``hold`` on before ``let_go``: whatever the test
        does meanwhile is done before the match is over. Needs a ``home`` and ``--events``.
        """
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.home = home
        self._changed = threading.Condition()
        program: Sequence[str] = PROGRAM
        if hold is not None:
            assert home is not None
            self._hold = home.with_name(f"{home.name}.hold")
            write_hold(self._hold, hold)
            program = (sys.executable, "-m", "tests.held", str(self._hold))
        self._command = [*prefix, *program, *arguments]
        if home is not None:
            self._command += ["--home", str(home)]
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**clean_environment(), **(env or {})},
            # What the terminal of a test or a soak does to its group is no matter of the players.
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in (
                (self.process.stdout, self.lines),
                (self.process.stderr, self.errors),
            )
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            sys.stdout.write(self.story())
        self.close()

    # What it says.

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it told with ``--events`` so far."""
        found = []
        for line in list(self.lines):
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if isinstance(event, dict):
                    found.append(event)
        return found

    def wait_event(self, name: str, seconds: float = LONG, **fields: object) -> dict[str, Any]:
        """Return the first event of this name with these fields; waits for it."""

        def found() -> dict[str, Any] | None:
            for event in self.events:
                if event["event"] == name and fields.items() <= event.items():
                    return event
            return None

        return self._wait(found, f"event {name} {fields}", seconds)

    def wait_line(self, text: str, seconds: float = LONG) -> str:
        """Return the first line on stdout that holds a text; waits for it."""

        def found() -> str | None:
            return next((line for line in list(self.lines) if text in line), None)

        return self._wait(found, f"line with {text!r}", seconds)

    def wait(self, found: Callable[[], T | None], seconds: float = LONG) -> T:
        """Return the first truth of a condition on what it says."""
        return self._wait(found, "condition", seconds)

    def type(self, text: str) -> None:
        """Write a line to its stdin."""
        stdin = self.process.stdin
        assert stdin is not None
        stdin.write(text + "\n")
        stdin.flush()

    def wait_held(self, hand: int, number: int, seconds: float = LONG) -> None:
        """Wait until its player would take this decision and is held: 0 for the pass, or a card.

        By then it has seen all that was played before. The opening card is no decision: who holds
        it is asked for the second one first.
        """

        def held() -> bool | None:
            told = [event for event in self.events if event["event"] == "held"]
            at = [(event["hand"], event["number"]) for event in told]
            return any(decision >= (hand, number) for decision in at) or None

        self._wait(held, f"decision {number} of hand {hand}", seconds)

    def let_go(self, until: Decision = NEVER) -> None:
        """Let its player decide, up to another decision."""
        write_hold(self._hold, until)

    # Its end.

    def end(self, seconds: float = LONG) -> Ended:
        """Wait until it ended by itself."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it did not end within {seconds} s\n{self.story()}") from None
        for reader in self._readers:
            reader.join(60)
        return Ended(code, "".join(self.lines), "".join(self.errors))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send it a signal."""
        if self.process.poll() is None:
            self.process.send_signal(number)

    def close(self) -> None:
        """End it, gently first."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(60)
        for reader in self._readers:
            reader.join(60)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    @property
    def log(self) -> Path:
        """The one log in its folder."""
        assert self.home is not None
        (found,) = (self.home / "games").glob("*.hearts")
        return found

    def story(self) -> str:
        """Return all it said, for a failed test."""
        return "".join(
            [
                f"--- {' '.join(self._command)} (code {self.process.poll()})\n",
                *self.lines[-60:],
                "--- stderr\n",
                *self.errors[-60:],
            ]
        )

    def _read(self, stream: IO[str] | None, lines: list[str]) -> None:
        if stream is None:
            return
        with contextlib.suppress(ValueError):
            for line in stream:
                with self._changed:
                    lines.append(line)
                    self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def _wait(self, found: Callable[[], T | None], what: str, seconds: float) -> T:
        deadline = time.monotonic() + seconds
        while True:
            with self._changed:
                value = found()
                if value is not None:
                    return value
                left = deadline - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"no {what} within {seconds} s\n{self.story()}")
                if not any(reader.is_alive() for reader in self._readers):
                    raise AssertionError(f"it ended without {what}\n{self.story()}")
                self._changed.wait(min(left, 0.5))


def until(true: Callable[[], bool], seconds: float = LONG) -> None:
    """Wait for something that no program tells."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"it did not come within {seconds} s"
        time.sleep(0.05)


def run(*arguments: str, home: Path | None = None, seconds: float = LONG, **more: Any) -> Ended:
    """Run ``p2p-hearts`` to its end, with nothing to read on stdin."""
    with Program(*arguments, home=home, **more) as program:
        stdin = program.process.stdin
        assert stdin is not None
        stdin.close()
        return program.end(seconds)


@contextlib.contextmanager
def together(*programs: Program) -> Iterator[None]:
    """End all of them at the end; tell what each said if the test fails."""
    with contextlib.ExitStack() as stack:
        for program in programs:
            stack.enter_context(program)
        yield


def audited(*logs: Path, code: int = 0) -> dict[str, Any]:
    """Audit logs with the command and return its JSON."""
    ended = run("audit", "--json", *map(str, logs))
    assert ended.code == code, ended
    found = json.loads(ended.out)
    assert isinstance(found, dict)
    return found


def clean_environment() -> dict[str, str]:
    """Return the environment without what would change how the program looks."""
    unwanted = ("P2P_HEARTS", "LC_", "LANG", "PYTHON", "COLUMNS", "LINES")
    kept = {key: text for key, text in os.environ.items() if not key.startswith(unwanted)}
    return {**kept, "LANG": "C.UTF-8"}
