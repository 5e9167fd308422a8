"""Take every check out in turn and say which of them no test misses."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tools.mutants.checks import Check
from tools.mutants.tree import PACKAGES, ROOT, Copy, checks_in
from tools.mutants.typecheck import TypeChecker

FOLDER = ROOT / "build" / "mutants"
EXPLAINED = Path(__file__).with_name("explained.toml")

BUDGET = 12.0
"""CPU seconds of tests, as they took when they were noted, that one check is given at most."""

LONG_BUDGET = 120.0
"""Likewise, of a check that neither these tests nor mypy miss and nothing explains."""

QUICK = 0.3
"""CPU seconds: tests that take no longer are tried before any others."""

FINE = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
"""How pytest ends in the copy: it tries tests in forks, and none itself."""


def main() -> int:
    """Run the command line; 0 if every check is missed by a test or by mypy, or explained."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help=f"of {', '.join(PACKAGES)}; all by default")
    parser.add_argument("--module", default="", help="only modules whose path contains this text")
    parser.add_argument(
        "--tests", nargs="*", default=[""], help="note only tests whose path contains one of these"
    )
    parser.add_argument("--list", action="store_true", help="only list the checks")
    parser.add_argument("--report", action="store_true", help="only say what was found before")
    parser.add_argument("--fresh", action="store_true", help="forget what was found before")
    parser.add_argument("--jobs", type=int, default=2, help="processes side by side (default: 2)")
    args = parser.parse_args()
    unknown = set(args.packages) - set(PACKAGES)
    if unknown:
        parser.error(
            f"unknown package {', '.join(sorted(unknown))}; there are {' '.join(PACKAGES)}"
        )
    chosen = {name: checks_in(name, args.module) for name in args.packages or PACKAGES}
    if args.list:
        for checks in chosen.values():
            print("\n".join(map(str, checks)))
        return 0
    if args.fresh:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    copy = Copy(FOLDER)
    copy.renew()
    explained = tomllib.loads(EXPLAINED.read_text())
    if not args.report:
        checks = [check for checks in chosen.values() for check in checks]
        note_tests(copy, args.jobs, args.tests)
        try_checks(copy, checks, args.jobs, BUDGET)
        ask_types(copy, checks)
        known = copy.found()
        left = [check for check in checks if is_left(known, check, explained)]
        try_checks(copy, left, args.jobs, LONG_BUDGET)
    wrong = sum([report(copy, *item, explained) for item in chosen.items()])
    return 1 if wrong + report_stale(explained) else 0


def note_tests(copy: Copy, jobs: int, parts: Sequence[str]) -> None:
    """Let new and changed tests note the checks that decide something in them.

    ``parts``: those with one of these in their path.
    """
    files = [name for name in copy.files_without_notes() if any(part in name for part in parts)]
    if not files:
        return
    start = time.monotonic()
    command = ["-n", str(jobs), "--dist", "worksteal", "--timeout", "3600", *files]
    _pytest(copy, command, MUTANTS_NOTES=str(copy.notes)).wait()
    copy.note_files(files)
    tests = copy.tests()
    print(f"{len(tests)} tests noted, {time.monotonic() - start:.0f} s", flush=True)
    for note in tests:
        if not note["passed"]:
            print(f"  left out, fails with every check in place: {note['test']}", flush=True)


def try_checks(copy: Copy, checks: Sequence[Check], jobs: int, budget: float) -> None:
    """Switch off every check that no test is known to miss, in some processes side by side.

    One that survived is tried again once its tests have changed. Those with little to run come
    first: whoever stops the run early knows most then.
    """
    known = copy.found()
    tests = plan_of(copy, checks, budget)
    digests = {number: copy.digest_of(name for name, _ in names) for number, names in tests.items()}
    due = [
        check
        for check in checks
        if not known.get(check.name, {}).get("missed_by")
        and known.get(check.name, {}).get("tests") != digests[copy.numbers[check.name]]
    ]
    due.sort(key=lambda check: [seconds for _, seconds in tests[copy.numbers[check.name]]])
    by_number = {copy.numbers[check.name]: check for check in due}
    running = []
    for job in range(jobs):
        part = [(number, tests[number]) for number in list(by_number)[job::jobs]]
        files = sorted({name.split("::")[0] for _, names in part for name, _ in names})
        results = copy.folder / f"found.{job}.jsonl"
        results.unlink(missing_ok=True)
        results.touch()
        plan = copy.folder / f"plan.{job}.json"
        plan.write_text(json.dumps({"results": str(results), "checks": part}))
        if files:
            command = ["-p", "no:xdist", "-s", "--timeout", "3600", *files]
            running.append((results, _pytest(copy, command, MUTANTS_PLAN=str(plan))))
        else:
            for number, _ in part:
                found = {"number": number, "missed_by": None, "ran": 0, "tests": digests[number]}
                copy.keep(found, by_number[number].module)
    told: Counter[Path] = Counter()
    while running:
        for results, process in list(running):
            done = process.poll() is not None
            for line in results.read_text().splitlines()[told[results] :]:
                told[results] += 1
                found = json.loads(line)
                found["tests"] = digests[found["number"]]
                check = by_number[found["number"]]
                copy.keep(found, check.module)
                print(f"  {said_of(found)}  {check}", flush=True)
            if done:
                running.remove((results, process))
                if process.returncode not in FINE:
                    raise SystemExit(
                        f"pytest could not try the tests: see {copy.folder}/pytest.log"
                    )
        time.sleep(1)


def ask_types(copy: Copy, checks: Sequence[Check]) -> None:
    """Ask the type checker about every check that no test misses, one after the other."""
    known = copy.found()
    due = [
        check
        for check in checks
        if not known.get(check.name, {}).get("missed_by")
        and "typed" not in known.get(check.name, {})
    ]
    if not due:
        return
    types = TypeChecker(copy.folder)
    types.prepare()
    for check in due:
        found = {"number": copy.numbers[check.name], "typed": types.misses(check)}
        copy.keep(found, check.module)
        said = "missed by the type checker" if found["typed"] else "SURVIVES the type checker"
        print(f"  {said}  {check}", flush=True)


def is_left(
    known: Mapping[str, Mapping[str, Any]], check: Check, explained: dict[str, dict[str, str]]
) -> bool:
    """Whether neither a test nor mypy has missed a check, and nothing explains that."""
    found = known.get(check.name, {})
    is_missed = bool(found.get("missed_by") or found.get("typed"))
    return not is_missed and _text(check) not in explained.get(check.module, {})


def plan_of(
    copy: Copy, checks: Sequence[Check], budget: float
) -> dict[int, list[tuple[str, float]]]:
    """Return, by the number of each check, the tests that could miss it, the best bets first.

    The test that missed it last comes first, then those in which it decided, and then others of the
    same files: what tests share, a hand that all look at, is made, and noted, in the first of them.
    For a check that is newer than the notes of a file, those count in which any check of its module
    decided.
    """
    tests = [note for note in copy.tests() if note["passed"]]
    in_file: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    deciding: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for note in tests:
        in_file[_file(note)].append(note)
        for number in note["decided"]:
            deciding[number].append(note)
    in_module: defaultdict[str, set[int]] = defaultdict(set)
    for name, number in copy.numbers.items():
        in_module[name.split(": ")[0]].add(number)
    numbers = {file: noted["numbers"] for file, noted in copy.noted().items()}
    before = copy.missed_before()
    plan = {}
    for check in checks:
        number = copy.numbers[check.name]
        first = deciding[number] + [
            note
            for note in tests
            if number >= numbers.get(_file(note), len(copy.numbers))
            and in_module[check.module] & set(note["decided"])
        ]
        first = _varied(first)
        first.sort(key=lambda note: bool(note["test"] != before.get(number)))
        files = {_file(note) for note in first}
        others = [note for file in sorted(files) for note in in_file[file] if note not in first]
        spent = 0.0
        names: list[tuple[str, float]] = []
        for note in [*first, *sorted(others, key=lambda note: note["seconds"])]:
            spent += note["seconds"]
            if spent > budget and names:
                break
            names.append((note["test"], note["seconds"]))
        plan[number] = names
    return plan


def _varied(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return quick tests first; then of slow ones one case of every function, then the second."""
    cases: Counter[str] = Counter()
    found = []
    for note in sorted(notes, key=lambda note: float(note["seconds"])):
        function = note["test"].split("[")[0]
        cases[function] += note["seconds"] > QUICK
        found.append((cases[function], note))
    return [note for _, note in sorted(found, key=lambda item: item[0])]


def _file(note: dict[str, Any]) -> str:
    return str(note["test"]).split("::")[0]


def said_of(found: dict[str, Any]) -> str:
    """Return in a few words what became of a check that was switched off."""
    if found["missed_by"]:
        return f"{'hangs ' if found['hangs'] else 'missed'} ({found['ran']:3}. test)"
    return f"SURVIVES {found['ran']:3} tests"


def report(
    copy: Copy, package: str, checks: Sequence[Check], explained: dict[str, dict[str, str]]
) -> int:
    """Print what is known of a package's checks; return how many are neither missed nor explained.

    An explanation of a check that a test misses, or that is no more, is a mistake as well.
    """
    known = copy.found()
    counts: Counter[str] = Counter()
    for check in checks:
        reason = explained.get(check.module, {}).get(_text(check))
        found = known.get(check.name, {})
        if found.get("missed_by") or found.get("typed"):
            counts["missed" if found.get("missed_by") else "typed"] += 1
            if reason is not None:
                counts["wrong"] += 1
                missed_by = found.get("missed_by") or "the type checker"
                print(f"  explained, and yet missed by {missed_by}: {check}")
        elif reason is not None:
            counts["explained"] += 1
        elif "ran" in found and "typed" in found:
            counts["lost"] += 1
            print(f"  SURVIVES {found['ran']:3} tests  {check}")
        else:
            counts["untried"] += 1
    print(
        f"{package}: {len(checks)} checks, {counts['missed']} missed by a test, "
        f"{counts['typed']} by the type checker, {counts['explained']} explained, "
        f"{counts['lost']} survive, {counts['untried']} not tried",
        flush=True,
    )
    return counts["lost"] + counts["untried"] + counts["wrong"]


def report_stale(explained: dict[str, dict[str, str]]) -> int:
    """Print the explanations of checks that are no more; return how many there are."""
    there = {check.name for package in PACKAGES for check in checks_in(package)}
    stale = [
        f"{module}: {text}"
        for module, texts in explained.items()
        for text in texts
        if f"{module}: {text}" not in there
    ]
    for name in stale:
        print(f"  explained, and no longer there: {name}")
    return len(stale)


def _text(check: Check) -> str:
    return check.name.split(": ", 1)[1]


def _pytest(copy: Copy, arguments: Sequence[str], **environment: str) -> subprocess.Popen[bytes]:
    """Start pytest in the copy, in which the copied package comes before any installed one."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tools.mutants.plugin"]
    with (copy.folder / "pytest.log").open("ab") as log:
        return subprocess.Popen(
            [*command, "-p", "no:cacheprovider", *arguments],
            cwd=copy.tree,
            env={**os.environ, "PYTHONPATH": str(copy.tree), **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )


if __name__ == "__main__":
    sys.exit(main())
