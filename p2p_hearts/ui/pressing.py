"""What a key press means: one pure function from (choice, View, key) to (choice, move).

`react` gives the next `Choice` and, where a key asks for something of the game, the `Move` to
carry out.
"""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.i18n import _, pgettext
from p2p_hearts.rules.cards import Card, contains, parse_card, suit_of
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.choice import (
    ADD,
    BACKSPACE,
    ENTER,
    ESCAPE,
    FIRST,
    HINT,
    LAST,
    LEAVE,
    LEFT,
    MOON_KEYS,
    NEXT_LEGAL,
    NEXT_SUIT,
    PREVIOUS_LEGAL,
    PREVIOUS_SUIT,
    RIGHT,
    TOGGLE,
    AddPlayer,
    AskHint,
    BeReady,
    ChangeSettings,
    Choice,
    ClaimRest,
    Click,
    CountMoon,
    Key,
    Leave,
    Move,
    Panel,
    PassCards,
    PlayCard,
    Row,
    SayLine,
    chosen_cards,
)
from p2p_hearts.ui.reasons import MOVE_SENT, not_held, why_no_claim, why_not, why_not_now
from p2p_hearts.ui.sentences import rule_sentences
from p2p_hearts.ui.settings import SETTINGS, Settings, changed
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.tour import PAGES
from p2p_hearts.ui.words import Glyphs, card_text

_SETTING_KEYS = (
    LEFT, RIGHT, PREVIOUS_SUIT, NEXT_SUIT, PREVIOUS_LEGAL, NEXT_LEGAL, ENTER, TOGGLE
)  # fmt: skip
_SCROLLING = (LEFT, RIGHT, PREVIOUS_SUIT, NEXT_SUIT)
_CARDS_MATTER = (Phase.PASS, Phase.WAIT_PASS, Phase.PLAY)
_PANEL_KEYS = {
    "l": Panel.LAST_TRICK,
    "s": Panel.SCORES,
    "?": Panel.HELP,
    "p": Panel.PEOPLE,
    "o": Panel.SETTINGS,
    "m": Panel.CHAT,
    "r": Panel.RULES,
}
_WITHOUT_CARDS = (Panel.HELP, Panel.PEOPLE, Panel.SETTINGS, Panel.CHAT, Panel.RULES)
"""What opens before cards are dealt, too."""
TOUR_KEY = "t"
"""What a person presses in the help to see the tour."""

LINE_LETTERS = 120
"""As many as a line of chat may have."""

CLAIM_KEY = "c"
"""What a person presses to claim the rest."""

_RANK_LETTERS = "23456789jqkat"
_SUIT_LETTERS = "cdsh♣♦♠♥"


def react(
    choice: Choice,
    view: View | None,
    status: Status | LobbyStatus,
    key: Key,
    glyphs: Glyphs,
) -> tuple[Choice, Move | None]:
    """Return the state after a key press, and the move that it makes, if any."""
    typed_now, told = choice.just_typed, choice.feedback
    choice = replace(choice, feedback="", just_typed=False)
    if choice.panel is Panel.LEAVE:
        return _answer_leaving(choice, key)
    if choice.panel is Panel.CLAIM:
        return _answer_claiming(choice, key)
    if key == LEAVE:
        return _ask_to_leave(choice, status)
    if choice.panel is Panel.CHAT:
        return _write_line(choice, key)
    if choice.panel is Panel.TOUR:
        return _turn_page(choice, key)
    if key == ESCAPE:
        return replace(choice, panel=Panel.NONE, typed=""), None
    if choice.typed and not _goes_on(choice.typed, key):
        choice = replace(choice, typed="")
    if choice.panel is Panel.HELP and key == TOUR_KEY:
        return replace(choice, panel=Panel.TOUR, row=0), None
    if isinstance(key, str) and not choice.typed and key in _PANEL_KEYS:
        panel = _PANEL_KEYS[key]
        if view is None and panel not in _WITHOUT_CARDS:
            return choice, None
        return replace(choice, panel=Panel.NONE if choice.panel is panel else panel, row=0), None
    if choice.panel is Panel.SETTINGS and (isinstance(key, Row) or key in _SETTING_KEYS):
        return _set(choice, view, key)
    if choice.panel is Panel.RULES and key in _SCROLLING:
        last = len(rule_sentences(view, status)) - 1
        step = -1 if key in (LEFT, PREVIOUS_SUIT) else 1
        return replace(choice, row=max(0, min(choice.row + step, last))), None
    if not choice.typed and key in ("h", HINT):
        return _ask_hint(choice, view)
    if choice.typed == "q" and key in (ENTER, "q"):
        return _ask_to_leave(choice, status)
    if choice.panel is not Panel.NONE and key in (ENTER, BACKSPACE, TOGGLE):
        return replace(choice, panel=Panel.NONE), None
    if status.finished and key in (ENTER, "q"):
        return choice, Leave()
    if isinstance(key, Row):
        return choice, None
    if isinstance(status, LobbyStatus) and status.own_ready is not None and key == ENTER:
        return choice, BeReady(not status.own_ready)
    if isinstance(status, LobbyStatus) and status.may_add and key == ADD:
        return choice, AddPlayer()
    holds_nothing = view is None or not choice.order(view)
    if key == "q" and holds_nothing:  # no queen can be meant
        return _ask_to_leave(choice, status)
    if view is None or isinstance(status, LobbyStatus):
        return choice, None
    confirms = key == ENTER and not told and _is_pass_chosen(choice, view)
    if typed_now and key in (ENTER, TOGGLE) and not confirms:
        # Out of habit after a card by name: it must not take that card back or play another.
        return replace(choice, feedback=told), None
    return _react_with_hand(choice, view, status, key, glyphs)


def _react_with_hand(
    choice: Choice, view: View, status: Status, key: str | Click, glyphs: Glyphs
) -> tuple[Choice, Move | None]:
    if view.phase is Phase.CHOOSE_MOON and view.your_turn and isinstance(key, str):
        moon = MOON_KEYS.get(key)
        return choice, CountMoon(moon) if moon is not None and not choice.sent else None
    if key == CLAIM_KEY and not choice.typed and view.phase is Phase.PLAY:
        return _ask_to_claim(choice, view, status), None
    order = choice.order(view)
    if isinstance(key, Click):
        if not 0 <= key.index < len(order):
            return choice, None
        choice = replace(choice, cursor=key.index, typed="")
        return _use(choice, view, status, key.index, glyphs)
    if key == BACKSPACE:
        if choice.typed:
            return replace(choice, typed=choice.typed[:-1]), None
        return replace(choice, chosen=choice.chosen[:-1]), None
    if key == ENTER and not choice.typed:
        if _is_pass_chosen(choice, view):
            return _confirm_pass(choice, view)
        return _use(choice, view, status, choice.cursor, glyphs)
    if key == TOGGLE and not choice.typed:
        return _use(choice, view, status, choice.cursor, glyphs)
    moved = _moved_cursor(choice.cursor, view, order, key)
    if moved is not None:
        return replace(choice, cursor=moved, typed=""), None
    return _typed(choice, view, status, key, glyphs) if order else (choice, None)


def _goes_on(typed: str, key: Key) -> bool:
    """Whether a key belongs to the card that is half typed; any other key does its own work."""
    if key in (ENTER, TOGGLE, BACKSPACE):
        return True
    if not isinstance(key, str) or len(key) > 1:
        return False
    if typed == "q" and key == "q":
        return True
    return key == "0" if typed == "1" else key.lower() in _SUIT_LETTERS


def _typed(
    choice: Choice, view: View, status: Status, key: str, glyphs: Glyphs
) -> tuple[Choice, Move | None]:
    letter = key.lower()
    if not choice.typed:
        return replace(choice, typed=letter) if letter in (*_RANK_LETTERS, "1") else choice, None
    if key in (ENTER, TOGGLE):
        begun = _("{typed} is no whole card yet; Esc takes it back.")
        return replace(choice, feedback=begun.format(typed=choice.typed.upper())), None
    if choice.typed == "1":
        return replace(choice, typed="10"), None
    card = parse_card(choice.typed + letter)
    choice = replace(choice, typed="", just_typed=True)
    order = choice.order(view)
    at = [index for index, held in enumerate(order) if held == card]
    if not at:
        return replace(choice, feedback=not_held(card_text(card, glyphs))), None
    free = [index for index in at if index not in choice.chosen]
    index = (free or at)[0]
    return _use(replace(choice, cursor=index), view, status, index, glyphs)


def _use(
    choice: Choice, view: View, status: Status, index: int, glyphs: Glyphs
) -> tuple[Choice, Move | None]:
    """Choose, unchoose or play the card at `index`, whichever the phase asks for."""
    order = choice.order(view)
    if not 0 <= index < len(order) or view.phase not in _CARDS_MATTER:
        return choice, None
    if choice.sent:
        return replace(choice, feedback=_(MOVE_SENT)), None
    if view.phase is Phase.PASS:
        return _toggle(choice, view, index), None
    refusal = why_not_now(view, status) or why_not(view, order[index], glyphs)
    if refusal is not None:
        return replace(choice, feedback=refusal), None
    return choice, PlayCard(order[index])


def _toggle(choice: Choice, view: View, index: int) -> Choice:
    if index in choice.chosen:
        return replace(choice, chosen=tuple(i for i in choice.chosen if i != index))
    wanted = view.rules.pass_count
    if len(choice.chosen) < wanted:
        return replace(choice, chosen=(*choice.chosen, index))
    full = (
        _("The card to pass is chosen. Take it back first, or press Enter.")
        if wanted == 1
        else _("All {n} cards are chosen. Take one back first, or press Enter.").format(n=wanted)
    )
    return replace(choice, feedback=full)


def _is_pass_chosen(choice: Choice, view: View) -> bool:
    """Whether nothing lacks but that the pass is confirmed."""
    return view.phase is Phase.PASS and len(choice.chosen) == view.rules.pass_count


def _confirm_pass(choice: Choice, view: View) -> tuple[Choice, Move | None]:
    if choice.sent:
        return replace(choice, feedback=_("Your pass is on its way to the table.")), None
    return choice, PassCards(chosen_cards(view, choice))


def _write_line(choice: Choice, key: Key) -> tuple[Choice, Move | None]:
    """Write a line of chat; Enter says it, an empty one closes the chat, as Escape does."""
    if key == ESCAPE or (key == ENTER and not choice.line.strip()):
        return replace(choice, panel=Panel.NONE, line=""), None
    if key == ENTER:
        return replace(choice, line=""), SayLine(choice.line)
    if key == BACKSPACE:
        return replace(choice, line=choice.line[:-1]), None
    letter = " " if key == TOGGLE else key
    if isinstance(letter, str) and len(letter) == 1 and len(choice.line) < LINE_LETTERS:
        return replace(choice, line=choice.line + letter), None
    return choice, None


def _turn_page(choice: Choice, key: Key) -> tuple[Choice, Move | None]:
    """Look at another page of the tour; after the last one, and with Esc, it is over."""
    row = choice.row
    if key in (ENTER, TOGGLE, RIGHT, NEXT_SUIT, NEXT_LEGAL):
        row += 1
    elif key in (LEFT, BACKSPACE, PREVIOUS_SUIT, PREVIOUS_LEGAL):
        row = max(0, row - 1)
    elif key == ESCAPE or key == "q":
        row = len(PAGES)
    if row < len(PAGES):
        return replace(choice, row=row), None
    settings = replace(choice.settings, tour="off")
    return _with_settings(replace(choice, panel=Panel.NONE, row=0), None, settings)


def _set(choice: Choice, view: View | None, key: Key) -> tuple[Choice, Move | None]:
    """Move in the settings, or change the one that is looked at."""
    if isinstance(key, Row):
        choice = replace(choice, row=key.index)
    elif key in (PREVIOUS_SUIT, PREVIOUS_LEGAL, NEXT_SUIT, NEXT_LEGAL):
        step = 1 if key in (NEXT_SUIT, NEXT_LEGAL) else -1
        return replace(choice, row=(choice.row + step) % len(SETTINGS)), None
    step = -1 if key == LEFT else 1
    settings = changed(choice.settings, SETTINGS[choice.row % len(SETTINGS)], step)
    return _with_settings(choice, view, settings)


def _with_settings(
    choice: Choice, view: View | None, settings: Settings
) -> tuple[Choice, Move | None]:
    """Return the choice under other settings; cursor and chosen cards stay on their cards."""
    if settings == choice.settings:
        return choice, None
    after = replace(choice, settings=settings)
    if view is not None and settings.sorting != choice.settings.sorting:
        old, free = choice.order(view), list(enumerate(after.order(view)))
        moved: dict[int, int] = {}
        for index, card in enumerate(old):
            at = next(place for place in free if place[1] == card)
            free.remove(at)
            moved[index] = at[0]
        after = replace(
            after,
            cursor=moved.get(choice.cursor, 0),
            chosen=tuple(moved[index] for index in choice.chosen),
        )
    return after, ChangeSettings(settings)


def _ask_hint(choice: Choice, view: View | None) -> tuple[Choice, Move | None]:
    if choice.panel is Panel.HINT:
        return replace(choice, panel=Panel.NONE), None
    if choice.settings.hints == "off":
        return replace(choice, feedback=_("Hints are switched off; o opens the settings.")), None
    if view is None or not (view.your_turn or view.phase is Phase.PASS):
        return replace(choice, feedback=_("There is nothing to choose now.")), None
    return choice, AskHint()


def _ask_to_claim(choice: Choice, view: View, status: Status) -> Choice:
    refusal = why_not_now(view, status) or why_no_claim(view)
    if choice.sent:
        refusal = _(MOVE_SENT)
    if refusal is not None:
        return replace(choice, feedback=refusal)
    return replace(choice, panel=Panel.CLAIM, typed="")


def _answer_claiming(choice: Choice, key: Key) -> tuple[Choice, Move | None]:
    if is_yes(key):
        return replace(choice, panel=Panel.NONE), ClaimRest()
    if is_no(key) or key in (ESCAPE, ENTER, BACKSPACE, CLAIM_KEY):
        return replace(choice, panel=Panel.NONE), None
    if key == LEAVE:
        return replace(choice, panel=Panel.LEAVE), None
    return choice, None


def is_yes(key: Key) -> bool:
    """Whether a key says yes: y, or the letter of the language."""
    return isinstance(key, str) and key.lower() in ("y", pgettext("key for yes", "y"))


def is_no(key: Key) -> bool:
    """Whether a key says no: n, or the letter of the language."""
    return isinstance(key, str) and key.lower() in ("n", pgettext("key for no", "n"))


def _ask_to_leave(choice: Choice, status: Status | LobbyStatus) -> tuple[Choice, Move | None]:
    if status.finished:
        return choice, Leave()
    return replace(choice, panel=Panel.LEAVE, typed=""), None


def _answer_leaving(choice: Choice, key: Key) -> tuple[Choice, Move | None]:
    if is_yes(key) or key == LEAVE:
        return choice, Leave()
    if is_no(key) or key in (ESCAPE, ENTER, BACKSPACE, "q"):
        return replace(choice, panel=Panel.NONE), None
    return choice, None


def _moved_cursor(cursor: int, view: View, order: tuple[Card, ...], key: str) -> int | None:
    """Return the cursor after a moving key, None for any other key."""
    count = len(order)
    if key not in (
        LEFT, RIGHT, FIRST, LAST, PREVIOUS_SUIT, NEXT_SUIT, NEXT_LEGAL, PREVIOUS_LEGAL
    ):  # fmt: skip
        return None
    if not count:
        return 0
    if key == FIRST:
        return 0
    if key == LAST:
        return count - 1
    if key in (LEFT, RIGHT):
        return (cursor + (1 if key == RIGHT else -1)) % count
    step = 1 if key in (NEXT_SUIT, NEXT_LEGAL) else -1
    if key in (NEXT_LEGAL, PREVIOUS_LEGAL):
        wanted = {i for i, card in enumerate(order) if contains(view.legal, card)}
    else:
        wanted = {i for i in range(count) if i == 0 or suit_of(order[i]) != suit_of(order[i - 1])}
    for distance in range(1, count + 1):
        index = (cursor + step * distance) % count
        if index in wanted:
            return index
    return cursor
