"""Ask the type checker whether it misses a check: ``make check`` runs it as well as the tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tools.mutants.checks import Check, without_check
from tools.mutants.tree import ROOT


@dataclass(frozen=True, slots=True)
class TypeChecker:
    """A copy of the package alone, and one mypy that stays with it while checks are taken out.

    The copy must be free of faults; whatever mypy says of it without a check is then about that.
    """

    folder: Path
    root: Path = ROOT

    def __enter__(self) -> TypeChecker:
        """Copy the package as it is, and let mypy see all of it once."""
        tree = self.folder / "types"
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(self.root / "p2p_hearts", tree / "p2p_hearts")
        shutil.copy2(self.root / "pyproject.toml", tree)
        self._stop()
        if self._complains():
            raise ValueError("mypy must have nothing to say while every check is in its place")
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """End the mypy that stayed."""
        self._stop()

    def misses(self, check: Check) -> bool:
        """Whether mypy finds a fault in the package without the check."""
        path = self.folder / "types" / check.module
        source = path.read_text()
        path.write_text(without_check(source, check))
        try:
            return self._complains()
        finally:
            path.write_text(source)

    def _complains(self) -> bool:
        done = self._dmypy("run", "--", "--config-file", "pyproject.toml", "p2p_hearts")
        if done.returncode not in (0, 1):
            raise RuntimeError(f"mypy could not be asked: {done.stdout}{done.stderr}")
        if done.returncode == 1 and "error:" not in done.stdout:
            raise RuntimeError(f"mypy ended without a verdict: {done.stdout}{done.stderr}")
        return done.returncode == 1

    def _stop(self) -> None:
        self._dmypy("stop")

    def _dmypy(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        status = self.folder / "dmypy.json"
        return subprocess.run(
            [sys.executable, "-m", "mypy.dmypy", "--status-file", str(status), *arguments],
            cwd=self.folder / "types",
            capture_output=True,
            text=True,
            check=False,
        )
