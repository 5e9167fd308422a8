"""The identity key, sealed with a passphrase: scrypt makes the key of a ChaCha20-Poly1305 box.

Errors: ``HomeError`` for an empty passphrase, or one that does not open it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from p2p_hearts.home.files import HomeError
from p2p_hearts.home.secret_store import SECRET_BYTES
from p2p_hearts.i18n import _

_SEALED = b"p2p-hearts sealed identity 1\n"
_SALT_BYTES = 16
_NONCE_BYTES = 12
_SEALED_BYTES = len(_SEALED) + _SALT_BYTES + _NONCE_BYTES + SECRET_BYTES + 16
_SCRYPT_N = 2**15
"""With r = 8, one guess takes 32 MiB and about a tenth of a second."""

AskPassphrase = Callable[[], str]
"""Asks for the passphrase; what it raises goes through."""


def is_sealed(data: bytes) -> bool:
    """Whether the file of an identity holds a sealed one."""
    return len(data) == _SEALED_BYTES and data.startswith(_SEALED)


def seal(private: bytes, passphrase: AskPassphrase) -> bytes:
    """Return a private key sealed.

    Raises:
        HomeError: the passphrase is empty.
    """
    word = passphrase()
    if not word:
        raise HomeError(_("an empty passphrase protects nothing; choose another one"))
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
    cipher = ChaCha20Poly1305(_stretch(word, salt))
    return _SEALED + salt + nonce + cipher.encrypt(nonce, private, _SEALED)


def unseal(data: bytes, passphrase: AskPassphrase | None, home: Path) -> bytes:
    """Return the private key in what is sealed; ``home`` is named where that fails.

    Raises:
        HomeError: the passphrase is wrong, or nobody is there to ask for it.
    """
    if passphrase is None:
        raise HomeError(_("the identity in {path} is sealed with a passphrase").format(path=home))
    rest = data[len(_SEALED) :]
    salt, rest = rest[:_SALT_BYTES], rest[_SALT_BYTES:]
    nonce, sealed = rest[:_NONCE_BYTES], rest[_NONCE_BYTES:]
    try:
        return ChaCha20Poly1305(_stretch(passphrase(), salt)).decrypt(nonce, sealed, _SEALED)
    except InvalidTag:
        told = _("this is not the passphrase of the identity in {path}; try again")
        raise HomeError(told.format(path=home)) from None


def _stretch(passphrase: str, salt: bytes) -> bytes:
    """Return the key that a passphrase makes (scrypt, RFC 7914)."""
    kdf = Scrypt(salt=salt, length=32, n=_SCRYPT_N, r=8, p=1)
    return kdf.derive(passphrase.encode("utf-8", "surrogateescape"))
