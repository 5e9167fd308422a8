"""What a person waits for: the first picture of a table, a key press drawn, ``--help``.

The first picture is that of the real program in a pseudo-terminal, the interpreter's start
included. A key press goes through the whole full screen: bytes, keys, state, picture, renderer.
"""

from __future__ import annotations

import asyncio
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from statistics import median

from tools.bench.primitives import Floor, best

FIRST_PAINT_SECONDS = 0.7
"""What `play` may take to its first picture."""
KEY_SECONDS = 0.05
"""What a key press may take to be drawn."""
HELP_SECONDS = 0.15
"""What ``--help`` may take."""

ROUNDS = 5
KEYS = 60


def run(floor: Floor) -> None:
    """Print each figure beside what it may be."""
    paint = sorted(first_paint() for _ in range(ROUNDS))
    _row("first picture of play", median(paint), FIRST_PAINT_SECONDS, f"best {_ms(paint[0])}")
    for columns, rows in ((60, 18), (120, 40), (200, 60)):
        times = asyncio.run(key_times(columns, rows))
        _row(
            f"a key press drawn at {columns}x{rows}",
            median(times),
            KEY_SECONDS,
            f"worst {_ms(max(times))}",
        )
    helped, bare = help_seconds()
    _row("--help", helped, HELP_SECONDS, f"the interpreter alone takes {_ms(bare)}")


def _row(what: str, seconds: float, most: float, more: str) -> None:
    told = "" if seconds <= most else "  TOO SLOW"
    print(f"{what}: {_ms(seconds)} (at most {_ms(most)}; {more}){told}")


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms"


def first_paint() -> float:
    """Return the seconds from the start of ``play`` until its screen has been drawn."""
    with tempfile.TemporaryDirectory(prefix="p2p-hearts-bench-") as home:
        ours, theirs = pty.openpty()
        begun = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "p2p_hearts", "play", "--home", home, "--nick", "Ana"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(theirs)
        try:
            told = b""
            while b"Ana" not in told:  # the name of the table, in the header
                if not select.select([ours], [], [], 30)[0]:
                    raise RuntimeError("nothing was drawn in 30 s")
                told += os.read(ours, 65536)
            return time.perf_counter() - begun
        finally:
            process.terminate()
            process.wait()
            os.close(ours)


async def key_times(columns: int, rows: int) -> list[float]:
    """Return the seconds that each of many key presses takes to be drawn."""
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.input import create_pipe_input
    from prompt_toolkit.output.vt100 import Vt100_Output

    from p2p_hearts.ui.app import FullScreen
    from tests.ui.scenes import STATUS
    from tests.ui.tables import Table

    table, times = Table(), []
    with create_pipe_input() as keys, open(os.devnull, "w", encoding="utf-8") as sink:  # noqa: PTH123
        drawn = asyncio.Event()

        class Output(Vt100_Output):
            def flush(self) -> None:
                super().flush()
                drawn.set()

        front = FullScreen(
            table.callbacks(),
            autoplay_seconds=None,
            pace=0,
            terminal_input=keys,
            terminal_output=Output(sink, lambda: Size(rows=rows, columns=columns)),
        )
        table.front = front
        running = asyncio.create_task(front.run())
        await asyncio.sleep(0.1)
        front.show(table.game.view() if table.game.hands else None, STATUS)
        table.go_on()
        await asyncio.sleep(0.1)
        for number in range(KEYS):
            drawn.clear()
            begun = time.perf_counter()
            keys.send_text("\x1b[C" if number % 2 else "s")
            await asyncio.wait_for(drawn.wait(), 5)
            times.append(time.perf_counter() - begun)
            await asyncio.sleep(0.005)
        front.close()
        await running
    return times


def help_seconds() -> tuple[float, float]:
    """Return the seconds of ``--help``, and of the bare interpreter."""
    command = [sys.executable, "-m", "p2p_hearts", "--help"]
    helped = best(
        lambda: subprocess.run(command, capture_output=True, check=True),
        rounds=ROUNDS,
        clock=time.perf_counter,
    )
    bare = best(
        lambda: subprocess.run([sys.executable, "-c", ""], check=True),
        rounds=ROUNDS,
        clock=time.perf_counter,
    )
    return helped, bare
