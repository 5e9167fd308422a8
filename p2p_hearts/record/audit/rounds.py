"""One round as the audit sees it: speeches, head, acks, ballots, certificate (SPEC.md section 6.4).

Votes and confirms are counted here from their bytes; only what they decide is asked of
``agreement.absence``, which states the rules of section 7.4 and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Shape, Value
from p2p_hearts.agreement.rounds import Stage
from p2p_hearts.wire.chain import NO_HASH, Place, next_head
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Confirm, Kind, Vote

MAX_VALUES: Final = 256
"""So many combinations of contents are tried for the head that all have acknowledged."""


@dataclass(slots=True)
class AuditRound:
    """A round whose place, speakers and head before it are known."""

    place: Place
    stage: Stage
    speakers: tuple[int, ...]
    seats: tuple[int, ...]
    """The seats that acknowledge it, ascending."""
    votable: bool
    """Every seat of the table takes part, so that one may be voted out."""
    prev: bytes
    """Head of the round before."""
    number: int = 0
    """How many rounds there were before, each with an ack of every seat."""
    spoken: Mapping[bytes, int] = field(default_factory=dict)
    """By author, how many speeches those rounds had."""
    speeches: dict[int, bytes] = field(default_factory=dict)
    """Content hash by seat, of speakers only."""
    acks: dict[int, set[bytes]] = field(default_factory=dict)
    """The head that each seat acknowledged on top of ``prev``; a liar may have named several."""
    heads: dict[bytes, None] = field(default_factory=dict)
    """What all seats have acknowledged, the first first: more than one, if all of them lie."""
    contents: list[Sealed] = field(default_factory=list)
    """All that was said in it, in the order of the log."""
    votes: dict[bytes, absence.Vote] = field(default_factory=dict)
    """Sound votes by hash."""
    confirms: dict[bytes, absence.Confirm] = field(default_factory=dict)
    closing: Value | None = None
    """What equal confirms closed it with."""
    acknowledged: Value | None = None
    """What equal acks of all seats name, where something else was heard first."""
    aimed_at: dict[Value, set[int]] = field(default_factory=dict)
    """By value, the seats that whole ballots have closed the round against with it."""
    _equals: dict[tuple[int, int, Value], set[int]] = field(default_factory=dict)
    """By ballot, target and value, who has confirmed it."""
    _equal: Value | None = None
    """What the confirms that were equal first, of all seats but their target, say."""
    _heads: dict[tuple[bytes, ...], bytes] = field(default_factory=dict)
    """By contents of all speakers, the head that they make: each is made once."""
    _lacking: dict[bytes, list[Sealed]] = field(default_factory=dict)
    """Votes and confirms that do not count yet, by the name of one thing that they lack.

    So each is looked at as often as it names something, however many wait.
    """

    def sequence(self, author: bytes, seat: int, *, is_ack: bool) -> int:
        """Return the number that a content of this round has in its author's own count."""
        return self.number + self.spoken.get(author, 0) + (is_ack and seat in self.speakers)

    @property
    def silent(self) -> tuple[int, ...]:
        """Speakers that were not heard."""
        return tuple(seat for seat in self.speakers if seat not in self.speeches)

    @property
    def absent(self) -> int | None:
        """The speaker that the round was closed without."""
        if self.closing is None or None not in self.closing:
            return None
        return self.speakers[self.closing.index(None)]

    @property
    def head(self) -> bytes | None:
        """Head of this round; ``None`` until every speaker was heard."""
        said = {seat: self.speeches.get(seat) for seat in self.speakers}
        if self.absent is not None:
            said[self.absent] = NO_HASH
        hashes = [(seat, name) for seat, name in said.items() if name is not None]
        return None if len(hashes) < len(said) else next_head(self.prev, self.place, hashes)

    @property
    def unacknowledged(self) -> tuple[int, ...]:
        """Seats whose ack is missing or names another head."""
        head = self.head
        return tuple(seat for seat in self.seats if head not in self.acks.get(seat, set()))

    @property
    def is_certified(self) -> bool:
        """Whether equal acks of all seats are there, or equal confirms of all but one."""
        return self.head is not None and (self.closing is not None or not self.unacknowledged)

    def binds(self, seat: int) -> bool:
        """Whether an honest seat cannot hold another certificate: this one takes its own ack.

        And nobody may vote here: confirms could make one without it.
        """
        return not self.votable and seat in self.seats and self.is_certified

    @property
    def standing(self) -> Value | None:
        """What its certificate names, where that is not just what was heard first."""
        return self.acknowledged if self.closing is None else self.closing

    def stands(self, seat: int, name: bytes) -> bool:
        """Whether a speech of this hash counts, as far as is known by now."""
        if self.standing is None:
            return seat not in self.speeches
        return self.standing[self.speakers.index(seat)] == name

    def acknowledge(self, seat: int, head: bytes) -> None:
        """Note an ack that a seat has signed on top of ``prev``."""
        self.acks.setdefault(seat, set()).add(head)
        if all(head in self.acks.get(other, ()) for other in self.seats):
            self.heads.setdefault(head)

    @property
    def is_doubtful(self) -> bool:
        """Whether all seats have acknowledged something, and not first what is followed here."""
        head = self.head
        return head is not None and next(iter(self.heads), head) != head

    def acknowledged_by_all(self, said: Sequence[Sequence[bytes]]) -> Value | None:
        """Return what makes the first of these heads that can be made, if it is not followed.

        ``said`` has the hashes of what each speaker has said, in the order of the log; more than
        ``MAX_VALUES`` of one speaker are not needed.
        """
        values: dict[bytes, Value] = {}
        for names in islice(product(*said), MAX_VALUES):
            if names not in self._heads:
                pairs = list(zip(self.speakers, names, strict=True))
                self._heads[names] = next_head(self.prev, self.place, pairs)
            values.setdefault(self._heads[names], names)
        made = next((head for head in self.heads if head == self.head or head in values), None)
        return None if made is None or made == self.head else values[made]

    def note_ballot(self, sealed: Sealed) -> list[tuple[Sealed, Rule]]:
        """Take in a vote or a confirm; it counts once all that it names is here.

        Returns those, of all that can be counted now, that no seat may sign, with the rule that
        each breaks. ``closing`` is set as soon as equal confirms are there, unless acks have
        certified the round before: the first certificate stands.
        """
        found: list[tuple[Sealed, Rule]] = []
        ready = deque([sealed])
        while ready:
            item = ready.popleft()
            result = self._count(item)
            if isinstance(result, bytes):
                self._lacking.setdefault(result, []).append(item)
            elif isinstance(result, Rule):
                found.append((item, result))
            else:
                ready.extend(self._lacking.pop(item.hash, ()))
        if self.closing is None and not self.is_certified:
            self.closing = self._equal
        return found

    @property
    def _shape(self) -> Shape:
        return Shape(self.seats, self.speakers)

    def _count(self, sealed: Sealed) -> Rule | bytes | None:
        """Count one; return the name of something that it names and that is missing, if any."""
        content = sealed.content
        try:
            if content.kind == Kind.VOTE:
                return self._count_vote(sealed, decode(content.body, Vote))
            return self._count_confirm(sealed, decode(content.body, Confirm))
        except DecodeError:
            return Rule.BODY

    def _count_vote(self, sealed: Sealed, body: Vote) -> Rule | bytes | None:
        lock = self.confirms.get(body.lock)
        if body.lock and lock is None:
            return body.lock
        view = tuple(name or None for name in body.view)
        seat = sealed.content.seat
        vote = absence.Vote(sealed.hash, seat, body.ballot, body.target, body.opener, view, lock)
        if not absence.is_sound_vote(self._shape, vote):  # V79
            return Rule.BALLOT
        self.votes[sealed.hash] = vote
        return None

    def _count_confirm(self, sealed: Sealed, body: Confirm) -> Rule | bytes | None:
        missing = next((name for name in body.votes if name not in self.votes), None)
        if missing is not None:
            return missing
        votes = tuple(self.votes[name] for name in body.votes)
        value = tuple(name or None for name in body.value)
        seat = sealed.content.seat
        confirm = absence.Confirm(sealed.hash, seat, body.ballot, body.target, value, votes)
        if not absence.is_sound_confirm(self._shape, confirm):  # V80
            return Rule.BALLOT
        self.confirms[sealed.hash] = confirm
        voters = self._equals.setdefault((confirm.ballot, confirm.target, value), set())
        voters.add(seat)
        if len(voters) == len(self.seats) - 1:
            self.aimed_at.setdefault(value, set()).add(confirm.target)
            self._equal = value if self._equal is None else self._equal
        return None
