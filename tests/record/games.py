"""Games that several tests look at, made once; and one memory of checked proofs for all audits."""

from __future__ import annotations

from functools import cache

from p2p_hearts.record.audit import Report, audit
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.log import read_log
from p2p_hearts.rules.options import PRESETS, RuleSet
from tests.protocol import opinion
from tests.record.maker import Game, Records, write

ONE_HAND = RuleSet(hands=1)

MEMO = Memo()
"""Results by history and content: a game that differs from another one late is cheap to audit."""


@cache
def honest_game() -> Game:
    """A match of one hand, with a pass, by four honest seats."""
    return Game(ONE_HAND).run()


@cache
def long_game() -> Game:
    """Two hands: heads and counts go on from hand to hand."""
    return Game(RuleSet(hands=2), seed="long").run()


@cache
def cancellation_game() -> Game:
    """Six seats, two packs, a widow, no opening card, no pass."""
    return Game(PRESETS["cancellation"].with_options({"hands": "1"}), seed="cancellation").run()


def audit_bytes(log: bytes) -> Report:
    report = audit(read_log(log), memo=MEMO)
    opinion.ask(report, [log])
    return report


def audit_records(records: Records) -> Report:
    return audit_bytes(write(records))


def audit_game(game: Game) -> Report:
    return audit_records(game.records())
