"""From round to round and from hand to hand, as far as the contents that are here go."""

from __future__ import annotations

from p2p_hearts.i18n import _
from p2p_hearts.record.audit.delivery import admit, deliver, deliver_second
from p2p_hearts.record.audit.folding import fold
from p2p_hearts.record.audit.formation import FormationCheck
from p2p_hearts.record.audit.hand import ContradictionError, HandCheck
from p2p_hearts.record.audit.hands import (
    FIRST_ATTEMPT,
    SECOND_ATTEMPT,
    absent_from,
    make_part,
)
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.state import State
from p2p_hearts.record.audit.words import words_of
from p2p_hearts.rules.dealing import next_dealer
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.messages import Kind

BEFORE_CARDS = frozenset({Kind.KEY, Kind.SHUFFLE, Kind.ESCROW, Kind.SEALS})
"""A hand that somebody leaves in one of these rounds begins anew."""

VOTERS = 2
"""So many seats close a round without another one."""


def settle(state: State) -> None:
    """Close every round that is whole, open the next one, and judge what waited for it."""
    while state.current is not None:
        done, head = state.current, state.current.head
        if head is None or (_ends_attempt(state, done) and not done.is_certified):
            return
        state.current, state.head = None, head
        if state.is_broken:
            return
        try:
            _go_on(state, done)
        except ContradictionError as error:
            state.is_broken = True
            state.contradiction = _("the proofs of {place} contradict each other: {reason}").format(
                place=words_of(done.place), reason=error
            )


def _ends_attempt(state: State, done: AuditRound) -> bool:
    """Whether another attempt or hand follows: then only a certificate ends the round.

    Whatever contents are here first, confirms may still close it with others.
    """
    part, kind = state.part, done.stage.kind
    if not isinstance(part, HandCheck):
        return kind is Kind.DRAW
    if kind in BEFORE_CARDS and absent_from(state, done, part) is not None:
        return True
    return part.stage is None or (part.shuffles_last and bool(state.faulty))


def _go_on(state: State, done: AuditRound) -> None:
    part, (hand, attempt, number) = state.part, done.place
    if part is None:
        return
    if isinstance(part, HandCheck) and part.stage is None:
        _end_hand(state, part)
        return
    if isinstance(part, HandCheck):
        absent = absent_from(state, done, part)
        if absent is not None and _is_second_missing(state, done, part, absent):
            state.is_broken = True
            return
        if absent is not None and done.stage.kind in BEFORE_CARDS:
            _begin_anew(state, part, hand, absent)
            return
        part.close(absent)
        is_last = part.stage is None or part.stage.kind is not Kind.SHUFFLE
        if done.stage.kind is Kind.SHUFFLE and is_last and state.faulty:
            if part.dummy is None:
                _begin_anew(state, part, hand, min(state.faulty))
            else:
                state.is_broken = True
            return
    else:
        part.close()
    if part.stage is not None:
        open_round(state, Place(hand, attempt, number + 1))
    elif isinstance(part, FormationCheck):
        state.drawn = part.drawn
        _begin_hand(state, 1)
        admitted, state.before_draw = state.before_draw, []
        for item in admitted:
            admit(state, item.sealed, item.offset)
    else:
        state.current = done  # The hand is complete; it ends with the certificate.


def _is_second_missing(state: State, done: AuditRound, part: HandCheck, absent: int) -> bool:
    """Whether one more seat is missing than the one that a round is closed without."""
    if part.dummy is not None:
        return True
    has_cards = done.stage.kind not in BEFORE_CARDS and done.stage.kind is not Kind.REVEAL
    return has_cards and not {*state.faulty, *state.lost} <= {absent}


def _end_hand(state: State, part: HandCheck) -> None:
    """Score a complete hand, once its last round is certified; begin the next one."""
    hand = part.numbers[0]
    if part.scores is None or state.match is None:
        raise ContradictionError(_("a hand ended without scores"))
    state.match = state.match.add(part.scores)
    state.counts["hands scored"] += 1
    state.excluded |= set(state.faulty)
    if len(state.excluded) > 1:
        state.is_broken = True
    elif not state.match.over:
        if state.tells:
            state.story.append(part.tell())
        if state.folds:
            fold(state, hand)
        _begin_hand(state, hand + 1)


def _begin_anew(state: State, part: HandCheck, hand: int, keyless: int) -> None:
    """Begin a hand anew without a seat; what is still said in the old attempt is void."""
    state.excluded |= set(state.faulty)
    state.void.add((hand, FIRST_ATTEMPT))
    for place in [place for place in state.waiting if place[:2] in state.void]:
        gone = state.waiting.pop(place)
        state.waiting_count -= len(gone)
        state.counts["messages of attempts begun anew"] += len(gone)
    kept = [item for item in state.astray if place_of(item.content)[:2] not in state.void]
    state.counts["messages of attempts begun anew"] += len(state.astray) - len(kept)
    state.astray = kept
    state.faulty.clear()
    state.lost.clear()
    if state.tells:
        state.story.append(part.tell(is_void=True))
    state.part = make_part(state, hand, SECOND_ATTEMPT, part.dealer, keyless)
    open_round(state, Place(hand, SECOND_ATTEMPT, 0))


def _begin_hand(state: State, number: int) -> None:
    roster, drawn = state.sealed_roster, state.drawn
    if drawn is None:
        raise ContradictionError(_("a hand before the draw"))
    before = state.part
    dealer = (
        next_dealer(roster.rules, before.dealer) if isinstance(before, HandCheck) else drawn.dealer
    )
    state.faulty.clear()
    state.lost.clear()
    keyless = min(state.excluded, default=None)
    state.part = make_part(state, number, FIRST_ATTEMPT, dealer, keyless)
    open_round(state, Place(number, FIRST_ATTEMPT, 0))


def open_round(state: State, place: Place) -> None:
    """Open the round that is due, and take in what waited for it."""
    part = state.part
    stage = None if part is None else part.stage
    if part is None or stage is None:
        raise ContradictionError(_("no round is due at {place}").format(place=words_of(place)))
    everybody = tuple(range(len(state.sealed_roster.entries)))
    seats = part.present if isinstance(part, HandCheck) else everybody
    votable = place.hand > 0 and seats == everybody and len(everybody) > VOTERS
    opened = AuditRound(
        place,
        stage,
        part.speakers,
        seats,
        votable,
        state.head,
        number=state.opened,
        spoken=dict(state.spoken),
    )
    state.rounds[place] = state.current = opened
    state.opened += 1
    items = state.waiting.pop(place, [])
    state.waiting_count -= len(items)
    for item in items:
        deliver(state, opened, item.sealed)
    deliver_second(state, opened)
