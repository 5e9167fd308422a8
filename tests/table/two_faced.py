"""A liar that tells every other seat something else, once, and keeps to one of its stories.

Nobody else is silent or slow: whatever comes of it, one liar has done it.
"""

from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.cards.deal import make_shuffle
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.consent import Consent
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.machine import Table
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, Signer, seal
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, Content, Kind, Shuffle, Vote
from tests.table.cheats import joint_of, other_secret
from tests.table.sim import Sim

LIAR = 0
"""Its place in the roster."""

WHISPER_AFTER = 3
"""So many rounds are past when a whisperer votes in the first of them."""


class TwoFacedVoice(Voice):
    """Tells the stories of its table."""

    table: TwoFaced

    def sign(self, content: Content) -> None:
        table = self.table
        if table.told or content.kind != table.kind:
            super().sign(content)
            return
        table.told = [
            seal(self.signer, table.tell(content, story)) for story in range(max(table.stories) + 1)
        ]
        self.hearing.take(table.told[0])
        for step, story in enumerate(table.stories, 1):
            to = table.player_at((content.seat + step) % (len(table.stories) + 1))
            self.post.send(to, [table.told[story].data])


class TwoFaced(Table):
    """Says ``stories[k]`` to the seat ``k + 1`` places on, in its first speech of one kind.

    Story 0 is the honest one, which it follows itself; the others have another proof.
    """

    voice_type = TwoFacedVoice
    voice: TwoFacedVoice

    def __init__(
        self,
        signer: Signer,
        roster: SealedRoster,
        secrets: Secrets,
        kind: Kind,
        stories: tuple[int, ...],
    ) -> None:
        self.kind, self.stories = kind, stories
        self.told: list[Sealed] = []
        super().__init__(signer, roster, secrets)
        self.voice.table = self

    def tell(self, content: Content, story: int) -> Content:
        """Make what is told instead of the honest content."""
        return _another(content, self.kind, story)


class Unmoved(Consent):
    """What a player decides whom no fault stops, not even an own one."""

    is_stopped = False


class HastyVoice(TwoFacedVoice):
    """Votes as soon as its stories are told."""

    table: Hasty

    def sign(self, content: Content) -> None:
        table = self.table
        was_told = bool(table.told)
        super().sign(content)
        if was_told or not table.told:
            return
        (fooled,) = [step for step, story in enumerate(table.stories, 1) if story]
        target = (content.seat + fooled) % self.history.seats
        body = Vote(1, target, content.seat, [table.told[0].hash], b"")
        table.voted = seal(
            self.signer,
            replace(
                content,
                sequence=content.sequence + 1,
                last=table.told[0].hash,
                kind=Kind.VOTE,
                body=encode(body),
            ),
        )
        self.hearing.take(table.voted)
        for step, story in enumerate(table.stories, 1):
            if not story:
                to = table.player_at((content.seat + step) % self.history.seats)
                self.post.send(to, [table.voted.data])


class Hasty(TwoFaced):
    """Opens a ballot at once, in the round of its two shuffles, against who heard the other one.

    Both are proven, so that nobody is warned by a wrong one.
    """

    voice_type = HastyVoice
    consent_type = Unmoved
    voted: Sealed | None = None

    def tell(self, content: Content, story: int) -> Content:
        hand = self.hand
        assert hand is not None
        if not story:
            return content
        context = Context(
            content.table, self.roster.rules_hash, content.hand, 1, content.round, content.seat
        )
        deck, proof, *_ = make_shuffle(other_secret(hand), context, joint_of(hand), hand.decks[-1])
        return replace(content, body=encode(Shuffle(deck, proof)))


class WhisperingVoice(Voice):
    """Votes once in the first of some rounds that are past, for a single peer to hear."""

    kind = Kind.PLAY
    whispered: Sealed | None = None

    def sign(self, content: Content) -> None:
        past = [item for item in self.history.rounds if item.kind is self.kind and item.certified]
        is_due = len(past) == WHISPER_AFTER and content.kind == Kind.ACK
        if not is_due or self.whispered is not None:
            super().sign(content)
            return
        item, seat = past[0], content.seat
        view = [name or b"" for name in item.first]
        vote = Vote(1, (seat + 1) % self.history.seats, seat, view, b"")
        self.whispered = seal(
            self.signer,
            replace(
                content,
                round=item.place.round,
                prev=item.prev,
                kind=Kind.VOTE,
                body=encode(vote),
            ),
        )
        self.hearing.take(self.whispered)
        self.post.send((LIAR + 1) % self.history.seats, [self.whispered.data])
        if self.history.numbered(content.author, content.sequence) is self.whispered:
            content = replace(content, sequence=content.sequence + 1, last=self.whispered.hash)
        super().sign(content)


class Whisperer(Table):
    """Votes in a round of one kind that is long past, and tells a single peer so.

    All that it says later stands on top of that vote.
    """

    voice_type = WhisperingVoice
    voice: WhisperingVoice


def _another(content: Content, kind: Kind, story: int) -> Content:
    if not story:
        return content
    body = decode(content.body, BODIES[kind])
    proof = getattr(body, "proof")[:-1] + bytes([story])  # noqa: B009
    return replace(content, body=encode(replace(body, proof=proof)))


def seed_of_dealer(kind: Kind, stories: tuple[int, ...]) -> object:
    """A seed with which the liar deals, so that it is the first to shuffle."""
    for seed in range(100):
        sim = table_with_liar(kind, stories, seed)
        table = sim.tables[LIAR]
        sim.run(lambda table=table: table.draw is not None)  # type: ignore[misc]
        if table.draw is not None and table.draw.dealer == table.seat:
            return seed
    raise AssertionError("the liar deals with none of these seeds")


def table_with_liar(
    kind: Kind, stories: tuple[int, ...], seed: object, liar: type[TwoFaced] = TwoFaced
) -> Sim:
    """A table of which one seat is two-faced; the others go on without whoever is proven to lie."""

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        if place == LIAR:
            return liar(signer, roster, secrets, kind, stories)
        return Table(signer, roster, secrets)

    rules = RuleSet(seats=len(stories) + 1, hands=1, grace=15)
    return Sim(rules, seed=seed, seating=seating, auto_vote=True)


def table_with_whisperer(kind: Kind) -> Sim:
    """A table of which one seat votes in a past round of this kind, for one peer to hear."""

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        if place != LIAR:
            return Table(signer, roster, secrets)
        liar = Whisperer(signer, roster, secrets)
        liar.voice.kind = kind
        return liar

    rules = RuleSet(hands=1, grace=15)
    return Sim(rules, seed="whisper", seating=seating, auto_vote=True)
