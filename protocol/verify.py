#!/usr/bin/env python3
"""A second reader of p2p-hearts: verifies logs and test vectors from SPEC.md alone.

    python3 protocol/verify.py LOG...       the verdict on logs, table by table (section 9)
    python3 protocol/verify.py --vectors    checks every file of vectors/ (appendix B)

Exit codes as for `p2p-hearts audit`: 0 clean, 1 fault, 2 unreadable or disagreeing, 3 incomplete.
With --vectors: 0 if all hold, 1 if not.

One file, the standard library of Python 3.11, and not a line of the program that it checks:
integers for the group, an own reader of MessagePack, an own check of Ed25519. It is made to be read
beside SPEC.md, from which every section and check number here comes; where it and the program
disagree, one of the three is wrong. It is slow, and its arithmetic is not constant-time: it proves
with test secrets and with secrets that a log has revealed, never with living ones.

What SPEC.md calls an element is its 32 bytes here, and a ciphertext is 64 bytes; points are
integers inside the arithmetic only. A check returns its flaw, or "" if it holds.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import mmap
import sys
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from itertools import islice, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec

Value = dict[str, Any]
Asked = ParamSpec("Asked")
HERE = Path(__file__).resolve().parent
REMEMBERED = 1 << 16
"""So many results of each pure function are kept: several logs of one table share their proofs."""


class Refused(Exception):  # noqa: N818 - an answer, no error
    """A check does not hold; the text is its flaw, rule or verdict."""


def or_malformed(check: Callable[Asked, str]) -> Callable[Asked, str]:
    """Let a check say so of bytes that do not decode as what it reads them as."""

    @wraps(check)
    def checked(*given: Asked.args, **named: Asked.kwargs) -> str:
        try:
            return check(*given, **named)
        except Refused:
            return "malformed"

    return checked


# 2.1 Bytes.


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def frame(*parts: bytes) -> bytes:
    return u32(len(parts)) + b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def digest(domain: str, *parts: bytes) -> bytes:
    data = frame(b"p2p-hearts 1", domain.encode(), *parts)
    return hashlib.blake2b(data, digest_size=32).digest()


# 2.2 Group: edwards25519 in extended coordinates (RFC 8032), RFC 9496 around it.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
D2 = 2 * D % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
NONE = bytes(32)

Point = tuple[int, int, int, int]
ZERO: Point = (0, 1, 1, 0)
WIDTH = 5
"""Bits of a digit in sums of products."""


def plus(p: Point, q: Point) -> Point:
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = D2 * t1 % P * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def twice(p: Point) -> Point:
    x, y, z, _ = p
    a, b = x * x % P, y * y % P
    h, g = a + b, a - b
    e, f = h - (x + y) * (x + y) % P, 2 * z * z % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def minus(p: Point) -> Point:
    return -p[0] % P, p[1], p[2], -p[3] % P


@lru_cache(maxsize=256)
def comb(p: Point) -> list[list[Point]]:
    """The multiples 0 … 15 of p, of 16·p, of 256·p, and so on, for bases that are used often."""
    rows = []
    for _ in range(64):
        row = [ZERO]
        for _ in range(15):
            row.append(plus(row[-1], p))
        rows.append(row)
        p = plus(row[-1], p)
    return rows


def times(number: int, p: Point) -> Point:
    """The product with a base that is used often."""
    total, number = ZERO, number % ORDER
    for row in comb(p):
        if number & 15:
            total = plus(total, row[number & 15])
        number >>= 4
    return total


def dot(pairs: Sequence[tuple[int, Point]]) -> Point:
    """The sum of all products: signed digits, and one doubling a bit for all of them."""
    adds: list[list[Point]] = [[] for _ in range(ORDER.bit_length() + WIDTH)]
    for number, p in pairs:
        odd, double = [p], twice(p)
        for _ in range(2 ** (WIDTH - 2) - 1):
            odd.append(plus(odd[-1], double))
        number, at = number % ORDER, 0
        while number:
            zeros = (number & -number).bit_length() - 1
            number, at = number >> zeros, at + zeros
            digit = number & (2**WIDTH - 1)
            if digit < 2 ** (WIDTH - 1):
                adds[at].append(odd[digit >> 1])
            else:
                digit -= 2**WIDTH
                adds[at].append(minus(odd[-digit >> 1]))
            number -= digit
    total = ZERO
    for points in reversed(adds):
        total = twice(total)
        for p in points:
            total = plus(total, p)
    return total


def total_of(points: Sequence[Point]) -> Point:
    total = ZERO
    for p in points:
        total = plus(total, p)
    return total


def same(p: Point, q: Point) -> bool:
    """Whether two points are one element (RFC 9496 section 4.3.3)."""
    return (p[0] * q[1] - p[1] * q[0]) % P == 0 or (p[1] * q[1] - p[0] * q[0]) % P == 0


def negative(x: int) -> bool:
    return bool(x % P & 1)


def magnitude(x: int) -> int:
    return -x % P if negative(x) else x % P


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    u %= P
    right, flipped, flipped_i = check == u, check == -u % P, check == -u * SQRT_M1 % P
    if flipped or flipped_i:
        r = r * SQRT_M1 % P
    return right or flipped, magnitude(r)


@lru_cache(maxsize=REMEMBERED)
def point(data: bytes) -> Point:
    """V1 and V2; the identity is refused by `element`, where it must be."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or negative(s):
        raise Refused("malformed")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = sqrt_ratio(1, v * u2 * u2)
    den_x = inverse * u2 % P
    x, y = magnitude(2 * s * den_x), u1 * inverse * den_x * v % P
    t = x * y % P
    if not square or negative(t) or y == 0:
        raise Refused("malformed")
    return x, y, 1, t


def element(data: bytes) -> Point:
    """V1 to V3."""
    if data == NONE:
        raise Refused("malformed")
    return point(data)


def encoded(p: Point) -> bytes:
    x, y, z, t = p
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, inverse = sqrt_ratio(1, u1 * u2 * u2)
    den1, den2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = den1 * den2 * t % P
    den = den2
    if negative(t * z_inverse):
        x, y, den = y * SQRT_M1 % P, x * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    if negative(x * z_inverse):
        y = -y % P
    return magnitude(den * (z - y)).to_bytes(32, "little")


def all_encoded(points: Sequence[Point]) -> bytes:
    return b"".join(map(encoded, points))


def mapped(data: bytes) -> Point:
    t = int.from_bytes(data, "little") % 2**255
    r = SQRT_M1 * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    s, c = (s, -1) if square else (-magnitude(s * t) % P, r)
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def scalar(data: bytes) -> int:
    """V4 and V5."""
    number = int.from_bytes(data, "little")
    if len(data) != 32 or number >= ORDER:
        raise Refused("malformed")
    return number


def scalar_bytes(number: int) -> bytes:
    return (number % ORDER).to_bytes(32, "little")


def reduced(data: bytes) -> int:
    return int.from_bytes(data, "little") % ORDER


def pieces(data: bytes, count: int, size: int = 32) -> list[bytes]:
    """V6: a list of exactly this length."""
    if len(data) != size * count:
        raise Refused("malformed")
    return [data[at : at + size] for at in range(0, len(data), size)]


def elements(data: bytes, count: int) -> list[Point]:
    return [element(piece) for piece in pieces(data, count)]


def deck_points(deck: bytes) -> list[tuple[Point, Point]]:
    """The components of ciphertexts, 64 bytes each."""
    points = elements(deck, len(deck) // 64 * 2)
    return list(zip(points[::2], points[1::2], strict=True))


G = point(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))
G_BYTES = encoded(G)


def base_product(number: int) -> bytes:
    return encoded(times(number, G))


# 2.3 and 2.4 Generators, cards.


@lru_cache(maxsize=256)
def generator(label: bytes) -> Point:
    data = hashlib.sha512(frame(b"p2p-hearts generator", label)).digest()
    return plus(mapped(data[:32]), mapped(data[32:]))


@lru_cache(maxsize=256)
def shuffle_generators(count: int) -> tuple[list[Point], bytes]:
    h = [generator(frame(b"shuffle h", u32(i))) for i in range(1, count + 1)]
    return h, all_encoded(h)


CLASS_NAMES = (b"opening", b"clubs", b"diamonds", b"spades", b"queen", b"hearts")
ALL_CLASSES = 0b111111
H = generator(b"shuffle H")
R = generator(frame(b"rank"))
S = [generator(frame(b"class", name)) for name in CLASS_NAMES]
QUEEN, JACK = 36, 22


def suit(face: int) -> int:
    return face // 13


def rank(face: int) -> int:
    return face % 13 + 2


class Rules:
    """A rule set (5.1), and what follows from it."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        self.seats: int = options["seats"]
        self.packs: int = options["packs"]
        removed = {3: [0], 5: [0, 13], 6: [0, 13, 1, 26]}.get(self.seats, [])
        out = removed if self.packs == 1 else []
        self.pack = [face for face in range(52) if face not in out for _ in range(self.packs)]
        self.hand_size: int = len(self.pack) // self.seats
        self.widow_size: int = len(self.pack) % self.seats
        self.opening = min(self.pack) if options["opening"] == "lowest-club" else None
        hearts = set(range(39, 52))
        queen = {QUEEN}
        self.penalties = hearts | (queen if options["queen_points"] else set())
        self.breaking = hearts | (queen if options["queen_breaks"] else set())
        self.waiting = (hearts if options["hearts_break"] else set()) | (
            queen if options["queen_waits"] else set()
        )
        self.samples = {self.class_of(face): face for face in reversed(self.pack)}
        self.hash = hash_rules(options)
        self.points = {face: card_point(self, face) for face in set(self.pack)}
        self.faces = {encoded(p): face for face, p in self.points.items()}

    def __getitem__(self, name: str) -> Any:
        return self.options[name]

    def class_of(self, face: int) -> int:
        if face == self.opening:
            return 0
        return 4 if face == QUEEN else (1, 2, 3, 5)[suit(face)]

    def value(self, face: int) -> int:
        """What a card costs its taker."""
        if suit(face) == 3:
            return rank(face) if self["heart_points"] == "face" else 1
        values: dict[int, int] = {QUEEN: self["queen_points"], JACK: self["jack_points"]}
        return values.get(face, 0)


@lru_cache(maxsize=64)
def rules_named(text: str) -> Rules:
    return Rules(json.loads(text))


def rules_of(options: Mapping[str, Any]) -> Rules:
    return rules_named(json.dumps(options, sort_keys=True))


def card_point(rules: Rules, face: int) -> Point:
    return plus(times(rank(face), R), S[rules.class_of(face)])


# 2.5 Transcript.


class Place(NamedTuple):
    """Where a content stands, and with it every proof in it."""

    table: bytes
    rules: bytes
    hand: int
    attempt: int
    round: int
    seat: int

    def context(self) -> bytes:
        numbers = [1, self.hand, self.attempt, self.round, self.seat]
        return frame(b"p2p-hearts context", self.table, self.rules, *map(u32, numbers))


class Transcript:
    def __init__(self, place: Place, label: str) -> None:
        self.data = frame(b"transcript", label.encode(), place.context())

    def absorb(self, label: str, *parts: bytes) -> None:
        self.data += frame(b"absorb", label.encode(), *parts)

    def challenge(self, label: str) -> int:
        self.data += frame(b"challenge", label.encode())
        return reduced(hashlib.sha512(self.data).digest())

    def challenges(self, label: str, count: int) -> list[int]:
        self.data += frame(b"challenges", label.encode(), u32(count))
        seed = hashlib.sha512(self.data).digest()
        return [
            reduced(hashlib.sha512(frame(b"p2p-hearts expand", seed, u32(i))).digest())
            for i in range(count)
        ]

    def digest(self) -> bytes:
        return hashlib.sha512(self.data + frame(b"digest")).digest()


# 2.6 Proofs of linear relations.

Equation = tuple[Point, list[tuple[int, Point]]]
Statement = tuple[Transcript, list[Equation]]
Nonce = Callable[[bytes, int], int]


def prove(stated: Statement, secrets: Sequence[int], nonce: Nonce) -> bytes:
    transcript, equations = stated
    absorb_relation(transcript, len(secrets), equations)
    seen = transcript.digest()
    k = [nonce(seen, index) for index in range(len(secrets))]
    transcript.absorb(
        "commitments",
        all_encoded([dot([(k[i], base) for i, base in terms]) for _, terms in equations]),
    )
    c = transcript.challenge("challenge")
    z = [nonce_ + c * secret for nonce_, secret in zip(k, secrets, strict=True)]
    return b"".join(map(scalar_bytes, [c, *z]))


def holds(stated: Statement, secrets: int, proof: bytes) -> bool:
    """V7 and V8."""
    transcript, equations = stated
    try:
        c, *z = [scalar(piece) for piece in pieces(proof, 1 + secrets)]
    except Refused:
        return False
    absorb_relation(transcript, secrets, equations)
    commitments = [
        dot([*((z[i], base) for i, base in terms), (-c, image)]) for image, terms in equations
    ]
    transcript.absorb("commitments", all_encoded(commitments))
    return transcript.challenge("challenge") == c


def absorb_relation(transcript: Transcript, secrets: int, equations: list[Equation]) -> None:
    parts = [
        encoded(image) + b"".join(u32(i) + encoded(base) for i, base in terms)
        for image, terms in equations
    ]
    transcript.absorb("relation", u32(secrets), *parts)


def folded(
    transcript: Transcript, public: Point, bases: list[Point], images: list[Point]
) -> list[Equation]:
    """Batched equality: all pairs as one, on a copy of the transcript."""
    copy = Transcript(Place(b"", b"", 0, 0, 0, 0), "")
    copy.data = transcript.data
    copy.absorb("batch", encoded(public), all_encoded(bases), all_encoded(images))
    v = copy.challenges("weights", len(bases))
    base, image = dot(list(zip(v, bases, strict=True))), dot(list(zip(v, images, strict=True)))
    return [(public, [(0, G)]), (image, [(0, base)])]


# 3 One secret a hand.


class Own(NamedTuple):
    """A hand secret z, and the place of the content that something is derived for."""

    z: bytes
    place: Place

    def commitment(self) -> bytes:
        data = frame(*self._of_hand(), self.z)
        return hashlib.blake2b(data, digest_size=32, person=b"p2p-hearts hand").digest()

    def _of_hand(self) -> list[bytes]:
        table, _, hand, attempt, _, seat = self.place
        return [table, u32(1), u32(hand), u32(attempt), u32(seat)]

    def derive(self, round_: int, label: str, index: int, depends: bytes) -> bytes:
        parts = [u32(round_), label.encode(), index.to_bytes(8, "big"), depends]
        data = frame(*self._of_hand(), *parts)
        return hashlib.blake2b(data, digest_size=64, key=self.z, person=b"p2p-hearts kdf").digest()

    def scalars(self, label: str, count: int, depends: bytes) -> list[int]:
        return [reduced(self.derive(self.place.round, label, i, depends)) for i in range(count)]

    def x(self) -> int:
        return reduced(self.derive(0, "x", 0, b""))

    def nonce(self, label: str) -> Nonce:
        return lambda seen, index: reduced(
            self.derive(self.place.round, f"nonce {label}", index, seen)
        )

    def permutation(self, count: int, label: str, depends: bytes) -> list[int]:
        words: list[int] = []
        block = 0
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            while True:
                if not words:
                    data = self.derive(self.place.round, label, block, depends)
                    words = [int.from_bytes(data[i : i + 4], "big") for i in range(0, 64, 4)]
                    block += 1
                word = words.pop(0)
                if word < 2**32 // (last + 1) * (last + 1):
                    break
            j = word % (last + 1)
            order[last], order[j] = order[j], order[last]
        return order


def inputs(*parts: bytes) -> bytes:
    return hashlib.blake2b(frame(b"inputs", *parts), digest_size=32).digest()


# 4 The key.


def key_statement(place: Place, commitment: bytes, public: bytes) -> Statement:
    transcript = Transcript(place, "key")
    transcript.absorb("commitment", commitment)
    return transcript, [(element(public), [(0, G)])]


@lru_cache(maxsize=REMEMBERED)
def make_key(own: Own) -> tuple[bytes, ...]:
    commitment, public = own.commitment(), base_product(own.x())
    stated = key_statement(own.place, commitment, public)
    return commitment, public, prove(stated, [own.x()], own.nonce("key"))


@lru_cache(maxsize=REMEMBERED)
@or_malformed
def check_key(place: Place, commitment: bytes, public: bytes, proof: bytes) -> str:
    """V9 and V10."""
    stated = key_statement(place, commitment, public)
    if len(commitment) != 32:
        return "malformed"
    return "" if holds(stated, 1, proof) else "key-proof"


def joint_key(publics: Sequence[bytes]) -> bytes:
    """V11."""
    total = encoded(total_of([element(public) for public in publics]))
    if total == NONE:
        raise Refused("joint-key")
    return total


# 4.1 and 4.2 First deck, shuffle.


@lru_cache(maxsize=REMEMBERED)
def first_deck(rules: Rules, joint: bytes) -> bytes:
    key = point(joint)
    known = {face: encoded(plus(p, key)) for face, p in rules.points.items()}
    return b"".join(G_BYTES + known[face] for face in rules.pack)


@lru_cache(maxsize=REMEMBERED)
def make_mix(own: Own, label: str, key: bytes, before: bytes) -> tuple[bytes, ...]:
    """A shuffle or a re-mask and its proof; names as in 4.2, counted from 0."""
    cards, public = deck_points(before), element(key)
    n = len(cards)
    depends = inputs(before, key)
    pi = own.permutation(n, f"{label} permutation", depends)
    s = own.scalars(f"{label} factor", n, depends)
    after = [
        (plus(cards[j][0], times(s_i, G)), plus(cards[j][1], times(s_i, public)))
        for j, s_i in zip(pi, s, strict=True)
    ]
    deck = all_encoded([p for pair in after for p in pair])
    h, h_bytes = shuffle_generators(n)
    transcript, nonce = Transcript(own.place, label), own.nonce(label)
    transcript.absorb("shuffle", u32(n), encoded(H), h_bytes, key, before, deck)
    seen = transcript.digest()
    r = [nonce(seen, j) for j in range(n)]
    c = [plus(times(r[j], G), h[pi.index(j)]) for j in range(n)]
    c_bytes = all_encoded(c)
    transcript.absorb("permutation", c_bytes)
    u = transcript.challenges("u", n)
    u_out = [u[j] for j in pi]
    seen = transcript.digest()
    r_hat = [nonce(seen, i) for i in range(n)]
    in_g, in_h = [0], [1]  # ĉ_i = in_g·G + in_h·H
    for r_i, u_i in zip(r_hat, u_out, strict=True):
        in_g.append((r_i + u_i * in_g[-1]) % ORDER)
        in_h.append(u_i * in_h[-1] % ORDER)
    chain = [plus(times(g, G), times(k, H)) for g, k in zip(in_g, in_h, strict=True)]
    chain_bytes = all_encoded(chain[1:])
    transcript.absorb("chain", chain_bytes)
    seen = transcript.digest()
    w = [nonce(seen, i) for i in range(4 + 2 * n)]
    w_hat, w_out = w[4 : 4 + n], w[4 + n :]
    t = [
        times(w[0], G),
        times(w[1], G),
        dot([(w[2], G), *zip(w_out, h, strict=True)]),
        dot([(-w[3], G), *zip(w_out, [pair[0] for pair in after], strict=True)]),
        dot([(-w[3], public), *zip(w_out, [pair[1] for pair in after], strict=True)]),
    ]
    t += [
        plus(times(w_hat[i] + w_out[i] * in_g[i], G), times(w_out[i] * in_h[i], H))
        for i in range(n)
    ]
    t_bytes = all_encoded(t)
    transcript.absorb("commitments", t_bytes)
    y = transcript.challenge("challenge")
    u_r = sum(left * right for left, right in zip(u, r, strict=True))
    u_s = sum(left * right for left, right in zip(u_out, s, strict=True))
    secrets = [sum(r), in_g[n], u_r, u_s, *r_hat, *u_out]
    z = [nonce_ + y * each for nonce_, each in zip(w, secrets, strict=True)]
    return deck, c_bytes + chain_bytes + t_bytes + b"".join(map(scalar_bytes, z))


@lru_cache(maxsize=REMEMBERED)
def check_mix(
    place: Place, label: str, key: bytes, before: bytes, deck: bytes, proof: bytes
) -> str:
    """V12 to V18: "malformed", or the equation that fails."""
    cards, n = deck_points(before), len(before) // 64
    try:
        after = list(zip(*[iter(elements(deck, 2 * n))] * 2, strict=True))
    except Refused:
        return "malformed"
    try:
        parts = pieces(proof, 5 * n + 9)
        points = [element(part) for part in parts[: 3 * n + 5]]
        z = [scalar(part) for part in parts[3 * n + 5 :]]
    except Refused:
        return "MALFORMED"
    c, chain, t_chain = points[:n], [H, *points[n : 2 * n]], points[2 * n + 5 :]
    t1, t2, t3, t4a, t4b = points[2 * n : 2 * n + 5]
    z1, z2, z3, z4 = z[:4]
    z_chain, z_out = z[4 : 4 + n], z[4 + n :]
    h, h_bytes = shuffle_generators(n)
    transcript = Transcript(place, label)
    transcript.absorb("shuffle", u32(n), encoded(H), h_bytes, key, before, deck)
    transcript.absorb("permutation", b"".join(parts[:n]))
    u = transcript.challenges("u", n)
    transcript.absorb("chain", b"".join(parts[n : 2 * n]))
    transcript.absorb("commitments", b"".join(parts[2 * n : 3 * n + 5]))
    y = transcript.challenge("challenge")
    product = 1
    for u_j in u:
        product = product * u_j % ORDER
    yu = [y * u_j for u_j in u]
    # Each equation as a sum that must be nothing.
    sums = {
        "SUM": [(z1, G), (-1, t1), *((-y, c_j) for c_j in c), *((y, h_i) for h_i in h)],
        "PRODUCT": [(z2, G), (-1, t2), (-y, chain[n]), (y * product, H)],
        "COMMITMENT": [(z3, G), (-1, t3), *zip(z_out, h, strict=True), *negated(yu, c)],
    }
    for part, base, t4 in ((0, G, t4a), (1, element(key), t4b)):
        new = zip(z_out, [pair[part] for pair in after], strict=True)
        old = negated(yu, [pair[part] for pair in cards])
        sums[f"RE_ENCRYPT{part}"] = [(-z4, base), (-1, t4), *new, *old]
    for i in range(n):
        link = [(z_chain[i], G), (z_out[i], chain[i]), (-1, t_chain[i]), (-y, chain[i + 1])]
        sums[f"CHAIN{i}"] = link
    # All at once, with weights that depend on the whole proof (4.2).
    transcript.absorb("responses", b"".join(parts[3 * n + 5 :]))
    weights = transcript.challenges("weights", len(sums))
    whole: dict[Point, int] = {}
    for weight, terms in zip(weights, sums.values(), strict=True):
        for number, p in terms:
            whole[p] = (whole.get(p, 0) + weight * number) % ORDER
    if same(dot([(number, p) for p, number in whole.items()]), ZERO):
        return ""
    broken = [name for name, terms in sums.items() if not same(dot(terms), ZERO)]
    return broken[0].rstrip("0123456789")


def negated(numbers: Sequence[int], points: Sequence[Point]) -> list[tuple[int, Point]]:
    return [(-number, p) for number, p in zip(numbers, points, strict=True)]


# 4.3 Shares and hands.


def dealt(rules: Rules, dealer: int) -> tuple[list[list[int]], list[int]]:
    """Deck positions of every hand, and of the widow."""
    given = rules.seats * rules.hand_size
    hands: list[list[int]] = [[] for _ in range(rules.seats)]
    for j in range(given):
        hands[(dealer + 1 + j) % rules.seats].append(j)
    return hands, list(range(given, len(rules.pack)))


def shares_statement(
    place: Place, public: bytes, deck: bytes, positions: Sequence[int], shares: bytes
) -> Statement:
    images = elements(shares, len(positions))
    bases = [element(deck[64 * at : 64 * at + 32]) for at in positions]
    transcript = Transcript(place, "shares")
    transcript.absorb("positions", *map(u32, positions))
    return transcript, folded(transcript, element(public), bases, images)


@lru_cache(maxsize=REMEMBERED)
def make_shares(own: Own, deck: bytes, positions: tuple[int, ...]) -> tuple[bytes, ...]:
    x = own.x()
    shares = all_encoded([dot([(x, element(deck[64 * at : 64 * at + 32]))]) for at in positions])
    stated = shares_statement(own.place, base_product(x), deck, positions, shares)
    return shares, prove(stated, [x], own.nonce("shares"))


@lru_cache(maxsize=REMEMBERED)
@or_malformed
def check_shares(
    place: Place,
    public: bytes,
    deck: bytes,
    positions: tuple[int, ...],
    shares: bytes,
    proof: bytes,
) -> str:
    """V19 and V20."""
    stated = shares_statement(place, public, deck, positions, shares)
    return "" if holds(stated, 1, proof) else "share-proof"


@lru_cache(maxsize=REMEMBERED)
def opened(card: bytes, masks: tuple[bytes, ...]) -> bytes:
    """A ciphertext less the shares of others: (a, b − ΣD)."""
    total = total_of([point(mask) for mask in masks])
    return card[:32] + encoded(plus(element(card[32:]), minus(total)))


# 4.4 Pass.


def check_selection(positions: Sequence[int], count: int, hand_size: int) -> str:
    """V21 and V22."""
    ascending = all(low < high for low, high in pairwise(positions))
    inside = all(0 <= position < hand_size for position in positions)
    return "" if len(positions) == count and ascending and inside else "pass-positions"


def pass_statement(
    place: Place, public: bytes, receiver: bytes, sources: bytes, cards: bytes
) -> Statement:
    transcript = Transcript(place, "pass")
    transcript.absorb("receiver", receiver)
    transcript.absorb("sources", sources)
    transcript.absorb("cards", cards)
    equations: list[Equation] = [(element(public), [(0, G)])]
    target = minus(element(receiver))
    pairs = zip(deck_points(sources), deck_points(cards), strict=True)
    for i, ((a, b), (new_a, new_b)) in enumerate(pairs, start=1):
        equations.append((new_a, [(i, G)]))
        equations.append((plus(b, minus(new_b)), [(0, a), (i, target)]))
    return transcript, equations


@lru_cache(maxsize=REMEMBERED)
def make_pass(
    own: Own, positions: tuple[int, ...], sources: bytes, receiver: bytes
) -> tuple[bytes, ...]:
    x, target, cards, factors = own.x(), element(receiver), [], []
    for position, card in zip(positions, pieces(sources, len(positions), 64), strict=True):
        a, b = card[:32], card[32:]
        (s,) = own.scalars("pass factor", 1, inputs(a, b, u32(position), receiver))
        cards += [times(s, G), plus(element(b), dot([(-x, element(a)), (s, target)]))]
        factors.append(s)
    data = all_encoded(cards)
    stated = pass_statement(own.place, base_product(x), receiver, sources, data)
    return data, prove(stated, [x, *factors], own.nonce("pass"))


@lru_cache(maxsize=REMEMBERED)
@or_malformed
def check_pass(
    place: Place, public: bytes, receiver: bytes, sources: bytes, cards: bytes, proof: bytes
) -> str:
    """V23 and V24."""
    count = len(sources) // 64
    elements(cards, 2 * count)
    stated = pass_statement(place, public, receiver, sources, cards)
    return "" if holds(stated, 1 + count, proof) else "pass-proof"


# 4.6 Opening and playing, 4.8 claiming.


def class_equation(rest: Sequence[bytes], classes: Sequence[int]) -> Equation:
    pairs = deck_points(b"".join(rest))
    a, b = total_of([pair[0] for pair in pairs]), total_of([pair[1] for pair in pairs])
    return b, [(0, a), (1, R), *((2 + i, S[c]) for i, c in enumerate(classes))]


def totals(rules: Rules, faces: Sequence[int], classes: Sequence[int]) -> list[int]:
    held = [rules.class_of(face) for face in faces]
    return [sum(map(rank, faces)), *(held.count(c) for c in classes)]


def card_equation(rules: Rules, card: bytes, face: int) -> Equation:
    b = plus(element(card[32:]), minus(rules.points[face]))
    return b, [(0, element(card[:32]))]


def due_classes(claim: int | None, rest: Sequence[bytes]) -> list[int] | None:
    """The classes of a class proof, or None where none is due."""
    if claim is None or not rest:
        return None
    return [c for c in range(6) if claim >> c & 1]


def play_statement(
    place: Place,
    public: bytes,
    rules: Rules,
    played: bytes,
    face: int,
    rest: tuple[bytes, ...],
    claim: int | None,
) -> Statement:
    classes = due_classes(claim, rest)
    transcript = Transcript(place, "play")
    transcript.absorb("card", bytes([face]))
    transcript.absorb("claim", *([] if classes is None or claim is None else [bytes([claim])]))
    transcript.absorb("played", played[:32], played[32:])
    transcript.absorb("remaining", b"".join(rest))
    equations = [(element(public), [(0, G)]), card_equation(rules, played, face)]
    if classes is not None:
        equations.append(class_equation(rest, classes))
    return transcript, equations


@lru_cache(maxsize=REMEMBERED)
def make_play(
    own: Own,
    public: bytes,
    rules: Rules,
    played: bytes,
    face: int,
    rest: tuple[bytes, ...],
    faces: tuple[int, ...],
    claim: int | None,
) -> tuple[bytes, ...]:
    classes = due_classes(claim, rest)
    stated = play_statement(own.place, public, rules, played, face, rest, claim)
    witness = [own.x()] if classes is None else [own.x(), *totals(rules, faces, classes)]
    return (prove(stated, witness, own.nonce("play")),)


@lru_cache(maxsize=REMEMBERED)
def check_play(
    place: Place,
    public: bytes,
    rules: Rules,
    played: bytes,
    face: int,
    rest: tuple[bytes, ...],
    claim: int | None,
    proof: bytes,
) -> str:
    """V32 as far as the pack goes, V33 to V37."""
    if face not in rules.points:
        return "card-unknown"
    classes = due_classes(claim, rest)
    if classes is not None and len(proof) == 64:
        return "proof-missing"
    if classes is None and len(proof) in range(96, 96 + 32 * 7, 32):
        return "proof-not-due"
    if len(proof) != (64 if classes is None else 96 + 32 * len(classes)):
        return "malformed"
    stated = play_statement(place, public, rules, played, face, rest, claim)
    if holds(stated, 1 if classes is None else 2 + len(classes), proof):
        return ""
    return "card-proof" if classes is None else "revoke"


NOT_OPENING = (1, 2, 3, 4, 5)


def no_opening_statement(place: Place, public: bytes, hand: tuple[bytes, ...]) -> Statement:
    transcript = Transcript(place, "no opening")
    transcript.absorb("remaining", b"".join(hand))
    return transcript, [(element(public), [(0, G)]), class_equation(hand, NOT_OPENING)]


@lru_cache(maxsize=REMEMBERED)
def make_no_opening(
    own: Own, public: bytes, rules: Rules, hand: tuple[bytes, ...], faces: tuple[int, ...]
) -> tuple[bytes, ...]:
    witness = [own.x(), *totals(rules, faces, NOT_OPENING)]
    return (prove(no_opening_statement(own.place, public, hand), witness, own.nonce("no opening")),)


@lru_cache(maxsize=REMEMBERED)
def check_no_opening(place: Place, public: bytes, hand: tuple[bytes, ...], proof: bytes) -> str:
    """V30."""
    return "" if holds(no_opening_statement(place, public, hand), 7, proof) else "opening-hidden"


def claim_statement(
    place: Place, public: bytes, rules: Rules, held: tuple[bytes, ...], faces: tuple[int, ...]
) -> Statement:
    transcript = Transcript(place, "claim")
    transcript.absorb("cards", bytes(faces))
    transcript.absorb("remaining", b"".join(held))
    cards = [card_equation(rules, card, face) for card, face in zip(held, faces, strict=True)]
    return transcript, [(element(public), [(0, G)]), *cards]


@lru_cache(maxsize=REMEMBERED)
def make_claim(
    own: Own, public: bytes, rules: Rules, held: tuple[bytes, ...], faces: tuple[int, ...]
) -> tuple[bytes, ...]:
    stated = claim_statement(own.place, public, rules, held, faces)
    return (prove(stated, [own.x()], own.nonce("claim")),)


@lru_cache(maxsize=REMEMBERED)
def check_claim(
    place: Place,
    public: bytes,
    rules: Rules,
    held: tuple[bytes, ...],
    faces: tuple[int, ...],
    proof: bytes,
) -> str:
    """V41 to V44."""
    if len(faces) != len(held):
        return "claim-cards"
    if any(face not in rules.points for face in faces):
        return "card-unknown"
    if len(proof) != 64:
        return "malformed"
    stated = claim_statement(place, public, rules, held, faces)
    return "" if holds(stated, 1, proof) else "card-proof"


@lru_cache(maxsize=REMEMBERED)
def decrypted(rules: Rules, x: int, card: bytes) -> int:
    """The face that a ciphertext holds under the key x."""
    message = encoded(plus(element(card[32:]), dot([(-x, element(card[:32]))])))
    if message not in rules.faces:
        raise Refused("no card")
    return rules.faces[message]


# 7.2 The table key.


def table_key_statement(key: bytes, instance: bytes, author: bytes, curve: bytes) -> Statement:
    transcript = Transcript(Place(instance, NONE, 0, 0, 0, 0), "table-key")
    transcript.absorb("owner", author, curve)
    return transcript, [(element(key), [(0, G)])]


def table_secret(secret: bytes, *parts: bytes) -> int:
    data = frame(b"p2p-hearts table key", *parts)
    return reduced(hashlib.blake2b(data, digest_size=64, key=secret).digest())


def table_nonce(secret: bytes, label: bytes) -> Nonce:
    return lambda seen, index: table_secret(secret, label, seen, bytes([index]))


def make_table_key(
    secret: bytes, instance: bytes, author: bytes, curve: bytes
) -> tuple[bytes, bytes]:
    t = table_secret(secret, b"t", instance)
    key = base_product(t)
    stated = table_key_statement(key, instance, author, curve)
    return key, prove(stated, [t], table_nonce(secret, b"nonce"))


@lru_cache(maxsize=REMEMBERED)
def check_table_key(key: bytes, proof: bytes, instance: bytes, author: bytes, curve: bytes) -> bool:
    """V68."""
    try:
        return holds(table_key_statement(key, instance, author, curve), 1, proof)
    except Refused:
        return False


# 7.3 Escrow.

Keys = tuple[tuple[int, bytes], ...]
"""The recipients of an escrow, ascending: seat and table key T."""


def seal_mask(place: Place, seat: int, key: bytes, e: bytes, image: Point) -> int:
    parts = (place.context(), u32(seat), key, e, encoded(image))
    return reduced(hashlib.sha512(frame(b"p2p-hearts seal", *parts)).digest())


def seal_statement(
    place: Place, seat: int, key: bytes, share: bytes, e: bytes, masked: bytes
) -> Statement:
    transcript = Transcript(place, "seal")
    transcript.absorb("recipient", u32(seat), key)
    transcript.absorb("share", share, masked)
    return transcript, [(element(e), [(0, G)])]


@lru_cache(maxsize=REMEMBERED)
def make_escrow(own: Own, keys: Keys) -> tuple[bytes, ...]:
    recipients = [u32(seat) + key for seat, key in keys]
    y = own.scalars("escrow share", len(keys) - 1, inputs(*recipients))
    y.append((own.x() - sum(y)) % ORDER)
    publics = b"".join(map(base_product, y))
    e = own.scalars("seal factor", len(keys), inputs(*recipients, publics))
    seals = []
    shares = pieces(publics, len(keys))
    for (seat, key), y_j, share, e_j in zip(keys, y, shares, e, strict=True):
        point_e = base_product(e_j)
        mask = seal_mask(own.place, seat, key, point_e, times(e_j, element(key)))
        masked = scalar_bytes(y_j + mask)
        stated = seal_statement(own.place, seat, key, share, point_e, masked)
        seals.append(point_e + masked + prove(stated, [e_j], own.nonce("seal")))
    return publics, b"".join(seals)


@lru_cache(maxsize=REMEMBERED)
@or_malformed
def check_escrow(place: Place, public: bytes, keys: Keys, publics: bytes, seals: bytes) -> str:
    """V69 to V71."""
    shares = elements(publics, len(keys))
    parts = pieces(seals, len(keys), 128)
    for part in parts:
        element(part[:32])
        scalar(part[32:64])
    if not same(total_of(shares), element(public)):
        return "escrow-sum"
    for (seat, key), share, part in zip(keys, pieces(publics, len(keys)), parts, strict=True):
        stated = seal_statement(place, seat, key, share, part[:32], part[32:64])
        if not holds(stated, 1, part[64:]):
            return "seal-proof"
    return ""


class Escrow(NamedTuple):
    """A seat's key as it was split, once V69 to V71 held."""

    place: Place
    keys: Keys
    publics: bytes
    seals: bytes

    def share(self, seat: int) -> bytes:
        """Y of a recipient."""
        at = [other for other, _ in self.keys].index(seat)
        return self.publics[32 * at : 32 * at + 32]

    def seal(self, seat: int) -> tuple[bytes, bytes]:
        """E and c of a recipient."""
        at = [other for other, _ in self.keys].index(seat)
        part = self.seals[128 * at : 128 * at + 128]
        return part[:32], part[32:64]

    def opens(self, seat: int, image: Point) -> int | None:
        """y, if the seal of a seat opens to it with this t·E."""
        e, masked = self.seal(seat)
        y = scalar(masked) - seal_mask(self.place, seat, dict(self.keys)[seat], e, image)
        return y % ORDER if base_product(y) == self.share(seat) else None


def complaint_statement(place: Place, escrow: Escrow, image: bytes) -> Statement:
    seat = place.seat
    e, masked = escrow.seal(seat)
    transcript = Transcript(place, "complaint")
    transcript.absorb("escrow", escrow.place.context())
    transcript.absorb("seal", escrow.share(seat), masked)
    key = element(dict(escrow.keys)[seat])
    return transcript, [(key, [(0, G)]), (element(image), [(0, element(e))])]


def make_complaint(
    secret: bytes, instance: bytes, place: Place, escrow: Escrow
) -> tuple[bytes, bytes]:
    t = table_secret(secret, b"t", instance)
    image = encoded(dot([(t, element(escrow.seal(place.seat)[0]))]))
    stated = complaint_statement(place, escrow, image)
    return image, prove(stated, [t], table_nonce(secret, b"nonce complaint"))


@lru_cache(maxsize=REMEMBERED)
@or_malformed
def check_complaint(place: Place, escrow: Escrow, image: bytes, proof: bytes) -> str:
    """V73 to V75."""
    stated = complaint_statement(place, escrow, image)
    if not holds(stated, 1, proof):
        return "complaint-proof"
    return "" if escrow.opens(place.seat, element(image)) is None else "complaint-false"


# 7.5 Openings.


def opening_statement(
    place: Place, owner: int, share: bytes, cards: tuple[bytes, ...], points: bytes
) -> Statement:
    images = elements(points, len(cards))
    transcript = Transcript(place, "opening")
    transcript.absorb("owner", u32(owner))
    bases = [element(card[:32]) for card in cards]
    return transcript, folded(transcript, element(share), bases, images)


def make_opening(own: Own, owner: int, y: int, cards: tuple[bytes, ...]) -> tuple[bytes, bytes]:
    points = all_encoded([dot([(y, element(card[:32]))]) for card in cards])
    stated = opening_statement(own.place, owner, base_product(y), cards, points)
    return points, prove(stated, [y], own.nonce("opening"))


@lru_cache(maxsize=REMEMBERED)
@or_malformed
def check_opening(
    place: Place, owner: int, share: bytes, cards: tuple[bytes, ...], points: bytes, proof: bytes
) -> str:
    """V81 and V82."""
    stated = opening_statement(place, owner, share, cards, points)
    return "" if holds(stated, 1, proof) else "opening-proof"


# 5.1 and 5.2 The rules of play.


def bad_rules(options: Mapping[str, Any]) -> bool:
    """V87: whether a map of options is no rule set."""
    choices: dict[str, Sequence[Any]] = {
        "first_trick_penalties": (False, True),
        "heart_points": ("one", "face"),
        "hearts_break": (False, True),
        "jack_points": (0, -10),
        "moon": ("others-add", "shooter-subtracts", "choice", "safe", "off"),
        "opening": ("lowest-club", "none"),
        "packs": (1, 2),
        "queen_breaks": (False, True),
        "queen_points": (0, 13),
        "queen_waits": (False, True),
        "seats": range(3, 12),
        "tie": ("another-hand", "latest-hand"),
        "grace": range(15, 10**9 + 1),
        "hands": range(10**9 + 1),
        "target": range(1, 10**9 + 1),
        "pass_count": range(53),
        "watchers": range(9),
        "watcher_chat": (False, True),
    }
    if "clock" in options:
        choices["clock"] = range(10, 10**9 + 1)
    if set(options) != set(choices):
        return True
    for name, allowed in choices.items():
        value = options[name]
        if type(value) is not type(allowed[0]) or value not in allowed:
            return True
    seats, packs = options["seats"], options["packs"]
    if seats not in (range(3, 7) if packs == 1 else range(6, 12)):
        return True
    if packs == 2 and (options["opening"] != "none" or options["pass_count"]):
        return True
    return bool(options["pass_count"] > 52 * packs // seats)


def hash_rules(options: Mapping[str, Any]) -> bytes:
    """8.1."""
    parts = [
        frame(name.encode(), json.dumps(value).encode()) for name, value in sorted(options.items())
    ]
    return digest("rules", *parts)


class Situation(NamedTuple):
    """All that legality depends on, apart from the hand."""

    first: bool
    broken: bool
    led: int | None


def legal(rules: Rules, hand: set[int], now: Situation) -> set[int]:
    """The faces of a hand that may be played: it is narrowed preference by preference."""
    preferred: list[set[int]] = []
    if now.first and now.led is None and rules.opening is not None:
        preferred.append({rules.opening})
    if now.led is not None:
        preferred.append({face for face in range(52) if suit(face) == now.led})
    if now.first and not rules["first_trick_penalties"]:
        preferred.append(set(range(52)) - rules.penalties)
    if now.led is None and not now.broken:
        preferred.append(set(range(52)) - rules.waiting)
    for faces in preferred:
        hand = hand & faces or hand
    return hand


def claim_of(rules: Rules, face: int, now: Situation) -> int | None:
    """5.2: what a play says of the rest of the hand, a set of classes."""
    said = ALL_CLASSES
    for card_class, sample in rules.samples.items():
        if face not in legal(rules, {face, sample}, now):
            said &= ~(1 << card_class)
    return None if said == ALL_CLASSES else said


class Play:
    """Everything public about the play of one hand."""

    def __init__(self, rules: Rules, leader: int) -> None:
        self.rules: Rules = rules
        self.leader = leader
        self.trick: list[tuple[int, int]] = []
        self.tricks = 0
        self.broken = False
        self.left = Counter(rules.pack)
        self.taken: list[list[int]] = [[] for _ in range(rules.seats)]
        self.stalled: list[int] = []
        self.widow_owner: int | None = None
        self.widow_hidden = rules.widow_size > 0
        self.voids = [0] * rules.seats
        self.is_over = False

    @property
    def turn(self) -> int | None:
        if self.is_over or self.widow_due or self.tricks == self.rules.hand_size:
            return None
        return (self.leader + len(self.trick)) % self.rules.seats

    @property
    def widow_due(self) -> bool:
        return self.widow_hidden and self.widow_owner is not None and not self.is_over

    @property
    def now(self) -> Situation:
        led = suit(self.trick[0][1]) if self.trick else None
        return Situation(self.tricks == 0, self.broken, led)

    def play(self, face: int) -> None:
        """The seat in turn plays a card that is left."""
        rules, seat = self.rules, self.turn
        if seat is None or not self.left[face]:
            raise Refused("contradiction: a card that is not left")
        said = claim_of(rules, face, self.now)
        if said is not None:
            self.voids[seat] |= ALL_CLASSES & ~said
        self.left[face] -= 1
        self.trick.append((seat, face))
        if len(self.trick) == rules.seats:
            self._finish_trick()
        self._maybe_end()

    def _finish_trick(self) -> None:
        faces = [face for _, face in self.trick]
        led, winner, best = suit(faces[0]), None, -1
        for seat, face in self.trick:
            if suit(face) == led and face > best and faces.count(face) == 1:
                winner, best = seat, face
        self.tricks += 1
        self.stalled += faces
        if winner is None and self.tricks == self.rules.hand_size:
            winner = self.trick[0][0]
        if winner is not None:
            self.taken[winner] += self.stalled
            self.stalled = []
            self.leader = winner
            if self.widow_owner is None:
                self.widow_owner = winner
        self.broken = self.broken or bool(self.rules.breaking & set(faces))
        self.trick = []

    def open_widow(self, faces: Sequence[int]) -> None:
        if self.widow_owner is None or Counter(faces) - self.left:
            raise Refused("contradiction: a widow of cards that are not left")
        self.left -= Counter(faces)
        self.taken[self.widow_owner] += faces
        self.widow_hidden = False
        self._maybe_end()

    def _maybe_end(self) -> None:
        self.is_over = not any(self.left.values())

    def cards_left(self, seat: int) -> int:
        played = self.tricks + any(other == seat for other, _ in self.trick)
        return self.rules.hand_size - played

    # 5.4 When a claim stands.

    def claim_stands(self, seat: int, hand: Sequence[int]) -> bool:
        if Counter(hand) - self.left or len(hand) != self.cards_left(seat):
            return False
        counting = self.rules.penalties | ({JACK} if self.rules["jack_points"] else set())
        outstanding = {*(+self.left), *self.stalled, *(face for _, face in self.trick)}
        return not outstanding & counting or self._wins_every_trick(seat, hand)

    def _wins_every_trick(self, seat: int, hand: Sequence[int]) -> bool:
        if self.turn != seat or self.trick or not self.tricks or self.widow_hidden:
            return False
        outside = list((self.left - Counter(hand)).elements())
        for color in range(4):
            led = sorted((face for face in hand if suit(face) == color), reverse=True)
            if QUEEN in led and QUEEN in self.rules.waiting and not self.broken:
                led.sort(key=lambda face: face == QUEEN)
            for j, face in enumerate(led):
                lowest = face if self.rules.packs == 2 else face + 1
                higher = [other for other in outside if suit(other) == color and other >= lowest]
                if higher and self._may_hold(seat, outside, color, j + 1):
                    return False
        return True

    def _may_hold(self, claimer: int, outside: Sequence[int], color: int, number: int) -> bool:
        counts = [sum(suit(face) == each for face in outside) for each in range(4)]
        classes = ((0, 1), (2,), (3, 4), (5,))
        suits = {
            seat: {each for each in range(4) if any(not voids >> c & 1 for c in classes[each])}
            for seat, voids in enumerate(self.voids)
            if seat != claimer
        }
        room = {seat: self.cards_left(seat) for seat in suits}
        return any(
            color in suits[holder]
            and number <= room[holder]
            and number <= counts[color]
            and self._fits(holder, color, number, counts, suits, room)
            for holder in suits
        )

    def _fits(
        self,
        holder: int,
        color: int,
        number: int,
        counts: Sequence[int],
        suits: Mapping[int, set[int]],
        room: Mapping[int, int],
    ) -> bool:
        for bits in range(1, 16):
            some = {each for each in range(4) if bits >> each & 1}
            cards = sum(counts[each] for each in some) - number * (color in some)
            places = sum(
                room[seat] - number * (seat == holder) for seat in suits if suits[seat] & some
            )
            if cards > places:
                return False
        return True

    def take_rest(self, seat: int) -> None:
        rest = [*self.left.elements(), *self.stalled, *(face for _, face in self.trick)]
        self.taken[seat] += rest
        self.left, self.stalled, self.trick = Counter(), [], []
        self.is_over = True


def broken_rule(play: Play, face: int) -> str:
    """V37: the rule that a play broke whose class proof failed."""
    if not play.trick:
        return "hearts-closed"
    if not play.tricks and face in play.rules.penalties and suit(face) != suit(play.trick[0][1]):
        return "trick-one"
    return "revoke"


# 7.6 What a dummy does.


def dummy_pass(rules: Rules, hand: Sequence[int]) -> list[int]:
    """The positions that a dummy passes."""
    ordered = sorted(hand, key=lambda face: (rank(face), suit(face)))
    chosen: list[int] = []
    for face in ordered[len(ordered) - rules["pass_count"] :]:
        at = next(i for i, other in enumerate(hand) if other == face and i not in chosen)
        chosen.append(at)
    return sorted(chosen)


def dummy_card(play: Play, hand: Sequence[int]) -> int:
    """The face that a dummy plays in its turn."""
    may = sorted(legal(play.rules, set(hand), play.now), key=lambda face: (rank(face), suit(face)))
    if not play.trick:
        return may[0]
    led = suit(play.trick[0][1])
    if suit(may[0]) != led:
        return max(may, key=lambda face: (face == QUEEN, suit(face) == 3, rank(face), suit(face)))
    top = max(rank(face) for _, face in play.trick if suit(face) == led)
    below = [face for face in may if rank(face) < top]
    return below[-1] if below else may[0]


# 5.1 Scoring and match.


def moon_shooter(rules: Rules, taken: Sequence[Sequence[int]]) -> int | None:
    if rules["moon"] == "off":
        return None
    penalties = Counter(face for face in rules.pack if face in rules.penalties)
    return next((seat for seat, faces in enumerate(taken) if not penalties - Counter(faces)), None)


def scored(
    rules: Rules, taken: Sequence[Sequence[int]], hands: Sequence[Sequence[int]], choice: str = ""
) -> list[int]:
    """The scores of a hand after the hands before it."""
    plain = [sum(map(rules.value, faces)) for faces in taken]
    shooter = moon_shooter(rules, taken)
    if shooter is None:
        return plain
    worth = sum(rules.value(face) for face in rules.pack if face in rules.penalties)
    adding = [score + (-worth if s == shooter else worth) for s, score in enumerate(plain)]
    subtracting = [score - 2 * worth * (s == shooter) for s, score in enumerate(plain)]
    how = {"choice": choice, "safe": "others-add"}.get(rules["moon"], rules["moon"])
    if rules["moon"] == "safe":
        after = [*hands, adding]
        if match_over(rules, after) and shooter not in leaders(rules, after):
            how = "shooter-subtracts"
    return subtracting if how == "shooter-subtracts" else adding


def sums(rules: Rules, hands: Sequence[Sequence[int]]) -> list[int]:
    return [sum(scores[seat] for scores in hands) for seat in range(rules.seats)]


def leaders(rules: Rules, hands: Sequence[Sequence[int]]) -> list[int]:
    ahead = sums(rules, hands)
    front = [seat for seat, total in enumerate(ahead) if total == min(ahead)]
    if rules["tie"] == "latest-hand":
        for scores in reversed(hands):
            best = min(scores[seat] for seat in front)
            front = [seat for seat in front if scores[seat] == best]
    return front


def match_over(rules: Rules, hands: Sequence[Sequence[int]]) -> bool:
    if not hands:
        return False
    if len(hands) == rules["hands"]:
        return True
    return max(sums(rules, hands)) >= rules["target"] and len(leaders(rules, hands)) == 1


# 6.1 Encoding. A struct is a dict here; its schema says how each field is written.

MAX_STRUCT = 192 * 1024
MAX_ITEMS = 1024
MAX_TEXT = 4096
MAX_DEPTH = 16

Schema = tuple[Any, ...]
"""("number", low, high), ("bytes" or "text", low, high), ("list", item, low, high),
("pair", items), ("maybe", schema), ("flag",), ("options",), ("struct", name)."""

BIG = 2**31 - 1
HASH: Schema = ("bytes", 32, 32)
MAYBE_HASH: Schema = ("bytes", 0, 32)
COUNT: Schema = ("number", 0, BIG)
SEAT: Schema = ("number", 0, 10)
POSITION: Schema = ("number", 0, 103)
FACE: Schema = ("number", 0, 51)
PROOF: Schema = ("bytes", 0, 256)
NAME: Schema = ("text", 1, 64)
CURVE: Schema = ("bytes", 40, 40)
ADDRESS: Schema = ("pair", (NAME, ("number", 1, 65535)))

STRUCTS: dict[str, dict[str, Schema]] = {
    "Envelope": {"content": ("bytes", 0, MAX_STRUCT), "signature": ("bytes", 64, 64)},
    "Content": {
        "version": COUNT,
        "table": HASH,
        "hand": COUNT,
        "attempt": COUNT,
        "round": COUNT,
        "seat": SEAT,
        "author": HASH,
        "sequence": COUNT,
        "last": HASH,
        "prev": HASH,
        "kind": ("text", 1, 16),
        "body": ("bytes", 0, 65536),
    },
    "Sit": {"commitment": HASH},
    "Draw": {"nonce": HASH},
    "Key": {"commitment": HASH, "public": HASH, "proof": PROOF},
    "Shuffle": {"deck": ("bytes", 0, 6656), "proof": ("bytes", 0, 32768)},
    "Escrow": {"publics": ("bytes", 0, 320), "seals": ("bytes", 0, 1280)},
    "Seals": {"complaints": ("list", ("struct", "Complaint"), 0, 10)},
    "Complaint": {"owner": SEAT, "point": HASH, "proof": PROOF},
    "Openings": {"points": ("bytes", 0, 3328), "proof": PROOF},
    "Shares": {"shares": ("bytes", 0, 3328), "proof": PROOF},
    "PassSelect": {"positions": ("list", POSITION, 0, 52)},
    "Pass": {"cards": ("bytes", 0, 3328), "proof": ("bytes", 0, 4096)},
    "Remask": {"deck": ("bytes", 0, 6656), "proof": ("bytes", 0, 32768)},
    "Open": {"position": ("maybe", POSITION), "proof": ("bytes", 0, 1024)},
    "Play": {"position": POSITION, "card": FACE, "proof": ("bytes", 0, 1024)},
    "Claim": {"cards": ("list", FACE, 0, 52), "proof": PROOF},
    "Widow": {"shares": ("bytes", 0, 3328), "proof": PROOF},
    "Choice": {"moon": ("text", 0, 32)},
    "Reveal": {"secret": HASH, "evidence": ("list", ("bytes", 0, 65536), 0, 2)},
    "Lost": {},
    "Ack": {"head": HASH},
    "Vote": {
        "ballot": COUNT,
        "target": SEAT,
        "opener": SEAT,
        "view": ("list", MAYBE_HASH, 0, 11),
        "lock": MAYBE_HASH,
    },
    "Confirm": {
        "ballot": COUNT,
        "target": SEAT,
        "value": ("list", MAYBE_HASH, 0, 11),
        "votes": ("list", HASH, 0, 11),
    },
    "Start": {
        "program": ("text", 0, 64),
        "protocol": COUNT,
        "owner": HASH,
        "created": ("number", 0, 2**53 - 1),
    },
    "TableCard": {
        "version": COUNT,
        "instance": HASH,
        "author": HASH,
        "curve": CURVE,
        "name": NAME,
        "host": NAME,
        "lobby": ("number", 1, 65535),
        "rules": ("options",),
        "free": ("number", 0, 11),
        "coded": ("flag",),
        "nicks": ("list", NAME, 0, 11),
    },
    "Hello": {
        "version": COUNT,
        "instance": HASH,
        "author": HASH,
        "curve": CURVE,
        "nick": NAME,
        "addresses": ("list", ADDRESS, 1, 16),
        "table_key": HASH,
        "table_proof": ("bytes", 64, 64),
    },
    "Roster": {
        "version": COUNT,
        "instance": HASH,
        "author": HASH,
        "formation": ("number", 1, BIG),
        "name": NAME,
        "rules": ("options",),
        "entries": ("list", ("bytes", 0, 4096), 2, 11),
    },
    "Join": {
        "hello": ("bytes", 0, 4096),
        "code": ("text", 0, 64),
        "leaving": ("flag",),
        "ready": ("flag",),
    },
    "News": {
        "instance": HASH,
        "refused": ("text", 0, 200),
        "nicks": ("list", NAME, 0, 11),
        "ready": ("list", ("flag",), 0, 11),
        "roster": ("bytes", 0, 65536),
    },
    "Onlooker": {
        "version": COUNT,
        "instance": HASH,
        "author": HASH,
        "curve": CURVE,
        "nick": NAME,
        "addresses": ("list", ADDRESS, 1, 16),
    },
    "Gallery": {
        "version": COUNT,
        "instance": HASH,
        "author": HASH,
        "number": COUNT,
        "watchers": ("list", ("bytes", 0, 2048), 0, 8),
    },
    "Remark": {
        "version": COUNT,
        "table": HASH,
        "author": HASH,
        "number": ("number", 0, 2**53 - 1),
        "text": ("text", 1, 400),
    },
    "Whereabouts": {"places": ("list", ("pair", (CURVE, ("list", ADDRESS, 0, 16))), 0, 11)},
    "Frame": {
        "table": HASH,
        "envelopes": ("list", ("bytes", 0, 98304), 0, 512),
        "beat": ("maybe", ("struct", "Beat")),
    },
    "Ahead": {
        "table": HASH,
        "hand": ("number", 1, BIG),
        "round": COUNT,
        "body": ("bytes", 0, 24576),
    },
    "Beat": {
        "table": HASH,
        "hand": COUNT,
        "attempt": COUNT,
        "round": COUNT,
        "open": ("list", ("struct", "RoundReport"), 0, 16),
        "fault": MAYBE_HASH,
        "finished": ("flag",),
        "recall": COUNT,
        "recalled": ("list", COUNT, 0, 11),
    },
    "RoundReport": {
        "round": COUNT,
        "speeches": ("list", MAYBE_HASH, 0, 11),
        "acks": ("list", MAYBE_HASH, 0, 11),
        "ballots": ("list", HASH, 0, 128),
    },
}
ARRAYS = ("Envelope", "Content")
KINDS = {
    "".join(f"_{c.lower()}" if c.isupper() else c for c in name).strip("_"): name
    for name in list(STRUCTS)[2 : list(STRUCTS).index("Start")]
    if name != "Complaint"
}
"""The struct of the body of each kind of content (6.3)."""


class Packed:
    """The reading end of MessagePack bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise Refused("drop")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def value(self, depth: int = 0) -> Any:
        """V47, but for trailing bytes."""
        if depth > MAX_DEPTH:
            raise Refused("drop")
        head = self.number(1)
        if head < 0x80:
            return head
        if head >= 0xE0:
            return head - 256
        if head < 0x90:
            return self.map(head & 15, depth)
        if head < 0xA0:
            return self.list(head & 15, depth)
        if head < 0xC0:
            return self.text(head & 31)
        if head in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[head]
        if 0xC4 <= head <= 0xC6:
            return self.take(self.number(1 << (head - 0xC4)))
        if 0xCC <= head <= 0xCF:
            return self.number(1 << (head - 0xCC))
        if 0xD0 <= head <= 0xD3:
            return int.from_bytes(self.take(1 << (head - 0xD0)), "big", signed=True)
        if 0xD9 <= head <= 0xDB:
            return self.text(self.number(1 << (head - 0xD9)))
        if head in (0xDC, 0xDD):
            return self.list(self.number(2 << (head - 0xDC)), depth)
        if head in (0xDE, 0xDF):
            return self.map(self.number(2 << (head - 0xDE)), depth)
        raise Refused("drop")  # a float, an extension, or a byte that MessagePack never uses

    def text(self, count: int) -> str:
        if count > MAX_TEXT:
            raise Refused("drop")
        try:
            return self.take(count).decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("drop") from None

    def list(self, count: int, depth: int) -> list[Any]:
        if count > MAX_ITEMS:
            raise Refused("drop")
        return [self.value(depth + 1) for _ in range(count)]

    def map(self, count: int, depth: int) -> dict[str, Any]:
        if count > MAX_ITEMS:
            raise Refused("drop")
        found: dict[str, Any] = {}
        for _ in range(count):
            key = self.value(depth + 1)
            if not isinstance(key, str) or key in found:
                raise Refused("drop")
            found[key] = self.value(depth + 1)
        return found


def are_options(value: Mapping[str, Any]) -> bool:
    return all(isinstance(item, int | str) for item in value.values())


def fitted(value: Any, schema: Schema) -> Any:
    """V48: the value as its schema wants it; structs in the order of their fields."""
    kind = schema[0]
    if kind == "maybe":
        return None if value is None else fitted(value, schema[1])
    if kind == "number" and type(value) is int and schema[1] <= value <= schema[2]:
        return value
    if kind == "flag" and isinstance(value, bool):
        return value
    if kind == "bytes" and isinstance(value, bytes) and schema[1] <= len(value) <= schema[2]:
        return value
    if kind == "text" and isinstance(value, str) and schema[1] <= len(value) <= schema[2]:
        return value
    if kind == "list" and isinstance(value, list) and schema[2] <= len(value) <= schema[3]:
        return [fitted(item, schema[1]) for item in value]
    if kind == "pair" and isinstance(value, list) and len(value) == len(schema[1]):
        return [fitted(item, own) for item, own in zip(value, schema[1], strict=True)]
    if kind == "options" and isinstance(value, dict) and are_options(value):
        return {name: value[name] for name in sorted(value)}
    if kind == "struct":
        fields = STRUCTS[schema[1]]
        if schema[1] in ARRAYS and isinstance(value, list) and len(value) == len(fields):
            value = dict(zip(fields, value, strict=True))
        elif schema[1] in ARRAYS or not isinstance(value, dict) or set(value) != set(fields):
            raise Refused("drop")
        return {name: fitted(value[name], own) for name, own in fields.items()}
    raise Refused("drop")


def packed(value: Any) -> bytes:
    """The one encoding of a value; its shortest."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        if value >= 0:
            return header(value, 0x80, 0, (0xCC, 0xCD, 0xCE, 0xCF))
        if value >= -32:
            return bytes([256 + value])
        size = next(n for n in range(4) if value >= -(1 << (8 * 2**n - 1)))
        return bytes([0xD0 + size]) + value.to_bytes(2**size, "big", signed=True)
    if isinstance(value, bytes):
        return header(len(value), 0, 0, (0xC4, 0xC5, 0xC6)) + value
    if isinstance(value, str):
        data = value.encode()
        return header(len(data), 32, 0xA0, (0xD9, 0xDA, 0xDB)) + data
    if isinstance(value, list):
        return header(len(value), 16, 0x90, (0, 0xDC, 0xDD)) + b"".join(map(packed, value))
    items = [packed(name) + packed(item) for name, item in value.items()]
    return header(len(value), 16, 0x80, (0, 0xDE, 0xDF)) + b"".join(items)


def header(number: int, small: int, first: int, codes: Sequence[int]) -> bytes:
    if number < small:
        return bytes([first + number])
    for size, code in enumerate(codes):
        if code and number < 1 << (8 << size):
            return bytes([code]) + number.to_bytes(1 << size, "big")
    raise Refused("drop")


def encode(name: str, value: Value) -> bytes:
    """A struct of this name."""
    fields = fitted(list(value.values()) if name in ARRAYS else value, ("struct", name))
    return packed(list(fields.values()) if name in ARRAYS else fields)


@lru_cache(maxsize=REMEMBERED)
def decoded(name: str, data: bytes) -> Mapping[str, Any]:
    """V46 to V49. What it returns is shared: nobody changes it."""
    if len(data) > MAX_STRUCT:
        raise Refused("drop")
    reader = Packed(data)
    raw = reader.value()
    if reader.at != len(data):
        raise Refused("drop")
    value = fitted(raw, ("struct", name))
    if packed(list(value.values()) if name in ARRAYS else value) != data:
        raise Refused("drop")
    return value  # type: ignore[no-any-return]


# 6.2 Signatures (RFC 8032).

ED_BASE_Y = 4 * pow(5, -1, P) % P


def ed_point(data: bytes) -> Point | None:
    """A point of edwards25519, or None if the bytes are none."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if len(data) != 32 or y >= P:
        return None
    square, x = sqrt_ratio(y * y - 1, D * y * y + 1)
    if not square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def ed_encoded(p: Point) -> bytes:
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def small_order(p: Point) -> bool:
    eightfold = twice(twice(twice(p)))
    return eightfold[0] == 0 and eightfold[1] == eightfold[2]


ED_BASE = ed_point(ED_BASE_Y.to_bytes(32, "little")) or ZERO


@lru_cache(maxsize=REMEMBERED)
def signed(author: bytes, message: bytes, signature: bytes) -> bool:
    """V52 and V53."""
    key, r, s = ed_point(author), ed_point(signature[:32]), int.from_bytes(signature[32:], "little")
    if key is None or r is None or small_order(key) or small_order(r) or s >= ORDER:
        return False
    h = reduced(hashlib.sha512(signature[:32] + author + message).digest())
    return ed_encoded(plus(times(s, ED_BASE), minus(times(h, key)))) == signature[:32]


def sign(private: bytes, message: bytes) -> tuple[bytes, bytes]:
    """The public key and the signature."""
    half = hashlib.sha512(private).digest()
    a = int.from_bytes(half[:32], "little") & (2**254 - 8) | 2**254
    public = ed_encoded(times(a, ED_BASE))
    k = reduced(hashlib.sha512(half[32:] + message).digest())
    r = ed_encoded(times(k, ED_BASE))
    h = reduced(hashlib.sha512(r + public + message).digest())
    return public, r + scalar_bytes(k + h * a)


def opened_envelope(data: bytes, name: str, domain: str, author: str) -> tuple[Value, bytes]:
    """V50 to V53 for the struct in an envelope; and its bytes."""
    envelope = decoded("Envelope", data)
    value = decoded(name, envelope["content"])
    message = digest(f"sign {domain}", envelope["content"])
    if not signed(value[author], message, envelope["signature"]):
        raise Refused("drop")
    return dict(value), envelope["content"]


# 8.1 Hellos and rosters.


class Entry(NamedTuple):
    author: bytes
    nick: str
    table_key: bytes


class Roster(NamedTuple):
    hash: bytes
    rules: Rules
    formation: int
    name: str
    entries: tuple[Entry, ...]


def opened_lobby(data: bytes, name: str, domain: str) -> Value:
    """V85 and V86."""
    value, _ = opened_envelope(data, name, domain, "author")
    if value["version"] != 1 or ("curve" in value and not is_link_key(value["curve"])):
        raise Refused("refused")
    return value


Z85 = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"


def is_link_key(key: bytes) -> bool:
    """ZeroMQ RFC 32: five digits to the base of 85 for each four of 32 bytes."""
    if set(key) - set(Z85):
        return False
    numbers = [0] * 8
    for at, digit in enumerate(key):
        numbers[at // 5] = numbers[at // 5] * 85 + Z85.index(digit)
    return max(numbers) < 2**32


@lru_cache(maxsize=1024)
def opened_roster(data: bytes) -> Roster:
    """V85 to V91."""
    roster = opened_lobby(data, "Roster", "roster")
    if bad_rules(roster["rules"]):
        raise Refused("refused")
    rules = rules_of(roster["rules"])
    if len(roster["entries"]) != rules.seats:
        raise Refused("refused")
    entries, curves = [], []
    for item in roster["entries"]:
        hello = opened_lobby(item, "Hello", "hello")
        key = hello["table_key"]
        owner = (hello["instance"], hello["author"], hello["curve"])
        if hello["instance"] != roster["instance"]:
            raise Refused("refused")
        if not check_table_key(key, hello["table_proof"], *owner):
            raise Refused("refused")
        entries.append(Entry(hello["author"], hello["nick"], key))
        curves.append(hello["curve"])
    if entries[0].author != roster["author"]:
        raise Refused("refused")
    for values in (
        {entry.author for entry in entries},
        {entry.table_key for entry in entries},
        set(curves),
    ):
        if len(values) != len(entries):
            raise Refused("refused")
    hash_ = digest("roster", decoded("Envelope", data)["content"])
    return Roster(hash_, rules, roster["formation"], roster["name"], tuple(entries))


# 8.3 The draw.


def nonce_commitment(roster: bytes, place: int, nonce: bytes) -> bytes:
    return digest("sit", roster, u32(place), nonce)


def drawn_order(table: bytes, label: bytes, count: int) -> list[int]:
    def words() -> Iterator[int]:
        for block in range(256):
            seed = frame(b"p2p-hearts draw", label, table, bytes([block]))
            data = hashlib.shake_256(seed).digest(512)
            yield from (int.from_bytes(data[at : at + 2], "big") for at in range(0, 512, 2))

    source = words()
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        limit = 65536 - 65536 % (last + 1)
        j = next(word for word in source if word < limit) % (last + 1)
        order[last], order[j] = order[j], order[last]
    return order


class Drawn(NamedTuple):
    table: bytes
    seats: list[int]
    cards: list[int]
    dealer: int


def draw(roster: bytes, rules: bytes, nonces: Sequence[bytes]) -> Drawn:
    table = digest("table", roster, rules, *nonces)
    cards = drawn_order(table, b"deal", 52)[: len(nonces)]
    dealer = max(range(len(cards)), key=lambda seat: (rank(cards[seat]), suit(cards[seat])))
    return Drawn(table, drawn_order(table, b"seats", len(nonces)), cards, dealer)


@lru_cache(maxsize=1)
def phrase_words() -> list[str]:
    """Appendix A of the SPEC.md beside this file."""
    text = (HERE / "SPEC.md").read_text(encoding="utf-8")
    return text.split("<!-- generated: words -->\n```text\n")[1].split("```")[0].split()


def phrase(table: bytes) -> str:
    return " ".join(phrase_words()[number] for number in digest("phrase", table)[:5])


# 8.5 Join codes.

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def join_code(identity: bytes) -> str:
    data = hashlib.blake2b(identity, digest_size=8, person=b"p2p-hearts code").digest()
    bits = int.from_bytes(data, "big") >> 4
    return grouped("".join(LETTERS[bits >> shift & 31] for shift in range(55, -1, -5)))


def grouped(letters: str) -> str:
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def read_code(typed: str) -> tuple[str, str]:
    """The code that was typed, as it is written, and the secret at its end or ""."""
    text = "".join(mark for mark in typed if not mark.isspace() and mark not in "-_.:")
    letters = text.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    if len(letters) not in (12, 16) or set(letters) - set(LETTERS):
        raise Refused("refused")
    return grouped(letters), letters[12:]


# 9.1 The log.

Bytes = bytes | mmap.mmap
"""A log: a file is looked at where it lies, so that one of any size takes no memory."""

LINE = b"p2p-hearts log 1\n"
MAX_PAYLOAD = MAX_STRUCT + 4096


def all_zero_from(log: Bytes, at: int) -> bool:
    step = 1 << 20
    parts = (log[start : start + step] for start in range(at, len(log), step))
    return all(part == bytes(len(part)) for part in parts)


def records(log: Bytes) -> Iterator[tuple[int, bytes]]:
    """V93 to V98: kind and data of each record; "torn" or "unreadable" where it ends badly."""
    if log[: len(LINE)] != LINE:
        raise Refused("unreadable")
    at, chain = len(LINE), digest("log", LINE)
    while at < len(log):
        head = log[at : at + 44]
        if len(head) < 44:
            raise Refused("torn")
        length, check, crc = (int.from_bytes(head[i : i + 4], "big") for i in (0, 4, 8))
        if zlib.crc32(head[:4]) != check:
            raise Refused("torn" if all_zero_from(log, at) else "unreadable")
        if not 0 < length <= MAX_PAYLOAD:
            raise Refused("unreadable")
        payload = log[at + 44 : at + 44 + length]
        if len(payload) < length:
            raise Refused("torn")
        chain = digest("log", chain, payload)
        if zlib.crc32(head[12:] + payload) != crc or head[12:] != chain:
            raise Refused("unreadable")
        if payload[0] not in (1, 2, 3):
            raise Refused("unreadable")
        yield payload[0], payload[1:]
        at += 44 + length


def written_log(items: Sequence[tuple[int, bytes]]) -> bytes:
    log, chain = [LINE], digest("log", LINE)
    for kind, data in items:
        payload = bytes([kind]) + data
        chain = digest("log", chain, payload)
        length = u32(len(payload))
        crc = zlib.crc32(chain + payload)
        log += [length, u32(zlib.crc32(length)), u32(crc), chain, payload]
    return b"".join(log)


# 7.4 What votes decide.


class Vote(NamedTuple):
    """A sound vote; its lock is the sound confirm that it names."""

    name: bytes
    voter: int
    ballot: int
    target: int
    opener: int
    view: tuple[bytes, ...]
    lock: Confirm | None


class Confirm(NamedTuple):
    """A confirm with the sound votes that it names."""

    name: bytes
    voter: int
    ballot: int
    target: int
    value: tuple[bytes, ...]
    votes: tuple[Vote, ...]


def sound_vote(vote: Vote, seats: Sequence[int], speakers: Sequence[int]) -> bool:
    """V77 as to the ballot, and V79."""
    lock = vote.lock
    return (
        1 <= vote.ballot <= 3 * len(seats)
        and vote.target in seats
        and vote.opener in seats
        and vote.opener != vote.target != vote.voter
        and len(vote.view) == len(speakers)
        and all(name or seat == vote.target for seat, name in zip(speakers, vote.view, strict=True))
        and (lock is None or (lock.voter == vote.voter and lock.ballot < vote.ballot))
    )


def sound_confirm(confirm: Confirm, seats: Sequence[int], speakers: Sequence[int]) -> bool:
    """V80."""
    voters = [seat for seat in seats if seat != confirm.target]
    return (
        confirm.voter in voters
        and [vote.voter for vote in confirm.votes] == voters
        and all(
            (vote.ballot, vote.target) == (confirm.ballot, confirm.target) for vote in confirm.votes
        )
        and decided(confirm.target, confirm.votes, speakers) == confirm.value
    )


def decided(
    target: int, votes: Sequence[Vote], speakers: Sequence[int]
) -> tuple[bytes, ...] | None:
    """The value that votes decide; None if none."""
    liars = two_faced(votes, speakers)
    locks = [vote.lock for vote in votes if vote.lock is not None and vote.voter not in liars]
    if locks:
        highest = max(lock.ballot for lock in locks)
        values = {lock.value for lock in locks if lock.ballot == highest}
        if len(values) == 1:
            return values.pop()
    value = []
    for at, seat in enumerate(speakers):
        seen = {vote.view[at] for vote in votes if vote.view[at]}
        if len(seen) != 1 and seat != target:
            return None
        value.append(seen.pop() if len(seen) == 1 else b"")
    return tuple(value)


def accused_by(target: int, votes: Sequence[Vote], speakers: Sequence[int]) -> int | None:
    """The seat that the next ballot is against, where votes decide nothing."""
    for at, seat in enumerate(speakers):
        if seat != target and len({vote.view[at] for vote in votes if vote.view[at]}) != 1:
            return seat
    return None


def two_faced(votes: Sequence[Vote], speakers: Sequence[int]) -> set[int]:
    """Who is proven two-faced by these votes and all that is nested in them."""
    nested: dict[bytes, Vote | Confirm] = {}
    queue: list[Vote | Confirm] = list(votes)
    while queue:
        item = queue.pop()
        if item.name in nested:
            continue
        nested[item.name] = item
        if isinstance(item, Confirm):
            queue += item.votes
        elif item.lock is not None:
            queue.append(item.lock)
    said = Counter((item.voter, item.ballot, type(item)) for item in nested.values())
    liars = {voter for (voter, _, _), count in said.items() if count > 1}
    for at, seat in enumerate(speakers):
        views = {item.view[at] for item in nested.values() if isinstance(item, Vote)}
        if len(views - {b""}) > 1:
            liars.add(seat)
    return liars


# 4 One attempt at one hand.

BEFORE_CARDS = ("key", "shuffle", "escrow", "seals")

RULE_OF_FLAW = {
    "malformed": "body",
    "key-proof": "key-proof",
    "escrow-sum": "escrow",
    "seal-proof": "escrow",
    "complaint-proof": "complaint",
    "complaint-false": "complaint",
    "share-proof": "shares",
    "pass-positions": "pass-positions",
    "pass-proof": "pass",
    "opening-hidden": "opening-hidden",
    "card-proof": "card",
    "card-unknown": "card",
    "claim-cards": "claim-cards",
    "proof-missing": "proof-form",
    "proof-not-due": "proof-form",
}


class Contradiction(Exception):  # noqa: N818 - an answer, no error
    """Proofs that all hold cannot all be true."""


class Setting(NamedTuple):
    """What all hands of a table share."""

    table: bytes
    rules: Rules
    keys: tuple[bytes, ...]
    """T of every seat."""


class Waiting(NamedTuple):
    """A round that cannot be concluded before cards were opened (7.5)."""

    kind: str
    heard: dict[int, Any]
    shares: tuple[bytes, ...]
    hand: tuple[bytes, ...]
    widow: tuple[bytes, ...]


class Hand:
    """Follows one attempt: what each speech must be, and what follows from a whole round."""

    def __init__(
        self,
        setting: Setting,
        number: int,
        attempt: int,
        dealer: int,
        keyless: int | None,
        hands_before: Sequence[Sequence[int]],
    ) -> None:
        rules = setting.rules
        self.setting, self.rules = setting, rules
        self.number, self.attempt, self.dealer = number, attempt, dealer
        self.keyless = keyless
        self.away: int | None = None
        self.hands_before = hands_before
        self.keyed = [seat for seat in range(rules.seats) if seat != keyless]
        self.deal, self.widow = dealt(rules, dealer)
        cycle = {3: (1, 2, 0), 4: (1, 3, 2, 0), 5: (1, 4, 2, 3, 0), 6: (1, 5, 2, 4, 3, 0)}
        passes = keyless is None and rules["pass_count"]
        self.offset = cycle[rules.seats][(number - 1) % rules.seats] if passes else 0
        self.done: Counter[str] = Counter()
        """How many rounds of each kind were concluded."""
        if keyless is not None:
            self.done.update(("escrow", "seals"))
        self.heard: dict[int, Any] = {}
        self.steps: dict[int, list[tuple[Any, ...]]] = {seat: [] for seat in range(rules.seats)}
        self.commitments: dict[int, bytes] = {}
        self.publics: dict[int, bytes] = {}
        self.joint = b""
        self.deck = b""
        self.splits: dict[int, Escrow] = {}
        self.complained: list[int] = []
        self.waiting: Waiting | None = None
        self.faces: dict[bytes, int] = {}
        """Cards of a seat that is away, as everybody can read them."""
        self.hands: list[list[bytes]] = []
        self.selections: list[Sequence[int]] = []
        self.closed: list[dict[int, bytes]] = []
        """By seat and position the cards that were not played."""
        self.play: Play | None = None
        self.choice = ""

    # Which round comes next.

    @property
    def dummy(self) -> int | None:
        return self.away if self.keyless is None else self.keyless

    @property
    def present(self) -> list[int]:
        return [seat for seat in self.keyed if seat != self.away]

    def next_kind(self) -> str | None:
        done, play = self.done, self.play
        shooter = self.shooter()
        is_over = play is not None and play.is_over
        for kind, needed in (
            ("key", not done["key"]),
            ("shuffle", done["shuffle"] < len(self.keyed)),
            ("escrow", not done["escrow"]),
            ("seals", not done["seals"]),
            ("openings", self.waiting is not None),
            ("shares", not done["shares"]),
            ("pass_select", self.offset and not done["pass_select"]),
            ("pass", self.offset and not done["pass"]),
            ("remask", self.offset and not done["remask"]),
            ("open", self.rules.opening is not None and not done["open"]),
            ("widow", play is not None and play.widow_due),
            ("play", not is_over),
            ("choice", shooter not in (None, self.dummy) and not self.choice),
            ("reveal", not done["reveal"]),
        ):
            if needed:
                return kind
        return None

    def shooter(self) -> int | None:
        """The seat that has to choose how its moon counts."""
        play = self.play
        if play is None or not play.is_over or self.rules["moon"] != "choice":
            return None
        return moon_shooter(self.rules, play.taken)

    def speakers(self) -> list[int]:
        kind = self.next_kind()
        if kind == "shuffle":
            turns = [(self.dealer + step) % self.rules.seats for step in range(self.rules.seats)]
            return [[seat for seat in turns if seat != self.keyless][self.done["shuffle"]]]
        if kind in ("play", "choice"):
            speaker = self.state().turn if kind == "play" else self.shooter()
            if speaker is None:
                raise Contradiction("nobody is there to speak")
            return [speaker]
        return self.present

    def scores(self) -> list[int] | None:
        if self.play is None or not self.play.is_over:
            return None
        shooter, choice = self.shooter(), self.choice
        if shooter is not None and not choice:
            if shooter != self.dummy:
                return None
            choice = "others-add"
        return scored(self.rules, self.play.taken, self.hands_before, choice)

    def state(self) -> Play:
        if self.play is None:
            raise Contradiction("a play before the first lead")
        return self.play

    # One speech: the rule that it breaks, or "".

    def judge(self, kind: str, body: Mapping[str, Any], seat: int, round_: int) -> str:
        place = Place(self.setting.table, self.rules.hash, self.number, self.attempt, round_, seat)
        rule: str = getattr(self, f"judge_{kind}")(place, **body)
        return RULE_OF_FLAW.get(rule, rule)

    def keep(self, place: Place, said: tuple[bytes, ...], make: Any, *given: Any) -> None:
        """Remember how to make a speech again from z (V40)."""
        self.steps[place.seat].append((place, said, make, given))

    def judge_key(self, place: Place, commitment: bytes, public: bytes, proof: bytes) -> str:
        flaw = check_key(place, commitment, public, proof)
        if not flaw:
            self.commitments[place.seat], self.heard[place.seat] = commitment, public
            self.keep(place, (commitment, public, proof), make_key)
        return flaw

    def judge_shuffle(self, place: Place, deck: bytes, proof: bytes) -> str:
        before, flaw = self.deck, check_mix(place, "shuffle", self.joint, self.deck, deck, proof)
        # A wrong deck stands, if it is one, until all have shuffled: shuffles run ahead of checks.
        self.heard[place.seat] = before if flaw == "malformed" else deck
        if not flaw:
            self.keep(place, (deck, proof), make_mix, "shuffle", self.joint, before)
        return flaw if flaw in ("", "malformed") else "shuffle"

    def others(self, seat: int) -> Keys:
        return tuple((other, self.setting.keys[other]) for other in self.keyed if other != seat)

    def judge_escrow(self, place: Place, publics: bytes, seals: bytes) -> str:
        keys = self.others(place.seat)
        flaw = check_escrow(place, self.publics[place.seat], keys, publics, seals)
        if not flaw:
            self.heard[place.seat] = Escrow(place, keys, publics, seals)
            self.keep(place, (publics, seals), make_escrow, keys)
        return flaw

    def judge_seals(self, place: Place, complaints: Sequence[Value]) -> str:
        owners = [item["owner"] for item in complaints]
        others = [seat for seat in self.keyed if seat != place.seat]
        if owners != sorted(set(owners)) or not set(owners) <= set(others):
            return "complaint"  # V72
        for item in complaints:
            escrow = self.splits[item["owner"]]
            flaw = check_complaint(place, escrow, item["point"], item["proof"])
            if flaw:
                return flaw
        self.complained += owners
        self.heard[place.seat] = True
        return ""

    def judge_openings(self, place: Place, points: bytes, proof: bytes) -> str:
        away, cards = self.away, self.to_open()
        if away is None:
            raise Contradiction("cards are opened while everybody is here")
        share = self.splits[away].share(place.seat)
        flaw = check_opening(place, away, share, cards, points, proof)
        if not flaw:
            self.heard[place.seat] = pieces(points, len(cards))
        return "openings" if flaw == "opening-proof" else flaw

    def judge_shares(self, place: Place, shares: bytes, proof: bytes) -> str:
        return self.judge_given(place, self.given_by(place.seat), shares, proof)

    def judge_widow(self, place: Place, shares: bytes, proof: bytes) -> str:
        return self.judge_given(place, tuple(self.widow), shares, proof)

    def judge_given(
        self, place: Place, positions: tuple[int, ...], shares: bytes, proof: bytes
    ) -> str:
        public = self.publics[place.seat]
        flaw = check_shares(place, public, self.deck, positions, shares, proof)
        if not flaw:
            parts = pieces(shares, len(positions))
            self.heard[place.seat] = dict(zip(positions, parts, strict=True))
            self.keep(place, (shares, proof), make_shares, self.deck, positions)
        return flaw

    def judge_pass_select(self, place: Place, positions: Sequence[int]) -> str:
        flaw = check_selection(positions, self.rules["pass_count"], self.rules.hand_size)
        if not flaw:
            self.heard[place.seat] = tuple(positions)
        return flaw

    def judge_pass(self, place: Place, cards: bytes, proof: bytes) -> str:
        seat, positions = place.seat, tuple(self.selections[place.seat])
        sources = b"".join(self.hands[seat][at] for at in positions)
        receiver = self.publics[(seat + self.offset) % self.rules.seats]
        flaw = check_pass(place, self.publics[seat], receiver, sources, cards, proof)
        if not flaw:
            self.heard[seat] = pieces(cards, len(positions), 64)
            self.keep(place, (cards, proof), make_pass, positions, sources, receiver)
        return flaw

    def judge_remask(self, place: Place, deck: bytes, proof: bytes) -> str:
        """V25 and V26."""
        seat, before = place.seat, b"".join(self.hands[place.seat])
        flaw = check_mix(place, "remask", self.publics[seat], before, deck, proof)
        if not flaw:
            self.heard[seat] = pieces(deck, len(before) // 64, 64)
            self.keep(place, (deck, proof), make_mix, "remask", self.publics[seat], before)
        return flaw if flaw in ("", "malformed") else "remask"

    def judge_open(self, place: Place, position: int | None, proof: bytes) -> str:
        seat, rules, face = place.seat, self.rules, self.rules.opening
        public, hand = self.publics[seat], tuple(self.hands[seat])
        if face is None:
            raise Contradiction("these rules have no opening card")
        if position is None:
            flaw = check_no_opening(place, public, hand, proof)
            given: tuple[Any, ...] = (self.remake_no_opening, public, hand)
        elif position not in self.closed[seat]:
            return "position"  # V27
        else:
            played = hand[position]
            flaw = check_play(place, public, rules, played, face, (), None, proof)  # V28, V29
            flaw = "opening-proof" if flaw == "card-proof" else flaw
            given = (make_play, public, rules, played, face, (), (), None)
        if not flaw:
            self.heard[seat] = position
            self.keep(place, (proof,), *given)
        return flaw

    def remake_no_opening(
        self, own: Own, public: bytes, hand: tuple[bytes, ...]
    ) -> tuple[bytes, ...]:
        return make_no_opening(own, public, self.rules, hand, self.read(own, hand))

    def judge_play(self, place: Place, position: int, card: int, proof: bytes) -> str:
        seat, rules, play, closed = place.seat, self.rules, self.state(), self.closed[place.seat]
        if position not in closed:
            return "position"  # V31
        if not play.left[card]:
            return "card-unknown"
        said = claim_of(rules, card, play.now)
        public, played = self.publics[seat], closed[position]
        rest = tuple(other for at, other in closed.items() if at != position)
        flaw = check_play(place, public, rules, played, card, rest, said, proof)
        if flaw == "revoke":
            return broken_rule(play, card)
        if not flaw:
            self.heard[seat] = (position, card)
            self.keep(place, (proof,), self.remake_play, public, played, card, rest, said)
        return flaw

    def remake_play(
        self,
        own: Own,
        public: bytes,
        played: bytes,
        face: int,
        rest: tuple[bytes, ...],
        said: int | None,
    ) -> tuple[bytes, ...]:
        faces = self.read(own, rest)
        return make_play(own, public, self.rules, played, face, rest, faces, said)

    def read(self, own: Own, cards: Sequence[bytes]) -> tuple[int, ...]:
        x = own.x()
        return tuple(decrypted(self.rules, x, card) for card in cards)

    def judge_claim(self, place: Place, cards: Sequence[int], proof: bytes) -> str:
        seat, faces, held = place.seat, tuple(cards), tuple(self.closed[place.seat].values())
        public, rules = self.publics[seat], self.rules
        flaw = check_claim(place, public, rules, held, faces, proof)
        if flaw:
            return flaw
        if not self.state().claim_stands(seat, faces):
            return "claim"  # V45
        self.heard[seat] = "claim"
        self.keep(place, (proof,), make_claim, public, rules, held, faces)
        return ""

    def judge_choice(self, place: Place, moon: str) -> str:
        if moon not in ("others-add", "shooter-subtracts"):
            return "choice"  # V38
        self.heard[place.seat] = moon
        return ""

    def judge_reveal(self, place: Place, secret: bytes, evidence: Sequence[bytes]) -> str:
        """V39 and V40; evidence is judged by who knows the whole table."""
        if Own(secret, place).commitment() != self.commitments[place.seat]:
            return "secret"
        for where, said, make, given in self.steps[place.seat]:
            try:
                again = make(Own(secret, where), *given)
            except Refused:
                return "rerun"
            if again != said:
                return "rerun"
        self.heard[place.seat] = True
        return ""

    # A whole round.

    def given_by(self, seat: int) -> tuple[int, ...]:
        """Deck positions for which a seat gives shares."""
        others = [at for owner, hand in enumerate(self.deal) if owner != seat for at in hand]
        return tuple(sorted(others))

    def card(self, at: int) -> bytes:
        return self.deck[64 * at : 64 * at + 64]

    def close(self, absent: int | None) -> None:
        """Every speaker was heard and kept the rules, but for one that is away from now on."""
        kind, heard, self.heard = self.next_kind() or "", self.heard, {}
        if absent is not None:
            heard.pop(absent, None)
            self.away = absent
        if kind == "openings":
            self.close_openings(heard)
            return
        self.waiting = self.what_waits(kind, heard)
        if self.waiting is None:
            self.conclude(kind, heard)

    def conclude(self, kind: str, heard: dict[int, Any]) -> None:
        if self.away is not None and self.away not in heard:
            self.stand_in(kind, self.away, heard)
        getattr(self, f"close_{kind}")(heard)
        self.done[kind] += 1
        self.play_dummy()

    def what_waits(self, kind: str, heard: dict[int, Any]) -> Waiting | None:
        """7.5: what must be opened before a round can be concluded."""
        away = self.away
        if away is None or kind in ("choice", "reveal"):
            return None
        shares: list[bytes] = []
        widow: list[bytes] = []
        if kind == "shares":
            hand = [
                opened(self.card(at), tuple(heard[seat][at] for seat in self.present))
                for at in self.deal[away]
            ]
            if away not in heard:
                shares = [self.card(at) for at in self.given_by(away)]
        else:
            hand = list(self.closed[away].values()) if self.closed else self.hands[away]
        if kind == "widow" and away not in heard:
            widow = [self.card(at) for at in self.widow]
        unread = [card for card in hand if card not in self.faces]
        if not (shares or unread or widow):
            return None
        return Waiting(kind, heard, tuple(shares), tuple(unread), tuple(widow))

    def to_open(self) -> tuple[bytes, ...]:
        waits = self.waiting
        return () if waits is None else waits.shares + waits.hand + waits.widow

    def close_openings(self, heard: dict[int, list[bytes]]) -> None:
        waits, away, self.waiting = self.waiting, self.away, None
        if waits is None or away is None:
            raise Contradiction("cards are opened while everybody is here")
        columns = zip(*(heard[seat] for seat in self.present), strict=True)
        totals = [tuple(column) for column in columns]
        first, last = len(waits.shares), len(waits.shares) + len(waits.hand)

        def summed(masks: Sequence[tuple[bytes, ...]]) -> list[bytes]:
            return [encoded(total_of(list(map(point, column)))) for column in masks]

        if waits.shares:
            mine = summed(totals[:first])
            waits.heard[away] = dict(zip(self.given_by(away), mine, strict=True))
        if waits.widow:
            waits.heard[away] = dict(zip(self.widow, summed(totals[last:]), strict=True))
        for card, masks in zip(waits.hand, totals[first:last], strict=True):
            self.faces[card] = self.face(opened(card, masks))
        self.conclude(waits.kind, waits.heard)

    def face(self, card: bytes) -> int:
        """The face of a ciphertext of which every share was taken off."""
        if card[32:] not in self.rules.faces:
            raise Contradiction("a proven deck holds what is no card")
        return self.rules.faces[card[32:]]

    def stand_in(self, kind: str, away: int, heard: dict[int, Any]) -> None:
        """7.6: what a seat that is away does in this round."""
        if kind == "pass_select":
            heard[away] = dummy_pass(self.rules, [self.faces[card] for card in self.hands[away]])
        elif kind == "pass":
            receiver = element(self.publics[(away + self.offset) % self.rules.seats])
            faces = [self.faces[self.hands[away][at]] for at in self.selections[away]]
            heard[away] = [
                G_BYTES + encoded(plus(self.rules.points[face], receiver)) for face in faces
            ]
        elif kind == "remask":
            heard[away] = self.hands[away]
        elif kind == "choice":
            heard[away] = "others-add"

    def play_dummy(self) -> None:
        dummy, play = self.dummy, self.play
        while play is not None and dummy is not None and play.turn == dummy:
            held = {at: self.faces[card] for at, card in self.closed[dummy].items()}
            face = dummy_card(play, list(held.values()))
            del self.closed[dummy][min(at for at, other in held.items() if other == face)]
            play.play(face)

    def close_key(self, heard: dict[int, bytes]) -> None:
        self.publics = dict(heard)
        try:
            self.joint = joint_key([heard[seat] for seat in self.keyed])
        except Refused:
            raise Contradiction("the key shares add up to nothing") from None
        self.deck = first_deck(self.rules, self.joint)

    def close_shuffle(self, heard: dict[int, bytes]) -> None:
        # A body of another form changes nothing; the hand begins anew once all have shuffled.
        self.deck = next(iter(heard.values()), self.deck)

    def close_escrow(self, heard: dict[int, Escrow]) -> None:
        self.splits = heard

    def close_seals(self, heard: dict[int, bool]) -> None:
        pass

    def close_shares(self, heard: dict[int, dict[int, bytes]]) -> None:
        self.hands = [
            [
                opened(self.card(at), tuple(heard[s][at] for s in self.keyed if s != seat))
                for at in self.deal[seat]
            ]
            for seat in range(self.rules.seats)
        ]
        if self.keyless is not None:
            self.faces.update({card: self.face(card) for card in self.hands[self.keyless]})
        if not self.offset:
            self.lay_down()

    def close_pass_select(self, heard: dict[int, Sequence[int]]) -> None:
        self.selections = [heard[seat] for seat in range(self.rules.seats)]

    def close_pass(self, heard: dict[int, list[bytes]]) -> None:
        count = self.rules.seats
        self.hands = [
            [card for at, card in enumerate(self.hands[s]) if at not in self.selections[s]]
            + heard[(s - self.offset) % count]
            for s in range(count)
        ]

    def close_remask(self, heard: dict[int, list[bytes]]) -> None:
        self.hands = [list(heard[seat]) for seat in range(self.rules.seats)]
        self.lay_down()

    def lay_down(self) -> None:
        self.closed = [dict(enumerate(hand)) for hand in self.hands]
        if self.rules.opening is None:
            self.play = Play(self.rules, (self.dealer + 1) % self.rules.seats)

    def close_open(self, heard: dict[int, int | None]) -> None:
        opening, dummy = self.rules.opening, self.dummy
        if opening is None:
            raise Contradiction("these rules have no opening card")
        if dummy is not None and dummy not in heard:
            cards = self.closed[dummy].items()
            heard[dummy] = next((at for at, card in cards if self.faces[card] == opening), None)
        openers = {seat: at for seat, at in heard.items() if at is not None}
        if len(openers) != 1:
            raise Contradiction(f"{len(openers)} seats have proven to hold the opening card")
        ((seat, position),) = openers.items()
        del self.closed[seat][position]
        self.play = Play(self.rules, seat)
        self.play.play(opening)

    def close_play(self, heard: dict[int, Any]) -> None:
        for seat, said in heard.items():
            if said == "claim":
                self.closed[seat].clear()
                self.state().take_rest(seat)
            else:
                position, face = said
                del self.closed[seat][position]
                self.state().play(face)

    def close_widow(self, heard: dict[int, dict[int, bytes]]) -> None:
        faces = [
            self.face(opened(self.card(at), tuple(heard[seat][at] for seat in self.keyed)))
            for at in self.widow
        ]
        self.state().open_widow(faces)

    def close_choice(self, heard: dict[int, str]) -> None:
        (self.choice,) = heard.values()

    def close_reveal(self, heard: dict[int, bool]) -> None:
        pass


class Formation:
    """Follows hand 0 (8.3); seats are places in the roster."""

    dummy = None
    complained: Sequence[int] = ()

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self.present = list(range(len(roster.entries)))
        self.rounds = ["sit", "draw"]
        self.commitments: dict[int, bytes] = {}
        self.nonces: dict[int, bytes] = {}

    def next_kind(self) -> str | None:
        return self.rounds[0] if self.rounds else None

    def speakers(self) -> list[int]:
        return self.present

    def judge(self, kind: str, body: Mapping[str, Any], seat: int, round_: int) -> str:
        if kind == "sit":
            self.commitments[seat] = body["commitment"]
            return ""
        self.nonces[seat] = body["nonce"]
        right = nonce_commitment(self.roster.hash, seat, body["nonce"]) == self.commitments[seat]
        return "" if right else "commitment"  # V92

    def close(self, absent: int | None) -> None:
        self.rounds.pop(0)

    def drawn(self) -> Drawn:
        nonces = [self.nonces[place] for place in self.present]
        return draw(self.roster.hash, self.roster.rules.hash, nonces)


# 9.2 The audit of one log.


MAX_VALUES = 256
"""So many combinations of contents are tried for a head that all acknowledged (9.2)."""
MAX_WAITING = 4096
"""So many contents may stand before what they build on (V104)."""


class Moment(NamedTuple):
    """The place of a round in the history (6.4)."""

    hand: int
    attempt: int
    round: int


class Content(NamedTuple):
    """A content whose signature held."""

    value: Mapping[str, Any]
    hash: bytes
    moment: Moment
    seat: int
    author: bytes
    kind: str
    sequence: int

    @property
    def is_ballot(self) -> bool:
        return self.kind in ("vote", "confirm")

    def body(self) -> Mapping[str, Any]:
        return decoded(KINDS[self.kind], self.value["body"])

    @property
    def decodes(self) -> bool:
        try:
            self.body()
        except Refused:
            return False
        return True


def taken(kind: str) -> tuple[str, ...]:
    """The kinds of speech that a round of a kind takes (V64, V67)."""
    lost = () if kind in ("sit", "draw", "key") else ("lost",)
    return (kind, *(("claim",) if kind == "play" else ()), *lost)


def signed_content(data: bytes) -> Content:
    """V50 to V53, but for the length that its kind may have."""
    value, content = opened_envelope(data, "Content", "content", "author")
    moment = Moment(value["hand"], value["attempt"], value["round"])
    own = value["seat"], value["author"], value["kind"], value["sequence"]
    return Content(value, digest("content", content), moment, *own)


class Fault(NamedTuple):
    """A proven fault, in the order of 6.5."""

    moment: Moment
    seat: int
    is_single: bool
    rule: str
    hashes: tuple[bytes, ...]
    author: bytes

    @property
    def id(self) -> bytes:
        return digest("fault", *sorted(self.hashes))


def fault(rule: str, *contents: Content) -> Fault:
    first = min(contents, key=lambda item: (item.moment, item.sequence, item.hash))
    hashes = tuple(item.hash for item in contents)
    is_single = rule != "two-contents"
    return Fault(first.moment, first.seat, is_single, rule, hashes, first.author)


def evidence_slot(content: Content) -> tuple[Any, ...] | None:
    """Where a content stands, so that its author signs no other one there (7.7)."""
    if not content.is_ballot:
        return content.moment, content.kind == "ack"
    try:
        ballot = content.body()["ballot"]
    except Refused:
        return None
    return content.moment, content.value["prev"], content.kind, ballot


def proven_together(*contents: Content) -> str:
    """The rule that two contents of one author prove broken by themselves, or nothing (7.7)."""
    one, two = sorted(contents, key=lambda item: item.sequence)
    if one.hash == two.hash:
        return ""
    slots = [evidence_slot(item) for item in contents]
    if slots[0] == slots[1] and slots[0] is not None:
        return "two-contents"
    step = two.sequence - one.sequence
    return "chain" if step == 0 or (step == 1 and two.value["last"] != one.hash) else ""


def opened_content(data: bytes) -> Content:
    """V50 to V53."""
    content = signed_content(data)
    if too_long(content.value) and not carries_evidence(content.value):
        raise Refused("drop")
    return content


def too_long(value: Mapping[str, Any]) -> bool:
    return len(value["body"]) > 1024 * (26 if value["kind"] == "reveal" else 24)


def carries_evidence(value: Mapping[str, Any]) -> bool:
    """Whether it is a reveal with one content of another seat, or two that prove a fault (V51)."""
    if value["kind"] != "reveal":
        return False
    try:
        contents = [signed_content(data) for data in decoded("Reveal", value["body"])["evidence"]]
    except Refused:
        return False
    if any(too_long(item.value) or item.author == value["author"] for item in contents):
        return False
    if len(contents) != 2:
        return len(contents) == 1
    one, two = contents
    is_one_part = bool(one.moment.hand) == bool(two.moment.hand)
    same = ("author", "table", "seat") if is_one_part else ("author",)
    if any(one.value[name] != two.value[name] for name in same):
        return False
    return bool(proven_together(one, two))


class Ledger:
    """V103 and V108: what contents say against each other by themselves."""

    def __init__(self) -> None:
        self.slots: dict[tuple[Any, ...], dict[bytes, Content]] = {}
        self.numbered: dict[bytes, dict[int, list[Content]]] = {}
        self.faults: list[Fault] = []

    def enter(self, content: Content) -> bool:
        """Whether a content is new and may stand in its place; others may have gone on with it."""
        ballot: object = None
        if content.is_ballot:
            try:
                ballot = content.body()["ballot"], content.value["prev"]
            except Refused:
                ballot = f"number {content.sequence}"
        kind = content.kind if content.is_ballot or content.kind == "ack" else "speech"
        slot = (content.moment, content.author, kind, ballot)
        held = self.slots.setdefault(slot, {})
        if content.hash in held:
            return False  # V58
        numbered = self.numbered.setdefault(content.author, {})
        equal = numbered.setdefault(content.sequence, [])
        twin, before = next(iter(held.values()), None), equal[:1]
        held[content.hash] = content
        equal.append(content)
        if twin is not None:
            self.faults.append(fault("two-contents", twin, content))  # V59, V78
        elif before:
            self.faults.append(fault("chain", before[0], content))  # V62
        return twin is None or (kind != "speech" and content.decodes)

    def speeches(self, moment: Moment, author: bytes) -> Mapping[bytes, Content]:
        """By hash, in the order of the log."""
        return self.slots.get((moment, author, "speech", None), {})

    def contents(self) -> Iterator[Content]:
        for held in self.slots.values():
            yield from held.values()

    def all_faults(self) -> list[Fault]:
        found = list(self.faults)
        for numbers in self.numbered.values():
            for number, items in numbers.items():
                if len(items) > 1:
                    continue
                item, last = items[0], items[0].value["last"]
                before = numbers.get(number - 1, [])
                if number == 0 and last != NONE:
                    found.append(fault("chain", item))
                elif number and before and last not in [other.hash for other in before]:
                    found.append(fault("chain", before[0], item))
        return found

    def gaps(self) -> list[bytes]:
        """V111: authors whose numbers are not all there."""
        return [author for author, numbers in self.numbered.items() if max(numbers) >= len(numbers)]


class Round:
    """One round that was reached."""

    def __init__(
        self,
        moment: Moment,
        kind: str,
        speakers: Sequence[int],
        seats: Sequence[int],
        votable: bool,
        prev: bytes,
        closing: tuple[bytes, ...] | None,
        acknowledged: tuple[bytes, ...] | None,
    ) -> None:
        self.moment, self.kind, self.prev = moment, kind, prev
        self.speakers, self.seats, self.votable = sorted(speakers), list(seats), votable
        self.closing = closing
        """The value that confirms closed it with, by speaker."""
        self.acknowledged = acknowledged
        """The value that all acknowledged, where another one was followed at first."""
        self.speeches: dict[int, bytes] = {}
        self.acks: dict[int, set[bytes]] = {}
        self.heads: dict[bytes, None] = {}
        """What all have acknowledged, the first first."""
        self.contents: list[Content] = []
        self.votes: dict[bytes, Vote] = {}
        self.confirms: dict[bytes, Confirm] = {}
        self.equals: dict[tuple[Any, ...], set[int]] = {}
        """By ballot, target and value, who has confirmed it."""
        self.equal: tuple[bytes, ...] | None = None
        """The value of the first equal confirms of all seats but the target of one ballot."""
        self.made: dict[tuple[bytes, ...], bytes] = {}
        """Heads by the contents of all speakers that make them."""
        self.lacking: dict[bytes, list[Content]] = {}
        """Votes and confirms that do not count yet, by the name of one thing that they lack."""
        self.faults: list[Fault] = []
        """What was found in it, other than by the ledger; and why nothing can follow it."""
        self.contradiction = ""

    @property
    def absent(self) -> int | None:
        """The speaker that it was closed without."""
        if self.closing is None or b"" not in self.closing:
            return None
        return self.speakers[self.closing.index(b"")]

    @property
    def head(self) -> bytes | None:
        said = dict(self.speeches)
        if self.absent is not None:
            said[self.absent] = NONE
        return None if len(said) < len(self.speakers) else self.head_of(said)

    def head_of(self, said: Mapping[int, bytes]) -> bytes:
        numbers = [*self.moment, len(said)]
        parts = [part for seat in sorted(said) for part in (u32(seat), said[seat])]
        return digest("head", self.prev, *map(u32, numbers), *parts)

    @property
    def standing(self) -> tuple[bytes, ...] | None:
        return self.acknowledged if self.closing is None else self.closing

    def acknowledge(self, seat: int, head: bytes) -> None:
        self.acks.setdefault(seat, set()).add(head)
        if all(head in self.acks.get(other, ()) for other in self.seats):
            self.heads.setdefault(head)

    @property
    def is_doubtful(self) -> bool:
        """6.4: whether all have acknowledged something, and not first what is followed."""
        head = self.head
        return head is not None and next(iter(self.heads), head) != head

    def acknowledged_by_all(self, said: Sequence[Sequence[bytes]]) -> tuple[bytes, ...] | None:
        """The contents that make the first head that all acknowledged and that can be made."""
        values: dict[bytes, tuple[bytes, ...]] = {}
        for names in islice(product(*said), MAX_VALUES):
            if names not in self.made:
                self.made[names] = self.head_of(dict(zip(self.speakers, names, strict=True)))
            values.setdefault(self.made[names], names)
        made = next((head for head in self.heads if head == self.head or head in values), None)
        return None if made is None or made == self.head else values[made]

    @property
    def is_certified(self) -> bool:
        head = self.head
        everybody = all(head in self.acks.get(seat, set()) for seat in self.seats)
        return head is not None and (self.closing is not None or everybody)

    def binds(self, seat: int) -> bool:
        """V60, V109: whether this seat's ack is part of the certificate and nobody may vote."""
        return not self.votable and seat in self.seats and self.is_certified

    def confirm(self, confirm: Confirm) -> None:
        self.confirms[confirm.name] = confirm
        key = confirm.ballot, confirm.target, confirm.value
        voters = self.equals.setdefault(key, set())
        voters.add(confirm.voter)
        if self.equal is None and len(voters) == len(self.seats) - 1:
            self.equal = confirm.value

    @property
    def targets(self) -> set[int]:
        """The seats that it was closed against."""
        return {
            target
            for (_ballot, target, value), voters in self.equals.items()
            if value == self.closing and len(voters) == len(self.seats) - 1
        }


class GoBack(Exception):  # noqa: N818 - no error
    """A round of this attempt turned out to be closed otherwise than it was followed."""


class Report(NamedTuple):
    """What the audit of one log found."""

    verdict: str
    faults: list[Fault]
    reasons: list[str]
    roster: Roster | None
    drawn: Drawn | None
    hands: list[list[int]]
    heads: dict[Moment, bytes]
    ledger: Ledger

    def players(self) -> dict[bytes, Entry]:
        """Everybody at the table, by identity."""
        entries = () if self.roster is None else self.roster.entries
        return {entry.author: entry for entry in entries}

    def winners(self) -> list[int]:
        rules = self.roster.rules if self.roster else None
        if rules is None or not match_over(rules, self.hands):
            return []
        return leaders(rules, self.hands)


def audit(log: Bytes) -> Report:
    """Section 9.2."""
    return Auditor().read(log)


class Auditor:
    """Goes through a log in order; back to the start of an attempt, if it followed it wrongly."""

    def __init__(self) -> None:
        self.closings: dict[Moment, tuple[bytes, ...]] = {}
        """What votes turned out to have closed rounds with, where other contents were followed."""
        self.acknowledged: dict[Moment, tuple[bytes, ...]] = {}
        """What all turned out to have acknowledged, likewise."""
        self.damage: list[str] = []
        self.gaps: list[str] = []
        self.faults: list[Fault] = []
        self.ledger = Ledger()
        self.has_start = False
        self.roster: Roster | None = None
        self.drawn: Drawn | None = None
        self.hands: list[list[int]] = []
        self.rounds: dict[Moment, Round] = {}
        self.current: Round | None = None
        self.part: Formation | Hand | None = None
        self.head = b""
        self.arrived: deque[Content] = deque()
        """What is looked at next: one content, and after the draw all that waited for it."""
        self.before_draw: list[Content] = []
        self.later: dict[Moment, list[Content]] = {}
        self.routed: dict[Moment, list[Content]] = {}
        """What came for each round, in the order of the log."""
        self.astray: list[Content] = []
        self.void: set[tuple[int, int]] = set()
        self.faulty: set[int] = set()
        """Seats whose speech in this attempt broke a rule."""
        self.excluded: set[int] = set()
        """Seats that a broken rule has cost their keys."""
        self.lost: set[int] = set()
        """Seats that have said in this attempt that their secret is lost."""
        self.is_broken = False

    def read(self, log: Bytes) -> Report:
        try:
            for kind, data in records(log):
                if not self.feed(kind, data):
                    break
        except Refused as refusal:
            if str(refusal) == "torn":
                self.gaps.append("the log ends within a record (V94, V95)")
            else:
                self.damage.append("the file is no log, or was damaged (V93 to V98)")
        return self.report()

    def feed(self, kind: int, data: bytes) -> bool:
        """Take in a record; False if nothing after it can be judged."""
        if not self.has_start:
            self.has_start = True
            try:
                start, _ = opened_envelope(data, "Start", "log", "owner")
            except Refused:
                start = {"protocol": None}
            if kind != 1 or start["protocol"] != 1:
                self.damage.append("no start of version 1 that its owner signed (V99)")
                return False
            return True
        if self.roster is None:
            try:
                roster = opened_roster(data)
            except Refused:
                roster = None
            if kind != 2 or roster is None:
                self.damage.append("no roster that holds (V100)")
                return False
            self.roster = roster
            self.head = digest("first-head", roster.hash)
            self.begin_formation(roster)
            return True
        try:
            content = opened_content(data)
        except Refused:
            kind = 0
        if kind != 3:
            self.damage.append("a record that is no content, or is not signed (V101)")
            return True
        self.arrived.append(content)
        while self.arrived:
            try:
                self.admit(self.arrived.popleft())
                self.settle()
            except GoBack:
                self.go_back()
        return True

    def admit(self, content: Content) -> None:
        if content.moment.hand and self.drawn is None:
            self.before_draw.append(content)
            self.limit()
        elif not self.belongs(content):
            self.damage.append("a content of another table, seat or attempt (V102)")
        elif self.ledger.enter(content):
            self.route(content)
        elif content.moment in self.rounds:
            there = self.rounds[content.moment]
            if self.fills_a_place(there, content):
                self.deliver(there, content)
            self.deliver_standing(there)
            self.follow_acks(there)

    def fills_a_place(self, there: Round, content: Content) -> bool:
        """Whether a second speech stands where its round follows, and the first was set aside."""
        is_due = content.seat in there.speakers and content.seat not in there.speeches
        is_speech = content.kind != "ack" and not content.is_ballot
        follows = content.value["prev"] == there.prev and there.standing is None
        return is_speech and is_due and follows

    def belongs(self, content: Content) -> bool:
        """V102: V54 to V56."""
        roster, drawn, seat = self.known_roster(), self.drawn, content.seat
        if content.value["version"] != 1 or seat >= len(roster.entries):
            return False
        place, table, attempts = seat, roster.hash, [roster.formation]
        if content.moment.hand and drawn is not None:
            place, table, attempts = drawn.seats[seat], drawn.table, [1, 2]
        return (
            content.value["table"] == table
            and content.author == roster.entries[place].author
            and content.moment.attempt in attempts
        )

    def known_roster(self) -> Roster:
        if self.roster is None:
            raise ValueError("contents come after the roster")
        return self.roster

    def route(self, content: Content) -> None:
        """V104."""
        moment = content.moment
        self.routed.setdefault(moment, []).append(content)
        if moment in self.rounds:
            self.deliver(self.rounds[moment], content)
        elif moment[:2] in self.void:
            pass
        elif moment < next(reversed(self.rounds)):
            self.damage.append("a content for a round that never was (V104)")
        else:
            self.later.setdefault(moment, []).append(content)
            self.limit()

    def limit(self) -> None:
        if sum(map(len, self.later.values())) + len(self.before_draw) > MAX_WAITING:
            self.damage.append("too many contents stand before what they build on (V104)")
            for moment in self.later:
                del self.routed[moment]
            self.later.clear()
            self.before_draw.clear()

    def deliver(self, target: Round, content: Content) -> None:
        """V57, V61 and V63; V105 to V107."""
        if content.value["prev"] != target.prev:
            self.astray.append(content)
            return
        target.contents.append(content)
        if content.is_ballot:
            self.deliver_ballot(target, content)
        elif content.kind != "ack" and content.seat not in target.speakers:
            target.faults.append(fault("turn", content))
        elif target.moment.hand == 0 and content.sequence != self.due_number(target, content):
            target.faults.append(fault("chain", content))
        elif content.kind == "ack":
            try:
                target.acknowledge(content.seat, content.body()["head"])
                self.follow_acks(target)
            except Refused:
                target.faults.append(fault("body", content))
        elif target.standing is not None:
            self.deliver_standing(target)
        elif content.seat not in target.speeches:
            self.deliver_speech(target, content)
            self.follow_acks(target)

    def follow_acks(self, target: Round) -> None:
        """6.4, 9.2: what all have acknowledged stands, also where another content came first."""
        if not target.is_doubtful or target.closing is not None or not self.is_followed(target):
            return
        said = [list(islice(self.said_on(target, seat), MAX_VALUES)) for seat in target.speakers]
        value = target.acknowledged_by_all(said)
        if value is not None:
            target.acknowledged = value
            self.let_stand(target, value, self.acknowledged)

    def said_on(self, target: Round, seat: int) -> Iterator[bytes]:
        for content in self.ledger.speeches(target.moment, self.author_of(target, seat)).values():
            if content.value["prev"] == target.prev:
                yield content.hash

    def let_stand(
        self,
        target: Round,
        value: tuple[bytes, ...],
        noted: dict[Moment, tuple[bytes, ...]],
    ) -> None:
        """Follow a round by what its certificate names; if need be from a note, once more."""
        for values in (self.closings, self.acknowledged):
            for moment in [moment for moment in values if moment >= target.moment]:
                del values[moment]
        noted[target.moment] = value
        standing = dict(zip(target.speakers, value, strict=True))
        if any(standing[seat] != name for seat, name in target.speeches.items()):
            raise GoBack

    def go_back(self) -> None:
        """Follow this attempt, or hand 0, again from its start, its rounds by what was noted."""
        while self.part is not None:
            part, attempt = self.part, (0, self.known_roster().formation)
            if isinstance(part, Hand):
                attempt = part.number, part.attempt
            self.head, self.is_broken = self.rounds[Moment(*attempt, 0)].prev, False
            for moment in [moment for moment in self.rounds if moment[:2] == attempt]:
                del self.rounds[moment]
            self.astray = [item for item in self.astray if item.moment[:2] != attempt]
            for moment, contents in self.routed.items():
                if moment[:2] == attempt:
                    self.later[moment] = list(contents)
            try:
                if isinstance(part, Hand):
                    self.begin_attempt(*attempt, part.dealer, part.keyless)
                else:
                    self.begin_formation(part.roster)
                self.settle()
                return
            except GoBack:
                continue

    def begin_formation(self, roster: Roster) -> None:
        self.faulty.clear()
        self.part = Formation(roster)
        self.open_round(Moment(0, roster.formation, 0))

    def due_number(self, target: Round, content: Content) -> int:
        """In hand 0 everybody speaks in every round."""
        return 2 * list(self.rounds).index(target.moment) + (content.kind == "ack")

    def deliver_speech(self, target: Round, content: Content) -> None:
        """V66."""
        rule = self.judge(target, content)
        target.speeches[content.seat] = content.hash
        if rule:
            target.faults.append(fault(rule, content))
            self.faulty.add(content.seat)
            self.is_broken = self.is_broken or target.moment.hand == 0

    def judge(self, target: Round, content: Content) -> str:
        if content.kind not in taken(target.kind) or self.part is None:
            return "kind"  # V64, V67
        try:
            body = content.body()
        except Refused:
            return "body"  # V65
        if content.kind == "lost":
            self.lost.add(content.seat)
            return ""
        rule = self.part.judge(content.kind, body, content.seat, content.moment.round)
        if not rule and content.kind == "reveal" and body["evidence"]:
            return self.judge_evidence(target, content, body["evidence"])
        return rule

    # 7.7 Evidence.

    def judge_evidence(self, target: Round, accuser: Content, evidence: Sequence[bytes]) -> str:
        """V83 and V84."""
        contents: list[Content] = []
        for data in evidence:
            try:
                contents.append(opened_content(data))
            except Refused:
                return "evidence"
        if not all(map(self.belongs, contents)):
            return "evidence"
        if len({item.author for item in contents} | {accuser.author}) != 2:
            return "evidence"
        rule = self.proven(contents, accuser.moment)
        if not rule:
            return "evidence"
        target.faults.append(fault(rule, *contents))
        self.faulty.add(self.seat_of(contents[0]))
        return ""

    def seat_of(self, content: Content) -> int:
        """The seat that what was said is held against: of the draw, what its author drew there."""
        if content.moment.hand or self.drawn is None:
            return content.seat
        return self.drawn.seats.index(content.seat)

    def proven(self, contents: Sequence[Content], before: Moment) -> str:
        """The rule that one or two contents of one author prove broken, or nothing."""
        if len(contents) == 1:
            return self.proven_alone(contents[0], before)
        return proven_together(*contents)

    def proven_alone(self, content: Content, before: Moment) -> str:
        if content.sequence == 0 and content.value["last"] != NONE:
            return "chain"
        if content.is_ballot or content.kind == "ack":
            return "" if content.decodes else "body"
        if content.moment not in self.rounds or content.moment >= before:
            return ""
        there = self.rounds[content.moment]
        is_due = content.value["prev"] != there.prev or content.seat in there.speakers
        return "" if is_due else "turn"

    # 7.4 Votes and confirms.

    def deliver_ballot(self, target: Round, content: Content) -> None:
        if not target.votable or content.seat not in target.seats:
            target.faults.append(fault("ballot", content))  # V77
            return
        self.count_ballots(target, content)
        value = target.equal
        if value is None or target.closing is not None or target.is_certified:
            return  # 7.4: the first certificate stands.
        target.closing = value
        if self.is_followed(target):
            self.let_stand(target, value, self.closings)

    def is_followed(self, target: Round) -> bool:
        """Whether a round is of the attempt that is played now: what is over stays as it was."""
        hand, attempt, _round = target.moment
        if hand == 0:
            return isinstance(self.part, Formation)
        if len(self.hands) >= hand:
            return False
        return isinstance(self.part, Hand) and (self.part.number, self.part.attempt) == (
            hand,
            attempt,
        )

    def deliver_standing(self, target: Round) -> None:
        """What a round was closed with counts, also where its author said something else first."""
        if target.standing is None:
            return
        for seat, name in zip(target.speakers, target.standing, strict=True):
            said = self.ledger.speeches(target.moment, self.author_of(target, seat))
            if name in said and seat not in target.speeches:
                self.deliver_speech(target, said[name])

    def author_of(self, target: Round, seat: int) -> bytes:
        place = self.drawn.seats[seat] if target.moment.hand and self.drawn else seat
        return self.known_roster().entries[place].author

    def count_ballots(self, target: Round, content: Content) -> None:
        """Count a vote or a confirm, and then what has waited for it; or let it wait."""
        ready = deque([content])
        while ready:
            item = ready.popleft()
            try:
                body = item.body()
            except Refused:
                target.faults.append(fault("body", item))
                continue
            missing = self.missing(target, item, body)
            if missing:
                target.lacking.setdefault(missing, []).append(item)
            elif self.counts(target, item, body):
                ready.extend(target.lacking.pop(item.hash, ()))
            else:
                target.faults.append(fault("ballot", item))

    def missing(self, target: Round, content: Content, body: Mapping[str, Any]) -> bytes:
        """The first of what a vote or a confirm names that is not here."""
        if content.kind == "vote":
            lock: bytes = body["lock"]
            return b"" if lock in target.confirms else lock
        return next((name for name in body["votes"] if name not in target.votes), b"")

    def counts(self, target: Round, content: Content, body: Mapping[str, Any]) -> bool:
        """V77, V79, V80, once all is here that it names."""
        name, seat, ballot, aim = content.hash, content.seat, body["ballot"], body["target"]
        shape = (target.seats, target.speakers)
        if content.kind == "vote":
            lock = target.confirms.get(body["lock"])
            vote = Vote(name, seat, ballot, aim, body["opener"], tuple(body["view"]), lock)
            if not sound_vote(vote, *shape):
                return False
            target.votes[name] = vote
            return True
        votes = tuple(target.votes[other] for other in body["votes"])
        confirm = Confirm(name, seat, ballot, aim, tuple(body["value"]), votes)
        if not sound_confirm(confirm, *shape):
            return False
        target.confirm(confirm)
        return True

    # From round to round.

    def settle(self) -> None:
        while self.current is not None:
            done = self.current
            self.deliver_standing(done)
            if done.head is None or (self.ends_attempt(done) and not done.is_certified):
                return
            self.current, self.head = None, done.head
            if self.is_broken:
                return
            try:
                self.go_on(done)
            except Contradiction as error:
                self.is_broken = True
                done.contradiction = f"proofs contradict each other: {error}"

    def ends_attempt(self, done: Round) -> bool:
        """Whether another attempt or hand follows; then only a certificate ends the round."""
        part = self.part
        if not isinstance(part, Hand):
            return done.kind == "draw"
        if done.kind in BEFORE_CARDS and self.absent(done, part) is not None:
            return True
        is_last = done.kind == "shuffle" and part.done["shuffle"] == len(part.keyed) - 1
        return part.next_kind() is None or (is_last and bool(self.faulty))

    def go_on(self, done: Round) -> None:
        part, (hand, attempt, number) = self.part, done.moment
        if isinstance(part, Hand) and part.next_kind() is None:
            self.end_hand(part)
            return
        if isinstance(part, Hand):
            absent = self.absent(done, part)
            if absent is not None and self.misses_two(done, part, absent):
                self.is_broken = True
                return
            if absent is not None and done.kind in BEFORE_CARDS:
                self.begin_anew(part, absent)
                return
            part.close(absent)
            if done.kind == "shuffle" and part.next_kind() != "shuffle" and self.faulty:
                if part.dummy is None:
                    self.begin_anew(part, min(self.faulty))
                else:
                    self.is_broken = True
                return
        elif part is not None:
            part.close(None)
        if part is not None and part.next_kind() is not None:
            self.open_round(Moment(hand, attempt, number + 1))
        elif isinstance(part, Formation):
            self.drawn = part.drawn()
            self.arrived.extend(self.before_draw)
            self.before_draw.clear()
            self.begin_hand(1, self.drawn.dealer)
        else:
            self.current = done  # The hand is complete; it ends with the certificate.

    def end_hand(self, part: Hand) -> None:
        scores = part.scores()
        if scores is None:
            raise Contradiction("a hand ended without scores")
        rules = self.known_roster().rules
        self.hands.append(scores)
        self.excluded |= self.faulty
        if len(self.excluded) > 1:
            self.is_broken = True
        elif not match_over(rules, self.hands):
            self.begin_hand(part.number + 1, (part.dealer + 1) % rules.seats)

    def absent(self, done: Round, part: Hand) -> int | None:
        """Whom a round is closed without: by vote, by its own fault, V76 among them, or lost."""
        if done.absent is not None:
            return done.absent
        if done.kind == "reveal" and part.dummy is not None:
            return None
        if done.kind in ("shuffle", "reveal"):
            return min(self.lost, default=None)
        guilty = min(part.complained, default=None)
        if done.kind == "seals" and guilty is not None and guilty not in self.faulty:
            rounds = [item for item in self.rounds.values() if item.moment[:2] == done.moment[:2]]
            escrow = next(item for item in rounds if item.kind == "escrow")
            said = self.ledger.speeches(escrow.moment, self.author_of(escrow, guilty))
            done.faults.append(fault("seal", said[escrow.speeches[guilty]]))
            self.faulty.add(guilty)
        return min((self.faulty | self.lost) - {part.dummy}, default=None)

    def misses_two(self, done: Round, part: Hand, absent: int) -> bool:
        """7.1: whether nothing can be concluded, since another seat is missing as well."""
        if part.dummy is not None:
            return True
        has_cards = done.kind not in (*BEFORE_CARDS, "reveal")
        return has_cards and bool((self.faulty | self.lost) - {absent})

    def begin_anew(self, part: Hand, keyless: int) -> None:
        """7.1: attempt 2 of a hand."""
        self.excluded |= self.faulty
        self.void.add((part.number, 1))
        for moment in [moment for moment in self.later if moment[:2] in self.void]:
            del self.later[moment]
        self.astray = [content for content in self.astray if content.moment[:2] not in self.void]
        self.begin_attempt(part.number, 2, part.dealer, keyless)

    def begin_hand(self, number: int, dealer: int) -> None:
        self.begin_attempt(number, 1, dealer, min(self.excluded, default=None))

    def begin_attempt(self, number: int, attempt: int, dealer: int, keyless: int | None) -> None:
        roster, drawn = self.known_roster(), self.drawn
        if drawn is None:
            raise Contradiction("a hand before the draw")
        keys = tuple(roster.entries[place].table_key for place in drawn.seats)
        setting = Setting(drawn.table, roster.rules, keys)
        self.faulty, self.lost = set(), set()
        self.part = Hand(setting, number, attempt, dealer, keyless, tuple(self.hands))
        self.open_round(Moment(number, attempt, 0))

    def open_round(self, moment: Moment) -> None:
        part = self.part
        kind = None if part is None else part.next_kind()
        if part is None or kind is None:
            raise Contradiction("no round is due")
        everybody = list(range(len(self.known_roster().entries)))
        votable = moment.hand > 0 and part.present == everybody
        noted = self.closings.get(moment), self.acknowledged.get(moment)
        opened_ = Round(moment, kind, part.speakers(), part.present, votable, self.head, *noted)
        self.rounds[moment] = self.current = opened_
        self.deliver_standing(opened_)
        for content in self.later.pop(moment, []):
            self.deliver(opened_, content)
        taken = {content.hash for content in opened_.contents}
        for seat in opened_.speakers:  # What came second, before the round was reached.
            for content in self.ledger.speeches(moment, self.author_of(opened_, seat)).values():
                if content.hash not in taken and self.fills_a_place(opened_, content):
                    self.deliver(opened_, content)

    # At the end.

    def report(self) -> Report:
        self.judge_astray()
        if not self.has_start or self.roster is None:
            self.gaps.append("the log holds nothing that could be judged")
        else:
            self.account(self.roster)
        found: dict[tuple[bytes, str], Fault] = {}
        in_rounds = [one for item in self.rounds.values() for one in item.faults]
        for one in [*in_rounds, *self.faults, *self.ledger.all_faults()]:
            found.setdefault((one.id, one.rule), one)
        faults = sorted(found.values())
        self.damage += [item.contradiction for item in self.rounds.values() if item.contradiction]
        verdict = "incomplete" if self.gaps else "clean"
        verdict = "unreadable" if self.damage else verdict
        verdict = "fault" if faults else verdict
        open_hands = [item.moment.hand for item in self.rounds.values() if not item.is_certified]
        certified = max(0, min([len(self.hands), *(hand - 1 for hand in open_hands)]))
        heads = {
            moment: item.head or b"" for moment, item in self.rounds.items() if item.is_certified
        }
        reasons = [*self.damage, *self.gaps]
        hands = self.hands[:certified]
        return Report(verdict, faults, reasons, self.roster, self.drawn, hands, heads, self.ledger)

    def judge_astray(self) -> None:
        """V109."""
        moments = list(self.rounds)
        for content in self.astray:
            at = moments.index(content.moment)
            self.gaps.append("a content builds on a history that is not there (V109)")
            if content.kind == "ack" or content.is_ballot:
                continue
            before = self.rounds[moments[at - 1]] if at else None
            if before is None or (before.kind != "shuffle" and before.binds(content.seat)):
                self.faults.append(fault("previous", content))

    def account(self, roster: Roster) -> None:
        """V110 to V113."""
        targets: set[bytes] = set()
        for item in self.rounds.values():
            if not item.is_certified:
                self.gaps.append(
                    f"hand {item.moment.hand}, round {item.moment.round} ({item.kind}) "
                    "has no certificate (V110)"
                )
            targets |= {self.author_of(item, target) for target in item.targets}
        if self.later or self.before_draw:
            if self.current is not None:
                self.gaps.append("contents wait for their place (V112)")
            elif not self.is_broken:
                self.damage.append("contents for rounds after the match (V112)")
        if not match_over(roster.rules, self.hands):
            self.gaps.append("the match is not over (V113)")
        for author in self.ledger.gaps():
            if author not in targets:
                self.gaps.append("numbers of an author are missing (V111)")


# 9.3 Several logs.

GRAVEST = ("fault", "unreadable", "disagree", "incomplete", "clean")
EXIT_CODES = {"clean": 0, "fault": 1, "unreadable": 2, "disagree": 2, "incomplete": 3}


class Judgement(NamedTuple):
    """The verdict on logs, and all faults with the reports that know their players."""

    verdict: str
    faults: list[Fault]
    reports: list[Report]

    @property
    def fullest(self) -> Report:
        return max(self.reports, key=lambda report: len(report.hands))


def judge_logs(logs: Sequence[Bytes]) -> Judgement:
    tables = judge_tables([audit(log) for log in logs])
    faults = {(item.id, item.rule): item for table in tables for item in table.faults}
    reports = [report for table in tables for report in table.reports]
    return Judgement(
        the_gravest({table.verdict for table in tables}), sorted(faults.values()), reports
    )


def judge_tables(reports: Sequence[Report]) -> list[Judgement]:
    """What tells no table is of the only one that others tell, or else by itself."""
    rosters = {report.roster.hash for report in reports if report.roster is not None}
    only = next(iter(rosters)) if len(rosters) == 1 else None
    tables: dict[object, list[Report]] = {}
    for number, report in enumerate(reports):
        lost = number if len(rosters) > 1 else only
        tables.setdefault(lost if report.roster is None else report.roster.hash, []).append(report)
    return [judge_table(table) for table in tables.values()]


def the_gravest(verdicts: set[str]) -> str:
    return next(name for name in GRAVEST if name in verdicts)


def judge_table(reports: Sequence[Report]) -> Judgement:
    verdicts = {report.verdict for report in reports}
    found = {(item.id, item.rule): item for report in reports for item in report.faults}
    usable = [report for report in reports if report.roster is not None]
    if len(usable) > 1:
        ledger = Ledger()
        for report in usable:
            for content in report.ledger.contents():
                ledger.enter(content)
        for item in ledger.all_faults():
            found.setdefault((item.id, item.rule), item)
        if any(differ(one, other) for one in usable for other in usable):  # V114
            verdicts.add("disagree")
        held = [{content.hash for content in report.ledger.contents()} for report in usable]
        if any(own != held[0] for own in held):  # V115
            verdicts.add("incomplete")
    faults = sorted(found.values())
    if faults:
        verdicts.add("fault")
    return Judgement(the_gravest(verdicts), faults, list(reports))


def differ(one: Report, other: Report) -> bool:
    if one.drawn and other.drawn and one.drawn.table != other.drawn.table:
        return True
    both = one.heads.keys() & other.heads.keys()
    hands = min(len(one.hands), len(other.hands))
    return (
        any(one.heads[moment] != other.heads[moment] for moment in both)
        or one.hands[:hands] != other.hands[:hands]
    )


# Appendix B. What the vectors ask.


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


def place_in(given: Value, name: str = "context") -> Place:
    place = given[name]
    numbers = (place["hand"], place["attempt"], place["round"], place["seat"])
    return Place(raw(place["table"]), raw(place["rules"]), *numbers)


def own_in(given: Value) -> Own:
    return Own(raw(given["z"]), place_in(given))


def cards_in(text: str) -> tuple[bytes, ...]:
    """Ciphertexts, each of which decodes."""
    data = raw(text)
    deck_points(data)
    return tuple(pieces(data, len(data) // 64, 64))


def passed(flaw: str, result: object = True) -> object:
    if flaw:
        raise Refused(flaw)
    return result


def fields(names: str, values: Sequence[bytes]) -> Value:
    """Made bytes by name."""
    return {name: value.hex() for name, value in zip(names.split(), values, strict=True)}


def plain(value: Any) -> Any:
    """A decoded value as JSON has it."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def op_transcript(given: Value) -> object:
    transcript = Transcript(place_in(given), given["label"])
    out: list[object] = []
    for step in given["steps"]:
        if step["do"] == "absorb":
            transcript.absorb(step["label"], *map(raw, step["parts"]))
        elif step["do"] == "challenge":
            out.append(scalar_bytes(transcript.challenge(step["label"])).hex())
        elif step["do"] == "challenges":
            drawn = transcript.challenges(step["label"], step["count"])
            out.append([scalar_bytes(each).hex() for each in drawn])
        else:
            out.append(transcript.digest().hex())
    return out


def stated_in(given: Value) -> Statement:
    equations = [
        (
            point(raw(item["image"])),
            [(term["secret"], point(raw(term["base"]))) for term in item["terms"]],
        )
        for item in given["equations"]
    ]
    return Transcript(place_in(given), given["label"]), equations


def op_prove_relation(given: Value) -> object:
    witness = [scalar(raw(data)) for data in given["witness"]]
    return prove(stated_in(given), witness, own_in(given).nonce(given["label"])).hex()


def op_fold_batch(given: Value) -> object:
    transcript = Transcript(place_in(given), given["label"])
    bases, images = ([point(raw(data)) for data in given[name]] for name in ("bases", "images"))
    equation = folded(transcript, point(raw(given["public"])), bases, images)[1]
    return {"base": encoded(equation[1][0][1]).hex(), "image": encoded(equation[0]).hex()}


def op_encrypt(given: Value) -> object:
    s, message = scalar(raw(given["factor"])), point(raw(given["message"]))
    key = point(raw(given["key"]))
    return all_encoded([times(s, G), plus(message, dot([(s, key)]))]).hex()


def op_cards(given: Value) -> object:
    rules = rules_of(given["rule_set"])
    return [
        [face, rules.class_of(face), encoded(rules.points[face]).hex()]
        for face in dict.fromkeys(rules.pack)
    ]


def op_check_shuffle(given: Value, label: str, key: str, flaw: str) -> object:
    before, deck = raw(given["before"]), raw(given["deck"])
    element(raw(given[key]))
    broken = check_mix(place_in(given), label, raw(given[key]), before, deck, raw(given["proof"]))
    return passed(flaw if broken and broken != "malformed" and flaw else broken)


def op_make_mix(given: Value, label: str, key: str) -> object:
    made = make_mix(own_in(given), label, raw(given[key]), raw(given["before"]))
    return fields("deck proof", made)


def op_check_shares(given: Value) -> object:
    shares, positions = raw(given["shares"]), tuple(given["positions"])
    place, public, deck = place_in(given), raw(given["public"]), raw(given["deck"])
    deck_points(deck)
    flaw = check_shares(place, public, deck, positions, shares, raw(given["proof"]))
    return passed(flaw, given["shares"])


def op_remask_input(given: Value) -> object:
    hand, out = cards_in(given["hand"]), given["positions"]
    kept = [card for at, card in enumerate(hand) if at not in out]
    return b"".join([*kept, *cards_in(given["received"])]).hex()


def op_make_play(given: Value) -> object:
    (played,), rest = cards_in(given["played"]), cards_in(given["remaining"])
    made = make_play(
        own_in(given),
        raw(given["public"]),
        rules_of(given["rule_set"]),
        played,
        given["card"],
        rest,
        tuple(given["remaining_cards"]),
        given["claim"],
    )
    return fields("proof", made)


def op_check_play(given: Value) -> object:
    (played,), rest = cards_in(given["played"]), cards_in(given["remaining"])
    public, rules = raw(given["public"]), rules_of(given["rule_set"])
    said = (given["card"], rest, given["claim"], raw(given["proof"]))
    element(public)
    return passed(check_play(place_in(given), public, rules, played, *said))


def op_no_opening(given: Value) -> object:
    hand, public = cards_in(given["hand"]), raw(given["public"])
    if "z" in given:
        faces = tuple(given["cards"])
        rules = rules_of(given["rule_set"])
        return fields("proof", make_no_opening(own_in(given), public, rules, hand, faces))
    element(public)
    return passed(check_no_opening(place_in(given), public, hand, raw(given["proof"])))


def op_claim(given: Value) -> object:
    held, faces = cards_in(given["remaining"]), tuple(given["cards"])
    public, rules = raw(given["public"]), rules_of(given["rule_set"])
    if "z" in given:
        return fields("proof", make_claim(own_in(given), public, rules, held, faces))
    element(public)
    return passed(check_claim(place_in(given), public, rules, held, faces, raw(given["proof"])))


def op_play_hand(given: Value) -> object:
    rules, leader = rules_of(given["rule_set"]), given["leader"]
    play = Play(rules, (given["dealer"] + 1) % rules.seats if leader is None else leader)
    told: list[object] = []
    for face in given["plays"]:
        if play.turn is None:
            raise Refused("turn")
        said = claim_of(rules, face, play.now)
        told.append([play.turn, said, None if said is None else broken_rule(play, face)])
        if not play.left[face] or (
            rules.opening not in (None, face) and play.left == Counter(rules.pack)
        ):
            raise Refused("card")
        play.play(face)
        if play.widow_due:
            play.open_widow(given["widow"])
    result: Value = {"plays": told}
    if play.is_over:
        result["taken"] = [sorted(faces) for faces in play.taken]
        result["scores"] = scored(rules, play.taken, [])
    return result


def op_claim_rest(given: Value) -> object:
    """5.4: the seat in turn claims the rest, after all plays."""
    rules, leader = rules_of(given["rule_set"]), given["leader"]
    play = Play(rules, (given["dealer"] + 1) % rules.seats if leader is None else leader)
    for face in given["plays"]:
        play.play(face)
        if play.widow_due:
            play.open_widow(given["widow"])
    seat = play.turn
    if seat is None or not play.claim_stands(seat, given["hand"]):
        raise Refused("claim")
    play.take_rest(seat)
    return {"seat": seat, "scores": scored(rules, play.taken, [])}


def hands_in(given: Value) -> list[list[int]]:
    """The scores of hands that a match has room for (V112)."""
    rules, hands = rules_of(given["rule_set"]), [item["scores"] for item in given["hands"]]
    if any(match_over(rules, hands[:count]) for count in range(len(hands))):
        raise Refused("unreadable")
    return hands


def op_score_hand(given: Value) -> object:
    taken = [item["cards"] for item in given["taken"]]
    return scored(rules_of(given["rule_set"]), taken, hands_in(given), given["choice"] or "")


def op_end_match(given: Value) -> object:
    rules, hands = rules_of(given["rule_set"]), hands_in(given)
    if not match_over(rules, hands):
        raise Refused("incomplete")
    return {"totals": sums(rules, hands), "winners": leaders(rules, hands)}


def op_decode(given: Value) -> object:
    return plain(dict(decoded(given["struct"], raw(given["bytes"]))))


def long_in(given: Value) -> bytes:
    return b"".join(raw(run["bytes"]) * run["times"] for run in given["runs"])


def op_decode_long(given: Value) -> object:
    data = long_in(given)
    decoded(given["struct"], data)
    return len(data)


def op_seal(given: Value) -> object:
    private, head = raw(given["private"]), given["content"]
    author, _ = sign(private, b"")
    binary = ("table", "last", "prev", "body")
    value = {
        name: author if name == "author" else raw(head[name]) if name in binary else head[name]
        for name in STRUCTS["Content"]
    }
    content = encode("Content", value)
    _, signature = sign(private, digest("sign content", content))
    envelope = encode("Envelope", {"content": content, "signature": signature})
    hash_ = digest("content", content)
    return fields("author content hash envelope", [author, content, hash_, envelope])


def op_open_envelope(given: Value) -> object:
    content = opened_content(raw(given["envelope"]) if "envelope" in given else long_in(given))
    return {"author": content.author.hex(), "hash": content.hash.hex(), "kind": content.kind}


def op_take_content(given: Value) -> object:
    content, kind = opened_content(raw(given["envelope"])), given["round"]
    ballots = () if kind in ("sit", "draw") else ("vote", "confirm")
    if content.kind not in (*taken(kind), "ack", *ballots):
        raise Refused("kind")
    if not content.decodes:
        raise Refused("body")
    return {"kind": content.kind, "body": plain(dict(content.body()))}


def op_open_lobby(given: Value, name: str, domain: str) -> object:
    return encode(name, opened_lobby(raw(given["envelope"]), name, domain)).hex()


def op_open_roster(given: Value) -> object:
    roster = opened_roster(raw(given["envelope"]))
    return {
        "hash": roster.hash.hex(),
        "rules_hash": roster.rules.hash.hex(),
        "formation": roster.formation,
        "identities": [entry.author.hex() for entry in roster.entries],
        "nicks": [entry.nick for entry in roster.entries],
    }


def op_next_head(given: Value) -> object:
    contents = sorted(given["contents"], key=lambda item: int(item["seat"]))
    numbers = [given["hand"], given["attempt"], given["round"], len(contents)]
    parts = [part for item in contents for part in (u32(item["seat"]), raw(item["hash"]))]
    return digest("head", raw(given["prev"]), *map(u32, numbers), *parts).hex()


def op_hash_rules(given: Value) -> object:
    if bad_rules(given["rule_set"]):
        raise Refused("refused")
    return hash_rules(given["rule_set"]).hex()


def op_draw(given: Value) -> object:
    drawn = draw(raw(given["roster"]), raw(given["rules"]), list(map(raw, given["nonces"])))
    return {
        "table": drawn.table.hex(),
        "seats": drawn.seats,
        "cards": drawn.cards,
        "dealer": drawn.dealer,
        "phrase": phrase(drawn.table),
    }


def op_table_key(given: Value) -> object:
    owner = (raw(given["instance"]), raw(given["author"]), raw(given["curve"]))
    if "secret" in given:
        return fields("table_key table_proof", make_table_key(raw(given["secret"]), *owner))
    holds_ = check_table_key(raw(given["table_key"]), raw(given["table_proof"]), *owner)
    return passed("" if holds_ else "drop", given["table_key"])


def op_make_start(given: Value) -> object:
    private = raw(given["private"])
    owner, _ = sign(private, b"")
    start = {
        "program": given["program"],
        "protocol": 1,
        "owner": owner,
        "created": given["created"],
    }
    content = encode("Start", start)
    _, signature = sign(private, digest("sign log", content))
    return encode("Envelope", {"content": content, "signature": signature}).hex()


def op_open_start(given: Value) -> object:
    try:
        start, _ = opened_envelope(raw(given["data"]), "Start", "log", "owner")
    except Refused:
        raise Refused("unreadable") from None
    return start["owner"].hex()


def op_check_code(given: Value) -> object:
    code, _secret = read_code(given["typed"])
    return passed("" if code[:14] == join_code(raw(given["author"])) else "refused")


def op_make_log(given: Value) -> object:
    return written_log([(item["kind"], raw(item["data"])) for item in given["records"]]).hex()


def records_in(given: Value) -> list[tuple[int, bytes]]:
    return [
        (item["kind"], base64.b64decode(item["base64"]))
        for item in given["records"]
        for _ in range(item.get("times", 1))
    ]


def logs_in(given: Value) -> list[Report]:
    """A log of some records, and others of the same records beside it."""
    items = records_in(given)
    return [audit(written_log(kept(items, one.get("drop", [])))) for one in (given, *beside(given))]


def beside(given: Value) -> list[Value]:
    return list(given.get("beside") or [])


def kept(items: Sequence[tuple[int, bytes]], dropped: Sequence[int]) -> list[tuple[int, bytes]]:
    return [item for number, item in enumerate(items) if number not in dropped]


def op_follow(given: Value) -> object:
    """What is found in logs, and how far the game of the first one can be followed."""
    reports = logs_in(given)
    tables = judge_tables(reports)
    players = {key: entry for report in reports for key, entry in report.players().items()}
    result = {
        "verdict": the_gravest({table.verdict for table in tables}),
        "faults": [
            [item.rule, players[item.author].nick] for table in tables for item in table.faults
        ],
        "heads": [[*moment, head.hex()] for moment, head in sorted(reports[0].heads.items())],
    }
    told = {"tables": [table.verdict for table in tables]} if "beside" in given else {}
    return {**result, **told}


def op_follow_to(given: Value) -> object:
    reports = logs_in(given)
    found = judge_table(reports)
    refuse_faults(reports[0], found.faults)
    head = reports[0].heads.get(Moment(*given["round"]))
    if head is None or found.verdict == "disagree":
        raise Refused(found.verdict)
    return head.hex()


def refuse_faults(report: Report, faults: Sequence[Fault]) -> None:
    if faults:
        nick = report.players()[faults[0].author].nick
        raise Refused(f"fault {faults[0].rule} by {nick}")


def vector_records(given: Value, items: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Some first records, some of them left out, and contents appended."""
    appended = [(3, raw(data)) for data in given["append"]]
    return [*kept(items[: given["keep"]], given["drop"]), *appended]


def vector_log(given: Value) -> bytes:
    """The log that a vector of a whole match describes."""
    log = written_log(vector_records(given, records_in(given)))
    at, cut = given["flip"], given["cut"]
    if at is not None:
        log = log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]
    return log if cut is None else log[:cut]


def op_audit(given: Value) -> object:
    report, items = audit(vector_log(given)), records_in(given)
    others = [audit(written_log(vector_records(one, items))) for one in beside(given)]
    found = judge_table([report, *others])
    refuse_faults(report, found.faults)
    if found.verdict != "clean" or report.roster is None or report.drawn is None:
        raise Refused(found.verdict)
    rules = report.roster.rules
    return {
        "roster": report.roster.hash.hex(),
        "table": report.drawn.table.hex(),
        "phrase": phrase(report.drawn.table),
        "players": [report.roster.entries[place].nick for place in report.drawn.seats],
        "dealer": report.drawn.dealer,
        "scores": report.hands,
        "totals": sums(rules, report.hands),
        "winners": report.winners(),
    }


def keys_in(given: Value) -> Keys:
    return tuple((item["seat"], raw(item["key"])) for item in given["keys"])


def escrow_in(given: Value) -> Escrow:
    """An escrow whose checks hold."""
    place, keys = place_in(given), keys_in(given)
    publics, seals = raw(given["publics"]), raw(given["seals"])
    passed(check_escrow(place, raw(given["public"]), keys, publics, seals))
    return Escrow(place, keys, publics, seals)


def op_open_seal(given: Value) -> object:
    escrow, seat = escrow_in(given["escrow"]), given["seat"]
    t = table_secret(raw(given["secret"]), b"t", raw(given["instance"]))
    y = escrow.opens(seat, dot([(t, element(escrow.seal(seat)[0]))]))
    return None if y is None else scalar_bytes(y).hex()


def op_make_complaint(given: Value) -> object:
    secret, instance = raw(given["secret"]), raw(given["instance"])
    made = make_complaint(secret, instance, place_in(given), escrow_in(given["escrow"]))
    return fields("point proof", made)


def op_check_complaint(given: Value) -> object:
    escrow, place = escrow_in(given["escrow"]), place_in(given)
    return passed(check_complaint(place, escrow, raw(given["point"]), raw(given["proof"])))


def op_make_opening(given: Value) -> object:
    y, cards = scalar(raw(given["share"])), cards_in(given["cards"])
    return fields("points proof", make_opening(own_in(given), given["owner"], y, cards))


def op_check_opening(given: Value) -> object:
    place, owner, share = place_in(given), given["owner"], raw(given["public"])
    said = (raw(given["points"]), raw(given["proof"]))
    flaw = check_opening(place, owner, share, cards_in(given["cards"]), *said)
    return passed(flaw, given["points"])


def ballots_in(given: Value) -> tuple[dict[str, Vote], dict[str, Confirm]]:
    """Votes and confirms by name; each names earlier ones only."""
    votes: dict[str, Vote] = {}
    confirms: dict[str, Confirm] = {}
    for item in given["said"]:
        name = item["name"]
        head = (raw(name), item["voter"], item["ballot"], item["target"])
        if "votes" in item:
            named = tuple(votes[vote] for vote in item["votes"])
            confirms[name] = Confirm(*head, tuple(map(raw, item["value"])), named)
        else:
            lock = confirms[item["lock"]] if item["lock"] else None
            votes[name] = Vote(*head, item["opener"], tuple(map(raw, item["view"])), lock)
    return votes, confirms


def op_decide(given: Value) -> object:
    ballot, target, speakers = given["ballot"], given["target"], given["speakers"]
    votes = [
        vote
        for vote in ballots_in(given)[0].values()
        if (vote.ballot, vote.target) == (ballot, target)
    ]
    value = decided(target, votes, speakers)
    accused = accused_by(target, votes, speakers) if value is None else None
    return {"value": None if value is None else plain(list(value)), "accused": accused}


def op_check_vote(given: Value) -> object:
    *_, vote = ballots_in(given)[0].values()
    return passed("" if sound_vote(vote, given["seats"], given["speakers"]) else "ballot")


def op_check_confirm(given: Value) -> object:
    *_, confirm = ballots_in(given)[1].values()
    return passed("" if sound_confirm(confirm, given["seats"], given["speakers"]) else "ballot")


def op_dummy_pass(given: Value) -> object:
    hand, rules = given["hand"], rules_of(given["rule_set"])
    chosen = dummy_pass(rules, hand)
    if len(chosen) != rules["pass_count"]:
        raise Refused("pass-positions")
    return sorted(hand[at] for at in chosen)


def op_dummy_card(given: Value) -> object:
    play = Play(rules_of(given["rule_set"]), given["leader"])
    for face in given["plays"]:
        if not play.left[face]:
            raise Refused("card")
        play.play(face)
    if not given["hand"]:
        raise Refused("card")
    card = dummy_card(play, given["hand"])
    if not play.left[card]:
        raise Refused("card")
    return card


Operation = Callable[[Value], object]

OPERATIONS: dict[str, Operation] = {
    "frame": lambda given: frame(*map(raw, given["parts"])).hex(),
    "digest": lambda given: digest(given["domain"], *map(raw, given["parts"])).hex(),
    "decode element": lambda given: encoded(element(raw(given["bytes"]))).hex(),
    "decode elements": lambda given: [
        encoded(p).hex() for p in elements(raw(given["bytes"]), given["count"])
    ],
    "decode scalar": lambda given: scalar_bytes(scalar(raw(given["bytes"]))).hex(),
    "multiply": lambda given: encoded(
        dot([(scalar(raw(given["scalar"])), point(raw(given["element"])))])
    ).hex(),
    "add": lambda given: encoded(plus(point(raw(given["left"])), point(raw(given["right"])))).hex(),
    "generator": lambda given: encoded(generator(raw(given["label"]))).hex(),
    "cards": op_cards,
    "encrypt": op_encrypt,
    "context": lambda given: place_in(given).context().hex(),
    "transcript": op_transcript,
    "prove relation": op_prove_relation,
    "verify relation": lambda given: passed(
        "" if holds(stated_in(given), given["secrets"], raw(given["proof"])) else "proof"
    ),
    "fold batch": op_fold_batch,
    "derive": lambda given: [
        scalar_bytes(each).hex()
        for each in own_in(given).scalars(
            given["label"], given["count"], inputs(*map(raw, given["depends"]))
        )
    ],
    "permutation": lambda given: own_in(given).permutation(
        given["count"], given["label"], inputs(*map(raw, given["depends"]))
    ),
    "nonce": lambda given: scalar_bytes(
        own_in(given).nonce(given["label"])(raw(given["digest"]), given["index"])
    ).hex(),
    "secret key": lambda given: scalar_bytes(own_in(given).x()).hex(),
    "commit": lambda given: own_in(given).commitment().hex(),
    "check reveal": lambda given: passed(
        ""
        if len(raw(given["z"])) == 32 and own_in(given).commitment() == raw(given["commitment"])
        else "reveal-commitment"
    ),
    "make key": lambda given: fields("commitment public proof", make_key(own_in(given))),
    "check key": lambda given: passed(
        check_key(
            place_in(given), raw(given["commitment"]), raw(given["public"]), raw(given["proof"])
        ),
        given["public"],
    ),
    "joint key": lambda given: joint_key(list(map(raw, given["publics"]))).hex(),
    "first deck": lambda given: first_deck(rules_of(given["rule_set"]), raw(given["joint"])).hex(),
    "make shuffle": lambda given: op_make_mix(given, "shuffle", "key"),
    "make re-mask": lambda given: op_make_mix(given, "remask", "public"),
    "check shuffle": lambda given: op_check_shuffle(given, "shuffle", "key", "shuffle-proof"),
    "check shuffle equations": lambda given: op_check_shuffle(given, "shuffle", "key", ""),
    "check re-mask": lambda given: op_check_shuffle(given, "remask", "public", "remask-proof"),
    "make shares": lambda given: fields(
        "shares proof", make_shares(own_in(given), raw(given["deck"]), tuple(given["positions"]))
    ),
    "check shares": op_check_shares,
    "check selection": lambda given: passed(
        check_selection(given["positions"], given["count"], given["hand_size"])
    ),
    "make pass": lambda given: fields(
        "cards proof",
        make_pass(
            own_in(given),
            tuple(given["positions"]),
            raw(given["sources"]),
            raw(given["receiver"]),
        ),
    ),
    "check pass": lambda given: passed(
        check_pass(
            place_in(given),
            raw(given["public"]),
            raw(given["receiver"]),
            raw(given["sources"]),
            raw(given["cards"]),
            raw(given["proof"]),
        )
    ),
    "re-mask input": op_remask_input,
    "make play": op_make_play,
    "check play": op_check_play,
    "make no opening": op_no_opening,
    "check no opening": op_no_opening,
    "make claim": op_claim,
    "check claim": op_claim,
    "make escrow": lambda given: fields(
        "publics seals", make_escrow(own_in(given), keys_in(given))
    ),
    "check escrow": lambda given: passed("", bool(escrow_in(given))),
    "open seal": op_open_seal,
    "make complaint": op_make_complaint,
    "check complaint": op_check_complaint,
    "make opening": op_make_opening,
    "check opening": op_check_opening,
    "decide": op_decide,
    "check vote": op_check_vote,
    "check confirm": op_check_confirm,
    "dummy pass": op_dummy_pass,
    "dummy card": op_dummy_card,
    "play hand": op_play_hand,
    "claim rest": op_claim_rest,
    "score hand": op_score_hand,
    "end match": op_end_match,
    "make table key": op_table_key,
    "check table key": op_table_key,
    "decode": op_decode,
    "decode long": op_decode_long,
    "seal": op_seal,
    "open envelope": op_open_envelope,
    "open long envelope": op_open_envelope,
    "take content": op_take_content,
    "hash content": lambda given: digest("content", raw(given["content"])).hex(),
    "first head": lambda given: digest("first-head", raw(given["roster"])).hex(),
    "next head": op_next_head,
    "hash rules": op_hash_rules,
    "commit nonce": lambda given: nonce_commitment(
        raw(given["roster"]), given["place"], raw(given["nonce"])
    ).hex(),
    "draw": op_draw,
    "phrase": lambda given: phrase(raw(given["table"])),
    "open card": lambda given: op_open_lobby(given, "TableCard", "card"),
    "open hello": lambda given: op_open_lobby(given, "Hello", "hello"),
    "open roster": op_open_roster,
    "join code": lambda given: join_code(raw(given["identity"])),
    "read code": lambda given: dict(
        zip(("code", "secret"), read_code(given["typed"]), strict=True)
    ),
    "check code": op_check_code,
    "make log": op_make_log,
    "make start": op_make_start,
    "open start": op_open_start,
    "read log": lambda given: [[kind, data.hex()] for kind, data in records(raw(given["log"]))],
    "audit": op_audit,
    "follow": op_follow,
    "follow to": op_follow_to,
}


def outcome(operation: str, given: Value) -> tuple[bool, object]:
    """Whether an operation accepts its input, and its result or what it refuses with."""
    try:
        return True, OPERATIONS[operation](given)
    except Refused as refusal:
        return False, str(refusal)


def failures(file: Value) -> Iterator[str]:
    """The entries of a file of vectors that do not hold here."""
    for entry in file["accepted"]:
        found = outcome(entry["operation"], entry["input"])
        if json.dumps(found) != json.dumps((True, entry["result"])):
            yield f"{entry['name']}: {found!r:.200}"
    twins = {entry["name"]: entry for entry in file["accepted"]}
    for entry in file["rejected"]:
        twin = twins[entry["twin"]]
        found = outcome(twin["operation"], {**twin["input"], **entry["input"]})
        if found != (False, entry["expect"]):
            what = f"{entry['twin']}, {entry['changed']}"
            yield f"{what}: expected {entry['expect']}, got {found!r:.200}"


# The command.


def check_vectors() -> int:
    wrong = 0
    for path in sorted((HERE / "vectors").glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        found = list(failures(file))
        count = f"{len(file['accepted'])} accepted, {len(file['rejected'])} rejected"
        print(f"{path.name}: {count}: {'all hold' if not found else f'{len(found)} do not hold'}")
        for failure in found:
            print(f"  {failure}")
        wrong += len(found)
    return 1 if wrong else 0


def file_bytes(name: str) -> Bytes:
    """The bytes of a file; of nothing else, since to open a pipe waits for who writes into it."""
    path = Path(name)
    if path.exists() and not path.is_dir() and not path.is_file():
        raise OSError(0, "it is no file; write the log into one first")
    with path.open("rb") as file:
        size = path.stat().st_size
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""


def check_logs(names: Sequence[str]) -> int:
    logs: list[Bytes] = []
    for name in names:
        try:
            logs.append(file_bytes(name))
        except OSError as error:
            shown = "".join(mark if mark.isprintable() else "?" for mark in name)
            print(f"{shown} cannot be read: {error.strerror}", file=sys.stderr)
            return 2
    tables = judge_tables([audit(log) for log in logs])
    for number, judgement in enumerate(tables, 1):
        if len(tables) > 1:
            print(f"table {number} of {len(tables)}")
        show_table(judgement)
    verdict = the_gravest({table.verdict for table in tables})
    if len(tables) > 1:
        print(f"verdict on all tables: {verdict}")
    return EXIT_CODES[verdict]


def show_table(judgement: Judgement) -> None:
    report = judgement.fullest
    if report.roster is not None and report.drawn is not None:
        nicks = [report.roster.entries[place].nick for place in report.drawn.seats]
        total = sums(report.roster.rules, report.hands)
        scores = ", ".join(f"{nick!r} {score}" for nick, score in zip(nicks, total, strict=True))
        hands = len(report.hands)
        print(f"{hands} {'hand' if hands == 1 else 'hands'}: {scores}")
    players: dict[bytes, Entry] = {}
    for other in reversed(judgement.reports):
        players |= other.players()
    for found in judgement.faults:
        player = players[found.author].nick
        where = (
            f"hand {found.moment.hand}, attempt {found.moment.attempt}, round {found.moment.round}"
        )
        print(f"fault: {found.rule} by {player!r}, seat {found.seat}, {where}")
    for other in judgement.reports:
        for reason in other.reasons[:12]:
            print(f"  {reason}")
    print(f"verdict: {judgement.verdict}")


def main(arguments: Sequence[str]) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):  # A name that cannot be shown ends nothing.
        sys.stdout.reconfigure(errors="backslashreplace")
    if arguments == ["--vectors"]:
        return check_vectors()
    if not arguments or any(argument.startswith("-") for argument in arguments):
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    return check_logs(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
