"""What can be asked for in line mode at any time, and what is expected there: sentences of values.

A pure function of what the person sees (`Sight`) for each command that changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.cards import Card
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.answers import (
    NO_TRICK,
    hand_sentence,
    last_trick_sentences,
    pass_sentence,
    people_sentences,
    score_sentences,
    settings_sentences,
    table_sentences,
    turn_sentences,
)
from p2p_hearts.ui.reasons import MOVE_SENT, why_not_now
from p2p_hearts.ui.sentences import moon_choices, rule_sentences, waiting_sentence
from p2p_hearts.ui.settings import Settings
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.tour import PAGES
from p2p_hearts.ui.typed import HELP

NO_CARDS = N_("No cards are dealt yet.")

_NOT_BEGUN = N_("The game has not begun yet.")


@dataclass(frozen=True, slots=True)
class Sight:
    """What a person sees: the view, the state around it, and how it is to be told.

    ``chosen``: cards for the pass; ``sent``: whether a decision is on its way to the table.
    """

    view: View | None
    status: Status | LobbyStatus
    settings: Settings
    chosen: tuple[Card, ...] = ()
    sent: bool = False


def tell_help(sight: Sight) -> Iterable[str]:
    """Tell what can be typed."""
    return map(_, HELP)


def tell_hand(sight: Sight) -> Iterable[str]:
    """Tell the own hand."""
    if sight.view is None:
        return [_(NO_CARDS)]
    if sight.view.watching:
        return [_("You watch: every hand lies face down.")]
    return [hand_sentence(sight.view.hand, sight.settings.sorting)]


def tell_table(sight: Sight) -> Iterable[str]:
    """Tell what lies on the table, and what is expected."""
    if sight.view is None or isinstance(sight.status, LobbyStatus):
        return [tell_expected(sight)]
    return [*table_sentences(sight.view, sight.status), tell_expected(sight)]


def tell_last(sight: Sight) -> Iterable[str]:
    """Tell the trick before this one."""
    if sight.view is None or isinstance(sight.status, LobbyStatus):
        return [_(NO_TRICK)]
    return last_trick_sentences(sight.view, sight.status)


def tell_scores(sight: Sight) -> Iterable[str]:
    """Tell how the match stands."""
    view, status = sight.view, sight.status
    if view is None or isinstance(status, LobbyStatus) or not view.match.hands:
        return [_("No hand is finished yet.")]
    return score_sentences(view, status)


def tell_people(sight: Sight) -> Iterable[str]:
    """Tell who is here."""
    return people_sentences(sight.status)


def tell_rules(sight: Sight) -> Iterable[str]:
    """Tell the rules of the table."""
    return rule_sentences(sight.view, sight.status) or [_("The rules are not known yet.")]


def tell_settings(sight: Sight) -> Iterable[str]:
    """Tell how the person wants the table."""
    return settings_sentences(sight.settings)


def tell_tour(sight: Sight) -> Iterable[str]:
    """Tell what this game is about."""
    return [f"{_(page.title)}. {_(page.typed)}" for page in PAGES]


def tell_expected(sight: Sight) -> str:
    """Say what is expected of the person now."""
    view, status = sight.view, sight.status
    if view is None or isinstance(status, LobbyStatus):
        return status.stage or _(_NOT_BEGUN)
    if sight.sent:
        return _(MOVE_SENT)
    if view.phase is Phase.PASS:
        return pass_sentence(view, status, sight.chosen)
    if view.phase is Phase.CHOOSE_MOON and view.your_turn:
        adds, subtracts = moon_choices(view)
        return _("You shot the moon! Type 1 or 2. 1: {first} 2: {second}").format(
            first=adds, second=subtracts
        )
    if view.your_turn:
        return turn_sentences(view, sight.settings.sorting)
    return waiting_sentence(status, view.seat) or why_not_now(view, status) or ""


ASKED: Final[Mapping[str, Callable[[Sight], Iterable[str]]]] = {
    "?": tell_help,
    "help": tell_help,
    "hand": tell_hand,
    "cards": tell_hand,
    "t": tell_table,
    "table": tell_table,
    "l": tell_last,
    "last": tell_last,
    "s": tell_scores,
    "scores": tell_scores,
    "p": tell_people,
    "people": tell_people,
    "r": tell_rules,
    "rules": tell_rules,
    "o": tell_settings,
    "settings": tell_settings,
    "tour": tell_tour,
}
"""What answers a command, by what is typed."""
