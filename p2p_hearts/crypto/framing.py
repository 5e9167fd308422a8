"""Injective framing of byte strings, used by every hash of the protocol.

Implements protocol/SPEC.md section 2.  Two different lists of parts never frame to the same
bytes, and neither is a prefix of the other, so frames may follow one another in one hash.
"""

from __future__ import annotations

from struct import Struct

_COUNT = Struct(">I")
_LENGTH = Struct(">Q")


def frame(*parts: bytes) -> bytes:
    """Join the parts to one byte string from which they can be told apart again.

    The number of parts (4 bytes, big-endian), then each part after its length (8 bytes,
    big-endian).  protocol/SPEC.md section 2.
    """
    pieces = [_COUNT.pack(len(parts))]
    for part in parts:
        pieces.append(_LENGTH.pack(len(part)))
        pieces.append(part)
    return b"".join(pieces)
