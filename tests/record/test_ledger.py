"""The ledger of an audit by itself: what of it may be folded, and what must stay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.record.audit.ledger import Ledger, Note
from p2p_hearts.wire.chain import NO_HASH
from p2p_hearts.wire.envelope import Identity, Sealed, seal
from p2p_hearts.wire.messages import VERSION, Content

PEOPLE = [Identity.from_private_bytes(bytes([number]) * 32) for number in (1, 2)]
WRONG = bytes(31) + b"\1"


def said(
    seat: int, hand: int, sequence: int, after: Sealed | None = None, **fields: object
) -> Sealed:
    values: dict[str, object] = {
        "version": VERSION,
        "table": bytes(32),
        "hand": hand,
        "attempt": 1,
        "round": sequence,
        "seat": seat,
        "author": PEOPLE[seat].public,
        "sequence": sequence,
        "last": NO_HASH if after is None else after.hash,
        "prev": bytes(32),
        "kind": "play",
        "body": b"",
    }
    return seal(PEOPLE[seat], Content(**(values | fields)))  # type: ignore[arg-type]


FIRST = said(0, 1, 0)
SECOND = said(0, 1, 1, FIRST)
THIRD = said(0, 2, 2, SECOND)
TWIN = said(0, 1, 2, SECOND, round=1)
LOGS = {
    "as honest players sign it": ([FIRST, SECOND, THIRD, said(1, 2, 0)], True),
    "two for one place": ([FIRST, SECOND, TWIN, said(0, 2, 3, TWIN)], False),
    "a chain that is broken": ([FIRST, said(0, 1, 1, last=WRONG), said(0, 2, 3)], False),
    "an old hand after a new one": ([FIRST, said(0, 2, 1, FIRST), said(0, 1, 3)], False),
}


@pytest.mark.parametrize("name", LOGS)
def test_ledger__folds_a_hand_only_if_all_in_it_is(name: str) -> None:
    contents, may_fold = LOGS[name]
    ledger = Ledger()
    for sealed in contents:
        ledger.note(sealed)
    assert ledger.fold(2) is may_fold
    assert bool(ledger.folded) is may_fold
    kept = {sealed.content.hand for sealed in ledger.contents()}
    assert kept == ({2} if may_fold else {1, 2})


def test_ledger__compares_no_content_with_all_others_of_its_place() -> None:
    compared = 0

    class Name(bytes):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return super().__eq__(other)

        __hash__ = bytes.__hash__

    ledger = Ledger()
    twins = [replace(FIRST, hash=Name(number.to_bytes(32))) for number in range(1000)]
    noted = [ledger.note(sealed) for sealed in twins * 2]
    assert noted == [Note.NEW] + 999 * [Note.SECOND] + 1000 * [Note.REPEATED]
    assert compared <= 2000
    assert list(ledger.contents()) == twins
