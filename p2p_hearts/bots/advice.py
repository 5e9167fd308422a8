"""A hint for a person: what the computer player would do in this seat, and why, in words.

Cards and seats are written as words, so that a hint reads well on every terminal and aloud.
"""

from __future__ import annotations

from typing import Final

from p2p_hearts.bots import moon
from p2p_hearts.bots.candidates import Findings
from p2p_hearts.bots.endgame import distinct
from p2p_hearts.bots.explaining import explain
from p2p_hearts.bots.heuristic import HeuristicPlayer, chance_to_win
from p2p_hearts.bots.passing import GUARDS_OF_QUEEN, guards_of_queen
from p2p_hearts.bots.reading import Reading, suit_is
from p2p_hearts.bots.search import SearchPlayer
from p2p_hearts.i18n import N_, _, listed
from p2p_hearts.rules.cards import (
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardSet,
    Suit,
    cards_in,
    contains,
    of_faces,
    rank_of,
    suit_of,
)
from p2p_hearts.rules.rest import rest_is_worthless
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.texts import card_words
from p2p_hearts.rules.view import Phase, View

HIGH: Final = 10
"""From this rank on a card is called high."""


def advise(view: View, player: SearchPlayer) -> str:
    """Return what ``player`` would do, in full sentences; also where nothing is to be decided."""
    if not view.your_turn:
        return _("There is nothing for you to decide now.")
    if view.phase is Phase.PASS:
        found = player.search_pass(view)
        return f"{_advise_pass(view, found)} {explain(found, _named)}".rstrip()
    if view.phase is Phase.CHOOSE_MOON:
        return _advise_moon(view, player.choose_moon(view))
    if player.wants_claim(view):
        return _reason_to_claim(view)
    if view.forced is not None:
        return _("Play {card}: {reason}.").format(
            card=card_words(view.forced), reason=_("it is the only card you may play")
        )
    found = player.search_cards(view)
    card = Card(found.best.cards.bit_length() - 1)
    reason = _reason_of_choice(view, found, card)
    if reason is None:
        choice = _("Play {card}.").format(card=card_words(card))
    else:
        choice = _("Play {card}: {reason}.").format(card=card_words(card), reason=reason)
    return f"{choice} {explain(found, _named)}".rstrip()


def _reason_of_choice(view: View, found: Findings, card: Card) -> str | None:
    """Why ``card`` at first sight, where that had a part in the choice; a clause, or none."""
    play = view.play
    if play is not None and len(distinct(play, view.legal, view.hand)) == 1:
        return _("the cards that you may play are worth the same")
    if found.best.shoots:
        return _("nobody else has a penalty card, and you may win all that are left")
    if found.solved or HeuristicPlayer().choose_card(view) != card:
        return None
    return _reason(view, card)


def _named(cards: CardSet) -> str:
    return listed([card_words(card) for card in cards_in(cards)])


def _reason_to_claim(view: View) -> str:
    if view.play is not None and rest_is_worthless(view.play):
        return _("Claim the rest: no card that counts is left.")
    return _("Claim the rest: you take every trick that is left, whatever the others hold.")


def _advise_pass(view: View, found: Findings) -> str:
    """The pass, and what speaks for each card of it at first sight; a try says more than that."""
    cards = found.best.cards
    chosen = cards_in(cards)
    reasons: list[str] = []
    for card in () if found.best.shoots else chosen:
        reason = _reason_to_pass(view, card, cards)
        if reason is not None and reason not in reasons:
            reasons.append(reason)
    advice = _("Pass {cards}.").format(cards=listed([card_words(card) for card in chosen]))
    return " ".join([advice, *reasons])


def _reason_to_pass(view: View, card: Card, chosen: CardSet) -> str | None:
    """Return what makes a card dear to keep (``passing.price``); None if nothing does."""
    suit, kept = suit_of(card), CardSet(view.hand & ~chosen)
    high = rank_of(card) >= HIGH
    if view.rules.queen_points and card == QUEEN_OF_SPADES:
        guards = guards_of_queen(view.hand)
        if not guards:
            return _("The queen of spades is dangerous where no low spade guards it.")
        if guards < GUARDS_OF_QUEEN:
            return _("The queen of spades is dangerous where too few low spades guard it.")
    elif view.rules.queen_points and suit is Suit.SPADES and card > QUEEN_OF_SPADES:
        if not contains(kept, QUEEN_OF_SPADES):
            return _("A high spade may have to take the queen of spades.")
    elif not of_faces(kept, SUIT_FACES[suit]):
        return _(_VOIDS[suit])
    elif high and suit is Suit.HEARTS:
        return _("High hearts win tricks that cost points.")
    elif high:
        return _("High cards win tricks that you do not want.")
    return None


_VOIDS = {
    Suit.CLUBS: N_("Without clubs you can throw penalty cards when they are led."),
    Suit.DIAMONDS: N_("Without diamonds you can throw penalty cards when they are led."),
    Suit.SPADES: N_("Without spades you can throw penalty cards when they are led."),
    Suit.HEARTS: N_("Without hearts you can throw penalty cards when they are led."),
}


def _advise_moon(view: View, choice: MoonChoice) -> str:
    worth = view.rules.total_penalty
    if choice is MoonChoice.OTHERS_ADD:
        return _("Let the others score {n}: it does not cost you the match.").format(n=worth)
    return _(
        "Take {n} off your own score: otherwise the match ends, and you do not win it."
    ).format(n=worth)


def _reason(view: View, card: Card) -> str:
    """Why the computer player plays ``card``; a clause that ends a sentence."""
    reading = Reading(view)
    if moon.attack(reading):
        return _("nobody else has a penalty card, and you may win all that are left")
    danger = moon.threat(reading)
    if danger is not None:
        warning = _reason_against_moon(reading, card, danger)
        if warning is not None:
            return warning
    led = reading.play.led
    if led is None:
        return _reason_to_lead(reading, card)
    if suit_is(card, led):
        return _reason_to_follow(reading, card)
    return _reason_to_discard(reading, card)


def _reason_against_moon(reading: Reading, card: Card, danger: moon.Threat) -> str | None:
    """What stops a moon, and what does not."""
    shooter = _seat_words(reading, danger.seat)
    faces = reading.rules.penalty_faces
    table = [play[1] for play in reading.play.trick]
    if chance_to_win(reading, card) > 0.5 and any(contains(faces, c) for c in (card, *table)):
        return _(
            "{player} has taken every penalty card so far, and a penalty card that you win stops "
            "the moon"
        ).format(player=shooter)
    winning = reading.winning
    kept = reading.view.legal & faces
    if winning and winning[0] == danger.seat and kept and not contains(faces, card):
        return _(
            "{player} may be shooting the moon, and a penalty card thrown on that trick would "
            "only help; keep it to win a trick with"
        ).format(player=shooter)
    return None


def _reason_to_lead(reading: Reading, card: Card) -> str:
    suit = suit_of(card)
    if suit is Suit.SPADES and card < QUEEN_OF_SPADES and reading.queen_out:
        return _("low spades drive the queen of spades out of another hand")
    if not reading.higher_out(card):
        return _("it has to be led some time, and now it costs least")
    if not reading.lower_out(card):
        return _("nobody can stay below it, so you do not keep the lead")
    return _("it is likely to cost least of what you may lead")


def _reason_to_follow(reading: Reading, card: Card) -> str:
    winning = reading.winning
    if winning is not None and card < winning[1]:
        if card == QUEEN_OF_SPADES and reading.rules.queen_points:
            return _("{card} takes the queen of spades away from you").format(
                card=card_words(winning[1])
            )
        below = [c for c in cards_in(reading.view.legal) if c < winning[1]]
        if card == below[-1] and len(below) > 1:
            return _("it is your highest card that stays below {card}").format(
                card=card_words(winning[1])
            )
        return _("it stays below {card}").format(card=card_words(winning[1]))
    if winning is not None and card == winning[1]:
        return _("it cancels {card}, so that neither can win").format(card=card_words(card))
    if reading.rules.jack_points and card == JACK_OF_DIAMONDS:
        return _("you may win your own jack of diamonds with it")
    if reading.points_on_table() < 0:
        return _("the trick is worth winning")
    if not reading.later_seats:
        if reading.points_on_table() == 0:
            return _("the trick costs nothing, so a high card goes cheaply")
        return _("the trick is yours in any case, or cheaper than what may come")
    if chance_to_win(reading, card) > 0.5:
        return _("if the trick must be yours, now it is likely to cost least")
    return _("others are likely to play higher")


def _reason_to_discard(reading: Reading, card: Card) -> str:
    if card == QUEEN_OF_SPADES and reading.rules.queen_points:
        return _("somebody else takes the queen of spades")
    if suit_of(card) is Suit.SPADES and card > QUEEN_OF_SPADES and reading.queen_out:
        return _("a high spade may have to take the queen of spades later")
    if contains(reading.rules.penalty_faces, card):
        return _("somebody else takes its points")
    if rank_of(card) >= HIGH:
        return _("it is the card most likely to win an unwelcome trick")
    return _("your other cards serve you better")


def _seat_words(reading: Reading, seat: int) -> str:
    seats = reading.rules.seats
    step = (seat - reading.seat) % seats
    if step * 2 == seats:
        return _("the player across from you")
    if step == 1:
        return _("the player on your left")
    if step == seats - 1:
        return _("the player on your right")
    if step * 2 < seats:
        return _("the player {n} to your left").format(n=step)
    return _("the player {n} to your right").format(n=seats - step)
