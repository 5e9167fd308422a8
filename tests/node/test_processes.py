"""Processes are ended without losing how they ended."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading

import pytest

from p2p_hearts.node.processes import cores, send

WAIT_SECONDS = 60.0


async def begun(script: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(sys.executable, "-c", script)


def test_send__to_a_process_that_has_just_ended_leaves_its_status_to_who_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever waits for asyncio is held between the end and the status: a thread, or the loop."""
    sent, take = threading.Event(), os.waitpid

    def held(pid: int, options: int) -> tuple[int, int]:
        if threading.current_thread() is not threading.main_thread():
            sent.wait(WAIT_SECONDS)
        return take(pid, options)

    async def script() -> int:
        monkeypatch.setattr(os, "waitpid", held)
        process = await begun("raise SystemExit(7)")
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        send(process, signal.SIGKILL)
        sent.set()
        return await asyncio.wait_for(process.wait(), WAIT_SECONDS)

    assert asyncio.run(script()) == 7
    assert not caplog.records


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_send__ends_a_process_and_does_nothing_once_it_has_ended(number: signal.Signals) -> None:
    async def script() -> int:
        process = await begun("import time; time.sleep(600)")
        send(process, number)
        status = await asyncio.wait_for(process.wait(), WAIT_SECONDS)
        send(process, number)
        return status

    assert asyncio.run(script()) == -number


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="a process may use them all")
def test_cores__are_those_that_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {1, 3, 5})
    assert cores() == 3
