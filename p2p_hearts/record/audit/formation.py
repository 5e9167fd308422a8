"""Hand 0: commitments and nonces that turn a roster into a table (protocol/SPEC.md section 8)."""

from __future__ import annotations

from msgspec import Struct

from p2p_hearts.agreement.draw import Draw as Drawn
from p2p_hearts.agreement.draw import commit_nonce, draw_table
from p2p_hearts.agreement.rounds import FORMATION, Stage
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Draw, Sit


class FormationCheck:
    """Follows the two rounds of a formation; seats are places in the roster."""

    def __init__(self, roster: SealedRoster) -> None:
        """Begin with a verified roster."""
        self._roster = roster
        self._closed = 0
        self._commitments: dict[int, bytes] = {}
        self._nonces: dict[int, bytes] = {}
        self.drawn: Drawn | None = None
        """Table, seats and dealer, once both rounds are closed."""

    @property
    def stage(self) -> Stage | None:
        """The stage of the next round; ``None`` once the table is drawn."""
        return FORMATION[self._closed] if self._closed < len(FORMATION) else None

    @property
    def speakers(self) -> tuple[int, ...]:
        """Everybody, in both rounds."""
        return tuple(range(len(self._roster.entries)))

    def judge(self, place: int, body: Struct) -> Rule | None:
        """Check one body; a nonce must be the one that its player committed to."""
        if isinstance(body, Sit):
            self._commitments[place] = body.commitment
        elif isinstance(body, Draw):
            # V92
            if commit_nonce(self._roster.hash, place, body.nonce) != self._commitments[place]:
                return Rule.COMMITMENT
            self._nonces[place] = body.nonce
        return None

    def close(self) -> None:
        """Go on to the next round, or draw the table."""
        self._closed += 1
        if self._closed == len(FORMATION):
            nonces = [self._nonces[place] for place in self.speakers]
            self.drawn = draw_table(self._roster.hash, self._roster.rules_hash, nonces)
