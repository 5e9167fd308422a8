"""Completion, asked of the shells themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from p2p_hearts.commands.completion import script
from tests.programs import LONG, clean_environment


def ask(shell: str, tmp_path: Path, *command: str) -> list[str]:
    """Run a shell's command with the script in the file called ``script``; its output's lines.

    Leaves the test out where there is no such shell.
    """
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is missing")
    (tmp_path / "script").write_text(script(shell) + "\n", encoding="utf-8")
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**clean_environment(), "HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def bash(tmp_path: Path, line: str) -> list[str]:
    words = line.split(" ")
    program = (
        f"source ./script; COMP_WORDS=({' '.join(words[:-1])} '{words[-1]}'); "
        f"COMP_CWORD={len(words) - 1}; COMPREPLY=(); "
        'entry=$(complete -p p2p-hearts); entry=${entry##*-F }; "${entry%% *}"; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return [word.strip() for word in ask("bash", tmp_path, "bash", "--norc", "-c", program)]


def fish(tmp_path: Path, line: str) -> list[str]:
    program = f"source ./script; complete -C '{line}'"
    told = ask("fish", tmp_path, "fish", "--no-config", "-c", program)
    return [word.split("\t")[0] for word in told]


COMPLETERS = pytest.mark.parametrize("complete", [bash, fish])


@COMPLETERS
def test_completion__knows_the_commands(complete: object, tmp_path: Path) -> None:
    assert callable(complete)
    assert complete(tmp_path, "p2p-hearts de") == ["demo"]
    found = complete(tmp_path, "p2p-hearts ")
    assert {"play", "host", "join", "tables", "audit", "settings"} <= set(found)


@COMPLETERS
def test_completion__knows_options_and_what_they_may_be(complete: object, tmp_path: Path) -> None:
    assert callable(complete)
    assert "--preset" in complete(tmp_path, "p2p-hearts play --pre")
    assert {"easy", "normal", "hard"} <= set(complete(tmp_path, "p2p-hearts play --auto "))
    assert "fish" in complete(tmp_path, "p2p-hearts completion fi")


def test_completion__of_fish_says_what_each_command_does(tmp_path: Path) -> None:
    told = ask(
        "fish",
        tmp_path,
        "fish",
        "--no-config",
        "-c",
        "source ./script; complete -C 'p2p-hearts dem'",
    )
    assert told == ["demo\ta whole match of real peers, then the audit"]


def test_completion__of_fish_offers_files_where_files_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "sunday.hearts").touch()
    assert "sunday.hearts" in fish(tmp_path, "p2p-hearts audit sun")
    assert "sunday.hearts" not in fish(tmp_path, "p2p-hearts rules sun")


def test_completion__of_zsh_is_read_and_registered(tmp_path: Path) -> None:
    program = (
        'autoload -U compinit; compinit -u -D; eval "$(<script)"; print -r -- $_comps[p2p-hearts]'
    )
    told = ask("zsh", tmp_path, "zsh", "-f", "-c", program)
    assert told[-1].startswith("_")
    functions = ask(
        "zsh", tmp_path, "zsh", "-f", "-c", f"{program}; print -rl -- ${{(k)functions}}"
    )
    assert told[-1] in functions


def test_completion__of_tcsh_names_the_program() -> None:
    assert "complete p2p-hearts" in script("tcsh").replace("'", "").replace('"', "")
