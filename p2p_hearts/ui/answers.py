"""What line mode answers: the hand, the table, the scores and the people as full sentences."""

from __future__ import annotations

from p2p_hearts.i18n import _
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, Suit, cards_in, suit_of
from p2p_hearts.rules.texts import card_title, suit_words
from p2p_hearts.rules.trick import Plays
from p2p_hearts.rules.view import View
from p2p_hearts.ui.reasons import why_dimmed
from p2p_hearts.ui.scores import moon_seat, running_totals
from p2p_hearts.ui.sentences import (
    PHRASE_SENTENCE,
    acquaintance_words,
    phrase_sentence,
    player,
    sits_sentence,
    taken_points_sentence,
    totals_sentence,
    verified_sentence,
)
from p2p_hearts.ui.settings import HIGH_FIRST, LOW_FIRST
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.words import cards_words, rank_text, seat_name


def people_sentences(status: Status | LobbyStatus) -> list[str]:
    """Return who is here, what is known of each key, and the words to compare."""
    sentences: list[str] = []
    if isinstance(status, LobbyStatus):
        sentences += [sits_sentence(name) for name in status.players]
    else:
        for seat in range(len(status.names)):
            known = status.people[seat] if seat < len(status.people) else None
            words = acquaintance_words(known)
            name = seat_name(status.names, seat)
            if words:
                sentences.append(f"{name}: {words}.")
            else:
                sentences.append(sits_sentence(name))
    if status.phrase:
        sentences.append(f"{_(PHRASE_SENTENCE)} {status.phrase}.")
    return sentences


def hand_sentence(hand: CardSet, sorting: str = LOW_FIRST) -> str:
    """Return the cards of a hand, suit by suit: "Your hand: clubs 4 9; spades Q."."""
    if hand == EMPTY:
        return _("Your hand is empty.")
    suits: list[str] = []
    for suit in Suit:
        ranks = [rank_text(card) for card in cards_in(hand) if suit_of(card) is suit]
        if sorting == HIGH_FIRST:
            ranks.reverse()
        if ranks:
            suits.append(f"{suit_words(suit)} {' '.join(ranks)}")
    return _("Your hand: {cards}.").format(cards="; ".join(suits))


def table_sentences(view: View, status: Status) -> list[str]:
    """Return what lies on the table, who holds how many cards and what has been taken."""
    sentences: list[str] = []
    if view.play is not None and view.play.trick:
        played = played_words(view, status, view.play.trick)
        sentences.append(_("On the table: {cards}.").format(cards=played))
    counts = [f"{player(view, status, seat)} {count}" for seat, count in enumerate(view.counts)]
    sentences.append(_("Cards held: {counts}.").format(counts=", ".join(counts)))
    taken = taken_points_sentence(view, status)
    if taken:
        sentences.append(taken)
    if view.rules.hearts_break and view.play is not None:
        sentences.append(
            _("Hearts are broken.") if view.play.broken else _("Hearts are not broken.")
        )
    if status.fault is not None:
        sentences.append(status.fault)
    if status.phrase:
        sentences.append(phrase_sentence(status.phrase))
    sentences += [verified_sentence(fact) for fact in status.verified]
    if status.history:
        sentences.append(_("Head of the history: {head}.").format(head=status.history))
    return sentences


def score_sentences(view: View, status: Status) -> list[str]:
    """Return the points of every finished hand, and the totals."""
    sentences: list[str] = []
    totals = running_totals(view.match)
    for number, scores in enumerate(view.match.hands, 1):
        told = [
            _("{player} {points} makes {total}").format(
                player=player(view, status, seat), points=points, total=totals[number - 1][seat]
            )
            for seat, points in enumerate(scores)
        ]
        moon = moon_seat(view.rules, scores)
        if moon is None:
            sentences.append(_("Hand {n}: {points}.").format(n=number, points=", ".join(told)))
        else:
            shooter = player(view, status, moon)
            sentences.append(
                _("Hand {n}, moon shot by {player}: {points}.").format(
                    n=number, player=shooter, points=", ".join(told)
                )
            )
    sentences.append(totals_sentence(view, status))
    return sentences


def turn_sentences(view: View, sorting: str) -> str:
    """Return that it is the person's turn, the hand, and what may be played and why no more."""
    hand = hand_sentence(view.hand, sorting)
    leads = view.play is None or not view.play.trick
    told = [_("It is your turn to lead.") if leads else _("It is your turn to play."), hand]
    reason = why_dimmed(view, None)
    if reason is None:
        told.append(_("Any card may be played."))
    else:
        told += [reason, _("You may play {cards}.").format(cards=cards_words(view.legal))]
    if view.may_claim:
        told.append(_('Or type "claim" to claim the rest of the hand.'))
    return " ".join(told)


def kept_sentence(card: Card) -> str:
    """Return that a card was taken back from the pass."""
    return _("You keep {card}.").format(card=card_title(card))


def played_words(view: View, status: Status, plays: Plays) -> str:
    """Return who played which card, in order."""
    return ", ".join(f"{player(view, status, seat)} {card_title(card)}" for seat, card in plays)
