"""A player that thinks has a process of its own; nobody waits, and a move is always legal."""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path

import pytest

from p2p_hearts.bots.player import make_player
from p2p_hearts.i18n import use
from p2p_hearts.node import thinking
from p2p_hearts.node.thinking import Adviser, OwnProcess, Quick, _Process, make_thinker
from p2p_hearts.node.worker import LENGTH, Deadlines, Question, pack, serve, unpack
from p2p_hearts.rules.cards import CardSet, contains, of_faces, size
from tests.bots.searcher import make_quick
from tests.ui.scenes import my_turn, passing_game


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is given up only because the machine is busy."""
    monkeypatch.setattr(thinking, "PATIENCE_SECONDS", 240.0)


def test_own_process__decides_while_the_loop_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process does not begin before the loop has gone on."""
    go, program = tmp_path / "go", tmp_path / "python"
    wait = f'while [ ! -e "{go}" ]; do sleep 0.02; done'
    program.write_text(f'#!/bin/sh\n{wait}\nexec "{sys.executable}" "$@"\n')
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))

    async def script() -> tuple[bool, bool]:
        thinker = make_thinker("hard", 0.2)
        assert isinstance(thinker, OwnProcess)
        view = passing_game().view()
        passing = asyncio.create_task(thinker.choose_pass(view))
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert not passing.done()
        go.touch()
        passed = await passing
        card = await thinker.choose_card(my_turn())
        await thinker.close()
        fits = size(passed) == 3 and of_faces(view.hand, passed) == passed
        return fits, contains(my_turn().legal, card)

    assert asyncio.run(script()) == (True, True)


def test_own_process__is_asked_for_the_pass_as_well_as_for_the_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def instead(level: str) -> object:
        raise AssertionError("another player decided")

    async def script() -> CardSet:
        thinker = OwnProcess("hard", 0.05)
        passed = await thinker.choose_pass(passing_game().view())
        await thinker.close()
        return passed

    monkeypatch.setattr(thinking, "make_player", instead)
    assert size(asyncio.run(script())) == 3


def test_own_process__that_fails_is_replaced_by_a_player_that_needs_no_time() -> None:
    async def script() -> object:
        thinker = OwnProcess("no such level", 0.1)
        card = await thinker.choose_card(my_turn())
        passed = await thinker.choose_pass(passing_game().view())
        await thinker.close()
        return card, passed

    normal = make_player("normal")
    expected = normal.choose_card(my_turn()), normal.choose_pass(passing_game().view())
    assert asyncio.run(script()) == expected


def test_own_process__that_fails_leaves_in_the_log_why(caplog: pytest.LogCaptureFixture) -> None:
    async def script() -> None:
        thinker = OwnProcess("no such level", 0.1)
        await thinker.choose_card(my_turn())
        await thinker.close()

    asyncio.run(script())
    (record,) = caplog.records
    assert record.levelname == "ERROR"  # what a report of a crash is written of
    assert record.exc_info is not None
    told = str(record.exc_info[1])
    assert told.startswith("Traceback")
    assert "no such level" in told


def test_process__that_complains_at_length_is_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """More than a reader takes in by itself: the end of the pipe lies behind it."""
    fails = "import os, sys, time; sys.stderr.write('no' * 80_000); os.close(1); time.sleep(600)"
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{fails}"\n')
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))

    async def script() -> object:
        return await asyncio.wait_for(_Process("hard", 0.1).ask(Question.CARD, my_turn()), 60)

    assert asyncio.run(script()) is None
    (record,) = caplog.records
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "no" * 80_000


def test_own_process__an_answer_that_may_not_be_played_is_not_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def wrong(self: object, question: Question, view: object) -> int:
        return 51 if question is Question.CARD else 0

    monkeypatch.setattr(_Process, "ask", wrong)
    view = my_turn()
    assert not contains(view.legal, 51)  # type: ignore[arg-type]
    card = asyncio.run(OwnProcess("hard", 0.1).choose_card(view))
    assert contains(view.legal, card)
    assert size(asyncio.run(OwnProcess("hard", 0.1).choose_pass(passing_game().view()))) == 3


def test_make_thinker__needs_no_process_for_players_that_do_not_think() -> None:
    thinker = make_thinker("normal", 0.3)
    assert isinstance(thinker, Quick)
    assert asyncio.run(thinker.choose_card(my_turn())) == make_player("normal").choose_card(
        my_turn()
    )


def test_serve__answers_until_the_questions_end() -> None:
    player, answers = make_quick("hard"), io.BytesIO()
    asked = pack((Question.PASS, passing_game().view())) + pack((Question.CARD, my_turn()))
    asked += pack((Question.HINT, my_turn()))
    serve(player, lambda view: f"{view.seat}: low", io.BytesIO(asked), answers)
    answers.seek(0)
    told = []
    while head := answers.read(LENGTH.size):
        told.append(unpack(answers.read(LENGTH.unpack(head)[0])))
    card, passed = player.choose_card(my_turn()), player.choose_pass(passing_game().view())
    assert told == [passed, card, f"{my_turn().seat}: low"]


def test_adviser__gives_a_hint_in_the_language_that_is_spoken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def script(adviser: Adviser) -> str:
        advice = await adviser.advise(my_turn())
        await adviser.close()
        return advice

    def no_search(view: object, player: object) -> str:
        raise AssertionError("the table itself searched")

    monkeypatch.setattr(thinking, "advise", no_search)
    use("pt")
    try:
        assert asyncio.run(script(Adviser(0.05))).startswith("Jogue ")
    finally:
        use("en")


def test_adviser__whose_process_fails_thinks_for_a_moment_itself() -> None:
    async def script() -> str:
        adviser = Adviser(0.05)
        adviser._process = _Process("no such level", 0.05)
        advice = await adviser.advise(my_turn())
        await adviser.close()
        return advice

    assert asyncio.run(script()).startswith("Play ")


def test_process__that_was_not_waited_for_gives_no_answer_to_the_next_question() -> None:
    async def script() -> object:
        process = _Process("hard", 0.2)
        first = asyncio.create_task(process.ask(Question.CARD, my_turn()))
        while process._process is None:
            await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        answer = await process.ask(Question.PASS, passing_game().view())
        await process.close()
        return answer

    cards = asyncio.run(script())
    assert isinstance(cards, int)
    assert size(cards) == 3  # type: ignore[arg-type]


def test_unpack__refuses_what_is_no_frame() -> None:
    with pytest.raises(ValueError, match="not a frame"):
        unpack(b"")
    with pytest.raises(ValueError, match="not a frame"):
        unpack(b"cno_module\nno_name\n.")


def test_deadlines__begin_when_they_are_asked_for() -> None:
    now = 10.0
    budgets = Deadlines(0.5, lambda: now)
    once, thrice = budgets(1.0), budgets(3.0)
    now = 10.4
    assert once.allows(10**9)
    now = 10.6
    assert not once.allows(0)
    assert thrice.allows(0)
