"""A log, record by record, through every check: the audit of one log (SPEC.md section 9.2).

Each content passes these steps, in this order:

    1  its signature, and that its author sits in the seat it names at this table
    2  the ledger: nothing its author signed contradicts it
    3  its place: it waits until the round before is whole, for its head names all that it
       builds on; it must build on exactly that head
    4  acks: the head of the round. Speeches: speaker, kind, form, then every proof and rule

Contents may stand in any order in which a peer could have received them; what decides are the
heads and hashes they carry. ``conclusion`` then accounts for everything.

Never: skips a record silently. Errors: none, what is wrong stands in the report.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.conclusion import conclude
from p2p_hearts.record.audit.course import open_round, settle
from p2p_hearts.record.audit.delivery import admit
from p2p_hearts.record.audit.formation import FormationCheck
from p2p_hearts.record.audit.hand import HandCheck
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.audit.report import Report
from p2p_hearts.record.audit.state import State
from p2p_hearts.record.records import (
    LogDamageError,
    LogTornError,
    NotALogError,
    Record,
    RecordKind,
    open_start,
)
from p2p_hearts.rules.match import new_match
from p2p_hearts.wire.chain import Place, first_head
from p2p_hearts.wire.codec import DecodeError
from p2p_hearts.wire.envelope import BadSignatureError
from p2p_hearts.wire.lobby import LobbyError, open_roster
from p2p_hearts.wire.messages import VERSION


def audit(records: Iterable[Record], *, memo: Memo | None = None, tells: bool = False) -> Report:
    """Audit one log; if it ``tells``, the report has the story of every hand.

    ``records`` as ``record.log.read_log`` yields them, whose ``LogError``s become part of the
    report. A ``memo`` shared by the audits of several logs of one table saves checking the same
    proof twice; a result in it was computed from the same history and the same bytes.
    """
    auditor = Auditor(memo or Memo(), tells=tells)
    for _hand in auditor.follow(records):
        pass
    return auditor.report()


class Auditor:
    """The audit of one log while it is read."""

    def __init__(self, memo: Memo, *, tells: bool = False, folds: bool = False) -> None:
        """Begin before the first record; ``tells`` as for ``audit``; ``folds``: see ``folding``."""
        self._state = State(memo, tells, folds)

    def report(self) -> Report:
        """Judge what was read so far; reading may go on afterwards."""
        state = self._state
        report = conclude(state)
        if not state.tells:
            return report
        current = [state.part.tell()] if isinstance(state.part, HandCheck) else []
        return replace(report, story=(*state.story, *current))

    # Records in.

    def follow(self, records: Iterable[Record]) -> Generator[int, None, None]:
        """Take in a whole log; yields the number of hands that are over, whenever one is.

        Raises:
            NotKeptError: it folds, and something was said about a hand that was folded.
        """
        hands = 0
        try:
            for record in records:
                if not self.feed(record):
                    return
                if self.hands > hands:
                    hands = self.hands
                    yield hands
        except (LogDamageError, NotALogError) as error:
            self.refuse(str(error))
        except LogTornError as error:
            self.miss(str(error))

    @property
    def hands(self) -> int:
        """How many hands are over."""
        match = self._state.match
        return 0 if match is None else len(match.hands)

    @property
    def all_hands(self) -> int | None:
        """How many hands the match has, if that is known before its end."""
        match = self._state.match
        return None if match is None else match.rules.hands or None

    def feed(self, record: Record) -> bool:
        """Take in the next record; ``False`` if nothing after it can be judged."""
        state = self._state
        state.records += 1
        if state.start is None:
            return self._feed_start(record)
        if state.roster is None:
            return self._feed_roster(record)
        if record.kind is not RecordKind.CONTENT:
            self._state.refuse(
                _("a second record of kind {kind}").format(kind=record.kind.name.lower()),
                record.offset,
            )
            return True
        try:
            sealed = state.memo.open(record.data)  # V101
        except DecodeError:
            self._state.refuse(_("a record that is no signed message"), record.offset)
            return True
        except BadSignatureError:
            self._state.refuse(_("a message whose signature is not its author's"), record.offset)
            return True
        state.counts["signatures"] += 1
        admit(state, sealed, record.offset)
        settle(state)
        return True

    def refuse(self, reason: str) -> None:
        """Note something that no honest peer's log holds."""
        self._state.refuse(reason)

    def miss(self, reason: str) -> None:
        """Note something that a complete log would have."""
        self._state.gaps.append(reason)

    def _feed_start(self, record: Record) -> bool:
        if record.kind is not RecordKind.START:
            self._state.refuse(_("the log does not begin with a start record"), record.offset)
            return False
        try:
            start = open_start(record.data)  # V99
        except (DecodeError, BadSignatureError):
            self._state.refuse(
                _("the start record is not one that its owner signed"), record.offset
            )
            return False
        self._state.start = start
        self._state.counts["signatures"] += 1
        if start.protocol != VERSION:
            self._state.refuse(
                _(
                    "the log is of protocol version {other}, this program audits version {own}"
                ).format(other=start.protocol, own=VERSION),
                record.offset,
            )
            return False
        return True

    def _feed_roster(self, record: Record) -> bool:
        if record.kind is not RecordKind.ROSTER:
            self._state.refuse(_("there is no roster after the start record"), record.offset)
            return False
        try:
            roster = open_roster(record.data)  # V100
        except (DecodeError, BadSignatureError, LobbyError) as error:
            self._state.refuse(
                _("the roster cannot be accepted: {reason}").format(reason=error), record.offset
            )
            return False
        self._state.counts["signatures"] += 1 + len(roster.entries)
        self._state.roster = roster
        self._state.match = new_match(roster.rules)
        self._state.encoding = Encoding(roster.rules)
        self._state.head = first_head(roster.hash)
        self._state.part = FormationCheck(roster)
        open_round(self._state, Place(0, roster.formation, 0))
        return True
