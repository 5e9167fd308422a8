"""What a table says about itself on the LAN: a TXT record, written and read.

Anybody can say anything there, so every field is checked, cleaned and cut where it is read; what
does not pass is no table. Pure functions of values. Errors: ``ValueError`` for what this program
itself would announce and no reader would take; None for what others say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2p_hearts.net.addresses import MAX_ADDRESSES, is_address
from p2p_hearts.net.names import clean_name

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}\Z", re.ASCII)
_PRESET = re.compile(r"[A-Za-z0-9_+-]{1,32}\Z", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,4}\Z", re.ASCII)


def is_label(text: str) -> bool:
    """Whether a text may name an instance or a table: 1 to 64 letters, digits, - and _."""
    return _TOKEN.match(text) is not None


@dataclass(frozen=True, slots=True)
class Advert:
    """What a table says about itself in its TXT record.

    ``table`` is the random id of the table (letters, digits, - and _); ``name`` and ``nick`` (of
    the host) are for display only. ValueError for values that no reader would accept.
    """

    table: str
    name: str
    nick: str
    version: int
    preset: str
    seats: int
    free: int

    def __post_init__(self) -> None:
        if not is_label(self.table):
            raise ValueError("a table id is 1 to 64 letters, digits, - and _")
        if not _PRESET.match(self.preset):
            raise ValueError("a preset is named by 1 to 32 letters, digits, +, - and _")
        if not (0 <= self.version <= 9999 and 1 <= self.seats <= 99 and 0 <= self.free <= 99):
            raise ValueError("version, seats or free seats are out of range")
        if clean_name(self.name) != self.name or clean_name(self.nick) != self.nick:
            raise ValueError("names must be cleaned before they are announced")

    def properties(self) -> dict[str, bytes]:
        """Return the TXT record."""
        return {
            "id": self.table.encode("ascii"),
            "name": _cut(self.name),
            "nick": _cut(self.nick),
            "v": str(self.version).encode("ascii"),
            "rules": self.preset.encode("ascii"),
            "seats": str(self.seats).encode("ascii"),
            "free": str(self.free).encode("ascii"),
        }


def _cut(name: str) -> bytes:
    """UTF-8 of a name, short enough for a TXT string (255 bytes with its key)."""
    return name.encode("utf-8")[:200].decode("utf-8", "ignore").encode("utf-8")


def read_advert(properties: Mapping[bytes, bytes | None]) -> Advert | None:
    """Read the TXT record of somebody; None unless every field is there and sane.

    Unknown fields are ignored, names are cleaned. Another protocol version is no error: the list
    shows such a table as one of another version.
    """
    texts: dict[str, str] = {}
    for key in ("id", "name", "nick", "v", "rules", "seats", "free"):
        value = properties.get(key.encode("ascii"))
        if not isinstance(value, bytes):
            return None
        texts[key] = value.decode("utf-8", "replace")
    numbers = [texts[key] for key in ("v", "seats", "free")]
    if not all(_NUMBER.match(number) for number in numbers):
        return None
    version, seats, free = (int(number) for number in numbers)
    try:
        return Advert(
            table=texts["id"],
            name=clean_name(texts["name"]),
            nick=clean_name(texts["nick"]),
            version=version,
            preset=texts["rules"],
            seats=seats,
            free=free,
        )
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Found:
    """A table heard of: ``instance`` is its random DNS-SD label, ``port`` that of its door."""

    instance: str
    advert: Advert
    addresses: tuple[str, ...]
    port: int


def read_found(
    instance: str,
    properties: Mapping[bytes, bytes | None],
    addresses: Sequence[str],
    port: int | None,
) -> Found | None:
    """Judge what a resolver said; None unless it is a table that could be dialled."""
    advert = read_advert(properties)
    good = [address for address in dict.fromkeys(addresses) if is_address(address)]
    good.sort(key=lambda address: ":" in address)
    if advert is None or not good or port is None or not 1 <= port <= 65535:
        return None
    return Found(instance, advert, tuple(good[:MAX_ADDRESSES]), port)
