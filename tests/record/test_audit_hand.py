"""A hand as the audit follows it, where the situations are rare at a table."""

from __future__ import annotations

from collections import Counter

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.record.audit.hand import HandCheck, Setting, absence
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.match import new_match
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.rules.play import start_play


def test_dummy__that_wins_the_first_trick_leads_after_the_widow_was_opened() -> None:
    rules = PRESETS["cancellation"]
    play, left = start_play(rules, 0), set(cards_in(rules.pack_set))
    while not play.past.widow_due:
        card = min(left)
        left.remove(card)
        play = play.play(card)
    setting = Setting(bytes(32), rules, bytes(32), Encoding(rules), ())
    hand = HandCheck(setting, 1, 2, 0, new_match(rules), Memo(), Counter(), keyless=play.turn)
    hand.play, hand.closed = play, [{} for _ in range(rules.seats)]
    absence.play_dummy(hand)
    assert hand.play == play
