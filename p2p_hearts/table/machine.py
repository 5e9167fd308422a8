"""A whole table, sans-IO: frames in, effects out (protocol/SPEC.md sections 4, 6 and 8).

``receive`` takes a frame that a peer sent over its own authenticated link, ``tick`` says what time
it is, ``work`` does the next heavy step (a proof to make or to check), the ``choose_*`` methods
take the player's decisions, and ``drain`` hands out what to store and to send, in this order.

Every speech of every seat runs through the same path: accepted into the history, acknowledged
once the round is complete, judged, and acted on. A seat speaks only when everything it builds on
is certified.

Never: reads a clock, a socket, a file or a source of randomness; raises for anything a peer sent;
tells a secret before its reveal. Errors: ``ValueError`` for a decision that the rules refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import Struct

from p2p_hearts.i18n import _
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import NOBODY, View
from p2p_hearts.table import absence
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.course import Course
from p2p_hearts.table.draw import Draw, commit_nonce
from p2p_hearts.table.effects import Effect, Secrets, Send, Store
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.history import History, Outcome
from p2p_hearts.table.recall import OwnLog, Recall
from p2p_hearts.table.round import Round
from p2p_hearts.table.rounds import FIRST_ATTEMPT, FORMATION, SECOND_ATTEMPT, stage_of
from p2p_hearts.table.serving import (
    WATCHER_BYTES,
    fill_frame,
    missing_for,
    next_place,
    report,
    serves_all,
)
from p2p_hearts.table.views import make_view
from p2p_hearts.wire.chain import NO_HASH, Place, first_head, place_of
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import BadSignatureError, Sealed, Signer, seal
from p2p_hearts.wire.evidence import open_content
from p2p_hearts.wire.faults import Fault
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BALLOTS, VERSION, Ack, Beat, Content, Frame, Kind, Sit
from p2p_hearts.wire.messages import Draw as DrawBody

BEAT_SECONDS = (0.25, 0.5, 1.0, 2.0)
"""Time between heartbeats: short after progress, so that a lost message is soon repeated."""

WASTED_SIGNATURES = 200
"""What a peer may send in ``BUDGET_SECONDS`` that is sound and not of use, or not yet: 30 ms of our
time. A peer that is behind gets at most 16 rounds early, and what is dropped comes again."""

BUDGET_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whom the table waits for: a seat (in hand 0 a place of the roster) and the item it owes."""

    seat: int
    item: str


class Table:
    """One seat's table, from a roster to the end of the match."""

    def __init__(
        self,
        signer: Signer,
        roster: SealedRoster,
        secrets: Secrets,
        *,
        watching: bool = False,
    ) -> None:
        """Sit down at a roster that ``open_roster`` verified and that lists ``signer``.

        Or, ``watching``, beside it: this table then follows all and says nothing, whatever happens.

        Raises:
            ValueError: the roster does not list this identity, or lists one that only watches.
        """
        identities = [entry.identity for entry in roster.entries]
        if (signer.public in identities) == watching:
            raise ValueError("the roster does not list this player, or lists one that watches")
        self.roster = roster
        self.place = NOBODY if watching else identities.index(signer.public)
        self.history = History(len(identities), first_head(roster.hash))
        self.dropped: Counter[str] = Counter()
        """What was dropped and why, for the curious."""
        self._signer = signer
        self._identities = identities
        self._log = OwnLog()
        self._course = Course(self.history, roster, self.place, secrets, self._log)
        self._recall = Recall(len(identities), roster.rules.grace)
        self._consent = Consent(self.history, self._course, roster.rules)
        self._secrets = secrets
        self._effects: list[Effect] = []
        self._sequence = 0
        self._last = NO_HASH
        self._replaying = False
        self._accepted: set[bytes] = set()
        """Envelopes that fill a place of the history: they are not verified a second time."""
        self._evidence: set[bytes] = set()
        """Envelopes that are in the log for what they prove, or that filled no place when it was
        read: they are not stored a second time."""
        self._said: dict[tuple[bytes, Place, bool], Sealed] = {}
        """Own speeches and acks by table and place, whether they fill it here or not: nothing else
        is ever signed for that place."""
        self._balloted: dict[tuple[bytes, Place, bytes], dict[bytes, Sealed]] = {}
        """Likewise own votes and confirms, by table, place and the history they stand on."""
        self._finished_by: set[int] = set()
        self._told_over = False
        """Whether a heartbeat has told everybody that the match is over here."""
        self._now = 0.0
        self._next_beat = 0.0
        self._beats = 0
        self._wasted: Counter[int] = Counter()
        """Signatures verified for nothing since the budget began, by the place that sent them."""
        self._budget_ends = 0.0

    @classmethod
    def resume(
        cls,
        signer: Signer,
        roster: SealedRoster,
        secrets: Secrets,
        envelopes: Sequence[bytes],
        recall: int,
    ) -> Table:
        """Come back to a table from the own log: ``envelopes`` in the order they were stored.

        The table says nothing before the others returned what they hold of this seat's own
        messages (SPEC.md section 6.8): what this process has said and its log has not, after a
        restored backup, is adopted and never said twice. ``recall`` is a number of this start's
        own, from 1 to 2**31 - 1.
        """
        table = cls(signer, roster, secrets)
        table._recall.begin(recall, set(range(len(table._identities))) - {table.place})
        opened = [sealed for data in envelopes if (sealed := table._open(data)) is not None]
        table._log.read(signer.public, [sealed.content for sealed in opened])
        table._replay(opened)
        table._consent.come_back()
        table._effects.clear()
        table._recall.note_own(table._sequence)
        return table

    def _replay(self, opened: Sequence[Sealed]) -> None:
        """Take in the contents of the own log, in any order in which they fill their places.

        A log holds each content once: also what was refused when it came first, for what it proves,
        and was taken later. So what fills no place is offered again, until nothing changes.
        """
        self._replaying = True
        left, seen = list(opened), set[tuple[bytes, ...]]()
        while left and (names := tuple(sealed.hash for sealed in left)) not in seen:
            seen.add(names)
            for sealed in left:
                self._accept(sealed)
                while self.work():
                    pass
            left = [sealed for sealed in opened if not self.history.keeps(sealed)]
        self._replaying = False
        self._evidence |= {sealed.data for sealed in opened} - self._accepted

    # What the surroundings call.

    def drain(self) -> list[Effect]:
        """Return what is to be stored and sent since the last call, in binding order."""
        effects, self._effects = self._effects, []
        return effects

    def receive(self, place: int, data: bytes) -> None:
        """Take a frame from the peer at ``place`` of the roster."""
        try:
            frame = decode(data, Frame)
        except DecodeError:
            self.dropped["malformed frame"] += 1
            return
        if frame.table != self.roster.hash:
            self.dropped["frame of another table"] += 1
            return
        self._consent.patience.hear(place)
        for envelope in frame.envelopes:
            if envelope in self._accepted:
                continue
            if self._wasted[place] >= WASTED_SIGNATURES:
                self.dropped["over the budget of a peer"] += 1
                break
            is_sound = self._receive_envelope(envelope)
            self._wasted[place] += envelope not in self._accepted
            if not is_sound:
                # An honest peer verified all that it passes on: the rest is not worth the time.
                break
        self._acknowledge()
        if frame.beat is not None:
            self._answer(place, frame.beat)

    def tick(self, now: float) -> float:
        """Note the time, seconds on any monotonic clock; return when to tick again at latest."""
        self._now = now
        self._consent.patience.tick(now)
        if now >= self._budget_ends:
            self._wasted.clear()
            self._budget_ends = now + BUDGET_SECONDS
        if self._recall.ends(now, self._sequence):
            self._wake()
        self._consent.note_late(is_ready=not self._recall.waiting)
        self._ballot()
        if now >= self._next_beat or (self.over and not self._told_over):
            self._send(None, [], self.beat())
            self._told_over = self.over
            pause = BEAT_SECONDS[min(self._beats, len(BEAT_SECONDS) - 1)]
            self._beats += 1
            self._next_beat = now + pause
        return self._next_beat

    def greet(self, place: int) -> None:
        """Say where we are to a peer whose link just came up."""
        self._send(place, [], self.beat())

    def work(self) -> bool:
        """Do the next heavy step; return whether there was one.

        After a fault nothing is said any more, but what was heard is still judged: an earlier
        fault may be among it, and everybody is to name the earliest. A draw that stands is left
        all the same: the others may have gone on before they knew of the fault.
        """
        if self._course.ended:
            return False
        if self._stopped():
            return self._judge() or self._run_job() or self._leave_draw()
        return (
            self._say_again()
            or self._ballot()
            or self._speak()
            or self._judge()
            or self._run_job()
            or self._advance()
        )

    def vote_out(self, seat: int) -> None:
        """Decide to go on without a seat that is silent, or that has broken a rule.

        The others' programs must decide so, too; what it then means is in SPEC.md section 7.

        Raises:
            ValueError: it is neither; the text says what is the case.
        """
        self._consent.agree(seat)
        self._ballot()

    def may_vote_out(self) -> tuple[int, ...]:
        """Return the seats that this seat's player may decide to go on without now."""
        return self._consent.may_agree()

    def choose_pass(self, cards: CardSet) -> None:
        """Decide which cards to pass; ``ValueError`` says why not."""
        self._deciding(Kind.PASS_SELECT).choose_pass(cards)

    def choose_card(self, card: Card) -> None:
        """Decide which card to play; ``ValueError`` says why not."""
        self._deciding(Kind.PLAY).choose_card(card)

    def choose_claim(self) -> None:
        """Claim the rest instead of playing a card; ``ValueError`` says why not."""
        self._deciding(Kind.PLAY).choose_claim()

    def choose_moon(self, choice: MoonChoice) -> None:
        """Decide how the own moon counts; ``ValueError`` when it is not asked."""
        self._deciding(Kind.CHOICE).chosen_moon = choice

    # What the surroundings ask.

    @property
    def auto_vote(self) -> bool:
        """Whether this seat's program decides by itself to go on without a seat."""
        return self._consent.auto

    @auto_vote.setter
    def auto_vote(self, value: bool) -> None:
        self._consent.auto = value

    @property
    def fault(self) -> Fault | None:
        """The first proven fault, if there is one; the game goes on only by ``vote_out``."""
        return self.history.fault

    @property
    def draw(self) -> Draw | None:
        """Table id, seats and dealer, once they are drawn."""
        return self._course.draw

    @property
    def is_forming(self) -> bool:
        """Whether seats are not drawn, or by a draw that a liar keeps from being certified."""
        fault, rounds = self.fault, len(FORMATION)
        is_spoilt = fault is not None and fault.hand == 0 and self.history.certified < rounds
        return self.draw is None or is_spoilt

    @property
    def hand(self) -> Hand | None:
        """The hand that is being played; ``None`` before the first."""
        return self._course.hand

    @property
    def match(self) -> Match:
        """The hands that were scored."""
        return self._course.match

    @property
    def seat(self) -> int | None:
        """This player's seat, once seats are drawn."""
        return self._course.seat

    @property
    def decision(self) -> Kind | None:
        """The kind of decision the table waits for from this seat's player, if any."""
        if self.hand is None or self._stopped() or self._course.ended or self._recall.waiting:
            return None
        current = self.history.current
        if not self._may_speak_in(current) or not self.hand.needs_decision(current.kind):
            return None
        return current.kind

    @property
    def over(self) -> bool:
        """Whether the match has ended and its last round is certified here."""
        return self._course.ended and self.history.certified == len(self.history.rounds)

    @property
    def all_finished(self) -> bool:
        """Whether every peer has said that it holds the last certificate, this one too.

        Who left without saying so would be waited for by the one that finishes last.
        """
        return self._told_over and not self.unfinished

    @property
    def unfinished(self) -> frozenset[int]:
        """Places of the peers that have not said that they hold the last certificate."""
        others = frozenset(range(self.history.seats)) - {self.place}
        return others - self._finished_by

    def player_at(self, seat: int) -> int:
        """Return the place in the roster of a seat; in hand 0 seats are places."""
        return seat if self.draw is None else self.draw.seats[seat]

    def waiting(self) -> tuple[Waiting, ...]:
        """Return whom the first uncertified round waits for, in seat order."""
        if self._recall.waiting:
            seats = range(len(self._identities))
            silent = [seat for seat in seats if self.player_at(seat) in self._recall.waiting]
            return tuple(Waiting(seat, "own messages") for seat in silent)
        return tuple(Waiting(seat, item) for seat, item in self.history.missing())

    def view(self) -> View | None:
        """Return what this seat's player may know; ``None`` before the first hand."""
        if self.hand is None:
            return None
        return make_view(self.hand, self.match, self.decision)

    def serve(self, beat: Beat) -> bytes:
        """Return a frame for somebody who watches: what it lacks by its heartbeat, and ours.

        Nothing is noted of it: whoever watches has no part in what this table does.
        """
        fault = self.fault
        known = fault is None or beat.fault == fault.id
        missing = [] if fault is None or known else list(fault.evidence)
        missing += missing_for(self.history, beat)
        batch, _ = fill_frame(missing, WATCHER_BYTES)
        return encode(Frame(self.roster.hash, batch, self.beat()))

    # Contents in.

    def _open(self, data: bytes) -> Sealed | None:
        """Open an envelope; ``None``, and counted, if it is none that its author signed."""
        try:
            return open_content(data)
        except (DecodeError, BadSignatureError) as error:
            self.dropped[type(error).__name__] += 1
            return None

    def _receive_envelope(self, data: bytes) -> bool:
        """Take in an envelope; return whether it is one that its author signed."""
        sealed = self._open(data)
        if sealed is not None:
            self._accept(sealed)
        return sealed is not None

    def _accept(self, sealed: Sealed) -> None:
        """Bind the author to the seat it names, and hand the content to the history."""
        if not self._belongs(sealed.content):
            self.dropped["stranger or other table"] += 1
            return
        content = sealed.content
        is_own = content.author == self._signer.public and self._is_of_this_table(content)
        if is_own and content.sequence >= self._sequence:
            self._sequence, self._last = content.sequence + 1, sealed.hash
        if content.author == self._signer.public:
            self._note_own(sealed)
        before = self.fault
        outcome = self.history.accept(sealed)
        admitted, self.history.admitted = self.history.admitted, []
        for item in admitted:
            self._accepted.add(item.data)
            self._effects.append(Store(item.data))
        if outcome is Outcome.ACCEPTED:
            if sealed.data not in self._evidence and sealed.data not in self._accepted:
                self._effects.append(Store(sealed.data))
            self._accepted.add(sealed.data)
            self._beats, self._next_beat = 0, self._now + BEAT_SECONDS[0]
        elif outcome is Outcome.DROPPED:
            self.dropped["out of place"] += 1
        self._course.rewind()
        if self.fault is not before:
            self._note_fault()

    def _note_own(self, sealed: Sealed) -> None:
        """Note what this seat has said, so that it never says anything else in the same place."""
        content, place = sealed.content, place_of(sealed.content)
        if content.kind in BALLOTS:
            key = content.table, place, content.prev
            self._balloted.setdefault(key, {})[sealed.hash] = sealed
        else:
            self._said.setdefault((content.table, place, content.kind == Kind.ACK), sealed)

    def _forget_own(self, sealed: Sealed) -> bool:
        """Forget an own content that was dropped before anybody got it; say whether it was."""
        content, place = sealed.content, place_of(sealed.content)
        if sealed.data in self._evidence:
            return False
        if content.kind in BALLOTS:
            key = content.table, place, content.prev
            self._balloted[key].pop(sealed.hash, None)
            if not self._balloted[key]:
                del self._balloted[key]
        elif self._said.get((content.table, place, content.kind == Kind.ACK)) is sealed:
            del self._said[content.table, place, content.kind == Kind.ACK]
        return True

    def _belongs(self, content: Content) -> bool:
        if self.draw is not None or content.hand == 0:
            return self._course.binds(content)
        # Early, and not judged before the draw says which seat is whose.
        is_here = content.version == VERSION and content.seat < len(self._identities)
        is_attempt = FIRST_ATTEMPT <= content.attempt <= SECOND_ATTEMPT
        return is_here and is_attempt and content.author in self._identities

    def _is_of_this_table(self, content: Content) -> bool:
        """Whether a content that belongs here is surely of this table, and of no earlier one.

        Before the draw a later hand's may be of any table: the own count does not follow it.
        """
        return content.hand == 0 or self.draw is not None

    def _note_fault(self) -> None:
        """Keep the evidence in the log, unless it is there, and give it to everybody."""
        fault = self.fault
        if fault is None:
            return
        for data in fault.evidence:
            is_stored = data in self._evidence or data in self._accepted
            if not is_stored and not self.history.holds(data):
                self._effects.append(Store(data))
                self._evidence.add(data)
        self._send_all(None, fault.evidence)
        self._send(None, [], self.beat())

    # Contents out.

    def _may_speak_in(self, current: Round) -> bool:
        me = self._own_seat(current)
        return (
            self._course.is_up_to_date
            and current.closing is None
            and me in current.speakers
            and me not in current.speeches
            and self._is_free(current, is_ack=False)
            and self.history.may_speak()
            and not self.history.has_voted(me)
        )

    def _is_free(self, item: Round, *, is_ack: bool) -> bool:
        """Whether this seat has said nothing yet in the place of its speech or ack in a round."""
        return (item.table, item.place, is_ack) not in self._said

    def _say_again(self) -> bool:
        """Take in again what this seat has said and its history could not take then.

        It was signed, so it is what the others hold, or nobody; returns whether some is taken now.
        """
        if self._recall.waiting:
            return False
        for item in self.history.rounds[self.history.certified :]:
            places = [(item.table, item.place, is_ack) for is_ack in (False, True)]
            own = [self._said[place] for place in places if place in self._said]
            said = [sealed for sealed in own if sealed.content.prev == item.prev]
            said += self._balloted.get((item.table, item.place, item.prev), {}).values()
            if any(self._give(sealed) for sealed in said if not self.history.keeps(sealed)):
                return True
        return False

    def _own_seat(self, item: Round) -> int:
        if item.place.hand == 0 or self.seat is None:
            return self.place
        return self.seat

    def _speak(self) -> bool:
        """Make the own speech of the current round, if it is due and decided."""
        current = self.history.current
        if self._recall.waiting:
            return False
        if not self._may_speak_in(current) or self._owes_checks(current.kind):
            return False
        kind = current.kind
        if self.hand is not None:
            if self.hand.needs_decision(kind):
                return False
            if self.hand.lost and not stage_of(kind).takes_lost:
                return False
            kind = self.hand.kind_to_speak(kind)
            if kind is Kind.REVEAL:
                self.hand.evidence = self._course.evidence()
            body = self.hand.speak(kind, current.place.round)
        else:
            body = self._formation_body(kind)
        return self._say(current, kind, body)

    def _owes_checks(self, kind: Kind) -> bool:
        """Whether checks that may wait no longer may: nothing but a shuffle runs ahead of them."""
        return self.hand is not None and bool(self.hand.jobs) and kind is not Kind.SHUFFLE

    def _formation_body(self, kind: Kind) -> Struct:
        nonce = self._secrets.nonce(self.roster.hash)
        if kind is Kind.SIT:
            return Sit(commit_nonce(self.roster.hash, self.place, nonce))
        return DrawBody(nonce)

    def _say(self, item: Round, kind: Kind, body: Struct) -> bool:
        """Say something in a round, once and for all; return whether the history took it."""
        hand, attempt, number = item.place
        author, seat = self._signer.public, self._own_seat(item)
        sequence = self.history.next_number(item, author, seat, kind)
        before = self.history.numbered(author, sequence - 1)
        held = self.history.numbered(author, sequence)
        self._sign(
            Content(
                version=VERSION,
                table=item.table,
                hand=hand,
                attempt=attempt,
                round=number,
                seat=seat,
                author=author,
                sequence=sequence,
                last=self._last if before is None else before.hash,
                prev=item.prev,
                kind=kind,
                body=encode(body),
            )
        )
        is_taken = self.history.numbered(author, sequence) is not held
        if is_taken:
            self._acknowledge()
        return is_taken

    def _sign(self, content: Content) -> None:
        """Sign a content, keep it durably, and send it to all.

        One that the own history drops is neither kept nor sent: then it was never said.
        """
        sealed, before = seal(self._signer, content), (self._sequence, self._last)
        if not self._give(sealed) and self._forget_own(sealed):
            self._sequence, self._last = before

    def _give(self, sealed: Sealed) -> bool:
        """Take in an own content and send it to all, if the history takes it; say whether."""
        self._accept(sealed)
        is_taken = self.history.keeps(sealed)
        if is_taken:
            self._send(None, [sealed.data], None)
        return is_taken

    def _acknowledge(self) -> None:
        """Acknowledge every complete round once, in order, unless this seat voted in it."""
        if self._stopped() or self._recall.waiting:
            return
        for item in self.history.rounds[self.history.certified :]:
            me = self._own_seat(item)
            if item.head is None or item.closing is not None:
                return
            if me not in item.seats or me in item.acks:
                if not (item.runs_ahead or item.certified):
                    # Else whoever goes on without its ack could not be voted out of this round.
                    return
                continue
            if not absence.may_ack(item.own(me)):
                return
            if (item.table, item.place, item.prev) in self._balloted:
                return
            if not self._is_free(item, is_ack=True):
                return
            if not self._say(item, Kind.ACK, Ack(item.head)):
                return
            if self._stopped() or not (item.runs_ahead or item.certified):
                return

    @property
    def stopped(self) -> bool:
        """Whether a proven fault has stopped this seat, unless its player decides to go on."""
        return self._stopped()

    @property
    def stopped_for_good(self) -> bool:
        """Whether a proven fault has stopped this seat and its player has nothing to decide."""
        return self._stopped() and not self.may_vote_out()

    def _stopped(self) -> bool:
        return not self._replaying and self._consent.is_stopped

    def _ballot(self) -> bool:
        """Vote or confirm where a round waits for a seat for too long; say whether it did.

        Not before all that this seat has said in ballots of the round counts here.
        """
        if self._recall.waiting or self._stopped():
            return False
        item = self._consent.open_round()
        if item is None:
            return False
        own = self._balloted.get((item.table, item.place, item.prev), {})
        if not own.keys() <= item.votes.keys() | item.confirms.keys():
            return False
        said = self._consent.next_ballot(item)
        return said is not None and self._say(item, *said)

    # Judging and going on.

    def _judge(self) -> bool:
        """Judge a speech; say whether there was one."""
        return self._noting_faults(self._course.judge)

    def _run_job(self) -> bool:
        """Do one of the checks that could wait; say whether there was one."""
        return self._noting_faults(self._course.run_job)

    def _noting_faults(self, step: Callable[[], bool]) -> bool:
        before = self.fault
        has_worked = step()
        if self.fault is not before:
            self._note_fault()
        return has_worked

    def _advance(self) -> bool:
        """Close the followed round and go to the next one, if it is time; say whether it was."""
        hand, ended = self.hand, self._course.ended
        has_worked = self._noting_faults(self._course.advance)
        if self.hand is not hand:
            self._consent.begin_hand()
        if self._course.ended and not ended:
            self._next_beat = self._now
        self._consent.patience.note_gone(self._course.gone)
        self._course.gone.clear()
        early, self._course.early = self._course.early, []
        for sealed in early:
            self._accept(sealed)
        if has_worked:
            self._acknowledge()
        return has_worked

    def _leave_draw(self) -> bool:
        """Begin the first hand, if the draw is certified; say whether it did."""
        in_draw = self.hand is None and self.history.certified == len(self.history.rounds)
        return in_draw and self._advance()

    def _deciding(self, kind: Kind) -> Hand:
        if self.hand is None or self.decision is not kind:
            raise ValueError(_("The table does not wait for this decision now."))
        return self.hand

    # Heartbeats.

    def beat(self) -> Beat:
        """Return the heartbeat: where this table is and what it holds."""
        place = next_place(self.history)
        return Beat(
            table=self.roster.hash,
            hand=place.hand,
            attempt=place.attempt,
            round=place.round,
            open=report(self.history),
            fault=b"" if self.fault is None else self.fault.id,
            finished=self.over,
            recall=self._recall.number,
            recalled=self._recall.answered,
        )

    def _answer(self, place: int, beat: Beat) -> None:
        """Send a peer what its heartbeat shows that it misses."""
        if beat.finished:
            self._finished_by.add(place)
        if self.place == NOBODY:
            return
        if self.fault is not None and beat.fault != self.fault.id:
            self._send_all(place, self.fault.evidence)
        mine = beat.recalled[self.place] if self.place < len(beat.recalled) else 0
        if self._recall.returned(place, mine):
            self._wake()
        missing = missing_for(self.history, beat)
        if beat.recall:
            missing += self.history.early_of(self._identities[place])
        batch, rest = fill_frame(missing)
        is_all = not rest and serves_all(self.history, beat)
        if beat.recall and is_all and self._recall.answered[place] != beat.recall:
            # Said at once the first time; later beats repeat it. Two seats that both come back
            # would else answer each other's answers without end.
            self._recall.answered[place] = beat.recall
            self._send(place, batch, self.beat())
        elif batch:
            self._send(place, batch, None)

    def _wake(self) -> None:
        """Speak again: everything this seat ever said is here."""
        self._acknowledge()
        self._beats, self._next_beat = 0, self._now

    def _send_all(self, to: int | None, envelopes: Sequence[bytes]) -> None:
        while envelopes:
            batch, envelopes = fill_frame(envelopes)
            self._send(to, batch, None)

    def _send(self, to: int | None, envelopes: list[bytes], beat: Beat | None) -> None:
        self._effects.append(Send(to, encode(Frame(self.roster.hash, envelopes, beat))))
