"""Every message peers sign or send, as a typed struct (protocol/SPEC.md sections 6.2 and 6.3).

A *content* is what a seat signs. Its header says where in the table's history it stands; its
body, bytes of their own, says what the seat does there. The two decode separately on purpose: a
header that does not decode is noise, a body that does not decode under a valid header and
signature is a fault of the seat that signed it.

Never: anything a message means. Errors: none of its own, ``codec.DecodeError`` on decoding.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated

from msgspec import Meta, Struct

VERSION = 1
"""Version of the protocol; peers of different versions do not sit at one table."""

HASH_BYTES = 32
NO_HASH = bytes(HASH_BYTES)
"""Stands where a hash is expected and there is nothing before."""

MAX_SEATS = 11

Hash = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
PublicKey = Annotated[bytes, Meta(min_length=32, max_length=32)]
Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Counter = Annotated[int, Meta(ge=0, lt=2**31)]
Position = Annotated[int, Meta(ge=0, lt=104)]
CardNumber = Annotated[int, Meta(ge=0, lt=52)]


class Kind(StrEnum):
    """What a content is; the value stands on the wire."""

    SIT = "sit"
    DRAW = "draw"
    KEY = "key"
    SHUFFLE = "shuffle"
    ESCROW = "escrow"
    SEALS = "seals"
    OPENINGS = "openings"
    SHARES = "shares"
    PASS_SELECT = "pass_select"  # noqa: S105 - a pass of cards, no password
    PASS = "pass"  # noqa: S105
    REMASK = "remask"
    OPEN = "open"
    PLAY = "play"
    CLAIM = "claim"
    WIDOW = "widow"
    CHOICE = "choice"
    REVEAL = "reveal"
    LOST = "lost"
    ACK = "ack"
    VOTE = "vote"
    CONFIRM = "confirm"


BALLOTS = frozenset({Kind.VOTE, Kind.CONFIRM})
"""Said beside the acks of a round, when it is closed without a silent seat."""


class Content(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """The signed header and the body of one message."""

    version: Counter
    table: Hash
    """Table id; while the table forms (hand 0) the hash of the roster."""
    hand: Counter
    """Hand from 1; 0 while the table forms."""
    attempt: Counter
    round: Counter
    seat: Seat
    """Seat of the signer; in hand 0 its place in the roster."""
    author: PublicKey
    sequence: Counter
    """The author's own count of what it signed at this table, from 0."""
    last: Hash
    """Hash of the author's previous content at this table, ``NO_HASH`` for the first."""
    prev: Hash
    """Head of the round before this one."""
    kind: Annotated[str, Meta(min_length=1, max_length=16)]
    body: Annotated[bytes, Meta(max_length=64 * 1024)]


class Sit(Struct, frozen=True, forbid_unknown_fields=True):
    """I take my place in this roster; commitment to my nonce."""

    commitment: Hash


class Draw(Struct, frozen=True, forbid_unknown_fields=True):
    """My nonce for the draw of table id, seats and dealer."""

    nonce: Hash


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """Commitment K to the hand secret, key share X with proof of knowledge."""

    commitment: Hash
    public: Hash
    proof: Annotated[bytes, Meta(max_length=256)]


class Shuffle(Struct, frozen=True, forbid_unknown_fields=True):
    """The deck re-encrypted and permuted, with the shuffle proof."""

    deck: Annotated[bytes, Meta(max_length=104 * 64)]
    proof: Annotated[bytes, Meta(max_length=32 * 1024)]


class Escrow(Struct, frozen=True, forbid_unknown_fields=True):
    """My key, split and sealed to every other seat that has one."""

    publics: Annotated[bytes, Meta(max_length=10 * 32)]
    seals: Annotated[bytes, Meta(max_length=10 * 128)]


class Complaint(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seal opens to, shown because it is not the share it should be."""

    owner: Seat
    point: Hash
    proof: Annotated[bytes, Meta(max_length=256)]


class Seals(Struct, frozen=True, forbid_unknown_fields=True):
    """All seals to me opened right; or those that did not, by ascending owner."""

    complaints: Annotated[list[Complaint], Meta(max_length=10)]


class Openings(Struct, frozen=True, forbid_unknown_fields=True):
    """My part of opening the cards of a seat that is away, one proof."""

    points: Annotated[bytes, Meta(max_length=104 * 32)]
    proof: Annotated[bytes, Meta(max_length=256)]


class Shares(Struct, frozen=True, forbid_unknown_fields=True):
    """Decryption shares for every card dealt to somebody else, one proof."""

    shares: Annotated[bytes, Meta(max_length=104 * 32)]
    proof: Annotated[bytes, Meta(max_length=256)]


class PassSelect(Struct, frozen=True, forbid_unknown_fields=True):
    """The positions of my hand that I pass, strictly ascending."""

    positions: Annotated[list[Position], Meta(max_length=52)]


class Pass(Struct, frozen=True, forbid_unknown_fields=True):
    """The selected cards re-encrypted to their receiver, one proof."""

    cards: Annotated[bytes, Meta(max_length=52 * 64)]
    proof: Annotated[bytes, Meta(max_length=4 * 1024)]


class Remask(Struct, frozen=True, forbid_unknown_fields=True):
    """My hand after the pass, re-randomised and permuted, with a shuffle proof."""

    deck: Annotated[bytes, Meta(max_length=104 * 64)]
    proof: Annotated[bytes, Meta(max_length=32 * 1024)]


class Open(Struct, frozen=True, forbid_unknown_fields=True):
    """The opening card, played from this position; or, with no position, the proof I lack it."""

    position: Position | None
    proof: Annotated[bytes, Meta(max_length=1024)]


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A card from a position of my hand, with the proof that it is that card and legal."""

    position: Position
    card: CardNumber
    proof: Annotated[bytes, Meta(max_length=1024)]


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """The rest of the tricks: every card I still hold, by ascending position, one proof.

    No positions: which ones have not been played is everybody's own knowledge.
    """

    cards: Annotated[list[CardNumber], Meta(max_length=52)]
    proof: Annotated[bytes, Meta(max_length=256)]


class Widow(Struct, frozen=True, forbid_unknown_fields=True):
    """Decryption shares for the widow's cards, one proof."""

    shares: Annotated[bytes, Meta(max_length=104 * 32)]
    proof: Annotated[bytes, Meta(max_length=256)]


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """What the shooter of the moon chooses, where the rules let it choose."""

    moon: Annotated[str, Meta(max_length=32)]


class Reveal(Struct, frozen=True, forbid_unknown_fields=True):
    """The hand secret z, and what proves another seat a liar."""

    secret: Hash
    evidence: Annotated[list[Annotated[bytes, Meta(max_length=64 * 1024)]], Meta(max_length=2)]
    """Envelopes of one other seat that prove a fault (``wire.evidence``); mostly none."""


class Lost(Struct, frozen=True, forbid_unknown_fields=True):
    """I have lost the secret of this hand: go on without me until the next one."""


class Ack(Struct, frozen=True, forbid_unknown_fields=True):
    """I hold all of this round, and this is its head."""

    head: Hash


MaybeHash = Annotated[bytes, Meta(max_length=HASH_BYTES)]
"""A hash, or empty."""


class Vote(Struct, frozen=True, forbid_unknown_fields=True):
    """I promise to close this round without waiting for a seat, and this is what I hold."""

    ballot: Counter
    target: Seat
    opener: Seat
    """Who opened this ballot."""
    view: Annotated[list[MaybeHash], Meta(max_length=MAX_SEATS)]
    """By speaker, in seat order: the hash of its content, empty where I hold none."""
    lock: MaybeHash
    """Hash of my latest confirm of this round, or empty."""


class Confirm(Struct, frozen=True, forbid_unknown_fields=True):
    """I hold the votes of all but the target, and this is what they decide."""

    ballot: Counter
    target: Seat
    value: Annotated[list[MaybeHash], Meta(max_length=MAX_SEATS)]
    votes: Annotated[list[Hash], Meta(max_length=MAX_SEATS)]
    """Hashes of the votes, by voter in seat order."""


Body = (
    Sit
    | Draw
    | Key
    | Shuffle
    | Escrow
    | Seals
    | Openings
    | Shares
    | PassSelect
    | Pass
    | Remask
    | Open
    | Play
    | Claim
    | Widow
    | Choice
    | Reveal
    | Lost
    | Ack
    | Vote
    | Confirm
)

BODIES: Mapping[Kind, type[Struct]] = MappingProxyType(
    {
        Kind.SIT: Sit,
        Kind.DRAW: Draw,
        Kind.KEY: Key,
        Kind.SHUFFLE: Shuffle,
        Kind.ESCROW: Escrow,
        Kind.SEALS: Seals,
        Kind.OPENINGS: Openings,
        Kind.SHARES: Shares,
        Kind.PASS_SELECT: PassSelect,
        Kind.PASS: Pass,
        Kind.REMASK: Remask,
        Kind.OPEN: Open,
        Kind.PLAY: Play,
        Kind.CLAIM: Claim,
        Kind.WIDOW: Widow,
        Kind.CHOICE: Choice,
        Kind.REVEAL: Reveal,
        Kind.LOST: Lost,
        Kind.ACK: Ack,
        Kind.VOTE: Vote,
        Kind.CONFIRM: Confirm,
    }
)
"""The body each kind of content carries."""


class RoundReport(Struct, frozen=True, forbid_unknown_fields=True):
    """What a peer holds of one round that is not certified yet."""

    round: Counter
    speeches: Annotated[list[Annotated[bytes, Meta(max_length=HASH_BYTES)]], Meta(max_length=11)]
    """Content hash by seat, empty where it holds none."""
    acks: Annotated[list[Annotated[bytes, Meta(max_length=HASH_BYTES)]], Meta(max_length=11)]
    """Likewise. Hashes, not marks: two peers that hold different acks of one seat find out."""
    ballots: Annotated[list[Hash], Meta(max_length=128)]
    """Hashes of the votes and confirms, and of second contents of one speech."""


class Beat(Struct, frozen=True, forbid_unknown_fields=True):
    """Heartbeat: where I am and what I hold, so that others can send what I miss.

    Unsigned and never logged; the link says which seat it comes from, and nothing is decided by
    it but what to send again.
    """

    table: Hash
    """The roster's hash."""
    hand: Counter
    attempt: Counter
    round: Counter
    """First round I have no certificate of."""
    open: Annotated[list[RoundReport], Meta(max_length=16)]
    fault: Annotated[bytes, Meta(max_length=HASH_BYTES)]
    """Digest of the evidence of a fault I know of, or empty."""
    finished: bool
    """I hold the certificate of the match's last round."""
    recall: Counter
    """Not 0: I was started again. Send me what you hold of mine; I say nothing before."""
    recalled: Annotated[list[Counter], Meta(max_length=MAX_SEATS)]
    """By place: the ``recall`` of each peer that I have answered completely."""


class Frame(Struct, frozen=True, forbid_unknown_fields=True):
    """What one link message carries: contents (new or repeated), and perhaps a beat."""

    table: Hash
    """The roster's hash: frames of other tables are dropped unread."""
    envelopes: Annotated[list[Annotated[bytes, Meta(max_length=96 * 1024)]], Meta(max_length=512)]
    beat: Beat | None


class Ahead(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of the next hand's deal, shown while a hand is played (protocol/SPEC.md section 4.9).

    Unsigned and no content: nothing is decided by it, and nobody passes it on.
    """

    table: Hash
    """The roster's hash."""
    hand: Annotated[int, Meta(ge=1, lt=2**31)]
    round: Counter
    body: Annotated[bytes, Meta(max_length=24 * 1024)]
    """Of a ``key`` or a ``shuffle``, as its seat would say it in this round of attempt 1."""
