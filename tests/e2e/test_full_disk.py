"""A disk that fills in the middle of a match: a sentence, nothing lost, back once there is room."""

from __future__ import annotations

import contextlib
import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_resume import Evening

FULL = 4
"""Exit code of a game that did not reach its end, without a fault."""


def fails_with_a_sentence(evening: Evening, name: str) -> None:
    ended = evening.programs[name].end()
    assert ended.code == FULL
    (said,) = ended.sentences
    assert "cannot be written" in said
    assert "Nothing was sent; free some space" in said
    assert "Traceback" not in ended.err


def test_full_disk__ends_the_game_with_a_sentence_and_resume_goes_on(tmp_path: Path) -> None:
    """The quota of one player runs out while the log is written, in the middle of a record."""
    with contextlib.ExitStack() as stack:
        evening = Evening(tmp_path, stack, "--hands", "1", hold=(1, 3))
        evening.programs["Rui"].wait_held(1, 3)
        dewi = evening.programs["Dewi"].process.pid
        most = evening.log("Dewi").stat().st_size + 3000
        resource.prlimit(dewi, resource.RLIMIT_FSIZE, (most, most))
        evening.programs["Rui"].let_go()
        fails_with_a_sentence(evening, "Dewi")
        assert evening.log("Dewi").stat().st_size <= most
        others = [name for name in evening.programs if name != "Dewi"]
        assert all(evening.programs[name].process.poll() is None for name in others)
        evening.resume("Dewi")
        evening.check_ends_clean()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 640 kB; needs root."""
    folder = tmp_path / "Dewi"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=640k", "hearts-test", str(folder)]
    subprocess.run(mount, check=True, timeout=60)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False, timeout=60)


@pytest.mark.lan
@pytest.mark.parametrize("number", [0, 4], ids=["deal", "play"])
def test_full_disk__of_a_real_file_system_is_survived_at_any_stage(
    tmp_path: Path, small_disk: Path, number: int
) -> None:
    with contextlib.ExitStack() as stack:
        evening = Evening(tmp_path, stack, "--hands", "1", hold=(1, number))
        rui = evening.programs["Rui"]
        rui.wait_event("formed")
        if number:
            rui.wait_held(1, number)
        ballast = small_disk / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
        rui.let_go()
        fails_with_a_sentence(evening, "Dewi")
        ballast.unlink()
        evening.resume("Dewi")
        evening.check_ends_clean()
