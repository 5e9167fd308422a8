"""What pytest does in the copied tree: note which checks each test needs, or try the tests.

Noting: after each test, one line of JSON about it is added to a file. Trying: everything is
collected once, and then each check is switched off in a fork of that process, which runs the tests
it was given until one fails. So a check costs little more than the test that misses it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, Phase, settings

from p2p_hearts import switches  # type: ignore[attr-defined]

PATIENCE, SLACK = 20, 60.0
"""A test hangs that takes PATIENCE times its CPU time, and SLACK seconds more."""

CASES_SECONDS = 4.0
"""Of a function with many cases no further ones are noted once they took so much CPU time."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """Let chance decide nothing: the noted tests and the tried ones are the same."""
    settings.register_profile(
        "mutants",
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")


class Noting:
    """Notes of every test its CPU time, whether it passed, and which checks decided."""

    def __init__(self, notes: Path) -> None:
        self.notes = notes
        self.failed = False
        self.spent: defaultdict[str, float] = defaultdict(float)
        """CPU time, by function."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        """Remember a failure."""
        report = yield
        self.failed |= report.failed
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Note one test; leave it out if its function took long enough in other cases."""
        function = item.nodeid.split("[")[0]
        if self.spent[function] > CASES_SECONDS:
            item.session._setupstate.teardown_exact(nextitem)
            return True
        switches.decided.clear()
        self.failed, start = False, time.process_time()
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        runtestprotocol(item, nextitem=nextitem)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        seconds = time.process_time() - start
        self.spent[function] += seconds
        line = {
            "test": item.nodeid,
            "seconds": round(seconds, 3),
            "passed": not self.failed,
            "decided": sorted(switches.decided),
        }
        with self.notes.open("a") as file:
            file.write(json.dumps(line) + "\n")
        return True


class Trying:
    """Runs the tests of a plan, check by check, each in a process of its own."""

    def __init__(self, plan: Path) -> None:
        self.plan = plan

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the whole plan; a line of JSON for each check is what is left of it."""
        items = {item.nodeid: item for item in session.items}
        plan = json.loads(self.plan.read_text())
        for number, tests in plan["checks"]:
            known = [(items[name], seconds) for name, seconds in tests if name in items]
            found = _tried(number, known)
            with Path(plan["results"]).open("a") as file:
                file.write(json.dumps({"number": number, **found}) + "\n")
        return True


def _tried(number: int, tests: list[tuple[pytest.Item, float]]) -> dict[str, Any]:
    """Switch one check off in a fork; say which test missed it, and how many did not."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run_in_the_child(number, [item for item, _ in tests], writing)
    os.close(writing)
    start, ran, said = time.monotonic(), 0, b""
    hangs = False
    for _, seconds in tests:
        ran += 1
        ready, _, _ = select.select([reading], [], [], SLACK + PATIENCE * seconds)
        said = os.read(reading, 1) if ready else b""
        hangs = not ready
        if said != b"p":
            # Failed, or hangs, or the process ended at once: missed in any case.
            break
    if hangs:
        os.killpg(child, signal.SIGKILL)
    os.close(reading)
    os.waitpid(child, 0)
    missed = bool(tests) and said != b"p"
    return {
        "missed_by": tests[ran - 1][0].nodeid if missed else None,
        "hangs": hangs,
        "ran": ran,
        "seconds": round(time.monotonic() - start, 2),
    }


def _run_in_the_child(number: int, items: list[pytest.Item], writing: int) -> None:
    """Run the tests until one fails; say of each by one letter how it went; never return."""
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        switches.off = number
        os.environ["SWITCHED_OFF"] = str(number)
        for item, after in zip(items, [*items[1:], None], strict=True):
            reports = runtestprotocol(item, log=False, nextitem=after)
            failed = any(report.failed for report in reports)
            os.write(writing, b"f" if failed else b"p")
            if failed:
                break
    finally:
        os._exit(0)


def pytest_configure(config: pytest.Config) -> None:
    """Note or try, as the surroundings say."""
    if "MUTANTS_NOTES" in os.environ:
        config.pluginmanager.register(Noting(Path(os.environ["MUTANTS_NOTES"])))
    elif "MUTANTS_PLAN" in os.environ:
        config.pluginmanager.register(Trying(Path(os.environ["MUTANTS_PLAN"])))
