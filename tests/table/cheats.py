"""Cheaters: real seats with real keys that sign something else at the first place where they can.

All seats of a simulation share one ``Cheat``; the first whose turn it is where the cheat applies
becomes the cheater, and everybody else stays honest. The cheater plays on as if nothing had
happened: it owns nothing up and repeats nothing, so that the others find out by themselves.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from p2p_hearts.cards import play
from p2p_hearts.cards.secret import HandSecret, hash_inputs
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, encode_deck, reencrypt
from p2p_hearts.crypto.group import Element
from p2p_hearts.crypto.shuffle import prove_shuffle
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.rules.cards import Card
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import claim
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.machine import Table
from p2p_hearts.table.post import Post
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Signer, open_envelope, seal
from p2p_hearts.wire.faults import Fault, Rule
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, Beat, Content, Kind, Play
from tests.table.sim import Sim, Weather

ONE_HAND = RuleSet(hands=1)


class QuietPost(Post):
    """The post of a table that owns nothing up and repeats nothing, once it is ``quiet``."""

    quiet = False

    def tell_fault(self, fault: Fault) -> None:
        if not self.quiet:
            super().tell_fault(fault)

    def correct(self, place: int, beat: Beat) -> None:
        if not self.quiet:
            super().correct(place, beat)

    def answer(self, place: int, beat: Beat) -> None:
        if not self.quiet:
            super().answer(place, beat)


class CheatingVoice(Voice):
    """Signs what its table's cheat makes, the first time that it applies."""

    table: Cheater

    def sign(self, content: Content) -> None:
        cheat, made = self.table.cheat, None
        if cheat.place is None and cheat.instead is not None:
            made = cheat.instead(self.table, content)
        if made is None:
            super().sign(content)
            return
        self.table.turn()
        if cheat.fooled:
            self.sign_twice(content, made, cheat.fooled)
        else:
            self.sign_anyway(made)

    def sign_anyway(self, content: Content) -> None:
        """Tell everybody, whatever the own history takes: an honest seat would not say it."""
        sealed = seal(self.signer, content)
        self.hearing.take(sealed)
        if not self.history.keeps(sealed) and not self.hearing.is_evidence(sealed):
            self.hearing.spoken.forget(sealed)
        self.post.send(None, [sealed.data])

    def sign_twice(self, content: Content, twin: Content, fooled: int) -> None:
        """Tell the next ``fooled`` peers clockwise one thing, and the rest the other."""
        sealed, other = seal(self.signer, content), seal(self.signer, twin)
        self.hearing.take(sealed)
        seats = self.history.seats
        for step in range(1, seats):
            told = sealed if step <= fooled else other
            self.post.send((self.table.place + step) % seats, [told.data])


class Cheater(Table):
    """A table of which one seat, at most, turns into the cheater."""

    voice_type = CheatingVoice
    post_type = QuietPost
    voice: CheatingVoice
    post: QuietPost

    def __init__(
        self, signer: Signer, roster: SealedRoster, secrets: Secrets, cheat: Cheat
    ) -> None:
        super().__init__(signer, roster, secrets)
        self.cheat = cheat
        self.voice.table = self

    @property
    def is_cheater(self) -> bool:
        return self.cheat.place == self.place

    def turn(self) -> None:
        """Become the cheater."""
        self.cheat.place = self.place
        self.post.quiet = True

    @property
    def my_hand(self) -> Hand:
        assert self.hand is not None
        return self.hand

    def work(self) -> bool:
        if self.cheat.besides is not None and self.cheat.place is None:
            content = self.cheat.besides(self)
            if content is not None:
                self.turn()
                self.voice.sign_anyway(content)
        return super().work()

    def next_content(self, kind: Kind, body: Struct) -> Content:
        """What this seat would sign next if it spoke in the current round."""
        item = self.history.current
        hand, attempt, number = item.place
        return Content(
            version=1,
            table=item.table,
            hand=hand,
            attempt=attempt,
            round=number,
            seat=self.course.seat_in(item.place),
            author=self.voice.signer.public,
            sequence=self.hearing.spoken.count,
            last=self.hearing.spoken.last,
            prev=item.prev,
            kind=kind,
            body=encode(body),
        )


@dataclass
class Cheat:
    """What one seat does, once.

    ``instead`` gets the content that a seat is about to sign and makes what it signs instead,
    ``besides`` makes a content where none is due; both return ``None`` where they do not apply.
    With ``fooled`` the seat signs both, and tells so many others the honest one only.
    """

    instead: Callable[[Cheater, Content], Content | None] | None = None
    besides: Callable[[Cheater], Content | None] | None = None
    fooled: int = 0
    place: int | None = None
    """The cheater's place in the roster, once it has cheated."""

    def seat_down(
        self, place: int, signer: Signer, roster: SealedRoster, secrets: Secrets
    ) -> Table:
        return Cheater(signer, roster, secrets, self)


Body = Struct | bytes | None


def saying(kind: Kind, trick: Callable[[Hand, Context, object], Body], fooled: int = 0) -> Cheat:
    """A cheat in the body of one kind of message of a hand."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != kind or content.hand == 0:
            return None
        hand = table.my_hand
        context = Context(
            content.table, table.roster.rules_hash, content.hand, 1, content.round, content.seat
        )
        body = trick(hand, context, decode(content.body, BODIES[kind]))
        if body is None:
            return None
        return replace(content, body=body if isinstance(body, bytes) else encode(body))

    return Cheat(instead, fooled=fooled)


def secret_of(hand: Hand) -> HandSecret:
    """The cheater's own hand secret."""
    return hand.secret


def other_secret(hand: Hand) -> HandSecret:
    """A secret for the same place that is not the committed one."""
    own = secret_of(hand)
    return HandSecret(bytes(32), own.table, own.hand, own.attempt, own.seat)


class _Anywhere(HandSecret):
    def require(self, context: Context) -> None:
        """Prove for any place at all."""


def anywhere(hand: Hand) -> HandSecret:
    """The cheater's own hand secret, made to prove for other places too."""
    own = secret_of(hand)
    return _Anywhere(own.z, own.table, own.hand, own.attempt, own.seat)


def context_with(context: Context, **fields: Any) -> Context:
    """Another place than that of a context."""
    return dataclasses.replace(context, **fields)


def public_of(hand: Hand) -> Element:
    public = hand.sides[hand.seat].public
    assert public is not None
    return public


def joint_of(hand: Hand) -> Element:
    return hand.joint_key()


def mix(
    hand: Hand,
    context: Context,
    label: bytes,
    key: Element,
    deck: Deck,
    spoil: Callable[[list[Ciphertext]], None],
) -> tuple[bytes, bytes]:
    """Shuffle as the honest seat does, spoil the result, and prove it as well as that goes."""
    secret = secret_of(hand)
    depends = hash_inputs(encode_deck(deck), key.data)
    order = secret.permutation(len(deck), context.round, label + b" permutation", depends)
    factors = secret.scalars(len(deck), context.round, label + b" factor", depends)
    mixed = [reencrypt(deck[at], key, factor) for at, factor in zip(order, factors, strict=True)]
    spoil(mixed)
    nonces = secret.nonce_source(context.round, label)
    transcript = Transcript(context, label)
    proof = prove_shuffle(transcript, key, deck, tuple(mixed), order, factors, nonces)
    return encode_deck(mixed), proof


def held(hand: Hand) -> list[int]:
    """The positions of the cheater's hand that it has not played."""
    return [at for at in range(len(hand.cards)) if at not in hand.sides[hand.seat].opened]


def play_of(
    hand: Hand,
    context: Context,
    at: int,
    card: Card,
    rest: Sequence[Card] | None = None,
    secret: HandSecret | None = None,
) -> Play:
    """Play ``card`` from a position, proven as well as that goes.

    ``rest``: the cards that the cheater pretends to hold besides.
    """
    assert hand.play is not None
    others = [other for other in held(hand) if other != at]
    cards = hand.sides[hand.seat].hand
    proof = play.make_play(
        secret or secret_of(hand),
        context,
        public_of(hand),
        hand.ground.encoding,
        cards[at],
        card,
        tuple(cards[other] for other in others),
        [hand.cards[other] for other in others] if rest is None else rest,
        claim(card, hand.play),
    )
    return Play(at, card, proof)


def convicts(
    cheat: Cheat,
    rule: Rule,
    rules: RuleSet = ONE_HAND,
    seeds: Iterable[object] = range(20),
    weather: Weather | None = None,
    sims: type[Sim] = Sim,
) -> Sim:
    """Check that every honest peer, and nobody else, names the cheater and the rule, with proof.

    Tries the seeds in turn until the cheat applies somewhere in the one hand that is played.
    """
    sim = play_until_cheated(cheat, rules, seeds, weather, sims)
    place = cheat.place
    assert place is not None
    others = [table for table in sim.tables if table.place != place]
    sim.run(lambda: all(table.fault for table in others), limit=sim.now + 60)
    sim.wait(3.0)
    identity = sim.identities[place].public
    for table in others:
        fault = table.fault
        assert fault is not None
        assert (table.player_at(fault.seat) if fault.hand else fault.seat) == place
        assert fault.rule is rule
        assert fault.evidence
        for envelope in fault.evidence:
            assert open_envelope(envelope).content.author == identity
            assert sim.logs[table.place].count(envelope) == 1
        assert fault.sentence("Mallory").startswith("Mallory ")
        assert table.decision is None
    assert len({table.fault.id for table in others if table.fault}) == 1
    return sim


def play_until_cheated(
    cheat: Cheat,
    rules: RuleSet,
    seeds: Iterable[object] = range(20),
    weather: Weather | None = None,
    sims: type[Sim] = Sim,
) -> Sim:
    """Play hands until somebody had the chance to cheat."""
    for seed in seeds:
        sim = sims(rules, seed=seed, seating=cheat.seat_down, weather=weather)
        while cheat.place is None and not any(table.over for table in sim.tables):
            sim.step()
        if cheat.place is not None:
            return sim
    raise AssertionError("in none of these hands was there a place for the cheat")
