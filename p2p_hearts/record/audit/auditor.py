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

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from msgspec import Struct

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.i18n import _
from p2p_hearts.record.audit.conclusion import conclude
from p2p_hearts.record.audit.formation import FormationCheck
from p2p_hearts.record.audit.hand import ContradictionError, HandCheck, Setting
from p2p_hearts.record.audit.ledger import Note
from p2p_hearts.record.audit.memo import Memo, Said
from p2p_hearts.record.audit.report import Report
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.state import State, Waiting, words_of
from p2p_hearts.record.audit.story import HandStory
from p2p_hearts.record.records import (
    LogDamageError,
    LogTornError,
    NotALogError,
    Record,
    RecordKind,
    open_start,
)
from p2p_hearts.rules.dealing import next_dealer
from p2p_hearts.rules.match import new_match
from p2p_hearts.wire.chain import Place, first_head, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Sealed, open_envelope
from p2p_hearts.wire.evidence import Known, proven_by
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.lobby import LobbyError, SealedRoster, open_roster
from p2p_hearts.wire.messages import BALLOTS, BODIES, VERSION, Ack, Content, Kind, Reveal

FIRST_ATTEMPT = 1
SECOND_ATTEMPT = 2

BEFORE_CARDS = frozenset({Kind.KEY, Kind.SHUFFLE, Kind.ESCROW, Kind.SEALS})
"""A hand that somebody leaves in one of these rounds begins anew."""

VOTERS = 2
"""So many seats close a round without another one."""

MAX_WAITING = 4096
"""Contents that may wait for their place at one time; a hand of eleven seats has about 1,500."""


def audit(records: Iterable[Record], *, memo: Memo | None = None, tells: bool = False) -> Report:
    """Audit one log; if it ``tells``, the report has the story of every hand.

    ``records`` as ``record.log.read_log`` yields them, whose ``LogError``s become part of the
    report. A ``memo`` shared by the audits of several logs of one table saves checking the same
    proof twice; a result in it was computed from the same history and the same bytes.
    """
    auditor = Auditor(memo or Memo(), tells=tells)
    try:
        for record in records:
            if not auditor.feed(record):
                break
    except (LogDamageError, NotALogError) as error:
        auditor.refuse(str(error))
    except LogTornError as error:
        auditor.miss(str(error))
    return auditor.report()


class Auditor:
    """The audit of one log while it is read."""

    def __init__(self, memo: Memo, *, tells: bool = False) -> None:
        """Begin before the first record; ``tells`` as for ``audit``."""
        self._memo = memo
        self._tells = tells
        self._story: list[HandStory] = []
        """Of the hands that are over; the current one is told when the report is made."""
        self._state = State()
        self._encoding: Encoding | None = None
        self._part: FormationCheck | HandCheck | None = None
        self._head = b""
        self._waiting_count = 0
        self._spoken: Counter[bytes] = Counter()
        """By author, the speeches so far: all rounds but the current one are whole."""

    def report(self) -> Report:
        """Judge what was read so far; reading may go on afterwards."""
        report = conclude(self._state)
        if not self._tells:
            return report
        current = [self._part.tell()] if isinstance(self._part, HandCheck) else []
        return replace(report, story=(*self._story, *current))

    # Records in.

    def feed(self, record: Record) -> bool:
        """Take in the next record; ``False`` if nothing after it can be judged."""
        state = self._state
        state.records += 1
        if state.start is None:
            return self._feed_start(record)
        if state.roster is None:
            return self._feed_roster(record)
        if record.kind is not RecordKind.CONTENT:
            self.refuse(
                _("a second record of kind {kind}").format(kind=record.kind.name.lower()),
                record.offset,
            )
            return True
        try:
            sealed = open_envelope(record.data)
        except DecodeError:
            self.refuse(_("a record that is no signed message"), record.offset)
            return True
        except BadSignatureError:
            self.refuse(_("a message whose signature is not its author's"), record.offset)
            return True
        state.counts["signatures"] += 1
        self._admit(sealed, record.offset)
        self._settle()
        return True

    def refuse(self, reason: str, offset: int | None = None) -> None:
        """Note something that no honest peer's log holds."""
        self._state.damage.append(
            reason
            if offset is None
            else _("byte {offset}: {reason}").format(offset=offset, reason=reason)
        )

    def miss(self, reason: str) -> None:
        """Note something that a complete log would have."""
        self._state.gaps.append(reason)

    def _feed_start(self, record: Record) -> bool:
        if record.kind is not RecordKind.START:
            self.refuse(_("the log does not begin with a start record"), record.offset)
            return False
        try:
            start = open_start(record.data)
        except (DecodeError, BadSignatureError):
            self.refuse(_("the start record is not one that its owner signed"), record.offset)
            return False
        self._state.start = start
        self._state.counts["signatures"] += 1
        if start.protocol != VERSION:
            self.refuse(
                _(
                    "the log is of protocol version {other}, this program audits version {own}"
                ).format(other=start.protocol, own=VERSION),
                record.offset,
            )
            return False
        return True

    def _feed_roster(self, record: Record) -> bool:
        if record.kind is not RecordKind.ROSTER:
            self.refuse(_("there is no roster after the start record"), record.offset)
            return False
        try:
            roster = open_roster(record.data)
        except (DecodeError, BadSignatureError, LobbyError) as error:
            self.refuse(
                _("the roster cannot be accepted: {reason}").format(reason=error), record.offset
            )
            return False
        self._state.counts["signatures"] += 1 + len(roster.entries)
        self._state.roster = roster
        self._state.match = new_match(roster.rules)
        self._encoding = Encoding(roster.rules)
        self._head = first_head(roster.hash)
        self._part = FormationCheck(roster)
        self._open_round(Place(0, roster.formation, 0))
        return True

    # One content.

    def _admit(self, sealed: Sealed, offset: int) -> None:
        """Bind author, seat and table; enter the ledger; go to the content's place."""
        state, content = self._state, sealed.content
        if content.hand and state.drawn is None:
            state.before_draw.append(Waiting(sealed, offset))
            self._limit_waiting()
            return
        reason = self._not_of_this_table(content)
        if reason:
            self.refuse(reason, offset)
            return
        note = state.ledger.note(sealed)
        if note is Note.REPEATED:
            state.counts["repeated messages"] += 1
        elif note is not Note.SECOND:
            self._route(sealed, offset)

    def _not_of_this_table(self, content: Content) -> str:
        """Return why a content cannot stand in a log of this table, or nothing."""
        roster, drawn = self._roster, self._state.drawn
        if content.version != VERSION:
            return _("a message of protocol version {version}").format(version=content.version)
        if content.seat >= len(roster.entries):
            return _("a message for seat {seat}, which does not exist").format(seat=content.seat)
        place, table = content.seat, roster.hash
        attempts: tuple[int, ...] = (roster.formation,)
        if content.hand and drawn is not None:
            place, table = drawn.seats[content.seat], drawn.table
            attempts = (FIRST_ATTEMPT, SECOND_ATTEMPT)
        if content.table != table:
            return _("a message of another table")
        if content.author != roster.entries[place].identity:
            return _("a message signed by somebody who does not sit in the seat it names")
        if content.attempt not in attempts:
            return _("a message of attempt {attempt}, which never was").format(
                attempt=content.attempt
            )
        return ""

    def _route(self, sealed: Sealed, offset: int) -> None:
        state, place = self._state, place_of(sealed.content)
        reached = state.rounds.get(place)
        if reached is not None:
            self._deliver(reached, sealed)
        elif place[:2] in state.void:
            state.counts["messages of attempts begun anew"] += 1
        elif place < next(reversed(state.rounds)):
            self.refuse(
                _("a message for {place}, which never was").format(place=words_of(place)), offset
            )
        else:
            state.waiting.setdefault(place, []).append(Waiting(sealed, offset))
            self._waiting_count += 1
            self._limit_waiting()

    def _limit_waiting(self) -> None:
        """An honest peer's log is nearly in order; one that is not is not read into memory."""
        state = self._state
        if self._waiting_count + len(state.before_draw) > MAX_WAITING:
            self.refuse(
                _("more than {n} messages stand before what they build on").format(n=MAX_WAITING)
            )
            state.waiting.clear()
            state.before_draw.clear()
            self._waiting_count = 0

    def _deliver(self, target: AuditRound, sealed: Sealed) -> None:
        content = sealed.content
        is_ack = content.kind == Kind.ACK
        if content.prev != target.prev:
            self._state.astray.append(sealed)
            return
        target.contents.append(sealed)
        if content.kind in BALLOTS:
            self._deliver_ballot(target, sealed)
        elif not is_ack and content.seat not in target.speakers:
            self._state.faults.append(fault_of(Rule.TURN, sealed))
        elif not target.place.hand and content.sequence != target.sequence(
            content.author, content.seat, is_ack=is_ack
        ):
            # Later, votes count as well, and what an honest peer logs leaves no number out.
            self._state.faults.append(fault_of(Rule.CHAIN, sealed))
        elif is_ack:
            self._deliver_ack(target, sealed)
        else:
            self._deliver_speech(target, sealed)

    def _deliver_ack(self, target: AuditRound, sealed: Sealed) -> None:
        try:
            ack = decode(sealed.content.body, Ack)
        except DecodeError:
            self._state.faults.append(fault_of(Rule.BODY, sealed))
            return
        target.acks.setdefault(sealed.content.seat, set()).add(ack.head)

    def _deliver_ballot(self, target: AuditRound, sealed: Sealed) -> None:
        """Count a vote or a confirm; go back if it closes the round otherwise than followed."""
        if not target.votable or sealed.content.seat not in target.seats:
            self._state.faults.append(fault_of(Rule.BALLOT, sealed))
            return
        was_open = target.closing is None
        for item, rule in target.note_ballot(sealed):
            self._state.faults.append(fault_of(rule, item))
        self._state.counts["votes and confirms"] += 1
        if target.closing is None or not was_open:
            return
        self._state.targets |= {
            item.target for item in target.confirms.values() if item.value == target.closing
        }
        stands = dict(zip(target.speakers, target.closing, strict=True))
        if any(stands[seat] != name for seat, name in target.speeches.items()):
            self._go_back(target)
        for seat, name in stands.items():
            if name is not None and seat not in target.speeches:
                self._deliver_standing(target, seat, name)

    def _deliver_standing(self, target: AuditRound, seat: int, name: bytes) -> None:
        """Judge the content that a round was closed with, if it had been set aside."""
        author = self._author_of(seat)
        for sealed in self._state.ledger.find(target.place, author, is_ack=False):
            if sealed.hash == name:
                self._deliver_speech(target, sealed)

    def _author_of(self, seat: int) -> bytes:
        drawn = self._state.drawn
        place = seat if drawn is None else drawn.seats[seat]
        return self._roster.entries[place].identity

    def _go_back(self, target: AuditRound) -> None:
        """Follow the attempt of a round again from its start, up to this round.

        Needed where a speech had been judged that the round was then closed without.
        """
        state, part = self._state, self._part
        if not isinstance(part, HandCheck) or part.numbers != target.place[:2]:
            return  # Its speaker has contradicted itself, which says more than this round.
        places = list(state.rounds)
        after = places[places.index(target.place) + 1 :]
        for place in after:
            gone = state.rounds.pop(place)
            items = [Waiting(sealed, 0) for sealed in gone.contents]
            state.waiting.setdefault(place, []).extend(items)
            self._waiting_count += len(items)
        strayed, state.astray = state.astray, []
        for sealed in strayed:
            if place_of(sealed.content) in after:
                state.waiting.setdefault(place_of(sealed.content), []).append(Waiting(sealed, 0))
                self._waiting_count += 1
            else:
                state.astray.append(sealed)
        attempt = target.place[:2]
        state.faults = [fault for fault in state.faults if not self._is_judged_again(fault, after)]
        state.faulty.clear()
        state.lost.clear()
        state.attempt_counts.pop()
        self._part = self._make_part(*attempt, part.dealer, part.keyless)
        for item in [item for item in state.rounds.values() if item.place[:2] == attempt]:
            said = {sealed.hash: sealed for sealed in item.contents}
            wanted = {
                name: seat
                for seat, name in item.speeches.items()
                if item.closing is None or item.closing[item.speakers.index(seat)] == name
            }
            item.speeches = {}
            for name in wanted:
                self._deliver_speech(item, said[name])
            if item is not target:
                self._part.close(self._absent(item, self._part))
        state.current = target
        state.is_broken = False

    def _is_judged_again(self, fault: Fault, gone: Sequence[Place]) -> bool:
        """Whether a fault was found in a round that is gone, or in a speech of one that stays."""
        place = Place(fault.hand, fault.attempt, fault.round)
        if place in gone:
            return True
        item = self._state.rounds.get(place)
        if item is None:
            return False
        speeches = {
            sealed.data
            for sealed in item.contents
            if item.speeches.get(sealed.content.seat) == sealed.hash
        }
        return not speeches.isdisjoint(fault.evidence)

    def _deliver_speech(self, target: AuditRound, sealed: Sealed) -> None:
        state, seat = self._state, sealed.content.seat
        if not target.stands(seat, sealed.hash):
            state.counts["late messages"] += 1
            return
        rule = self._judge(target, sealed)
        target.speeches[seat] = sealed.hash
        self._spoken[sealed.content.author] += 1
        if rule is None:
            state.counts["speeches"] += 1
            return
        fault = fault_of(rule, sealed)
        state.faults.append(fault)
        state.faulty.setdefault(seat, fault)
        # A reveal is the last word of a hand: nothing later is judged by it.
        state.is_broken = state.is_broken or target.place.hand == 0

    def _judge(self, target: AuditRound, sealed: Sealed) -> Rule | None:
        content, part = sealed.content, self._part
        is_lost = content.kind == Kind.LOST and target.stage.takes_lost
        if content.kind not in target.stage.kinds and not is_lost:
            return Rule.KIND
        try:
            body: Struct = decode(content.body, BODIES[Kind(content.kind)])
        except DecodeError:
            return Rule.BODY
        if is_lost:
            self._state.lost.add(content.seat)
            return None
        if isinstance(part, HandCheck):
            said = Said(content.seat, content.round, content.prev, sealed.hash, target.place[:2])
            rule = part.judge(said, body)
            if rule is None and isinstance(body, Reveal) and body.evidence:
                rule = self._judge_evidence(target.place, content.seat, body.evidence)
            return rule
        return None if part is None else part.judge(content.seat, body)

    def _judge_evidence(self, place: Place, seat: int, evidence: Iterable[bytes]) -> Rule | None:
        """Judge what a reveal carries against another seat: if it holds, that seat is convicted."""
        state, contents = self._state, list[Sealed]()
        for data in evidence:
            try:
                contents.append(open_envelope(data))
            except (DecodeError, BadSignatureError):
                return Rule.EVIDENCE
        if any(self._not_of_this_table(item.content) for item in contents):
            return Rule.EVIDENCE
        fault = proven_by(contents, lambda other: self._known(other) if other < place else None)
        if fault is None or fault.seat == seat:
            return Rule.EVIDENCE
        state.counts["accusations proven"] += 1
        state.faults.append(fault)
        state.faulty.setdefault(fault.seat, fault)
        return None

    def _known(self, place: Place) -> Known | None:
        """Return what everybody knows of a round that was reached."""
        item = self._state.rounds.get(place)
        return None if item is None else Known(item.prev, item.speakers)

    # From round to round.

    def _settle(self) -> None:
        """Close every round that is whole, open the next one, and judge what waited for it."""
        state = self._state
        while state.current is not None:
            done, head = state.current, state.current.head
            if head is None or (self._ends_attempt(done) and not done.is_certified):
                return
            state.current, self._head = None, head
            if state.is_broken:
                return
            try:
                self._go_on(done)
            except ContradictionError as error:
                state.is_broken = True
                self.refuse(
                    _("the proofs of {place} contradict each other: {reason}").format(
                        place=words_of(done.place), reason=error
                    )
                )

    def _ends_attempt(self, done: AuditRound) -> bool:
        """Whether another attempt or hand follows: then only a certificate ends the round.

        Whatever contents are here first, confirms may still close it with others.
        """
        part, kind = self._part, done.stage.kind
        if not isinstance(part, HandCheck):
            return False
        if kind in BEFORE_CARDS and self._absent(done, part) is not None:
            return True
        return part.stage is None or (part.shuffles_last and bool(self._state.faulty))

    def _go_on(self, done: AuditRound) -> None:
        state, part, (hand, attempt, number) = self._state, self._part, done.place
        if part is None or state.match is None:
            return
        if isinstance(part, HandCheck) and part.stage is None:
            self._end_hand(part)
            return
        if isinstance(part, HandCheck):
            absent = self._absent(done, part)
            if absent is not None and part.dummy is not None:
                state.is_broken = True
                return
            if absent is not None and done.stage.kind in BEFORE_CARDS:
                self._begin_anew(part, hand, absent)
                return
            part.close(absent)
            is_last = part.stage is None or part.stage.kind is not Kind.SHUFFLE
            if done.stage.kind is Kind.SHUFFLE and is_last and state.faulty:
                if part.dummy is None:
                    self._begin_anew(part, hand, min(state.faulty))
                else:
                    state.is_broken = True
                return
        else:
            part.close()
        if part.stage is not None:
            self._open_round(Place(hand, attempt, number + 1))
        elif isinstance(part, FormationCheck):
            state.drawn = part.drawn
            self._begin_hand(1)
            admitted, state.before_draw = state.before_draw, []
            for item in admitted:
                self._admit(item.sealed, item.offset)
        else:
            state.current = done  # The hand is complete; it ends with the certificate.

    def _end_hand(self, part: HandCheck) -> None:
        """Score a complete hand, once its last round is certified; begin the next one."""
        state, hand = self._state, part.numbers[0]
        if part.scores is None or state.match is None:
            raise ContradictionError(_("a hand ended without scores"))
        state.match = state.match.add(part.scores)
        state.counts["hands scored"] += 1
        state.excluded |= set(state.faulty)
        if len(state.excluded) > 1:
            state.is_broken = True
        elif not state.match.over:
            if self._tells:
                self._story.append(part.tell())
            self._begin_hand(hand + 1)

    def _absent(self, done: AuditRound, part: HandCheck) -> int | None:
        """Return the seat that a round is closed without, if there is one.

        Left out by vote, by its own fault, or because it has lost its secret.
        """
        state, kind = self._state, done.stage.kind
        if done.absent is not None:
            return done.absent
        if kind is Kind.REVEAL and part.dummy is not None:
            return None
        if kind in (Kind.SHUFFLE, Kind.REVEAL):
            return min(state.lost, default=None)
        seat = part.complained
        if kind is Kind.SEALS and seat is not None and seat not in state.faulty:
            rounds = [item for item in state.rounds.values() if item.place[:2] == done.place[:2]]
            escrow = next(item for item in rounds if item.stage.kind is Kind.ESCROW)
            said = next(item for item in escrow.contents if item.hash == escrow.speeches[seat])
            fault = fault_of(Rule.SEAL, said)
            state.faults.append(fault)
            state.faulty[seat] = fault
        return min({*state.faulty, *state.lost} - {part.dummy}, default=None)

    def _begin_anew(self, part: HandCheck, hand: int, keyless: int) -> None:
        """Begin a hand anew without a seat; what is still said in the old attempt is void."""
        state = self._state
        state.excluded |= set(state.faulty)
        state.void.add((hand, FIRST_ATTEMPT))
        for place in [place for place in state.waiting if place[:2] in state.void]:
            gone = state.waiting.pop(place)
            self._waiting_count -= len(gone)
            state.counts["messages of attempts begun anew"] += len(gone)
        kept = [item for item in state.astray if place_of(item.content)[:2] not in state.void]
        state.counts["messages of attempts begun anew"] += len(state.astray) - len(kept)
        state.astray = kept
        state.faulty.clear()
        state.lost.clear()
        if self._tells:
            self._story.append(part.tell(is_void=True))
        self._part = self._make_part(hand, SECOND_ATTEMPT, part.dealer, keyless)
        self._open_round(Place(hand, SECOND_ATTEMPT, 0))

    def _begin_hand(self, number: int) -> None:
        roster, drawn = self._roster, self._state.drawn
        if drawn is None:
            raise ContradictionError(_("a hand before the draw"))
        before = self._part
        dealer = (
            next_dealer(roster.rules, before.dealer)
            if isinstance(before, HandCheck)
            else drawn.dealer
        )
        self._state.faulty.clear()
        self._state.lost.clear()
        keyless = min(self._state.excluded, default=None)
        self._part = self._make_part(number, FIRST_ATTEMPT, dealer, keyless)
        self._open_round(Place(number, FIRST_ATTEMPT, 0))

    def _make_part(self, number: int, attempt: int, dealer: int, keyless: int | None) -> HandCheck:
        roster, state, encoding = self._roster, self._state, self._encoding
        drawn, match = state.drawn, state.match
        if drawn is None or match is None or encoding is None:
            raise ContradictionError(_("a hand before the draw"))
        keys = tuple(roster.entries[place].table_key for place in drawn.seats)
        setting = Setting(drawn.table, roster.rules, roster.rules_hash, encoding, keys)
        counts: Counter[str] = Counter()
        state.attempt_counts.append(counts)
        return HandCheck(setting, number, attempt, dealer, match, self._memo, counts, keyless)

    def _open_round(self, place: Place) -> None:
        state, part = self._state, self._part
        stage = None if part is None else part.stage
        if part is None or stage is None:
            raise ContradictionError(_("no round is due at {place}").format(place=words_of(place)))
        everybody = tuple(range(len(self._roster.entries)))
        seats = part.present if isinstance(part, HandCheck) else everybody
        votable = place.hand > 0 and seats == everybody and len(everybody) > VOTERS
        opened = AuditRound(
            place,
            stage,
            part.speakers,
            seats,
            votable,
            self._head,
            number=len(state.rounds),
            spoken=dict(self._spoken),
        )
        state.rounds[place] = state.current = opened
        items = state.waiting.pop(place, [])
        self._waiting_count -= len(items)
        for item in items:
            self._deliver(opened, item.sealed)

    @property
    def _roster(self) -> SealedRoster:
        if self._state.roster is None:
            raise RuntimeError("contents are judged after the roster")
        return self._state.roster
