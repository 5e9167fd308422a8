"""Asks a database of advisories about every package that the program needs to run.

``pip-audit`` is installed into an environment of its own, so that it is no part of the lock. It
counts a package that the database does not answer about as skipped; here that is no clean answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release.lock import LOCK, lock_text, read_lock, to_run

CLEAN, FOUND, UNANSWERED = 0, 1, 3


def run() -> int:
    """Ask; 0 if nothing is known of any package, 1 if something is, 3 if an answer lacks."""
    packages = to_run(read_lock(LOCK.read_text()))
    with tempfile.TemporaryDirectory(prefix="advisories-") as folder:
        lock = Path(folder) / "packages.lock"
        lock.write_text(lock_text(packages))
        subprocess.run([sys.executable, "-m", "venv", f"{folder}/env"], check=True)
        python = f"{folder}/env/bin/python"
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "pip-audit"], check=True)
        done = subprocess.run(
            [python, "-m", "pip_audit", "--require-hashes", "--disable-pip", "-f", "json",
             "-r", str(lock)],
            capture_output=True, text=True,
        )  # fmt: skip
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        print(f"No answer: {done.stderr.strip().splitlines()[-1:]}")
        return UNANSWERED
    return judge(answer)


def judge(answer: dict[str, list[dict[str, object]]]) -> int:
    """Print what an answer of pip-audit means; return the exit code."""
    skipped = [item for item in answer["dependencies"] if "skip_reason" in item]
    for item in answer["dependencies"]:
        holes = item.get("vulns", [])
        assert isinstance(holes, list)
        for hole in holes:
            print(f"{item['name']} {item.get('version')}: {hole['id']}, {hole['description']}")
            print(f"   mended in {', '.join(hole['fix_versions']) or 'no version'}")
    if any(item.get("vulns") for item in answer["dependencies"]):
        return FOUND
    known = len(answer["dependencies"]) - len(skipped)
    print(f"{known} packages without a known hole, {len(skipped)} without an answer")
    return UNANSWERED if skipped else CLEAN
