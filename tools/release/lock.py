"""The lock file, and the part of it that the program needs to run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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


def read_lock(text: str) -> list[Locked]:
    """Return every pin of a lock file, in its order; a line of another kind is a ValueError.

    A package has several pins where other surroundings need another version of it.
    """
    found: list[Locked] = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if (pin := _PIN.fullmatch(line)) is not None:
            found.append(Locked(pin["name"], pin["version"], pin["marker"], ()))
        elif (one := _HASH.fullmatch(line)) is not None and found:
            found[-1] = replace(found[-1], hashes=(*found[-1].hashes, one["digest"]))
        else:
            raise ValueError(f"a line that no lock file has: {line}")
    return found


def lock_text(pins: Sequence[Locked]) -> str:
    """Return pins as a lock file that pip reads, and `read_lock`."""
    return "\n".join(item.lines() for item in pins) + "\n"


def to_run(lock: Sequence[Locked], program: str = PROGRAM) -> list[Locked]:
    """Return the pins that the installed program needs to run, by name, with what each needs.

    What they need is read from the installed packages. One that is not installed here, for it is
    for other surroundings, needs nothing that is known.
    """
    locked = {item.name for item in lock}
    needs: dict[str, tuple[str, ...]] = {}
    due = list(requirements_of(program))
    while due:
        name = due.pop()
        if name not in needs and name in locked:
            needs[name] = tuple(sorted(set(requirements_of(name)) & locked))
            due += needs[name]
    needed = [replace(item, needs=needs[item.name]) for item in lock if item.name in needs]
    return sorted(needed, key=lambda item: (item.name, item.version))


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
