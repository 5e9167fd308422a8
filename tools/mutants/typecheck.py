"""Ask the type checker whether it misses a check: ``make check`` runs it as well as the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.checks import Check, without_check
from tools.mutants.tree import ROOT


@dataclass(frozen=True, slots=True)
class TypeChecker:
    """A copy of the package alone: what mypy says of it without a check is about that check.

    mypy keeps what it found beside the copy, so all but the first question is answered in a second.
    """

    folder: Path
    root: Path = ROOT

    def prepare(self) -> None:
        """Copy the package as it is; ``ValueError`` if mypy finds a fault in it."""
        shutil.rmtree(self._tree, ignore_errors=True)
        shutil.copytree(self.root / "p2p_hearts", self._tree / "p2p_hearts")
        shutil.copy2(self.root / "pyproject.toml", self._tree)
        if self._complains():
            raise ValueError("mypy must have nothing to say while every check is in its place")

    def misses(self, check: Check) -> bool:
        """Whether mypy finds a fault in the package without the check."""
        path = self._tree / check.module
        source = path.read_text()
        _write(path, without_check(source, check))
        try:
            return self._complains()
        finally:
            _write(path, source)

    @property
    def _tree(self) -> Path:
        return self.folder / "types"

    def _complains(self) -> bool:
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "p2p_hearts"],
            cwd=self._tree,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode not in (0, 1) or (done.returncode == 1 and "error:" not in done.stdout):
            raise RuntimeError(f"mypy ended without a verdict: {done.stdout}{done.stderr}")
        return done.returncode == 1


def _write(path: Path, source: str) -> None:
    """Write a module anew, a second later than before.

    mypy takes a file of the same size that was written in the same second for the same file.
    """
    later = int(path.stat().st_mtime) + 1
    path.write_text(source)
    os.utime(path, (later, later))
