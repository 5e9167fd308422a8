"""An audit in haste says the same as one that checks everything at once (SPEC.md section 9.2)."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.record.audit import Verdict, audit, audit_logs
from p2p_hearts.record.audit.memo import AT_ONCE, BATCH, Batch, FlawedError, Haste, Said
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record
from p2p_hearts.wire.messages import Kind
from tests.record.cheats import with_other_nonces
from tests.record.games import ONE_HAND, audit_bytes, cancellation_game, honest_game
from tests.record.maker import Game, write
from tests.record.test_audit_faults import CHEATS, GoesOn
from tools.vectors import match


class Log:
    """A log that can be read twice."""

    def __init__(self, log: bytes) -> None:
        self.log = log

    def __iter__(self) -> Iterator[Record]:
        return read_log(self.log)


def at_once(work: Callable[[], Flaw | None]) -> Callable[[], Flaw | None]:
    result = work()
    return lambda: result


def never(work: Callable[[], Flaw | None]) -> Callable[[], Flaw | None]:
    return lambda: None


def test_haste__tells_the_same_of_an_honest_log_with_threads() -> None:
    log = honest_game().log()
    with ThreadPoolExecutor(2) as pool:
        found = audit_logs([Log(log), Log(log)], start=lambda work: pool.submit(work).result)
    assert found.verdict is Verdict.CLEAN
    assert found.reports[0].to_dict() == audit_bytes(log).to_dict()


def test_haste__leaves_out_what_the_revealed_secrets_prove_anyway() -> None:
    log = honest_game().log()
    ran = checks_of(log)
    assert len(ran) == 4 + 51 + 4, "openings; plays; re-runs: and no shuffle, share, pass, re-mask"


def checks_of(log: bytes) -> list[Callable[[], object]]:
    """All checks that an audit in haste begins."""
    ran: list[Callable[[], object]] = []

    def start(work: Callable[[], Flaw | None]) -> Callable[[], Flaw | None]:
        assert isinstance(work, Batch)
        ran.extend(work.checks)
        return lambda: None

    haste = Haste(start)
    audit(read_log(log), memo=haste)
    haste.finish()
    return ran


@pytest.mark.parametrize("game", [honest_game, cancellation_game, lambda: left_game()])
def test_haste__has_checks_that_another_process_can_run(game: Callable[[], Any]) -> None:
    for check in checks_of(write(game().records())):
        again = pickle.loads(pickle.dumps(check))
        assert pickle.dumps(again) == pickle.dumps(check)


def left_game() -> object:
    """Somebody leaves with cards in hand, and the rest is claimed."""
    return match.play_match(4, True, Kind.SHARES)


@pytest.mark.parametrize("name", ["a duplicated card", "a wrong share", "a bad pass", "a revoke"])
def test_haste__finds_that_something_is_wrong(name: str) -> None:
    assert_flawed(Game(ONE_HAND, tamper=CHEATS[name][1]).run())


@pytest.mark.parametrize("kind", [Kind.SHARES, Kind.PLAY])
def test_haste__finds_that_a_secret_does_not_make_the_messages(kind: Kind) -> None:
    assert_flawed(GoesOn(ONE_HAND, tamper=with_other_nonces(kind)).run())


def audited(log: bytes, haste: Haste) -> None:
    audit(read_log(log), memo=haste)
    haste.finish()


def assert_flawed(game: Game) -> None:
    log = game.log()
    audited(log, Haste(never))
    with pytest.raises(FlawedError):
        audited(log, Haste(at_once))


def test_haste__is_given_up_for_a_log_with_a_fault() -> None:
    log = Game(ONE_HAND, tamper=CHEATS["a wrong share"][1]).run().log()
    found = audit_logs([Log(log)], start=at_once)
    assert [item.to_dict() for item in found.faults] == [
        item.to_dict() for item in audit_bytes(log).faults
    ]


def test_haste__has_a_bounded_number_of_checks_under_way() -> None:
    waiting: list[int] = []

    def start(work: Callable[[], Flaw | None]) -> Callable[[], Flaw | None]:
        waiting.append(1)

        def end() -> None:
            waiting.pop()

        return end

    haste = Haste(start)
    for number in range(3 * AT_ONCE * BATCH):
        said = Said(0, number, bytes(32), number.to_bytes(32, "big"))
        haste.once(said, lambda: Flaw.CARD_PROOF, lambda: None)
        assert len(waiting) <= AT_ONCE + 1
    assert waiting
