"""How the command line is read: complaints in one sentence, in the player's language.

What is typed wrongly is a word that is nearly right most of the time, so a complaint names the word
that was meant, where there is one, and the help to look at. Imports nothing heavy.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from p2p_hearts.i18n import N_, _

MAX_SECONDS = 86400

LARGEST_PORT = 65500
"""Two more are used after it, and three for each computer player that a host adds."""

MOST_TRICKS = 17
"""As many as a hand has, at a table of three."""

ARGPARSE_WORDS = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("unrecognized arguments: %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
    N_("the following arguments are required: %s"),
    N_("ignored explicit argument %r"),
    N_("expected one argument"),
    N_("expected at least one argument"),
)
"""What ``argparse`` may say here, in its own words; it looks for their translations itself."""


_NAMES = {"name", "table", "text"}
"""What may be a name of several words: of a table, of its host."""


class Parser(argparse.ArgumentParser):
    """Complains in one sentence; the whole usage is for those who ask for it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with exit code 2."""
        told = _("{complaint} See {command}.") if message.endswith("?") else _(
            "{complaint}; see {command}"
        )  # fmt: skip
        told = told.format(complaint=message, command=f"{self.prog} --help")
        self.exit(2, f"p2p-hearts: {told}\n")

    def parse_known_args(
        self, args: Iterable[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Read what is known; a command, too, complains itself of what it does not know."""
        words = list(sys.argv[1:] if args is None else args)
        if self._commands():
            self._check_before_command(words)
        found, unknown = super().parse_known_args(words, namespace)
        if unknown:
            self.error(_unknown(self, unknown, found))
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError:
            meant = nearest(str(value), map(str, action.choices or ()))
            if meant is None:
                raise
            told = _("there is no {typed!r}; did you mean {meant!r}?")
            raise argparse.ArgumentError(action, told.format(typed=value, meant=meant)) from None

    def _commands(self) -> bool:
        return any(isinstance(action, argparse._SubParsersAction) for action in self._actions)

    def _check_before_command(self, words: Sequence[str]) -> None:
        """Refuse an option of a command that stands before it: what follows would be the command.

        Ends the program, if so.
        """
        rest = iter(words)
        for word in rest:
            if not word.startswith("-"):
                return
            option = word.partition("=")[0]
            known = [name for name in self._option_string_actions if name.startswith(option)]
            if not known:
                meant = nearest(option, self._option_string_actions)
                if meant is not None:
                    self.error(_did_you_mean(option, meant))
                told = _("{option} is unknown here; options of a command stand after it: {example}")
                example = f"{self.prog} COMMAND {option}"
                self.error(told.format(option=option, example=example))
            if option == word and self._option_string_actions[known[0]].nargs != 0:
                next(rest, None)


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """Return the known word that somebody may have meant, if one is near."""
    # Imported where somebody mistyped: every start of the program comes through this module.
    from difflib import get_close_matches

    bare = {word.lstrip("-"): word for word in known}
    found = get_close_matches(typed.lstrip("-").lower(), bare, n=1, cutoff=0.65)
    return bare[found[0]] if found else None


def _unknown(parser: Parser, unknown: Sequence[str], found: argparse.Namespace) -> str:
    """Return the complaint about words that mean nothing here."""
    for word in unknown:
        option = word.partition("=")[0]
        meant = nearest(option, parser._option_string_actions) if word[:1] == "-" else None
        if meant is not None:
            return _did_you_mean(option, meant)
    if _NAMES & vars(found).keys() and not any(word[:1] == "-" for word in unknown):
        return _(
            "{word!r} is a word too many; a name of several words stands in quotation marks, "
            'as in "Sunday table"'
        ).format(word=unknown[0])
    return _("unrecognized arguments: %s") % " ".join(unknown)


def _did_you_mean(option: str, meant: str) -> str:
    return _("{option} is unknown; did you mean {meant}?").format(option=option, meant=meant)


# What the words of an option may be.


def folder(text: str) -> Path:
    """Read the name of a folder: what is printed of it can be pasted anywhere."""
    if not text.strip():
        raise argparse.ArgumentTypeError(_("the name of the folder is empty"))
    return whole_path(text)


def whole_path(text: str) -> Path:
    """Return a path from the root on; as it is where the current folder is gone."""
    try:
        return Path(text).absolute()
    except OSError:
        return Path(text)


def tricks(text: str) -> int:
    """Read a number of tricks."""
    if not (_is_number(text) and int(text) <= MOST_TRICKS):
        raise argparse.ArgumentTypeError(
            _("a delay is a number of tricks from 0 to {most}").format(most=MOST_TRICKS)
        )
    return int(text)


def port(text: str) -> int:
    """Read the first of the ports to use; 0 is any."""
    if not (_is_number(text) and int(text) <= LARGEST_PORT):
        raise argparse.ArgumentTypeError(
            _("a port is a number from 0 (any) to {most}").format(most=LARGEST_PORT)
        )
    return int(text)


def hands(text: str) -> str:
    """Leave the rest to the rules, which say 0 for no limit: nobody means that by an option."""
    if text.strip().lstrip("+0") == "":
        raise argparse.ArgumentTypeError(
            _("a match has at least 1 hand; leave it out for no limit")
        )
    return text


def hand_number(text: str) -> int:
    """Read the number of a hand."""
    if not (_is_number(text) and int(text) >= 1):
        raise argparse.ArgumentTypeError(_("hands are numbered from 1"))
    return int(text)


def players(text: str) -> int:
    """Read a number of players; how many a table takes is for its rules to say."""
    if not _is_number(text.removeprefix("-")):
        raise argparse.ArgumentTypeError(_("{text!r} is no number of players").format(text=text))
    return int(text)


def seconds(text: str) -> float:
    """Read a time."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 <= found <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(
            _("{text!r} is no time: give seconds, from 0 to {most}").format(
                text=text, most=MAX_SECONDS
            )
        )
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
