"""What signed contents prove against their author, whoever looks at them (SPEC.md section 7.7).

Most faults are found by following the game. Those here need no game: two contents that cannot both
have been signed by a seat that keeps the rules, or one that stands where its author has nothing to
say. So they can be carried to those who have not seen them, and convict there as well.

Never: convicts by something that is missing. Errors: none, contents prove a fault or they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2p_hearts.wire.chain import NO_HASH, Place, place_of
from p2p_hearts.wire.codec import DecodeError, decode
from p2p_hearts.wire.envelope import (
    BadSignatureError,
    Envelope,
    Sealed,
    Verify,
    open_envelope,
    verify_bytes,
)
from p2p_hearts.wire.faults import Fault, Rule, fault_of
from p2p_hearts.wire.messages import BALLOTS, BODIES, Content, Kind, Reveal

SELF_EVIDENT = frozenset({Rule.TWO_CONTENTS, Rule.CHAIN, Rule.TURN, Rule.BODY})
"""Rules of which contents may prove by themselves that they were broken."""

BESIDE_SPEECHES = BALLOTS | {Kind.ACK}

BODY_BYTES = 24 * 1024
"""No content is longer, but a reveal; a shuffle of two packs has 23.1 kB."""

REVEAL_BYTES = 26 * 1024
"""A reveal with one content as evidence; two such contents fit into the body of another one."""


def open_content(data: bytes, verify: Verify = verify_bytes) -> Sealed:
    """Open an envelope, if its content is no longer than it needs to be (V50 to V53).

    Else a seat could contradict itself at such length that no reveal can carry it. ``verify`` as
    for ``open_envelope``.

    Raises:
        DecodeError: not an envelope of a content, or of one that is too long.
        BadSignatureError: the signature is wrong.
    """
    sealed = open_envelope(data, verify)
    if is_long(sealed.content) and not _carries_evidence(sealed.content):
        raise DecodeError("a body that is longer than any message needs")
    return sealed


def is_long(content: Content) -> bool:
    """Whether a content has not the length at which a reveal may carry it."""
    most = REVEAL_BYTES if content.kind == Kind.REVEAL else BODY_BYTES
    return len(content.body) > most


def fits_a_reveal(evidence: Sequence[bytes]) -> bool:
    """Whether a reveal with these envelopes of contents is taken by everybody."""
    return not any(is_long(decode(decode(data, Envelope).content, Content)) for data in evidence)


def _carries_evidence(content: Content) -> bool:
    """Whether it is a reveal with contents of another seat, none long, as evidence has them."""
    if content.kind != Kind.REVEAL:
        return False
    try:
        carried = [open_envelope(data) for data in decode(content.body, Reveal).evidence]
    except (DecodeError, BadSignatureError):
        return False
    if any(is_long(item.content) or item.content.author == content.author for item in carried):
        return False
    return len(carried) == 1 or proven_by(carried, lambda place: None) is not None


@dataclass(frozen=True, slots=True)
class Known:
    """A round of the certified history, as everybody who has followed it knows it."""

    prev: bytes
    """Head of the round before."""
    speakers: tuple[int, ...]


def proven_by(contents: Sequence[Sealed], known: Callable[[Place], Known | None]) -> Fault | None:
    """Return the fault that one or two verified contents prove; ``None`` if they do not.

    They are of one author at one table, which has one name in the draw and another one after it.
    ``known`` gives a round that everybody who judges has certified, ``None`` for any other.
    """
    if len({item.content.author for item in contents}) != 1:
        return None
    bound = {(not item.content.hand, item.content.table, item.content.seat) for item in contents}
    if len({in_draw for in_draw, *_ in bound}) != len(bound):
        return None
    rule: Rule | None = None
    if len(contents) == 1:
        rule = _alone(contents[0], known)
    elif len(contents) == 2:
        first, second = sorted(contents, key=lambda item: item.content.sequence)
        rule = _together(first, second)
    return None if rule is None else fault_of(rule, *contents)


def _together(first: Sealed, second: Sealed) -> Rule | None:
    """Which rule two contents of one author break, the one of the lower number first."""
    if first.hash == second.hash:
        return None
    slots = _slot(first), _slot(second)
    if slots[0] == slots[1] and slots[0] is not None:
        return Rule.TWO_CONTENTS
    step = second.content.sequence - first.content.sequence
    if step == 0 or (step == 1 and second.content.last != first.hash):
        return Rule.CHAIN
    return None


def _slot(item: Sealed) -> tuple[object, ...] | None:
    """Where a content stands, so that its author signs no other one there."""
    content = item.content
    if content.kind not in BALLOTS:
        return place_of(content), content.kind == Kind.ACK
    ballot = _ballot_of(item)
    return None if ballot is None else (place_of(content), content.prev, content.kind, ballot)


def _ballot_of(item: Sealed) -> int | None:
    """Return the ballot of a vote or a confirm; ``None`` if its body is not of its form."""
    try:
        body = decode(item.content.body, BODIES[Kind(item.content.kind)])
    except DecodeError:
        return None
    ballot: int = getattr(body, "ballot", 0)
    return ballot


def _alone(item: Sealed, known: Callable[[Place], Known | None]) -> Rule | None:
    content = item.content
    if content.sequence == 0 and content.last != NO_HASH:
        return Rule.CHAIN
    if content.kind in BESIDE_SPEECHES:
        return Rule.BODY if _ballot_of(item) is None else None
    there = known(place_of(content))
    if there is None or content.prev != there.prev:
        return None
    return None if content.seat in there.speakers else Rule.TURN
