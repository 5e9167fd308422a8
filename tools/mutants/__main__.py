"""Take every check out in turn and say which of them no test misses."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.mutants.checks import Check, checks_of

ROOT = Path(__file__).resolve().parents[2]
EXPLAINED = Path(__file__).with_name("explained.toml")

TESTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "crypto": (("tests/crypto",), ("tests/cards",), ("tests/protocol",)),
    "cards": (("tests/cards",), ("tests/table/test_cheaters.py",), ("tests/protocol",)),
    "wire": (("tests/wire",), ("tests/table/test_receive.py", "tests/table/test_agreement.py")),
    "table": (
        ("tests/table/test_history.py", "tests/table/test_receive.py", "tests/table/test_hand.py"),
        ("tests/table/test_liars.py", "tests/table/test_cheaters.py"),
        ("tests/table",),
        ("tests/record",),
    ),
    "record/audit": (("tests/record",), ("tests/protocol",)),
}
"""By package, the tests that should notice: the nearest first, the rest only if those do not."""

SECONDS = 900
"""Longer than any of these runs takes: a check whose removal makes a test hang is missed, too."""


def main() -> int:
    """Run the command line; 0 if every check is missed by a test or explained."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help=f"of {', '.join(TESTS)}; all by default")
    parser.add_argument("--module", default="", help="only modules whose path contains this text")
    parser.add_argument("--list", action="store_true", help="only list the checks")
    args = parser.parse_args()
    unknown = set(args.packages) - set(TESTS)
    if unknown:
        parser.error(f"unknown package {', '.join(sorted(unknown))}; there are {', '.join(TESTS)}")
    packages = args.packages or list(TESTS)
    found = {package: checks_in(package, args.module) for package in packages}
    if args.list:
        for checks in found.values():
            print("\n".join(map(str, checks)))
        return 0
    explained = tomllib.loads(EXPLAINED.read_text()) if EXPLAINED.exists() else {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = copy_of_the_tree(Path(folder))
        survivors = 0
        for package, checks in found.items():
            survivors += try_package(tree, package, checks, explained)
    return 1 if survivors else 0


def checks_in(package: str, part: str = "") -> list[Check]:
    """Return all checks of a package, module by module."""
    modules = sorted((ROOT / "p2p_hearts" / package).rglob("*.py"))
    return [check for module in modules if part in str(module) for check in checks_of(ROOT, module)]


def copy_of_the_tree(folder: Path) -> Path:
    """Copy what the tests need into an empty folder; return the copy."""
    tree = folder / "tree"
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.split("\0")
    for name in filter(None, names):
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, target)
    return tree


def try_package(
    tree: Path, package: str, checks: Sequence[Check], explained: dict[str, dict[str, str]]
) -> int:
    """Take out every check of a package; print what happens and return how many were not missed."""
    missed = excused = 0
    lost: list[Check] = []
    start = time.monotonic()
    for paths in TESTS[package]:
        if fails(tree, paths):
            raise SystemExit(f"{' '.join(paths)} fail with every check in place: mend them first")
    for check in checks:
        if is_missed(tree, check, TESTS[package]):
            missed += 1
            continue
        reason = explained.get(check.module, {}).get(check.text)
        excused += reason is not None
        print(f"  {'explained' if reason else 'SURVIVES'}  {check}", flush=True)
        if reason is None:
            lost.append(check)
    print(
        f"{package}: {len(checks)} checks, {missed} missed by a test, {excused} explained, "
        f"{len(lost)} survive; {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return len(lost)


def is_missed(tree: Path, check: Check, tests: Iterable[Sequence[str]]) -> bool:
    """Whether a test fails once a check is gone."""
    module = tree / check.module
    source = module.read_text()
    module.write_text(check.removed_from(source))
    try:
        return any(fails(tree, paths) for paths in tests)
    finally:
        module.write_text(source)


def fails(tree: Path, paths: Sequence[str]) -> bool:
    """Whether some of these tests fail, or hang."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *paths]
    try:
        done = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(done.stdout.decode()[-2000:])
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
