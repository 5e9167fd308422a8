"""What the tests of this folder share: a context, seeded scalars, decks, changed fields."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from p2p_hearts.crypto.elgamal import Deck, encrypt, reencrypt
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import (
    BASE,
    ORDER,
    DecodeError,
    Element,
    base_mul,
    decode_element,
    decode_scalar,
    encode_scalar,
    hash_to_element,
    scalar_from_hash,
)
from p2p_hearts.crypto.transcript import Context, Transcript

CONTEXT = Context(table=b"t" * 32, rules=b"r" * 32, hand=3, attempt=1, round=7, seat=2)

OTHER_CONTEXTS = {
    "table": replace(CONTEXT, table=b"t" * 31 + b"u"),
    "rules": replace(CONTEXT, rules=b"r" * 31 + b"s"),
    "hand": replace(CONTEXT, hand=4),
    "attempt": replace(CONTEXT, attempt=0),
    "round": replace(CONTEXT, round=8),
    "seat": replace(CONTEXT, seat=3),
}


def scalar(*name: object) -> int:
    """A scalar that its name determines."""
    return scalar_from_hash(hashlib.sha512(repr(name).encode()).digest())


def element(*name: object) -> Element:
    """An element that its name determines."""
    return hash_to_element(repr(name).encode())


def nonces(secret: bytes = b"secret") -> Callable[[bytes, int], int]:
    """A nonce source: a pseudo-random function of digest and index under `secret`."""

    def source(digest: bytes, index: int) -> int:
        text = frame(b"nonce", secret, digest, index.to_bytes(4, "big"))
        return scalar_from_hash(hashlib.sha512(text).digest())

    return source


def permuted(n: int, *name: object) -> list[int]:
    """A permutation of ``range(n)`` that its name determines."""
    return sorted(range(n), key=lambda index: scalar("permutation", index, *name))


class Shuffled:
    """A deck, its shuffle and the secrets of it."""

    def __init__(self, n: int, *name: object) -> None:
        self.key: Element = base_mul(scalar("key", *name))
        self.deck_in: Deck = tuple(
            encrypt(element("card", i, *name), self.key, scalar("in", i, *name)) for i in range(n)
        )
        self.permutation = permuted(n, *name)
        self.factors = [scalar("factor", i, *name) for i in range(n)]
        self.deck_out: Deck = tuple(
            reencrypt(self.deck_in[j], self.key, s)
            for j, s in zip(self.permutation, self.factors, strict=True)
        )
        self.transcript = Transcript(CONTEXT, b"shuffle")


def changed_components(proof: bytes, elements: int) -> Iterator[tuple[int, bytes]]:
    """Every 32-byte component changed alone, to another that decodes.

    The first `elements` components are elements (G is added), the others scalars (1 is added).
    """
    for index in range(len(proof) // 32):
        part = proof[32 * index : 32 * index + 32]
        if index < elements:
            new = (decode_element(part) + BASE).data
        else:
            new = encode_scalar((decode_scalar(part) + 1) % ORDER)
        yield index, proof[: 32 * index] + new + proof[32 * index + 32 :]


def malformed(proof: bytes, elements: int) -> Iterator[tuple[str, bytes]]:
    """Wrong lengths, and each component made one that must not decode."""
    yield "empty", b""
    yield "short", proof[:-1]
    yield "one component short", proof[:-32]
    yield "long", proof + b"\0"
    yield "one component long", proof + bytes(32)
    for index in range(len(proof) // 32):
        before, part, after = (
            proof[: 32 * index],
            proof[32 * index : 32 * index + 32],
            proof[32 * index + 32 :],
        )
        if index < elements:
            yield f"identity at {index}", before + bytes(32) + after
            yield f"no element at {index}", before + b"\xff" * 32 + after
        else:
            value = int.from_bytes(part, "little") + ORDER
            yield f"unreduced at {index}", before + value.to_bytes(32, "little") + after
            yield f"too large at {index}", before + b"\xff" * 32 + after


def decodes(decode: Callable[..., object], data: bytes, *rest: int) -> bool:
    """Whether `decode` accepts the data."""
    try:
        decode(data, *rest)
    except DecodeError:
        return False
    return True


Matrix = Sequence[Sequence[int]]
