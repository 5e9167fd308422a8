"""The copy of the tree in which the checks have switches, and what is kept beside it."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.mutants.checks import Check, checks_of, with_switches

ROOT = Path(__file__).resolve().parents[2]
SWITCHES = "p2p_hearts.switches"

PACKAGES = ("crypto", "cards", "wire", "agreement", "table", "record/audit")
TESTS = (
    "tests/crypto",
    "tests/cards",
    "tests/wire",
    "tests/agreement",
    "tests/table",
    "tests/record",
    "tests/protocol",
)
"""The tests that could miss a check of these packages: those without processes and networks."""


def checks_in(package: str, part: str = "") -> list[Check]:
    """Return all checks of a package, module by module."""
    modules = sorted((ROOT / "p2p_hearts" / package).rglob("*.py"))
    return [check for module in modules if part in str(module) for check in checks_of(ROOT, module)]


@dataclass
class Copy:
    """A copy of the tree, the notes of its tests, and what was found with it.

    ``numbers`` are those of the switches, by the names of the checks; ``digests`` tell what the
    modules were like when they were copied.
    """

    folder: Path
    numbers: dict[str, int] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)

    @property
    def tree(self) -> Path:
        """Where the copy is."""
        return self.folder / "tree"

    @property
    def results(self) -> Path:
        """Where each tried check is one line."""
        return self.folder / "results.jsonl"

    @property
    def notes(self) -> Path:
        """Where each test is one line; a later line holds."""
        return self.folder / "notes.jsonl"

    def renew(self) -> None:
        """Copy what git knows and what changed; put switches before the checks."""
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True, text=True,
        ).stdout.split("\0")  # fmt: skip
        shutil.rmtree(self.tree, ignore_errors=True)
        for name in filter(None, names):
            if (ROOT / name).exists():
                target = self.tree / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, target)
        everything = [checks_in(package) for package in PACKAGES]
        known = self._known_numbers()
        for check in (check for checks in everything for check in checks):
            known.setdefault(check.name, len(known))
        (self.folder / "numbers.json").write_text(json.dumps(known, indent=0))
        self.numbers = known
        for module, checks in _by_module(everything).items():
            path = self.tree / module
            self.digests[module] = _digest(path)
            path.write_text(with_switches(path.read_text(), checks, known, SWITCHES))
        shutil.copy2(
            Path(__file__).with_name("switches.py"),
            self.tree / (SWITCHES.replace(".", "/") + ".py"),
        )

    def _known_numbers(self) -> dict[str, int]:
        """Return the numbers that the notes speak of; a number is never given again."""
        path = self.folder / "numbers.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def files_without_notes(self) -> list[str]:
        """Return the files of tests that are new or have changed since they were noted."""
        noted = self.noted()
        return [
            name
            for name in map(str, self._test_files())
            if noted.get(name, {}).get("digest") != _digest(self.tree / name)
        ]

    def note_files(self, names: Iterable[str]) -> None:
        """Remember that these files of tests have been noted as they are."""
        with (self.folder / "files.jsonl").open("a") as file:
            for name in names:
                line = {
                    "file": name,
                    "digest": _digest(self.tree / name),
                    "numbers": len(self.numbers),
                }
                file.write(json.dumps(line) + "\n")

    def noted(self) -> dict[str, dict[str, Any]]:
        """Return, by file of tests, its digest and how many numbers there were when noted."""
        return {line["file"]: line for line in _lines(self.folder / "files.jsonl")}

    def _test_files(self) -> list[Path]:
        found = [path for part in TESTS for path in (self.tree / part).rglob("test_*.py")]
        return sorted(path.relative_to(self.tree) for path in found)

    def tests(self) -> list[dict[str, Any]]:
        """Return the last note of every test that passes and is still there."""
        last = {line["test"]: line for line in _lines(self.notes)}
        files = set(map(str, self._test_files()))
        return [note for name, note in last.items() if name.split("::")[0] in files]

    def found(self) -> dict[str, dict[str, Any]]:
        """Return what was found, by the names of checks whose module is as it was."""
        names = {number: name for name, number in self.numbers.items()}
        kept: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        for line in _lines(self.results):
            name = names.get(line["number"], "")
            if name and line["digest"] == self.digests.get(name.split(": ")[0]):
                kept[name] |= line
        return kept

    def missed_before(self) -> dict[int, str]:
        """Return the test that missed each check last, whatever has changed since."""
        lines = _lines(self.results)
        return {line["number"]: line["missed_by"] for line in lines if line.get("missed_by")}

    def digest_of(self, tests: Iterable[str]) -> str:
        """Return what changes when these tests do: their names and files."""
        names = sorted(tests)
        files = {name.split("::")[0] for name in names}
        digests = [_digest(self.tree / file) for file in sorted(files)]
        return hashlib.sha256("\n".join([*names, *digests]).encode()).hexdigest()[:16]

    def keep(self, found: Mapping[str, Any], module: str) -> None:
        """Add what was found of a check."""
        with self.results.open("a") as file:
            file.write(json.dumps({**found, "digest": self.digests[module]}) + "\n")


def _by_module(everything: Iterable[Sequence[Check]]) -> dict[str, list[Check]]:
    modules: dict[str, list[Check]] = {}
    for checks in everything:
        for check in checks:
            modules.setdefault(check.module, []).append(check)
    return modules


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
