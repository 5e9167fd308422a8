"""Escrow: a seat's key, split and sealed to the others, and the opening of its hand without it.

Implements protocol/SPEC.md section 7.3. Seat P splits its key over the other present seats j:

    x_P = Σ y_j          Y_j = y_j·G, public, ΣY_j = X_P
    E_j = e_j·G          c_j = y_j + H(e_j·T_j, place)  mod ℓ       the seal, under j's table key
    relation   E_j = e·G                                             one proof a seal
    bound      context (table, rules, hand, attempt, round, P), j, T_j, Y_j, c_j

Without the proof a seat could send the E of somebody else's seal as its own, complain about by j,
and be answered with the very point that opens it. So a seal is used only once its proof held:
``check_escrow`` makes the only ``Escrow`` there is, and every function here that answers a seal
takes one. j opens with t_j·E_j; where y_j·G is not Y_j it shows t_j·E_j and proves it right:

    relation   T_j = t·G,   D = t·E_j                                complaint
    bound      context of the complaint, P, c_j, Y_j

and everybody sees for themselves who lied. The nonce of a complaint comes from the secret of the
table key, not from the hand secret, which is shown after the hand and would take t along.

When P is away, each j gives y_j·a for exactly the ciphertexts that everybody sees as P's unopened
ones, with one batched equality proof against Y_j; nobody ever gives y_j itself, which would open
P's hand as it was before the pass.

    relation   Y_j = y·G,   Σ w_i·D_i = y·Σ w_i·a_i                  opening
    bound      context, P, all pairs (a_i, D_i); the weights are drawn after all of these

The round in the context tells one splitting of a key from the next: shares are derived from the
hand secret, the round and the recipients with their keys.

Never: answers a seal whose proof fails; returns a share that does not match its Y.
Errors: `Flaw` for bytes from outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha512
from typing import Final

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret, hash_inputs
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto import sigma
from p2p_hearts.crypto.elgamal import Deck
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import (
    ELEMENT_BYTES,
    ORDER,
    SCALAR_BYTES,
    DecodeError,
    Element,
    base_mul,
    decode_element,
    decode_elements,
    decode_scalar,
    encode_elements,
    encode_scalar,
    scalar_from_hash,
    sum_elements,
)
from p2p_hearts.crypto.transcript import Context, Transcript

SEAL_BYTES: Final = ELEMENT_BYTES + SCALAR_BYTES + 2 * SCALAR_BYTES
"""E, c and the proof of knowledge."""

_SEAL = b"seal"
_COMPLAINT = b"complaint"
_OPENING = b"opening"

TableKeys = Mapping[int, Element]
"""T by seat: the recipients of an escrow. Everybody knows them from the roster."""


@dataclass(frozen=True, slots=True)
class Seal:
    """One share, sealed: E and c. Its proof held."""

    point: Element
    masked: int


@dataclass(frozen=True, slots=True, eq=False)
class Escrow:
    """A seat's key as it was split, checked; by recipient."""

    context: Context
    """Where it was said; its seat is the owner."""
    keys: TableKeys
    publics: Mapping[int, Element]
    seals: Mapping[int, Seal]


def make_escrow(secret: HandSecret, context: Context, keys: TableKeys) -> tuple[bytes, bytes]:
    """Return (publics, seals) for the recipients in seat order: 32 and 128 bytes each.

    `ValueError` without recipients, or with the owner among them.
    """
    secret.require(context)
    _require_others(context, keys)
    seats, depends = sorted(keys), hash_inputs(*_recipients(keys))
    drawn = secret.scalars(len(seats) - 1, context.round, b"escrow share", depends)
    shares = [*drawn, (secret.x() - sum(drawn)) % ORDER]
    publics = [base_mul(share) for share in shares]
    bound = hash_inputs(*_recipients(keys), encode_elements(publics))
    factors = secret.scalars(len(seats), context.round, b"seal factor", bound)
    seals = []
    for seat, share, public, factor in zip(seats, shares, publics, factors, strict=True):
        point = base_mul(factor)
        masked = (share + _mask(context, seat, keys[seat], point, factor * keys[seat])) % ORDER
        proof = sigma.prove(
            _seal_transcript(context, seat, keys[seat], public, masked),
            sigma.knowledge(point),
            [factor],
            secret.nonce_source(context.round, _SEAL),
        )
        seals.append(point.data + encode_scalar(masked) + proof)
    return encode_elements(publics), b"".join(seals)


def check_escrow(
    context: Context, public: Element, keys: TableKeys, publics: bytes, seals: bytes
) -> Escrow | Flaw:
    """Return the escrow, or MALFORMED, ESCROW_SUM (ΣY is not X) or SEAL_PROOF.

    `public` is the owner's key share; the recipients are the verifier's own knowledge.
    """
    _require_others(context, keys)
    seats = sorted(keys)
    try:
        # V69
        shares = dict(zip(seats, decode_elements(publics, len(seats)), strict=True))
        if len(seals) != SEAL_BYTES * len(seats):
            return Flaw.MALFORMED
        parts = {
            seat: seals[at * SEAL_BYTES : (at + 1) * SEAL_BYTES] for at, seat in enumerate(seats)
        }
        opened = {seat: _decode_seal(part) for seat, part in parts.items()}
    except DecodeError:
        return Flaw.MALFORMED
    if sum_elements(shares.values()) != public:
        return Flaw.ESCROW_SUM  # V70
    for seat, (seal, proof) in opened.items():
        transcript = _seal_transcript(context, seat, keys[seat], shares[seat], seal.masked)
        if not sigma.verify(transcript, sigma.knowledge(seal.point), proof):
            return Flaw.SEAL_PROOF  # V71
    return Escrow(context, dict(keys), shares, {seat: seal for seat, (seal, _) in opened.items()})


def open_seal(key: TableKey, escrow: Escrow, seat: int) -> int | None:
    """Return y of recipient `seat`, whose table key this is; `None` if the seal holds no such y."""
    seal = escrow.seals[seat]
    return _open(escrow, seat, key.scalar() * seal.point)


def make_complaint(key: TableKey, context: Context, escrow: Escrow) -> tuple[bytes, bytes]:
    """Return (D, proof), 32 and 64 bytes: seat `context.seat` shows what its seal opens to.

    Only for a seal that `open_seal` refused: D opens the share to everybody.
    """
    seat = context.seat
    point = escrow.seals[seat].point
    image = key.scalar() * point
    proof = sigma.prove(
        _complaint_transcript(context, escrow),
        sigma.equality(escrow.keys[seat], point, image),
        [key.scalar()],
        key.nonce_source(_COMPLAINT),
    )
    return image.data, proof


def check_complaint(context: Context, escrow: Escrow, point: bytes, proof: bytes) -> Flaw | None:
    """Return `None` if the complaint is right, so that the owner of the escrow sealed a wrong y.

    Else what is wrong with the complaint: MALFORMED, COMPLAINT_PROOF (D is not proven to be
    t·E), COMPLAINT_FALSE (the seal is good).
    """
    seat = context.seat
    if seat not in escrow.seals:
        return Flaw.MALFORMED
    try:
        image = decode_element(point)  # V73
    except DecodeError:
        return Flaw.MALFORMED
    relation = sigma.equality(escrow.keys[seat], escrow.seals[seat].point, image)
    if not sigma.verify(_complaint_transcript(context, escrow), relation, proof):
        return Flaw.COMPLAINT_PROOF  # V74
    return None if _open(escrow, seat, image) is None else Flaw.COMPLAINT_FALSE  # V75


def make_opening(
    secret: HandSecret, context: Context, owner: int, share: int, cards: Deck
) -> tuple[bytes, bytes]:
    """Return (points, proof): y·a for each of `cards`, 32 bytes each; 64 bytes.

    `share` is this seat's y of the absent `owner`, `cards` are the owner's unopened ones.
    """
    secret.require(context)
    points, proof = sigma.prove_batch(
        _opening_transcript(context, owner),
        share,
        [card.a for card in cards],
        secret.nonce_source(context.round, _OPENING),
    )
    return encode_elements(points), proof


def check_opening(
    context: Context, owner: int, public: Element, cards: Deck, points: bytes, proof: bytes
) -> tuple[Element, ...] | Flaw:
    """Return the points in the order of `cards`, or MALFORMED or OPENING_PROOF.

    `public` is Y of the seat that speaks, from the owner's escrow. Which cards are opened is the
    verifier's own knowledge: those that lie in the owner's hand now and were not played. With the
    points of *all* recipients the cards are read by `deal.read_open`.
    """
    try:
        opened = decode_elements(points, len(cards))  # V81
    except DecodeError:
        return Flaw.MALFORMED
    transcript, bases = _opening_transcript(context, owner), [card.a for card in cards]
    is_proven = sigma.verify_batch(transcript, public, bases, opened, proof)
    return opened if is_proven else Flaw.OPENING_PROOF  # V82


def _require_others(context: Context, keys: TableKeys) -> None:
    if not keys or context.seat in keys:
        raise ValueError("a key is split among the other seats")


def _recipients(keys: TableKeys) -> tuple[bytes, ...]:
    return tuple(seat.to_bytes(4, "big") + keys[seat].data for seat in sorted(keys))


def _decode_seal(data: bytes) -> tuple[Seal, bytes]:
    point = decode_element(data[:ELEMENT_BYTES])
    masked = decode_scalar(data[ELEMENT_BYTES : ELEMENT_BYTES + SCALAR_BYTES])
    return Seal(point, masked), data[ELEMENT_BYTES + SCALAR_BYTES :]


def _open(escrow: Escrow, seat: int, image: Element) -> int | None:
    seal = escrow.seals[seat]
    mask = _mask(escrow.context, seat, escrow.keys[seat], seal.point, image)
    share = (seal.masked - mask) % ORDER
    return share if base_mul(share) == escrow.publics[seat] else None


def _mask(context: Context, seat: int, key: Element, point: Element, image: Element) -> int:
    """H(t·E, place): the scalar that hides a share."""
    parts = (context.encode(), seat.to_bytes(4, "big"), key.data, point.data, image.data)
    return scalar_from_hash(sha512(frame(b"p2p-hearts seal", *parts)).digest())


def _seal_transcript(
    context: Context, seat: int, key: Element, public: Element, masked: int
) -> Transcript:
    transcript = Transcript(context, _SEAL)
    transcript.absorb(b"recipient", seat.to_bytes(4, "big"), key.data)
    transcript.absorb(b"share", public.data, encode_scalar(masked))
    return transcript


def _complaint_transcript(context: Context, escrow: Escrow) -> Transcript:
    seat = context.seat
    transcript = Transcript(context, _COMPLAINT)
    transcript.absorb(b"escrow", escrow.context.encode())
    transcript.absorb(b"seal", escrow.publics[seat].data, encode_scalar(escrow.seals[seat].masked))
    return transcript


def _opening_transcript(context: Context, owner: int) -> Transcript:
    transcript = Transcript(context, _OPENING)
    transcript.absorb(b"owner", owner.to_bytes(4, "big"))
    return transcript
