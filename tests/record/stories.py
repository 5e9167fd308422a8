"""What must be so of the story of every clean match."""

from __future__ import annotations

from p2p_hearts.record.audit import Report
from p2p_hearts.rules.cards import EMPTY, CardSet, cards_in, difference, size, union


def assert_told(report: Report) -> None:
    """The story of a whole match: every hand shown, every play proven, every card accounted for."""
    counted = [hand for hand in report.story if not hand.is_void]
    assert [hand.number for hand in counted] == list(range(1, report.hands + 1))
    assert tuple(hand.scores for hand in counted) == report.scores
    for hand in counted:
        assert hand.is_shown, hand.number
        assert hand.play is not None
        whole = EMPTY
        for cards in hand.held:
            whole = union(whole, cards)
        assert union(whole, hand.play.widow) == hand.rules.pack_set
        for seat in range(hand.rules.seats):
            left = hand.held[seat]
            for player, card in hand.plays:
                if player == seat:
                    left = difference(left, CardSet(1 << card))
            assert hand.play.claimed is not None or left == EMPTY
            assert seat in hand.revealed or seat == hand.dummy
            if hand.dummy is None and hand.offset:
                assert size(hand.passed[seat]) == hand.rules.pass_count
                kept = difference(hand.dealt[seat], hand.passed[seat])
                assert union(kept, hand.received(seat)) == hand.held[seat]
        for (seat, card), step in zip(hand.plays, hand.proofs(), strict=True):
            if step is None:
                assert seat == hand.dummy
            else:
                assert (step.seat, step.card, step.rule) == (seat, card, None)
                assert step.verified.keys() & {"plays", "opening proofs"}
    done = sum(len(cards_in(hand.play.unseen)) for hand in counted if hand.play is not None)
    assert done == 0
