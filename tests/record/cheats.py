"""Ways to cheat, one function each: what an otherwise honest script says in the place of the truth.

A cheat is a ``maker.Tamper``: asked for every speech, it changes the first one that it can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as with_fields

from p2p_hearts.cards import deal, passing
from p2p_hearts.cards.keys import make_key
from p2p_hearts.cards.play import proof_due
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import encode_deck, reencrypt
from p2p_hearts.crypto.group import base_mul
from p2p_hearts.crypto.shuffle import prove_shuffle
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.rules.cards import Card, CardSet, contains
from p2p_hearts.rules.play import claim, playable
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.wire.faults import Rule, legality_rule
from p2p_hearts.wire.messages import Kind, Open, PassSelect, Play, Reveal
from tests.record.maker import Body, Game, Stop, Tamper, make_pass, make_remask, make_shares
from tools.vectors.moon import find_moon

Change = Callable[["Game", int, Any], Any]
"""Makes another body (``None``: this is no occasion) of the one that is honest."""


@dataclass
class Once:
    """Change one speech: the first of this kind (by this seat) that ``change`` changes."""

    kind: Kind
    change: Change
    seat: int | None = None

    def __call__(self, game: Game, kind: Kind, seat: int, body: Struct) -> Body:
        if game.cheated or kind is not self.kind or self.seat not in (None, seat):
            return body
        changed: Body | None = self.change(game, seat, body)
        if changed is None:
            return body
        game.liar = seat
        return changed


def flip(data: bytes, at: int = 0) -> bytes:
    """Another scalar of the same length, or another byte."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def with_flipped(field: str) -> Change:
    return lambda game, seat, body: with_fields(body, **{field: flip(getattr(body, field))})


def wrong_key_of_another_table(game: Game, seat: int, body: Any) -> Any:
    """A key and its proof, good at another table."""
    context = replace(game.context(seat), table=bytes(32))
    secret = replace(game.secrets[seat], table=bytes(32))
    return type(body)(*make_key(secret, context))


def with_two_alike(game: Game, seat: int, body: Any) -> Any:
    """A card twice in the deck, another one missing."""
    return with_fields(body, deck=body.deck[64:128] + body.deck[64:])


def with_foreign_card(game: Game, seat: int, body: Any) -> Any:
    """A ciphertext that was never in the deck."""
    foreign = encode_deck([reencrypt(game.deck[0], base_mul(7), 5)])
    return with_fields(body, deck=foreign + body.deck[64:])


def with_card_too_many(game: Game, seat: int, body: Any) -> Any:
    return with_fields(body, deck=body.deck + body.deck[:64])


def with_chosen_order(game: Game, seat: int, body: Any) -> Any:
    """A proven shuffle whose order the seat chose, not its hand secret."""
    size, ctx = len(game.deck), game.context(seat)
    order, factors = tuple(range(size)), tuple(range(1, size + 1))
    mixed = tuple(
        reencrypt(game.deck[at], game.joint, factor)
        for at, factor in zip(order, factors, strict=True)
    )
    proof = prove_shuffle(
        Transcript(ctx, b"shuffle"),
        game.joint,
        game.deck,
        mixed,
        order,
        factors,
        game.secrets[seat].nonce_source(ctx.round, b"other"),
    )
    game.replaced = mixed
    return with_fields(body, deck=encode_deck(mixed), proof=proof)


def with_share_of_another_card(game: Game, seat: int, body: Any) -> Any:
    return with_fields(body, shares=body.shares[32:64] + body.shares[32:])


def with_two_of_the_shares(game: Game, seat: int, body: Any) -> Any:
    """Proven, but for two positions only."""
    positions = game.to_share(seat)[:2]
    return type(body)(*make_shares(game.secrets[seat], game.context(seat), game.deck, positions))


def select(*positions: int) -> Change:
    return lambda game, seat, body: PassSelect(list(positions))


def pass_of_unselected_cards(game: Game, seat: int, body: Any) -> Any:
    """Proven, but of other cards than the selected ones."""
    chosen, _, target = game.pass_terms(seat)
    others = tuple(at for at in range(13) if at not in chosen)[:3]
    sources = tuple(game.hands[seat][at] for at in others)
    return type(body)(*make_pass(game.secrets[seat], game.context(seat), others, sources, target))


def remask_of_another_hand(game: Game, seat: int, body: Any) -> Any:
    """Proven, but it keeps what was passed and leaves out what was received."""
    other = game.hands[seat][:10] + game.hands[seat][:3]
    made = make_remask(game.secrets[seat], game.context(seat), game.publics[seat], other)
    return type(body)(*made[:2])


def hidden_opening_card(game: Game, seat: int, body: Any) -> Any:
    if body.position is None:
        return None
    return Open(None, game.no_opening(seat, game.context(seat)))


def opening_without_the_card(game: Game, seat: int, body: Any) -> Any:
    if body.position is not None:
        return None
    return Open(0, game.opening(seat, game.context(seat), 0))


def opening_from_nowhere(game: Game, seat: int, body: Any) -> Any:
    return None if body.position is None else Open(13, body.proof)


def card_from_a_played_place(game: Game, seat: int, body: Any) -> Any:
    played = set(range(13)) - game.cards[seat].keys()
    return Play(min(played), body.card, body.proof) if played else None


def card_from_nowhere(game: Game, seat: int, body: Any) -> Any:
    return Play(13, body.card, body.proof)


def card_played_twice(game: Game, seat: int, body: Any) -> Any:
    """A card that it has played before, from a place that is left."""
    if not game.playing.tricks:
        return None
    card = next(card for player, card in game.playing.tricks[0].cards if player == seat)
    return Play(body.position, card, body.proof)


def card_of_another_hand(game: Game, seat: int, body: Any) -> Any:
    """A card of the led suit that another seat holds."""
    state = game.playing
    for other in game.seats:
        for card in game.cards[other].values():
            if other != seat and state.trick and card // 13 == state.trick[0][1] // 13:
                return game.prove_play(seat, game.context(seat), body.position, card)
    return None


def card_of_another_place(game: Game, seat: int, body: Any) -> Any:
    """Its own card, which lies at another place of its hand."""
    if claim(Card(body.card), game.playing) is not None:
        return None
    at = next((at for at in game.cards[seat] if at != body.position), None)
    return None if at is None else Play(at, body.card, body.proof)


def proof_left_out(game: Game, seat: int, body: Any) -> Any:
    due = claim(Card(body.card), game.playing)
    rest = [at for at in game.cards[seat] if at != body.position]
    if not rest or due is None:
        return None
    return game.prove_play(seat, game.context(seat), body.position, Card(body.card), None)


def proof_too_much(game: Game, seat: int, body: Any) -> Any:
    if claim(Card(body.card), game.playing) is not None or len(game.cards[seat]) < 2:
        return None
    kinds = {game.rules.card_class(card) for card in game.cards[seat].values()}
    said = sum(1 << kind for kind in kinds)
    return game.prove_play(seat, game.context(seat), body.position, Card(body.card), said)


def illegal_card(rule: Rule) -> Change:
    """A card that ``playable`` refuses, with a proof that claims what is not so."""

    def change(game: Game, seat: int, body: Any) -> Any:
        state, held = game.playing, game.held(seat)
        legal = playable(held, state)
        for at, card in game.cards[seat].items():
            rest = tuple(game.hands[seat][other] for other in game.cards[seat] if other != at)
            if contains(legal, card) or legality_rule(state, card) is not rule:
                continue
            assert proof_due(claim(card, state), rest)
            return game.prove_play(seat, game.context(seat), at, card)
        return None

    return change


class OtherNonces(HandSecret):
    """The same secrets, and nonces that do not derive from them."""

    def nonce_source(self, round_: int, label: bytes) -> NonceSource:
        return HandSecret.nonce_source(self, round_, label + b" other")


def stray(secret: HandSecret) -> HandSecret:
    return OtherNonces(secret.z, secret.table, secret.hand, secret.attempt, secret.seat)


def with_other_nonces(kind: Kind) -> Tamper:
    """A proof that holds and was not made from the hand secret."""

    def change(game: Game, seat: int, body: Any) -> Any:
        own, ctx = stray(game.secrets[seat]), game.context(seat)
        if kind is Kind.KEY:
            return type(body)(*make_key(own, ctx))
        if kind is Kind.SHARES:
            return type(body)(*deal.make_shares(own, ctx, game.deck, game.to_share(seat)))
        if kind is Kind.PASS:
            return type(body)(*passing.make_pass(own, ctx, *game.pass_terms(seat)))
        game.secrets[seat], before = own, game.secrets[seat]
        if kind is Kind.PLAY:
            changed: Body = game.prove_play(seat, ctx, body.position, Card(body.card))
        else:
            changed = (
                Open(None, game.no_opening(seat, ctx))
                if body.position is None
                else Open(body.position, game.opening(seat, ctx, body.position))
            )
        game.secrets[seat] = before
        return changed

    return Once(kind, change)


def another_secret(game: Game, seat: int, body: Any) -> Any:
    return Reveal(flip(body.secret), [])


@dataclass
class Shooting(Game):
    """Everybody helps one seat to take every penalty card, if the deal lets them."""

    line: list[Card] | None = None

    def play_cards(self) -> MoonChoice | None:
        self.line = find_moon(self.playing, [self.held(seat) for seat in self.seats])
        if self.line is None:
            raise Stop
        return super().play_cards()

    def choose(self, seat: int, legal: CardSet) -> Card:
        assert self.line is not None
        return self.line[self.rules.seats * len(self.playing.tricks) + len(self.playing.trick) - 1]
