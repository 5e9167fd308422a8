"""What is announced on a LAN is a hint: stale, forged and doubled records mislead nobody."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.network import Lan
from tests.lan.test_lan import WHOLE_MATCH, audited_alike
from tests.programs import Ended

pytestmark = pytest.mark.lan

AUTO = ("--auto", "normal", "--pace", "0", "--events")


@contextlib.contextmanager
def forger(lan: Lan, number: int) -> Iterator[None]:
    """Announce forged tables from one of the hosts."""
    command = ["ip", "netns", "exec", lan.spaces[number], sys.executable, "-m", "tests.lan.forger"]
    with subprocess.Popen(
        [*command, lan.address(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "forged\n"
            yield
        finally:
            process.kill()


def test_forged__records_keep_nobody_from_the_true_table_of_that_name(tmp_path: Path) -> None:
    with Lan(4) as lan, contextlib.ExitStack() as stack:
        stack.enter_context(forger(lan, 3))
        command = ["host", "Sunday", "--seats", "3", "--hands", "1", *AUTO]
        opener = stack.enter_context(lan.start(0, *command, home=tmp_path / "Ana"))
        opener.wait_event("open", WHOLE_MATCH)
        guests = [
            stack.enter_context(
                lan.start(n, "join", "Sunday", "--wait", "300", *AUTO, home=tmp_path / name)
            )
            for n, name in ((1, "Budi"), (2, "Caio"))
        ]
        programs = [opener, *guests]
        for program in programs:
            ended = program.end(WHOLE_MATCH)
            assert (ended.code, ended.err) == (0, "")
        audited_alike(*(program.log for program in programs))


def test_forged__a_stale_record_is_no_table_and_two_of_one_name_are_for_the_player_to_tell(
    tmp_path: Path,
) -> None:
    with Lan(3) as lan, contextlib.ExitStack() as stack:
        host = ("host", "Sunday", "--seats", "3", *AUTO)
        gone = stack.enter_context(lan.start(0, *host, home=tmp_path / "Ana"))
        gone.wait_event("open", WHOLE_MATCH)
        look_until(lan, tmp_path / "Rui", 1)
        gone.process.kill()
        gone.process.wait(60)
        one = stack.enter_context(lan.start(0, *host, home=tmp_path / "Budi"))
        two = stack.enter_context(lan.start(1, *host, home=tmp_path / "Caio"))
        for program in (one, two):
            program.wait_event("open", WHOLE_MATCH)
        look_until(lan, tmp_path / "Rui", 2)
        ended = join_one_of_two(lan, tmp_path / "Rui")
        assert ended.code == 3
        (said,) = ended.sentences
        assert "2 tables of different hosts answer to 'Sunday'" in said
        for program, number in ((one, 0), (two, 1)):
            opened = program.wait_event("open")
            assert f"{lan.address(number)}:{opened['port']}#{opened['code']}" in said


def look_until(lan: Lan, home: Path, living: int) -> None:
    """List tables on the third host until so many of them live."""
    deadline = time.monotonic() + WHOLE_MATCH
    rows: list[dict[str, object]] = []
    while sum(bool(row["live"]) for row in rows) != living:
        assert time.monotonic() < deadline, rows
        with lan.start(2, "tables", "--json", "--wait", "3", home=home) as look:
            rows = json.loads(look.end().out)


def join_one_of_two(lan: Lan, home: Path) -> Ended:
    """Join by the name that two tables have; again, if one did not answer in time to be seen."""
    for _ in range(5):
        guest = lan.start(2, "join", "Sunday", *AUTO, home=home)
        with guest, contextlib.suppress(subprocess.TimeoutExpired):
            guest.process.wait(40)
            return guest.end()
    raise AssertionError("one of the tables is always too late to be told from the other")
