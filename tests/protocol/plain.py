"""SPEC.md read once more, in plain Python of the standard library, without a line of p2p_hearts.

Only what vectors ask: groups, transcripts, secrets, every card proof, heads, draw, records. Slow
and simple, with integers for ristretto255 (RFC 9496) and Ed25519 (RFC 8032). If the vectors hold
here too, the specification says what the program does.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Sequence
from typing import Any

Value = dict[str, Any]
Operation = Callable[[Value], object]


class Refused(Exception):  # noqa: N818 - an answer, no error
    """A check of SPEC.md does not hold."""


# 2.1 Bytes.


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def frame(*parts: bytes) -> bytes:
    return u32(len(parts)) + b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def digest(domain: bytes, *parts: bytes) -> bytes:
    return hashlib.blake2b(frame(b"p2p-hearts 1", domain, *parts), digest_size=32).digest()


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


# 2.2 Group: edwards25519 in extended coordinates, RFC 9496 around it.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578

Point = tuple[int, int, int, int]
ZERO: Point = (0, 1, 1, 0)


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


def point(data: bytes) -> Point:
    """Checks V1 to V3 but for the identity, which the caller refuses where it must."""
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
    found = point(data)
    if data == bytes(32):
        raise Refused("malformed")
    return found


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


def mapped(data: bytes) -> Point:
    t = int.from_bytes(data, "little") % 2**255
    r = SQRT_M1 * t * t % P
    u, v = (r + 1) * (1 - D * D) % P, (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    s, c = (s, -1) if square else (-magnitude(s * t) % P, r)
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def plus(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def minus(p: Point) -> Point:
    return -p[0] % P, p[1], p[2], -p[3] % P


def dot(pairs: Sequence[tuple[int, Point]]) -> Point:
    """The sum of all products, doubling once for all of them."""
    total = ZERO
    for bit in range(252, -1, -1):
        total = plus(total, total)
        for number, p in pairs:
            if number % ORDER >> bit & 1:
                total = plus(total, p)
    return total


def total_of(points: Sequence[Point]) -> Point:
    total = ZERO
    for p in points:
        total = plus(total, p)
    return total


def equal(p: Point, q: Point) -> bool:
    return encoded(p) == encoded(q)


def scalar(data: bytes) -> int:
    number = int.from_bytes(data, "little")
    if len(data) != 32 or number >= ORDER:
        raise Refused("malformed")
    return number


def scalar_bytes(number: int) -> bytes:
    return (number % ORDER).to_bytes(32, "little")


def pieces(data: bytes, count: int) -> list[bytes]:
    if len(data) != 32 * count:
        raise Refused("malformed")
    return [data[at : at + 32] for at in range(0, len(data), 32)]


G = point(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


# 2.3 and 2.4 Generators, cards.


def generator(label: bytes) -> Point:
    data = hashlib.sha512(frame(b"p2p-hearts generator", label)).digest()
    return plus(mapped(data[:32]), mapped(data[32:]))


CLASS_NAMES = (b"opening", b"clubs", b"diamonds", b"spades", b"queen", b"hearts")
H = generator(b"shuffle H")
R = generator(frame(b"rank"))
S = [generator(frame(b"class", name)) for name in CLASS_NAMES]


def pack_of(rules: Value) -> list[int]:
    removed = {3: [0], 4: [], 5: [0, 13], 6: [0, 13, 1, 26]}
    out = removed[rules["seats"]] if rules["packs"] == 1 else []
    return [face for face in range(52) if face not in out for _ in range(rules["packs"])]


def class_of(rules: Value, face: int) -> int:
    if rules["opening"] == "lowest-club" and face == min(pack_of(rules)):
        return 0
    return 4 if face == 36 else (1, 2, 3, 5)[face // 13]


def card_point(rules: Value, face: int) -> Point:
    return plus(dot([(face % 13 + 2, R)]), S[class_of(rules, face)])


def deck_points(data: bytes) -> list[tuple[Point, Point]]:
    if len(data) % 64:
        raise Refused("malformed")
    points = [element(piece) for piece in pieces(data, len(data) // 32)]
    return list(zip(points[::2], points[1::2], strict=True))


# 2.5 Transcript.


def context(given: Value) -> bytes:
    place = given["context"]
    numbers = [1, place["hand"], place["attempt"], place["round"], place["seat"]]
    head = (b"p2p-hearts context", raw(place["table"]), raw(place["rules"]))
    return frame(*head, *map(u32, numbers))


class Transcript:
    def __init__(self, context: bytes, label: str) -> None:
        self.data = frame(b"transcript", label.encode(), context)

    def absorb(self, label: str, *parts: bytes) -> None:
        self.data += frame(b"absorb", label.encode(), *parts)

    def challenge(self, label: str) -> int:
        self.data += frame(b"challenge", label.encode())
        return int.from_bytes(hashlib.sha512(self.data).digest(), "little") % ORDER

    def challenges(self, label: str, count: int) -> list[int]:
        self.data += frame(b"challenges", label.encode(), u32(count))
        seed = hashlib.sha512(self.data).digest()
        drawn = [
            hashlib.sha512(frame(b"p2p-hearts expand", seed, u32(i))).digest() for i in range(count)
        ]
        return [int.from_bytes(each, "little") % ORDER for each in drawn]

    def digest(self) -> bytes:
        return hashlib.sha512(self.data + frame(b"digest")).digest()


# 2.6 Proofs of linear relations.

Equation = tuple[Point, list[tuple[int, Point]]]


def prove(
    transcript: Transcript,
    secrets: Sequence[int],
    equations: list[Equation],
    nonce: Callable[[bytes, int], int],
) -> bytes:
    absorb_relation(transcript, len(secrets), equations)
    seen = transcript.digest()
    k = [nonce(seen, index) for index in range(len(secrets))]
    commitments = [dot([(k[i], base) for i, base in terms]) for _, terms in equations]
    transcript.absorb("commitments", b"".join(map(encoded, commitments)))
    c = transcript.challenge("challenge")
    z = [nonce_ + c * secret for nonce_, secret in zip(k, secrets, strict=True)]
    return b"".join(map(scalar_bytes, [c, *z]))


def holds(transcript: Transcript, secrets: int, equations: list[Equation], proof: bytes) -> bool:
    try:
        c, *z = [scalar(piece) for piece in pieces(proof, 1 + secrets)]
    except Refused:
        return False
    absorb_relation(transcript, secrets, equations)
    commitments = [
        dot([*((z[i], base) for i, base in terms), (-c, image)]) for image, terms in equations
    ]
    transcript.absorb("commitments", b"".join(map(encoded, commitments)))
    return transcript.challenge("challenge") == c


def absorb_relation(transcript: Transcript, secrets: int, equations: list[Equation]) -> None:
    parts = [
        encoded(image) + b"".join(u32(i) + encoded(base) for i, base in terms)
        for image, terms in equations
    ]
    transcript.absorb("relation", u32(secrets), *parts)


def folded(
    transcript: Transcript, public: Point, bases: list[Point], images: list[Point]
) -> tuple[Point, Point]:
    copy = Transcript(b"", "")
    copy.data = transcript.data
    copy.absorb(
        "batch",
        encoded(public),
        b"".join(map(encoded, bases)),
        b"".join(map(encoded, images)),
    )
    v = copy.challenges("weights", len(bases))
    return dot(list(zip(v, bases, strict=True))), dot(list(zip(v, images, strict=True)))


# 3 One secret a hand.


class Secret:
    def __init__(self, given: Value) -> None:
        place = given["context"]
        self.z = raw(given["z"])
        numbers = (1, place["hand"], place["attempt"], place["seat"])
        self.place = (raw(place["table"]), *map(u32, numbers))
        self.round = u32(place["round"])

    def commitment(self) -> bytes:
        data = frame(*self.place, self.z)
        return hashlib.blake2b(data, digest_size=32, person=b"p2p-hearts hand").digest()

    def derive(self, label: str, index: int, depends: bytes, round_: bytes | None = None) -> bytes:
        parts = (self.round if round_ is None else round_, label.encode())
        data = frame(*self.place, *parts, index.to_bytes(8, "big"), depends)
        return hashlib.blake2b(data, digest_size=64, key=self.z, person=b"p2p-hearts kdf").digest()

    def scalar(self, label: str, index: int, depends: bytes) -> int:
        return int.from_bytes(self.derive(label, index, depends), "little") % ORDER

    def x(self) -> int:
        return int.from_bytes(self.derive("x", 0, b"", u32(0)), "little") % ORDER

    def nonce(self, label: str) -> Callable[[bytes, int], int]:
        return lambda seen, index: self.scalar(f"nonce {label}", index, seen)

    def permutation(self, count: int, label: str, depends: bytes) -> list[int]:
        words: list[int] = []
        block = 0
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            while True:
                if not words:
                    data = self.derive(label, block, depends)
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


# 4 The proofs of a hand.


def key_proof(given: Value, commitment: bytes, public: Point) -> tuple[Transcript, list[Equation]]:
    transcript = Transcript(context(given), "key")
    transcript.absorb("commitment", commitment)
    return transcript, [(public, [(0, G)])]


def make_key(given: Value) -> object:
    own = Secret(given)
    commitment, public = own.commitment(), dot([(own.x(), G)])
    proof = prove(*_with_secrets(key_proof(given, commitment, public), [own.x()]), own.nonce("key"))
    return {
        "commitment": commitment.hex(),
        "public": encoded(public).hex(),
        "proof": proof.hex(),
    }


def _with_secrets(
    stated: tuple[Transcript, list[Equation]], secrets: Sequence[int]
) -> tuple[Transcript, Sequence[int], list[Equation]]:
    return stated[0], secrets, stated[1]


def check_key(given: Value) -> object:
    commitment, public = raw(given["commitment"]), element(raw(given["public"]))
    if len(commitment) != 32:
        raise Refused("malformed")
    transcript, equations = key_proof(given, commitment, public)
    if not holds(transcript, 1, equations, raw(given["proof"])):
        raise Refused("key-proof")
    return given["public"]


def joint_key(given: Value) -> object:
    total = encoded(total_of([element(raw(data)) for data in given["publics"]]))
    if total == bytes(32):
        raise Refused("joint-key")
    return total.hex()


def first_deck(given: Value) -> object:
    joint, rules = point(raw(given["joint"])), given["rule_set"]
    known: dict[int, bytes] = {}
    for face in pack_of(rules):
        if face not in known:
            known[face] = encoded(plus(card_point(rules, face), joint))
    return b"".join(encoded(G) + known[face] for face in pack_of(rules)).hex()


def check_mix(given: Value, label: str, key: Point, flaw: str) -> object:
    """V12 to V18: the equation that fails, or true."""
    before = deck_points(raw(given["before"]))
    n = len(before)
    after = deck_points(raw(given["deck"]))
    if len(after) != n:
        raise Refused("malformed")
    broken = broken_equation(given, label, key, before, after, raw(given["proof"]))
    if broken:
        raise Refused(flaw or broken)
    return True


def make_mix(given: Value, label: str, key: Point) -> object:
    """4.2 from the prover's side; names as there, counted from 0."""
    own, before = Secret(given), deck_points(raw(given["before"]))
    n = len(before)
    depends = inputs(raw(given["before"]), encoded(key))
    pi = own.permutation(n, f"{label} permutation", depends)
    s = [own.scalar(f"{label} factor", i, depends) for i in range(n)]
    after = [
        (plus(before[j][0], dot([(s_i, G)])), plus(before[j][1], dot([(s_i, key)])))
        for j, s_i in zip(pi, s, strict=True)
    ]
    h = [generator(frame(b"shuffle h", u32(i))) for i in range(1, n + 1)]
    transcript, nonce = Transcript(context(given), label), own.nonce(label)
    decks = [b"".join(encoded(p) for pair in deck for p in pair) for deck in (before, after)]
    transcript.absorb(
        "shuffle", u32(n), encoded(H), b"".join(map(encoded, h)), encoded(key), *decks
    )
    r = [nonce(transcript.digest(), j) for j in range(n)]
    c = [plus(dot([(r[j], G)]), h[pi.index(j)]) for j in range(n)]
    transcript.absorb("permutation", b"".join(map(encoded, c)))
    u = transcript.challenges("u", n)
    u_out = [u[j] for j in pi]
    r_hat = [nonce(transcript.digest(), i) for i in range(n)]
    chain, in_g, product = [H], 0, 1
    for i in range(n):
        chain.append(dot([(r_hat[i], G), (u_out[i], chain[i])]))
        in_g = (r_hat[i] + u_out[i] * in_g) % ORDER
        product = product * u[i] % ORDER
    transcript.absorb("chain", b"".join(map(encoded, chain[1:])))
    w = [nonce(transcript.digest(), i) for i in range(4 + 2 * n)]
    w_hat, w_out = w[4 : 4 + n], w[4 + n :]
    t = [
        dot([(w[0], G)]),
        dot([(w[1], G)]),
        dot([(w[2], G), *zip(w_out, h, strict=True)]),
        dot([(-w[3], G), *zip(w_out, [pair[0] for pair in after], strict=True)]),
        dot([(-w[3], key), *zip(w_out, [pair[1] for pair in after], strict=True)]),
        *(dot([(w_hat[i], G), (w_out[i], chain[i])]) for i in range(n)),
    ]
    transcript.absorb("commitments", b"".join(map(encoded, t)))
    y = transcript.challenge("challenge")
    u_r = sum(left * right for left, right in zip(u, r, strict=True))
    u_s = sum(left * right for left, right in zip(u_out, s, strict=True))
    secrets = [sum(r), in_g, u_r, u_s, *r_hat, *u_out]
    z = [nonce_ + y * each for nonce_, each in zip(w, secrets, strict=True)]
    proof = b"".join(map(encoded, [*c, *chain[1:], *t])) + b"".join(map(scalar_bytes, z))
    return {"deck": decks[1].hex(), "proof": proof.hex()}


def broken_equation(
    given: Value,
    label: str,
    key: Point,
    before: list[tuple[Point, Point]],
    after: list[tuple[Point, Point]],
    proof: bytes,
) -> str:
    n = len(before)
    try:
        parts = pieces(proof, 5 * n + 9)
        points = [element(part) for part in parts[: 3 * n + 5]]
        z = [scalar(part) for part in parts[3 * n + 5 :]]
    except Refused:
        return "MALFORMED"
    c, chain = points[:n], [H, *points[n : 2 * n]]
    t1, t2, t3, t4a, t4b = points[2 * n : 2 * n + 5]
    t_chain = points[2 * n + 5 :]
    z1, z2, z3, z4 = z[:4]
    z_chain, z_out = z[4 : 4 + n], z[4 + n :]
    h = [generator(frame(b"shuffle h", u32(i))) for i in range(1, n + 1)]
    transcript = Transcript(context(given), label)
    decks = [b"".join(encoded(p) for pair in deck for p in pair) for deck in (before, after)]
    transcript.absorb(
        "shuffle", u32(n), encoded(H), b"".join(map(encoded, h)), encoded(key), *decks
    )
    transcript.absorb("permutation", b"".join(parts[:n]))
    u = transcript.challenges("u", n)
    transcript.absorb("chain", b"".join(parts[n : 2 * n]))
    transcript.absorb("commitments", b"".join(parts[2 * n : 3 * n + 5]))
    y = transcript.challenge("challenge")
    product = 1
    for u_j in u:
        product = product * u_j % ORDER
    yu = [y * u_j for u_j in u]
    sums = {
        "SUM": (
            [(z1, G)],
            [(1, t1), *((y, c_j) for c_j in c), *((-y, h_i) for h_i in h)],
        ),
        "PRODUCT": ([(z2, G)], [(1, t2), (y, chain[n]), (-y * product, H)]),
        "COMMITMENT": (
            [(z3, G), *zip(z_out, h, strict=True)],
            [(1, t3), *zip(yu, c, strict=True)],
        ),
    }
    for part, base, t4 in ((0, G, t4a), (1, key, t4b)):
        sums[f"RE_ENCRYPT{part}"] = (
            [(-z4, base), *zip(z_out, [pair[part] for pair in after], strict=True)],
            [(1, t4), *zip(yu, [pair[part] for pair in before], strict=True)],
        )
    for i in range(n):
        sums[f"CHAIN{i}"] = (
            [(z_chain[i], G), (z_out[i], chain[i])],
            [(1, t_chain[i]), (y, chain[i + 1])],
        )
    for name, (left, right) in sums.items():
        if not equal(dot(left), dot(right)):
            return name.rstrip("0123456789")
    return ""


def shares_statement(
    given: Value, public: Point, images: list[Point]
) -> tuple[Transcript, list[Equation]]:
    deck = deck_points(raw(given["deck"]))
    transcript = Transcript(context(given), "shares")
    transcript.absorb("positions", *map(u32, given["positions"]))
    bases = [deck[position][0] for position in given["positions"]]
    base, image = folded(transcript, public, bases, images)
    return transcript, [(public, [(0, G)]), (image, [(0, base)])]


def make_shares(given: Value) -> object:
    own, deck = Secret(given), deck_points(raw(given["deck"]))
    images = [dot([(own.x(), deck[position][0])]) for position in given["positions"]]
    stated = shares_statement(given, dot([(own.x(), G)]), images)
    proof = prove(*_with_secrets(stated, [own.x()]), own.nonce("shares"))
    return {"shares": b"".join(map(encoded, images)).hex(), "proof": proof.hex()}


def check_shares(given: Value) -> object:
    parts = pieces(raw(given["shares"]), len(given["positions"]))
    images = [element(part) for part in parts]
    transcript, equations = shares_statement(given, element(raw(given["public"])), images)
    if not holds(transcript, 1, equations, raw(given["proof"])):
        raise Refused("share-proof")
    return given["shares"]


def check_selection(given: Value) -> object:
    positions = given["positions"]
    ascending = positions == sorted(set(positions))
    inside = all(0 <= position < given["hand_size"] for position in positions)
    if len(positions) != given["count"] or not ascending or not inside:
        raise Refused("pass-positions")
    return True


def pass_statement(
    given: Value, public: Point, cards: list[tuple[Point, Point]]
) -> tuple[Transcript, list[Equation]]:
    sources, receiver = deck_points(raw(given["sources"])), element(raw(given["receiver"]))
    transcript = Transcript(context(given), "pass")
    transcript.absorb("receiver", raw(given["receiver"]))
    transcript.absorb("sources", raw(given["sources"]))
    transcript.absorb("cards", b"".join(encoded(p) for pair in cards for p in pair))
    equations: list[Equation] = [(public, [(0, G)])]
    for i, ((a, b), (new_a, new_b)) in enumerate(zip(sources, cards, strict=True), start=1):
        equations.append((new_a, [(i, G)]))
        equations.append((plus(b, minus(new_b)), [(0, a), (i, minus(receiver))]))
    return transcript, equations


def make_pass(given: Value) -> object:
    own, receiver = Secret(given), element(raw(given["receiver"]))
    cards, factors = [], []
    for position, (a, b) in zip(
        given["positions"], deck_points(raw(given["sources"])), strict=True
    ):
        depends = inputs(encoded(a), encoded(b), u32(position), encoded(receiver))
        s = own.scalar("pass factor", 0, depends)
        cards.append((dot([(s, G)]), plus(b, dot([(-own.x(), a), (s, receiver)]))))
        factors.append(s)
    stated = pass_statement(given, dot([(own.x(), G)]), cards)
    proof = prove(*_with_secrets(stated, [own.x(), *factors]), own.nonce("pass"))
    data = b"".join(encoded(p) for pair in cards for p in pair)
    return {"cards": data.hex(), "proof": proof.hex()}


def check_pass(given: Value) -> object:
    cards = deck_points(raw(given["cards"]))
    count = len(raw(given["sources"])) // 64
    if len(cards) != count:
        raise Refused("malformed")
    transcript, equations = pass_statement(given, element(raw(given["public"])), cards)
    if not holds(transcript, 1 + count, equations, raw(given["proof"])):
        raise Refused("pass-proof")
    return True


def class_equation(rest: list[tuple[Point, Point]], classes: list[int]) -> Equation:
    a, b = total_of([pair[0] for pair in rest]), total_of([pair[1] for pair in rest])
    terms = [(0, a), (1, R), *((2 + i, S[c]) for i, c in enumerate(classes))]
    return b, terms


def check_play(given: Value) -> object:
    rules, face, proof = given["rule_set"], given["card"], raw(given["proof"])
    if face not in pack_of(rules):
        raise Refused("card-unknown")
    ((a, b),) = deck_points(raw(given["played"]))
    rest = deck_points(raw(given["remaining"]))
    due = given["claim"] is not None and bool(rest)
    classes = [c for c in range(6) if due and given["claim"] >> c & 1]
    if due and len(proof) == 64:
        raise Refused("proof-missing")
    if not due and len(proof) in range(96, 96 + 7 * 32, 32):
        raise Refused("proof-not-due")
    if len(proof) != (96 + 32 * len(classes) if due else 64):
        raise Refused("malformed")
    transcript = Transcript(context(given), "play")
    transcript.absorb("card", bytes([face]))
    transcript.absorb("claim", *([bytes([given["claim"]])] if due else []))
    transcript.absorb("played", encoded(a), encoded(b))
    transcript.absorb("remaining", raw(given["remaining"]))
    equations: list[Equation] = [
        (element(raw(given["public"])), [(0, G)]),
        (plus(b, minus(card_point(rules, face))), [(0, a)]),
    ]
    if due:
        equations.append(class_equation(rest, classes))
    if not holds(transcript, 2 + len(classes) if due else 1, equations, proof):
        raise Refused("revoke" if due else "card-proof")
    return True


def check_no_opening(given: Value) -> object:
    transcript = Transcript(context(given), "no opening")
    transcript.absorb("remaining", raw(given["hand"]))
    rest = class_equation(deck_points(raw(given["hand"])), [1, 2, 3, 4, 5])
    equations = [(element(raw(given["public"])), [(0, G)]), rest]
    if not holds(transcript, 7, equations, raw(given["proof"])):
        raise Refused("opening-hidden")
    return True


def check_claim(given: Value) -> object:
    rules, cards = given["rule_set"], given["cards"]
    held, proof = deck_points(raw(given["remaining"])), raw(given["proof"])
    if len(cards) != len(held):
        raise Refused("claim-cards")
    if any(face not in pack_of(rules) for face in cards):
        raise Refused("card-unknown")
    if len(proof) != 64:
        raise Refused("malformed")
    transcript = Transcript(context(given), "claim")
    transcript.absorb("cards", bytes(cards))
    transcript.absorb("remaining", raw(given["remaining"]))
    equations: list[Equation] = [(element(raw(given["public"])), [(0, G)])]
    for (a, b), face in zip(held, cards, strict=True):
        equations.append((plus(b, minus(card_point(rules, face))), [(0, a)]))
    if not holds(transcript, 1, equations, proof):
        raise Refused("card-proof")
    return True


# 7.2 The table key.


def check_table_key(given: Value) -> object:
    place = {"table": given["instance"], "rules": bytes(32).hex()}
    zeros = {"hand": 0, "attempt": 0, "round": 0, "seat": 0}
    transcript = Transcript(context({"context": {**place, **zeros}}), "table-key")
    transcript.absorb("owner", raw(given["author"]), raw(given["curve"]))
    try:
        key = element(raw(given["table_key"]))
    except Refused:
        raise Refused("drop") from None
    if not holds(transcript, 1, [(key, [(0, G)])], raw(given["table_proof"])):
        raise Refused("drop")
    return given["table_key"]


# 2 and 3 as the vectors ask.


def decoded_element(given: Value) -> object:
    element(raw(given["bytes"]))
    return given["bytes"]


def decoded_elements(given: Value) -> object:
    parts = pieces(raw(given["bytes"]), given["count"])
    return [encoded(element(part)).hex() for part in parts]


def transcribed(given: Value) -> object:
    transcript = Transcript(context(given), given["label"])
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


def bare_equations(given: Value) -> list[Equation]:
    return [
        (
            point(raw(item["image"])),
            [(term["secret"], point(raw(term["base"]))) for term in item["terms"]],
        )
        for item in given["equations"]
    ]


def prove_relation(given: Value) -> object:
    own, label = Secret(given), given["label"]
    witness = [scalar(raw(data)) for data in given["witness"]]
    transcript = Transcript(context(given), label)
    return prove(transcript, witness, bare_equations(given), own.nonce(label)).hex()


def verify_relation(given: Value) -> object:
    transcript = Transcript(context(given), given["label"])
    if not holds(transcript, given["secrets"], bare_equations(given), raw(given["proof"])):
        raise Refused("proof")
    return True


def fold_batch(given: Value) -> object:
    transcript = Transcript(context(given), given["label"])
    bases = [point(raw(data)) for data in given["bases"]]
    images = [point(raw(data)) for data in given["images"]]
    base, image = folded(transcript, point(raw(given["public"])), bases, images)
    return {"base": encoded(base).hex(), "image": encoded(image).hex()}


def derived(given: Value) -> object:
    own, depends = Secret(given), inputs(*map(raw, given["depends"]))
    drawn = [own.scalar(given["label"], i, depends) for i in range(given["count"])]
    return [scalar_bytes(each).hex() for each in drawn]


def check_reveal(given: Value) -> object:
    if len(raw(given["z"])) != 32 or Secret(given).commitment() != raw(given["commitment"]):
        raise Refused("reveal-commitment")
    return True


def all_cards(given: Value) -> object:
    rules = given["rule_set"]
    return [
        [face, class_of(rules, face), encoded(card_point(rules, face)).hex()]
        for face in dict.fromkeys(pack_of(rules))
    ]


def encrypted(given: Value) -> object:
    message, key = point(raw(given["message"])), point(raw(given["key"]))
    s = scalar(raw(given["factor"]))
    return (encoded(dot([(s, G)])) + encoded(plus(message, dot([(s, key)])))).hex()


# 6.4, 8 and 9.1 Heads, rules, draw, records.


def next_head(given: Value) -> object:
    contents = sorted(given["contents"], key=lambda item: int(item["seat"]))
    numbers = [given["hand"], given["attempt"], given["round"], len(contents)]
    parts = [part for item in contents for part in (u32(item["seat"]), raw(item["hash"]))]
    return digest(b"head", raw(given["prev"]), *map(u32, numbers), *parts).hex()


def hash_rules(given: Value) -> object:
    def literal(value: object) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return f'"{value}"' if isinstance(value, str) else str(value)

    options = sorted(given["rule_set"].items())
    parts = [frame(name.encode(), literal(value).encode()) for name, value in options]
    return digest(b"rules", *parts).hex()


def drawn_order(table: bytes, label: bytes, count: int) -> list[int]:
    data = b""
    for block in range(4):
        seed = frame(b"p2p-hearts draw", label, table, bytes([block]))
        data += hashlib.shake_256(seed).digest(512)
    words = iter([int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)])
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        word = next(word for word in words if word < 65536 - 65536 % (last + 1)) % (last + 1)
        order[last], order[word] = order[word], order[last]
    return order


def draw(words: Sequence[str]) -> Operation:
    def operation(given: Value) -> object:
        nonces = list(map(raw, given["nonces"]))
        table = digest(b"table", raw(given["roster"]), raw(given["rules"]), *nonces)
        cards = drawn_order(table, b"deal", 52)[: len(nonces)]
        highest = max(range(len(cards)), key=lambda seat: (cards[seat] % 13, cards[seat] // 13))
        return {
            "table": table.hex(),
            "seats": drawn_order(table, b"seats", len(nonces)),
            "cards": cards,
            "dealer": highest,
            "phrase": phrase(words)({"table": table.hex()}),
        }

    return operation


def phrase(words: Sequence[str]) -> Operation:
    return lambda given: " ".join(
        words[number] for number in digest(b"phrase", raw(given["table"]))[:5]
    )


LINE = b"p2p-hearts log 1\n"


def make_log(given: Value) -> object:
    log, chain = LINE, digest(b"log", LINE)
    for item in given["records"]:
        payload = bytes([item["kind"]]) + raw(item["data"])
        chain = digest(b"log", chain, payload)
        length = u32(len(payload))
        log += length + u32(zlib.crc32(length)) + u32(zlib.crc32(chain + payload))
        log += chain + payload
    return log.hex()


def read_log(given: Value) -> object:
    log, found, chain = raw(given["log"]), [], digest(b"log", LINE)
    if not log.startswith(LINE):
        raise Refused("unreadable")
    rest = log[len(LINE) :]
    while rest:
        if len(rest) < 44:
            raise Refused("torn")
        if u32(zlib.crc32(rest[:4])) != rest[4:8]:
            raise Refused("unreadable" if any(rest) else "torn")
        length = int.from_bytes(rest[:4], "big")
        if not 0 < length <= 192 * 1024 + 4096:
            raise Refused("unreadable")
        crc, now, payload = rest[8:12], rest[12:44], rest[44 : 44 + length]
        if len(payload) < length:
            raise Refused("torn")
        chain = digest(b"log", chain, payload)
        if u32(zlib.crc32(now + payload)) != crc or now != chain or payload[0] not in (1, 2, 3):
            raise Refused("unreadable")
        found.append([payload[0], payload[1:].hex()])
        rest = rest[44 + length :]
    return found


def operations(words: Sequence[str]) -> dict[str, Operation]:
    """All operations; ``words`` are those of appendix A."""
    return {
        "frame": lambda given: frame(*map(raw, given["parts"])).hex(),
        "digest": lambda given: digest(given["domain"].encode(), *map(raw, given["parts"])).hex(),
        "decode element": decoded_element,
        "decode elements": decoded_elements,
        "decode scalar": lambda given: scalar_bytes(scalar(raw(given["bytes"]))).hex(),
        "multiply": lambda given: encoded(
            dot([(scalar(raw(given["scalar"])), point(raw(given["element"])))])
        ).hex(),
        "add": lambda given: encoded(
            plus(point(raw(given["left"])), point(raw(given["right"])))
        ).hex(),
        "generator": lambda given: encoded(generator(raw(given["label"]))).hex(),
        "cards": all_cards,
        "encrypt": encrypted,
        "context": lambda given: context(given).hex(),
        "transcript": transcribed,
        "prove relation": prove_relation,
        "verify relation": verify_relation,
        "fold batch": fold_batch,
        "derive": derived,
        "permutation": lambda given: Secret(given).permutation(
            given["count"], given["label"], inputs(*map(raw, given["depends"]))
        ),
        "nonce": lambda given: scalar_bytes(
            Secret(given).nonce(given["label"])(raw(given["digest"]), given["index"])
        ).hex(),
        "secret key": lambda given: scalar_bytes(Secret(given).x()).hex(),
        "commit": lambda given: Secret(given).commitment().hex(),
        "check reveal": check_reveal,
        "make key": make_key,
        "check key": check_key,
        "joint key": joint_key,
        "first deck": first_deck,
        "make shuffle": lambda given: make_mix(given, "shuffle", element(raw(given["key"]))),
        "make re-mask": lambda given: make_mix(given, "remask", element(raw(given["public"]))),
        "check shuffle": lambda given: check_mix(
            given, "shuffle", element(raw(given["key"])), "shuffle-proof"
        ),
        "check shuffle equations": lambda given: check_mix(
            given, "shuffle", element(raw(given["key"])), ""
        ),
        "make shares": make_shares,
        "check shares": check_shares,
        "check selection": check_selection,
        "make pass": make_pass,
        "check pass": check_pass,
        "check re-mask": lambda given: check_mix(
            given, "remask", element(raw(given["public"])), "remask-proof"
        ),
        "check play": check_play,
        "check no opening": check_no_opening,
        "check claim": check_claim,
        "check table key": check_table_key,
        "first head": lambda given: digest(b"first-head", raw(given["roster"])).hex(),
        "next head": next_head,
        "hash content": lambda given: digest(b"content", raw(given["content"])).hex(),
        "commit nonce": lambda given: digest(
            b"sit", raw(given["roster"]), u32(given["place"]), raw(given["nonce"])
        ).hex(),
        "draw": draw(words),
        "phrase": phrase(words),
        "make log": make_log,
        "read log": read_log,
    }
