"""A hint for a person: what the computer player would do in this seat, and why, in words.

Cards and seats are written as words, so that a hint reads well on every terminal and aloud.
"""

from __future__ import annotations

from p2p_hearts.bots import moon
from p2p_hearts.bots.heuristic import HeuristicPlayer, chance_to_win
from p2p_hearts.bots.passing import guards_of_queen
from p2p_hearts.bots.reading import Reading, suit_is
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
from p2p_hearts.rules.texts import SUIT_NAMES, card_words, pass_direction
from p2p_hearts.rules.view import Phase, View


def advise(view: View) -> str:
    """Return advice in full sentences; also where there is nothing to decide."""
    player = HeuristicPlayer()
    if not view.your_turn:
        return "There is nothing for you to decide now."
    if view.phase is Phase.PASS:
        return _advise_pass(view, player.choose_pass(view))
    if view.phase is Phase.CHOOSE_MOON:
        return _advise_moon(view, player.choose_moon(view))
    if player.wants_claim(view):
        return f"Claim the rest: {_reason_to_claim(view)}."
    card = player.choose_card(view)
    return f"Play {card_words(card)}: {_reason(view, card)}."


def _reason_to_claim(view: View) -> str:
    if view.play is not None and rest_is_worthless(view.play):
        return "no card that counts is left"
    return "you take every trick that is left, whatever the others hold"


def _advise_pass(view: View, cards: CardSet) -> str:
    chosen = cards_in(cards)
    names = [card_words(card) for card in chosen]
    reasons: list[str] = []
    for card in chosen:
        reason = _reason_to_pass(view, card, cards)
        if reason not in reasons:
            reasons.append(reason)
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Pass {listed}. " + " ".join(reasons)


def _reason_to_pass(view: View, card: Card, chosen: CardSet) -> str:
    suit = suit_of(card)
    if view.rules.queen_points and card == QUEEN_OF_SPADES:
        guards = guards_of_queen(view.hand)
        few = "no low spade guards" if not guards else "too few low spades guard"
        return f"The queen of spades is dangerous where {few} it."
    if view.rules.queen_points and suit is Suit.SPADES and card > QUEEN_OF_SPADES:
        return "A high spade may have to take the queen of spades."
    if not of_faces(CardSet(view.hand & ~chosen), SUIT_FACES[suit]):
        return f"Without {SUIT_NAMES[suit]} you can throw penalty cards when they are led."
    if suit is Suit.HEARTS:
        return "High hearts win tricks that cost points."
    return "High cards win tricks that you do not want."


def _advise_moon(view: View, choice: MoonChoice) -> str:
    worth = view.rules.total_penalty
    if choice is MoonChoice.OTHERS_ADD:
        return f"Let the others score {worth}: it does not cost you the match."
    return f"Take {worth} off your own score: otherwise the match ends, and you do not win it."


def _reason(view: View, card: Card) -> str:
    """Why the computer player plays ``card``; a clause that ends a sentence."""
    if view.forced is not None:
        return "it is the only card you may play"
    reading = Reading(view)
    if moon.attack(reading):
        return "nobody else has a penalty card, and you may win all that are left"
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
    table = [played for _, played in reading.play.trick]
    if chance_to_win(reading, card) > 0.5 and any(contains(faces, c) for c in (card, *table)):
        return (
            f"{shooter} has taken every penalty card so far, and a penalty card that you win "
            "stops the moon"
        )
    winning = reading.winning
    kept = reading.view.legal & faces
    if winning and winning[0] == danger.seat and kept and not contains(faces, card):
        return (
            f"{shooter} may be shooting the moon, and a penalty card thrown on that trick would "
            "only help; keep it to win a trick with"
        )
    return None


def _reason_to_lead(reading: Reading, card: Card) -> str:
    suit = suit_of(card)
    if suit is Suit.SPADES and card < QUEEN_OF_SPADES and reading.queen_out:
        return "low spades drive the queen of spades out of another hand"
    if not reading.higher_out(card):
        return "it has to be led some time, and now it costs least"
    if not reading.lower_out(card):
        return "nobody can stay below it, so you do not keep the lead"
    return "it is likely to cost least of what you may lead"


def _reason_to_follow(reading: Reading, card: Card) -> str:
    winning = reading.winning
    if winning is not None and card < winning[1]:
        if card == QUEEN_OF_SPADES and reading.rules.queen_points:
            return f"{card_words(winning[1])} takes the queen of spades away from you"
        below = [c for c in cards_in(reading.view.legal) if c < winning[1]]
        if card == below[-1] and len(below) > 1:
            return f"it is your highest card that stays below {card_words(winning[1])}"
        return f"it stays below {card_words(winning[1])}"
    if contains(CardSet(reading.play.unseen), JACK_OF_DIAMONDS) and card == JACK_OF_DIAMONDS:
        return "you may win your own jack of diamonds with it"
    if reading.points_on_table() < 0:
        return "the trick is worth winning"
    if not reading.later_seats:
        if reading.points_on_table() == 0:
            return "the trick costs nothing, so a high card goes cheaply"
        return "the trick is yours in any case, or cheaper than what may come"
    if chance_to_win(reading, card) > 0.5:
        return "if the trick must be yours, now it is likely to cost least"
    return "others are likely to play higher"


def _reason_to_discard(reading: Reading, card: Card) -> str:
    if card == QUEEN_OF_SPADES and reading.rules.queen_points:
        return "somebody else takes the queen of spades"
    if suit_of(card) is Suit.SPADES and card > QUEEN_OF_SPADES and reading.queen_out:
        return "a high spade may have to take the queen of spades later"
    if contains(reading.rules.penalty_faces, card):
        return "somebody else takes its points"
    if rank_of(card) >= 10:
        return "it is the card most likely to win an unwelcome trick"
    return "your other cards serve you better"


def _seat_words(reading: Reading, seat: int) -> str:
    seats = reading.rules.seats
    where = pass_direction(seats, (seat - reading.seat) % seats)
    if where in ("left", "right"):
        return f"the player on your {where}"
    return "the player across from you" if where == "across" else f"the player {where}"
