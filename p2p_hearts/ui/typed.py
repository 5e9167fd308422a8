"""What can be typed in line mode: the help, and the commands in the player's own language."""

from __future__ import annotations

import unicodedata

from p2p_hearts.i18n import N_, pgettext

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
    N_('"claim" claims the rest of the hand, where it is certain that you take it.'),
    N_('"go on" goes on without a player who is waited for too long.'),
    N_('"scores" tells the points of every hand, "hint" gives advice, "quit" leaves the table.'),
    N_('"people" tells who is here and the words to compare, "tour" what this game is about.'),
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
            ("claim", pgettext("command", "claim")),
            ("go on", pgettext("command", "go on")),
            ("people", pgettext("command", "people")),
            ("tour", pgettext("command", "tour")),
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
