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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec import Struct

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.secret import SECRET_BYTES, HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.dealing import next_dealer
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.score import MoonChoice, score_hand
from p2p_hearts.rules.view import View
from p2p_hearts.table import absence
from p2p_hearts.table.draw import Draw, commit_nonce, draw_table
from p2p_hearts.table.effects import Effect, Secrets, Send, Store
from p2p_hearts.table.hand import BEFORE_CARDS, Ground, Hand
from p2p_hearts.table.history import History, Outcome, Round
from p2p_hearts.table.rounds import FORMATION, Stage, stage_of
from p2p_hearts.table.views import make_view
from p2p_hearts.wire.chain import NO_HASH, Place, first_head, place_of
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import (
    BadSignatureError,
    Sealed,
    Signer,
    open_envelope,
    seal,
)
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import (
    BODIES,
    VERSION,
    Ack,
    Beat,
    Confirm,
    Content,
    Frame,
    Kind,
    Reveal,
    Sit,
    Vote,
)
from p2p_hearts.wire.messages import Draw as DrawBody

FRAME_BYTES = 120 * 1024
"""Envelopes for a peer that is behind go in frames of at most about this many bytes."""

FRAME_ENVELOPES = 400
"""At most this many of them; ``Frame`` holds 512."""

BEAT_SECONDS = (0.25, 0.5, 1.0, 2.0)
"""Time between heartbeats: short after progress, so that a lost message is soon repeated."""

RECALL_SECONDS = 60.0
"""How long a seat that was started again waits for the last peer to return its messages."""

WASTED_SIGNATURES = 200
"""What a peer may send in ``BUDGET_SECONDS`` that is sound and not of use, or not yet: 30 ms of our
time. A peer that is behind gets at most 16 rounds early, and what is dropped comes again."""

BUDGET_SECONDS = 1.0

FIRST_ATTEMPT = 1
SECOND_ATTEMPT = 2
"""A hand begins anew once at most, without a seat; with another one missing the table waits."""

LATE_SECONDS = 5.0
"""How long a seat is waited for that was away before and has not been heard since."""

HEARD_SECONDS = 6.0
"""A peer whose heartbeat is younger than this is there: its player may be thinking."""

ASLEEP_SECONDS = 3.0
"""After a longer pause of the own clock nobody is held to be late: it was this program's sleep."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whom the table waits for: a seat (in hand 0 a place of the roster) and the item it owes."""

    seat: int
    item: str


class Table:
    """One seat's table, from a roster to the end of the match."""

    def __init__(self, signer: Signer, roster: SealedRoster, secrets: Secrets) -> None:
        """Sit down at a roster that ``open_roster`` verified and that lists ``signer``.

        Raises:
            ValueError: the roster does not list this identity.
        """
        identities = [entry.identity for entry in roster.entries]
        if signer.public not in identities:
            raise ValueError("the roster does not list this player")
        self.roster = roster
        self.place = identities.index(signer.public)
        self.history = History(len(identities), first_head(roster.hash))
        self.draw: Draw | None = None
        self.hand: Hand | None = None
        self.match: Match = new_match(roster.rules)
        self.dropped: Counter[str] = Counter()
        """What was dropped and why, for the curious."""
        self._signer = signer
        self._identities = identities
        self._secrets = secrets
        self._encoding = Encoding(roster.rules)
        self._effects: list[Effect] = []
        self._sequence = 0
        self._last = NO_HASH
        self._judged: set[int] = set()
        self._closed: Place | None = None
        self._late: dict[Place, frozenset[int]] = {}
        """At the last tick: the open round, and who has owed it something for too long."""
        self._replaying = False
        self._accepted: set[bytes] = set()
        """Envelopes that fill a place of the history: they are not verified a second time."""
        self._evidence: set[bytes] = set()
        """Envelopes that went to the log for what they prove, not for a place in the history."""
        self.auto_vote = False
        """Whether this seat's program decides by itself to go on without a seat."""
        self._agreed: set[int] = set()
        """Seats that this seat's player has decided to go on without."""
        self._faulty: dict[int, Rule] = {}
        """Seats of this attempt whose closed speech, as judged here, breaks a rule."""
        self._excluded: set[int] = set()
        """Seats that a rule broken in an earlier hand has cost their keys."""
        self._taken: dict[int, bytes] = {}
        """By seat the hash of what the hand has taken in the round that it follows."""
        self._at = 0
        """Which round of the history the hand follows."""
        self._abandoned: set[tuple[int, int]] = set()
        """Attempts at hands that the own log shows begun anew."""
        self._owed_since: dict[tuple[Place, int, str], float] = {}
        self._heard: dict[int, float] = {}
        """By place, when its last heartbeat came."""
        self._signed: dict[tuple[Place, bool], bytes] = {}
        """The history on which this seat spoke or acknowledged, by place: never on another one."""
        self._gone: dict[int, float] = {}
        """Seats that a ballot was against, and when; in the clock of this process."""
        self._finished_by: set[int] = set()
        self._ended = False
        self._now = 0.0
        self._next_beat = 0.0
        self._beats = 0
        self._commitments: dict[int, bytes] = {}
        self._nonces: dict[int, bytes] = {}
        self._revealed: dict[tuple[int, int], bytes] = {}
        """Own secrets of hands that the log shows revealed, by hand and attempt."""
        self._keyed: set[tuple[int, int]] = set()
        """Hands and attempts that this seat has committed to a secret for."""
        self._wasted: Counter[int] = Counter()
        """Signatures verified for nothing since the budget began, by the place that sent them."""
        self._budget_ends = 0.0
        self._recall = 0
        self._recalling: set[int] = set()
        """Places that have not returned yet what this seat said before it was started again."""
        self._recall_since: float | None = None
        self._sequence_at_start = 0
        self._recalled = [0] * len(identities)
        self._open(FORMATION[0], Place(0, roster.formation, 0), range(len(identities)))

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

        Raises:
            LookupError: the log shows a commitment to a secret that is not there.
        """
        table = cls(signer, roster, secrets)
        table._recall = recall
        table._recalling = set(range(len(table._identities))) - {table.place}
        table._note_own(envelopes)
        table._replaying = True
        for data in envelopes:
            table._receive_envelope(data)
            while table.work():
                pass
        table._replaying = False
        table._agreed |= table._excluded
        if table.hand is not None and table.hand.dummy is not None:
            table._agreed.add(table.hand.dummy)
        table._effects.clear()
        table._sequence_at_start = table._sequence
        return table

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
        self._heard[place] = self._now
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
        asleep, self._now = now - self._now > ASLEEP_SECONDS, now
        if asleep:
            self._owed_since.clear()
        if now >= self._budget_ends:
            self._wasted.clear()
            self._budget_ends = now + BUDGET_SECONDS
        self._recall_in_time()
        self._note_late()
        self._ballot()
        if now >= self._next_beat:
            self._send(None, [], self._beat())
            pause = BEAT_SECONDS[min(self._beats, len(BEAT_SECONDS) - 1)]
            self._beats += 1
            self._next_beat = now + pause
        return self._next_beat

    def greet(self, place: int) -> None:
        """Say where we are to a peer whose link just came up."""
        self._send(place, [], self._beat())

    def work(self) -> bool:
        """Do the next heavy step; return whether there was one.

        After a fault nothing is said any more, but what was heard is still judged: an earlier
        fault may be among it, and everybody is to name the earliest.
        """
        if self._ended:
            return False
        if self._stopped():
            return self._judge() or self._run_job()
        return (
            self._ballot() or self._speak() or self._judge() or self._run_job() or self._advance()
        )

    def vote_out(self, seat: int) -> None:
        """Decide to go on without a seat that is silent, or that has broken a rule.

        The others' programs must decide so, too; what it then means is in SPEC.md section 7.

        Raises:
            ValueError: it is neither; the text says what is the case.
        """
        if seat not in self.may_vote_out():
            raise ValueError("this seat is not waited for, or not yet long enough")
        self._agreed.add(seat)
        self._ballot()

    def may_vote_out(self) -> tuple[int, ...]:
        """Return the seats that this seat's player may decide to go on without now."""
        if self.hand is None or self.hand.dummy is not None or self._ended:
            return ()
        fault = self.fault
        broken = {fault.seat} if fault is not None and fault.hand else set[int]()
        item = self._open_item()
        late = frozenset[int]() if item is None else self._late.get(item.place, frozenset())
        return tuple(sorted((late | broken) - {self.seat}))

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
    def fault(self) -> Fault | None:
        """The first proven fault, if there is one; the game goes on only by ``vote_out``."""
        return self.history.fault

    @property
    def seat(self) -> int | None:
        """This player's seat, once seats are drawn."""
        return None if self.draw is None else self.draw.seats.index(self.place)

    @property
    def decision(self) -> Kind | None:
        """The kind of decision the table waits for from this seat's player, if any."""
        if self.hand is None or self._stopped() or self._ended or self._recalling:
            return None
        current = self.history.current
        if not self._may_speak_in(current) or not self.hand.needs_decision(current.kind):
            return None
        return current.kind

    @property
    def over(self) -> bool:
        """Whether the match has ended and its last round is certified here."""
        return self._ended and self.history.certified == len(self.history.rounds)

    @property
    def all_finished(self) -> bool:
        """Whether every other peer has said that it holds the last certificate, too."""
        others = set(range(self.history.seats)) - {self.place}
        return self.over and self._finished_by >= others

    def player_at(self, seat: int) -> int:
        """Return the place in the roster of a seat; in hand 0 seats are places."""
        return seat if self.draw is None else self.draw.seats[seat]

    def waiting(self) -> tuple[Waiting, ...]:
        """Return whom the first uncertified round waits for, in seat order."""
        if self._recalling:
            seats = range(len(self._identities))
            silent = [seat for seat in seats if self.player_at(seat) in self._recalling]
            return tuple(Waiting(seat, "own messages") for seat in silent)
        return tuple(Waiting(seat, item) for seat, item in self.history.missing())

    def view(self) -> View | None:
        """Return what this seat's player may know; ``None`` before the first hand."""
        if self.hand is None or self.seat is None:
            return None
        return make_view(self.hand, self.match, self.decision)

    # Contents in.

    def _receive_envelope(self, data: bytes) -> bool:
        """Take in an envelope; return whether it is one that its author signed."""
        try:
            sealed = open_envelope(data)
        except (DecodeError, BadSignatureError) as error:
            self.dropped[type(error).__name__] += 1
            return False
        self._accept(sealed)
        return True

    def _accept(self, sealed: Sealed) -> None:
        """Bind the author to the seat it names, and hand the content to the history."""
        if not self._belongs(sealed.content):
            self.dropped["stranger or other table"] += 1
            return
        content = sealed.content
        is_own = content.author == self._signer.public and self._is_of_this_table(content)
        if is_own and content.sequence >= self._sequence:
            self._sequence, self._last = content.sequence + 1, sealed.hash
        before = self.fault
        outcome = self.history.accept(sealed)
        if outcome is Outcome.ACCEPTED:
            self._accepted.add(sealed.data)
            if is_own:
                slot = (place_of(content), content.kind == Kind.ACK)
                self._signed.setdefault(slot, content.prev)
            self._effects.append(Store(sealed.data))
            self._beats, self._next_beat = 0, self._now + BEAT_SECONDS[0]
        elif outcome is Outcome.DROPPED:
            self.dropped["out of place"] += 1
        self._rewind()
        if self.fault is not before:
            self._note_fault()

    def _belongs(self, content: Content) -> bool:
        if content.version != VERSION or content.seat >= len(self._identities):
            return False
        if content.hand == 0:
            return (
                content.table == self.roster.hash
                and content.attempt == self.roster.formation
                and content.author == self._identities[content.seat]
            )
        if self.draw is None:
            # Early, and not judged before the draw says which seat is whose.
            return self._is_attempt(content) and content.author in self._identities
        return (
            content.table == self.draw.table
            and self._is_attempt(content)
            and content.author == self._identities[self.draw.seats[content.seat]]
        )

    def _is_of_this_table(self, content: Content) -> bool:
        """Whether a content that belongs here is surely of this table, and of no earlier one.

        Before the draw a later hand's may be of any table: the own count does not follow it.
        """
        return content.hand == 0 or self.draw is not None

    def _is_attempt(self, content: Content) -> bool:
        return FIRST_ATTEMPT <= content.attempt <= SECOND_ATTEMPT

    def _note_fault(self) -> None:
        """Keep the evidence in the log, unless it is there, and give it to everybody."""
        fault = self.fault
        if fault is None:
            return
        for data in fault.evidence:
            if data not in self._evidence and not self.history.holds(data):
                self._effects.append(Store(data))
                self._evidence.add(data)
        self._send_all(None, fault.evidence)
        self._send(None, [], self._beat())

    # Contents out.

    def _may_speak_in(self, current: Round) -> bool:
        me = self._own_seat(current)
        return (
            self._at == len(self.history.rounds) - 1
            and current.closing is None
            and me in current.speakers
            and me not in current.speeches
            and self._signed.get((current.place, False), current.prev) == current.prev
            and self.history.may_speak()
        )

    def _own_seat(self, item: Round) -> int:
        if item.place.hand == 0 or self.seat is None:
            return self.place
        return self.seat

    def _speak(self) -> bool:
        """Make the own speech of the current round, if it is due and decided."""
        current = self.history.current
        if self._recalling:
            return False
        if not self._may_speak_in(current) or self._owes_checks(current.kind):
            return False
        kind = current.kind
        if self.hand is not None:
            if self.hand.needs_decision(kind):
                return False
            kind = self.hand.kind_to_speak(kind)
            body = self.hand.speak(kind, current.place.round)
        else:
            body = self._formation_body(kind)
        self._say(current, kind, body)
        return True

    def _owes_checks(self, kind: Kind) -> bool:
        """Whether checks that may wait no longer may: nothing but a shuffle runs ahead of them."""
        return self.hand is not None and bool(self.hand.jobs) and kind is not Kind.SHUFFLE

    def _formation_body(self, kind: Kind) -> Struct:
        nonce = self._secrets.nonce(self.roster.hash)
        if kind is Kind.SIT:
            return Sit(commit_nonce(self.roster.hash, self.place, nonce))
        return DrawBody(nonce)

    def _say(self, item: Round, kind: Kind, body: Struct) -> None:
        """Say something in a round, once and for all."""
        hand, attempt, number = item.place
        author, seat = self._signer.public, self._own_seat(item)
        sequence = self.history.next_number(item, author, seat, kind)
        before = self.history.numbered(author, sequence - 1)
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
        self._acknowledge()

    def _sign(self, content: Content) -> None:
        """Sign a content, keep it durably, and send it to all."""
        sealed = seal(self._signer, content)
        self._accept(sealed)
        self._send(None, [sealed.data], None)

    def _acknowledge(self) -> None:
        """Acknowledge every complete round once, in order, unless this seat voted in it."""
        if self._stopped() or self._recalling:
            return
        for item in self.history.rounds[self.history.certified :]:
            me = self._own_seat(item)
            if item.head is None or item.closing is not None:
                return
            if me not in item.seats or me in item.acks:
                continue
            if not absence.may_ack(item.own(me)):
                return
            if self._signed.get((item.place, True), item.prev) != item.prev:
                return
            self._say(item, Kind.ACK, Ack(item.head))
            if self._stopped():
                return

    # Going on without a seat.

    @property
    def stopped(self) -> bool:
        """Whether a proven fault has stopped this seat, unless its player decides to go on."""
        return self._stopped()

    @property
    def stopped_for_good(self) -> bool:
        """Whether a proven fault has stopped this seat and its player has nothing to decide."""
        return self._stopped() and not self.may_vote_out()

    def _stopped(self) -> bool:
        """Whether a proven fault stops this seat: its player has not decided to go on."""
        fault = self.fault
        if fault is None or self._replaying:
            return False
        hand = self.hand
        if hand is None or not fault.hand or fault.seat == self.seat:
            return True
        agreed = self.auto_vote or fault.seat in self._agreed
        others = {hand.dummy, *self._faulty, *self._excluded} - {None, fault.seat}
        return not agreed or bool(others)

    def _open_item(self) -> Round | None:
        """Return the first round without a certificate, if it may be closed without a seat."""
        rounds, certified = self.history.rounds, self.history.certified
        item = rounds[certified] if certified < len(rounds) else None
        if item is None or not item.votable or self._own_seat(item) not in item.seats:
            return None
        return item

    def _note_late(self) -> None:
        """Note which seats have owed the open round something for too long."""
        item = self._open_item()
        self._late = {}
        if item is None or self._recalling:
            self._owed_since.clear()
            return
        me, late = self._own_seat(item), set[int]()
        known = {(item.place, seat, str(what)) for seat, what in absence.owed(item.sight(me))}
        self._owed_since = {key: since for key, since in self._owed_since.items() if key in known}
        for place, seat, what in known:
            since = self._owed_since.setdefault((place, seat, what), self._now)
            if seat != me and self._now - since >= self._grace(item, seat, what):
                late.add(seat)
        self._late = {item.place: frozenset(late)}

    def _grace(self, item: Round, seat: int, what: str) -> float:
        """How long a seat is waited for: without end while its player is there and decides."""
        heard = self._heard.get(self.player_at(seat), -HEARD_SECONDS)
        is_there = self._now - heard < HEARD_SECONDS
        decides = stage_of(item.kind).decided and what == absence.Item.MESSAGE
        if is_there and decides:
            return float("inf")
        if seat in self._gone:
            if heard <= self._gone[seat]:
                return LATE_SECONDS
            del self._gone[seat]
        return float(self.roster.rules.grace)

    def _ballot(self) -> bool:
        """Vote or confirm where a round waits for a seat for too long; say whether it did."""
        item = self._open_item()
        if item is None or self._recalling or self._stopped():
            return False
        late = self._late.get(item.place, frozenset())
        if not (item.ballots or item.twins or late):
            return False
        me, sight = self._own_seat(item), item.sight(self._own_seat(item))
        votes = absence.complete_ballot(sight)
        if votes is not None:
            ballot, target = votes[0].ballot, votes[0].target
            value = absence.decide(item.shape, target, votes).value
            if value is not None:
                names = [vote.name for vote in votes]
                confirm = Confirm(ballot, target, [name or b"" for name in value], names)
                self._say(item, Kind.CONFIRM, confirm)
                return True
        liars = absence.two_faced(item.shape, sight.votes, sight.confirms) | {*item.twins}
        late |= liars
        agreed = frozenset(
            seat for seat in late if self.auto_vote or seat in self._agreed or seat in liars
        )
        if late - agreed - {me} and not sight.votes:
            return False
        choice = absence.next_vote(sight, agreed - {me})
        if choice is None:
            return False
        ballot, target, opener = choice
        view = absence.view_of(item.shape, sight.own, sight.first, target)
        if view is None:
            return False
        lock = b"" if sight.own.lock is None else sight.own.lock.name
        body = Vote(ballot, target, opener, [name or b"" for name in view], lock)
        self._say(item, Kind.VOTE, body)
        return True

    def _rewind(self) -> None:
        """Go back if a round was closed otherwise than it had been followed."""
        place, self.history.rewound = self.history.rewound, None
        if place is None or self.hand is None:
            return
        at = next(n for n, item in enumerate(self.history.rounds) if item.place == place)
        if at < self._at or (at == self._at and self._closed == place):
            self._follow_again(at)
        elif at == self._at:
            item = self.history.rounds[at]
            stands = {seat: sealed.hash for seat, sealed in item.speeches.items()}
            if not self._taken.items() <= stands.items():
                self._follow_again(at)

    def _follow_again(self, at: int) -> None:
        """Follow the attempt of round ``at`` from its start, by what the history holds now."""
        place = self.history.rounds[at].place
        hand = self.hand
        if hand is None:
            raise RuntimeError("a hand is followed again before the first")
        if (hand.number, hand.attempt) != place[:2]:
            raise RuntimeError("a finished attempt was closed otherwise")
        self._faulty, self._closed = {}, None
        self.hand = self._make_hand(hand.number, hand.attempt, hand.dealer, hand.keyless)
        first = [item.place for item in self.history.rounds].index(Place(place[0], place[1], 0))
        self._at, self._taken = first, {}
        self._judged = set()

    # Judging and going on.

    def _judge(self) -> bool:
        """Judge one speech of the followed round that was not judged yet; say if there was one."""
        current = self._followed
        for seat in sorted(current.speeches):
            if seat in self._judged:
                continue
            self._judged.add(seat)
            sealed = current.speeches[seat]
            self._taken[seat] = sealed.hash
            rule = self._judge_speech(current, sealed)
            if rule is not None:
                self._blame(seat, rule, sealed)
            return True
        return False

    @property
    def _followed(self) -> Round:
        """The round that the hand follows: mostly the current one."""
        return self.history.rounds[self._at]

    def _blame(self, seat: int, rule: Rule, sealed: Sealed) -> None:
        """Note that a seat has broken a rule with this speech."""
        self._faulty.setdefault(seat, rule)
        self.history.convict(fault_of(rule, sealed))
        self._note_fault()

    def _judge_speech(self, current: Round, sealed: Sealed) -> Rule | None:
        content = sealed.content
        if content.kind not in stage_of(current.kind).kinds:
            return Rule.KIND
        kind = Kind(content.kind)
        try:
            body = decode(content.body, BODIES[kind])
        except DecodeError:
            return Rule.BODY
        if self.hand is not None:
            return self.hand.take(kind, content.seat, content.round, body)
        if isinstance(body, Sit):
            self._commitments[content.seat] = body.commitment
        elif isinstance(body, DrawBody):
            expected = commit_nonce(self.roster.hash, content.seat, body.nonce)
            if expected != self._commitments[content.seat]:
                return Rule.COMMITMENT
            self._nonces[content.seat] = body.nonce
        return None

    def _run_job(self) -> bool:
        """Do one of the checks that could wait."""
        if self.hand is None or not self.hand.jobs:
            return False
        job = self.hand.jobs.popleft()
        rule = job.run()
        if rule is not None:
            self._blame(job.seat, rule, self._speech_of(job.seat, job.round))
        return True

    def _speech_of(self, seat: int, number: int) -> Sealed:
        """Return a seat's speech of a round of this hand; of the last round for number -1."""
        attempt = (self._hand_number, 0 if self.hand is None else self.hand.attempt)
        rounds = [item for item in self.history.rounds if item.place[:2] == attempt]
        chosen = rounds[-1] if number < 0 else rounds[number]
        return chosen.speeches[seat]

    def _advance(self) -> bool:
        """Close the current round once all spoke and were judged, and open the next one."""
        current, hand = self._followed, self.hand
        if current.head is None or not self._judged >= current.speeches.keys():
            return False
        if hand is None:
            self._advance_formation(current)
            return True
        if self._closed != current.place:
            self._note_gone(current)
            absent = self._absent(current)
            if absent is not None and hand.dummy is not None:
                return False  # Two are missing: the table waits.
            if absent is not None and current.kind in BEFORE_CARDS:
                return self._begin_anew(current, absent)
            self._closed = current.place
            hand.close(current.kind, absent)
        stage = hand.next_stage()
        if hand.jobs and (stage is None or stage.kind is not Kind.SHUFFLE):
            return False
        is_last = stage is None or stage.kind is not current.kind
        if current.kind is Kind.SHUFFLE and self._faulty and is_last:
            # All shuffles are in, and the checks that could wait are done.
            return hand.dummy is None and self._begin_anew(current, min(self._faulty))
        if stage is None:
            return current.certified and self._finish_hand()
        place = Place(*current.place[:2], current.place.round + 1)
        self._go_to(stage, place, hand.speakers(stage))
        return True

    def _note_gone(self, item: Round) -> None:
        """Note against whom a round was closed: until it is heard again it is not waited for."""
        for confirm in item.confirms.values():
            if confirm.value == item.closing:
                self._gone.setdefault(confirm.target, self._now)

    def _absent(self, item: Round) -> int | None:
        """Return the seat that a round is closed without: left out by vote, or by its own fault."""
        if item.absent is not None:
            return item.absent
        hand = self.hand
        if hand is None or item.kind in (Kind.SHUFFLE, Kind.REVEAL):
            return None
        seat = hand.complained
        if item.kind is Kind.SEALS and seat is not None and seat not in self._faulty:
            rounds = [other for other in self.history.rounds if other.place[:2] == item.place[:2]]
            escrow = next(other for other in rounds if other.kind is Kind.ESCROW)
            self._blame(seat, Rule.SEAL, escrow.speeches[seat])
        return min(self._faulty.keys() - {hand.dummy}, default=None)

    def _begin_anew(self, item: Round, keyless: int) -> bool:
        """Begin the hand anew, with other secrets, without a seat, once a round is certified."""
        hand = self.hand
        if hand is None or hand.attempt != FIRST_ATTEMPT:
            raise RuntimeError("a hand begins anew once")
        if not item.certified:
            return False
        self._excluded |= set(self._faulty)
        self._begin_hand(hand.number, hand.dealer, SECOND_ATTEMPT, keyless)
        return True

    def _advance_formation(self, current: Round) -> None:
        if current.kind is Kind.SIT:
            place = Place(0, self.roster.formation, 1)
            self._go_to(FORMATION[1], place, range(self.history.seats))
            return
        nonces = [self._nonces[place] for place in range(self.history.seats)]
        self.draw = draw_table(self.roster.hash, self.roster.rules_hash, nonces)
        self._begin_hand(1, self.draw.dealer)

    def _begin_hand(
        self,
        number: int,
        dealer: int,
        attempt: int = FIRST_ATTEMPT,
        keyless: int | None = None,
    ) -> None:
        self._faulty = {}
        self._agreed &= self._excluded
        if keyless is None:
            keyless = min(self._excluded, default=None)
        self.hand = self._make_hand(number, attempt, dealer, keyless)
        stage = self.hand.next_stage()
        if stage is None:
            raise RuntimeError("a hand without rounds")
        self._go_to(stage, Place(number, attempt, 0), self.hand.speakers(stage))

    def _make_hand(self, number: int, attempt: int, dealer: int, keyless: int | None) -> Hand:
        draw, seat = self.draw, self.seat
        if draw is None or seat is None:
            raise RuntimeError("a hand begins before the draw")
        place = (number, attempt)
        if seat == keyless or place in self._abandoned:
            z = bytes(SECRET_BYTES)  # Nothing is said with it.
        else:
            z = self._revealed.get(place) or self._secrets.hand(
                draw.table, *place, fresh=place not in self._keyed
            )
        entries = [self.roster.entries[place] for place in draw.seats]
        instance = self.roster.instance
        return Hand(
            Ground(
                draw.table,
                self.roster.rules,
                self.roster.rules_hash,
                self._encoding,
                tuple(entry.table_key for entry in entries),
                TableKey(self._secrets.table_key(instance), instance),
            ),
            number,
            attempt,
            dealer,
            seat,
            HandSecret(z, draw.table, number, attempt, seat),
            keyless,
        )

    def _finish_hand(self) -> bool:
        """Score a complete hand; deal the next one or end the match."""
        hand, draw = self.hand, self.draw
        if hand is None or hand.play is None or draw is None:
            raise RuntimeError("a hand ends before it was played")
        self.match = self.match.add(score_hand(self.match, hand.play.taken, hand.moon))
        for attempt in range(FIRST_ATTEMPT, hand.attempt + 1):
            self._secrets.forget(draw.table, hand.number, attempt)
        self._excluded |= set(self._faulty)
        if self.match.over:
            self._ended = True
            self._next_beat = self._now
        elif len(self._excluded) > 1:
            return False  # Two are missing for good.
        else:
            self._begin_hand(hand.number + 1, next_dealer(self.roster.rules, hand.dealer))
        return True

    def _go_to(self, stage: Stage, place: Place, speakers: Iterable[int]) -> None:
        """Follow the next round, which is opened now unless it is there already."""
        if self._at + 1 < len(self.history.rounds):
            self._at += 1
            self._judged, self._taken = set(), {}
        else:
            self._open(stage, place, speakers)

    def _open(self, stage: Stage, place: Place, speakers: Iterable[int]) -> None:
        table = self.roster.hash if self.draw is None else self.draw.table
        seats = None if self.hand is None else self.hand.present
        self._judged, self._taken = set(), {}
        early = self.history.open_round(
            place, table, stage.kind, tuple(speakers), stage.runs_ahead, seats
        )
        self._at = len(self.history.rounds) - 1
        for sealed in early:
            self._accept(sealed)
        self._acknowledge()

    @property
    def _hand_number(self) -> int:
        return 0 if self.hand is None else self.hand.number

    def _deciding(self, kind: Kind) -> Hand:
        if self.hand is None or self.decision is not kind:
            raise ValueError("the table does not wait for this decision now")
        return self.hand

    # Heartbeats.

    def _beat(self) -> Beat:
        place = self.history.next_place()
        return Beat(
            table=self.roster.hash,
            hand=place.hand,
            attempt=place.attempt,
            round=place.round,
            open=self.history.report(),
            fault=b"" if self.fault is None else self.fault.id,
            finished=self.over,
            recall=self._recall if self._recalling else 0,
            recalled=self._recalled,
        )

    def _answer(self, place: int, beat: Beat) -> None:
        """Send a peer what its heartbeat shows that it misses."""
        if beat.finished:
            self._finished_by.add(place)
        if self.fault is not None and beat.fault != self.fault.id:
            self._send_all(place, self.fault.evidence)
        if self.place < len(beat.recalled) and beat.recalled[self.place] == self._recall:
            self._returned(place)
        missing = self.history.missing_for(beat)
        if beat.recall:
            missing += self.history.early_of(self._identities[place])
        batch, rest = _fill_frame(missing)
        is_all = not rest and self.history.serves_all(beat)
        if beat.recall and is_all and self._recalled[place] != beat.recall:
            # Said at once the first time; later beats repeat it. Two seats that both come back
            # would else answer each other's answers without end.
            self._recalled[place] = beat.recall
            self._send(place, batch, self._beat())
        elif batch:
            self._send(place, batch, None)

    # Coming back.

    def _note_own(self, envelopes: Sequence[bytes]) -> None:
        """Find in the own log which secrets were committed to, and which were revealed."""
        for data in envelopes:
            try:
                sealed = open_envelope(data)
                content = sealed.content
                if content.hand and content.attempt == SECOND_ATTEMPT:
                    self._abandoned.add((content.hand, FIRST_ATTEMPT))
                if content.author != self._signer.public or content.kind == Kind.ACK:
                    continue
                if content.kind == Kind.KEY:
                    self._keyed.add((content.hand, content.attempt))
                elif content.kind == Kind.REVEAL:
                    body = decode(content.body, Reveal)
                    self._revealed[content.hand, content.attempt] = body.secret
            except (DecodeError, BadSignatureError):
                continue

    def _returned(self, place: int) -> None:
        """Note that a peer has returned all it holds of this seat's messages."""
        if place in self._recalling:
            self._recalling.discard(place)
            if not self._recalling:
                self._wake()

    def _recall_in_time(self) -> None:
        """Go on without the answer of one peer that stays away.

        The answers of the others do if nothing in them was newer than the own log.
        """
        if len(self._recalling) != 1 or self._sequence > self._sequence_at_start:
            self._recall_since = None
            return
        if self._recall_since is None:
            self._recall_since = self._now
        elif self._now - self._recall_since > RECALL_SECONDS:
            self._recalling.clear()
            self._wake()

    def _wake(self) -> None:
        """Speak again: everything this seat ever said is here."""
        self._acknowledge()
        self._beats, self._next_beat = 0, self._now

    def _send_all(self, to: int | None, envelopes: Sequence[bytes]) -> None:
        while envelopes:
            batch, envelopes = _fill_frame(envelopes)
            self._send(to, batch, None)

    def _send(self, to: int | None, envelopes: list[bytes], beat: Beat | None) -> None:
        self._effects.append(Send(to, encode(Frame(self.roster.hash, envelopes, beat))))


def _fill_frame(envelopes: Sequence[bytes]) -> tuple[list[bytes], Sequence[bytes]]:
    """Return what fits into one frame, one envelope at least, and the rest."""
    total = count = 0
    for data in envelopes[:FRAME_ENVELOPES]:
        total += len(data)
        if count and total > FRAME_BYTES:
            break
        count += 1
    return list(envelopes[:count]), envelopes[count:]
