"""Public-key boxes of libsodium: X25519, XSalsa20, Poly1305 (NaCl's ``crypto_box``).

What CURVE in ZeroMQ is made of (ZeroMQ RFC 26). `rbcl` brings all of libsodium and wraps the group
of `crypto.group` alone, so these four functions are called where it has loaded them.

A key of small order makes a shared key that everybody knows: libsodium refuses it, and so does
``shared_key``.

Never: draws a nonce; whoever calls never uses one twice with a key. Errors: `BoxError` for bytes
from outside; ``ValueError`` for a length that is a mistake of this program.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

import rbcl.rbcl

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 24
MAC_BYTES: Final = 16
"""What a box is longer than its content."""

_sodium: Any = rbcl.rbcl._sodium


class BoxError(ValueError):
    """A box that these keys do not open, or a key that nobody can use."""


def shared_key(public: bytes, secret: bytes) -> bytes:
    """Return what two holders of keys share: of one the public half, of the other the secret one.

    Raises:
        BoxError: the public key is of small order.
    """
    _must_be(public, KEY_BYTES)
    _must_be(secret, KEY_BYTES)
    shared = ctypes.create_string_buffer(KEY_BYTES)
    if _sodium.crypto_box_beforenm(shared, public, secret) != 0:
        raise BoxError("a public key of small order")
    return shared.raw


def seal_box(shared: bytes, nonce: bytes, content: bytes) -> bytes:
    """Return a box with this content under a shared key."""
    _must_be(shared, KEY_BYTES)
    _must_be(nonce, NONCE_BYTES)
    box = ctypes.create_string_buffer(len(content) + MAC_BYTES)
    length = ctypes.c_ulonglong(len(content))
    if _sodium.crypto_box_easy_afternm(box, content, length, nonce, shared) != 0:
        raise ValueError("too much for one box")
    return box.raw


def open_box(shared: bytes, nonce: bytes, box: bytes) -> bytes:
    """Return the content of a box.

    Raises:
        BoxError: it was not made with this key and nonce, or was changed.
    """
    _must_be(shared, KEY_BYTES)
    _must_be(nonce, NONCE_BYTES)
    if len(box) < MAC_BYTES:
        raise BoxError("too short for a box")
    content = ctypes.create_string_buffer(max(1, len(box) - MAC_BYTES))
    length = ctypes.c_ulonglong(len(box))
    if _sodium.crypto_box_open_easy_afternm(content, box, length, nonce, shared) != 0:
        raise BoxError("not a box of these keys")
    return content.raw[: len(box) - MAC_BYTES]


def _must_be(data: bytes, length: int) -> None:
    """Refuse what libsodium would read beyond."""
    if len(data) != length:
        raise ValueError(f"{length} bytes are needed, not {len(data)}")
