"""A terminal is taken again only by a screen that has it, and only where there still is one."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import termios

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_hearts.ui.terminal import take_again


class Gone(io.StringIO):
    """What is written to a terminal that hangs up some time."""

    hung_up = False

    def write(self, text: str) -> int:
        if self.hung_up:
            raise OSError(errno.EIO, "Input/output error")
        return super().write(text)


def output_to(file: io.StringIO) -> Vt100_Output:
    return Vt100_Output(file, lambda: Size(24, 80), term="xterm")


def test_take_again__of_a_screen_that_has_ended_leaves_the_terminal_as_it_is() -> None:
    """Its last tasks end after the terminal was given back: nobody would do so once more."""
    person, terminal = os.openpty()
    settings, written = termios.tcgetattr(terminal), io.StringIO()
    with os.fdopen(terminal, encoding="ascii") as file:
        app: Application[None] = Application(input=Vt100Input(file), output=output_to(written))
        before = written.getvalue()
        take_again(app)
        assert (termios.tcgetattr(terminal), written.getvalue()) == (settings, before)
    os.close(person)


def test_take_again__of_a_terminal_that_has_hung_up_is_no_failure() -> None:
    """Whoever closes a window sends SIGHUP and SIGCONT: that they left is for the reader to say."""

    async def script() -> None:
        with create_pipe_input() as keys:
            file = Gone()
            app: Application[None] = Application(
                input=keys, output=output_to(file), full_screen=True
            )
            running = asyncio.ensure_future(app.run_async())
            async with asyncio.timeout(60):
                while not app.is_running or not file.getvalue():
                    await asyncio.sleep(0.01)
            file.hung_up = True
            take_again(app)
            file.hung_up = False
            app.exit()
            await asyncio.wait_for(running, 60)

    asyncio.run(script())
