"""Going back: an attempt followed again, where a round was closed otherwise than it was followed.

protocol/SPEC.md sections 6.4 and 7.4: confirms may close a round without a speech that had been
judged, or with another one, and so may what all seats have acknowledged.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p_hearts.record.audit.formation import FormationCheck
from p2p_hearts.record.audit.hand import HandCheck
from p2p_hearts.record.audit.hands import absent_from, make_part
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.speeches import deliver_speech
from p2p_hearts.record.audit.state import State, Waiting
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.faults import Fault


def go_back(state: State, target: AuditRound) -> None:
    """Follow the attempt of a round again from its start, up to this round.

    Needed where a speech had been judged that the round was then closed without.
    """
    part = state.part
    if not is_followed(state, target):
        # What is over stays as it was: a speaker has contradicted itself, which says more.
        return
    places = list(state.rounds)
    after = places[places.index(target.place) + 1 :]
    for place in after:
        gone = state.rounds.pop(place)
        state.opened -= 1
        # What came second is taken again if it fills its place then: ``deliver_second``.
        items = [
            Waiting(sealed, 0) for sealed in gone.contents if not state.ledger.is_second(sealed)
        ]
        state.waiting.setdefault(place, []).extend(items)
        state.waiting_count += len(items)
    strayed, state.astray = state.astray, []
    for sealed in strayed:
        if place_of(sealed.content) in after:
            state.waiting.setdefault(place_of(sealed.content), []).append(Waiting(sealed, 0))
            state.waiting_count += 1
        else:
            state.astray.append(sealed)
    attempt = target.place[:2]
    state.faults = [fault for fault in state.faults if not _is_judged_again(state, fault, after)]
    # A reveal that does not stand shows nothing; one that does is judged again.
    state.shown = [(place, fault) for place, fault in state.shown if place[:2] != attempt]
    state.faulty.clear()
    state.lost.clear()
    if isinstance(part, HandCheck):
        state.attempt_counts.pop()
        state.part = make_part(state, *attempt, part.dealer, part.keyless)
    else:
        # Nobody spoke before hand 0.
        state.spoken.clear()
        state.part = FormationCheck(state.sealed_roster)
    for item in [item for item in state.rounds.values() if item.place[:2] == attempt]:
        said = {sealed.hash: sealed for sealed in item.contents}
        wanted = {
            name: seat
            for seat, name in item.speeches.items()
            if item.standing is None or item.standing[item.speakers.index(seat)] == name
        }
        item.speeches = {}
        for name in wanted:
            deliver_speech(state, item, said[name])
        if item is not target:
            _close(state, item)
    state.current = target
    state.is_broken, state.contradiction = False, ""


def is_followed(state: State, target: AuditRound) -> bool:
    """Whether a round is of what is played now, which another certificate may change."""
    part = state.part
    if not isinstance(part, HandCheck):
        return part is not None and not target.place.hand
    scored = 0 if state.match is None else len(state.match.hands)
    return part.numbers == target.place[:2] and scored < target.place.hand


def _close(state: State, item: AuditRound) -> None:
    """Close a round again as it was closed before."""
    if isinstance(state.part, HandCheck):
        state.part.close(absent_from(state, item, state.part))
    elif state.part is not None:
        state.part.close()


def _is_judged_again(state: State, fault: Fault, gone: Sequence[Place]) -> bool:
    """Whether a fault was found in a round that is gone, or in a speech of one that stays."""
    place = Place(fault.hand, fault.attempt, fault.round)
    if place in gone:
        return True
    item = state.rounds.get(place)
    if item is None:
        return False
    speeches = {
        sealed.data
        for sealed in item.contents
        if item.speeches.get(sealed.content.seat) == sealed.hash
    }
    return not speeches.isdisjoint(fault.evidence)
