"""A LAN that falls apart and heals, with lost frames, with long delays: one history, no blame."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.lan.switch import SoftLan
from tests.lan.test_lan import PLAYERS, Game, audited_alike, tricks
from tests.programs import Program

pytestmark = pytest.mark.lan

SPLITS: dict[str, Sequence[Sequence[int]]] = {
    "2-2": ((0, 1), (2, 3)),
    "3-1": ((0, 1, 2), (3,)),
    "1-3": ((1, 2, 3), (0,)),
    "1-1-1-1": ((0,), (1,), (2,), (3,)),
}
WEATHERS = {
    "fair": (0.0, 0.0),
    "loss of 10 %": (0.0, 0.10),
    "delay of 200 ms": (0.2, 0.0),
}
LONG = 90.0
SHORT = 5.0
WHOLE_MATCH = 600.0


def reaches(program: Program, wanted: int, seconds: float) -> bool:
    """Wait for so many tricks; False if the hand was over before, as by a claim of the rest."""

    def found() -> str | None:
        for event in program.events:
            if event["event"] == "progress" and event["tricks"] >= wanted:
                return "tricks"
        told = {event["event"] for event in program.events}
        return "done" if "done" in told else None

    return program.wait(found, seconds) == "tricks"


def play_through(
    lan: SoftLan, folder: Path, splits: Sequence[str], seconds: float, pace: str = "0.05"
) -> None:
    """Split the LAN once for each trick so named, heal it, and play the match to its end."""
    with Game(lan, folder) as game:
        opened = game.start(0, "--pace", pace, hands=1).wait_event("open", WHOLE_MATCH)
        for number in range(1, len(PLAYERS)):
            # At its address: multicast is not repeated when it is lost.
            where = f"{lan.address(0)}:{opened['port']}#{opened['code']}"
            game.start(number, "--pace", pace, hands=1, where=where)
        watched = game.programs[1]
        for number, name in enumerate(splits):
            if not reaches(watched, 2 + 2 * number, 300):
                break
            lan.split(*SPLITS[name])
            time.sleep(seconds)
            lan.heal()
            healed, (_, before) = time.monotonic(), tricks(watched)
            reaches(watched, before + 1, 300)
            print(f"{name}: {seconds:.0f} s apart, on {time.monotonic() - healed:.1f} s later")
        for program in game.programs.values():
            ended = program.end(WHOLE_MATCH)
            assert (ended.code, ended.err) == (0, "")
            assert program.wait_event("done")["fault"] is None
        logs = [program.log for program in game.programs.values()]
        assert audited_alike(*logs)["hands"] == 1
    print(f"{lan.carried} frames carried, {lan.lost} lost")


@pytest.mark.parametrize(
    "weather",
    [
        "fair",
        "loss of 10 %",
        pytest.param("delay of 200 ms", marks=pytest.mark.deep),
    ],
)
def test_partition__healed_after_seconds_leaves_one_history_and_no_blame(
    tmp_path: Path, weather: str
) -> None:
    delay, loss = WEATHERS[weather]
    splits = list(SPLITS) if weather == "fair" else ["2-2"]
    with SoftLan(len(PLAYERS), delay, loss) as lan:
        play_through(lan, tmp_path, splits, SHORT)


@pytest.mark.deep
@pytest.mark.parametrize("weather", WEATHERS)
@pytest.mark.parametrize("split", SPLITS)
def test_partition__healed_after_minutes_leaves_one_history_and_no_blame(
    tmp_path: Path, split: str, weather: str
) -> None:
    delay, loss = WEATHERS[weather]
    with SoftLan(len(PLAYERS), delay, loss) as lan:
        # So slow that three who go on without one are not at their end before it is back.
        play_through(lan, tmp_path, [split], LONG, pace="1")
