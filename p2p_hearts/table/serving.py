"""What a peer holds and what it sends to others that lack it (protocol/SPEC.md section 6.6).

A heartbeat tells what is held of the rounds that are not certified; whoever holds what its sender
lacks, sends it. Everything here is read off a ``History``.

Never: changes the history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from p2p_hearts.table.early import ROUNDS_AHEAD
from p2p_hearts.table.history import History
from p2p_hearts.table.round import Round
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.messages import Beat, Kind, RoundReport

MAX_REPORTED = 128
"""Of these so many are named in a heartbeat."""

FRAME_BYTES = 120 * 1024
"""Envelopes for a peer that is behind go in frames of at most about this many bytes."""

WATCHER_BYTES = 32 * 1024
"""Likewise for somebody who watches: whatever it leaves lying about is small."""

FRAME_ENVELOPES = 400
"""At most this many of them; ``Frame`` holds 512."""

SERVED_ROUNDS = 40
"""At most this many whole rounds are sent to a peer for one of its heartbeats."""


def report(history: History) -> list[RoundReport]:
    """Return what is held of the rounds that are not certified."""
    return [
        RoundReport(
            round=item.place.round,
            speeches=[
                item.speeches[seat].hash if seat in item.speeches else b""
                for seat in range(history.seats)
            ],
            acks=[
                item.acks[seat].hash if seat in item.acks else b"" for seat in range(history.seats)
            ],
            ballots=[*(name for twins in item.twins.values() for name in twins), *item.ballots][
                :MAX_REPORTED
            ],
        )
        for item in _reported(history)
    ]


def _reported(history: History) -> list[Round]:
    """The rounds that a heartbeat tells of: the open ones, and the one before if it had votes.

    Votes that came too late for their round still count in their author's numbers.
    """
    at = history.certified
    before = history.rounds[max(at - 1, 0) : at]
    return ([item for item in before if item.ballots] + history.rounds[at:])[:ROUNDS_AHEAD]


def next_place(history: History) -> Place:
    """Return the place of the first round without a certificate, or after all of them."""
    if history.certified < len(history.rounds):
        return history.rounds[history.certified].place
    hand, attempt, number = history.rounds[-1].place
    return Place(hand, attempt, number + 1)


def missing_for(history: History, beat: Beat, evidence: Sequence[bytes] = ()) -> list[bytes]:
    """Return the envelopes that the sender of a heartbeat lacks or holds differently.

    First what makes the certificates, then ``evidence``, then the rest: of that a liar can say much
    that the others hold and the sender drops.
    """
    start = Place(beat.hand, beat.attempt, beat.round)
    told = {item.round: item for item in beat.open}
    names = {
        name for report in beat.open for name in (*report.speeches, *report.acks, *report.ballots)
    }
    found: list[Sealed] = []
    others: list[Sealed] = []
    behind = [item for item in history.rounds if item.place < start][-1:]
    served = [item for item in history.rounds if item.place >= start][:SERVED_ROUNDS]
    served += [item for item in behind if item.ballots]
    for item in served:
        same_hand = item.place[:2] == start[:2]
        said = told.get(item.place.round) if same_hand else None
        found += _unlike(item.speeches, said.speeches if said else [])
        found += _unlike(item.acks, said.acks if said else [])
        known = {*said.ballots, *said.speeches} if said else set[bytes]()
        twins = [twin for twins in item.twins.values() for twin in twins.values()]
        lacking = [
            sealed
            for sealed in (*item.ballots.values(), *item.late.values(), *twins)
            if sealed.hash not in known
        ]
        proof = item.closed_by
        found += [sealed for sealed in lacking if sealed.hash in proof]
        others += [sealed for sealed in lacking if sealed.hash not in proof]
    first = _with_ancestors(history, found, names, start)
    rest = _with_ancestors(history, found + others, names, start)[len(first) :]
    return [*first, *evidence, *rest]


def _with_ancestors(
    history: History, found: Sequence[Sealed], names: Set[bytes], start: Place
) -> list[bytes]:
    """Return these envelopes, each after what its author said before it and may be missing.

    A content with a number that is not its place's is taken on top of the one before only, and
    that may stand where no heartbeat tells of it: in a round that is certified or void.
    """
    served: dict[bytes, bytes] = {}
    for sealed in found:
        chain = [sealed]
        while chain[-1].hash not in served:
            content = chain[-1].content
            before = history.numbered(content.author, content.sequence - 1)
            if before is None or before.hash in names or _is_settled(history, before, start):
                break
            chain.append(before)
        for item in reversed(chain):
            served.setdefault(item.hash, item.data)
    return list(served.values())


def _is_settled(history: History, sealed: Sealed, start: Place) -> bool:
    """Whether whoever is at ``start`` holds a content: acks alone certified its round."""
    content = sealed.content
    item = history.find(place_of(content))
    if item is None or item.place >= start or item.ballots:
        return False
    part = item.acks if content.kind == Kind.ACK else item.speeches
    held = part.get(content.seat)
    return held is not None and held.hash == sealed.hash


def serves_all(history: History, beat: Beat) -> bool:
    """Whether ``missing_for`` reaches up to the last round held, and its receiver keeps it all.

    What is further ahead of the receiver than ``ROUNDS_AHEAD`` it drops.
    """
    start = Place(beat.hand, beat.attempt, beat.round)
    return sum(item.place >= start for item in history.rounds) <= ROUNDS_AHEAD


def _unlike(held: Mapping[int, Sealed], told: Sequence[bytes]) -> list[Sealed]:
    """Return what is held by seat and was not told by the same hash."""
    return [item for seat, item in held.items() if told[seat : seat + 1] != [item.hash]]


def fill_frame(
    envelopes: Sequence[bytes], most: int = FRAME_BYTES
) -> tuple[list[bytes], Sequence[bytes]]:
    """Return what fits into one frame, one envelope at least, and the rest."""
    total = count = 0
    for data in envelopes[:FRAME_ENVELOPES]:
        total += len(data)
        if count and total > most:
            break
        count += 1
    return list(envelopes[:count]), envelopes[count:]
