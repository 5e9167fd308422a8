"""What commands share: exit codes, the player's folder, the rules asked for.

Heavy imports stand where they are used: not every command opens a link or a folder.
"""

from __future__ import annotations

import argparse
import contextlib
import getpass
import logging
import os
import shlex
import shutil
import signal
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from p2p_hearts.i18n import _, os_reason
from p2p_hearts.parsing import nearest, whole_path
from p2p_hearts.rules.options import PRESETS, RuleError, RuleSet

if TYPE_CHECKING:
    from p2p_hearts.home import Home
    from p2p_hearts.node.terms import Where

CLEAN = 0
FAULT = 1
USAGE = 2
INCOMPLETE = 3
STOPPED = 4
"""The game did not reach its end; nothing was proven against anybody."""


class CommandError(Exception):
    """Ends a command: one clear sentence for stderr and the exit code."""

    def __init__(self, text: str, code: int = USAGE) -> None:
        super().__init__(text)
        self.code = code


def open_home(arguments: argparse.Namespace) -> Home:
    """Open the folder named by ``--home`` or the environment, or the usual one.

    Raises:
        HomeError: it cannot be used, or the passphrase is wrong.
        CommandError: a passphrase is needed, and nobody is there to ask.
    """
    from p2p_hearts.home import Home

    home: Path | None = arguments.home
    seal = bool(getattr(arguments, "passphrase", False))
    opened = Home(home, passphrase=lambda: ask_passphrase(seal), seal=seal)
    opened.erase_leftovers()
    return opened


def unreadable(path: Path, error: OSError) -> CommandError:
    """Return the error that says why a file cannot be read."""
    return CommandError(
        _("{path} cannot be read: {reason}.").format(path=path, reason=os_reason(error))
    )


def unwritable(path: Path, error: OSError) -> CommandError:
    """Return the error that says why a file cannot be written."""
    return CommandError(
        _("{path} cannot be written: {reason}").format(path=path, reason=os_reason(error))
    )


def ask_passphrase(new: bool) -> str:
    """Return the passphrase of the identity, from the environment or the terminal; a new one twice.

    Raises:
        CommandError: neither is there, or the two differ.
    """
    word = os.environ.get("P2P_HEARTS_PASSPHRASE")
    if word is not None:
        return word
    if not sys.stdin.isatty():
        raise CommandError(
            _(
                "this identity is sealed with a passphrase, and there is no terminal to ask for "
                "it; set P2P_HEARTS_PASSPHRASE"
            )
        )
    prompt = _("New passphrase of your identity:") if new else _("Passphrase of your identity:")
    try:
        with _interruptible():
            word = getpass.getpass(f"{prompt} ")
            if new and getpass.getpass(_("The same once more:") + " ") != word:
                raise CommandError(_("the two passphrases differ; nothing was changed"))
    except EOFError:
        raise CommandError(_("no passphrase was given")) from None
    except KeyboardInterrupt:
        sys.stderr.write("\n")  # the prompt of the shell begins a line of its own
        raise
    return word


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end what is asked here at once: an event loop would wait for the answer first."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def check_player(arguments: argparse.Namespace) -> None:
    """Check that there is somebody to decide.

    Raises:
        CommandError: events go to a program, and no computer player is asked for.
    """
    if arguments.events and arguments.auto is None:
        raise CommandError(_("--events asks nobody for cards; add --auto LEVEL"))


def chosen_links(arguments: argparse.Namespace) -> Where:
    """Return where to listen and what addresses to tell.

    Raises:
        CommandError: what is to be told is no address.
    """
    from p2p_hearts.net.addresses import MAX_ADDRESSES, is_address
    from p2p_hearts.node.terms import Where

    told: list[str] = arguments.advertise or []
    for address in told:
        if not is_address(address):
            raise CommandError(_("--advertise {text!r} is no IP address").format(text=address))
    if len(told) > MAX_ADDRESSES:
        raise CommandError(_("--advertise may stand {n} times at most").format(n=MAX_ADDRESSES))
    return Where(arguments.interface, tuple(told), arguments.port or 0)


def own_nick(arguments: argparse.Namespace, home: Home) -> str:
    """Return the nickname to play under: that of ``--nick``, which is remembered, or the last one.

    Others know a key by its name: who went by another one every time would be a stranger.

    Raises:
        CommandError: nothing is left of ``--nick``, or it holds what cannot be shown.
        HomeError: it cannot be remembered.
    """
    from p2p_hearts.net.names import clean_name

    if arguments.nick is not None:
        nick = checked_name(arguments.nick, "--nick")
        home.keep_nick(nick)
        return nick
    kept = clean_name(home.nick())
    if kept:
        return kept
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = ""
    return clean_name(user) or _("Player")


def checked_name(text: str, what: str) -> str:
    """Return a name that a person gave, cleaned: as it was meant, or not at all.

    Raises:
        CommandError: it is empty, or would be shown otherwise; ``what`` names it in the sentence.
    """
    from p2p_hearts.net.names import MAX_NAME, clean_name

    meant = unicodedata.normalize("NFC", " ".join(text.split()))
    if not meant:
        raise CommandError(_("{what} is empty; give a name, or leave it out").format(what=what))
    if clean_name(text) != meant:
        raise CommandError(
            _(
                "{what} holds characters that cannot be shown (control or invisible ones) or is "
                "longer than {n}; choose another name"
            ).format(what=what, n=MAX_NAME)
        )
    return meant


def can_draw() -> bool:
    """Whether what this process writes goes to a terminal that moves its cursor and wipes."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def has_screen(arguments: argparse.Namespace) -> bool:
    """Whether a person at a terminal wants the full screen, and the terminal has one."""
    return sys.stdin.isatty() and can_draw() and not arguments.line


def typed_command(home: Path | None, *words: str) -> str:
    """Return a command as a person may type it, in the folder that this one works in (``home``)."""
    usual = os.environ.get("P2P_HEARTS_HOME")
    elsewhere = home is not None and home != (whole_path(usual) if usual else None)
    return shlex.join([_program(), *words, *(["--home", str(home)] if elsewhere else [])])


def _program() -> str:
    """Return what starts this program: its name, or where it lies if the shell does not find it."""
    name = "p2p-hearts"
    started = whole_path(sys.argv[0])
    is_hidden = started.name == name and started.exists() and shutil.which(name) is None
    return str(started) if is_hidden else name


def chosen_rules(arguments: argparse.Namespace) -> RuleSet:
    """Return the rules of ``--preset`` with the options on top.

    Raises:
        CommandError: unknown preset or option, or rules that make no sense, with the reason.
    """
    rules = preset(arguments.preset)
    texts: dict[str, str] = {}
    for item in arguments.rule or []:
        key, equals, value = item.partition("=")
        if not equals:
            raise CommandError(_("--rule {text!r} is not of the form KEY=VALUE").format(text=item))
        texts[key] = value
    for key in ("seats", "target", "hands", "grace", "clock", "watchers"):
        value = getattr(arguments, key, None)
        if value is not None:
            texts[key] = str(value)
    return apply_options(rules, texts)


def preset(name: str) -> RuleSet:
    """Return a preset's rules.

    Raises:
        CommandError: there is none of that name.
    """
    if name not in PRESETS:
        meant = nearest(name, PRESETS)
        if meant is not None:
            told = _("there is no preset {name!r}; did you mean {meant!r}?")
            raise CommandError(told.format(name=name, meant=meant))
        raise CommandError(
            _("there is no preset {name!r}; the presets are {names}").format(
                name=name, names=", ".join(PRESETS)
            )
        )
    return PRESETS[name]


def apply_options(rules: RuleSet, texts: Mapping[str, str]) -> RuleSet:
    """Return rules with options replaced, as typed.

    Raises:
        CommandError: an option that does not exist or makes no sense, with the reason.
    """
    try:
        return rules.with_options(texts)
    except RuleError as error:
        raise CommandError(_("these rules make no table: {reason}").format(reason=error)) from None


def preset_name(rules: RuleSet) -> str:
    """Return the preset that these rules are, whatever the number of hands, or ``custom``."""
    for name, known in PRESETS.items():
        if replace(rules, hands=known.hands) == known:
            return name
    return "custom"


def set_up_logging(arguments: argparse.Namespace) -> None:
    """Send log lines of the chosen level to stderr, whatever level a library wants for its own."""
    level = getattr(logging, arguments.log_level.upper())
    handler = logging.StreamHandler()
    handler.setLevel(level)
    # A traceback is for whoever asks for it; for others it goes into a report (``crashes``).
    handler.addFilter(lambda record: level <= logging.DEBUG or not record.exc_info)
    logging.basicConfig(
        level=level, handlers=[handler], format="%(levelname)s %(name)s: %(message)s"
    )
