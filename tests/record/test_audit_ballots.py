"""Votes and confirms in a log, in whatever order it has them (protocol/SPEC.md section 7.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from msgspec import Struct, structs

from p2p_hearts.cards.keys import make_key
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.group import ORDER
from p2p_hearts.record.audit import Report, Verdict, rounds
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.records import RecordKind
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import playable
from p2p_hearts.wire.chain import Place, next_head, place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, open_envelope, seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import (
    NO_HASH,
    Ack,
    Confirm,
    Key,
    Kind,
    Lost,
    PassSelect,
    Play,
    Reveal,
    Shuffle,
    Vote,
)
from protocol import verify
from tests.protocol.opinion import assert_agrees
from tests.record.games import ONE_HAND, audit_bytes, honest_game
from tests.record.maker import Game, Records, write

OTHER = bytes([7]) * 32
"""The hash of no content."""


class Ballot:
    """A game that stops before its second card; then its seats do as a test says."""

    def __init__(self) -> None:
        self.game = Game(ONE_HAND, stop_at=self._is_second_play).run()
        turn = self.game.playing.turn
        assert turn is not None
        self.target = turn
        self.voters = [seat for seat in self.game.seats if seat != turn]

    def _is_second_play(self, game: Game, kind: Kind) -> bool:
        return kind is Kind.PLAY

    def play(self, at: int) -> Sealed:
        """A play of the seat in turn; nobody needs it to be a right one."""
        return self.game.sign(self.target, Kind.PLAY, Play(at, 0, bytes(64)))

    def ack(self, seat: int, said: Sealed) -> Sealed:
        head = next_head(self.game.head, self.game.place, [(self.target, said.hash)])
        return self.game.sign(seat, Kind.ACK, Ack(head))

    def vote(self, seat: int, view: bytes = b"", target: int | None = None) -> Sealed:
        aim = self.target if target is None else target
        return self.game.sign(seat, Kind.VOTE, Vote(1, aim, self.voters[0], [view], b""))

    def confirm(self, seat: int, votes: Sequence[Sealed], value: bytes = b"") -> Sealed:
        names = [vote.hash for vote in votes]
        return self.game.sign(seat, Kind.CONFIRM, Confirm(1, self.target, [value], names))

    def goes_on(self, seat: int) -> Sealed:
        """What a seat says in the round after this one, once that is closed without the target."""
        return self.sign_after(NO_HASH, seat, Kind.OPENINGS, b"\xc0")

    def sign_after(self, name: bytes, seat: int, kind: Kind, body: Struct | bytes) -> Sealed:
        """Sign in the round after this one, once that is closed with what has this hash."""
        hand, attempt, number = self.game.place
        head = next_head(self.game.head, self.game.place, [(self.target, name)])
        after = (hand, attempt, number + 1)
        return self.game.sign(seat, kind, body, place=after, prev=head)

    def records(self, *said: Sealed) -> Records:
        self.game.contents += said
        return self.game.records()

    def audit(self, *said: Sealed) -> Report:
        log = write(self.records(*said))
        report = audit_bytes(log)
        assert_agrees(report, [log])
        return report


def faults_of(report: Report) -> list[tuple[int, Rule]]:
    return [(item.fault.seat, item.fault.rule) for item in report.faults]


def test_audit__convicts_the_signer_of_a_wrong_confirm_that_stands_before_its_votes() -> None:
    ballot = Ballot()
    votes = [ballot.vote(seat) for seat in ballot.voters]
    liar = ballot.voters[1]
    wrong = ballot.confirm(liar, votes, OTHER)
    report = ballot.audit(votes[0], wrong, votes[1], votes[2])
    assert faults_of(report) == [(liar, Rule.BALLOT)]


def test_audit__keeps_what_builds_on_a_closing_that_stands_later_in_the_log() -> None:
    ballot = Ballot()
    played = ballot.play(0)
    votes = [ballot.vote(seat) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes) for seat in ballot.voters]
    later = ballot.goes_on(ballot.voters[0])
    report = ballot.audit(played, *votes, *confirms[:2], later, confirms[2])
    assert faults_of(report) == [(ballot.voters[0], Rule.BODY)]


def test_audit__forgets_no_wrong_vote_when_a_round_turns_out_to_be_closed_otherwise() -> None:
    ballot = Ballot()
    liar = ballot.voters[2]
    wrong = ballot.vote(liar, target=liar)
    played = ballot.play(0)
    votes = [ballot.vote(seat) for seat in ballot.voters[:2]]
    again = ballot.game.sign(liar, Kind.VOTE, Vote(2, ballot.target, ballot.voters[0], [b""], b""))
    first = ballot.audit(wrong, played, *votes, again)
    assert (liar, Rule.BALLOT) in faults_of(first)
    second = [
        ballot.game.sign(seat, Kind.VOTE, Vote(2, ballot.target, ballot.voters[0], [b""], b""))
        for seat in ballot.voters[:2]
    ]
    names = [vote.hash for vote in (*second, again)]
    confirms = [
        ballot.game.sign(seat, Kind.CONFIRM, Confirm(2, ballot.target, [b""], names))
        for seat in ballot.voters
    ]
    report = ballot.audit(*second, *confirms)
    assert faults_of(report) == [(liar, Rule.BALLOT)]


def test_audit__accuses_nobody_whose_confirm_was_left_out_of_the_log() -> None:
    """The target says two things; who acknowledged one of them goes on without it, as agreed."""
    ballot = Ballot()
    first, _, third = ballot.voters
    said, other = ballot.play(0), ballot.play(1)
    ack = ballot.ack(first, said)
    views = {first: said.hash, third: other.hash}
    votes = [ballot.vote(seat, views.get(seat, b"")) for seat in ballot.voters]
    ballot.confirm(first, votes)
    later = ballot.goes_on(first)
    report = ballot.audit(said, ack, later)
    assert faults_of(report) == [(ballot.target, Rule.CARD)]


def test_audit__judges_a_hand_anew_with_contents_that_came_second_and_stand() -> None:
    """A liar says two things in two rounds, and the second one of each stands."""
    game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.PASS_SELECT).run()
    liar, late = 0, 3
    voters = [seat for seat in game.seats if seat != late]

    def stands_second(kind: Kind, first: Struct | bytes, second: Struct | bytes) -> None:
        place, head = game.place, game.head
        said = {seat: game.sign(seat, kind, first) for seat in game.seats}
        other = game.sign(liar, kind, second)
        view = [other.hash if seat == liar else said[seat].hash for seat in game.seats]
        vote = Vote(1, late, voters[0], view, b"")
        votes = [game.sign(seat, Kind.VOTE, vote) for seat in voters]
        confirm = Confirm(1, late, view, [item.hash for item in votes])
        confirms = [game.sign(seat, Kind.CONFIRM, confirm) for seat in voters]
        game.contents += [*said.values(), other, *votes, *confirms]
        game.head = next_head(head, place, list(enumerate(view)))
        game.place = Place(place.hand, place.attempt, place.round + 1)

    stands_second(Kind.PASS_SELECT, PassSelect([0, 1, 2]), PassSelect([3, 4, 5]))
    stands_second(Kind.PASS, b"", b"\xc0")
    log = write(game.records())
    report = audit_bytes(log)
    assert (liar, Rule.TWO_CONTENTS) in faults_of(report)
    assert_agrees(report, [log])


@pytest.mark.parametrize("is_later", [False, True])
def test_audit__keeps_what_confirms_closed_a_round_with_whatever_all_acknowledge(
    is_later: bool,
) -> None:
    """So many lie here that the round has two certificates: that of the confirms counts."""
    ballot = Ballot()
    game = ballot.game
    said, other = ballot.play(0), ballot.play(1)
    votes = [ballot.vote(seat, said.hash) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes, said.hash) for seat in ballot.voters]
    acks = [ballot.ack(seat, other) for seat in game.seats]
    said_first = [other, said] if is_later else [said, other]
    report = ballot.audit(*said_first, *votes, *confirms, *acks)
    assert report.trace is not None
    stands = next_head(game.head, game.place, [(ballot.target, said.hash)])
    assert report.trace.heads[game.place] == stands
    assert report.verdict is Verdict.FAULT


def test_audit__keeps_what_all_have_acknowledged_whatever_confirms_close_the_round_with_later() -> (
    None
):
    """The first of two certificates stands: whose log it is has gone on from it."""
    ballot = Ballot()
    game = ballot.game
    said, other = ballot.play(0), ballot.play(1)
    acks = [ballot.ack(seat, said) for seat in game.seats]
    votes = [ballot.vote(seat, other.hash) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes, other.hash) for seat in ballot.voters]
    report = ballot.audit(said, *acks, other, *votes, *confirms)
    assert report.trace is not None
    stands = next_head(game.head, game.place, [(ballot.target, said.hash)])
    assert report.trace.heads[game.place] == stands


def test_audit__counts_no_vote_whose_lock_the_log_does_not_hold() -> None:
    ballot = Ballot()
    first, *rest = ballot.voters
    locked = Vote(1, ballot.target, first, [b""], OTHER)
    votes = [ballot.game.sign(first, Kind.VOTE, locked), *map(ballot.vote, rest)]
    confirms = [ballot.confirm(seat, votes) for seat in ballot.voters]
    report = ballot.audit(*votes, *confirms)
    assert faults_of(report) == []
    assert report.verdict is Verdict.INCOMPLETE
    assert report.trace is not None
    assert ballot.game.place not in report.trace.heads


def test_audit__judges_nothing_by_what_a_round_was_then_closed_without() -> None:
    """Not who built on it, either: it may hold another certificate."""
    ballot = Ballot()
    game, follower = ballot.game, (ballot.target + 1) % len(ballot.game.seats)
    said = game.sign(ballot.target, Kind.PLAY, next_card(game))
    built = ballot.sign_after(said.hash, follower, Kind.PLAY, Play(99, 0, bytes(64)))
    assert faults_of(ballot.audit(said, built)) == [(follower, Rule.POSITION)]
    votes = [ballot.vote(seat) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes) for seat in ballot.voters]
    assert faults_of(ballot.audit(*votes, *confirms)) == []


def test_audit__names_what_built_on_what_a_round_was_then_closed_without() -> None:
    """First speeches and all acks; a second speech is evidence and nothing else."""
    ballot = Ballot()
    game, follower = ballot.game, (ballot.target + 1) % len(ballot.game.seats)
    said = game.sign(ballot.target, Kind.PLAY, next_card(game))
    built = [
        ballot.sign_after(said.hash, follower, kind, body)
        for kind, body in (
            (Kind.PLAY, Play(99, 0, bytes(64))),
            (Kind.PLAY, Play(98, 0, bytes(64))),
            (Kind.ACK, Ack(OTHER)),
            (Kind.ACK, Ack(bytes(32))),
        )
    ]
    votes = [ballot.vote(seat) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes) for seat in ballot.voters]
    report = ballot.audit(said, *built, *votes, *confirms)
    assert faults_of(report) == [(follower, Rule.TWO_CONTENTS)] * 2
    assert len([gap for gap in report.gaps if "builds on a history" in gap]) == 3


def next_card(game: Game) -> Play:
    """The play that the game would go on with."""
    turn = game.playing.turn
    assert turn is not None
    card = game.choose(turn, playable(game.held(turn), game.playing))
    at = next(at for at, own in game.cards[turn].items() if own == card)
    return game.prove_play(turn, game.context(turn), at, card)


@pytest.mark.parametrize("is_closed", [False, True])
def test_audit__misses_no_message_of_a_seat_that_the_others_went_on_without(
    is_closed: bool,
) -> None:
    """What it said meanwhile need not have reached anybody; of others every number counts."""
    ballot = Ballot()
    game = ballot.game
    ballot.play(0)
    votes = [ballot.vote(seat) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes) for seat in ballot.voters]
    later = ballot.sign_after(NO_HASH, ballot.target, Kind.ACK, Ack(OTHER))
    report = ballot.audit(*votes, *(confirms if is_closed else confirms[:2]), later)
    nick = game.players[game.order[ballot.target]].nick
    missed = [line for line in report.summary if f"messages of {nick.lower()} are" in line.lower()]
    assert bool(missed) is not is_closed, report.summary


def test_audit__misses_the_message_that_a_round_was_closed_with() -> None:
    """The confirms name it, so somebody had it; without it the round is not whole here."""
    ballot = Ballot()
    votes = [ballot.vote(seat, OTHER) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes, OTHER) for seat in ballot.voters]
    report = ballot.audit(*votes, *confirms)
    assert report.verdict is Verdict.INCOMPLETE
    assert any("(Card played) lacks the message of" in line for line in report.summary), (
        report.summary
    )


def test_audit__accuses_nobody_who_shuffled_ahead_before_it_helped_to_close_otherwise() -> None:
    """A liar shows two shuffles; the lock of another seat decides for the one that came second."""
    game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.SHUFFLE).run()
    liar = game.dealer
    ahead, first, late = [(liar + step) % 4 for step in (1, 2, 3)]
    hand, attempt, number = place = game.place
    one, two = (game.sign(liar, Kind.SHUFFLE, Shuffle(bytes(64), data)) for data in (b"1", b"2"))
    head = next_head(game.head, place, [(liar, one.hash)])
    ack = game.sign(ahead, Kind.ACK, Ack(head))
    after = Place(hand, attempt, number + 1)
    shuffled = game.sign(ahead, Kind.SHUFFLE, Shuffle(b"", b""), place=after, prev=head)

    def vote(seat: int, ballot: int, target: int, view: Sealed, lock: bytes = b"") -> Sealed:
        body = Vote(ballot, target, first, [view.hash], lock)
        return game.sign(seat, Kind.VOTE, body)

    def confirm(seat: int, ballot: int, target: int, votes: Sequence[Sealed]) -> Sealed:
        names = [item.hash for item in sorted(votes, key=lambda item: item.content.seat)]
        return game.sign(seat, Kind.CONFIRM, Confirm(ballot, target, [two.hash], names))

    early = [vote(seat, 1, ahead, two) for seat in (first, late, liar)]
    lock = confirm(first, 1, ahead, early)
    votes = [
        vote(first, 2, late, two, lock.hash),
        vote(ahead, 2, late, one),
        vote(liar, 2, late, two),
    ]
    confirms = [confirm(seat, 2, late, votes) for seat in (first, ahead, liar)]
    game.contents += [one, ack, shuffled, two, *early, lock, *votes, *confirms]
    log = write(game.records())
    report = audit_bytes(log)
    assert report.trace is not None
    assert place in report.trace.heads, "the round is closed"
    assert {item.fault.seat for item in report.faults} == {liar}
    assert_agrees(report, [log])


def whispered_first(game: Game, kind: Kind, *, acks: bool) -> tuple[Records, int]:
    """The log of who heard another content of a speaker first, and who said it."""
    at = next(number for number, item in enumerate(game.contents) if item.content.kind == kind)
    said = game.contents[at].content
    identity = next(
        player.identity for player in game.players if player.identity.public == said.author
    )
    other = seal(identity, structs.replace(said, body=said.body[:-1] + b"\xff"))
    here = [item for item in game.contents if place_of(item.content) == place_of(said)]
    speeches = {item.content.seat: item.hash for item in here if item.content.kind != Kind.ACK}
    head = next_head(said.prev, place_of(said), sorted({**speeches, said.seat: other.hash}.items()))
    (own,) = [
        item
        for item in here
        if item.content.kind == Kind.ACK and item.content.author == said.author
    ]
    ack = structs.replace(own.content, last=other.hash, body=encode(Ack(head)))
    records = game.records()
    start = len(records) - len(game.contents)
    first = [other, seal(identity, ack)] if acks else [other]
    records[start + at : start + at] = [(RecordKind.CONTENT, item.data) for item in first]
    return records, said.seat


@pytest.mark.parametrize("acks", [False, True])
@pytest.mark.parametrize("kind", [Kind.KEY, Kind.SHUFFLE, Kind.PASS_SELECT, Kind.PLAY])
def test_audit__follows_what_all_acknowledged_where_another_content_was_heard_first(
    kind: Kind, acks: bool
) -> None:
    """A liar shows it to one seat that comes back; that seat's log shows the game all the same."""
    game = _whispered_game()
    records, liar = whispered_first(game, kind, acks=acks)
    log = write(records)
    report, honest = audit_bytes(log), audit_bytes(write(game.records()))
    assert {item.fault.seat for item in report.faults} == {liar}
    assert {item.fault.rule for item in report.faults} <= {Rule.TWO_CONTENTS, Rule.CHAIN}
    assert report.trace is not None
    assert honest.trace is not None
    assert report.trace.heads == honest.trace.heads
    assert_agrees(report, [log])


@cache
def _whispered_game() -> Game:
    plays = iter(range(3))
    return Game(
        RuleSet(seats=3, hands=1),
        stop_at=lambda game, kind: kind is Kind.PLAY and next(plays) == 2,
    ).run()


@pytest.mark.parametrize("is_second", [False, True])
def test_audit__counts_the_vote_that_confirms_name_where_another_one_was_heard_first(
    is_second: bool,
) -> None:
    """A liar votes twice in one ballot; who hears first what the others did not goes on as well."""
    ballot = Ballot()
    _first, liar, third = ballot.voters
    votes = [ballot.vote(seat) for seat in ballot.voters]
    other = ballot.game.sign(liar, Kind.VOTE, Vote(1, ballot.target, third, [b""], b""))
    confirms = [ballot.confirm(seat, votes) for seat in ballot.voters]
    twins = [other, votes[1]] if is_second else [votes[1], other]
    report = ballot.audit(votes[0], *twins, votes[2], *confirms)
    assert {item.fault.seat for item in report.faults} == {liar}
    assert report.trace is not None
    assert ballot.game.place in report.trace.heads


def test_audit__accuses_nobody_of_a_vote_on_another_history() -> None:
    """No table takes it, and nobody is convicted of it (V60 is about speeches)."""
    ballot = Ballot()
    vote = Vote(1, ballot.target, ballot.voters[0], [b""], b"")
    said = ballot.game.sign(ballot.voters[0], Kind.VOTE, vote, prev=OTHER)
    report = ballot.audit(said)
    assert faults_of(report) == []
    assert report.verdict is Verdict.INCOMPLETE
    assert any("builds on a history that this log does not hold" in gap for gap in report.gaps)


def test_audit__follows_what_all_acknowledged_before_the_last_speaker_was_heard() -> None:
    game = _whispered_game()
    records, liar = whispered_first(game, Kind.PASS_SELECT, acks=False)
    here = [item for item in game.contents if item.content.kind == Kind.PASS_SELECT]
    last = next(item for item in reversed(here) if item.content.seat != liar)
    place = place_of(last.content)
    record = (RecordKind.CONTENT, last.data)
    records.remove(record)
    after = max(
        number
        for number, (_, data) in enumerate(records[2:], 2)
        if place_of(open_envelope(data).content) == place
    )
    records.insert(after + 1, record)
    report = audit_bytes(write(records))
    honest = audit_bytes(write(game.records()))
    assert {item.fault.seat for item in report.faults} == {liar}
    assert report.trace is not None
    assert honest.trace is not None
    assert report.trace.heads == honest.trace.heads
    assert_agrees(report, [write(records)])


def test_audit__takes_what_confirms_closed_a_round_with_though_it_came_second_and_last() -> None:
    ballot = Ballot()
    said, other = ballot.play(0), ballot.play(1)
    votes = [ballot.vote(seat, other.hash) for seat in ballot.voters]
    confirms = [ballot.confirm(seat, votes, other.hash) for seat in ballot.voters]
    report = ballot.audit(said, *votes, *confirms, other)
    assert report.trace is not None
    stands = next_head(ballot.game.head, ballot.game.place, [(ballot.target, other.hash)])
    assert report.trace.heads[ballot.game.place] == stands


def test_audit__judges_a_second_ack_of_nonsense_no_further() -> None:
    ballot = Ballot()
    acks = [ballot.game.sign(ballot.target, Kind.ACK, body) for body in (Ack(OTHER), b"\xc1")]
    report = ballot.audit(*acks, ballot.play(0))
    assert (ballot.target, Rule.TWO_CONTENTS) in faults_of(report)
    assert (ballot.target, Rule.BODY) not in faults_of(report)


def test_audit__judges_a_second_content_of_who_is_no_speaker_no_further() -> None:
    ballot = Ballot()
    liar = ballot.voters[0]
    play = Play(0, 0, bytes(64))
    first = ballot.game.sign(liar, Kind.PLAY, play, prev=OTHER)
    second = ballot.game.sign(liar, Kind.PLAY, play)
    assert faults_of(ballot.audit(first, second)) == [(liar, Rule.TWO_CONTENTS)]


@pytest.mark.parametrize("is_voted", [False, True])
def test_audit__scores_a_hand_whose_last_round_is_closed_without_a_seat(is_voted: bool) -> None:
    """The rest was claimed: no card of the seat that is gone has to be opened any more."""
    game = Game(ONE_HAND, claims=True, stop_at=lambda game, kind: kind is Kind.REVEAL).run()
    assert any(item.content.kind == Kind.CLAIM for item in game.contents)
    gone, *voters = game.seats
    reveals = {
        seat: game.sign(seat, Kind.REVEAL, Reveal(game.secrets[seat].z, [])) for seat in voters
    }
    game.contents += reveals.values()
    if is_voted:
        view = [b"", *(item.hash for item in reveals.values())]
        votes = [game.sign(seat, Kind.VOTE, Vote(1, gone, 1, view, b"")) for seat in voters]
        names = [item.hash for item in votes]
        game.contents += votes
        for seat in voters:
            game.say(seat, Kind.CONFIRM, Confirm(1, gone, view, names))
    else:
        lost = game.say(gone, Kind.LOST, Lost())
        said = {gone: lost.hash} | {seat: item.hash for seat, item in reveals.items()}
        head = next_head(game.head, game.place, sorted(said.items()))
        for seat in game.seats:
            game.say(seat, Kind.ACK, Ack(head))
    log = game.log()
    report = audit_bytes(log)
    assert report.verdict is Verdict.CLEAN, report.summary
    assert len(report.scores) == 1
    assert_agrees(report, [log])


def test_audit__leaves_an_attempt_that_is_void_as_it_was_whatever_all_acknowledge_later() -> None:
    """Likewise of a hand that was begun anew, while the next attempt goes on."""
    game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.SHUFFLE).run()
    gone, place = game.dealer, game.place
    voters = [seat for seat in game.seats if seat != gone]
    vote = Vote(1, gone, voters[0], [b""], b"")
    votes = [game.sign(seat, Kind.VOTE, vote) for seat in voters]
    confirm = Confirm(1, gone, [b""], [item.hash for item in votes])
    confirms = [game.sign(seat, Kind.CONFIRM, confirm) for seat in voters]
    keys = {item.content.seat: item for item in game.contents if item.content.kind == Kind.KEY}
    acks = game.contents[-len(keys) :]
    first = keys[gone]
    other = game.sign(gone, Kind.KEY, b"", place=place_of(first.content), prev=first.content.prev)
    said = {seat: item.hash for seat, item in keys.items()} | {gone: other.hash}
    head = next_head(first.content.prev, place_of(first.content), sorted(said.items()))
    again = [
        game.sign(seat, Kind.ACK, Ack(head), place=place_of(first.content), prev=first.content.prev)
        for seat in game.seats
    ]
    game.contents.remove(acks[0])
    game.contents += [*votes, *confirms, other, *again]
    log = game.log()
    report = audit_bytes(log)
    assert report.trace is not None
    assert place in report.trace.heads
    assert_agrees(report, [log])


def test_audit__leaves_a_hand_that_is_over_as_it_was_whatever_all_acknowledge_later() -> None:
    """All lie here: what they build on the one content is whole, and then they name another."""
    game = Game(RuleSet(hands=2), stop_at=lambda game, kind: game.place.hand == 2).run()
    said = next(item for item in game.contents if item.content.kind == Kind.PLAY)
    place, seat = place_of(said.content), said.content.seat
    acks = [
        item
        for item in game.contents
        if place_of(item.content) == place and item.content.kind == Kind.ACK
    ]
    honest = audit_bytes(game.log())
    game.contents.remove(acks[0])
    fields = {"place": place, "prev": said.content.prev}
    other = game.say(seat, Kind.PLAY, Play(0, 0, bytes(64)), **fields)
    head = next_head(said.content.prev, place, [(seat, other.hash)])
    for item in acks:
        game.say(item.content.seat, Kind.ACK, Ack(head), **fields)
    log = game.log()
    report = audit_bytes(log)
    assert {rule for _, rule in faults_of(report)} == {Rule.TWO_CONTENTS}
    assert report.trace is not None
    assert honest.trace is not None
    assert report.trace.heads.keys() | {place} == honest.trace.heads.keys()
    assert_agrees(report, [log])


def test_audit__looks_at_ballots_that_lack_something_as_often_as_they_name_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ballot = Ballot()
    looks = [
        counted(monkeypatch, *it) for it in ((AuditRound, "_count"), (verify.Auditor, "missing"))
    ]
    seat, names = ballot.voters[0], [bytes([number]) * 32 for number in range(40)]
    votes = [
        ballot.game.sign(seat, Kind.VOTE, Vote(1, ballot.target, seat, [b""], name))
        for name in names
    ]
    report = ballot.audit(*votes)
    assert faults_of(report) == [(seat, Rule.TWO_CONTENTS)] * (len(votes) - 1)
    assert [calls.total() for calls in looks] == [len(votes), len(votes)]


def test_audit__a_vote_that_does_not_decode_is_of_no_ballot() -> None:
    """Its number may be the ballot of another one: that is no contradiction (V103)."""
    ballot = Ballot()
    seat = ballot.voters[0]
    number = ballot.game.players[ballot.game.order[seat]].sequence + 1
    vote = Vote(number, ballot.target, seat, [b""], b"")
    whole = ballot.game.sign(seat, Kind.VOTE, vote)
    broken = ballot.game.sign(seat, Kind.VOTE, b"\xc0")
    assert broken.content.sequence == number
    report = ballot.audit(whole, broken)
    assert faults_of(report) == [(seat, Rule.BALLOT), (seat, Rule.BODY)]


def test_audit__votes_of_one_ballot_on_several_heads_convict_nobody() -> None:
    """A vote counts on its own history alone (V78): the other one is set aside (V109)."""
    ballot = Ballot()
    seat = ballot.voters[0]
    body = Vote(1, ballot.target, seat, [b""], b"")
    elsewhere = ballot.game.sign(seat, Kind.VOTE, body, prev=OTHER)
    report = ballot.audit(ballot.vote(seat), elsewhere)
    assert faults_of(report) == []
    assert report.verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("waited_for", [False, True])
def test_audit__misses_what_a_seat_said_that_no_whole_ballot_is_against(
    *, waited_for: bool
) -> None:
    """One confirm of the value that closed the round excuses no gap (V111)."""
    ballot = Ballot()
    game, target, other = ballot.game, ballot.target, ballot.voters[1]
    played = ballot.play(0)
    votes = [ballot.vote(seat, played.hash) for seat in ballot.voters]
    against = [seat for seat in game.seats if seat != other]
    body = Vote(2, other, target, [played.hash], b"")
    beside = [game.sign(seat, Kind.VOTE, body) for seat in against]
    confirms = [ballot.confirm(seat, votes, played.hash) for seat in ballot.voters]
    names = [vote.hash for vote in beside]
    alone = game.sign(against[0], Kind.CONFIRM, Confirm(2, other, [played.hash], names))
    gone = other if waited_for else target
    game.players[game.order[gone]].sequence += 1
    last = game.sign(gone, Kind.ACK, Ack(OTHER))
    log = write(ballot.records(played, *votes, *beside, *confirms, alone, last))
    report = audit_bytes(log)
    assert_agrees(report, [log])
    assert faults_of(report) == [(target, Rule.CARD)]
    told = sum("own number" in gap for gap in report.gaps)
    assert told == waited_for
    assert sum("V111" in gap for gap in verify.audit(log).reasons) == told


def test_audit__what_is_judged_anew_contradicts_itself_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Keys add up to nothing; then confirms close their round without one of them."""
    own = HandSecret.x

    def false_key(game: Game, kind: Kind, seat: int, body: Struct) -> Struct:
        if kind is not Kind.KEY or seat != game.seats[-1]:
            return body
        keys = [own(secret) for secret in game.secrets[:-1]]
        with monkeypatch.context() as patch:
            patch.setattr(HandSecret, "x", lambda _: -sum(keys) % ORDER)
            return Key(*make_key(game.secrets[seat], game.context(seat)))

    game = Game(ONE_HAND, tamper=false_key).run()
    *voters, target = game.seats
    keys = [item for item in game.contents if item.content.kind == Kind.KEY]
    place, prev = place_of(keys[0].content), keys[0].content.prev
    game.contents = game.contents[: game.contents.index(keys[-1]) + 1]
    assert audit_bytes(game.log()).verdict is Verdict.UNREADABLE
    view = [*(key.hash for key in keys[:-1]), b""]

    def sign(seat: int, kind: Kind, body: Struct) -> Sealed:
        return game.sign(seat, kind, body, place=place, prev=prev)

    votes = [sign(seat, Kind.VOTE, Vote(1, target, 0, view, b"")) for seat in voters]
    names = [vote.hash for vote in votes]
    game.contents += votes
    game.contents += [sign(seat, Kind.CONFIRM, Confirm(1, target, view, names)) for seat in voters]
    log = game.log()
    report = audit_bytes(log)
    assert report.verdict is Verdict.INCOMPLETE
    assert report.damage == ()
    assert_agrees(report, [log])


def test_audit__makes_each_head_once_that_all_may_have_acknowledged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A log that lacks what all acknowledged, and has many others of its author for that place."""
    ballot = Ballot()
    said, *others = [ballot.play(number) for number in range(40)]
    head = next_head(ballot.game.head, ballot.game.place, [(ballot.target, OTHER)])
    acks = [ballot.game.sign(seat, Kind.ACK, Ack(head)) for seat in ballot.game.seats]
    looks = [counted(monkeypatch, *it) for it in ((rounds, "next_head"), (verify.Round, "head_of"))]
    report = ballot.audit(said, *acks, *others)
    assert faults_of(report).count((ballot.target, Rule.TWO_CONTENTS)) == len(others)
    for calls in looks:
        made = [calls[text] for text in calls for item in others if repr(item.hash) in text]
        assert made == [1] * len(others)


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> Counter[str]:
    """Count from now on how often a function is called with what, by their text."""
    function, calls = getattr(owner, name), Counter[str]()

    def called(*given: object) -> object:
        calls[repr(given[1:])] += 1
        return function(*given)

    monkeypatch.setattr(owner, name, called)
    return calls


def test_audit__takes_no_evidence_from_a_reveal_that_does_not_stand() -> None:
    """Two readers go over the log in other ways: what they say hangs on no order."""
    game = honest_game()
    signers = {player.identity.public: player.identity for player in game.players}
    at, shown = next(
        item for item in enumerate(game.contents) if item[1].content.kind == Kind.REVEAL
    )
    ack = next(
        item
        for item in game.contents
        if item.content.kind == Kind.ACK and item.content.author != shown.content.author
    )
    body = encode(Ack(OTHER))
    other = seal(signers[ack.content.author], structs.replace(ack.content, body=body))
    secret = decode(shown.content.body, Reveal).secret
    telling = encode(Reveal(secret, [ack.data, other.data]))
    first = seal(signers[shown.content.author], structs.replace(shown.content, body=telling))
    records = game.records()
    records.insert(2 + at, (RecordKind.CONTENT, first.data))
    log = write(records)
    report = audit_bytes(log)
    assert_agrees(report, [log])
    assert faults_of(report) == [(shown.content.seat, Rule.TWO_CONTENTS)]
    assert report.hands == 1


def _in_order(contents: Sequence[Sealed], *said: Sealed) -> bytes:
    """A log with these contents where the first of them stood, in this order."""
    at = min(contents.index(item) for item in said if item in contents)
    others = [item for item in contents if item not in said]
    game = honest_game()
    start = game.records()[:2]
    order = [*others[:at], *said, *others[at:]]
    return write([*start, *((RecordKind.CONTENT, item.data) for item in order)])


def _signed(said: Sealed, **changes: object) -> Sealed:
    """What the author of a content says besides it."""
    signers = {player.identity.public: player.identity for player in honest_game().players}
    content = structs.replace(said.content, **changes)
    return seal(signers[content.author], content)


def _said(kind: Kind, at: int = 0) -> Sealed:
    return [item for item in honest_game().contents if item.content.kind == kind][at]


def test_audit__follows_a_speech_that_came_second_and_before_its_round_was_reached() -> None:
    due, shared = _said(Kind.PASS_SELECT), _said(Kind.SHARES)
    first = _signed(due, prev=OTHER)
    log = _in_order(honest_game().contents, first, due, shared)
    report = audit_bytes(log)
    assert_agrees(report, [log])
    assert faults_of(report) == [(due.content.seat, Rule.TWO_CONTENTS)]
    assert report.hands == 1


def test_audit__keeps_what_was_acknowledged_first_where_all_came_before_its_round() -> None:
    game = honest_game()
    late, due = _said(Kind.PLAY, 7), _said(Kind.PLAY, 8)
    target, place = due.content.seat, place_of(due.content)
    first = _signed(due, last=OTHER)
    acks = [
        item
        for item in game.contents
        if item.content.kind == Kind.ACK and place_of(item.content) == place
    ]
    voters = [item for item in acks if item.content.seat != target]
    numbers = iter(range(9000, 9100, 2))
    votes = [
        _signed(
            ack,
            kind=Kind.VOTE,
            body=encode(Vote(1, target, voters[0].content.seat, [first.hash], b"")),
            sequence=next(numbers),
        )
        for ack in voters
    ]
    confirm = encode(Confirm(1, target, [first.hash], [vote.hash for vote in votes]))
    confirms = [
        _signed(ack, kind=Kind.CONFIRM, body=confirm, sequence=next(numbers)) for ack in voters
    ]
    log = _in_order(game.contents, first, due, *votes, *confirms[:2], *acks, confirms[2], late)
    report = audit_bytes(log)
    assert_agrees(report, [log])
    assert faults_of(report) == [(target, Rule.TWO_CONTENTS)]
    assert report.hands == 1
