"""A whole table, sans-IO: frames in, effects out (protocol/SPEC.md sections 4, 6 and 8).

``receive`` takes a frame that a peer sent over its own authenticated link, ``tick`` says what time
it is, ``work`` does the next heavy step (a proof to make or to check), ``take_tasks`` hands out
those that may be done elsewhere, the ``choose_*`` methods take the player's decisions, and
``drain`` hands out what to store and to send, in this order.

A ``Table`` is made of parts, and only says which of them does what when:

    history    what everybody holds: rounds, heads, certificates        ``table.history``
    course     what that means: the draw, the hands, the match          ``table.course``
    hearing    what comes in: opened, bound to its seat, recorded       ``table.hearing``
    voice      what this seat signs, and when                           ``table.voice``
    post       what goes out: records, frames, heartbeats               ``table.post``
    ahead      the next deal, made while a hand is played               ``table.ahead``
    consent    what its player decides about others that are missing    ``table.consent``
    recall     whom it waits for after a start, before it speaks        ``table.recall``

Invariant: ``work`` says a bounded number of times that it did something, until ``receive``,
``tick``, a decision or a task that was done brings something new: each step fills a slot of this
seat's own words (``table.voice``), or goes on in the course of what the history holds.

Never: reads a clock, a socket, a file or a source of randomness; raises for anything a peer sent;
tells a secret before its reveal. Errors: ``ValueError`` for a decision that the rules refuse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from p2p_hearts.agreement.draw import Draw
from p2p_hearts.agreement.rounds import FORMATION
from p2p_hearts.i18n import _
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.match import Match
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import NOBODY, View
from p2p_hearts.table.ahead import NextDeal
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.course import Course
from p2p_hearts.table.effects import Effect, Secrets
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.hearing import Hearing
from p2p_hearts.table.history import History
from p2p_hearts.table.post import Post
from p2p_hearts.table.recall import OwnLog, Recall
from p2p_hearts.table.tasks import Task
from p2p_hearts.table.views import make_view
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import first_head
from p2p_hearts.wire.envelope import Sealed, Signer
from p2p_hearts.wire.faults import Fault
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Beat, Kind


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whom the table waits for: a seat (in hand 0 a place of the roster) and the item it owes."""

    seat: int
    item: str


class Table:
    """One seat's table, from a roster to the end of the match."""

    course_type: ClassVar[type[Course]] = Course
    consent_type: ClassVar[type[Consent]] = Consent
    post_type: ClassVar[type[Post]] = Post
    voice_type: ClassVar[type[Voice]] = Voice
    """What the parts are made of; a test seats somebody who lies with others."""

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
        self.log = OwnLog()
        self.history = History(len(identities), first_head(roster.hash))
        self.course = self.course_type(self.history, roster, self.place, secrets, self.log)
        self.recall = Recall(len(identities), roster.rules.grace)
        self.consent = self.consent_type(self.history, self.course, roster.rules)
        self.post = self.post_type(roster, self.place, self.history, self.course, self.recall)
        self.ahead = NextDeal(roster, self.course, self.post)
        self.hearing = Hearing(signer.public, roster, self.history, self.course, self.post)
        self.voice = self.voice_type(
            signer,
            roster,
            secrets,
            self.history,
            self.course,
            self.consent,
            self.recall,
            self.hearing,
            self.post,
        )

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
        table.recall.begin(recall, set(range(len(roster.entries))) - {table.place})
        opened = [sealed for data in envelopes if (sealed := table.hearing.open(data)) is not None]
        table.log.read(signer.public, [sealed.content for sealed in opened])
        table._replay(opened)
        table.consent.come_back()
        table.drain()
        table.recall.note_own(table.hearing.spoken.count)
        return table

    def _replay(self, opened: Sequence[Sealed]) -> None:
        """Take in the contents of the own log, in any order in which they fill their places.

        A log holds each content once: also what was refused when it came first, for what it proves,
        and was taken later. So what fills no place is offered again, until nothing changes.
        """
        self.consent.is_reading = True
        left, seen = list(opened), set[tuple[bytes, ...]]()
        while left and (names := tuple(sealed.hash for sealed in left)) not in seen:
            seen.add(names)
            for sealed in left:
                self.hearing.take(sealed)
                while self.work():
                    pass
            left = [sealed for sealed in opened if not self.history.keeps(sealed)]
        self.consent.is_reading = False
        self.hearing.note_log(opened)

    # What the surroundings call.

    def drain(self) -> list[Effect]:
        """Return what is to be stored and sent since the last call, in binding order."""
        return self.post.drain()

    def receive(self, place: int, data: bytes) -> None:
        """Take a frame from the peer at ``place`` of the roster."""
        frame = self.hearing.open_frame(data)
        if frame is None:
            return
        self.voice.renew()
        self.consent.patience.hear(place)
        self.hearing.receive(place, frame.envelopes)
        self.voice.acknowledge()
        if frame.beat is not None:
            self._take_beat(place, frame.beat)

    def receive_ahead(self, place: int, data: bytes) -> None:
        """Take a part of the next deal that the peer at ``place`` of the roster shows."""
        self.ahead.receive(place, data)

    def tick(self, now: float) -> float:
        """Note the time, seconds on any monotonic clock; return when to tick again at latest."""
        self.voice.renew()
        self.post.tick(now)
        self.consent.patience.tick(now)
        self.hearing.tick(now)
        if self.recall.ends(now, self.hearing.spoken.count):
            self._wake()
        self.consent.note_late(is_ready=not self.recall.waiting)
        self.voice.ballot()
        return self.post.beat_in_time()

    def greet(self, place: int) -> None:
        """Say where we are to a peer whose link just came up."""
        self.post.greet(place)
        self.ahead.greet(place)

    def work(self) -> bool:
        """Do the next heavy step; return whether there was one.

        After a fault nothing is said any more, but what was heard is still judged: an earlier
        fault may be among it, and everybody is to name the earliest. A draw that stands is left
        all the same: the others may have gone on before they knew of the fault. Who watches follows
        a hand wherever it goes: the players may know of no fault.
        """
        if self.course.ended:
            return False
        if self.stopped and not (self.place == NOBODY and self.hand is not None):
            return self._judge() or self._leave_draw()
        voice = self.voice
        return (
            voice.say_again()
            or voice.ballot()
            or voice.speak()
            or self._judge()
            or self._advance()
            or (not self.recall.waiting and self.ahead.work())
        )

    @property
    def leaves_tasks(self) -> bool:
        """Whether ``work`` leaves tasks to whoever calls ``take_tasks``."""
        return self.course.leaves_tasks

    @leaves_tasks.setter
    def leaves_tasks(self, value: bool) -> None:
        self.course.leaves_tasks = value

    def take_tasks(self) -> list[Task[Any]]:
        """Return proofs to make and to check that nobody has taken, in the order of their worth.

        They may be done in any thread, also at once. Once some are done ``work`` goes on.
        """
        jobs = () if self.hand is None else self.hand.jobs
        tasks: list[Task[Any]] = [*(job.task for job in jobs), *self.ahead.tasks()]
        free = [task for task in tasks if not task.is_taken]
        for task in free:
            task.is_taken = True
        return free

    def vote_out(self, seat: int) -> None:
        """Decide to go on without a seat that is silent, or that has broken a rule.

        The others' programs must decide so, too; what it then means is in SPEC.md section 7.

        Raises:
            ValueError: it is neither; the text says what is the case.
        """
        self.consent.agree(seat)
        self.voice.ballot()

    def may_vote_out(self) -> tuple[int, ...]:
        """Return the seats that this seat's player may decide now to go on without."""
        return self.consent.undecided()

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

    def forget_secrets(self) -> None:
        """Erase what this seat still keeps secret in hands: nobody comes back to it."""
        self.course.forget_secrets()

    # What the surroundings ask.

    @property
    def auto_vote(self) -> bool:
        """Whether this seat's program decides by itself to go on without a seat."""
        return self.consent.auto

    @auto_vote.setter
    def auto_vote(self, value: bool) -> None:
        self.consent.auto = value

    @property
    def dropped(self) -> Counter[str]:
        """What was dropped and why, for the curious."""
        return self.hearing.dropped

    @property
    def fault(self) -> Fault | None:
        """The first proven fault, if there is one; the game goes on only by ``vote_out``."""
        return self.history.fault

    @property
    def stopped(self) -> bool:
        """Whether a proven fault has stopped this seat, unless its player decides to go on."""
        return self.consent.is_stopped

    @property
    def stopped_for_good(self) -> bool:
        """Whether a proven fault has stopped this seat and its player has nothing to decide.

        Not while a seat that was started again waits for what the others hold of the draw: they may
        have gone on from it, whatever a liar has told this one first.
        """
        if self.is_forming and self.recall.waiting:
            return False
        return self.stopped and not self.consent.may_agree()

    @property
    def draw(self) -> Draw | None:
        """Table id, seats and dealer, once they are drawn."""
        return self.course.draw

    @property
    def is_forming(self) -> bool:
        """Whether seats are not drawn, or by a draw that a liar keeps from being certified."""
        fault = self.fault
        is_spoilt = fault is not None and fault.hand == 0 and not self.has_formed
        return self.draw is None or is_spoilt

    @property
    def has_formed(self) -> bool:
        """Whether everybody has the draw of seats: no other formation takes its place."""
        return self.history.certified >= len(FORMATION)

    @property
    def hand(self) -> Hand | None:
        """The hand that is being played; ``None`` before the first."""
        return self.course.hand

    @property
    def match(self) -> Match:
        """The hands that were scored."""
        return self.course.match

    @property
    def seat(self) -> int | None:
        """This player's seat, once seats are drawn."""
        return self.course.seat

    @property
    def decision(self) -> Kind | None:
        """The kind of decision the table waits for from this seat's player, if any."""
        if self.hand is None or self.stopped or self.course.ended or not self.voice.is_due():
            return None
        kind = self.history.current.kind
        return kind if self.hand.needs_decision(kind) else None

    @property
    def over(self) -> bool:
        """Whether the match has ended and its last round is certified here."""
        return self.course.over

    @property
    def all_finished(self) -> bool:
        """Whether every peer has said that it holds the last certificate, this one too.

        Who left without saying so would be waited for by the one that finishes last.
        """
        return self.post.told_over and not self.unfinished

    @property
    def unfinished(self) -> frozenset[int]:
        """Places of the peers that have not said that they hold the last certificate."""
        return self.post.unfinished

    def player_at(self, seat: int) -> int:
        """Return the place in the roster of a seat; in hand 0 seats are places."""
        return seat if self.draw is None else self.draw.seats[seat]

    def waiting(self) -> tuple[Waiting, ...]:
        """Return whom the first uncertified round waits for, in seat order."""
        if self.recall.waiting:
            seats = range(len(self.roster.entries))
            silent = [seat for seat in seats if self.player_at(seat) in self.recall.waiting]
            return tuple(Waiting(seat, "own messages") for seat in silent)
        return tuple(Waiting(seat, item) for seat, item in self.history.missing())

    def view(self) -> View | None:
        """Return what this seat's player may know; ``None`` before the first hand."""
        if self.hand is None:
            return None
        return make_view(self.hand, self.match, self.decision)

    def beat(self) -> Beat:
        """Return the heartbeat: where this table is and what it holds."""
        return self.post.beat()

    def serve(self, beat: Beat) -> bytes:
        """Return a frame for somebody who watches: what it lacks by its heartbeat, and ours."""
        return self.post.frame_for_watcher(beat)

    # Going on.

    def _deciding(self, kind: Kind) -> Hand:
        if self.hand is None or self.decision is not kind:
            raise ValueError(_("The table does not wait for this decision now."))
        return self.hand

    def _judge(self) -> bool:
        """Judge a speech, or do one of the checks that could wait; say if there was one."""
        with self.hearing.noting_faults():
            return self.course.judge() or self.course.run_job()

    def _advance(self) -> bool:
        """Close the followed round and go to the next one, if it is time; say whether it was."""
        hand, ended = self.hand, self.course.ended
        with self.hearing.noting_faults():
            has_worked = self.course.advance()
        if self.hand is not hand:
            self.consent.begin_hand()
        if self.course.ended and not ended:
            self.post.hurry()
        self.consent.patience.note_gone(self.course.take_gone())
        self.hearing.take_early()
        if has_worked:
            self.voice.acknowledge()
        return has_worked

    def _leave_draw(self) -> bool:
        """Begin the first hand, if the draw is certified; say whether it did."""
        if self.hand is not None or not self.history.is_certified:
            return False
        return self._advance()

    def _take_beat(self, place: int, beat: Beat) -> None:
        """Note what a peer's heartbeat says, and answer it, unless this table only watches."""
        self.post.note_finished(place, beat)
        if self.place == NOBODY:
            return
        mine = beat.recalled[self.place] if self.place < len(beat.recalled) else 0
        if self.recall.returned(place, mine):
            self._wake()
        self.post.reply(place, beat)

    def _wake(self) -> None:
        """Speak again: everything this seat ever said is here."""
        self.voice.acknowledge()
        self.post.note_progress()
        self.post.hurry()
