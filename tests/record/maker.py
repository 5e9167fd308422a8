"""A game written down by a plain script: who says what, in order, with the proofs of every seat.

It shares no code with ``p2p_hearts.table``, and of ``agreement`` the draw alone: it is the judge of
the table and of the audit, so it is simple. All secrets derive from a seed, and the
expensive proofs are remembered, so that games which cheat late cost little more than their end.

``tamper`` is asked for every speech and may return another body (a struct, or raw bytes); the game
goes on to the end of that round and stops. ``Tamper`` functions may look at everything here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Self

from msgspec import Struct

from p2p_hearts.agreement.draw import commit_nonce, draw_table
from p2p_hearts.cards import deal, escrow, keys, passing, play
from p2p_hearts.cards.claim import make_claim
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey, make_table_key
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck
from p2p_hearts.crypto.group import Element, decode_elements
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import FIRST_CHAIN, MAGIC, RecordKind, make_record, start_data
from p2p_hearts.rules.cards import Card, CardSet, card_set, cards_in
from p2p_hearts.rules.dealing import dealt, next_dealer
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.passing import pass_offset, receiver, sender
from p2p_hearts.rules.play import PlayState, claim, playable, start_play
from p2p_hearts.rules.rest import claim_rest, may_claim
from p2p_hearts.rules.score import MoonChoice, choosing_shooter, score_hand
from p2p_hearts.wire.chain import NO_HASH, Place, first_head, next_head
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Identity, Sealed, seal
from p2p_hearts.wire.lobby import Hello, Roster, SealedRoster, open_roster, sign_lobby
from p2p_hearts.wire.messages import (
    VERSION,
    Ack,
    Choice,
    Claim,
    Content,
    Draw,
    Escrow,
    Key,
    Kind,
    Open,
    Pass,
    PassSelect,
    Play,
    Remask,
    Reveal,
    Seals,
    Shares,
    Shuffle,
    Sit,
    Widow,
)

NICKS = ("Ana", "Budi", "Clara", "Dewi", "Edu", "Fajar", "Gita", "Hugo")

make_shuffle = lru_cache(maxsize=256)(deal.make_shuffle)
make_shares = lru_cache(maxsize=256)(deal.make_shares)
make_pass = lru_cache(maxsize=256)(passing.make_pass)
make_remask = lru_cache(maxsize=256)(passing.make_remask)
make_play = lru_cache(maxsize=1024)(play.make_play)
make_no_opening = lru_cache(maxsize=256)(play.make_no_opening)
read_card = lru_cache(maxsize=4096)(deal.read_card)

Records = list[tuple[RecordKind, bytes]]
Body = Struct | bytes
Tamper = Callable[["Game", Kind, int, Struct], Body]


class Stop(Exception):  # noqa: N818 - the end of a script, no error
    """The game ends here."""


def honest(game: Game, kind: Kind, seat: int, body: Struct) -> Body:
    return body


def seed_bytes(*parts: object) -> bytes:
    return blake2b(repr(parts).encode(), digest_size=32).digest()


@dataclass
class Player:
    """A signer with its own count."""

    identity: Identity
    nick: str
    sequence: int = 0
    last: bytes = NO_HASH


def make_players(count: int, seed: object = "players") -> list[Player]:
    return [
        Player(Identity.from_private_bytes(seed_bytes(seed, number)), NICKS[number])
        for number in range(count)
    ]


def make_roster(
    players: Sequence[Player], rules: RuleSet, formation: int = 1, instance: bytes = bytes(32)
) -> SealedRoster:
    hellos = []
    for number, player in enumerate(players):
        curve = seed_bytes("curve", number).hex()[:40].encode()
        table_key, proof = make_table_key(
            seed_bytes("table key", number), instance, player.identity.public, curve
        )
        hello = Hello(
            version=VERSION,
            instance=instance,
            author=player.identity.public,
            curve=curve,
            nick=player.nick,
            addresses=[("10.77.0.1", 4000 + number)],
            table_key=table_key,
            table_proof=proof,
        )
        hellos.append(sign_lobby(player.identity, hello))
    founder = players[0].identity
    roster = Roster(
        version=VERSION,
        instance=instance,
        author=founder.public,
        formation=formation,
        name="Sunday table",
        rules=rules.to_dict(),
        entries=hellos,
    )
    return open_roster(sign_lobby(founder, roster))


@dataclass
class Game:
    """One table, from the roster to the end of the match or of the script."""

    rules: RuleSet
    seed: object = 0
    tamper: Tamper = honest
    nicks: Sequence[str] = NICKS
    stop_at: Callable[[Game, Kind], bool] = lambda game, kind: False
    """Asked before every round."""
    claims: bool = False
    """Whether whoever may claim the rest does."""
    contents: list[Sealed] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.players = make_players(self.rules.seats)
        for player, nick in zip(self.players, self.nicks, strict=False):
            player.nick = nick
        self.roster = make_roster(self.players, self.rules, instance=seed_bytes("i", self.seed))
        self.encoding = Encoding(self.rules)
        self.random = Random(repr(self.seed))
        self.head = first_head(self.roster.hash)
        self.place = Place(0, self.roster.formation, 0)
        self.table = self.roster.hash
        self.order: tuple[int, ...] = tuple(range(self.rules.seats))
        self.seats = range(self.rules.seats)
        self.match = new_match(self.rules)
        self.state: PlayState | None = None
        self.cheated = False
        self.liar = -1
        """The seat that cheated, once one has."""
        self.replaced: Deck | None = None
        """A deck that a cheat made in the place of the one it should have made."""

    # Writing.

    def run(self) -> Self:
        try:
            self.form()
            dealer = self.drawn.dealer
            while not self.match.over:
                self.hand(dealer)
                dealer = next_dealer(self.rules, dealer)
        except Stop:
            pass
        return self

    def records(self, owner: int = 0) -> Records:
        start = start_data(self.players[owner].identity, "0.1.0", 1_700_000_000)
        return [
            (RecordKind.START, start),
            (RecordKind.ROSTER, self.roster.data),
            *((RecordKind.CONTENT, sealed.data) for sealed in self.contents),
        ]

    def log(self, owner: int = 0) -> bytes:
        return write(self.records(owner))

    def sign(
        self,
        speaker: int,
        kind: str,
        body: Body,
        *,
        place: tuple[int, int, int] | None = None,
        **changes: object,
    ) -> Sealed:
        """Sign as this seat and count on; ``changes`` replace header fields."""
        player = self.players[self.order[speaker]]
        hand, attempt, number = place or self.place
        fields: dict[str, object] = {
            "version": VERSION,
            "table": self.table,
            "hand": hand,
            "attempt": attempt,
            "round": number,
            "seat": speaker,
            "author": player.identity.public,
            "sequence": player.sequence,
            "last": player.last,
            "prev": self.head,
            "kind": kind,
            "body": body if isinstance(body, bytes) else encode(body),
        }
        sealed = seal(player.identity, Content(**(fields | changes)))  # type: ignore[arg-type]
        player.sequence += 1
        player.last = sealed.hash
        return sealed

    def say(self, speaker: int, kind: str, body: Body, **changes: object) -> Sealed:
        sealed = self.sign(speaker, kind, body, **changes)  # type: ignore[arg-type]
        self.contents.append(sealed)
        return sealed

    def round(
        self, kind: Kind, speakers: Sequence[int], make: Callable[[int, Context], Struct]
    ) -> dict[int, Struct]:
        """All speakers speak, all seats acknowledge; return the honest bodies."""
        if self.stop_at(self, kind):
            raise Stop
        hashes, bodies = [], {}
        for seat in speakers:
            bodies[seat] = make(seat, self.context(seat))
            body = self.tamper(self, kind, seat, bodies[seat])
            if body is not bodies[seat]:
                self.cheated = True
            sealed = self.say(seat, kind, body)
            hashes.append((seat, sealed.hash))
        head = next_head(self.head, self.place, hashes)
        for seat in self.seats:
            self.say(seat, Kind.ACK, Ack(head))
        self.head = head
        self.place = Place(self.place.hand, self.place.attempt, self.place.round + 1)
        self.end_round(kind)
        return bodies

    def end_round(self, kind: Kind) -> None:
        """A cheat is seen by everybody at once, and ends the game."""
        if self.cheated:
            raise Stop

    def context(self, seat: int) -> Context:
        table = self.table
        return Context(table, self.roster.rules_hash, *self.place, seat)

    # The script.

    def form(self) -> None:
        nonces = [seed_bytes("nonce", self.seed, place) for place in self.seats]
        self.round(
            Kind.SIT,
            self.seats,
            lambda place, _: Sit(commit_nonce(self.roster.hash, place, nonces[place])),
        )
        self.round(Kind.DRAW, self.seats, lambda place, _: Draw(nonces[place]))
        self.drawn = draw_table(self.roster.hash, self.roster.rules_hash, nonces)
        self.table, self.order = self.drawn.table, self.drawn.seats

    def hand(self, dealer: int) -> None:
        number, rules, seats = self.match.hand_number, self.rules, self.seats
        self.dealer = dealer
        self.place = Place(number, 1, 0)
        self.secrets = [
            HandSecret(seed_bytes("z", self.seed, number, seat), self.table, number, 1, seat)
            for seat in seats
        ]
        self.deal_cards(dealer)
        offset = pass_offset(rules, number)
        if offset:
            self.pass_cards(offset)
        self.cards: list[dict[int, Card]] = [
            {at: self.read(seat, ct) for at, ct in enumerate(self.hands[seat])} for seat in seats
        ]
        """By seat: the cards not played yet, by position."""
        self.state = start_play(rules, dealer)
        if rules.opening_card is not None:
            self.open_hand()
        choice = self.play_cards()
        self.round(Kind.REVEAL, seats, lambda seat, _: Reveal(self.secrets[seat].z, []))
        self.match = self.match.add(score_hand(self.match, self.playing.taken, choice))

    @property
    def playing(self) -> PlayState:
        assert self.state is not None
        return self.state

    def deal_cards(self, dealer: int) -> None:
        seats = self.seats
        said = self.round(
            Kind.KEY, seats, lambda seat, ctx: Key(*keys.make_key(self.secrets[seat], ctx))
        )
        self.publics = [keys.public_key(self.secrets[seat]) for seat in seats]
        assert [body.public for body in said.values()] == [key.data for key in self.publics]  # type: ignore[attr-defined]
        joint = keys.joint_key(self.publics)
        assert not isinstance(joint, Flaw)
        self.joint = joint
        self.deck: Deck = deal.first_deck(self.encoding, joint)
        for turn in seats:
            seat = (dealer + turn) % len(seats)
            made: list[Deck] = []

            def shuffle(seat: int, ctx: Context, made: list[Deck] = made) -> Shuffle:
                deck, proof, new = make_shuffle(self.secrets[seat], ctx, self.joint, self.deck)
                made.append(new)
                return Shuffle(deck, proof)

            self.round(Kind.SHUFFLE, [seat], shuffle)
            self.deck, self.replaced = self.replaced or made[0], None
        self.split_keys()
        self.deal = dealt(self.rules, dealer)
        shares = self.round(
            Kind.SHARES,
            seats,
            lambda seat, ctx: Shares(
                *make_shares(self.secrets[seat], ctx, self.deck, self.to_share(seat))
            ),
        )
        given = [
            dict(zip(self.to_share(seat), split(shares[seat].shares), strict=True))  # type: ignore[attr-defined]
            for seat in seats
        ]
        self.hands: list[Deck] = [
            tuple(
                deal.owned(self.deck[at], [given[other][at] for other in seats if other != seat])
                for at in self.deal.hands[seat]
            )
            for seat in seats
        ]

    def split_keys(self) -> None:
        """Escrow; every seat opens its seals, and none complains."""
        keys_ = [entry.table_key for entry in self.roster.entries]
        by_seat = {seat: keys_[place] for seat, place in enumerate(self.order)}
        instance = self.roster.instance

        def split(seat: int, ctx: Context) -> Escrow:
            others = {other: key for other, key in by_seat.items() if other != seat}
            return Escrow(*escrow.make_escrow(self.secrets[seat], ctx, others))

        bodies = self.round(Kind.ESCROW, self.seats, split)
        assert len(bodies) == len(self.seats)
        self.table_keys = [
            TableKey(seed_bytes("table key", place), instance) for place in self.order
        ]
        self.round(Kind.SEALS, self.seats, lambda seat, _: Seals([]))

    def to_share(self, seat: int) -> tuple[int, ...]:
        return tuple(
            at
            for at in range(len(self.deck))
            if at not in self.deal.hands[seat] and at not in self.deal.widow
        )

    def read(self, seat: int, ciphertext: Ciphertext) -> Card:
        card = read_card(self.secrets[seat], self.encoding, ciphertext)
        assert card is not None
        return card

    def pass_cards(self, offset: int) -> None:
        seats, count = self.seats, self.rules.pass_count
        self.offset = offset
        self.chosen = [
            tuple(sorted(self.random.sample(range(self.rules.hand_size), count))) for _ in seats
        ]
        self.round(Kind.PASS_SELECT, seats, lambda seat, _: PassSelect(list(self.chosen[seat])))
        moved: dict[int, Deck] = {}

        def make(seat: int, ctx: Context) -> Pass:
            cards, proof = make_pass(self.secrets[seat], ctx, *self.pass_terms(seat))
            moved[seat] = decode_deck(cards, count)
            return Pass(cards, proof)

        self.round(Kind.PASS, seats, make)
        self.hands = [
            passing.remask_input(
                self.hands[seat], self.chosen[seat], moved[sender(self.rules, seat, offset)]
            )
            for seat in seats
        ]
        masked: dict[int, Deck] = {}

        def remask(seat: int, ctx: Context) -> Remask:
            deck, proof, masked[seat] = make_remask(
                self.secrets[seat], ctx, self.publics[seat], self.hands[seat]
            )
            return Remask(deck, proof)

        self.round(Kind.REMASK, seats, remask)
        self.hands = [masked[seat] for seat in seats]

    def pass_terms(self, seat: int) -> tuple[tuple[int, ...], Deck, Element]:
        positions = self.chosen[seat]
        sources = tuple(self.hands[seat][at] for at in positions)
        return positions, sources, self.publics[receiver(self.rules, seat, self.offset)]

    def open_hand(self) -> None:
        opening = self.rules.opening_card
        assert opening is not None
        owner = next(seat for seat in self.seats if opening in self.cards[seat].values())

        def make(seat: int, ctx: Context) -> Open:
            if seat != owner:
                return Open(None, self.no_opening(seat, ctx))
            at = next(at for at, card in self.cards[seat].items() if card == opening)
            return Open(at, self.opening(seat, ctx, at))

        bodies = self.round(Kind.OPEN, self.seats, make)
        at = bodies[owner].position  # type: ignore[attr-defined]
        del self.cards[owner][at]
        self.state = start_play(self.rules, self.dealer, owner).play(opening)

    def no_opening(self, seat: int, ctx: Context) -> bytes:
        return make_no_opening(
            self.secrets[seat],
            ctx,
            self.publics[seat],
            self.encoding,
            self.hands[seat],
            tuple(self.cards[seat].values()),
        )

    def opening(self, seat: int, ctx: Context, at: int) -> bytes:
        opening = self.rules.opening_card
        assert opening is not None
        source = self.hands[seat][at]
        return make_play(
            self.secrets[seat],
            ctx,
            self.publics[seat],
            self.encoding,
            source,
            opening,
            (),
            (),
            None,
        )

    def play_cards(self) -> MoonChoice | None:
        while True:
            state = self.playing
            if state.past.widow_due:
                self.open_widow()
                continue
            seat = state.turn
            if seat is None:
                break
            if self.claims and may_claim(state, seat, self.held(seat)):
                self.round(Kind.CLAIM, [seat], self.prove_claim)
                self.state = claim_rest(state, seat, self.held(seat))
                continue
            card = self.choose(seat, playable(self.held(seat), state))
            at = next(at for at, own in self.cards[seat].items() if own == card)

            def make(seat: int, ctx: Context, at: int = at, card: Card = card) -> Play:
                return self.prove_play(seat, ctx, at, card)

            self.round(Kind.PLAY, [seat], make)
            del self.cards[seat][at]
            self.state = state.play(card)
        shooter = choosing_shooter(self.rules, self.playing.taken)
        if shooter is None:
            return None
        self.round(Kind.CHOICE, [shooter], lambda seat, _: Choice(str(MoonChoice.OTHERS_ADD)))
        return MoonChoice.OTHERS_ADD

    def held(self, seat: int) -> CardSet:
        return card_set(self.cards[seat].values())

    def choose(self, seat: int, legal: CardSet) -> Card:
        return self.random.choice(sorted(set(cards_in(legal))))

    def prove_play(
        self, seat: int, ctx: Context, at: int, card: Card, due: object = "the rules"
    ) -> Play:
        """A play with its proof; a ``due`` given is claimed in the place of the right one."""
        rest = [other for other in self.cards[seat] if other != at]
        said = claim(card, self.playing) if due == "the rules" else due
        proof = make_play(
            self.secrets[seat],
            ctx,
            self.publics[seat],
            self.encoding,
            self.hands[seat][at],
            card,
            tuple(self.hands[seat][other] for other in rest),
            tuple(self.cards[seat][other] for other in rest),
            said,
        )
        return Play(at, card, proof)

    def prove_claim(self, seat: int, ctx: Context) -> Claim:
        """A claim with all cards left, positions ascending."""
        places = sorted(self.cards[seat])
        cards = [self.cards[seat][at] for at in places]
        lying = tuple(self.hands[seat][at] for at in places)
        public = self.publics[seat]
        proof = make_claim(self.secrets[seat], ctx, public, self.encoding, lying, cards)
        return Claim([int(card) for card in cards], proof)

    def open_widow(self) -> None:
        widow = self.deal.widow
        bodies = self.round(
            Kind.WIDOW,
            self.seats,
            lambda seat, ctx: Widow(*make_shares(self.secrets[seat], ctx, self.deck, widow)),
        )
        shares = [split(body.shares) for body in bodies.values()]  # type: ignore[attr-defined]
        cards = [
            deal.read_open(self.encoding, self.deck[at], [given[number] for given in shares])
            for number, at in enumerate(widow)
        ]
        self.state = self.playing.with_widow(card for card in cards if card is not None)


def split(data: bytes) -> tuple[Element, ...]:
    return decode_elements(data, len(data) // 32)


def write(records: Records) -> bytes:
    """A log with these records, lengths, CRCs and chain as they must be."""
    data, chain = [MAGIC], FIRST_CHAIN
    for kind, payload in records:
        record, chain = make_record(chain, kind, payload)
        data.append(record)
    return b"".join(data)


def boundaries(log: bytes) -> Iterator[int]:
    """Where each record ends; the magic line counts as the first."""
    yield len(MAGIC)
    for record in read_log(log):
        yield record.end
