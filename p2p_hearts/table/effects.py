"""What a table asks its surroundings to do: the only way anything leaves it.

The order of effects is binding: everything to ``Store`` is on disk before a later ``Send`` gives
it away (protocol/SPEC.md section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Store:
    """Append this envelope to the log and make it durable."""

    envelope: bytes


@dataclass(frozen=True, slots=True)
class Send:
    """Send this frame to a place of the roster, or to all others."""

    to: int | None
    frame: bytes


@dataclass(frozen=True, slots=True)
class Show:
    """Send this part of the next deal to a place of the roster, or to all others.

    Unlike a frame it may be lost for good: nothing waits for it.
    """

    to: int | None
    ahead: bytes


Effect = Store | Send | Show


class Secrets(Protocol):
    """Where a table's secrets come from; each is 32 bytes of the operating system's randomness.

    A secret is durable before it is returned, and the same for the same arguments until it is
    forgotten.

    Where one can neither be had nor is lost, as on a full disk, what is raised passes through any
    call of the table. Then no effect of that table may be carried out any more: it has no way on.
    """

    def nonce(self, roster: bytes) -> bytes:
        """Return the nonce for the draw over this roster."""
        ...

    def table_key(self, instance: bytes) -> bytes:
        """Return what the table key of this opening of a table is derived from."""
        ...

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        """Return the secret z of one attempt at a hand.

        Raises:
            LookupError: it is not there, and not ``fresh``: this seat has committed to it before,
                so another one may not take its place. The table says that it is lost.
        """
        ...

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        """Erase the secret of a hand that was revealed, or that nobody comes back to."""
        ...
