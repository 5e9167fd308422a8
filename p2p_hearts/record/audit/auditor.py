"""A log, record by record, through every check: the audit of one log (SPEC.md section 9.2).

Each content passes these steps, in this order:

    1  its signature, and that its author sits in the seat it names at this table
    2  the ledger: nothing its author signed contradicts it
    3  its place: it waits until the round before is whole, for its head names all that it
       builds on; it must build on exactly that head
    4  acks: the head of the round. Speeches: speaker, kind, form, then every proof and rule

Contents may stand in any order in which a peer could have received them; what decides are the
heads and hashes they carry. At the end everything must be accounted for: every round certified
by all seats, every author's numbers without a gap, no content left waiting, the match over.

Never: says clean while anything is left over. Errors: none, what is wrong stands in the report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.record.audit.formation import FormationCheck
from p2p_hearts.record.audit.hand import ContradictionError, HandCheck, Memo, Said, Setting
from p2p_hearts.record.audit.ledger import Ledger, Note
from p2p_hearts.record.audit.report import (
    FaultReport,
    PlayerReport,
    Report,
    Trace,
    Verdict,
    gravest,
    joined,
    printable,
    shortened,
)
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.records import (
    LogDamageError,
    LogTornError,
    NotALogError,
    Record,
    RecordKind,
    Start,
)
from p2p_hearts.rules.dealing import next_dealer
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.table.draw import Draw
from p2p_hearts.wire.chain import Place, first_head, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Sealed, open_envelope
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.lobby import LobbyError, SealedRoster, open_roster
from p2p_hearts.wire.messages import BODIES, VERSION, Ack, Content, Kind

FIRST_ATTEMPT = 1

MAX_WAITING = 4096
"""Contents that may wait for their place at one time; a hand of eleven seats has about 1,500."""


def audit(records: Iterable[Record], *, memo: Memo | None = None) -> Report:
    """Audit one log.

    ``records`` as ``record.log.read_log`` yields them, whose ``LogError``s become part of the
    report. A ``memo`` shared by the audits of several logs of one table saves checking the same
    proof twice; a result in it was computed from the same history and the same bytes.
    """
    auditor = Auditor(memo or Memo())
    try:
        for record in records:
            if not auditor.feed(record):
                break
    except (LogDamageError, NotALogError) as error:
        auditor.refuse(str(error))
    except LogTornError as error:
        auditor.miss(str(error))
    return auditor.finish()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A content whose place is not there yet."""

    sealed: Sealed
    offset: int


class Auditor:
    """The state of one audit."""

    def __init__(self, memo: Memo) -> None:
        """Begin before the first record."""
        self._memo = memo
        self._counts: Counter[str] = Counter()
        self._records = 0
        self._start: Start | None = None
        self._roster: SealedRoster | None = None
        self._encoding: Encoding | None = None
        self._drawn: Draw | None = None
        self._match: Match | None = None
        self._part: FormationCheck | HandCheck | None = None
        self._rounds: dict[Place, AuditRound] = {}
        """All rounds that were reached, in the order of play."""
        self._current: AuditRound | None = None
        """The round that is not whole yet; ``None`` after the end or after a fault."""
        self._head = b""
        self._broken = False
        """A fault or a contradiction leaves nothing to judge later bodies by."""
        self._waiting: dict[Place, list[_Waiting]] = {}
        self._waiting_count = 0
        self._before_draw: list[_Waiting] = []
        self._astray: list[Sealed] = []
        """Contents on top of another head than the one before their place."""
        self._ledger = Ledger()
        self._faults: list[Fault] = []
        self._damage: list[str] = []
        self._gaps: list[str] = []

    # Records in.

    def feed(self, record: Record) -> bool:
        """Take in the next record; ``False`` if nothing after it can be judged."""
        self._records += 1
        if self._start is None:
            return self._feed_start(record)
        if self._roster is None:
            return self._feed_roster(record)
        if record.kind is not RecordKind.CONTENT:
            self.refuse(f"a second {record.kind.name.lower()} record", record.offset)
            return True
        try:
            sealed = open_envelope(record.data)
        except DecodeError:
            self.refuse("a record that is no signed message", record.offset)
            return True
        except BadSignatureError:
            self.refuse("a message whose signature is not its author's", record.offset)
            return True
        self._counts["signatures"] += 1
        self._admit(sealed, record.offset)
        self._settle()
        return True

    def refuse(self, reason: str, offset: int | None = None) -> None:
        """Note something that no honest peer's log holds."""
        self._damage.append(reason if offset is None else f"byte {offset}: {reason}")

    def miss(self, reason: str) -> None:
        """Note something that a complete log would have."""
        self._gaps.append(reason)

    def _feed_start(self, record: Record) -> bool:
        if record.kind is not RecordKind.START:
            self.refuse("the log does not begin with a start record", record.offset)
            return False
        try:
            self._start = decode(record.data, Start)
        except DecodeError:
            self.refuse("the start record is malformed", record.offset)
            return False
        if self._start.protocol != VERSION:
            self.refuse(
                f"the log is of protocol version {self._start.protocol}, this program audits "
                f"version {VERSION}",
                record.offset,
            )
            return False
        return True

    def _feed_roster(self, record: Record) -> bool:
        if record.kind is not RecordKind.ROSTER:
            self.refuse("there is no roster after the start record", record.offset)
            return False
        try:
            roster = open_roster(record.data)
        except (DecodeError, BadSignatureError, LobbyError) as error:
            self.refuse(f"the roster cannot be accepted: {error}", record.offset)
            return False
        self._counts["signatures"] += 1 + len(roster.entries)
        self._roster = roster
        self._encoding = Encoding(roster.rules)
        self._match = new_match(roster.rules)
        self._head = first_head(roster.hash)
        self._part = FormationCheck(roster)
        self._open_round(Place(0, roster.formation, 0))
        return True

    # One content.

    def _admit(self, sealed: Sealed, offset: int) -> None:
        """Bind author, seat and table; enter the ledger; go to the content's place."""
        content = sealed.content
        if content.hand and self._drawn is None:
            self._before_draw.append(_Waiting(sealed, offset))
            self._limit_waiting()
            return
        reason = self._not_of_this_table(content)
        if reason:
            self.refuse(reason, offset)
            return
        note = self._ledger.note(sealed)
        if note is Note.REPEATED:
            self._counts["repeated messages"] += 1
        elif note is Note.NEW:
            self._route(sealed, offset)

    def _not_of_this_table(self, content: Content) -> str:
        """Return why a content cannot stand in a log of this table, or nothing."""
        roster = self._the_roster
        if content.version != VERSION:
            return f"a message of protocol version {content.version}"
        if content.seat >= len(roster.entries):
            return f"a message for seat {content.seat}, which does not exist"
        place, table, attempt = content.seat, roster.hash, roster.formation
        if content.hand and self._drawn is not None:
            place, table, attempt = (
                self._drawn.seats[content.seat],
                self._drawn.table,
                FIRST_ATTEMPT,
            )
        if content.table != table:
            return "a message of another table"
        if content.author != roster.entries[place].identity:
            return "a message signed by somebody who does not sit in the seat it names"
        if content.attempt != attempt:
            return f"a message of attempt {content.attempt}, which never was"
        return ""

    def _route(self, sealed: Sealed, offset: int) -> None:
        place = place_of(sealed.content)
        reached = self._rounds.get(place)
        if reached is not None:
            self._deliver(reached, sealed)
        elif self._rounds and place < next(reversed(self._rounds)):
            self.refuse(f"a message for {_words(place)}, which never was", offset)
        else:
            self._waiting.setdefault(place, []).append(_Waiting(sealed, offset))
            self._waiting_count += 1
            self._limit_waiting()

    def _limit_waiting(self) -> None:
        """An honest peer's log is nearly in order; one that is not is not read into memory."""
        if self._waiting_count + len(self._before_draw) > MAX_WAITING:
            self.refuse(f"more than {MAX_WAITING} messages stand before what they build on")
            self._waiting.clear()
            self._waiting_count = 0
            self._before_draw.clear()

    def _deliver(self, target: AuditRound, sealed: Sealed) -> None:
        content = sealed.content
        if content.prev != target.prev:
            self._astray.append(sealed)
        elif content.kind == Kind.ACK:
            self._deliver_ack(target, sealed)
        elif content.seat not in target.speakers:
            self._faults.append(fault_of(Rule.TURN, sealed))
        else:
            self._deliver_speech(target, sealed)

    def _deliver_ack(self, target: AuditRound, sealed: Sealed) -> None:
        try:
            ack = decode(sealed.content.body, Ack)
        except DecodeError:
            self._faults.append(fault_of(Rule.BODY, sealed))
            return
        target.acks[sealed.content.seat] = ack.head

    def _deliver_speech(self, target: AuditRound, sealed: Sealed) -> None:
        rule = self._judge(target, sealed)
        target.speeches[sealed.content.seat] = sealed.hash
        if rule is not None:
            self._faults.append(fault_of(rule, sealed))
            # A reveal is the last word of a hand: nothing later is judged by it.
            self._broken = self._broken or target.stage.kind is not Kind.REVEAL
        else:
            self._counts["speeches"] += 1

    def _judge(self, target: AuditRound, sealed: Sealed) -> Rule | None:
        content = sealed.content
        if content.kind != target.stage.kind:
            return Rule.KIND
        try:
            body: Struct = decode(content.body, BODIES[target.stage.kind])
        except DecodeError:
            return Rule.BODY
        if isinstance(self._part, FormationCheck):
            return self._part.judge(content.seat, body)
        said = Said(content.seat, content.round, content.prev, sealed.hash)
        return self._the_hand.judge(said, body)

    # From round to round.

    def _settle(self) -> None:
        """Close every round that is whole, open the next one, and judge what waited for it."""
        while self._current is not None and self._current.head is not None:
            done = self._current
            self._current = None
            self._head = done.head or b""
            if self._broken:
                return
            try:
                self._go_on(done)
            except ContradictionError as error:
                self._broken = True
                self.refuse(f"the proofs of {_words(done.place)} contradict each other: {error}")

    def _go_on(self, done: AuditRound) -> None:
        hand, attempt, number = done.place
        part = self._part
        if part is None:
            return
        part.close()
        if part.stage is not None:
            self._open_round(Place(hand, attempt, number + 1))
            return
        if isinstance(part, FormationCheck):
            self._drawn = part.drawn
            dealer = 0 if part.drawn is None else part.drawn.dealer
            self._begin_hand(1, dealer)
            admitted, self._before_draw = self._before_draw, []
            for item in admitted:
                self._admit(item.sealed, item.offset)
            return
        scores = part.scores
        if scores is None or self._match is None:
            raise ContradictionError("a hand ended without scores")
        self._match = self._match.add(scores)
        self._counts["hands scored"] += 1
        if not self._match.over:
            self._begin_hand(hand + 1, next_dealer(self._the_roster.rules, part.dealer))

    def _begin_hand(self, number: int, dealer: int) -> None:
        roster, drawn, match, encoding = self._roster, self._drawn, self._match, self._encoding
        if roster is None or drawn is None or match is None or encoding is None:
            raise ContradictionError("a hand before the draw")
        setting = Setting(drawn.table, roster.rules, roster.rules_hash, encoding)
        self._part = HandCheck(
            setting, number, FIRST_ATTEMPT, dealer, match, self._memo, self._counts
        )
        self._open_round(Place(number, FIRST_ATTEMPT, 0))

    def _open_round(self, place: Place) -> None:
        part = self._part
        stage = None if part is None else part.stage
        if part is None or stage is None:
            raise ContradictionError(f"no round is due at {_words(place)}")
        seats = len(self._the_roster.entries)
        opened = AuditRound(place, stage, part.speakers, seats, self._head)
        self._rounds[place] = opened
        self._current = opened
        items = self._waiting.pop(place, [])
        self._waiting_count -= len(items)
        for item in items:
            self._deliver(opened, item.sealed)

    @property
    def _the_roster(self) -> SealedRoster:
        if self._roster is None:
            raise RuntimeError("contents are judged after the roster")
        return self._roster

    @property
    def _the_hand(self) -> HandCheck:
        if not isinstance(self._part, HandCheck):
            raise RuntimeError("a hand's contents are judged in a hand")
        return self._part

    # The end.

    def finish(self) -> Report:
        """Account for everything, and say what was found."""
        self._judge_astray()
        waiting = [item.sealed for items in self._waiting.values() for item in items]
        waiting += [item.sealed for item in self._before_draw]
        self._account(waiting)
        faults = self._all_faults()
        verdict = self._verdict(faults)
        start, roster, drawn, match = self._start, self._roster, self._drawn, self._match
        scores = () if match is None else match.hands[: self._certified_hands()]
        return Report(
            verdict=verdict,
            summary=self._summary(verdict, faults),
            faults=faults,
            damage=shortened(self._damage),
            gaps=shortened(self._gaps),
            table=b"" if drawn is None else drawn.table,
            phrase="" if drawn is None else drawn.phrase,
            name="" if roster is None else printable(roster.name),
            roster=b"" if roster is None else roster.hash,
            rules={} if roster is None else roster.rules.to_dict(),
            players=self._players(),
            dealer=None if drawn is None else drawn.dealer,
            owner=b"" if start is None else start.owner,
            program="" if start is None else printable(start.program),
            created=None if start is None else start.created,
            hands=len(scores),
            scores=scores,
            totals=_totals(match, scores),
            winners=match.winners if match is not None and len(scores) == len(match.hands) else (),
            records=self._records,
            verified=dict(self._counts),
            unverified=len(waiting),
            trace=Trace(
                {
                    place: item.head or b""
                    for place, item in self._rounds.items()
                    if item.is_certified
                },
                self._ledger,
            ),
        )

    def _certified_hands(self) -> int:
        """How many scored hands are certified to their last round."""
        open_hands = [item.place.hand for item in self._rounds.values() if not item.is_certified]
        scored = 0 if self._match is None else len(self._match.hands)
        return min([scored, *(hand - 1 for hand in open_hands if hand)]) if self._drawn else 0

    def _judge_astray(self) -> None:
        """A speech on another head than the one its own author acknowledged convicts it."""
        places = list(self._rounds)
        for sealed in self._astray:
            content = sealed.content
            number = places.index(place_of(content))
            before = places[number - 1] if number else None
            if before is None or content.kind == Kind.ACK:
                continue
            acks = self._ledger.find(before, content.author, is_ack=True)
            if acks and all(_head_of(ack) != content.prev for ack in acks):
                self._faults.append(fault_of(Rule.PREVIOUS, sealed, acks[0]))

    def _account(self, waiting: list[Sealed]) -> None:
        """Name everything that a complete log would have, and everything that is left over."""
        if self._start is None:
            self.miss("the log holds nothing")
            return
        if self._roster is None:
            self.miss("the log holds no roster")
            return
        for item in self._rounds.values():
            self._account_round(item)
        for sealed in self._astray:
            content = sealed.content
            self.miss(
                f"a {content.kind} of {self._name(content.author)} for {_words(place_of(content))} "
                "builds on a history that this log does not hold"
            )
        if waiting and not (self._broken or self._current is None):
            self.miss(f"{len(waiting)} later messages build on messages that are not there")
        elif waiting and not self._broken:
            self.refuse(f"{len(waiting)} messages are for rounds after the end of the match")
        if self._match is None or not self._match.over:
            self.miss("the match was not played to its end")
        for author, numbers in self._ledger.gaps().items():
            listed = joined([str(number) for number in numbers[:SHOWN_NUMBERS]])
            self.miss(f"messages of {self._name(author)} are missing (its own number {listed})")

    def _account_round(self, item: AuditRound) -> None:
        if item.is_certified:
            self._counts["certificates"] += 1
            self._counts["acks"] += item.seats
            return
        where = _words(item.place)
        if item.silent:
            names = joined([self._seat_name(item.place, seat) for seat in item.silent])
            self.miss(f"{where} lacks the {item.stage.kind} of {names}")
            return
        absent = [seat for seat in item.unacknowledged if seat not in item.acks]
        other = [seat for seat in item.unacknowledged if seat in item.acks]
        if absent:
            names = joined([self._seat_name(item.place, seat) for seat in absent])
            self.miss(f"{where} lacks the acknowledgement of {names}")
        if other:
            names = joined([self._seat_name(item.place, seat) for seat in other])
            self.miss(f"{names} acknowledged another history of {where} than the one in this log")

    def _all_faults(self) -> tuple[FaultReport, ...]:
        found: dict[tuple[bytes, Rule], FaultReport] = {}
        for fault in [*self._faults, *self._ledger.faults, *self._ledger.broken_chains()]:
            found.setdefault((fault.id, fault.rule), self._report_fault(fault))
        return tuple(sorted(found.values(), key=lambda item: _place_of_fault(item.fault)))

    def _report_fault(self, fault: Fault) -> FaultReport:
        roster = self._the_roster
        place = fault.seat
        if fault.hand and self._drawn is not None:
            place = self._drawn.seats[fault.seat]
        player = self._player(place)
        if player.key != roster.entries[place].identity:
            raise RuntimeError("a fault names another player than its evidence")
        return FaultReport(fault, player, fault.sentence(player.nick))

    def _verdict(self, faults: tuple[FaultReport, ...]) -> Verdict:
        found: set[Verdict] = set()
        if faults:
            found.add(Verdict.FAULT)
        if self._damage:
            found.add(Verdict.UNREADABLE)
        if self._gaps:
            found.add(Verdict.INCOMPLETE)
        return gravest(found)

    def _summary(self, verdict: Verdict, faults: tuple[FaultReport, ...]) -> tuple[str, ...]:
        hands = self._certified_hands()
        played = f"{hands} hand{'' if hands == 1 else 's'}"
        if verdict is Verdict.CLEAN:
            return (
                f"Clean: the whole match, {played}, was verified from the draw for seats to the "
                "last score.",
                f"All {self._counts['signatures']} signatures, {self._counts['shuffle proofs']} "
                f"shuffles and {self._counts['plays']} plays with "
                f"{self._counts['class proofs']} proofs of legality hold, and "
                f"{self._counts['messages made again']} messages were made again from the "
                "revealed secrets, byte for byte.",
            )
        if verdict is Verdict.FAULT:
            return (
                "Fault: the log proves that a rule was broken.",
                *(item.sentence for item in faults),
            )
        if verdict is Verdict.UNREADABLE:
            return (
                "Unreadable: the log was damaged or altered, so it proves nothing as a whole.",
                *(f"{reason[:1].upper()}{reason[1:]}." for reason in shortened(self._damage)),
            )
        return (
            f"Incomplete: what is there is consistent ({played} to the end), but it is not a "
            "whole match.",
            *(f"{reason[:1].upper()}{reason[1:]}." for reason in shortened(self._gaps)),
        )

    # Names.

    def _players(self) -> tuple[PlayerReport, ...]:
        if self._roster is None:
            return ()
        places = range(len(self._roster.entries))
        order = places if self._drawn is None else self._drawn.seats
        return tuple(self._player(place) for place in order)

    def _player(self, place: int) -> PlayerReport:
        entry = self._the_roster.entries[place]
        seat = None if self._drawn is None else self._drawn.seats.index(place)
        return PlayerReport(seat, printable(entry.nick), entry.identity)

    def _name(self, author: bytes) -> str:
        identities = [entry.identity for entry in self._the_roster.entries]
        return self._player(identities.index(author)).nick

    def _seat_name(self, place: Place, seat: int) -> str:
        if place.hand and self._drawn is not None:
            seat = self._drawn.seats[seat]
        return self._player(seat).nick


SHOWN_NUMBERS = 3
"""Of missing numbers this many are named."""


def _totals(match: Match | None, scores: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    if match is None:
        return ()
    return tuple(sum(hand[seat] for hand in scores) for seat in range(match.rules.seats))


def _words(place: Place) -> str:
    if place.hand == 0:
        return f"the draw for seats, round {place.round}"
    return f"hand {place.hand}, round {place.round}"


def _head_of(ack: Sealed) -> bytes | None:
    try:
        return decode(ack.content.body, Ack).head
    except DecodeError:
        return None


def _place_of_fault(fault: Fault) -> tuple[int, int, int]:
    return fault.hand, fault.attempt, fault.round
