"""Every command and option, for the parser, ``--help`` and completion; imports nothing heavy."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from p2p_hearts import __version__, i18n, parsing
from p2p_hearts.i18n import _
from p2p_hearts.parsing import Parser

THINK_SECONDS = 0.3
"""Time that the hard player takes for a card, and thrice that for a pass."""

PACE_SECONDS = 0.9
"""Time a computer player takes for a decision where people play along."""

LEVELS = ("easy", "normal", "hard")
"""Computer players; ``bots.player.LEVELS`` has them (a test compares the two)."""


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
        description=_(
            "Hearts for friends on one network, with no server: a proven shuffle, signed moves, "
            "and a log that anybody can audit."
        ),
        epilog=_("p2p-hearts COMMAND --help tells more of a command."),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"p2p-hearts {__version__}",
        help=_("show the version and exit"),
    )
    _language_option(parser)
    parser.set_defaults(command=None)
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND")

    demo = _add(commands, "demo", "demo:run", _("a whole match of real peers, then the audit"))
    _rule_options(demo)
    demo.add_argument("--level", choices=LEVELS, default="normal", help=_("computer players"))
    _think_option(demo)
    demo.add_argument("--out", type=Path, metavar="DIR", help=_("leave the logs, one a seat, here"))
    demo.add_argument("--json", action="store_true", help=_("the result as JSON"))

    play = _add(commands, "play", "play:run", _("you against computer players"))
    _rule_options(play)
    play.add_argument("--level", choices=LEVELS, default="normal", help=_("computer players"))
    _seat_options(play)

    host = _add(commands, "host", "host:run", _("open a table"))
    host.add_argument("name", nargs="?", help=_("name of the table"))
    _rule_options(host)
    host.add_argument(
        "--bots", type=parsing.players, default=0, metavar="N", help=_("computer players to add")
    )
    host.add_argument("--level", choices=LEVELS, default="normal", help=_("of the added players"))
    host.add_argument("--code", action="store_true", help=_("ask guests for a join code"))
    _port_option(
        host,
        _("port to type when joining (7766 if free); given, this and the next two are all it uses"),
    )
    _link_options(host)
    _advertise_option(host)
    _seat_options(host)

    join = _add(commands, "join", "join:run", _("sit down at a table"))
    join.add_argument("table", nargs="?", help=_("a name, or HOST:PORT or HOST:PORT#CODE"))
    join.add_argument("--code", help=_("join code, where the table asks for one"))
    join.add_argument(
        "--wait", type=parsing.seconds, default=60, help=_("seconds to look for the table")
    )
    _own_port_option(join)
    _link_options(join)
    _advertise_option(join)
    _seat_options(join)

    bot = _add(commands, "bot", "join:run_bot", _("a computer player sits down"))
    bot.add_argument("table", nargs="?", help=_("a name, or HOST:PORT or HOST:PORT#CODE"))
    bot.add_argument("--code", help=_("join code, where the table asks for one"))
    bot.add_argument(
        "--wait", type=parsing.seconds, default=60, help=_("seconds to look for the table")
    )
    bot.add_argument("--level", choices=LEVELS, default="normal", help=_("how it plays"))
    _own_port_option(bot)
    _link_options(bot)
    _advertise_option(bot)
    _nick_option(bot)
    _front_options(bot)

    watch = _add(commands, "watch", "watch:run", _("see a table and verify it, without a hand"))
    watch.add_argument("table", nargs="?", help=_("a name, or HOST:PORT or HOST:PORT#CODE"))
    watch.add_argument("--code", help=_("join code, where the table asks for one"))
    watch.add_argument(
        "--wait", type=parsing.seconds, default=60, help=_("seconds to look for the table")
    )
    watch.add_argument(
        "--delay",
        type=parsing.tricks,
        default=1,
        metavar="TRICKS",
        help=_("show everything so many tricks late (1)"),
    )
    watch.add_argument("--log", type=Path, metavar="FILE", help=_("write the game to this file"))
    _own_port_option(watch)
    _link_options(watch)
    _advertise_option(watch)
    _nick_option(watch)
    _front_options(watch)

    resume = _add(commands, "resume", "resume:run", _("back to the seat you had"))
    resume.add_argument("table", nargs="?", help=_("name of the table; the latest without one"))
    resume.add_argument(
        "--at",
        action="append",
        metavar="HOST:PORT",
        help=_("where another player listens now, if addresses changed"),
    )
    _own_port_option(resume)
    _link_options(resume)
    _advertise_option(resume)
    _auto_option(resume)  # and no name: everybody has signed the one it had
    _front_options(resume)

    tables = _add(commands, "tables", "tables:run", _("the tables on this network"))
    tables.add_argument(
        "text", nargs="?", metavar="TEXT", help=_("only tables or hosts with this in their name")
    )
    tables.add_argument("--free", action="store_true", help=_("only where a seat is free"))
    tables.add_argument("--wait", type=parsing.seconds, default=3, help=_("seconds to listen"))
    tables.add_argument("--json", action="store_true", help=_("as JSON"))
    _link_options(tables)

    audit = _add(commands, "audit", "audit:run", _("check games from their logs alone"))
    audit.add_argument(
        "logs", nargs="+", type=Path, metavar="LOG", help=_("logs; those of one table are compared")
    )
    audit.add_argument("--json", action="store_true", help=_("the verdict as JSON"))
    audit.add_argument(
        "--report",
        type=Path,
        metavar="FILE.html",
        help=_("write everything into one HTML file: verdict, scores, hands step by step"),
    )

    replay = _add(commands, "replay", "replay:run", _("step through a game from its log"))
    replay.add_argument("log", type=Path, metavar="LOG", help=_("the log of the game"))
    replay.add_argument(
        "--hand", type=parsing.hand_number, metavar="N", help=_("begin with this hand")
    )
    replay.add_argument("--line", action="store_true", help=_("plain lines, no full screen"))
    replay.add_argument("--ascii", action="store_true", help=_("letters for the suits"))

    stats = _add(commands, "stats", "stats:run", _("your results, and whether deals look fair"))
    stats.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="DIR",
        help=_("folder of logs; your games without one"),
    )
    stats.add_argument("--json", action="store_true", help=_("as JSON"))
    stats.add_argument(
        "--report", type=Path, metavar="FILE.html", help=_("as one HTML file, plotted")
    )

    rules = _add(commands, "rules", "rules:run", _("the rules of a preset"))
    rules.add_argument("preset", nargs="?", default="black-lady", help=_("the preset"))
    rules.add_argument("--seats", help=_("number of players"))
    rules.add_argument("--target", help=_("points that end the match"))
    rules.add_argument("--rule", action="append", metavar="KEY=VALUE", help=_("change an option"))

    settings = _add(commands, "settings", "settings:run", _("how you want the table"))
    settings.add_argument("change", nargs="*", metavar="KEY=VALUE", help=_("set this from now on"))

    doctor = _add(commands, "doctor", "doctor:run", _("what this computer can reach"))
    _port_option(doctor, _("look at this port and the next two (7766 alone)"))
    _link_options(doctor)

    completion = _add(commands, "completion", "completion:run", _("shell completion script"))
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh"), help=_("your shell"))
    return parser


def _add(
    commands: argparse._SubParsersAction[Parser], name: str, run: str, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.set_defaults(command=name, run=run)
    environment = os.environ.get("P2P_HEARTS_HOME")
    parser.add_argument(
        "--home",
        type=parsing.folder,
        metavar="DIR",
        default=parsing.whole_path(environment) if environment else None,
        help=_("folder of identity, secrets and games (or P2P_HEARTS_HOME)"),
    )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="error",
        help=_("how much to tell on stderr"),
    )
    _language_option(parser)
    return parser


def _language_option(parser: argparse.ArgumentParser) -> None:
    """``speak`` has read it by now; here it is checked and explained."""
    parser.add_argument(
        "--lang",
        choices=i18n.LANGUAGES,
        default=argparse.SUPPRESS,
        help=_("language (or P2P_HEARTS_LANG; else the system's)"),
    )


def _rule_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset", default="black-lady", help=_("named rules; see p2p-hearts rules")
    )
    parser.add_argument("--rule", action="append", metavar="KEY=VALUE", help=_("change an option"))
    parser.add_argument("--seats", help=_("number of players"))
    parser.add_argument("--target", help=_("points that end the match"))
    parser.add_argument(
        "--hands", type=parsing.hands, help=_("end after this many hands at the latest")
    )
    parser.add_argument(
        "--grace",
        metavar="SECONDS",
        help=_("how long a silent player is waited for before the others may go on (60)"),
    )
    parser.add_argument(
        "--clock",
        metavar="SECONDS",
        help=_("time for each decision; then the player's program decides (0: no limit)"),
    )
    parser.add_argument(
        "--watchers", metavar="N", help=_("how many people may watch, 0 for nobody (4)")
    )


def _think_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--think",
        type=parsing.seconds,
        default=THINK_SECONDS,
        metavar="SECONDS",
        help=_("time the hard computer player thinks about a card (0.3)"),
    )


def _link_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--interface", metavar="NAME", help=_("network interface or address to use")
    )


def _advertise_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--advertise",
        action="append",
        metavar="ADDRESS",
        help=_("IP address to tell others instead of the own ones"),
    )


def _port_option(parser: argparse.ArgumentParser, told: str) -> None:
    parser.add_argument("--port", type=parsing.port, help=told)


def _own_port_option(parser: argparse.ArgumentParser) -> None:
    _port_option(parser, _("use this port and the next two, and no others"))


def _seat_options(parser: argparse.ArgumentParser) -> None:
    _auto_option(parser)
    _nick_option(parser)
    _front_options(parser)


def _auto_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--auto", choices=LEVELS, metavar="LEVEL", help=_("the computer plays your seat")
    )


def _nick_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nick", help=_("your name at the table, from now on"))


def _front_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--line", action="store_true", help=_("plain lines, no full screen"))
    parser.add_argument("--ascii", action="store_true", help=_("letters for the suits"))
    parser.add_argument(
        "--pace",
        type=parsing.seconds,
        default=PACE_SECONDS,
        metavar="SECONDS",
        help=_(
            "time a computer player takes for a decision; what it did stays in view accordingly"
        ),
    )
    _think_option(parser)
    parser.add_argument("--events", action="store_true", help=_("JSON lines for programs"))
    parser.add_argument(
        "--passphrase",
        action="store_true",
        help=_("seal your identity with a passphrase (asked for, or P2P_HEARTS_PASSPHRASE)"),
    )
    parser.add_argument("--tied", action="store_true", help=argparse.SUPPRESS)
