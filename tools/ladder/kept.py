"""What was played before: deals, hands and matches in files, one a line, each played once only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from p2p_hearts.bots.search import VERSION

Line = dict[str, float]
"""One deal, hand or match by the names of its figures, ``seed`` among them."""


class Kept:
    """Finished deals or matches in a file, one a line: a long contest may be done in parts."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._path = None if folder is None else folder / f"{name}.jsonl"
        self.found: dict[int, Line] = {}
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lines = self._path.read_text().splitlines() if self._path.exists() else []
            self.found = {line["seed"]: line for line in map(json.loads, lines)}

    def add(self, line: Line) -> None:
        """Note one that is finished."""
        self.found[int(line["seed"])] = line
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")

    def missing(self, seeds: Sequence[int]) -> list[int]:
        """Return the seeds that are still to be played."""
        return [seed for seed in seeds if seed not in self.found]

    def of(self, seeds: Sequence[int]) -> Iterator[Line]:
        """Yield what is known of ``seeds``, in order."""
        return (self.found[seed] for seed in seeds if seed in self.found)


def kept_name(preset: str, one: str, others: str, number: int) -> str:
    """Return the name of a contest's file; another version of ``hard`` has a file of its own."""
    return f"{preset}-{one}-{others}-{number}-v{VERSION}"
