from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from p2p_hearts.record.audit import (
    Comparison,
    Tables,
    Verdict,
    audit_tables,
    compare,
    compare_tables,
    exit_code,
)
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind
from tests.record.cheats import Once, with_flipped
from tests.record.games import ONE_HAND, audit_bytes, honest_game, long_game
from tests.record.maker import Game, write


def together(*logs: bytes) -> Comparison:
    return compare([audit_bytes(log) for log in logs])


def test_compare__says_clean_of_the_logs_of_all_seats() -> None:
    game = honest_game()
    found = together(*(game.log(owner) for owner in range(4)))
    assert found.verdict is Verdict.CLEAN, found.summary
    assert exit_code(found) == 0
    assert found.summary[-1] == "All 4 logs hold the same history and the same scores."
    assert {report.owner for report in found.reports} == {
        player.identity.public for player in game.players
    }


def test_compare__checks_every_proof_once() -> None:
    class Counting(Memo):
        checks = 0

        def _result(self, *asked: Any) -> object:
            self.checks += 1
            return super()._result(*asked)

    game, memo = honest_game(), Counting()
    from p2p_hearts.record.audit import audit

    for _ in range(3):
        assert audit(read_log(game.log()), memo=memo).verdict is Verdict.CLEAN
    assert memo.checks == 4 * 8 + 51, (
        "key, shuffle, escrow, shares, pass, re-mask, open, re-run; plays"
    )


def test_compare__of_one_log_is_its_audit() -> None:
    (found,) = audit_tables([read_log(honest_game().log())], ["seat-1.hearts"]).tables
    assert found.verdict is Verdict.CLEAN
    assert found.summary == found.reports[0].summary
    assert found.names == ("seat-1.hearts",)


def test_compare__tells_plain_values() -> None:
    game = long_game()
    found = together(game.log(), game.log(1), write(game.records()[:-1]))
    told = found.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["verdict"] == "incomplete"
    assert told["hands"] == 2, "the fullest log is the one to show"
    assert told["scores"] == [list(scores) for scores in game.match.hands]
    logs = told["logs"]
    assert isinstance(logs, list)
    assert [log["verdict"] for log in logs] == ["clean", "clean", "incomplete"]


def test_compare__calls_a_log_that_lacks_records_incomplete() -> None:
    game = honest_game()
    found = together(game.log(), write(game.records()[:-5]))
    assert found.verdict is Verdict.INCOMPLETE
    assert exit_code(found) == 3
    assert found.differences == ("log 2 lacks 5 of 363 messages that the others hold",)
    assert any(sentence.startswith("log 2: Incomplete") for sentence in found.summary)


def test_compare__is_unreadable_if_a_log_is() -> None:
    game = honest_game()
    found = together(game.log(), b"no log at all, but long enough")
    assert found.verdict is Verdict.UNREADABLE
    assert exit_code(found) == 2
    assert found.reports[0].verdict is Verdict.CLEAN


def test_compare__takes_the_logs_of_one_table_alone() -> None:
    with pytest.raises(ValueError, match="several tables"):
        together(honest_game().log(), long_game().log())


def by_table(*logs: bytes) -> Tables:
    return compare_tables([audit_bytes(log) for log in logs])


def test_tables__that_are_clean_have_each_a_clean_verdict_and_scores_of_their_own() -> None:
    one, other = honest_game(), long_game()
    logs = one.log(), other.log(), one.log(1)
    for found in (by_table(*logs), audit_tables([read_log(log) for log in logs])):
        assert found.verdict is Verdict.CLEAN
        assert exit_code(found) == 0
        assert [table.verdict for table in found.tables] == [Verdict.CLEAN] * 2
        assert [table.names for table in found.tables] == [("log 1", "log 3"), ("log 2",)]
        assert [table.fullest.scores for table in found.tables] == [
            one.match.hands,
            other.match.hands,
        ]
        assert (
            found.tables[0].summary[-1] == "All 2 logs hold the same history and the same scores."
        )
        assert found.summary == (
            "The logs are of 2 tables, and each is judged by itself; 2 of 2 clean.",
        )


def test_tables__compare_the_logs_of_each_and_the_gravest_verdict_counts() -> None:
    one, other = split_game()
    found = by_table(one, long_game().log(), other)
    assert [table.verdict for table in found.tables] == [Verdict.FAULT, Verdict.CLEAN]
    assert (found.verdict, exit_code(found)) == (Verdict.FAULT, 1)
    cut = write(honest_game().records()[:-5])
    found = by_table(long_game().log(), honest_game().log(), cut)
    assert [table.verdict for table in found.tables] == [Verdict.CLEAN, Verdict.INCOMPLETE]
    assert found.tables[1].differences == ("log 3 lacks 5 of 363 messages that the others hold",)
    assert exit_code(found) == 3


def test_tables__a_log_that_tells_none_is_of_the_only_one_and_else_by_itself() -> None:
    damaged = b"no log at all, but long enough"
    found = by_table(damaged, honest_game().log())
    assert [table.names for table in found.tables] == [("log 1", "log 2")]
    found = by_table(damaged, honest_game().log(), long_game().log(), damaged)
    assert [len(table.reports) for table in found.tables] == [1] * 4
    assert [str(table.verdict) for table in found.tables] == [
        "unreadable", "clean", "clean", "unreadable",
    ]  # fmt: skip
    assert exit_code(found) == 2
    assert found.summary[0].endswith("; 2 of 4 clean.")


def test_tables__tell_plain_values_each() -> None:
    told = by_table(honest_game().log(), long_game().log()).to_dict()
    assert json.loads(json.dumps(told)) == told
    tables = told["tables"]
    assert isinstance(tables, list)
    assert [table["verdict"] for table in tables] == ["clean", "clean"]
    assert told["verdict"] == "clean"
    alone = by_table(honest_game().log())
    assert alone.to_dict() == alone.tables[0].to_dict()


def test_compare__refuses_no_log_and_names_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="no log"):
        audit_tables([])
    with pytest.raises(ValueError, match="no log"):
        compare([])
    unread: Iterator[Record] = (pytest.fail("read in vain") for _ in range(1))
    with pytest.raises(ValueError, match="have 2 names"):
        audit_tables([unread], ["a", "b"])
    with pytest.raises(ValueError, match="have 2 names"):
        compare([audit_bytes(honest_game().log())], ["a", "b"])


def split_game() -> tuple[bytes, bytes]:
    """A liar shows one shuffle to some and another one to others; each log holds one of them."""
    logs = []
    for tamper in (None, Once(Kind.SHUFFLE, with_flipped("proof"))):
        game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.SHARES)
        if tamper is not None:
            game.tamper = tamper
        game.run()
        shuffle = next(
            at for at, item in enumerate(game.contents) if item.content.kind == "shuffle"
        )
        logs.append(write(game.records()[: 2 + shuffle + 1]))
    return logs[0], logs[1]


def test_compare__convicts_who_said_two_things_to_two_peers() -> None:
    one, other = split_game()
    assert audit_bytes(one).verdict is Verdict.INCOMPLETE
    found = together(one, other)
    assert found.verdict is Verdict.FAULT
    assert exit_code(found) == 1
    assert Rule.TWO_CONTENTS in {item.fault.rule for item in found.faults}
    assert {item.player.seat for item in found.faults} == {audit_bytes(one).dealer}
    (fault,) = (item for item in found.faults if item.fault.rule is Rule.TWO_CONTENTS)
    assert {fault.fault.evidence[0], fault.fault.evidence[1]} <= {
        record.data for log in (one, other) for record in read_log(log)
    }
    assert fault.sentence in found.summary


class OtherPlays(Game):
    """The same table, on which everybody plays another card at the end: a made-up game."""

    def choose(self, seat: int, legal):  # type: ignore[no-untyped-def]
        first = super().choose(seat, legal)
        if len(self.playing.tricks) < 8:
            return first
        from p2p_hearts.rules.cards import cards_in

        return next((card for card in cards_in(legal) if card != first), first)


def test_compare__convicts_everybody_who_certified_two_histories() -> None:
    """Two logs, each clean by itself: who acknowledged both histories is proven to have lied."""
    made_up = OtherPlays(ONE_HAND).run().log()
    assert audit_bytes(made_up).verdict is Verdict.CLEAN
    found = together(honest_game().log(), made_up)
    assert found.verdict is Verdict.FAULT
    assert {item.fault.seat for item in found.faults} == {0, 1, 2, 3}
    assert any("different certified histories" in reason for reason in found.differences)


def test_compare__does_not_mind_the_order_of_logs() -> None:
    one, other = split_game()
    rules = [
        [(item.fault.id, item.fault.rule) for item in together(*logs).faults]
        for logs in ((one, other), (other, one))
    ]
    assert rules[0] == rules[1]


def test_compare__finds_a_liar_that_only_one_log_shows() -> None:
    game = Game(RuleSet(hands=1), tamper=Once(Kind.KEY, with_flipped("proof"))).run()
    found = together(game.log(), write(game.records()[:5]))
    assert found.verdict is Verdict.FAULT
    assert [item.fault.rule for item in found.faults] == [Rule.KEY_PROOF]
