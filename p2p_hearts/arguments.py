"""Every command and option, for the parser, ``--help`` and completion; imports nothing heavy."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from p2p_hearts import __version__, i18n

MAX_SECONDS = 86400

THINK_SECONDS = 0.3
"""Time that the hard player takes for a card, and thrice that for a pass."""

MOST_TRICKS = 17
"""As many as a hand has, at a table of three."""

PACE_SECONDS = 0.9
"""Time a computer player takes for a decision where people play along."""

LEVELS = ("easy", "normal", "hard")
"""Computer players; ``bots.player.LEVELS`` has them (a test compares the two)."""


class Parser(argparse.ArgumentParser):
    """Complains in one sentence; the whole usage is for those who ask for it."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with exit code 2."""
        self.exit(2, f"p2p-hearts: {message}; see {self.prog} --help\n")


def wanted(argv: Sequence[str], option: str) -> str | None:
    """Return what an option says, before the parser exists: its help is in the language wanted."""
    for at, word in enumerate(argv):
        if word == option:
            return argv[at + 1] if at + 1 < len(argv) else None
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return None


def speak(argv: Sequence[str], remembered: str | None = None) -> None:
    """Choose the language of this process, and make ``argparse`` speak it.

    ``remembered`` is the language of the settings, if they name one.
    """
    wishes = (wanted(argv, "--lang"), os.environ.get(i18n.VARIABLE), remembered)
    i18n.use(i18n.choose_language(wishes, os.environ))
    # Its own words go through these two names, which look in the system's catalogues otherwise.
    vars(argparse).update(_=i18n.gettext, ngettext=i18n.ngettext)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="p2p-hearts",
        description="Hearts for friends on one network, with no server: a proven shuffle, "
        "signed moves, and a log that anybody can audit.",
    )
    parser.add_argument("--version", action="version", version=f"p2p-hearts {__version__}")
    _language_option(parser)
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(metavar="COMMAND")

    demo = _add(commands, "demo", "demo:run", "a whole match of real peers, then the audit")
    _rule_options(demo)
    demo.add_argument("--level", choices=LEVELS, default="normal", help="computer players")
    _think_option(demo)
    demo.add_argument("--out", type=Path, metavar="DIR", help="leave the logs, one a seat, here")
    demo.add_argument("--json", action="store_true", help="the result as JSON")

    play = _add(commands, "play", "play:run", "you against computer players")
    _rule_options(play)
    play.add_argument("--level", choices=LEVELS, default="normal", help="computer players")
    _seat_options(play)

    host = _add(commands, "host", "host:run", "open a table")
    host.add_argument("name", nargs="?", help="name of the table")
    _rule_options(host)
    host.add_argument("--bots", type=int, default=0, metavar="N", help="computer players to add")
    host.add_argument("--level", choices=LEVELS, default="normal", help="of the added players")
    host.add_argument("--code", action="store_true", help="ask guests for a join code")
    host.add_argument("--port", type=_port, help="port to type when joining (7766 if free)")
    _link_options(host)
    _advertise_option(host)
    _seat_options(host)

    join = _add(commands, "join", "join:run", "sit down at a table")
    join.add_argument("table", nargs="?", help="a name, or HOST:PORT or HOST:PORT#CODE")
    join.add_argument("--code", help="join code, where the table asks for one")
    join.add_argument("--wait", type=_seconds, default=60, help="seconds to look for the table")
    _link_options(join)
    _advertise_option(join)
    _seat_options(join)

    bot = _add(commands, "bot", "join:run_bot", "a computer player sits down")
    bot.add_argument("table", nargs="?", help="a name, or HOST:PORT or HOST:PORT#CODE")
    bot.add_argument("--code", help="join code, where the table asks for one")
    bot.add_argument("--wait", type=_seconds, default=60, help="seconds to look for the table")
    bot.add_argument("--level", choices=LEVELS, default="normal", help="how it plays")
    _link_options(bot)
    _advertise_option(bot)
    _seat_options(bot)

    watch = _add(commands, "watch", "watch:run", "see a table and verify it, without a hand")
    watch.add_argument("table", nargs="?", help="a name, or HOST:PORT or HOST:PORT#CODE")
    watch.add_argument("--code", help="join code, where the table asks for one")
    watch.add_argument("--wait", type=_seconds, default=60, help="seconds to look for the table")
    watch.add_argument(
        "--delay",
        type=_tricks,
        default=1,
        metavar="TRICKS",
        help="show everything so many tricks late (1)",
    )
    watch.add_argument("--log", type=Path, metavar="FILE", help="write the game to this file")
    _link_options(watch)
    _advertise_option(watch)
    _front_options(watch)

    resume = _add(commands, "resume", "resume:run", "back to the seat you had")
    resume.add_argument("table", nargs="?", help="name of the table; the latest without one")
    resume.add_argument(
        "--at",
        action="append",
        metavar="HOST:PORT",
        help="where another player listens now, if addresses changed",
    )
    _link_options(resume)
    _advertise_option(resume)
    _seat_options(resume)

    tables = _add(commands, "tables", "tables:run", "the tables on this network")
    tables.add_argument("--wait", type=_seconds, default=3, help="seconds to listen")
    tables.add_argument("--json", action="store_true", help="as JSON")
    _link_options(tables)

    audit = _add(commands, "audit", "audit:run", "check games from their logs alone")
    audit.add_argument(
        "logs", nargs="+", type=Path, metavar="LOG", help="logs, of one table or many"
    )
    audit.add_argument("--json", action="store_true", help="the verdict as JSON")
    audit.add_argument(
        "--report",
        type=Path,
        metavar="FILE.html",
        help="write everything into one HTML file: verdict, scores, hands step by step",
    )

    replay = _add(commands, "replay", "replay:run", "step through a game from its log")
    replay.add_argument("log", type=Path, metavar="LOG", help="the log of the game")
    replay.add_argument("--hand", type=_positive, metavar="N", help="begin with this hand")
    replay.add_argument("--line", action="store_true", help="plain lines, no full screen")
    replay.add_argument("--ascii", action="store_true", help="letters for the suits")

    stats = _add(commands, "stats", "stats:run", "your results, and whether deals look fair")
    stats.add_argument(
        "folder", nargs="?", type=Path, metavar="DIR", help="folder of logs; your games without one"
    )
    stats.add_argument("--json", action="store_true", help="as JSON")
    stats.add_argument("--report", type=Path, metavar="FILE.html", help="as one HTML file, plotted")

    rules = _add(commands, "rules", "rules:run", "the rules of a preset")
    rules.add_argument("preset", nargs="?", default="black-lady", help="the preset")
    rules.add_argument("--seats", type=int, help="number of players")
    rules.add_argument("--target", type=int, help="points that end the match")
    rules.add_argument("--rule", action="append", metavar="KEY=VALUE", help="change an option")

    settings = _add(commands, "settings", "settings:run", "how you want the table")
    settings.add_argument("change", nargs="*", metavar="KEY=VALUE", help="set this from now on")

    doctor = _add(commands, "doctor", "doctor:run", "what this computer can reach")
    _link_options(doctor)

    completion = _add(commands, "completion", "completion:run", "shell completion script")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="your shell")
    return parser


def _add(
    commands: argparse._SubParsersAction[Parser], name: str, run: str, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.set_defaults(command=name, run=run)
    environment = os.environ.get("P2P_HEARTS_HOME")
    parser.add_argument(
        "--home",
        type=Path,
        metavar="DIR",
        default=Path(environment) if environment else None,
        help="folder of identity, secrets and games (or P2P_HEARTS_HOME)",
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="error",
        help="how much to tell on stderr",
    )
    _language_option(parser)
    return parser


def _language_option(parser: argparse.ArgumentParser) -> None:
    """``speak`` has read it by now; here it is checked and explained."""
    parser.add_argument(
        "--lang",
        choices=i18n.LANGUAGES,
        default=argparse.SUPPRESS,
        help="language (or P2P_HEARTS_LANG; else the system's)",
    )


def _rule_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="black-lady", help="named rules; see p2p-hearts rules")
    parser.add_argument("--rule", action="append", metavar="KEY=VALUE", help="change an option")
    parser.add_argument("--seats", type=int, help="number of players")
    parser.add_argument("--target", type=int, help="points that end the match")
    parser.add_argument("--hands", type=_hands, help="end after this many hands at the latest")
    parser.add_argument(
        "--grace",
        type=int,
        metavar="SECONDS",
        help="how long a silent player is waited for before the others may go on (60)",
    )
    parser.add_argument(
        "--watchers", type=int, metavar="N", help="how many people may watch, 0 for nobody (4)"
    )


def _tricks(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MOST_TRICKS):
        raise argparse.ArgumentTypeError(f"a delay is a number of tricks from 0 to {MOST_TRICKS}")
    return int(text)


def _think_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--think",
        type=_seconds,
        default=THINK_SECONDS,
        metavar="SECONDS",
        help="time the hard computer player thinks about a card (0.3)",
    )


def _link_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--interface", metavar="NAME", help="network interface or address to use")


def _advertise_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--advertise",
        action="append",
        metavar="ADDRESS",
        help="IP address to tell others instead of the own ones",
    )


def _seat_options(parser: argparse.ArgumentParser) -> None:
    if "bot" not in parser.prog.split():
        parser.add_argument(
            "--auto", choices=LEVELS, metavar="LEVEL", help="the computer plays your seat"
        )
    _front_options(parser)


def _front_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nick", help="your name at the table")
    parser.add_argument("--line", action="store_true", help="plain lines, no full screen")
    parser.add_argument("--ascii", action="store_true", help="letters for the suits")
    parser.add_argument(
        "--pace",
        type=_seconds,
        default=PACE_SECONDS,
        metavar="SECONDS",
        help="time a computer player takes for a decision; what it did stays in view accordingly",
    )
    _think_option(parser)
    parser.add_argument("--events", action="store_true", help="JSON lines for programs")
    parser.add_argument(
        "--passphrase",
        action="store_true",
        help="seal your identity with a passphrase (asked for, or P2P_HEARTS_PASSPHRASE)",
    )
    parser.add_argument("--tied", action="store_true", help=argparse.SUPPRESS)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError("a port is a number from 0 (any) to 65535")
    return int(text)


def _hands(text: str) -> str:
    """Leave the rest to the rules, which say 0 for no limit: nobody means that by an option."""
    if text.strip().lstrip("+0") == "":
        raise argparse.ArgumentTypeError("a match has at least 1 hand; leave it out for no limit")
    return text


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_SECONDS):
        raise argparse.ArgumentTypeError("hands are numbered from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: give seconds, from 0 to {MAX_SECONDS}"
        )
    return seconds
