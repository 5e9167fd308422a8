"""What a person is about to do, as a value: cursor, cards chosen, letters typed, the open panel.

And the keys and moves by which it changes: `pressing` says what each key means. Drawing and
terminal input know nothing of either.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from p2p_hearts.rules.cards import Card, CardSet, card_set, cards_in, contains, suit_of
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View
from p2p_hearts.ui.settings import HIGH_FIRST, LOW_FIRST, Settings


class Panel(Enum):
    """What is opened over the table."""

    NONE = "none"
    LAST_TRICK = "last trick"
    SCORES = "scores"
    HINT = "hint"
    HELP = "help"
    LEAVE = "leave"
    CLAIM = "claim"
    PEOPLE = "people"
    SETTINGS = "settings"
    TOUR = "tour"
    CHAT = "chat"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class PassCards:
    """The person confirmed these cards for the pass."""

    cards: CardSet


@dataclass(frozen=True, slots=True)
class PlayCard:
    """The person played this card."""

    card: Card


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """The person claims the rest of the hand, confirmed."""


@dataclass(frozen=True, slots=True)
class CountMoon:
    """The person, who shot the moon, says how it counts."""

    choice: MoonChoice


@dataclass(frozen=True, slots=True)
class AskHint:
    """The person wants advice; the answer goes into `Choice.hint`."""


@dataclass(frozen=True, slots=True)
class SayLine:
    """The person says a line to everybody at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The person leaves the table."""


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """The person wants the table otherwise, from now on and in later games."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class BeReady:
    """The person, in the lobby, is ready for the cards, or not yet after all."""

    ready: bool


@dataclass(frozen=True, slots=True)
class AddPlayer:
    """The person, a host in the lobby, seats a computer player."""


Move = (
    PassCards
    | PlayCard
    | ClaimRest
    | CountMoon
    | AskHint
    | SayLine
    | Leave
    | ChangeSettings
    | BeReady
    | AddPlayer
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What the person is about to do.

    Attributes:
        cursor: index into the sorted hand (`hand_order`).
        chosen: indexes of the cards chosen for the pass, in the order chosen.
        typed: the letters of a card not yet complete.
        panel: what is open over the table.
        feedback: the answer to the last key press, "" when there is none.
        hint: the advice shown in the hint panel.
        sent: a move is on its way to the table; no other is taken until the View changes.
        just_typed: the last key ended a card that was typed; Enter after it belongs to it.
        row: the line of the settings, the page of the tour, or the first rule, that is looked at.
        line: what the person is writing in the chat.
        settings: how the person wants the table.
    """

    cursor: int = 0
    chosen: tuple[int, ...] = ()
    typed: str = ""
    panel: Panel = Panel.NONE
    feedback: str = ""
    hint: str = ""
    sent: bool = False
    just_typed: bool = False
    row: int = 0
    line: str = ""
    settings: Settings = field(default_factory=Settings)

    def order(self, view: View) -> tuple[Card, ...]:
        """Return the hand as it lies on this person's screen."""
        return hand_order(view, self.settings.sorting)


@dataclass(frozen=True, slots=True)
class Click:
    """A click on a card of the hand, by index."""

    index: int


@dataclass(frozen=True, slots=True)
class Row:
    """A click on a line of the settings, by index."""

    index: int


Key = str | Click | Row
"""A named key (`LEFT`, `ENTER` …), one typed character, or a click."""

LEFT, RIGHT, PREVIOUS_SUIT, NEXT_SUIT = "left", "right", "up", "down"
FIRST, LAST, NEXT_LEGAL, PREVIOUS_LEGAL = "home", "end", "tab", "back-tab"
ENTER, TOGGLE, BACKSPACE, ESCAPE, LEAVE, HINT = (
    "enter",
    "toggle",
    "backspace",
    "escape",
    "leave",
    "hint",
)

MOON_KEYS = {"1": MoonChoice.OTHERS_ADD, "2": MoonChoice.SHOOTER_SUBTRACTS}
"""What a shooter types to choose how the moon counts."""

ADD = "b"
"""What a host presses in the lobby to seat a computer player."""

GO_ON = "v"
"""What a person presses to go on without a player; the app asks and answers."""


def hand_order(view: View, sorting: str = LOW_FIRST) -> tuple[Card, ...]:
    """Return the hand as it lies on the screen: by suit, low or high cards first."""
    cards = cards_in(view.hand)
    if sorting == HIGH_FIRST:
        return tuple(sorted(cards, key=lambda card: (suit_of(card), -card)))
    return cards


def chosen_cards(view: View, choice: Choice) -> CardSet:
    """Return the cards chosen for the pass."""
    order = choice.order(view)
    return card_set(order[index] for index in sorted(choice.chosen))


def settle(choice: Choice, before: View | None, view: View | None) -> Choice:
    """Return the state after a new View came: what no longer applies is dropped.

    The cursor stays on its card while that is in the hand; at the person's turn it moves to
    the nearest card that may be played.
    """
    if view is None:
        return Choice(
            panel=choice.panel, row=choice.row, line=choice.line, settings=choice.settings
        )
    if before is not None and before == view:
        return choice
    order = choice.order(view)
    cursor = _follow(choice, before, order)
    if view.your_turn and order and not contains(view.legal, order[cursor]):
        legal = [index for index, card in enumerate(order) if contains(view.legal, card)]
        cursor = min(legal, key=lambda index: abs(index - cursor), default=cursor)
    same_choice = (
        before is not None
        and before.phase is view.phase
        and before.hand_number == view.hand_number
        and before.hand == view.hand
    )
    # What was answered before a turn came would stand in the way of what is to be done.
    same_turn = before is not None and before.your_turn is view.your_turn
    passing = choice.panel in (Panel.HINT, Panel.CLAIM)
    panel = Panel.NONE if passing and not same_choice else choice.panel
    return replace(
        choice,
        cursor=cursor,
        chosen=choice.chosen if same_choice else (),
        feedback=choice.feedback if same_choice and same_turn else "",
        just_typed=choice.just_typed and same_choice and same_turn,
        panel=panel,
        sent=choice.sent and same_choice and before is not None and before.play == view.play,
    )


def _follow(choice: Choice, before: View | None, order: tuple[Card, ...]) -> int:
    """Where the cursor's card lies in the new hand, or the nearest place to it."""
    if before is not None:
        old = choice.order(before)
        if choice.cursor < len(old) and old[choice.cursor] in order:
            return order.index(old[choice.cursor])
    return max(0, min(choice.cursor, len(order) - 1))
