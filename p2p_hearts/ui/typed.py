"""What can be typed in line mode: the help, the commands in the player's language, a line as read.

Pure functions of what was typed; what a line does is for `line` to say.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from p2p_hearts.i18n import N_, pgettext
from p2p_hearts.rules.cards import Card, parse_card
from p2p_hearts.ui.pressing import is_yes

HELP = (
    N_(
        'Type a card as its rank and the letter of its suit: "qs" is the queen of spades, '
        '"10h" the 10 of hearts.'
    ),
    N_(
        'To pass, type the cards, one or several at a time; "undo" takes the last one back, '
        'and Enter or "yes" passes them.'
    ),
    N_('"hand" tells your cards, "table" what lies on the table, "last" the last trick.'),
    N_('"ready", before the game, says that the cards may come, or not yet after all.'),
    N_('"bot", before the game, seats a computer player at a table that you host.'),
    N_('"claim" claims the rest of the hand, where it is certain that you take it.'),
    N_('"go on" goes on without a player who is waited for too long.'),
    N_('"scores" tells the points of every hand, "hint" gives advice, "quit" leaves the table.'),
    N_('"people" tells who is here and the words to compare, "tour" what this game is about.'),
    N_('"rules" tells the rules of this table.'),
    N_('"settings" tells how you want the table; "set speed fast" changes one.'),
    N_(
        '"say" and a line says it to everybody at the table; "mute" and a name hides what that '
        'person says, "unmute" shows it again.'
    ),
)


def own_words() -> dict[str, str]:
    """Return the commands in the player's language, as `plain` writes them, with the English."""
    return {
        plain(word): english
        for english, word in (
            ("help", pgettext("command", "help")),
            ("hand", pgettext("command", "hand")),
            ("table", pgettext("command", "table")),
            ("last", pgettext("command", "last")),
            ("scores", pgettext("command", "scores")),
            ("hint", pgettext("command", "hint")),
            ("undo", pgettext("command", "undo")),
            ("ready", pgettext("command", "ready")),
            ("bot", pgettext("command", "bot")),
            ("claim", pgettext("command", "claim")),
            ("go on", pgettext("command", "go on")),
            ("people", pgettext("command", "people")),
            ("tour", pgettext("command", "tour")),
            ("rules", pgettext("command", "rules")),
            ("settings", pgettext("command", "settings")),
            ("set", pgettext("command", "set")),
            ("say", pgettext("command", "say")),
            ("mute", pgettext("command", "mute")),
            ("unmute", pgettext("command", "unmute")),
            ("quit", pgettext("command", "quit")),
            ("yes", pgettext("command", "yes")),
        )
    }


def plain(text: str) -> str:
    """Return a word in small letters without accents: not every keyboard has them."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(letter)
    )


@dataclass(frozen=True, slots=True)
class Line:
    """A line that a person typed, read in every way that it may be meant.

    Attributes:
        words: its words in small letters.
        command: the whole line as a command in English; as it is where it is none.
        said: what it says to everybody, or "/mute NAME"; None if it says nothing.
        says_yes: whether it begins with a word for yes.
        to_set: what follows "set"; None if it sets nothing.
        cards: the cards it names; None if a word is no card.
    """

    words: tuple[str, ...]
    command: str
    said: str | None
    says_yes: bool
    to_set: tuple[str, ...] | None
    cards: tuple[Card, ...] | None

    @property
    def shown(self) -> str:
        """Its words, short and harmless to show."""
        typed = " ".join(self.words)
        return "".join(letter for letter in typed if letter.isprintable())[:40]


def read_line(text: str, own: Mapping[str, str]) -> Line:
    """Read a line; ``own`` are the commands in the player's language (`own_words`)."""
    words = tuple(text.lower().replace(",", " ").split())
    first = _in_english(words[0], own) if words else ""
    return Line(
        words=words,
        command=_in_english(" ".join(words), own),
        said=_said(text, own),
        says_yes=first == "yes" or (bool(words) and is_yes(words[0])),
        to_set=words[1:] if first == "set" else None,
        cards=_cards(words),
    )


def _in_english(typed: str, own: Mapping[str, str]) -> str:
    return own.get(plain(typed), typed)


def _said(text: str, own: Mapping[str, str]) -> str | None:
    """Return what is said to everybody: after "say" or a quotation mark."""
    first, _space, rest = text.strip().partition(" ")
    if text.lstrip().startswith('"'):
        return text.strip().strip('"')
    word = _in_english(first.lower(), own)
    if word in ("mute", "unmute") and rest:
        return f"/{word} {rest}"
    return rest if word == "say" and rest else None


def _cards(words: tuple[str, ...]) -> tuple[Card, ...] | None:
    try:
        return tuple(parse_card(word) for word in words)
    except ValueError:
        return None
