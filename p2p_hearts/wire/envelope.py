"""Signatures: who said these bytes (protocol/SPEC.md section 6.2).

An envelope is the content's bytes, exactly as its author made them, and an Ed25519 signature over
a domain-separated hash of those bytes. What was received is what is verified, stored, relayed and
audited; nothing is ever encoded again.

Never: trusts a header before its signature verified; accepts small-order or non-canonical keys or
points (a signature that several libraries judge differently would fork the table).
Errors: ``codec.DecodeError`` for malformed bytes, ``BadSignatureError`` for a wrong signature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Protocol, TypeAlias

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from msgspec import Meta, Struct

from p2p_hearts.crypto.framing import frame
from p2p_hearts.wire.codec import MAX_BYTES, decode, encode
from p2p_hearts.wire.messages import HASH_BYTES, Content

_FIELD = 2**255 - 19
_SIGN_BIT = 1 << 255
_ORDER_8 = int.from_bytes(
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
)
_SMALL_ORDER_Y = frozenset({0, 1, _FIELD - 1, _ORDER_8, _FIELD - _ORDER_8})
"""y coordinates of the eight points of small order (checked by a test)."""


class BadSignatureError(ValueError):
    """The signature does not verify under the key that the content names."""


class Envelope(Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Signed bytes as they stand on the wire and in the log."""

    content: Annotated[bytes, Meta(max_length=MAX_BYTES)]
    signature: Annotated[bytes, Meta(min_length=64, max_length=64)]


Verify: TypeAlias = Callable[[bytes, str, Envelope], None]
"""Checks the signature of an envelope, from author, domain and envelope, as ``verify_bytes``."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A content whose signature verified, with the bytes it came in."""

    content: Content
    hash: bytes
    """Hash of the content's bytes, without the signature."""
    data: bytes
    """The envelope as received."""


class Signer(Protocol):
    """Something that holds an identity's private key."""

    @property
    def public(self) -> bytes:
        """The Ed25519 public key, 32 bytes."""
        ...

    def sign(self, message: bytes) -> bytes:
        """Ed25519 signature of ``message``, 64 bytes."""
        ...


class Identity:
    """An Ed25519 key pair. It never shows its private half in text."""

    __slots__ = ("_key", "_public")

    def __init__(self, key: Ed25519PrivateKey) -> None:
        """Wrap a key of the ``cryptography`` package."""
        self._key = key
        self._public = key.public_key().public_bytes_raw()

    @classmethod
    def from_private_bytes(cls, data: bytes) -> Identity:
        """Restore from the 32 bytes of ``private_bytes``."""
        return cls(Ed25519PrivateKey.from_private_bytes(data))

    def private_bytes(self) -> bytes:
        """Return the 32 bytes to store, secret."""
        return self._key.private_bytes_raw()

    def companion(self, name: str) -> Identity:
        """Return the identity of a computer player that this one seats: always the same for a name.

        It shows nothing of this identity: only who holds the private half can compute it.
        """
        seed = digest("identity of a computer player", self.private_bytes(), name.encode())
        return self.from_private_bytes(seed)

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._public

    def sign(self, message: bytes) -> bytes:
        """Sign ``message``; deterministic (RFC 8032)."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"Identity({self._public.hex()[:16]})"


def digest(domain: str, *parts: bytes) -> bytes:
    """Hash length-framed parts under a domain; 32 bytes of BLAKE2b."""
    return blake2b(frame(b"p2p-hearts 1", domain.encode(), *parts), digest_size=HASH_BYTES).digest()


def content_hash(content: bytes) -> bytes:
    """Hash of a content's bytes, by which histories name it."""
    return digest("content", content)


def sign_bytes(signer: Signer, domain: str, data: bytes) -> bytes:
    """Put signed bytes of the given domain into an envelope."""
    return encode(Envelope(data, signer.sign(digest(f"sign {domain}", data))))


def verify_bytes(author: bytes, domain: str, envelope: Envelope) -> None:
    """Check the signature of an envelope.

    Raises:
        BadSignatureError: key or point of small order or not canonical, or a wrong signature.
    """
    if not (_is_sound_point(author) and _is_sound_point(envelope.signature[:32])):
        # V52
        raise BadSignatureError("a key or signature point is not canonical or of small order")
    try:
        Ed25519PublicKey.from_public_bytes(author).verify(  # V53
            envelope.signature, digest(f"sign {domain}", envelope.content)
        )
    except (InvalidSignature, ValueError):
        raise BadSignatureError("the signature does not verify") from None


def seal(signer: Signer, content: Content) -> Sealed:
    """Encode and sign a content."""
    data = encode(content)
    return Sealed(content, content_hash(data), sign_bytes(signer, "content", data))


def open_envelope(data: bytes, verify: Verify = verify_bytes) -> Sealed:
    """Decode an envelope and verify its signature under the author it names.

    That the author sits in the seat it names is for the caller to check. Whoever gives another
    ``verify`` than ``verify_bytes`` answers for its being called before anything is made of this.

    Raises:
        DecodeError: not an envelope of a content.
        BadSignatureError: the signature is wrong.
    """
    envelope = decode(data, Envelope)  # V50
    content = decode(envelope.content, Content)  # V51
    verify(content.author, "content", envelope)
    return Sealed(content, content_hash(envelope.content), data)


def _is_sound_point(encoded: bytes) -> bool:
    """Whether 32 bytes encode a point as they must; of other lengths no signature verifies."""
    y = int.from_bytes(encoded, "little") & (_SIGN_BIT - 1)
    return y < _FIELD and y not in _SMALL_ORDER_Y
