"""Two liars that talk to each other, and give one round two certificates.

The first says one thing in a round and keeps its ack back until the others vote. It has signed
another thing as well, and the second names that one in its vote: so the votes decide to close the
round without the first (protocol/SPEC.md section 7.4), while all honest seats have acknowledged
what it said. Whoever is given the first one's ack then holds a certificate by acks, whoever is
given the second one's confirm holds one by confirms.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.machine import Table
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, Signer, seal
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, Content, Kind, Vote
from tests.table.cheats import QuietPost
from tests.table.sim import Sim
from tests.table.two_faced import Unmoved

FIRST, SECOND = 0, 1
"""Places of the liars in the roster."""

STEP_SECONDS = 0.05
"""So often the liars look what the others hold."""


@dataclass
class Plot:
    """What the two have agreed on, and how far it has come."""

    kind: Kind
    """In the first round of this kind that the first liar speaks in."""
    is_spoilt: bool = False
    """Whether what it says breaks a rule, too."""
    place: Place | None = None
    said: list[Sealed] = field(default_factory=list)
    """What the first has said, and then the other content for the same place."""
    ack: Sealed | None = None
    confirm: Sealed | None = None

    def is_here(self, content: Content) -> bool:
        """Whether a content is of the round that the plot is about."""
        return self.place == place_of(content)


def spoilt(content: Content) -> Content:
    """Another content for the same place, of which the proof is wrong."""
    body = decode(content.body, BODIES[Kind(content.kind)])
    proof = bytearray(getattr(body, "proof"))  # noqa: B009
    proof[-1] ^= 1
    return replace(content, body=encode(replace(body, proof=bytes(proof))))


class FirstVoice(Voice):
    """Signs two contents for one place, tells one, and keeps its ack back."""

    plot: Plot

    def sign(self, content: Content) -> None:
        plot = self.plot
        if plot.place is None and content.kind == plot.kind:
            plot.place = place_of(content)
            twins = [content, spoilt(content)]
            plot.said = [seal(self.signer, twin) for twin in twins[:: -1 if plot.is_spoilt else 1]]
            self.hearing.take(plot.said[0])
            self.post.send(None, [plot.said[0].data])
        elif plot.is_here(content) and content.kind == Kind.ACK:
            plot.ack = seal(self.signer, content)
            self.hearing.take(plot.ack)
        else:
            super().sign(content)


class SecondVoice(Voice):
    """Votes as if it held what the first has told to nobody, and keeps its confirm back.

    It does not count that confirm among what it has signed.
    """

    plot: Plot

    def sign(self, content: Content) -> None:
        plot = self.plot
        if plot.is_here(content) and content.kind == Kind.VOTE:
            vote = decode(content.body, Vote)
            said, other = plot.said
            view = [other.hash if name == said.hash else name for name in vote.view]
            super().sign(replace(content, body=encode(replace(vote, view=view))))
        elif plot.is_here(content) and content.kind == Kind.CONFIRM:
            plot.confirm = plot.confirm or seal(self.signer, content)
        else:
            super().sign(content)


class Plotter(Table):
    """The table of one of the two. Its own program may fail at what they do to it."""

    post_type = QuietPost
    consent_type = Unmoved
    voice: FirstVoice | SecondVoice
    post: QuietPost

    def __init__(self, signer: Signer, roster: SealedRoster, secrets: Secrets, plot: Plot) -> None:
        super().__init__(signer, roster, secrets)
        self.voice.plot = plot
        self.post.quiet = True

    def tick(self, now: float) -> float:
        try:
            return min(super().tick(now), now + STEP_SECONDS)
        except Exception:
            return now + STEP_SECONDS

    def work(self) -> bool:
        try:
            return super().work()
        except Exception:
            return False

    def receive(self, place: int, data: bytes) -> None:
        with contextlib.suppress(Exception):
            super().receive(place, data)


class First(Plotter):
    """Is voted out, or not."""

    voice_type = FirstVoice


class Second(Plotter):
    """Helps to vote it out."""

    voice_type = SecondVoice


class Coalition:
    """A table with the two, and what they tell whom."""

    def __init__(self, rules: RuleSet, plot: Plot, seed: object) -> None:
        self.plot = plot
        self.sim = Sim(rules, seed=seed, seating=self._sit, auto_vote=True)
        self.places = [place for place in range(rules.seats) if place not in (FIRST, SECOND)]
        """Of the honest seats."""

    def _sit(self, place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        kind = {FIRST: First, SECOND: Second}.get(place)
        return (
            Table(signer, roster, secrets)
            if kind is None
            else kind(signer, roster, secrets, self.plot)
        )

    @property
    def honest(self) -> list[Table]:
        """The tables of the honest seats."""
        return [self.sim.tables[place] for place in self.places]

    def tell(self, sealed: Sealed | None, places: Sequence[int]) -> None:
        """Tell some places what one of the two has signed."""
        assert sealed is not None
        for place in places:
            self.sim.tables[FIRST].post.send(place, [sealed.data])

    def vote(self) -> None:
        """Play until all honest seats have confirmed to close the round without the first liar."""
        plot, sim = self.plot, self.sim
        sim.run(lambda: all(self._has_signed(table, Kind.ACK) for table in self.honest), limit=60)
        self.tell(plot.said[1], [SECOND, *self.places])
        sim.run(
            lambda: (
                plot.confirm is not None
                and all(self._has_signed(table, Kind.CONFIRM) for table in self.honest)
            ),
            limit=120,
        )

    def _has_signed(self, table: Table, kind: Kind) -> bool:
        item = None if self.plot.place is None else table.history.find(self.plot.place)
        if item is None or table.seat is None:
            return False
        return any(
            (sealed.content.seat, sealed.content.kind) == (table.seat, kind)
            for sealed in item.contents()
        )


def first_deals(rules: RuleSet) -> object:
    """A seed with which the first liar deals, so that it is the first to shuffle."""
    for seed in range(100):
        sim = Sim(rules, seed=seed)
        table = sim.tables[FIRST]
        is_drawn: Callable[[], bool] = lambda table=table: table.draw is not None  # type: ignore[misc] # noqa: E731
        sim.run(is_drawn)
        if table.draw is not None and table.draw.dealer == table.seat:
            return seed
    raise AssertionError("the first liar deals with none of these seeds")
