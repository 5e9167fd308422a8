"""A full screen whose process was stopped: what its shell did to the terminal, and what it does."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import termios
from collections.abc import Awaitable, Callable

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output

Run = Callable[[], Awaitable[object]]
Close = Callable[[], None]


def check_takes_the_terminal_again(make: Callable[[Input, Output], tuple[Run, Close]]) -> None:
    """Check a full screen by what it does to a real terminal after SIGCONT, and at its end.

    ``make`` returns what runs it and what closes it; something of a table called "Sunday" must be
    on it.
    """
    person, terminal = os.openpty()
    shells = termios.tcgetattr(terminal)
    written = io.StringIO()

    async def until(met: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not met():
                await asyncio.sleep(0.01)

    def is_drawn(times: int) -> bool:
        screens = written.getvalue().split("\x1b[?1049h")[1:]
        return len(screens) == times and "Sunday" in screens[-1]

    def reads_single_keys() -> bool:
        return not termios.tcgetattr(terminal)[3] & (termios.ICANON | termios.ECHO)

    async def script(source: Input) -> None:
        run, close = make(source, Vt100_Output(written, lambda: Size(24, 80), term="xterm"))
        running = asyncio.ensure_future(run())
        await until(lambda: is_drawn(1))
        assert reads_single_keys()
        termios.tcsetattr(terminal, termios.TCSANOW, shells)
        os.kill(os.getpid(), signal.SIGCONT)
        await until(lambda: is_drawn(2))
        assert reads_single_keys()
        close()
        await asyncio.wait_for(running, 60)
        assert termios.tcgetattr(terminal) == shells

    before = signal.getsignal(signal.SIGCONT)
    try:
        with os.fdopen(terminal, encoding="ascii") as file:
            asyncio.run(script(Vt100Input(file)))
    finally:
        signal.signal(signal.SIGCONT, before)
        os.close(person)
