"""The CURVE key pair of a peer: one pair, used both to be dialled and to dial.

Because it is one pair, the key that a frame arrived under is the key under which its sender can be
dialled. Binding it to a person (the signature of an Ed25519 identity over the public half) is the
business of the layers above. The secret half never shows in a ``repr`` or a log.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import zmq

from p2p_hearts.wire.lobby import is_link_key


@dataclass(frozen=True, slots=True)
class CurveKeys:
    """A CURVE key pair, each half 40 characters of Z85. Raises ValueError when a half is not."""

    public: bytes
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        check_key(self.public)
        if not is_key(self.secret):
            raise ValueError("the secret half is no CURVE key")
        if zmq.curve_public(self.secret) != self.public:
            raise ValueError("the two halves of the CURVE key do not belong together")

    @classmethod
    def generate(cls) -> CurveKeys:
        """Draw a new pair from the operating system's generator."""
        public, secret = zmq.curve_keypair()
        return cls(public, secret)

    @classmethod
    def from_secret(cls, secret: bytes) -> CurveKeys:
        """Rebuild a stored pair. Raises ValueError when ``secret`` is no key."""
        if not is_key(secret):
            raise ValueError("the secret half is no CURVE key")
        return cls(zmq.curve_public(secret), secret)


def is_key(key: object) -> bool:
    """Whether ``key`` is 32 bytes written in Z85 (the form, not whether anybody holds it)."""
    return isinstance(key, bytes) and is_link_key(key)


def check_key(key: bytes) -> bytes:
    """Return ``key`` if it has the form of a CURVE public key; ValueError otherwise."""
    if not is_key(key):
        raise ValueError("a CURVE public key is 40 characters of Z85")
    return key
