"""A hand as a row of moments, for whoever shows it step by step.

One moment is one thing that people at the table would have seen: the deal, the pass, a card, the
widow, a claim, the points. Pure functions of ``audit.story.HandStory``. Errors: none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p_hearts.record.audit.story import HandStory, Step
from p2p_hearts.rules.cards import Card, cards_in, size
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.score import points_of
from p2p_hearts.wire.messages import Kind


class Event(Enum):
    """What a moment is."""

    DEAL = "deal"
    PASS = "pass"  # noqa: S105  (the pass of cards)
    PLAY = "play"
    WIDOW = "widow"
    CLAIM = "claim"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a hand."""

    event: Event
    plays: int
    """How many cards have been played, this one included."""
    seat: int | None = None
    """Who plays, claims or is given the widow."""
    card: Card | None = None
    step: Step | None = None
    """What proved it, where one speech did."""
    trick: int | None = None
    """The trick that a card belongs to, from 0."""
    ends_trick: bool = False


def moments(hand: HandStory) -> tuple[Moment, ...]:
    """Return the moments of a hand, as far as it went."""
    found = [Moment(Event.DEAL, 0)]
    if hand.offset and any(step.kind is Kind.PASS for step in hand.steps):
        found.append(Moment(Event.PASS, 0))
    play = hand.play
    if play is None:
        return tuple(found)
    seats, is_widow_told = hand.rules.seats, not play.widow
    for number, ((seat, card), step) in enumerate(zip(hand.plays, hand.proofs(), strict=True), 1):
        trick, place = divmod(number - 1, seats)
        ends = place == seats - 1
        found.append(Moment(Event.PLAY, number, seat, card, step, trick, ends))
        if ends and not is_widow_told and play.tricks[trick].winner is not None:
            found.append(Moment(Event.WIDOW, number, play.widow_owner))
            is_widow_told = True
    done = len(hand.plays)
    if not is_widow_told:
        found.append(Moment(Event.WIDOW, done, play.widow_owner))
    if play.claimed is not None:
        step = next((step for step in hand.steps if step.kind is Kind.CLAIM), None)
        found.append(Moment(Event.CLAIM, done, play.claimed.seat, step=step))
    if hand.scores is not None:
        found.append(Moment(Event.SCORE, done))
    return tuple(found)


def state_at(hand: HandStory, moment: Moment) -> PlayState | None:
    """Return the play as it stood at a moment; ``None`` before the first lead."""
    play = hand.play
    if play is None or moment.event in (Event.DEAL, Event.PASS):
        return None
    if moment.event in (Event.CLAIM, Event.SCORE):
        return play
    plays = hand.plays[: moment.plays]
    state = start_play(hand.rules, hand.dealer, plays[0][0] if plays else play.leader)
    for number, (_, card) in enumerate(plays, 1):
        state = state.play(card)
        is_shown = number < moment.plays or moment.event is Event.WIDOW
        if state.widow_due and is_shown and size(play.widow):
            state = state.with_widow(cards_in(play.widow))
    return state


def points_after(hand: HandStory, moment: Moment) -> tuple[int, ...]:
    """Return the points that each seat has taken by a moment, before any moon."""
    state = state_at(hand, moment)
    if state is None:
        return (0,) * hand.rules.seats
    return tuple(points_of(hand.rules, cards) for cards in state.taken)
