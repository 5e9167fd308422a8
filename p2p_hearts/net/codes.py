"""Join codes and typed addresses: ``HOST:PORT#CODE``.

The code is 60 bits of a hash of the host's identity key, so it is no secret: it says *whom* to
trust, and a card signed by another key does not match it. A host that wants to choose its guests
adds a secret of four more letters, which goes to the holder of that very key only. Written in
Crockford's base 32, in groups of four; case and separators do not matter, and O, I, L are read as
0, 1, 1.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass, field

from p2p_hearts.i18n import _
from p2p_hearts.net.addresses import show

CODE_LENGTH = 12
"""Letters of a code that name the host, five bits each."""
SECRET_LENGTH = 4
"""Letters of the secret: with five tries, one chance in 200,000 to guess it."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ = str.maketrans("OIL", "011")
_SEPARATORS = re.compile(r"[\s\-_.:]+")
_HOST = re.compile(
    r"(?=.{1,253}\Z)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?\Z",
    re.IGNORECASE | re.ASCII,
)
_LITERAL = re.compile(r"[0-9a-f:.]{2,45}(%[A-Za-z0-9_.-]{1,32})?\Z", re.IGNORECASE | re.ASCII)


def join_code(identity: bytes) -> str:
    """Return the code ``XXXX-XXXX-XXXX`` of an identity public key (its 32 bytes)."""
    if len(identity) != 32:
        raise ValueError("an identity key has 32 bytes")
    digest = hashlib.blake2b(identity, digest_size=8, person=b"p2p-hearts code").digest()
    bits = int.from_bytes(digest, "big") >> 4
    letters = "".join(_ALPHABET[bits >> shift & 31] for shift in range(55, -1, -5))
    return "-".join(letters[at : at + 4] for at in range(0, CODE_LENGTH, 4))


def new_secret() -> str:
    """Return four letters of the operating system's randomness, for the end of a code."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(SECRET_LENGTH))


def parse_code(text: str) -> str:
    """Return a typed code in its written form; ValueError that says what is wrong with it."""
    letters = _SEPARATORS.sub("", text.strip()).upper().translate(_READ)
    for letter in letters:
        if letter not in _ALPHABET:
            raise ValueError(
                _("a join code has no {letter!r}: it is made of {alphabet}").format(
                    letter=letter, alphabet=_ALPHABET
                )
            )
    if len(letters) not in (CODE_LENGTH, CODE_LENGTH + SECRET_LENGTH):
        raise ValueError(
            _("a join code has {short} or {long} letters and digits, not {n}").format(
                short=CODE_LENGTH, long=CODE_LENGTH + SECRET_LENGTH, n=len(letters)
            )
        )
    return "-".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def code_matches(code: str, identity: bytes) -> bool:
    """Whether a typed code names ``identity``; False for what is no code at all."""
    try:
        letters = parse_code(code).replace("-", "")[:CODE_LENGTH]
    except ValueError:
        return False
    return letters == join_code(identity).replace("-", "")


def secret_of(code: str) -> str:
    """Return the secret at the end of a typed code, "" if it has none or is no code."""
    try:
        return parse_code(code).replace("-", "")[CODE_LENGTH:]
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class Address:
    """What a person typed to reach a table: ``code`` in written form, or None."""

    host: str
    port: int
    code: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return show(self.host, self.port) + (f"#{self.code}" if self.code else "")


def parse_address(text: str) -> Address:
    """Read ``HOST:PORT``, ``HOST:PORT#CODE`` or ``[IPv6]:PORT#CODE``.

    ValueError that says what is wrong and how it should look.
    """
    place, hash_sign, code = text.strip().partition("#")
    host, colon, digits = place.strip().rpartition(":")
    if not colon or not host:
        raise ValueError(
            _("{text!r} has no port: write HOST:PORT, for example 192.168.1.20:7766").format(
                text=text
            )
        )
    if not (digits.isascii() and digits.isdigit() and 1 <= len(digits) <= 5):
        raise ValueError(
            _("{text!r} is no port: a port is a number from 1 to 65535").format(text=digits)
        )
    if not 1 <= int(digits) <= 65535:
        raise ValueError(
            _("{number} is no port: a port is a number from 1 to 65535").format(number=int(digits))
        )
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
        if not (_LITERAL.match(host) and ":" in host):
            raise ValueError(_("{text!r} is no IPv6 address").format(text=host))
    elif ":" in host and "/" not in host:
        raise ValueError(
            _("write an IPv6 address in brackets: {address}").format(address=f"[{host}]:{digits}")
        )
    elif not _HOST.match(host):
        raise ValueError(_("{text!r} is no name or address of a computer").format(text=host))
    return Address(host, int(digits), parse_code(code) if hash_sign else None)
