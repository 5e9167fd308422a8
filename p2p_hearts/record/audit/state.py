"""Everything an audit has found out by now; ``conclusion`` reads it, all others write it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from p2p_hearts.agreement.draw import Draw
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.formation import FormationCheck
from p2p_hearts.record.audit.hand import HandCheck
from p2p_hearts.record.audit.ledger import Ledger, NotKeptError
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.story import HandStory
from p2p_hearts.record.records import Start
from p2p_hearts.rules.match import Match
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.evidence import Known
from p2p_hearts.wire.faults import Fault
from p2p_hearts.wire.lobby import SealedRoster

MAX_WAITING = 4096
"""Contents that may wait for their place at one time; a hand of eleven seats has about 1,500."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A content whose place is not there yet."""

    sealed: Sealed
    offset: int
    """Of its record, bytes."""


@dataclass(slots=True)
class State:
    """One log so far."""

    memo: Memo
    tells: bool = False
    """Whether to keep the story of every hand."""
    folds: bool = False
    """Whether hands that are over are folded: see ``folding``."""
    folded: int = 0
    """Hands before this one are folded."""
    story: list[HandStory] = field(default_factory=list)
    """Of the hands that are over; the current one is told when the report is made."""
    records: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    """How many of what was verified."""
    start: Start | None = None
    roster: SealedRoster | None = None
    drawn: Draw | None = None
    match: Match | None = None
    encoding: Encoding | None = None
    part: FormationCheck | HandCheck | None = None
    """What is played now."""
    head: bytes = b""
    """Of the last round that is whole."""
    spoken: Counter[bytes] = field(default_factory=Counter)
    """By author, the speeches so far: all rounds but the current one are whole."""
    rounds: dict[Place, AuditRound] = field(default_factory=dict)
    """All rounds that were reached, in the order of play."""
    opened: int = 0
    """How many rounds were reached in all."""
    current: AuditRound | None = None
    """The round that is not whole yet; ``None`` after the end or after a fault."""
    attempt_counts: list[Counter[str]] = field(default_factory=list)
    """How many of what was verified, for each attempt at a hand."""
    excluded: set[int] = field(default_factory=set)
    """Seats that a rule broken in an earlier hand has cost their keys."""
    faulty: dict[int, Fault] = field(default_factory=dict)
    """Seats whose speech broke a rule in this attempt."""
    lost: set[int] = field(default_factory=set)
    """Seats that have said in this attempt that their secret is lost."""
    targets: set[int] = field(default_factory=set)
    """Seats that a round was closed without waiting for."""
    void: set[tuple[int, int]] = field(default_factory=set)
    """Attempts at hands that were begun anew: what was said there later does not count."""
    is_broken: bool = False
    """A fault or a contradiction leaves nothing to judge later bodies by."""
    contradiction: str = ""
    """Why proofs of this attempt that all hold cannot all be true; no other attempt follows."""
    waiting: dict[Place, list[Waiting]] = field(default_factory=dict)
    waiting_count: int = 0
    before_draw: list[Waiting] = field(default_factory=list)
    """Contents of hands that came before their author's seat is known."""
    astray: list[Sealed] = field(default_factory=list)
    """Contents on top of another head than the one before their place."""
    ledger: Ledger = field(default_factory=Ledger)
    faults: list[Fault] = field(default_factory=list)
    """Faults by one content, in the order in which they were found."""
    shown: list[tuple[Place, Fault]] = field(default_factory=list)
    """Faults that reveals carry the evidence of, with the place of the reveal."""
    damage: list[str] = field(default_factory=list)
    """What no honest peer's log holds."""
    gaps: list[str] = field(default_factory=list)
    """What a complete log would have."""

    def refuse(self, reason: str, offset: int | None = None) -> None:
        """Note something that no honest peer's log holds."""
        self.damage.append(
            reason
            if offset is None
            else _("byte {offset}: {reason}").format(offset=offset, reason=reason)
        )

    def limit_waiting(self) -> None:
        """An honest peer's log is nearly in order; one that is not is not read into memory."""
        if self.waiting_count + len(self.before_draw) > MAX_WAITING:  # V104
            self.refuse(
                _("more than {n} messages stand before what they build on").format(n=MAX_WAITING)
            )
            self.waiting.clear()
            self.before_draw.clear()
            self.waiting_count = 0

    def known(self, place: Place) -> Known | None:
        """Return what everybody knows of a round that was reached.

        Raises:
            NotKeptError: it is one of a hand that was folded.
        """
        self.require(place.hand)
        item = self.rounds.get(place)
        return None if item is None else Known(item.prev, item.speakers)

    def require(self, hand: int) -> None:
        """Raise ``NotKeptError`` if a hand was folded."""
        if hand < self.folded:
            raise NotKeptError

    def held_against(self, fault: Fault) -> int:
        """Return the seat that a fault is held against: for the draw, what its author drew."""
        if fault.hand or self.drawn is None:
            return fault.seat
        return self.drawn.seats.index(fault.seat)

    def author_of(self, seat: int) -> bytes:
        """Return the identity that sits in a seat."""
        place = seat if self.drawn is None else self.drawn.seats[seat]
        return self.sealed_roster.entries[place].identity

    @property
    def sealed_roster(self) -> SealedRoster:
        """The roster, which is there whenever anybody has to be named."""
        if self.roster is None:
            raise RuntimeError("contents are judged after the roster")
        return self.roster
