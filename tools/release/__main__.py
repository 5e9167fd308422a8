"""``python -m tools.release dist | installs | advisories``: see docs/release.md."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from p2p_hearts import __version__
from tools.release import advisories, installs
from tools.release.build import NotTheSameError, build_twice, commit_time, sha256
from tools.release.lock import LOCK, PROGRAM, ROOT, lock_text, read_lock, to_run
from tools.release.sbom import bill

DIST = ROOT / "dist"


def main() -> int:
    """Run the command line; 0 if all is as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("dist", help="build everything into dist/, twice, and compare")
    again = commands.add_parser("installs", help="install the wheel with every Python there is")
    again.add_argument("--python", action="append", default=[], help="an interpreter; repeatable")
    commands.add_parser("advisories", help="ask for known holes in what the program needs")
    args = parser.parse_args()
    if args.command == "dist":
        return dist()
    if args.command == "installs":
        return installs.run(DIST, args.python)
    return advisories.run()


def dist() -> int:
    """Build the files of a release of the last commit into ``dist``."""
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    if changed:
        print("What is not committed is left out: what is built is the last commit.")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory(prefix="release-") as work:
        try:
            files = build_twice(DIST, Path(work))
        except NotTheSameError as error:
            print(error)
            return 1
    packages = to_run(read_lock(LOCK.read_text()))
    name = f"{PROGRAM}-{__version__}"
    built = datetime.fromtimestamp(commit_time(), UTC).isoformat().replace("+00:00", "Z")
    texts = {
        f"{name}.lock": lock_text(packages),
        f"{name}.cdx.json": bill(__version__, packages, built),
    }
    for file_name, text in texts.items():
        (DIST / file_name).write_text(text, encoding="utf-8")
        files.append(DIST / file_name)
    sums = "".join(f"{sha256(file)}  {file.name}\n" for file in files)
    (DIST / "SHA256SUMS").write_text(sums)
    print(sums, end="")
    print("The packages were built twice, in different folders and time zones: the same bytes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
