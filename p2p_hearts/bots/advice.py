"""Advice in words: what the computer player would do with this view."""

from __future__ import annotations

from p2p_hearts.rules.view import View


def advise(view: View) -> str:
    """Say what the computer player would do."""
    from p2p_hearts.bots.player import make_player
    from p2p_hearts.rules.cards import card_name, cards_in
    from p2p_hearts.rules.view import Phase

    player = make_player("normal")
    if view.phase is Phase.PASS:
        cards = ", ".join(card_name(card) for card in cards_in(player.choose_pass(view)))
        return f"The computer player would pass {cards}."
    if view.legal:
        return f"The computer player would play {card_name(player.choose_card(view))}."
    return "It is not your turn."
