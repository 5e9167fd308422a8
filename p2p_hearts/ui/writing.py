"""Lines to and from plain streams: a terminal, a pipe, a file, or nothing at all."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import threading
from collections.abc import Callable
from typing import TextIO

from p2p_hearts.ui.words import ascii_letter

_CHUNK = 4096
"""Bytes read at once."""

LONGEST_LINE = 1000
"""Characters of a line that are kept: a person types less, and a pipe may not fill the memory."""


def write_line(stream: TextIO, sentence: str) -> bool:
    """Write one line at once and return whether somebody can still read it.

    What the stream's encoding lacks is replaced by its nearest ASCII letters, or question marks.
    """
    encoding = getattr(stream, "encoding", None) or "utf-8"
    text = "".join(
        letter if _fits(letter, encoding) else ascii_letter(letter) for letter in sentence
    )
    try:
        stream.write(text + "\n")
        stream.flush()
    except (OSError, ValueError):
        return False
    return True


def write_bell(stream: TextIO) -> None:
    """Ring the bell of a terminal; a file or a pipe has none."""
    with contextlib.suppress(OSError, ValueError):
        if stream.isatty():
            stream.write("\a")
            stream.flush()


def _fits(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


class LineReader:
    """Reads lines without blocking the event loop.

    A pipe or a terminal is watched by the loop. What the loop cannot watch (a regular file, a
    console of Windows) is read by a thread, which holds no lock of the interpreter's own
    standard input, so that it never hinders the exit.

    Args:
        stream: what to read; one without a file descriptor is read by its `readline`.
        on_line: called in the loop with each line, without its end.
        on_end: called in the loop once, at the end of the input.

    """

    def __init__(
        self, stream: TextIO, on_line: Callable[[str], None], on_end: Callable[[], None]
    ) -> None:
        self._stream = stream
        self._on_line = on_line
        self._on_end = on_end
        encoding = getattr(stream, "encoding", None) or "utf-8"
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._rest = ""
        self._is_half = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watched: int | None = None
        self._open = False

    def start(self) -> None:
        """Begin to read; call in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._open = True
        try:
            descriptor = self._stream.fileno()
        except (OSError, ValueError):
            self._in_thread(self._read_stream)
            return
        try:
            self._loop.add_reader(descriptor, self._ready, descriptor)
            self._watched = descriptor
        except (OSError, NotImplementedError, ValueError):
            self._in_thread(lambda: os.read(descriptor, _CHUNK))

    def stop(self) -> None:
        """Stop reading; no callback comes after it."""
        self._open = False
        if self._watched is not None and self._loop is not None:
            self._loop.remove_reader(self._watched)
            self._watched = None

    def _ready(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""  # the terminal is gone
        self._take(data)

    def _read_stream(self) -> bytes:
        line = self._stream.readline()
        return line.encode(getattr(self._stream, "encoding", None) or "utf-8", "replace")

    def _in_thread(self, read: Callable[[], bytes]) -> None:
        def pump() -> None:
            data = b"?"
            while data and self._open:
                try:
                    data = read()
                except (OSError, ValueError):
                    data = b""
                if self._loop is None:
                    return
                with contextlib.suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(self._take, data)

        threading.Thread(target=pump, name="line input", daemon=True).start()

    def _take(self, data: bytes) -> None:
        """Take bytes, none at the end of the input."""
        if not self._open:
            return
        text = self._decoder.decode(data, final=not data)
        # The two halves of one "\r\n" may come one after the other.
        self._rest += text.removeprefix("\n") if self._is_half else text
        if text:
            self._is_half = text.endswith("\r")
        *lines, self._rest = self._rest.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if len(self._rest) > LONGEST_LINE:
            self._rest = self._rest[:LONGEST_LINE]
        for line in lines:
            if self._open:
                self._on_line(line[:LONGEST_LINE])
        if not data and self._open:
            last, self._rest = self._rest, ""
            if last:
                self._on_line(last)
            if self._open:
                self.stop()
                self._on_end()
