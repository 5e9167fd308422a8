"""A table that somebody watches: the same table, without a seat (protocol/SPEC.md section 8.4).

It verifies every signature and every proof as a seat does, follows the same course, and has nothing
to say: no key, no hand, no vote. What it asks the others for is a heartbeat, as a seat's.

Never: signs anything; knows a card before it is shown.
"""

from __future__ import annotations

from msgspec import structs

from p2p_hearts.cards.secret import SECRET_BYTES
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Signer
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Beat, Frame

ASK_BYTES = 6 * 1024
"""An ask goes through a lobby door, which takes 8 KiB."""


class NoSecrets:
    """Stands where a seat's secrets would: nothing is ever made with these."""

    def nonce(self, roster: bytes) -> bytes:
        """Return zeros."""
        return bytes(SECRET_BYTES)

    def table_key(self, instance: bytes) -> bytes:
        """Return zeros."""
        return bytes(SECRET_BYTES)

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        """Return zeros."""
        return bytes(SECRET_BYTES)

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        """Nothing is kept."""


def watch_table(signer: Signer, roster: SealedRoster) -> Table:
    """Return a table that follows this roster's game for somebody who watches.

    Raises:
        ValueError: this identity plays there.
    """
    table = Table(signer, roster, NoSecrets(), watching=True)
    # Where the players go on without somebody, whoever watches goes with them.
    table.auto_vote = True
    return table


def make_ask(table: Table) -> bytes:
    """Return the frame that asks a seat for what this table lacks.

    Of many open rounds it tells the first ones: of the others it gets everything again.
    """
    beat = table.beat()
    while len(frame := _frame(table, beat)) > ASK_BYTES:
        beat = structs.replace(beat, open=beat.open[:-1])
    return frame


def _frame(table: Table, beat: Beat) -> bytes:
    return encode(Frame(table.roster.hash, [], beat))
