"""The verdict on a game from its logs alone (protocol/SPEC.md section 9).

    ledger      who signed what: signatures that contradict each other
    rounds      one round: its speeches, head, acks, certificate
    formation   hand 0: from a roster to table, seats and dealer
    hand        one hand: every proof, rule and score, and the re-run from the revealed secrets
    memo        what checks came to; checks put off where nothing is expected to be wrong
    speeches    one speech in its round
    returning   an attempt followed again, where a round was closed otherwise
    delivery    one content, to its place
    hands       attempts at hands: how one begins, and without whom
    course      from round to round, from hand to hand
    state       what is found out by then; ``words`` says where in a game something stands
    auditor     a log, record by record, through all of these; ``folding``, what is kept of hands
                that are over; ``story``, what is told of them
    conclusion  what is left open at its end, and the verdict
    report      what was found, for people and programs
    compare     several logs, table by table

Written apart from ``table``: it shares with it the messages, the proofs, the rules and, in
``agreement``, the draw, the list of rounds and what votes decide. It imports nothing of ``table``
itself, so that a mistake in how a message is handled there cannot acquit itself.

Never: says clean about a record that it has not verified or cannot account for; reads a clock, a
file or anything but the records it is given. Errors: none, what is wrong stands in the report.
"""

from __future__ import annotations

from p2p_hearts.record.audit.auditor import audit
from p2p_hearts.record.audit.compare import (
    Comparison,
    Tables,
    audit_tables,
    compare,
    compare_tables,
)
from p2p_hearts.record.audit.report import FaultReport, PlayerReport, Report, Verdict, exit_code

__all__ = [
    "Comparison",
    "FaultReport",
    "PlayerReport",
    "Report",
    "Tables",
    "Verdict",
    "audit",
    "audit_tables",
    "compare",
    "compare_tables",
    "exit_code",
]
