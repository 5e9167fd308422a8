"""The manual page ``docs/man/p2p-hearts.1``, from the parser itself, so that it cannot drift.

Written in the man macros that every man reads. English, as pages without a language are.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from p2p_hearts import __version__
from p2p_hearts.arguments import make_parser

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "man" / "p2p-hearts.1"

_FILES = (
    ("identity", "the key that you are known by; keep it private"),
    ("settings.toml", "how you want the table, with comments"),
    ("games/*.hearts", "logs of games, for audit, replay and stats"),
    ("secrets/", "secrets of hands being played, erased when they are revealed"),
    ("seats/", "places at tables that are not over, for resume"),
    ("players.json", "keys of the players you met"),
    ("audits/", "what each audited log contributes to stats"),
    ("crashes/", "reports of failures of the program itself"),
)
_ENVIRONMENT = (
    ("P2P_HEARTS_HOME", "the folder, as --home says it"),
    ("P2P_HEARTS_LANG", "the language: en, pt or id, as --lang says it"),
    ("P2P_HEARTS_PASSPHRASE", "the passphrase of a sealed identity"),
    ("NO_COLOR", "no colours, if it is set to anything"),
)
_STATUS = (
    ("0", "done as asked; a clean audit; a match that reached its end"),
    ("1", "a proven fault"),
    ("2", "wrong usage, or something unreadable"),
    ("3", "incomplete; nothing found; no seat to be had"),
    ("4", "the game was stopped before its end"),
    ("5", "a failure of the program itself; a report lies in crashes/"),
    ("130", "interrupted"),
)
_EXAMPLES = (
    ("p2p-hearts play", "you against three computer players"),
    ('p2p-hearts host "Sunday table" --bots 1', "open a table with one computer player"),
    ("p2p-hearts join", "choose a table from those on the network"),
    ("p2p-hearts audit *.hearts", "was that game fair?"),
)


def page() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    parser = make_parser()
    name = parser.prog
    yield f'.TH {name.upper()} 1 "" "{name} {__version__}" "User Commands"'
    yield ".SH NAME"
    yield f"{_text(name)} \\- Hearts for friends on one network, with no server"
    yield ".SH SYNOPSIS"
    yield f".B {_text(name)}"
    yield ".I COMMAND"
    yield "[\\fIoptions\\fR]"
    yield ".SH DESCRIPTION"
    yield _text(parser.description or "")
    yield ".SH COMMANDS"
    for command, helped, sub in _commands(parser):
        yield f".SS {_text(' '.join((command, *_positionals(sub))))}"
        yield f"{_text(helped[:1].upper() + helped[1:])}."
        yield from _options(_own(sub))
    yield ".SH OPTIONS OF EVERY COMMAND"
    _name, _help, some = _commands(parser)[0]
    yield from _options([action for action in some._actions if _is_common(action)])
    yield from _pairs("FILES", _FILES, "In the folder that \\-\\-home names:")
    yield from _pairs("ENVIRONMENT", _ENVIRONMENT)
    yield from _pairs("EXIT STATUS", _STATUS)
    yield from _pairs("EXAMPLES", _EXAMPLES)


def _commands(
    parser: argparse.ArgumentParser,
) -> Sequence[tuple[str, str, argparse.ArgumentParser]]:
    """Return name, help and parser of every command, in the order of the help."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return [(name, helps[name], sub) for name, sub in action.choices.items()]
    return []


def _positionals(parser: argparse.ArgumentParser) -> list[str]:
    """Return the words after the name of a command, in brackets where they may be left out."""
    words = []
    for action in parser._actions:
        if action.option_strings or action.help is argparse.SUPPRESS:
            continue
        word = str(action.metavar or action.dest.upper())
        more = "..." if action.nargs in ("*", "+") else ""
        words.append(f"[{word}{more}]" if action.nargs in ("?", "*") else f"{word}{more}")
    return words


def _is_common(action: argparse.Action) -> bool:
    """Whether every command has this option."""
    return action.dest in ("help", "home", "log_level", "lang")


def _own(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments that are not every command's."""
    return [action for action in parser._actions if not _is_common(action)]


def _options(actions: Sequence[argparse.Action]) -> Iterator[str]:
    for action in actions:
        if action.help is argparse.SUPPRESS:
            continue
        yield ".TP"
        yield _head(action)
        choices = f" ({', '.join(map(str, action.choices))})" if action.choices else ""
        yield _text((action.help or "").replace("%%", "%") + choices)


def _head(action: argparse.Action) -> str:
    """Return an option with what it takes, or a positional argument."""
    value = str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return f".I {_text(value)}"
    flags = ", ".join(f"\\fB{_text(flag)}\\fR" for flag in action.option_strings)
    return flags if action.nargs == 0 else f"{flags} \\fI{_text(value)}\\fR"


def _pairs(title: str, pairs: Sequence[tuple[str, str]], introduction: str = "") -> Iterator[str]:
    yield f".SH {title}"
    if introduction:
        yield introduction
    for what, about in pairs:
        yield ".TP"
        yield f".B {_text(what)}"
        yield _text(about)


def _text(text: str) -> str:
    """Return text without anything that roff reads as its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{escaped}" if escaped[:1] in (".", '"') else escaped
