"""What is announced on a LAN is a hint: stale, forged and doubled records mislead nobody."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.network import Lan
from tests.lan.test_lan import WHOLE_MATCH
from tests.programs import audited

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
        opener.wait_event("open")
        guests = [
            stack.enter_context(lan.start(n, "join", "Sunday", *AUTO, home=tmp_path / name))
            for n, name in ((1, "Budi"), (2, "Caio"))
        ]
        programs = [opener, *guests]
        for program in programs:
            ended = program.end(WHOLE_MATCH)
            assert (ended.code, ended.err) == (0, "")
        assert audited(*(program.log for program in programs))["verdict"] == "clean"


def test_forged__a_stale_record_is_no_table_and_two_of_one_name_are_for_the_player_to_tell(
    tmp_path: Path,
) -> None:
    with Lan(3) as lan, contextlib.ExitStack() as stack:
        host = ("host", "Sunday", "--seats", "3", *AUTO)
        gone = stack.enter_context(lan.start(0, *host, home=tmp_path / "Ana"))
        gone.wait_event("open")
        look = lan.start(2, "tables", "--json", "--wait", "4", home=tmp_path / "Rui")
        told = stack.enter_context(look).end()
        (table,) = json.loads(told.out)
        assert table["live"], table
        gone.process.kill()
        gone.process.wait(10)
        one = stack.enter_context(lan.start(0, *host, home=tmp_path / "Budi"))
        two = stack.enter_context(lan.start(1, *host, home=tmp_path / "Caio"))
        for program in (one, two):
            program.wait_event("open")
        guest = lan.start(2, "join", "Sunday", *AUTO, home=tmp_path / "Rui")
        ended = stack.enter_context(guest).end(60)
        assert ended.code == 3
        (said,) = ended.sentences
        assert "2 tables of different hosts answer to 'Sunday'" in said
        for program, number in ((one, 0), (two, 1)):
            opened = program.wait_event("open")
            assert f"{lan.address(number)}:{opened['port']}#{opened['code']}" in said
