"""The lock file, and the part of it that the program needs to run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parents[2]
LOCK: Final = ROOT / "requirements.lock"
PROGRAM: Final = "p2p-hearts"

_PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>.*?))?(?: \\)?")
_HASH = re.compile(r"    --hash=sha256:(?P<digest>[0-9a-f]{64})(?: \\)?")


@dataclass(frozen=True, slots=True)
class Locked:
    """One package of the lock: its name, version, for which surroundings, and the hashes allowed.

    ``hashes`` are the sha256 of its files, as hex; ``needs`` the names it requires, sorted.
    """

    name: str
    version: str
    marker: str | None
    hashes: tuple[str, ...]
    needs: tuple[str, ...] = ()

    def lines(self) -> str:
        """Return the package as pip's requirement files have it."""
        first = f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")
        return " \\\n    ".join([first, *(f"--hash=sha256:{digest}" for digest in self.hashes)])


def read_lock(text: str) -> dict[str, Locked]:
    """Return every package of a lock file, by name; a line of another kind is a ValueError."""
    found: dict[str, Locked] = {}
    name = ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if (pin := _PIN.fullmatch(line)) is not None:
            name = pin["name"]
            found[name] = Locked(name, pin["version"], pin["marker"], ())
        elif (one := _HASH.fullmatch(line)) is not None and name:
            last = found[name]
            hashes = (*last.hashes, one["digest"])
            found[name] = Locked(name, last.version, last.marker, hashes)
        else:
            raise ValueError(f"a line that no lock file has: {line}")
    return found


def to_run(lock: Mapping[str, Locked], program: str = PROGRAM) -> dict[str, Locked]:
    """Return the packages that the installed program needs to run, with what each needs.

    What they need is read from the installed packages. One that is not installed here, for it is
    for other surroundings, needs nothing that is known.
    """
    needed: dict[str, Locked] = {}
    due = list(requirements_of(program))
    while due:
        name = due.pop()
        if name in needed or name not in lock:
            continue
        item = lock[name]
        needs = tuple(sorted(set(requirements_of(name)) & set(lock)))
        needed[name] = Locked(item.name, item.version, item.marker, item.hashes, needs)
        due += needs
    return dict(sorted(needed.items()))


def requirements_of(name: str) -> Iterator[str]:
    """Yield the names that an installed package requires, for any surroundings, without extras."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker is None or "extra" not in str(wanted.marker):
            yield canonicalize_name(wanted.name)
