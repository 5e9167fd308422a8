"""Every command and option, for the parser, ``--help`` and completion; imports nothing heavy."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from p2p_hearts import __version__, i18n, parsing
from p2p_hearts.i18n import _
from p2p_hearts.parsing import Parser

THINK_SECONDS = 0.3
"""Time that the hard player takes for a card, and thrice that for a pass."""

PACE_SECONDS = 0.9
"""Time a computer player takes for a decision where people play along."""

LEVELS = ("easy", "normal", "hard")
"""Computer players; ``bots.player.LEVELS`` has them (a test compares the two)."""

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
"""What commands are added to."""


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
    """Return the parser of the whole command line; its help lists the commands in this order."""
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
    for add in (
        _add_demo,
        _add_play,
        _add_host,
        _add_join,
        _add_bot,
        _add_watch,
        _add_resume,
        _add_tables,
        _add_audit,
        _add_replay,
        _add_stats,
        _add_rules,
        _add_settings,
        _add_doctor,
        _add_completion,
    ):
        add(commands)
    return parser


# A function for each command: what it is called, the function that runs it, its options.


def _add_demo(commands: Commands) -> None:
    demo = _add(commands, "demo", "demo:run", _("a whole match of real peers, then the audit"))
    _rule_options(demo)
    _level_option(demo, _("computer players"))
    _think_option(demo)
    demo.add_argument("--out", type=Path, metavar="DIR", help=_("leave the logs, one a seat, here"))
    demo.add_argument("--json", action="store_true", help=_("the result as JSON"))


def _add_play(commands: Commands) -> None:
    play = _add(commands, "play", "play:run", _("you against computer players"))
    _rule_options(play)
    _level_option(play, _("computer players"))
    _seat_options(play)


def _add_host(commands: Commands) -> None:
    host = _add(commands, "host", "host:run", _("open a table"))
    host.add_argument("name", nargs="?", help=_("name of the table"))
    _rule_options(host)
    host.add_argument(
        "--bots", type=parsing.players, default=0, metavar="N", help=_("computer players to add")
    )
    _level_option(host, _("of the added players"))
    host.add_argument("--code", action="store_true", help=_("ask guests for a join code"))
    _port_option(
        host,
        _("port to type when joining (7766 if free); given, this and the next two are all it uses"),
    )
    _interface_option(host)
    _advertise_option(host)
    _seat_options(host)


def _add_join(commands: Commands) -> None:
    join = _add(commands, "join", "join:run", _("sit down at a table"))
    _table_options(join)
    _link_options(join)
    _seat_options(join)


def _add_bot(commands: Commands) -> None:
    bot = _add(commands, "bot", "join:run_bot", _("a computer player sits down"))
    _table_options(bot)
    _level_option(bot, _("how it plays"))
    _link_options(bot)
    _nick_option(bot)
    _front_options(bot)


def _add_watch(commands: Commands) -> None:
    watch = _add(commands, "watch", "watch:run", _("see a table and verify it, without a hand"))
    _table_options(watch)
    watch.add_argument(
        "--delay",
        type=parsing.tricks,
        default=1,
        metavar="TRICKS",
        help=_("show everything so many tricks late (1)"),
    )
    watch.add_argument("--log", type=Path, metavar="FILE", help=_("write the game to this file"))
    _link_options(watch)
    _nick_option(watch)
    _front_options(watch)


def _add_resume(commands: Commands) -> None:
    resume = _add(commands, "resume", "resume:run", _("back to the seat you had"))
    resume.add_argument("table", nargs="?", help=_("name of the table; the latest without one"))
    resume.add_argument(
        "--at",
        action="append",
        metavar="HOST:PORT",
        help=_("where another player listens now, if addresses changed"),
    )
    resume.add_argument(
        "--forget",
        action="store_true",
        help=_("give up the seat at TABLE for good: there is no way back; its log stays"),
    )
    _link_options(resume)
    _auto_option(resume)  # and no name: everybody has signed the one it had
    _front_options(resume)


def _add_tables(commands: Commands) -> None:
    tables = _add(commands, "tables", "tables:run", _("the tables on this network"))
    tables.add_argument(
        "text", nargs="?", metavar="TEXT", help=_("only tables or hosts with this in their name")
    )
    tables.add_argument("--free", action="store_true", help=_("only where a seat is free"))
    tables.add_argument("--wait", type=parsing.seconds, default=3, help=_("seconds to listen"))
    tables.add_argument("--json", action="store_true", help=_("as JSON"))
    _interface_option(tables)


def _add_audit(commands: Commands) -> None:
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


def _add_replay(commands: Commands) -> None:
    replay = _add(commands, "replay", "replay:run", _("step through a game from its log"))
    replay.add_argument("log", type=Path, metavar="LOG", help=_("the log of the game"))
    replay.add_argument(
        "--hand", type=parsing.hand_number, metavar="N", help=_("begin with this hand")
    )
    _screen_options(replay)


def _add_stats(commands: Commands) -> None:
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


def _add_rules(commands: Commands) -> None:
    rules = _add(commands, "rules", "rules:run", _("the rules of a preset"))
    rules.add_argument("preset", nargs="?", default="black-lady", help=_("the preset"))
    rules.add_argument("--seats", help=_("number of players"))
    rules.add_argument("--target", help=_("points that end the match"))
    rules.add_argument("--rule", action="append", metavar="KEY=VALUE", help=_("change an option"))


def _add_settings(commands: Commands) -> None:
    settings = _add(commands, "settings", "settings:run", _("how you want the table"))
    settings.add_argument("change", nargs="*", metavar="KEY=VALUE", help=_("set this from now on"))


def _add_doctor(commands: Commands) -> None:
    doctor = _add(commands, "doctor", "doctor:run", _("what this computer can reach"))
    _port_option(doctor, _("look at this port and the next two (7766 alone)"))
    _interface_option(doctor)


def _add_completion(commands: Commands) -> None:
    completion = _add(commands, "completion", "completion:run", _("shell completion script"))
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh"), help=_("your shell"))


def _add(commands: Commands, name: str, run: str, text: str) -> argparse.ArgumentParser:
    """Add a command with the options that all have; ``run`` is module and function of it."""
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


# Options that several commands have, alone and in groups.


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


def _level_option(parser: argparse.ArgumentParser, told: str) -> None:
    parser.add_argument("--level", choices=LEVELS, default="normal", help=told)


def _think_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--think",
        type=parsing.seconds,
        default=THINK_SECONDS,
        metavar="SECONDS",
        help=_("time the hard computer player thinks about a card (0.3)"),
    )


def _table_options(parser: argparse.ArgumentParser) -> None:
    """Which table a guest means, and how long to look for it."""
    parser.add_argument("table", nargs="?", help=_("a name, or HOST:PORT or HOST:PORT#CODE"))
    parser.add_argument("--code", help=_("join code, where the table asks for one"))
    parser.add_argument(
        "--wait", type=parsing.seconds, default=60, help=_("seconds to look for the table")
    )


def _link_options(parser: argparse.ArgumentParser) -> None:
    """Where a peer listens that opens no table."""
    _port_option(parser, _("use this port and the next two, and no others"))
    _interface_option(parser)
    _advertise_option(parser)


def _interface_option(parser: argparse.ArgumentParser) -> None:
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


def _seat_options(parser: argparse.ArgumentParser) -> None:
    """How somebody plays who sits down."""
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
    """What every command has that takes somebody to a table."""
    _screen_options(parser)
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


def _screen_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--line", action="store_true", help=_("plain lines, no full screen"))
    parser.add_argument("--ascii", action="store_true", help=_("letters for the suits"))
