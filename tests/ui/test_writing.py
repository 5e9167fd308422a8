"""Lines from a pipe, however it cuts them."""

from __future__ import annotations

import asyncio
import os

import pytest

from p2p_hearts.ui.writing import LONGEST_LINE, LineReader


def read_in_pieces(*pieces: bytes) -> list[str]:
    """Return the lines that are read where each piece comes by itself."""
    lines: list[str] = []

    async def script() -> None:
        ended = asyncio.Event()
        reading, writing = os.pipe()
        with os.fdopen(reading, encoding="utf-8") as source:
            reader = LineReader(source, lines.append, ended.set)
            reader.start()
            for piece in pieces:
                os.write(writing, piece)
                await asyncio.sleep(0.01)
            os.close(writing)
            await asyncio.wait_for(ended.wait(), 60)

    asyncio.run(script())
    return lines


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([b"one\r\ntwo\r\n"], ["one", "two"]),
        ([b"one\r", b"\ntwo\r", b"\n"], ["one", "two"]),
        ([b"one\r", b"\n", b"\n", b"two"], ["one", "", "two"]),
        ([b"one\r", b"two\r", b"\r"], ["one", "two", ""]),
        ([b"\xc3", b"\xa9\n", b"\xff\n"], ["é", "\ufffd"]),
        ([b"x" * 3 * LONGEST_LINE, b"\nnext\n"], ["x" * LONGEST_LINE, "next"]),
    ],
)
def test_line_reader__an_end_of_a_line_in_two_pieces_is_one_end(
    pieces: list[bytes], lines: list[str]
) -> None:
    assert read_in_pieces(*pieces) == lines
