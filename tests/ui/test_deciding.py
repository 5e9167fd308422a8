"""One decision in line mode: what is chosen, asked and sent, and what the person is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p_hearts.rules.cards import Card, CardSet, card_set, cards_in, contains
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.asked import NO_CARDS
from p2p_hearts.ui.deciding import Deciding
from p2p_hearts.ui.frontend import NO_CHOICE, NO_CLAIM, Callbacks
from p2p_hearts.ui.reasons import MOVE_SENT
from p2p_hearts.ui.status import LobbyStatus, Status
from tests.ui.scenes import (
    LOBBY,
    STATUS,
    claim_view,
    moon_view,
    my_turn,
    passing_game,
    playing_game,
)

ASKED = "(asked)"
"""Stands among what was told where the person is told what is expected now."""

ONE_AT_A_TIME = "Play one card at a time."


class Desk:
    """A decision, what was told, and what was sent to the table, which may refuse it."""

    def __init__(
        self, view: View | None, *, refuse: str | None = None, listens: bool = True
    ) -> None:
        self.refuse = refuse
        self.told: list[str] = []
        self.sent: list[object] = []
        callbacks = Callbacks(self._take, self._take, self._take_nothing)
        if listens:
            callbacks = replace(callbacks, on_moon=self._take, on_claim=self._claim)
        self.deciding = Deciding(callbacks, self.told.append, lambda: self.told.append(ASKED))
        self.deciding.show(view)

    def _take(self, what: object) -> str | None:
        self.sent.append(what)
        return self.refuse

    def _claim(self) -> str | None:
        return self._take("claim")

    def _take_nothing(self) -> None:
        """Nobody leaves here."""

    def use(self, *cards: Card, status: Status | LobbyStatus = STATUS) -> None:
        self.deciding.use(status, list(cards))

    def chosen(self) -> tuple[Card, ...]:
        return self.deciding.chosen

    def is_sent(self) -> bool:
        return self.deciding.sent

    def is_asked(self) -> bool:
        return self.deciding.asked_to_claim

    def is_chosen(self) -> bool:
        return self.deciding.is_pass_chosen

    def is_of_moon(self) -> bool:
        return self.deciding.is_of_moon

    def heard(self) -> list[str]:
        """Return what was told since this was asked last."""
        told, self.told[:] = self.told[:], []
        return told


def passing() -> View:
    return passing_game().view()


def hand_of(view: View) -> list[Card]:
    return list(cards_in(view.hand))


def legal_of(view: View) -> Card:
    return cards_in(view.legal)[0]


def illegal_of(view: View) -> Card:
    return next(card for card in cards_in(view.hand) if not contains(view.legal, card))


# What is shown.


def test_show__the_same_once_more_forgets_nothing() -> None:
    """It is shown once a second: nothing that was typed meanwhile is lost by that."""
    desk = Desk(passing())
    desk.use(*hand_of(passing())[:3])
    desk.deciding.confirm()
    desk.deciding.show(passing())
    assert len(desk.chosen()) == 3
    assert desk.is_sent()
    desk = Desk(claim_view())
    desk.deciding.ask_to_claim(STATUS)
    desk.deciding.show(claim_view())
    assert desk.is_asked()


def test_show__a_change_at_the_table_keeps_what_is_chosen_and_forgets_what_was_asked() -> None:
    view = passing()
    desk = Desk(view)
    desk.use(*hand_of(view)[:2])
    desk.deciding.show(replace(view, known=(CardSet(1), *view.known[1:])))
    assert desk.chosen() == tuple(hand_of(view)[:2])
    desk = Desk(claim_view())
    desk.deciding.ask_to_claim(STATUS)
    desk.deciding.show(replace(claim_view(), known=(CardSet(1), *claim_view().known[1:])))
    assert not desk.is_asked()


@pytest.mark.parametrize(
    "following",
    [lambda view: my_turn(), lambda view: None, lambda view: passing_game(seed=4).view()],
    ids=["play", "nothing", "another hand"],
)
def test_show__another_hand_or_phase_forgets_what_was_chosen(
    following: Callable[[View], View | None],
) -> None:
    desk = Desk(passing())
    desk.use(*hand_of(passing())[:3])
    desk.deciding.confirm()
    desk.deciding.show(following(passing()))
    assert desk.chosen() == ()
    assert not desk.is_sent()
    assert not desk.is_chosen()


# The pass.


def test_pass__is_chosen_when_nothing_lacks_and_sent_once() -> None:
    view = passing()
    a, b, c = hand_of(view)[:3]
    desk = Desk(view)
    desk.use(a, b)
    assert not desk.is_chosen()
    desk.deciding.confirm()
    assert desk.sent == []
    assert desk.heard() == [ASKED, ASKED]
    desk.use(c)
    assert desk.is_chosen()
    desk.deciding.confirm()
    assert desk.sent == [card_set((a, b, c))]
    assert not desk.is_chosen()
    desk.deciding.confirm()
    assert len(desk.sent) == 1
    desk.heard()
    desk.use(a)
    assert desk.heard() == [MOVE_SENT]
    assert desk.chosen() == (a, b, c)


def test_pass__is_none_where_no_cards_are_passed() -> None:
    assert not Desk(my_turn(rules=PRESETS["cutthroat"])).is_chosen()


def test_pass__a_card_that_is_not_held_is_told_and_not_chosen() -> None:
    view = passing()
    desk = Desk(view)
    desk.use(next(Card(face) for face in range(52) if not contains(view.hand, Card(face))))
    told, asked = desk.heard()
    assert told.startswith("You do not hold the ")
    assert asked == ASKED
    assert desk.chosen() == ()


def test_pass__a_refusal_is_told_and_nothing_of_it_is_lost() -> None:
    view = passing()
    desk = Desk(view, refuse="The table is paused.")
    desk.use(*hand_of(view)[:3])
    desk.heard()
    desk.deciding.confirm()
    assert desk.heard() == ["The table is paused.", ASKED]
    assert desk.is_chosen()
    desk.refuse = None
    desk.deciding.confirm()
    assert desk.sent == [card_set(hand_of(view)[:3])] * 2
    assert desk.heard() == []


def test_undo__takes_the_last_card_back_until_the_pass_is_sent() -> None:
    view = passing()
    a, b, c = hand_of(view)[:3]
    desk = Desk(view)
    desk.deciding.undo()
    assert desk.heard() == [ASKED]
    desk.use(a, b, c)
    desk.heard()
    desk.deciding.undo()
    kept, asked = desk.heard()
    assert kept.startswith("You keep the ")
    assert asked == ASKED
    assert desk.chosen() == (a, b)
    desk.use(c)
    desk.deciding.confirm()
    desk.heard()
    desk.deciding.undo()
    assert desk.heard() == [ASKED]
    assert desk.chosen() == (a, b, c)


# A card.


def test_card__that_may_be_played_is_sent_once() -> None:
    view = my_turn()
    desk = Desk(view)
    desk.use(legal_of(view))
    assert desk.sent == [legal_of(view)]
    assert desk.heard() == []
    desk.use(legal_of(view))
    assert desk.sent == [legal_of(view)]
    assert desk.heard() == [MOVE_SENT]


def test_card__is_played_alone() -> None:
    view = my_turn()
    desk = Desk(view)
    desk.use(legal_of(view), illegal_of(view))
    desk.use()
    assert desk.sent == []
    assert desk.heard() == [ONE_AT_A_TIME] * 2


def test_card__that_may_not_be_played_is_refused_with_the_reason() -> None:
    view = my_turn()
    desk = Desk(view)
    desk.use(illegal_of(view))
    assert desk.sent == []
    assert not desk.is_sent()
    (told,) = desk.heard()
    assert "were led, and you hold" in told


@pytest.mark.parametrize(
    ("view", "status", "told"),
    [
        (my_turn(), LOBBY, NO_CARDS),
        (None, STATUS, NO_CARDS),
        (replace(passing(), phase=Phase.WAIT_PASS), STATUS, "The others are still choosing"),
    ],
    ids=["lobby", "no hand", "others pass"],
)
def test_card__before_it_is_time_is_answered_by_why(
    view: View | None, status: Status | LobbyStatus, told: str
) -> None:
    desk = Desk(view)
    desk.use(hand_of(passing())[0], status=status)
    assert desk.sent == []
    (said,) = desk.heard()
    assert told in said


def test_card__that_the_table_refuses_may_be_played_again() -> None:
    view = my_turn()
    desk = Desk(view, refuse="The table is paused.")
    desk.use(legal_of(view))
    assert desk.heard() == ["The table is paused.", ASKED]
    assert not desk.is_sent()
    desk.use(legal_of(view))
    assert len(desk.sent) == 2


# The own moon.


def test_moon__is_open_until_it_is_counted() -> None:
    desk = Desk(moon_view())
    assert desk.is_of_moon()
    desk.deciding.count_moon(MoonChoice.SHOOTER_SUBTRACTS)
    assert desk.sent == [MoonChoice.SHOOTER_SUBTRACTS]
    assert not desk.is_of_moon()
    assert not Desk(replace(moon_view(), seat=1)).is_of_moon()
    assert not Desk(my_turn()).is_of_moon()
    assert not Desk(None).is_of_moon()


def test_moon__is_told_where_nobody_asks() -> None:
    desk = Desk(moon_view(), listens=False)
    desk.deciding.count_moon(MoonChoice.OTHERS_ADD)
    assert desk.heard() == [NO_CHOICE, ASKED]
    assert desk.is_of_moon()


# The rest of the hand.


def test_claim__is_asked_first_and_sent_once() -> None:
    desk = Desk(claim_view())
    desk.deciding.ask_to_claim(STATUS)
    assert desk.is_asked()
    assert desk.sent == []
    (told,) = desk.heard()
    assert told.startswith("Claim the rest?")
    desk.deciding.claim()
    assert desk.sent == ["claim"]
    assert desk.heard() == []
    desk.deciding.claim()
    assert desk.sent == ["claim"]
    assert desk.heard() == [ASKED]
    desk.deciding.ask_to_claim(STATUS)
    assert desk.heard() == [MOVE_SENT]


@pytest.mark.parametrize(
    ("view", "status", "told"),
    [
        (replace(claim_view(), may_claim=False), STATUS, "not certain"),
        (passing(), STATUS, "There is nothing to claim now."),
        (playing_game(2).view(), STATUS, "It is Nara's turn."),
        (claim_view(), LOBBY, NO_CARDS),
        (None, STATUS, NO_CARDS),
    ],
    ids=["uncertain", "pass", "of others", "lobby", "no hand"],
)
def test_claim__that_cannot_be_is_answered_by_why_and_not_asked(
    view: View | None, status: Status | LobbyStatus, told: str
) -> None:
    desk = Desk(view)
    desk.deciding.ask_to_claim(status)
    assert not desk.is_asked()
    (said,) = desk.heard()
    assert told in said


def test_claim__that_is_no_longer_certain_is_not_sent() -> None:
    desk = Desk(claim_view())
    desk.deciding.ask_to_claim(STATUS)
    desk.deciding.show(replace(claim_view(), may_claim=False))
    desk.heard()
    desk.deciding.claim()
    assert desk.sent == []
    assert desk.heard() == [ASKED]


def test_claim__that_the_table_refuses_leaves_the_turn_open() -> None:
    desk = Desk(claim_view(), refuse="The table is paused.")
    desk.deciding.claim()
    assert desk.heard() == ["The table is paused.", ASKED]
    desk.use(legal_of(claim_view()))
    assert desk.sent == ["claim", legal_of(claim_view())]
    desk = Desk(claim_view(), listens=False)
    desk.deciding.claim()
    assert desk.heard() == [NO_CLAIM, ASKED]
    assert not desk.is_sent()
