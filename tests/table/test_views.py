"""Views: a seat is shown what it may know, and nothing else."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.rules.cards import (
    EMPTY,
    Card,
    CardSet,
    add,
    card_set,
    cards_in,
    remove,
    size,
)
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.passing import receiver, sender
from p2p_hearts.rules.play import playable
from p2p_hearts.rules.view import NOBODY, Phase, View
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.views import _count, _known, _phase, make_view
from p2p_hearts.wire.messages import Kind
from tests.table.cheats import ONE_HAND
from tests.table.sim import Sim

Moment = list[tuple[Hand, View, Kind | None]]
"""By seat: what a table knows, what it shows, and the decision that it waits for."""


def moments(rules: RuleSet, seed: object = 0) -> Iterator[Moment]:
    """Yield all seats' views whenever the simulation has moved, once hands are dealt."""
    sim = Sim(rules, seed=seed)
    while not all(table.over for table in sim.tables):
        sim.step()
        found: Moment = []
        for table in sorted(sim.tables, key=lambda table: table.seat or 0):
            view = table.view()
            if table.hand is not None and view is not None and table.hand.facts.shared:
                found.append((table.hand, view, table.decision))
        if len(found) == rules.seats and len({hand.number for hand, _, _ in found}) == 1:
            yield found


def class_of(rules: RuleSet, cards: CardSet) -> int:
    """The classes of the cards of a set, as a mask."""
    mask = 0
    for card in cards_in(cards):
        mask |= 1 << rules.card_class(card)
    return mask


@pytest.mark.parametrize("name", ["black-lady", "omnibus", "cutthroat"])
def test_view__shows_the_truth_about_the_own_hand_and_nothing_false_of_others(name: str) -> None:
    rules = PRESETS[name].with_options({"hands": "1"})
    for moment in moments(rules, seed=name):
        hands = [hand.own_cards for hand, _, _ in moment]
        for seat, (hand, view, _) in enumerate(moment):
            assert (view.seat, view.hand) == (seat, hands[seat])
            assert view.hand_number == 1
            for other, cards in enumerate(hands):
                if view.play is not None and view.play == moment[other][0].play:
                    assert view.counts[other] == size(cards)
                assert not view.void_classes[other] & class_of(rules, cards)
                if view.phase is Phase.PLAY and view.play == moment[other][0].play:
                    assert view.known[other] & cards == view.known[other]
            assert view.known[seat] == EMPTY
            assert hand.facts.shared


def test_view__knows_what_was_passed_and_received() -> None:
    rules = ONE_HAND
    seen = False
    for moment in moments(rules):
        if not all(hand.facts.remasked for hand, _, _ in moment):
            continue
        seen = True
        for seat, (hand, view, _) in enumerate(moment):
            to = receiver(rules, seat, hand.offset)
            giver = sender(rules, seat, hand.offset)
            assert size(view.passed) == size(view.received) == 3
            assert view.received == moment[giver][1].passed
            played = card_set(hand.sides[to].opened.values())
            left = view.passed & ~played
            assert view.known == tuple(left if other == to else 0 for other in range(4))
    assert seen


def test_view__tells_what_is_passed_from_the_decision_on() -> None:
    """Whoever waits for the others' choice is told what it has chosen itself."""
    sim = Sim(ONE_HAND)
    settle, waited = sim._decide, 0

    def decide(place: int) -> None:
        nonlocal waited
        table = sim.tables[place]
        before, decision = table.view(), table.decision
        settle(place)
        after = table.view()
        if decision is Kind.PASS_SELECT and before is not None and after is not None:
            assert before.passed == EMPTY
            assert size(after.passed) == 3
            assert after.passed & before.hand == after.passed
            waited += after.phase is Phase.WAIT_PASS

    sim._decide = decide  # type: ignore[method-assign]
    sim.run()
    assert waited


def test_view__asks_for_a_decision_and_shows_legal_cards_only_in_its_turn() -> None:
    asked = {Kind.PASS_SELECT: 0, Kind.PLAY: 0}
    sim = Sim(ONE_HAND)
    settle = sim._decide

    def decide(place: int) -> None:
        table = sim.tables[place]
        view, decision = table.view(), table.decision
        if view is not None:
            assert view.your_turn == (decision is not None)
            if decision is None:
                assert view.legal == EMPTY
                assert not view.may_claim
            else:
                asked[decision] += 1
            if decision is Kind.PASS_SELECT:
                assert view.phase is Phase.PASS
                assert view.legal == EMPTY
            if decision is Kind.PLAY:
                assert view.play is not None
                assert view.phase is Phase.PLAY
                assert view.play.turn == view.seat
                assert view.legal == playable(view.hand, view.play) != EMPTY
        settle(place)
        after = table.view()
        assert after is None or not after.your_turn

    sim._decide = decide  # type: ignore[method-assign]
    sim.claims = False
    sim.run()
    assert asked == {Kind.PASS_SELECT: 4, Kind.PLAY: 51}


def test_view__is_the_same_when_only_hidden_cards_differ() -> None:
    """The other seats' hands change places behind the seat's back: it sees no difference."""
    checked = 0
    for moment in moments(ONE_HAND, seed="hidden"):
        for seat, (hand, view, decision) in enumerate(moment):
            others = [other for other in range(4) if other != seat]
            twisted = copy.copy(hand)
            twisted.sides = [copy.copy(side) for side in hand.sides]
            for other, source in zip(others, others[1:] + others[:1], strict=True):
                twisted.sides[other].hand = hand.sides[source].hand
            assert make_view(twisted, view.match, decision) == view
            checked += 1
    assert checked > 200


def test_view__holds_no_card_of_another_hand_that_the_seat_could_not_know() -> None:
    """Every set of cards in a view is made of own, passed, received and played cards."""
    for moment in moments(ONE_HAND, seed="sets"):
        for seat, (hand, view, _) in enumerate(moment):
            public = EMPTY
            if view.play is not None:
                for _, card in view.play.trick:
                    public = add(public, card)
                for taken in view.play.taken:
                    public = CardSet(public | taken)
            own = CardSet(view.hand | view.passed | view.received)
            assert view.legal & ~view.hand == 0
            for other in range(4):
                assert view.known[other] & ~view.passed == 0
            hidden = EMPTY
            for other, (hand_of_other, _, _) in enumerate(moment):
                if other != seat:
                    hidden = CardSet(hidden | hand_of_other.own_cards)
            shown = CardSet(own | public | view.legal)
            for known in view.known:
                shown = CardSet(shown | known)
            assert shown & hidden & ~(view.passed | view.received | public) == 0
            assert hand.seat == seat


def test_view__while_the_pass_is_on_its_way_lacks_what_was_given_away() -> None:
    seen = set()
    for moment in moments(ONE_HAND):
        for hand, view, _ in moment:
            facts = hand.facts
            if facts.remasked:
                continue
            seen.add((facts.selected, facts.passed))
            if facts.selected:
                assert view.phase is Phase.WAIT_PASS
                assert size(view.hand) == 10
                assert view.hand & view.passed == 0
            if facts.passed:
                assert size(view.received) == 3
    assert (True, False) in seen
    assert (True, True) in seen


def test_view__keeps_its_hand_up_to_date_card_by_card() -> None:
    before: dict[int, CardSet] = {}
    for moment in moments(ONE_HAND, seed="cards"):
        for seat, (hand, view, _) in enumerate(moment):
            if view.phase is not Phase.PLAY:
                continue
            held = before.get(seat, view.hand)
            gone = [Card(card) for card in cards_in(CardSet(held & ~view.hand))]
            for card in gone:
                assert card in hand.sides[seat].opened.values()
                held = remove(held, card)
            assert held == view.hand
            before[seat] = view.hand


@pytest.mark.parametrize(
    ("over", "decision", "seat", "facts", "phase"),
    [
        (False, None, 0, {"passes": False}, Phase.DEAL),
        (False, None, 0, {"shared": True}, Phase.WAIT_PASS),
        (False, None, NOBODY, {"shared": True}, Phase.DEAL),
        (False, None, NOBODY, {"shared": True, "remasked": True}, Phase.PLAY),
        (False, None, 0, {"shared": True, "passes": False}, Phase.PLAY),
        (False, None, 0, {"shared": True, "passes": False, "play_over": True}, Phase.HAND_OVER),
        (False, Kind.PASS_SELECT, 0, {"shared": True}, Phase.PASS),
        (False, Kind.CHOICE, 0, {"shared": True, "passes": False}, Phase.CHOOSE_MOON),
        (True, None, 0, {"shared": True}, Phase.MATCH_OVER),
    ],
)
def test_phase__follows_from_public_facts_and_the_own_decision(
    over: bool, decision: Kind | None, seat: int, facts: dict[str, bool], phase: Phase
) -> None:
    flags = dict.fromkeys(("shared", "remasked", "play_over"), False) | {"passes": True} | facts
    hand: Any = SimpleNamespace(seat=seat, facts=SimpleNamespace(**flags))
    match: Any = SimpleNamespace(over=over)
    assert _phase(hand, match, decision) is phase


@pytest.mark.parametrize(
    ("own", "seat", "known"),
    [(0, 1, [0, 2]), (0, 2, []), (0, 3, [7]), (NOBODY, 0, []), (NOBODY, 1, []), (NOBODY, 3, [7])],
)
def test_known__is_what_was_passed_there_and_what_a_dummy_holds(
    own: int, seat: int, known: list[int]
) -> None:
    passed = card_set(map(Card, (0, 1, 2)))
    hand: Any = SimpleNamespace(
        seat=own,
        dummy=3,
        open_cards=lambda dummy: card_set([Card(7)]),
        ground=SimpleNamespace(rules=ONE_HAND),
        offset=1,
        passed=passed,
        sides=[SimpleNamespace(opened={4: Card(1), 5: Card(9)})] * 4,
    )
    assert _known(hand, seat) == card_set(map(Card, known))


@pytest.mark.parametrize(("shared", "over"), [(False, False), (True, True)])
def test_count__of_cards_is_none_before_the_deal_and_after_the_play(
    shared: bool, over: bool
) -> None:
    facts = SimpleNamespace(shared=shared, play_over=over, selected=False, passed=False)
    sides = [SimpleNamespace(opened={})] * 4
    hand: Any = SimpleNamespace(facts=facts, ground=SimpleNamespace(rules=ONE_HAND), sides=sides)
    assert _count(hand, 0) == 0
