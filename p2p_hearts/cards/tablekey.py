"""The table key T = t*G under which key shares are sealed to a seat (protocol/SPEC.md section 7).

It lives as long as a seat sits at a table, comes with a proof of knowledge bound to the identity
and link key that it is shown with, and is derived from its own stored secret: never from a hand
secret, nor from the identity.

Never: shows the secret. Errors: ``DecodeError`` for a key or proof that does not hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b

from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import (
    DecodeError,
    Element,
    base_mul,
    decode_element,
    scalar_from_hash,
)
from p2p_hearts.crypto.sigma import NonceSource, knowledge, prove, verify
from p2p_hearts.crypto.transcript import Context, Transcript

_LABEL = b"table-key"


@dataclass(frozen=True, slots=True)
class TableKey:
    """The private half t at its owner: it opens seals, and proves what they open to."""

    secret: bytes = field(repr=False)
    """32 bytes of the operating system's randomness."""
    instance: bytes
    """Of the table card."""

    def scalar(self) -> int:
        """Return t."""
        return _derive(self.secret, b"t", self.instance)

    def nonce_source(self, label: bytes) -> NonceSource:
        """Return the nonces of one kind of proof: each binds the transcript it is used in.

        They come from this secret alone: no secret that is ever shown may give t away.
        """

        def nonce(digest: bytes, index: int) -> int:
            return _derive(self.secret, b"nonce " + label, digest, bytes([index]))

        return nonce


def make_table_key(
    secret: bytes, instance: bytes, author: bytes, curve: bytes
) -> tuple[bytes, bytes]:
    """Return T, 32 bytes, and its proof, 64 bytes; ``secret`` holds 32 bytes of the OS's."""
    scalar = _derive(secret, b"t", instance)
    public = base_mul(scalar)
    proof = prove(
        _transcript(instance, author, curve),
        knowledge(public),
        [scalar],
        lambda digest, index: _derive(secret, b"nonce", digest, bytes([index])),
    )
    return public.data, proof


def check_table_key(
    public: bytes, proof: bytes, instance: bytes, author: bytes, curve: bytes
) -> Element:
    """Verify a table key.

    Raises:
        DecodeError: T is no element, or the proof does not hold for this identity and link key.
    """
    element = decode_element(public)  # V68, as the proof
    if not verify(_transcript(instance, author, curve), knowledge(element), proof):
        raise DecodeError("the table key comes without a valid proof of knowledge")
    return element


def _transcript(instance: bytes, author: bytes, curve: bytes) -> Transcript:
    context = Context(table=instance, rules=bytes(32), hand=0, attempt=0, round=0, seat=0)
    transcript = Transcript(context, _LABEL)
    transcript.absorb(b"owner", author, curve)
    return transcript


def _derive(secret: bytes, *parts: bytes) -> int:
    data = frame(b"p2p-hearts table key", *parts)
    return scalar_from_hash(blake2b(data, key=secret, digest_size=64).digest())
