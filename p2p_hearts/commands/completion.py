"""``p2p-hearts completion``: a completion script for the shell, from the parser itself.

bash, zsh and tcsh are made by shtab; fish, which it does not know, is made here.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from p2p_hearts.arguments import make_parser


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    sys.stdout.write(script(arguments.shell) + "\n")
    return 0


def script(shell: str) -> str:
    """Return the completion script of a shell."""
    if shell == "fish":
        return "\n".join(_fish(make_parser()))
    import shtab

    parser = make_parser()
    for action in _all_actions(parser):
        if action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def _all_actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the actions of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from _all_actions(sub)


def _fish(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the lines of the script for fish: files nowhere but where they are asked for."""
    name = parser.prog
    yield f"# fish completion of {name}"
    yield f"complete -c {name} -f"
    first = f"complete -c {name} -n __fish_use_subcommand"
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            yield from _fish_option(first, action)
            continue
        helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for command, sub in action.choices.items():
            yield f"{first} -a {command} -d {_quoted(helps.get(command, ''))}"
            after = f"complete -c {name} -n {_quoted(f'__fish_seen_subcommand_from {command}')}"
            for argument in sub._actions:
                yield from _fish_option(after, argument)


def _fish_option(start: str, action: argparse.Action) -> Iterator[str]:
    """Yield the line of one option, or of what a positional argument may be."""
    if action.help is argparse.SUPPRESS:
        return
    choices = (
        [] if action.choices is None else [f"-a {_quoted(' '.join(map(str, action.choices)))}"]
    )
    if action.type is Path:
        choices = ["-F"]
    if not action.option_strings:
        if choices:
            yield " ".join((start, *choices))
        return
    words = [
        start,
        *(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
          for flag in action.option_strings),
    ]  # fmt: skip
    if action.nargs != 0:
        words += ["-r" if action.type is Path else "-x", *choices]
    yield " ".join((*words, "-d", _quoted((action.help or "").replace("%%", "%"))))


def _quoted(text: str) -> str:
    """Return text as one word of fish."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
