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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.mutants.checks import Check
from tools.mutants.tree import PACKAGES, ROOT, Copy, checks_in

FOLDER = ROOT / "build" / "mutants"
EXPLAINED = Path(__file__).with_name("explained.toml")

BUDGET = 90.0
"""Seconds of tests, as long as they took when they were noted, that one check is given at most."""


def main() -> int:
    """Run the command line; 0 if every check is missed by a test or explained."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help=f"of {', '.join(PACKAGES)}; all by default")
    parser.add_argument("--module", default="", help="only modules whose path contains this text")
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
    if not args.report:
        note_tests(copy, args.jobs)
        try_checks(copy, [check for checks in chosen.values() for check in checks], args.jobs)
    explained = tomllib.loads(EXPLAINED.read_text())
    return 1 if sum([report(copy, *item, explained) for item in chosen.items()]) else 0


def note_tests(copy: Copy, jobs: int) -> None:
    """Let every new or changed test note the checks that decide something in it."""
    files = copy.files_without_notes()
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


def try_checks(copy: Copy, checks: Sequence[Check], jobs: int) -> None:
    """Switch off every check that no test is known to miss, in some processes side by side.

    Those with little to run come first: whoever stops the run early knows most then.
    """
    known = copy.found()
    due = [check for check in checks if not known.get(check.name, {}).get("missed_by")]
    tests = plan_of(copy, due)
    due.sort(key=lambda check: sum(seconds for _, seconds in tests[copy.numbers[check.name]]))
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
                copy.keep({"number": number, "missed_by": None, "ran": 0}, by_number[number].module)
    told: Counter[Path] = Counter()
    while running:
        for results, process in list(running):
            done = process.poll() is not None
            for line in results.read_text().splitlines()[told[results] :]:
                told[results] += 1
                found = json.loads(line)
                check = by_number[found["number"]]
                copy.keep(found, check.module)
                print(f"  {said_of(found)}  {check}", flush=True)
            if done:
                running.remove((results, process))
        time.sleep(1)


def plan_of(copy: Copy, checks: Sequence[Check]) -> dict[int, list[tuple[str, float]]]:
    """Return, by the number of each check, the tests that could miss it, the best bets first.

    After those in which it decided come others of the same files: what tests share, a hand that all
    look at, is made, and noted, in the first of them.
    """
    tests = [note for note in copy.tests() if note["passed"]]
    deciding: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    in_file: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for note in tests:
        in_file[note["test"].split("::")[0]].append(note)
        for number in note["decided"]:
            deciding[number].append(note)
    plan = {}
    for check in checks:
        number = copy.numbers[check.name]
        first = sorted(deciding[number], key=lambda note: note["seconds"])
        files = {note["test"].split("::")[0] for note in first}
        others = [note for file in sorted(files) for note in in_file[file] if note not in first]
        spent = 0.0
        names: list[tuple[str, float]] = []
        for note in [*first, *sorted(others, key=lambda note: note["seconds"])]:
            spent += note["seconds"]
            if spent > BUDGET and names:
                break
            names.append((note["test"], note["seconds"]))
        plan[number] = names
    return plan


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
    lost, missed, excused, untried = [], 0, 0, 0
    for check in checks:
        reason = explained.get(check.module, {}).get(check.name.split(": ", 1)[1])
        found = known.get(check.name)
        if found is None:
            untried += 1
        elif found["missed_by"]:
            missed += 1
            if reason is not None:
                print(f"  explained, and yet missed by {found['missed_by']}: {check}")
        elif reason is None:
            lost.append(f"  SURVIVES {found['ran']:3} tests  {check}")
        else:
            excused += 1
    print(*lost, sep="\n", end="\n" if lost else "")
    print(
        f"{package}: {len(checks)} checks, {missed} missed by a test, {excused} explained, "
        f"{len(lost)} survive, {untried} not tried",
        flush=True,
    )
    return len(lost) + untried


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
