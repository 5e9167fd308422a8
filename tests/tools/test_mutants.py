"""The tool that takes checks out finds all of them, and takes out one at a time."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.mutants.__main__ import ROOT, TESTS, checks_in
from tools.mutants.checks import checks_of

SOURCE = """
def judge(claim: int, é: str) -> bool:
    if claim < 0:
        raise ValueError(é)
    if claim == 1 or é == "ü":
        return False
    if claim == 2:
        claim += 1
        return True
    check_all(claim)
    return claim > 3 and é != "ü"
"""


def test_checks__are_guards_parts_of_conditions_and_calls_that_only_raise(tmp_path: Path) -> None:
    module = tmp_path / "judge.py"
    module.write_text(SOURCE)
    checks = checks_of(tmp_path, module)
    assert [(check.line, check.text) for check in checks] == [
        (3, "claim < 0"),
        (5, "claim == 1"),
        (5, 'é == "ü"'),
        (10, "check_all(claim)"),
        (11, "claim > 3"),
        (11, 'é != "ü"'),
    ]
    gone = [check.removed_from(SOURCE).splitlines()[check.line - 1].strip() for check in checks]
    assert gone == [
        "if False:",
        'if False or é == "ü":',
        "if claim == 1 or False:",
        "pass",
        'return True and é != "ü"',
        "return claim > 3 and True",
    ]


def test_checks__of_every_package_leave_a_module_that_can_be_read() -> None:
    for package in TESTS:
        checks = checks_in(package)
        assert checks
        for check in checks[::20]:
            ast.parse(check.removed_from((ROOT / check.module).read_text()))
