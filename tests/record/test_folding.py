"""Hands that are over are folded: a small memory, and never another verdict than without it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import pytest
from msgspec import Struct
from msgspec.structs import replace

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.record.audit import Comparison, Report, Verdict, audit, audit_tables
from p2p_hearts.record.audit.auditor import Auditor
from p2p_hearts.record.audit.ledger import NotKeptError
from p2p_hearts.record.audit.memo import Haste, Memo
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Ack, Confirm, Content, Kind, Reveal, Vote
from tests.protocol.opinion import assert_agrees
from tests.record.maker import Game, Records, write

HANDS = 3


class Kept(Memo):
    """Remembers results of proofs for all tests here."""

    def forget(self, before: int) -> None:
        """Forget nothing."""


KEPT = Kept()


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("p2p_hearts.record.audit.compare")
    monkeypatch.setattr(module, "Memo", lambda _clock: KEPT)


@dataclass(frozen=True, slots=True)
class Log:
    """A log that can be read several times; counts how often it was."""

    data: bytes
    read: list[int]

    def __iter__(self) -> Iterator[Record]:
        self.read.append(1)
        return read_log(self.data)


def at_once(work: Callable[[], Flaw | None]) -> Callable[[], Flaw | None]:
    result = work()
    return lambda: result


def never(work: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: True


@cache
def game() -> Game:
    return Game(RuleSet(hands=HANDS), seed="folded").run()


def again() -> Game:
    """The same game, to add to; its proofs are remembered."""
    return Game(RuleSet(hands=HANDS), seed="folded").run()


def folded(log: bytes) -> Report:
    auditor = Auditor(KEPT, folds=True)
    for _hand in auditor.follow(read_log(log)):
        pass
    return auditor.report()


def judged(*logs: bytes) -> tuple[Comparison, list[int]]:
    """Audit as the command does, and say how often logs were read; haste runs no check here."""
    read: list[int] = []
    (found,) = audit_tables([Log(log, read) for log in logs], start=never).tables
    return found, read


# The same verdict.


def test_folding__tells_the_same_of_a_whole_match() -> None:
    log = game().log()
    found, whole = folded(log), audit(read_log(log), memo=KEPT)
    assert found.to_dict() == whole.to_dict()
    assert found.verdict is Verdict.CLEAN
    assert found.trace is not None
    assert whole.trace is not None
    assert len(found.trace.heads) < len(whole.trace.heads)


def test_folding__tells_the_same_of_a_log_that_lacks_an_ack() -> None:
    log = write(without(game().records(), hand=1))
    assert folded(log).to_dict() == audit(read_log(log), memo=KEPT).to_dict()
    assert folded(log).verdict is Verdict.INCOMPLETE


def without(records: Records, hand: int) -> Records:
    """Leave the last ack of a hand's first play out."""
    acks = [
        item
        for item in game().contents
        if (item.content.hand, item.content.kind) == (hand, Kind.ACK)
    ]
    gone = acks[len(acks) // 2].data
    return [record for record in records if record[1] != gone]


# What is said later about a hand that is over.


def first_ack(of: Game) -> Content:
    return next(
        item.content
        for item in of.contents
        if (item.content.hand, item.content.kind) == (1, Kind.ACK)
    )


def test_folding__asks_for_the_whole_log_when_somebody_repeats_an_early_message() -> None:
    records = game().records()
    log = write([*records, records[20]])
    with pytest.raises(NotKeptError):
        folded(log)
    found, read = judged(log)
    assert (found.verdict, sum(read)) == (Verdict.CLEAN, 3)
    assert found.reports[0].verified["repeated messages"] == 1


def test_folding__convicts_of_a_second_content_for_a_hand_that_is_over() -> None:
    liar = again()
    ack = first_ack(liar)
    place = (ack.hand, ack.attempt, ack.round)
    liar.say(ack.seat, Kind.ACK, Ack(bytes(32)), place=place, prev=ack.prev)
    found, _read = judged(liar.log())
    assert [(item.fault.rule, item.player.seat) for item in found.faults] == [
        (Rule.TWO_CONTENTS, ack.seat)
    ]


def test_folding__convicts_of_a_number_of_a_hand_that_is_over() -> None:
    liar = again()
    last = liar.contents[-1].content
    place = (last.hand, last.attempt, last.round + 1)
    sequence = first_ack(liar).sequence
    liar.say(0, Kind.ACK, Ack(bytes(32)), place=place, prev=last.prev, sequence=sequence)
    with pytest.raises(NotKeptError):
        folded(liar.log())
    found, _read = judged(liar.log())
    assert (Rule.CHAIN, 0) in [(item.fault.rule, item.player.seat) for item in found.faults]


def closed_otherwise_once_over() -> tuple[Game, bytes]:
    """A game in which all but one close a round of the first hand again after its end."""
    liars = again()
    played = [item.content for item in liars.contents if item.content.kind == Kind.PLAY]
    last = max((item for item in played if item.hand == 1), key=lambda item: item.round)
    place, voters = (last.hand, last.attempt, last.round), [*liars.seats]
    voters.remove(last.seat)
    vote = Vote(1, last.seat, voters[0], [b""], b"")
    votes = [liars.say(seat, Kind.VOTE, vote, place=place, prev=last.prev) for seat in voters]
    confirm = Confirm(1, last.seat, [b""], [item.hash for item in votes])
    for seat in voters:
        liars.say(seat, Kind.CONFIRM, confirm, place=place, prev=last.prev)
    return liars, liars.log()


def test_folding__plays_no_hand_again_that_liars_close_otherwise_once_it_is_over() -> None:
    liars, log = closed_otherwise_once_over()
    found, _read = judged(log)
    assert found.reports[0].scores == liars.match.hands


@pytest.mark.deep
def test_folding__of_a_hand_closed_otherwise_once_it_is_over_agrees_with_the_verifier() -> None:
    _liars, log = closed_otherwise_once_over()
    found, _read = judged(log)
    assert_agrees(found, [log])


# Several logs.


def test_folding__compares_equal_logs_without_reading_them_again() -> None:
    logs = [game().log(owner) for owner in (0, 1)]
    found, read = judged(*logs)
    assert (found.verdict, sum(read)) == (Verdict.CLEAN, 2)


def test_folding__sees_that_logs_differ_in_a_hand_that_is_over() -> None:
    found, read = judged(game().log(), write(without(game().records(1), hand=1)))
    assert (found.verdict, sum(read)) == (Verdict.INCOMPLETE, 6)
    assert any("lacks 1 of" in item for item in found.differences)


# Memory.


def test_audit__memory_does_not_grow_with_the_length_of_the_log() -> None:
    short, long = log_of(hands=2), log_of(hands=HANDS)
    assert peak(long, folds=True) < 1.15 * peak(short, folds=True)
    assert peak(long, folds=False) > 1.25 * peak(short, folds=False), "else this shows nothing"


def log_of(hands: int) -> bytes:
    """The log up to the end of a hand."""
    records = game().records()
    count = sum(item.content.hand <= hands for item in game().contents)
    return write(records[: len(records) - len(game().contents) + count])


def peak(log: bytes, *, folds: bool) -> int:
    """Bytes that an audit of a log holds at most."""
    haste = Haste(never)
    auditor = Auditor(haste, folds=folds)
    tracemalloc.start()
    try:
        for hand in auditor.follow(read_log(log)):
            if folds:
                haste.forget(hand)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# What only the slow way may say.


def test_folding__convicts_nobody_in_haste() -> None:
    liar = again()
    last = liar.contents[-1].content
    place = (last.hand, last.attempt, last.round)
    liar.say(last.seat, Kind.ACK, Ack(bytes(32)), place=place, prev=last.prev)
    found, read = judged(liar.log())
    assert [item.fault.rule for item in found.faults] == [Rule.TWO_CONTENTS]
    assert sum(read) == 2


def test_folding__reads_a_log_again_for_evidence_about_a_hand_that_is_over() -> None:
    """Else who carries the proof would be convicted of a wrong one."""
    honest = game()
    played = next(
        item.content
        for item in honest.contents
        if (item.content.hand, item.content.kind) == (1, Kind.PLAY)
    )
    liar = (played.seat + 1) % len(honest.seats)
    identity = honest.players[honest.order[liar]].identity
    out_of_turn = seal(identity, replace(played, seat=liar, author=identity.public))

    def carry(game: Game, kind: Kind, seat: int, body: Struct) -> Struct:
        is_here = kind is Kind.REVEAL and game.place.hand == HANDS and seat != liar
        return Reveal(game.secrets[seat].z, [out_of_turn.data]) if is_here else body

    log = Game(RuleSet(hands=HANDS), seed="folded", tamper=carry).run().log()
    found, read = judged(log)
    assert {(item.fault.rule, item.player.seat) for item in found.faults} == {(Rule.TURN, liar)}
    assert sum(read) > 1
