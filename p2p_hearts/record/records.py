r"""The form of a log: a magic line, then chained records (protocol/SPEC.md section 9.1).

    file    = "p2p-hearts log 1\n" record*
    record  = length  check  crc  chain  payload
    length  = bytes of the payload, 4 bytes big-endian
    check   = CRC-32 of the 4 length bytes, so that a damaged length is never taken for a cut
    crc     = CRC-32 of chain and payload
    chain   = hash of the chain value before it and this payload, 32 bytes
    payload = one byte for the kind, then the record's data

The CRCs tell accidents; the chain tells that no record was left out, moved or exchanged since.
Neither is a secret: who rewrites a whole log can make them anew, and then meets the signatures.

Records are made and read here from values and streams that arrive as arguments; ``log`` opens
the files. Never: believes a length, keeps more than one record in memory.
Errors: ``NotALogError``, ``LogDamageError``, ``LogTornError``, each with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct as Layout
from typing import Annotated, Final, Protocol
from zlib import crc32

from msgspec import Meta, Struct

from p2p_hearts.i18n import _
from p2p_hearts.wire.codec import MAX_BYTES, decode, encode
from p2p_hearts.wire.envelope import Envelope, Signer, digest, sign_bytes, verify_bytes
from p2p_hearts.wire.messages import VERSION, PublicKey

MAGIC: Final = b"p2p-hearts log 1\n"
"""First line of a log; the number is the version of this form."""

MAX_PAYLOAD: Final = MAX_BYTES + 4096
"""Longest payload, bytes: an envelope at the codec's limit and a little more."""

FIRST_CHAIN: Final = digest("log", MAGIC)
"""Chain value before the first record."""

_HEADER: Final = Layout(">III32s")
_LENGTH: Final = Layout(">I")
HEADER_BYTES: Final = _HEADER.size
_NAME: Final = MAGIC.split(b" 1")[0]


class LogError(ValueError):
    """A log that cannot be read to its end; the text says why, for people."""


class NotALogError(LogError):
    """The bytes do not begin as a log does."""


class LogDamageError(LogError):
    """Bytes of a log were changed or lost in the middle; ``offset`` is where the record begins."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(
            _("the log is damaged at byte {offset}: {reason}").format(offset=offset, reason=reason)
        )
        self.offset = offset


class LogTornError(LogError):
    """A log ends within a record, as after a crash; ``offset`` is where that record begins."""

    def __init__(self, offset: int) -> None:
        super().__init__(
            _("the log ends in the middle of the record at byte {offset}").format(offset=offset)
        )
        self.offset = offset


class RecordKind(IntEnum):
    """What a record holds; the value stands in the file."""

    START = 1
    ROSTER = 2
    CONTENT = 3


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """First record: who wrote this log, with what. Signed by the owner in an envelope."""

    program: Annotated[str, Meta(max_length=64)]
    """Version of the program."""
    protocol: Annotated[int, Meta(ge=0, lt=2**31)]
    owner: PublicKey
    """Identity of the peer that keeps this log, 32 bytes."""
    created: Annotated[int, Meta(ge=0, lt=2**53)]
    """Seconds since 1970 by the owner's clock. For people; nothing is decided by it."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it stands in a log."""

    kind: RecordKind
    data: bytes
    offset: int
    """Where its header begins, bytes from the start of the file."""
    end: int
    """Where the next record begins."""
    chain: bytes
    """Chain value of this record."""


class Readable(Protocol):
    """A stream of bytes, such as a file opened for reading."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, fewer only at the end."""
        ...


_START: Final = "log"
"""Domain of the owner's signature."""


def start_data(owner: Signer, program: str, created: int) -> bytes:
    """Data of the start record, signed; ``created`` in seconds since 1970."""
    return sign_bytes(owner, _START, encode(Start(program, VERSION, owner.public, created)))


def open_start(data: bytes) -> Start:
    """Decode and verify the data of a start record.

    Raises:
        DecodeError, BadSignatureError: it is malformed, or not signed by the owner it names.
    """
    envelope = decode(data, Envelope)
    start = decode(envelope.content, Start)
    verify_bytes(start.owner, _START, envelope)
    return start


def make_record(chain: bytes, kind: RecordKind, data: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of a record after the chain value ``chain``, and its own chain value.

    Raises:
        ValueError: ``data`` is longer than a record may be.
    """
    payload = bytes([kind]) + data
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a record holds at most {MAX_PAYLOAD} bytes, not {len(payload)}")
    now = digest("log", chain, payload)
    length = _LENGTH.pack(len(payload))
    header = _HEADER.pack(len(payload), crc32(length), crc32(now + payload), now)
    return header + payload, now


def read_records(stream: Readable) -> Iterator[Record]:
    """Read a log from its first byte, one record at a time.

    Raises:
        NotALogError: it does not begin as a log of this version does.
        LogDamageError: a record is not what its CRC, its chain or its kind says it must be.
        LogTornError: after all whole records, if the log ends within one.
    """
    _check_magic(stream.read(len(MAGIC)))  # V93
    offset, chain = len(MAGIC), FIRST_CHAIN
    while header := stream.read(HEADER_BYTES):
        if len(header) < HEADER_BYTES:
            raise LogTornError(offset)
        length, check, crc, now = _HEADER.unpack(header)
        if check != crc32(header[: _LENGTH.size]):  # V94
            if _is_zero(header, stream):  # a crash may leave space that was never written
                raise LogTornError(offset)
            raise LogDamageError(offset, _("the length of a record fails its check"))
        if not 0 < length <= MAX_PAYLOAD:
            raise LogDamageError(offset, _("a record cannot have {n} bytes").format(n=length))
        payload = stream.read(length)
        if len(payload) < length:  # V95
            raise LogTornError(offset)
        if crc != crc32(now + payload):  # V96
            raise LogDamageError(offset, _("a record fails its checksum"))
        if now != digest("log", chain, payload):  # V97
            raise LogDamageError(offset, _("a record does not follow the one before it"))
        try:
            kind = RecordKind(payload[0])  # V98
        except ValueError:
            raise LogDamageError(
                offset, _("there is no record of kind {kind}").format(kind=payload[0])
            ) from None
        end = offset + HEADER_BYTES + length
        yield Record(kind, payload[1:], offset, end, now)
        offset, chain = end, now


def _check_magic(found: bytes) -> None:
    if found == MAGIC:
        return
    if not found:
        raise NotALogError(_("the file is empty, so it is no p2p-hearts log"))
    if found.startswith(_NAME) and len(found) == len(MAGIC):
        raise NotALogError(_("the log was written by another version of p2p-hearts"))
    raise NotALogError(_("the file is no p2p-hearts log"))


def _is_zero(header: bytes, stream: Readable) -> bool:
    block = header
    while block:
        if any(block):
            return False
        block = stream.read(65536)
    return True
