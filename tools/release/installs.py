"""Installs the wheel into empty environments, one for every Python, and plays a hand there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tools.hatch_build import COMPLETIONS
from tools.release.build import MANUAL

VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
SECONDS: Final = 600


class DoesNotWorkError(Exception):
    """Something does not work in a fresh environment; the text says what."""


def run(dist: Path, interpreters: Iterable[str]) -> int:
    """Try the wheel in ``dist`` with each interpreter; 0 if it works with all that are there."""
    wheels = list(dist.glob("*.whl"))
    if len(wheels) != 1:
        print(f"There is no wheel in {dist}: make dist builds it.")
        return 2
    chosen = list(interpreters) or [f"python{version}" for version in VERSIONS]
    tried = failed = 0
    for interpreter in chosen:
        version = version_of(interpreter)
        if version is None:
            print(f"{interpreter}: is not on this machine; not tried", flush=True)
            continue
        tried += 1
        try:
            with tempfile.TemporaryDirectory(prefix="install-") as folder:
                what = try_wheel(wheels[0], interpreter, Path(folder))
        except DoesNotWorkError as error:
            failed += 1
            what = f"FAILS: {error}"
        print(f"Python {version}: {what}", flush=True)
    print(pipx(wheels[0]), flush=True)
    return 1 if failed or not tried else 0


def version_of(interpreter: str) -> str | None:
    """Return the version of an interpreter, None if it does not run."""
    try:
        done = subprocess.run(
            [interpreter, "-c", "import platform; print(platform.python_version())"],
            capture_output=True, text=True, timeout=SECONDS,
        )  # fmt: skip
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def try_wheel(wheel: Path, interpreter: str, folder: Path) -> str:
    """Install into an empty environment, play a hand there and audit it; say what worked."""
    lock = next(wheel.parent.glob("*.lock"))
    said = _run([interpreter, "-m", "venv", str(folder / "env")])
    python = str(folder / "env" / "bin" / "python")
    program = str(folder / "env" / "bin" / "p2p-hearts")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "--require-hashes", "-r", str(lock)])
    _run([*pip, "--no-deps", str(wheel)])
    _run([python, "-m", "pip", "check"])
    version = wheel.name.split("-")[1]
    for command in ([program], [python, "-m", "p2p_hearts"]):
        said = _run([*command, "--version"])
        if said != f"p2p-hearts {version}":
            raise DoesNotWorkError(f"{' '.join(command)} --version says {said!r}")
    for place in (MANUAL, *COMPLETIONS.values()):
        if not (folder / "env" / place).is_file():
            raise DoesNotWorkError(f"{place} is not installed")
    if "Hearts" not in _run([program, "--lang", "id", "--help"]):
        raise DoesNotWorkError("there is no help in another language")
    home = {"P2P_HEARTS_HOME": str(folder / "home")}
    _run([program, "demo", "--hands", "1", "--out", str(folder / "demo")], home)
    logs = sorted(map(str, (folder / "demo").rglob("*.hearts")))
    if len(logs) != 4:
        raise DoesNotWorkError(f"a demo left {len(logs)} logs")
    _run([program, "audit", *logs], home)
    return "installed with hashes, both --version, manual, completions, a hand of four, its audit"


def pipx(wheel: Path) -> str:
    """Install with pipx, where there is one, into a temporary folder; say what happened."""
    program = shutil.which("pipx")
    if program is None:
        return "pipx: is not on this machine; not tried"
    with tempfile.TemporaryDirectory(prefix="pipx-") as folder:
        places = {
            "PIPX_HOME": f"{folder}/home", "PIPX_BIN_DIR": f"{folder}/bin",
            "PIPX_MAN_DIR": f"{folder}/man", "PIPX_COMPLETION_DIR": f"{folder}/completions",
        }  # fmt: skip
        _run([program, "install", str(wheel)], places)
        said = _run([f"{folder}/bin/p2p-hearts", "--version"])
        shown = sorted(path.name for path in Path(folder, "man").rglob("*.1"))
        return f"pipx: {said}; manual pages: {', '.join(shown) or 'none'}"


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Run a command away from the tree; return what it printed."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd="/", env={**kept, **(environment or {})},
        capture_output=True, text=True, timeout=SECONDS,
    )  # fmt: skip
    if done.returncode:
        raise DoesNotWorkError(f"{' '.join(command)}: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout.strip()
