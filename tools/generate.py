"""Make what comes from the code in protocol/ and docs/: ``python -m tools.generate`` (make docs).

    protocol/SPEC.md         the parts between "generated" markers
    protocol/messages.json   every struct
    protocol/vectors/*.json  accepted inputs and their rejected twins
    docs/man/p2p-hearts.1    the manual page

The same code always makes the same bytes. With ``--check`` nothing is written; the exit code is 1
if a file would change.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tools import manual, spec_parts
from tools.vectors import all_files

PROTOCOL: Final = Path(__file__).resolve().parent.parent / "protocol"


def generated() -> Mapping[Path, str]:
    """Return every generated file with the text it should have."""
    spec = PROTOCOL / "SPEC.md"
    texts = {
        spec: spec_parts.fill(spec.read_text(encoding="utf-8")),
        PROTOCOL / "messages.json": spec_parts.schema(),
        manual.PAGE: manual.page(),
    }
    for name, text in all_files().items():
        texts[PROTOCOL / "vectors" / name] = text
    return texts


def stale(texts: Mapping[Path, str]) -> list[Path]:
    """Return the files that differ from their text, and vectors that nothing makes any more."""
    kept = {path for path in (PROTOCOL / "vectors").glob("*.json") if path not in texts}
    changed = {
        path
        for path, text in texts.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    return sorted(kept | changed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what changed, or with ``--check`` only name it."""
    parser = argparse.ArgumentParser(prog="python -m tools.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    check = parser.parse_args(arguments).check
    texts = generated()
    changed = stale(texts)
    for path in changed:
        print(path.relative_to(PROTOCOL.parent), "is stale" if check else "written")
        if check:
            continue
        if path in texts:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[path], encoding="utf-8", newline="\n")
        else:
            path.unlink()
    return int(check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
