"""Whatever is thrown at every port of a running table without a private key changes nothing."""

from __future__ import annotations

from pathlib import Path

from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.lobby import SealedRoster, open_roster
from tests.e2e.strangers import Stranger
from tests.e2e.tables import address_of, bot, host, listening_ports
from tests.programs import Program, audited, together, until

STRUCK = 4
"""So often everything is thrown before the hand may end."""


def test_table__hostile_bytes_at_every_port_change_nothing(tmp_path: Path) -> None:
    opener = host(tmp_path, "--seats", "3", "--hands", "1", hold=(1, 5))
    with together(opener):
        where = address_of(opener)
        bots = [bot(tmp_path, where, name) for name in ("Budi", "Caio")]
        with together(*bots):
            programs = [opener, *bots]
            for program in programs:
                program.wait_event("formed")
            keys = [entry.curve.hex() for entry in roster_of(opener).entries]
            ports = [port for one in programs for port in listening_ports(one.process.pid)]
            with Stranger("tests.e2e.attack", keys=keys, ports=ports) as attack:
                until(lambda: attack.thrown["rounds"] >= STRUCK)
                opener.let_go()
                opener.wait_event("hand")
            ends = [program.end() for program in programs]
    print(dict(attack.thrown))
    assert [(ended.code, ended.err) for ended in ends] == [(0, "")] * 3
    report = audited(*(program.log for program in programs))
    assert (report["verdict"], report["hands"]) == ("clean", 1)


def roster_of(program: Program) -> SealedRoster:
    """Read the roster from a running peer's log."""
    for record in read_log(program.log):
        if record.kind is RecordKind.ROSTER:
            return open_roster(record.data)
    raise AssertionError("no roster")
