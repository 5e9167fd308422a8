"""Sampled deals agree with everything that a seat knows, and with nothing else."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from p2p_hearts.bots.worlds import Hidden, NoDealError
from p2p_hearts.rules.cards import (
    ALL_CLASSES,
    CardClass,
    ClassSet,
    cards_in,
    contains,
    of_faces,
    parse_card,
    size,
    union,
)
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.view import View
from tests.bots.positions import view_of
from tests.rules.dealer import Hand, RandomPlayer, at_hand, deal, play_hand
from tests.rules.test_rest import cards


def check(view: View, hidden: Hidden, rng: random.Random) -> None:
    hands, widow = hidden.draw(rng)
    rules, play = view.rules, view.play
    assert hands[view.seat] == view.hand
    together = widow
    for seat, hand in enumerate(hands):
        together = union(together, hand)
        assert size(hand) == (rules.hand_size if play is None else view.counts[seat])
        assert of_faces(hand, view.known[seat]) & view.known[seat] == view.known[seat]
        for card in cards_in(hand):
            assert seat == view.seat or not view.void_classes[seat] >> rules.card_class(card) & 1
    assert together == (rules.pack_set if play is None else play.unseen)


@pytest.mark.parametrize("preset", ["black-lady", "british", "cancellation"])
def test_draw__agrees_with_counts_voids_and_passes_in_every_position(preset: str) -> None:
    rng, rules = random.Random(preset), PRESETS[preset]

    def watch(hand: Hand) -> None:
        assert hand.play is not None
        assert hand.play.turn is not None
        view = hand.view(hand.play.turn)
        hidden = Hidden(view)
        check(view, hidden, rng)
        mended, widow = hidden._mended(rng), view.rules.widow_size  # the way that is seldom needed
        assert len(mended) == rules.seats + 1
        assert all(
            not view.void_classes[seat] >> rules.card_class(card) & 1
            for seat in range(rules.seats)
            for card in cards_in(mended[seat])
        )
        assert size(mended[-1]) in (0, widow)

    for number in (1, 2, 3):
        dealt = deal(at_hand(rules, number), 0, rng)
        check(dealt.view(1), Hidden(dealt.view(1)), rng)
        play_hand(at_hand(rules, number), 0, [RandomPlayer(rng)] * rules.seats, rng, watch)


def test_draw__every_deal_that_is_possible_is_as_likely() -> None:
    view = view_of({0: "AC KC", 1: "2C 2D", 2: "3D 4D", 3: "2H 5D"}, others="QS")
    hidden, rng = Hidden(view), random.Random(1)
    seen = Counter(hidden.draw(rng)[0] for _ in range(9_000))
    assert len(seen) == 90  # 6 cards, 2 for each of three seats
    assert max(seen.values()) < 2.2 * min(seen.values())


def test_draw__a_class_that_a_seat_has_not_goes_to_others() -> None:
    view = view_of({0: "AC KC", 1: "2C 2D", 2: "3D 4D", 3: "2H 5D"}, others="QS")
    diamonds = ClassSet(ALL_CLASSES & 1 << CardClass.DIAMONDS)
    proven = replace(view, void_classes=(ClassSet(0), diamonds, ClassSet(0), ClassSet(0)))
    hidden = Hidden(proven)
    assert hidden.certain is False
    for _ in range(20):
        hands, _widow = hidden.draw(random.Random(_))
        assert hands[1] == cards("2C 2H")
    careless = Hidden(proven, voids=False)
    assert any(careless.draw(random.Random(n))[0][1] != cards("2C 2H") for n in range(20))


def test_draw__beliefs_make_a_holder_likelier() -> None:
    view = view_of({0: "AC KC", 1: "2C 2D", 2: "3D 4D", 3: "2H 5D"}, others="QS")
    heart = parse_card("2H")
    table = [[1.0] * 52 for _ in range(4)]
    table[1][heart] = 0.01
    rng = random.Random(2)
    held = sum(contains(Hidden(view, table).draw(rng)[0][1], heart) for _ in range(300))
    assert held < 20


def test_hidden__facts_that_contradict_each_other_are_refused() -> None:
    view = view_of({0: "AC KC", 1: "2C 2D", 2: "3D 4D", 3: "2H 5D"})
    with pytest.raises(NoDealError, match="do not fit"):
        Hidden(replace(view, counts=(2, 2, 2, 1)))
    nobody = ClassSet(1 << CardClass.HEARTS)
    with pytest.raises(NoDealError, match="nowhere"):
        Hidden(replace(view, void_classes=(ClassSet(0), nobody, nobody, nobody)))
    diamonds = ClassSet(1 << CardClass.DIAMONDS)
    tight = replace(view, void_classes=(ClassSet(0), diamonds, diamonds, ClassSet(0)))
    with pytest.raises(NoDealError, match="no deal"):  # four diamonds for the two cards of a seat
        Hidden(tight).draw(random.Random(1))
