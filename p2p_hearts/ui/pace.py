"""Showing a quick game slowly: the moments between two Views, and how long each stays.

Computer players answer at once, and several cards may be in the next View. A person wants to
see each of them, and each trick before it is swept away. All of this is public play; nothing
is invented.
"""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.rules.cards import EMPTY, CardSet, cards_in, difference, union
from p2p_hearts.rules.cards import card_set as cards_of
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.trick import Plays
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.scores import is_scored

CARD_SECONDS = 0.35
"""How long a card stays before the next one."""
TRICK_SECONDS = 1.3
"""How long a finished trick stays."""
HAND_SECONDS = 5.0
"""How long the points of a hand stay before the next one."""
QUICKEST_HAND = 0.45
"""The points of a hand stay for this part of their time at any pace: they are to be read."""


def frames(before: View | None, after: View) -> tuple[View, ...]:
    """Return the Views to show in turn: one a card played since `before`, the last is `after`.

    The next hand begins as soon as one is scored: the points of that one are shown in between.
    """
    if before is not None and _begins_next(before, after):
        return (_scored(before, after), after)
    if before is None or before.hand_number != after.hand_number or after.play is None:
        return (after,)
    old, new = _plays(before.play), _plays(after.play)
    steps = new[len(old) :]
    # The trick that ends a hand lies there for a moment, before the points are told.
    shown = steps[:-1] if after.phase is Phase.PLAY else steps
    if new[: len(old)] != old or not shown:
        return (after,)
    state = before.play
    if state is None:
        leader = None if after.rules.opening_card is None else new[0][0]
        state = start_play(after.rules, after.dealer, leader)
    found: list[View] = []
    for index, (_, card) in enumerate(shown):
        state = _advanced(state, after.play)
        state = _advanced(state.play(card), after.play)
        later = steps[index + 1 :]
        found.append(
            replace(
                after,
                phase=Phase.PLAY,
                match=before.match,
                dealer=before.dealer,
                play=state,
                hand=_held(before, after, shown[: index + 1], later),
                legal=EMPTY,
                may_claim=False,
                counts=tuple(state.cards_left(seat) for seat in range(after.rules.seats)),
            )
        )
    return (*found, after)


def seconds_after(view: View, pace: float) -> float:
    """Return how long a View stays when another one waits to be shown.

    ``pace`` is a factor on the times; with 0 only the points of a hand stay.
    """
    if view.phase is Phase.HAND_OVER and is_scored(view):
        return HAND_SECONDS * max(pace, QUICKEST_HAND)
    if view.phase is not Phase.PLAY or view.play is None:
        return 0.0
    if view.play.trick:
        return CARD_SECONDS * pace
    return TRICK_SECONDS * pace if view.play.tricks else 0.0


def _begins_next(before: View, after: View) -> bool:
    """Whether the hand of `before` was scored since, and the next one is that of `after`."""
    finished = before.hand_number
    return (
        after.hand_number == finished + 1
        and len(after.match.hands) == finished
        and not is_scored(before)
    )


def _scored(before: View, after: View) -> View:
    """Return the end of the hand of `before`, with its points."""
    return replace(
        before,
        phase=Phase.HAND_OVER,
        match=after.match,
        hand=EMPTY,
        legal=EMPTY,
        may_claim=False,
        counts=(0,) * before.rules.seats,
    )


def _held(before: View, after: View, done: Plays, later: Plays) -> CardSet:
    """Return the own cards between two Views; a claim in the end takes what was never played."""
    if after.play is not None and after.play.claimed is not None and before.play is not None:
        return difference(before.hand, cards_of(card for seat, card in done if seat == after.seat))
    return union(after.hand, cards_of(card for seat, card in later if seat == after.seat))


def _plays(play: PlayState | None) -> Plays:
    if play is None:
        return ()
    finished = [step for trick in play.tricks for step in trick.cards]
    return (*finished, *play.trick)


def _advanced(state: PlayState, target: PlayState) -> PlayState:
    """Return the widow opens as soon as it may: it is public in the later View."""
    if state.widow_due and target.widow:
        return state.with_widow(cards_in(target.widow))
    return state
