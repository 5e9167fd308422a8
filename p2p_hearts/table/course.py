"""What the history of a table means: the draw, the hands, the match (protocol/SPEC.md 4, 7.1, 8.3).

A ``Course`` follows the rounds of a ``History`` one after the other. It judges every speech, closes
a round once all its speakers were judged, and opens the next one; where a round was closed
otherwise than it had been followed, it follows its attempt again from the start. Who signs, sends,
votes and waits is ``table.machine``; what a speech means to a hand is ``table.hand``.

Never: signs anything; raises for anything a peer sent.
Errors: a broken rule is a fault in the history; ``RuntimeError`` is a fault of this program.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from p2p_hearts.agreement.draw import Draw, commit_nonce, draw_table
from p2p_hearts.agreement.rounds import FIRST_ATTEMPT, FORMATION, SECOND_ATTEMPT, Stage, stage_of
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.secret import SECRET_BYTES, HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.rules.dealing import next_dealer
from p2p_hearts.rules.match import Match, new_match
from p2p_hearts.rules.score import score_hand
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.hand import BEFORE_CARDS, Ground, Hand, Job
from p2p_hearts.table.hand.shuffles import Shuffles
from p2p_hearts.table.history import History
from p2p_hearts.table.recall import OwnLog
from p2p_hearts.table.round import Round
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import BadSignatureError, Sealed
from p2p_hearts.wire.evidence import fits_a_reveal, open_content, proven_by
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, VERSION, Content, Kind, Reveal, Sit
from p2p_hearts.wire.messages import Draw as DrawBody

Terms = tuple[int, int, int | None]
"""What a hand begins with: its number, its dealer, and the seat without a key, if there is one."""


class Course:
    """One table as one seat follows it, from its formation to the end of the match."""

    def __init__(
        self, history: History, roster: SealedRoster, place: int, secrets: Secrets, log: OwnLog
    ) -> None:
        """Begin with the formation; ``place`` is the own one in the roster, or ``NOBODY``."""
        self.draw: Draw | None = None
        self.hand: Hand | None = None
        self.match: Match = new_match(roster.rules)
        self.ended = False
        """Whether the match is over."""
        self.leaves_tasks = False
        """Whether somebody else does the checks that could wait (``table.tasks``)."""
        self.faulty: dict[int, Rule] = {}
        """Seats of this attempt whose closed speech, as judged here, breaks a rule."""
        self.lost: set[int] = set()
        """Seats that have said in this attempt that their secret is lost."""
        self.lacking = frozenset[int]()
        """Seats that the hand lacks, where they are too many for it to end."""
        self.excluded: set[int] = set()
        """Seats that a rule broken in an earlier hand has cost their keys."""
        self._gone: set[int] = set()
        """Seats that a round was closed against."""
        self._history = history
        self._roster = roster
        self._place = place
        self._secrets = secrets
        self._log = log
        self._encoding = Encoding(roster.rules)
        self._shuffles = Shuffles()
        self._judged: set[int] = set()
        self._closed: Place | None = None
        self._taken: dict[int, bytes] = {}
        """By seat the hash of what the hand has taken in the round that it follows."""
        self._at = 0
        """Which round of the history the hand follows."""
        self._commitments: dict[int, bytes] = {}
        self._nonces: dict[int, bytes] = {}
        self._open(FORMATION[0], Place(0, roster.formation, 0), range(history.seats))

    # What the table asks.

    @property
    def seat(self) -> int | None:
        """The own seat, once seats are drawn."""
        if self.draw is None:
            return None
        return NOBODY if self._place == NOBODY else self.draw.seats.index(self._place)

    def seat_in(self, place: Place) -> int:
        """Return the own seat in a round: in the formation, seats are places of the roster."""
        return self._place if place.hand == 0 or self.seat is None else self.seat

    @property
    def over(self) -> bool:
        """Whether the match has ended and its last round is certified here."""
        return self.ended and self._history.is_certified

    @property
    def followed(self) -> Round:
        """The round that the hand follows: mostly the current one."""
        return self._history.rounds[self._at]

    @property
    def is_up_to_date(self) -> bool:
        """Whether the round that is followed is the last one of the history."""
        return self._at == len(self._history.rounds) - 1

    @property
    def hand_number(self) -> int:
        """The number of the hand; 0 while the table forms."""
        return 0 if self.hand is None else self.hand.number

    def binds(self, content: Content) -> bool:
        """Whether a content is of this table, and signed by who sits in the seat that it names.

        V54 to V56 of protocol/SPEC.md; nothing of a hand is, before seats are drawn.
        """
        roster, place = self._roster, content.seat
        if content.version != VERSION or place >= len(roster.entries):
            return False
        if content.hand == 0:
            is_bound = (content.table, content.attempt) == (roster.hash, roster.formation)
        elif self.draw is None:
            return False
        else:
            place = self.draw.seats[place]
            is_attempt = content.attempt in (FIRST_ATTEMPT, SECOND_ATTEMPT)
            is_bound = content.table == self.draw.table and is_attempt
        return is_bound and content.author == roster.entries[place].identity

    # Judging.

    def judge(self) -> bool:
        """Judge one speech of the followed round that was not judged yet; say if there was one."""
        current = self.followed
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

    def run_job(self) -> bool:
        """Go on by one of the checks that could wait, if it is done; say if there was one."""
        jobs = deque[Job]() if self.hand is None else self.hand.jobs
        verdict = jobs[0].task.outcome(here=not self.leaves_tasks) if jobs else None
        if verdict is None:
            return False
        job, (rule,) = jobs.popleft(), verdict
        if rule is not None:
            self._blame(job.seat, rule, self._speech_of(job.seat, job.round))
        return True

    def _blame(self, seat: int, rule: Rule, sealed: Sealed) -> None:
        """Note that a seat has broken a rule with this speech."""
        self.faulty.setdefault(seat, rule)
        self._history.convictions.add(fault_of(rule, sealed))

    def _judge_speech(self, current: Round, sealed: Sealed) -> Rule | None:
        content = sealed.content
        stage, is_lost = stage_of(current.kind), content.kind == Kind.LOST
        if content.kind not in stage.kinds and not (is_lost and stage.takes_lost):  # V64, V67
            return Rule.KIND
        kind = Kind(content.kind)
        try:
            body = decode(content.body, BODIES[kind])  # V65
        except DecodeError:
            return Rule.BODY
        if is_lost:
            self.lost.add(content.seat)
            return None
        if self.hand is not None:
            rule = self.hand.take(kind, content.seat, content.round, body)  # V66
            if rule is None and isinstance(body, Reveal) and body.evidence:
                rule = self.judge_evidence(current.place, content.seat, body.evidence)
            return rule
        if isinstance(body, Sit):
            self._commitments[content.seat] = body.commitment
        elif isinstance(body, DrawBody):
            expected = commit_nonce(self._roster.hash, content.seat, body.nonce)
            if expected != self._commitments[content.seat]:  # V92
                return Rule.COMMITMENT
            self._nonces[content.seat] = body.nonce
        return None

    def evidence(self) -> tuple[bytes, ...]:
        """Return what this seat's reveal is to carry: proof against one seat that still plays."""
        place = self.followed.place
        for seat, fault in sorted(self._history.convictions.proven.items()):
            if seat in {self.seat, *self.excluded, *self.faulty}:
                continue
            proves = self.proven(place, fault.evidence) is not None
            if proves and fits_a_reveal(fault.evidence):
                return fault.evidence
        return ()

    def proven(self, place: Place, evidence: Sequence[bytes]) -> Fault | None:
        """Return what envelopes prove to everybody who knows the rounds before ``place``."""
        contents = list[Sealed]()
        for data in evidence:
            try:
                contents.append(open_content(data))
            except (DecodeError, BadSignatureError):
                return None
        if not all(self.binds(item.content) for item in contents):  # V83
            return None
        return proven_by(contents, self._history.known_before(place))

    def judge_evidence(self, place: Place, seat: int, evidence: Sequence[bytes]) -> Rule | None:
        """Judge what a reveal carries against another seat: if it holds, that seat is convicted."""
        fault = self.proven(place, evidence)
        accused = None if fault is None else self._history.convictions.held_against(fault)
        if fault is None or accused is None or accused == seat:  # V83, V84
            return Rule.EVIDENCE
        self.faulty.setdefault(accused, fault.rule)
        self._history.convictions.add(fault)
        return None

    def _speech_of(self, seat: int, number: int) -> Sealed:
        """Return a seat's speech of a round of this hand; of the last round for number -1."""
        attempt = (self.hand_number, 0 if self.hand is None else self.hand.attempt)
        rounds = [item for item in self._history.rounds if item.place[:2] == attempt]
        chosen = rounds[-1] if number < 0 else rounds[number]
        return chosen.speeches[seat]

    # Going on.

    def advance(self) -> bool:
        """Close the followed round once all spoke and were judged, and go to the next one.

        Returns whether it did something, so whether there may be more to do now: to close a round
        can leave checks that the next one has to wait for.
        """
        current, hand = self.followed, self.hand
        self.lacking = frozenset()
        if current.head is None or not self._judged >= current.speeches.keys():
            return False
        if hand is None:
            return self._advance_formation(current)
        closes = self._closed != current.place
        if closes:
            self._note_gone(current)
            absent = self._absent(current)
            if absent is not None and self._is_second_missing(hand, current, absent):
                return self._stay(hand, absent)
            if absent is not None and current.kind in BEFORE_CARDS:
                # Who has broken a rule in what is void now has no key later: all name the same.
                return not hand.jobs and self._begin_anew(absent)
            self._closed = current.place
            hand.close(current.kind, absent)
        if hand.is_undealt:
            self.lacking = frozenset(hand.keyed)
            return closes
        stage = hand.next_stage()
        if hand.jobs and (stage is None or stage.kind is not Kind.SHUFFLE):
            return closes
        is_last = stage is None or stage.kind is not current.kind
        if current.kind is Kind.SHUFFLE and self.faulty and is_last:
            # All shuffles are in, and the checks that could wait are done.
            if hand.dummy is not None:
                return self._stay(hand, min(self.faulty))
            return self._begin_anew(min(self.faulty))
        if stage is None:
            return self._history.is_certified and self._finish_hand()
        place = Place(*current.place[:2], current.place.round + 1)
        self._go_to(stage, place, hand.speakers(stage))
        return True

    def rewind(self, place: Place) -> None:
        """Go back, if need be: the round at ``place`` was closed otherwise than it was followed."""
        rounds = self._history.rounds
        at = next(n for n, item in enumerate(rounds) if item.place == place)
        if at < self._at or (at == self._at and self._closed == place):
            self._follow_again(at)
        elif at == self._at:
            stands = {seat: sealed.hash for seat, sealed in rounds[at].speeches.items()}
            if not self._taken.items() <= stands.items():
                self._follow_again(at)

    def _follow_again(self, at: int) -> None:
        """Follow the attempt of round ``at`` from its start, by what the history holds now."""
        place = self._history.rounds[at].place
        if not place.hand:
            self._form_again()
            return
        hand = self.hand
        if hand is None:
            raise RuntimeError("a hand is followed again before the first")
        if (hand.number, hand.attempt) != place[:2]:
            raise RuntimeError("a finished attempt was closed otherwise")
        self.faulty, self.lost, self._closed = {}, set(), None
        self.hand = self._make_hand(hand.number, hand.attempt, hand.dealer, hand.keyless)
        first = Place(place[0], place[1], 0)
        self._at = [item.place for item in self._history.rounds].index(first)
        self._judged, self._taken = set(), {}

    def _form_again(self) -> None:
        """Follow the formation from its start: all have acknowledged other words of it."""
        self.draw, self.hand, self._at = None, None, 0
        self.faulty, self._closed = {}, None
        self._commitments, self._nonces = {}, {}
        self._judged, self._taken = set(), {}
        self._history.convictions.seat_players(())

    def take_gone(self) -> set[int]:
        """Return, once, the seats that rounds were closed against."""
        gone, self._gone = self._gone, set()
        return gone

    def _note_gone(self, item: Round) -> None:
        """Note against whom a round was closed: until it is heard again it is not waited for."""
        for confirm in item.confirms.values():
            if confirm.value == item.closing:
                self._gone.add(confirm.target)

    def _absent(self, item: Round) -> int | None:
        """Return the seat that a round is closed without, if there is one.

        Left out by vote, by its own fault, or because it has lost its secret.
        """
        if item.absent is not None:
            return item.absent
        hand = self.hand
        if hand is None:
            return None
        if item.kind is Kind.REVEAL and hand.dummy is not None:
            return None  # Nothing is left for which a second one would be missing.
        if item.kind in (Kind.SHUFFLE, Kind.REVEAL):
            return min(self.lost, default=None)
        seat = hand.complained
        if item.kind is Kind.SEALS and seat is not None and seat not in self.faulty:
            rounds = self._history.rounds
            attempt = [other for other in rounds if other.place[:2] == item.place[:2]]
            escrow = next(other for other in attempt if other.kind is Kind.ESCROW)
            self._blame(seat, Rule.SEAL, escrow.speeches[seat])  # V76
        return min({*self.faulty, *self.lost} - {hand.dummy}, default=None)

    def _is_second_missing(self, hand: Hand, item: Round, absent: int) -> bool:
        """Whether one more seat is missing than the one that a round is closed without.

        From ``shares`` on nothing can be concluded then (protocol/SPEC.md 7.1).
        """
        if hand.dummy is not None:
            return True
        has_cards = item.kind not in BEFORE_CARDS and item.kind is not Kind.REVEAL
        return has_cards and not {*self.faulty, *self.lost} <= {absent}

    def _stay(self, hand: Hand, absent: int) -> bool:
        """Go no further: more seats are missing than the one that a hand can be ended without."""
        dummy = set() if hand.dummy is None else {hand.dummy}
        self.lacking = frozenset({*self.faulty, *self.lost, absent} | dummy)
        return False

    def _begin_anew(self, keyless: int) -> bool:
        """Begin the hand anew, with other secrets, without a seat, once all rounds are certified.

        Shuffles before the last one as well, which may run ahead: what is begun anew stays.
        """
        hand = self.hand
        if hand is None or hand.attempt != FIRST_ATTEMPT:
            raise RuntimeError("a hand begins anew once")
        if not self._history.is_certified:
            return False
        self.excluded |= set(self.faulty)
        self._begin_hand(hand.number, hand.dealer, SECOND_ATTEMPT, keyless)
        return True

    def _advance_formation(self, current: Round) -> bool:
        """Go on from a round of hand 0; not with a speech that broke a rule, also if all hold it.

        An ack attests bytes: whoever speaks last is acknowledged before it is judged.
        """
        if self.faulty:
            return False
        if current.kind is Kind.SIT:
            place = Place(0, self._roster.formation, 1)
            self._go_to(FORMATION[1], place, range(self._history.seats))
            return True
        nonces = [self._nonces[place] for place in range(self._history.seats)]
        self.draw = draw_table(self._roster.hash, self._roster.rules_hash, nonces)
        self._history.convictions.seat_players(self.draw.seats)
        self._begin_hand(1, self.draw.dealer)
        return True

    def _begin_hand(
        self,
        number: int,
        dealer: int,
        attempt: int = FIRST_ATTEMPT,
        keyless: int | None = None,
    ) -> None:
        self.faulty, self.lost = {}, set()
        if keyless is None:
            keyless = min(self.excluded, default=None)
        self._shuffles.forget(before=number)
        self.hand = self._make_hand(number, attempt, dealer, keyless)
        stage = self.hand.next_stage()
        if stage is None:
            raise RuntimeError("a hand without rounds")
        self._go_to(stage, Place(number, attempt, 0), self.hand.speakers(stage))

    def next_terms(self) -> Terms | None:
        """Return what the hand after the one that is played begins with, if nothing changes.

        ``None`` if none will follow: this one is the last, or two seats lack a key.
        """
        hand, without = self.hand, {*self.excluded, *self.faulty}
        if hand is None or self.match.on_last_hand or len(without) > 1:
            return None
        dealer = next_dealer(self._roster.rules, hand.dealer)
        return hand.number + 1, dealer, min(without, default=None)

    def make_next_hand(self, number: int, dealer: int, keyless: int | None) -> Hand:
        """Return the hand of ``next_terms`` as it will begin; its secret is drawn and stored."""
        return self._make_hand(number, FIRST_ATTEMPT, dealer, keyless)

    def _make_hand(self, number: int, attempt: int, dealer: int, keyless: int | None) -> Hand:
        draw, seat, roster = self.draw, self.seat, self._roster
        if draw is None or seat is None:
            raise RuntimeError("a hand begins before the draw")
        place = (number, attempt)
        z, is_lost = bytes(SECRET_BYTES), False
        if seat != keyless and place not in self._log.abandoned:
            z = self._log.revealed.get(place, z)
            if place not in self._log.revealed:
                try:
                    is_fresh = place not in self._log.keyed
                    z = self._secrets.hand(draw.table, *place, fresh=is_fresh)
                except LookupError:
                    is_lost = True  # And nothing is said with these zeros.
        entries = [roster.entries[place] for place in draw.seats]
        ground = Ground(
            draw.table,
            roster.rules,
            roster.rules_hash,
            self._encoding,
            tuple(entry.table_key for entry in entries),
            TableKey(self._secrets.table_key(roster.instance), roster.instance),
            self._shuffles,
        )
        secret = HandSecret(z, draw.table, number, attempt, seat)
        hand = Hand(ground, number, attempt, dealer, seat, secret, keyless)
        hand.lost = is_lost
        return hand

    def forget_secrets(self) -> None:
        """Erase the secrets of a hand that will not be ended here, and of the next one.

        Only for a seat that nobody comes back to: with its secret a hand goes on after a start.
        """
        hand, draw = self.hand, self.draw
        if hand is None or draw is None:
            return
        for attempt in (FIRST_ATTEMPT, SECOND_ATTEMPT):
            self._secrets.forget(draw.table, hand.number, attempt)
        self._secrets.forget(draw.table, hand.number + 1, FIRST_ATTEMPT)

    def _finish_hand(self) -> bool:
        """Score a complete hand; deal the next one or end the match."""
        hand, draw = self.hand, self.draw
        if hand is None or hand.play is None or draw is None:
            raise RuntimeError("a hand ends before it was played")
        if len(self.match.hands) == hand.number:
            return False  # It is scored already, and two are missing for good.
        self.match = self.match.add(score_hand(self.match, hand.play.taken, hand.moon))
        for attempt in range(FIRST_ATTEMPT, hand.attempt + 1):
            self._secrets.forget(draw.table, hand.number, attempt)
        self.excluded |= set(self.faulty)
        self.ended = self.match.over
        if self.ended or len(self.excluded) > 1:
            # No hand follows; part of its deal was perhaps made ahead, and no content binds to it.
            self._secrets.forget(draw.table, hand.number + 1, FIRST_ATTEMPT)
        else:
            self._begin_hand(hand.number + 1, next_dealer(self._roster.rules, hand.dealer))
        return True

    def _go_to(self, stage: Stage, place: Place, speakers: Iterable[int]) -> None:
        """Follow the next round, which is opened now unless it is there already."""
        if self._at + 1 < len(self._history.rounds):
            self._at += 1
            self._judged, self._taken = set(), {}
        else:
            self._open(stage, place, speakers)

    def _open(self, stage: Stage, place: Place, speakers: Iterable[int]) -> None:
        table = self._roster.hash if self.draw is None else self.draw.table
        seats = None if self.hand is None else self.hand.present
        self._judged, self._taken = set(), {}
        self._history.open_round(place, table, stage.kind, tuple(speakers), stage.runs_ahead, seats)
        self._at = len(self._history.rounds) - 1
