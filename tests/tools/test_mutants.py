"""The tool that switches checks off finds all of them, and switches off one at a time."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.mutants import switches
from tools.mutants.__main__ import is_left
from tools.mutants.checks import Form, checks_of, with_switches, without_check
from tools.mutants.tree import PACKAGES, ROOT, checks_in
from tools.mutants.typecheck import TypeChecker

SOURCE = """\
from __future__ import annotations

def check_all(claim):
    raise ValueError(claim)

def judge(claim: int, é: str) -> bool:
    if claim < 0:
        raise ValueError(é)
    if claim == 1 or é == "ü":
        return False
    if claim == 2:
        claim += 1
        return True
    if claim == 9:
        check_all(claim)
    return claim > 3 and é != "ä"
"""


def test_checks__are_guards_parts_of_conditions_and_calls_that_only_raise(tmp_path: Path) -> None:
    module = tmp_path / "judge.py"
    module.write_text(SOURCE)
    assert [(check.line, check.text, check.form) for check in checks_of(tmp_path, module)] == [
        (7, "claim < 0", Form.GUARD),
        (9, "claim == 1", Form.GUARD),
        (9, 'é == "ü"', Form.GUARD),
        (15, "check_all(claim)", Form.CALL),
        (16, "claim > 3", Form.PART),
        (16, 'é != "ä"', Form.PART),
    ]


def test_checks__of_one_text_have_names_of_their_own(tmp_path: Path) -> None:
    module = tmp_path / "twice.py"
    guard = "    if a:\n        return 1\n"
    module.write_text(f"def f(a):\n{guard}{guard}")
    assert [check.name for check in checks_of(tmp_path, module)] == [
        "twice.py: a",
        "twice.py: a #2",
    ]


@pytest.mark.parametrize(
    ("number", "claim", "word", "before", "after"),
    [
        (0, -1, "x", ValueError, False),
        (1, 1, "x", False, False),
        (2, 4, "ü", False, True),
        (3, 9, "x", ValueError, True),
        (4, 3, "x", False, True),
        (5, 4, "ä", False, True),
    ],
)
def test_switches__let_through_what_the_check_stopped_and_nothing_else(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    claim: int,
    word: str,
    before: object,
    after: object,
) -> None:
    module = tmp_path / "judge.py"
    module.write_text(SOURCE)
    checks = checks_of(tmp_path, module)
    numbers = {check.name: index for index, check in enumerate(checks)}
    armed = with_switches(SOURCE, checks, numbers, "tools.mutants.switches")
    assert len(armed.splitlines()) == len(SOURCE.splitlines())
    names: dict[str, object] = {}
    exec(armed, names)
    judge = names["judge"]
    assert callable(judge)

    def outcome() -> object:
        try:
            return judge(claim, word)
        except ValueError:
            return ValueError

    monkeypatch.setattr(switches, "decided", set())
    assert outcome() == before
    assert number in switches.decided
    for other in set(numbers.values()) - {number}:
        monkeypatch.setattr(switches, "off", other)
        assert outcome() == before
    monkeypatch.setattr(switches, "off", number)
    assert outcome() == after


def test_checks__of_every_package_leave_a_module_that_can_be_read() -> None:
    for package in PACKAGES:
        checks = checks_in(package)
        assert checks
        for module in {check.module for check in checks}:
            own = [check for check in checks if check.module == module]
            numbers = {check.name: index for index, check in enumerate(own)}
            text = (ROOT / module).read_text()
            ast.parse(with_switches(text, own, numbers, "p2p_hearts.switches"))


TYPED = """\
from __future__ import annotations

def first(words: list[str] | None, most: int) -> str:
    if words is None or len(words) > most:
        return ""
    if (known := {"a": 1}.get(words[0])) == most:
        return "most"
    return f"{words[0].upper()} {known}"
"""


@pytest.mark.deep
def test_types__miss_a_guard_that_a_type_needs_and_no_other(tmp_path: Path) -> None:
    package = tmp_path / "root" / "p2p_hearts"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "first.py").write_text(TYPED)
    (tmp_path / "root" / "pyproject.toml").write_text("[tool.mypy]\nstrict = true\n")
    checks = checks_of(tmp_path / "root", package / "first.py")
    types = TypeChecker(tmp_path, tmp_path / "root")
    types.prepare()
    found = {check.text: types.misses(check) for check in checks}
    assert found == {
        "words is None": True,
        "len(words) > most": False,
        '(known := {"a": 1}.get(words[0])) == most': False,
    }


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (0, "    if (not [claim < 0]):"),
        (2, '    if claim == 1 or (not [é == "ü"]):'),
        (3, "        ..."),
        (5, '    return claim > 3 and bool([é != "ä"])'),
    ],
)
def test_source__without_a_check_still_asks_and_forgets(
    tmp_path: Path, number: int, line: str
) -> None:
    module = tmp_path / "judge.py"
    module.write_text(SOURCE)
    check = checks_of(tmp_path, module)[number]
    changed = without_check(SOURCE, check).splitlines()
    assert changed[check.line - 1] == line
    assert len(changed) == len(SOURCE.splitlines())


@pytest.mark.parametrize(
    ("found", "reason", "left"),
    [
        ({"missed_by": None, "typed": False}, None, True),
        ({}, None, True),
        ({"missed_by": "a test", "typed": False}, None, False),
        ({"missed_by": None, "typed": True}, None, False),
        ({"missed_by": None, "typed": False}, "Only saves work.", False),
    ],
)
def test_left__are_checks_that_nothing_misses_and_nothing_explains(
    tmp_path: Path, found: dict[str, object], reason: str | None, left: bool
) -> None:
    """They get all the time that there is."""
    module = tmp_path / "judge.py"
    module.write_text(SOURCE)
    check, *_ = checks_of(tmp_path, module)
    explained = {} if reason is None else {"judge.py": {"claim < 0": reason}}
    assert is_left({check.name: found}, check, explained) is left
