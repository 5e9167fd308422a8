"""Building the files of a release, twice: everybody gets the same bytes of the same commit."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tools.hatch_build import COMPLETIONS
from tools.release.lock import ROOT

MANUAL: Final = "share/man/man1/p2p-hearts.1"


class NotTheSameError(Exception):
    """Two builds of one commit differ, or a wheel lacks what it should have."""


def commit_time(commit: str = "HEAD") -> int:
    """Return when a commit was made, in seconds since 1970: the time that all files will have."""
    return int(_git("log", "-1", "--format=%ct", commit))


def unpack_commit(folder: Path, commit: str = "HEAD") -> Path:
    """Put the files of a commit, and nothing else, into an empty folder; return it."""
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    return folder


def build(tree: Path, folder: Path, epoch: int, targets: Iterable[str], zone: str = "UTC") -> None:
    """Build packages of an unpacked tree (``sdist``, ``wheel``) into a folder.

    ``zone`` is the time zone of the build; it must not matter.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder.resolve())]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"SOURCE_DATE_EPOCH": str(epoch), "TZ": zone, "P2P_HEARTS_LANG": "en"}
    for target in targets:
        done = subprocess.run(
            [*command, "-t", target], cwd=tree, env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"the build of the {target} failed:\n{done.stderr}")


def build_twice(folder: Path, work: Path) -> list[Path]:
    """Build sdist and wheel of the last commit into a folder, and again elsewhere; compare.

    The second time in a folder of another name and depth, in another time zone, and the wheel from
    the unpacked sdist, which so proves to hold all that a wheel is made of.
    """
    epoch = commit_time()
    build(unpack_commit(work / "one"), folder, epoch, ("sdist", "wheel"))
    again = work / "another" / "folder"
    second = unpack_commit(again / "tree")
    build(second, again, epoch, ("sdist",), "Asia/Jakarta")
    (source,) = again.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(again / "unpacked", filter="data")
    (tree,) = (again / "unpacked").iterdir()
    build(tree, again, epoch, ("wheel",), "America/Recife")
    files = sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])
    for file in files:
        if sha256(file) != sha256(again / file.name):
            raise NotTheSameError(f"{file.name} is not the same when it is built twice")
    (wheel,) = folder.glob("*.whl")
    if lacking := missing_from(wheel):
        raise NotTheSameError(f"{wheel.name} lacks {', '.join(lacking)}")
    return files


def missing_from(wheel: Path) -> list[str]:
    """Return what a wheel should have besides Python, and has not."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        catalogues = [name for name in names if name.endswith(".po")]
    wanted = [name[: -len("po")] + "mo" for name in catalogues] or ["catalogues"]
    lacking = [name for name in wanted if name not in names]
    shared = (MANUAL, *COMPLETIONS.values())
    return lacking + [
        place for place in shared if not any(name.endswith(f".data/data/{place}") for name in names)
    ]


def sha256(path: Path) -> str:
    """Return the digest of a file, as sha256sum writes it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True, text=True)
    return done.stdout.strip()
