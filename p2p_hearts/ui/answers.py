"""What line mode answers: the hand, the table, the scores and the people as full sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p_hearts.i18n import N_, _, ngettext
from p2p_hearts.rules.cards import EMPTY, Card, CardSet, Suit, cards_in, copies, suit_of
from p2p_hearts.rules.texts import card_title, card_words, suit_words
from p2p_hearts.rules.trick import Plays
from p2p_hearts.rules.view import View
from p2p_hearts.ui.reasons import not_held, why_dimmed
from p2p_hearts.ui.scores import moon_seat, running_totals
from p2p_hearts.ui.sentences import (
    PHRASE_SENTENCE,
    acquaintance_words,
    open_sentence,
    people_names,
    phrase_sentence,
    player,
    sits_sentence,
    taken_points_sentence,
    taken_sentence,
    totals_sentence,
    verified_sentence,
)
from p2p_hearts.ui.settings import HIGH_FIRST, LOW_FIRST, SETTINGS, Settings
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.words import cards_words, rank_text, seat_name


def people_sentences(status: Status | LobbyStatus) -> list[str]:
    """Return who is here, what is known of each key, and the words to compare."""
    sentences: list[str] = []
    for place, name in enumerate(people_names(status)):
        known = status.people[place] if place < len(status.people) else None
        words = acquaintance_words(known)
        sentences.append(f"{name}: {words}." if words else sits_sentence(name))
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
    sentences += filter(None, [open_sentence(view, status, None)])
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
    return _("You keep {card}.").format(card=card_words(card))


def played_words(view: View, status: Status, plays: Plays) -> str:
    """Return who played which card, in order."""
    return ", ".join(f"{player(view, status, seat)} {card_title(card)}" for seat, card in plays)


NO_TRICK = N_("No trick is finished in this hand yet.")


def last_trick_sentences(view: View, status: Status) -> list[str]:
    """Return who played what in the last trick, and who took it."""
    if view.play is None or not view.play.tricks:
        return [_(NO_TRICK)]
    trick = view.play.tricks[-1]
    played = played_words(view, status, trick.cards)
    return [
        _("Last trick: {cards}.").format(cards=played),
        taken_sentence(view, status, trick),
    ]


def choose_cards(
    view: View, chosen: tuple[Card, ...], cards: Sequence[Card]
) -> tuple[tuple[Card, ...], list[str]]:
    """Return the cards chosen for the pass after more were typed, and what is to be told.

    A card that is chosen already is taken back.
    """
    told: list[str] = []
    for card in cards:
        held = copies(view.hand, card)
        if not held:
            told.append(not_held(card_words(card)))
        elif chosen.count(card) >= held:
            chosen = tuple(other for other in chosen if other != card)
            told.append(kept_sentence(card))
        elif len(chosen) == view.rules.pass_count:
            full = _("Enough cards are chosen. To pass {card}, take one back first.")
            told.append(full.format(card=card_words(card)))
        else:
            chosen = (*chosen, card)
    return chosen, told


def pass_sentence(view: View, status: Status, chosen: tuple[Card, ...]) -> str:
    """Return what to do next while choosing the pass."""
    to = seat_name(status.names, (view.seat + view.offset) % view.rules.seats)
    missing = view.rules.pass_count - len(chosen)
    if missing:
        return ngettext(
            'Choose {n} more card to pass to {player}, such as "qs".',
            'Choose {n} cards to pass to {player}, such as "qs 10h".',
            missing,
        ).format(n=missing, player=to)
    cards = cards_words(sorted(chosen))
    return _('Press Enter to pass {cards} to {player}, or type "undo".').format(
        cards=cards, player=to
    )


def settings_sentences(settings: Settings) -> list[str]:
    """Return every setting with its value and what it means, as one types it."""
    return [
        _('"set {setting} {value}". {comment} It is one of {values}.').format(
            setting=setting.key,
            value=getattr(settings, setting.key),
            comment=_(setting.comment),
            values=", ".join(setting.values),
        )
        for setting in SETTINGS
    ]


def set_as_typed(settings: Settings, words: Sequence[str]) -> tuple[Settings | None, str]:
    """Return the settings after "set" and these words, None where they fit none, and the answer."""
    found = {setting.key: setting for setting in SETTINGS}
    setting = found.get(words[0]) if words else None
    if setting is None:
        told = _('You can set {settings}; such as "set speed fast".')
        return None, told.format(settings=", ".join(found))
    if len(words) != 2 or words[1] not in setting.values:
        told = _("{setting} is one of {values}.")
        return None, told.format(setting=setting.key, values=", ".join(setting.values))
    told = _("From now on {setting} is {value}.")
    return (
        replace(settings, **{setting.key: words[1]}),
        told.format(setting=setting.key, value=words[1]),
    )
