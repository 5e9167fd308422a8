"""One test for each rule a seat can break: the audit names that seat and that rule."""

from __future__ import annotations

from typing import Any

import pytest

from p2p_hearts.record.audit import Report, Verdict, audit, exit_code
from p2p_hearts.record.log import read_log
from p2p_hearts.rules.options import Moon, RuleSet
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.faults import SENTENCES, Rule
from p2p_hearts.wire.messages import Ack, Choice, Draw, Kind
from tests.protocol import opinion
from tests.record import cheats
from tests.record.cheats import Once, Shooting, with_flipped
from tests.record.games import MEMO, ONE_HAND, audit_game, audit_records, honest_game, long_game
from tests.record.maker import Body, Game, Tamper, honest, write

CHEATS: dict[str, tuple[Rule, Tamper]] = {
    "a body of nonsense": (Rule.BODY, Once(Kind.KEY, lambda *_: b"\xc1")),
    "a deck with a card too many": (
        Rule.BODY,
        Once(Kind.SHUFFLE, cheats.with_card_too_many),
    ),
    "a remask with a card too many": (
        Rule.BODY,
        Once(Kind.REMASK, cheats.with_card_too_many),
    ),
    "two shares of 39": (Rule.BODY, Once(Kind.SHARES, cheats.with_two_of_the_shares)),
    "another nonce": (Rule.COMMITMENT, Once(Kind.DRAW, lambda *_: Draw(bytes(32)))),
    "a key without proof": (Rule.KEY_PROOF, Once(Kind.KEY, cheats.with_flipped("proof"))),
    "a key of another table": (
        Rule.KEY_PROOF,
        Once(Kind.KEY, cheats.wrong_key_of_another_table),
    ),
    "a duplicated card": (Rule.SHUFFLE, Once(Kind.SHUFFLE, cheats.with_two_alike)),
    "a foreign card": (Rule.SHUFFLE, Once(Kind.SHUFFLE, cheats.with_foreign_card)),
    "a shuffle without proof": (
        Rule.SHUFFLE,
        Once(Kind.SHUFFLE, cheats.with_flipped("proof")),
    ),
    "a wrong share": (Rule.SHARES, Once(Kind.SHARES, cheats.with_share_of_another_card)),
    "a pass of two": (Rule.PASS_POSITIONS, Once(Kind.PASS_SELECT, cheats.select(1, 2))),
    "a pass of four": (Rule.PASS_POSITIONS, Once(Kind.PASS_SELECT, cheats.select(1, 2, 3, 4))),
    "one card three times": (
        Rule.PASS_POSITIONS,
        Once(Kind.PASS_SELECT, cheats.select(1, 1, 1)),
    ),
    "a pass out of order": (
        Rule.PASS_POSITIONS,
        Once(Kind.PASS_SELECT, cheats.select(3, 2, 1)),
    ),
    "a pass from nowhere": (
        Rule.PASS_POSITIONS,
        Once(Kind.PASS_SELECT, cheats.select(1, 2, 13)),
    ),
    "a bad pass": (Rule.PASS, Once(Kind.PASS, cheats.with_flipped("proof"))),
    "a pass of unselected cards": (
        Rule.PASS,
        Once(Kind.PASS, cheats.pass_of_unselected_cards),
    ),
    "a remask of another hand": (
        Rule.REMASK,
        Once(Kind.REMASK, cheats.remask_of_another_hand),
    ),
    "a hidden opening card": (
        Rule.OPENING_HIDDEN,
        Once(Kind.OPEN, cheats.hidden_opening_card),
    ),
    "an opening without the card": (
        Rule.OPENING_PROOF,
        Once(Kind.OPEN, cheats.opening_without_the_card),
    ),
    "an opening from nowhere": (Rule.POSITION, Once(Kind.OPEN, cheats.opening_from_nowhere)),
    "a place played twice": (Rule.POSITION, Once(Kind.PLAY, cheats.card_from_a_played_place)),
    "a place that is none": (Rule.POSITION, Once(Kind.PLAY, cheats.card_from_nowhere)),
    "a card played twice": (Rule.CARD, Once(Kind.PLAY, cheats.card_played_twice)),
    "a card of another hand": (Rule.CARD, Once(Kind.PLAY, cheats.card_of_another_hand)),
    "a card of another place": (Rule.CARD, Once(Kind.PLAY, cheats.card_of_another_place)),
    "a proof left out": (Rule.PROOF_FORM, Once(Kind.PLAY, cheats.proof_left_out)),
    "a proof not due": (Rule.PROOF_FORM, Once(Kind.PLAY, cheats.proof_too_much)),
    "a revoke": (Rule.REVOKE, Once(Kind.PLAY, cheats.illegal_card(Rule.REVOKE))),
    "a heart led too early": (
        Rule.HEARTS_CLOSED,
        Once(Kind.PLAY, cheats.illegal_card(Rule.HEARTS_CLOSED)),
    ),
    "a penalty on trick one": (
        Rule.TRICK_ONE,
        Once(Kind.PLAY, cheats.illegal_card(Rule.TRICK_ONE)),
    ),
    "another secret": (Rule.SECRET, Once(Kind.REVEAL, cheats.another_secret)),
}


def assert_convicts(game: Game, report: Report, seat: int, rule: Rule) -> None:
    assert report.verdict is Verdict.FAULT, report.summary
    assert exit_code(report) == 1
    assert [(item.fault.seat, item.fault.rule) for item in report.faults] == [(seat, rule)]
    (found,) = report.faults
    order = game.order if found.fault.hand else range(len(game.players))
    assert found.player.nick == game.players[order[seat]].nick
    assert found.player.key == game.players[order[seat]].identity.public
    assert found.sentence.startswith(f"{found.player.nick} {SENTENCES[rule]}")
    assert found.sentence in report.summary
    told = found.to_dict()
    assert (told["rule"], told["player"]) == (str(rule), found.player.nick)
    own = {sealed.data for sealed in game.contents}
    assert set(found.fault.evidence) <= own


@pytest.mark.parametrize("name", CHEATS)
def test_audit__convicts_of(name: str) -> None:
    rule, tamper = CHEATS[name]
    game = Game(ONE_HAND, tamper=tamper).run()
    assert game.cheated, "the script found no occasion to cheat"
    assert_convicts(game, audit_game(game), game.liar, rule)


def test_audit__convicts_before_anybody_acknowledged() -> None:
    """A closed body decides by itself; the acks of the round may be missing."""
    rule, tamper = CHEATS["a revoke"]
    game = Game(ONE_HAND, tamper=tamper).run()
    while game.contents[-1].content.kind == Kind.ACK:
        game.contents.pop()
    assert_convicts(game, audit_game(game), game.liar, rule)


def test_audit__convicts_whatever_the_order_of_the_log() -> None:
    rule, tamper = CHEATS["a wrong share"]
    game = Game(ONE_HAND, tamper=tamper).run()
    start, roster, *contents = game.records()
    assert_convicts(game, audit_records([start, roster, *contents[::-1]]), game.liar, rule)


def test_audit__names_two_liars_of_one_round() -> None:
    flip = cheats.with_flipped("proof")

    def both(game: Game, kind: Kind, seat: int, body: object) -> Body:
        return flip(game, seat, body) if kind is Kind.KEY and seat in (1, 3) else body  # type: ignore[return-value]

    game = Game(ONE_HAND, tamper=both).run()
    report = audit_game(game)
    assert [(item.fault.seat, item.fault.rule) for item in report.faults] == [
        (1, Rule.KEY_PROOF),
        (3, Rule.KEY_PROOF),
    ]


# What is not made from the hand secret.


class GoesOn(Game):
    """A game in which a cheat that everybody's checks accept stays unnoticed until the reveal."""

    def end_round(self, kind: Kind) -> None:
        if kind is Kind.REVEAL:
            super().end_round(kind)


@pytest.mark.parametrize("kind", [Kind.KEY, Kind.SHARES, Kind.PASS, Kind.OPEN, Kind.PLAY])
def test_audit__convicts_of_proofs_that_the_secret_does_not_make(kind: Kind) -> None:
    game = GoesOn(ONE_HAND, tamper=cheats.with_other_nonces(kind)).run()
    assert game.cheated
    assert_convicts(game, audit_game(game), game.liar, Rule.RERUN)


def test_audit__convicts_of_a_shuffle_in_a_chosen_order() -> None:
    game = GoesOn(ONE_HAND, tamper=Once(Kind.SHUFFLE, cheats.with_chosen_order)).run()
    assert game.cheated
    assert_convicts(game, audit_game(game), game.liar, Rule.RERUN)


def test_audit__judges_every_shuffle_though_an_earlier_one_is_wrong_and_not_certified() -> None:
    """Shuffles run ahead; what follows from a wrong one is decided after the last."""
    wrong = with_flipped("proof")

    def tamper(game: Game, kind: Kind, seat: int, body: Any) -> Any:
        return wrong(game, seat, body) if kind is Kind.SHUFFLE else body

    game = GoesOn(ONE_HAND, tamper=tamper, stop_at=lambda _, kind: kind is Kind.ESCROW).run()
    shuffles = [item for item in game.contents if item.content.kind == Kind.SHUFFLE]
    ahead = {(item.content.hand, item.content.round) for item in shuffles}
    game.contents = [
        item
        for item in game.contents
        if item in shuffles or (item.content.hand, item.content.round) not in ahead
    ]
    faults = [item.fault for item in audit_game(game).faults]
    assert sorted(fault.seat for fault in faults) == [0, 1, 2, 3]
    assert {fault.rule for fault in faults} == {Rule.SHUFFLE}


# The shape of the history.


def stopped(kind: Kind, **options: object) -> Game:
    return Game(ONE_HAND, stop_at=lambda game, now: now is kind, **options).run()  # type: ignore[arg-type]


def test_audit__convicts_of_the_wrong_kind() -> None:
    for kind in ("chat", Kind.PLAY, Kind.REVEAL):
        game = stopped(Kind.SHARES)
        game.say(2, kind, b"")
        assert_convicts(game, audit_game(game), 2, Rule.KIND)


def test_audit__convicts_of_a_claim_that_does_not_stand() -> None:
    game = stopped(Kind.PLAY)
    seat = game.playing.turn
    assert seat is not None
    game.say(seat, Kind.CLAIM, game.prove_claim(seat, game.context(seat)))
    assert_convicts(game, audit_game(game), seat, Rule.CLAIM)


def test_audit__convicts_of_a_claim_with_another_number_of_cards() -> None:
    game = stopped(Kind.PLAY)
    seat = game.playing.turn
    assert seat is not None
    del game.cards[seat][min(game.cards[seat])]
    game.say(seat, Kind.CLAIM, game.prove_claim(seat, game.context(seat)))
    assert_convicts(game, audit_game(game), seat, Rule.CLAIM_CARDS)


def test_audit__convicts_of_a_claim_with_cards_of_another_hand() -> None:
    game = stopped(Kind.PLAY)
    seat = game.playing.turn
    assert seat is not None
    other = game.cards[(seat + 1) % 4]
    game.cards[seat] = dict(zip(game.cards[seat], other.values(), strict=False))
    game.say(seat, Kind.CLAIM, game.prove_claim(seat, game.context(seat)))
    assert_convicts(game, audit_game(game), seat, Rule.CARD)


def test_audit__convicts_of_the_wrong_turn() -> None:
    for kind in (Kind.SHUFFLE, Kind.PLAY):
        game = stopped(kind)
        speaker = game.dealer if kind is Kind.SHUFFLE else game.playing.turn
        assert speaker is not None
        seat = (speaker + 1) % 4
        game.say(seat, kind, b"")
        assert_convicts(game, audit_game(game), seat, Rule.TURN)


def test_audit__convicts_of_the_wrong_turn_in_a_round_that_is_over() -> None:
    game = Game(ONE_HAND).run()
    play = next(item.content for item in game.contents if item.content.kind == Kind.PLAY)
    seat = (play.seat + 1) % 4
    place = (play.hand, play.attempt, play.round)
    game.say(seat, Kind.PLAY, b"", place=place, prev=play.prev)
    report = audit_game(game)
    assert_convicts(game, report, seat, Rule.TURN)
    assert report.scores == game.match.hands


def second(game: Game, first: Sealed, **changes: object) -> None:
    """Sign another content for the place of ``first``."""
    content = first.content
    place = (content.hand, content.attempt, content.round)
    fields = {"prev": content.prev} | changes
    game.say(content.seat, content.kind, content.body + b"\0", place=place, **fields)


def pick(game: Game, kind: Kind, number: int) -> Sealed:
    return [item for item in game.contents if item.content.kind == kind][number]


@pytest.mark.parametrize("kind", [Kind.KEY, Kind.SHUFFLE, Kind.PLAY, Kind.REVEAL, Kind.ACK])
def test_audit__convicts_of_two_contents(kind: Kind) -> None:
    game = Game(ONE_HAND).run()
    first = pick(game, kind, -1)
    second(game, first)
    report = audit_game(game)
    assert_convicts(game, report, first.content.seat, Rule.TWO_CONTENTS)
    assert set(report.faults[0].fault.evidence) == {first.data, game.contents[-1].data}
    assert report.scores == game.match.hands, "what was certified stands"


def test_audit__convicts_of_two_contents_in_the_draw_and_not_of_their_numbers() -> None:
    game = stopped(Kind.DRAW)
    for body in (Draw(bytes(32)), Draw(bytes([1]) * 32)):
        game.say(1, Kind.DRAW, body)
    report = audit_game(game)
    opinion.assert_agrees(report, [game.log()])
    assert sorted(item.fault.rule for item in report.faults) == [Rule.COMMITMENT, Rule.TWO_CONTENTS]


def test_audit__convicts_of_two_contents_with_one_number() -> None:
    """Who forks its own chain signed two contents for one place: that is the rule named."""
    game = Game(ONE_HAND).run()
    first = pick(game, Kind.PLAY, 5)
    second(game, first, sequence=first.content.sequence, last=first.content.last)
    assert_convicts(game, audit_game(game), first.content.seat, Rule.TWO_CONTENTS)


def test_audit__accuses_nobody_who_built_on_the_other_of_two_contents() -> None:
    """The log holds first what was not certified: only the liar is named."""
    game = Game(ONE_HAND).run()
    first = pick(game, Kind.SHUFFLE, 1)
    second(game, first)
    game.contents.insert(game.contents.index(first), game.contents.pop())
    report = audit_game(game)
    assert report.verdict is Verdict.FAULT
    liars = {item.fault.seat for item in report.faults}
    assert liars == {first.content.seat}
    assert Rule.TWO_CONTENTS in {item.fault.rule for item in report.faults}


def test_audit__follows_a_speech_whose_author_said_something_on_another_history_first() -> None:
    """A seat that a liar told that first has taken this one all the same, and so does its log."""
    game = Game(ONE_HAND).run()
    first = pick(game, Kind.ESCROW, 1)
    number = {"sequence": first.content.sequence, "last": first.content.last}
    second(game, first, prev=bytes(32), **number)
    game.contents.insert(game.contents.index(first), game.contents.pop())
    report = audit_game(game)
    opinion.assert_agrees(report, [game.log()])
    assert {item.fault.seat for item in report.faults} == {first.content.seat}
    assert report.scores == game.match.hands


def test_audit__convicts_of_another_history_than_the_acknowledged_one() -> None:
    for kind in (Kind.SIT, Kind.DRAW, Kind.KEY):
        game = stopped(kind)
        game.say(1, kind, b"", prev=bytes(32))
        assert_convicts(game, audit_game(game), 1, Rule.PREVIOUS)


def test_audit__convicts_once_of_another_history_than_the_acknowledged_one() -> None:
    """What is said there a second time proves the two contents and nothing new."""
    game = stopped(Kind.KEY)
    for body in (b"", b"\0"):
        game.say(1, Kind.KEY, body, prev=bytes(32))
    report = audit_game(game)
    opinion.assert_agrees(report, [game.log()])
    assert sorted(item.fault.rule for item in report.faults) == [Rule.PREVIOUS, Rule.TWO_CONTENTS]


@pytest.mark.parametrize("kind", [Kind.PLAY, Kind.REVEAL])
def test_audit__accuses_nobody_who_built_on_what_votes_may_have_certified(kind: Kind) -> None:
    """Two liars give a round two certificates: an honest seat may hold another than this log."""
    game = stopped(kind)
    seat = game.playing.turn if kind is Kind.PLAY else 1
    assert seat is not None
    game.say(seat, kind, b"", prev=bytes(32))
    report = audit_game(game)
    assert report.faults == ()
    assert report.verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("kind", [Kind.PLAY, Kind.ACK])
def test_audit__convicts_of_a_second_content_on_another_history(kind: Kind) -> None:
    """Nobody signs twice for one place; else a loser could make a finished match incomplete."""
    game = Game(ONE_HAND).run()
    first = pick(game, kind, 40)
    second(game, first, prev=bytes(32))
    assert_convicts(game, audit_game(game), first.content.seat, Rule.TWO_CONTENTS)


@pytest.mark.parametrize("kind", [Kind.DRAW, Kind.SHARES])
def test_audit__accuses_nobody_of_another_history_who_acknowledged_it(kind: Kind) -> None:
    """A seat to which a liar showed another message builds on what it was shown."""
    game = stopped(kind)
    other = bytes(32)
    last = game.contents[-4:]
    assert all(item.content.kind == Kind.ACK for item in last)
    del game.contents[-4:]
    victim = game.players[game.order[2]]
    victim.sequence, victim.last = last[2].content.sequence, last[2].content.last
    before = last[2].content
    place = (before.hand, before.attempt, before.round)
    game.contents += [last[0], last[1], last[3]]
    game.say(2, Kind.ACK, Ack(other), place=place, prev=before.prev)
    game.say(2, kind, b"", prev=other)
    report = audit_game(game)
    assert report.verdict is Verdict.INCOMPLETE, report.summary
    assert any("another history" in gap for gap in report.gaps)


@pytest.mark.parametrize("kind", [Kind.DRAW, Kind.SHARES])
def test_audit__accuses_nobody_of_an_ack_alone_on_another_history(kind: Kind) -> None:
    """Confirms may close a round otherwise than a seat had acknowledged it."""
    game = stopped(kind)
    game.say(0, Kind.ACK, Ack(bytes(32)), prev=bytes(32))
    report = audit_game(game)
    opinion.assert_agrees(report, [game.log()])
    assert not report.faults
    assert any("builds on a history" in line for line in report.summary), report.summary


def test_audit__convicts_of_a_number_used_twice() -> None:
    game = stopped(Kind.SHARES)
    game.say(1, Kind.SHARES, b"", sequence=3)
    assert_chain_fault(game, 1)


def leaving_numbers_out(kind: Kind) -> Game:
    game = stopped(kind)
    player = game.players[game.order[1]]
    game.say(1, kind, b"", sequence=player.sequence + 4, last=bytes(32))
    return game


def test_audit__convicts_of_numbers_left_out_in_the_draw() -> None:
    """A missing number would otherwise make every log of the table incomplete for ever."""
    game = leaving_numbers_out(Kind.SIT)
    assert_convicts(game, audit_game(game), 1, Rule.CHAIN)


def test_audit__names_numbers_left_out_of_a_hand() -> None:
    """Votes may have had them; no honest peer takes, and so logs, a content on top of a gap."""
    report = audit_game(leaving_numbers_out(Kind.SHARES))
    assert any("are missing, from its own number" in gap for gap in report.gaps)
    assert Rule.CHAIN not in {item.fault.rule for item in report.faults}


def assert_chain_fault(game: Game, seat: int) -> None:
    """The contents may stand in hand 0, where a seat is a place: the player is what counts."""
    report = audit_game(game)
    assert report.verdict is Verdict.FAULT
    assert Rule.CHAIN in {item.fault.rule for item in report.faults}
    liar = game.players[game.order[seat]].nick
    assert {item.player.nick for item in report.faults} == {liar}


def test_audit__convicts_of_a_chain_with_a_wrong_beginning() -> None:
    game = stopped(Kind.SIT)
    game.say(1, Kind.SIT, b"", last=bytes(31) + b"\1")
    assert_chain_fault(game, 1)


def test_audit__convicts_of_a_broken_chain() -> None:
    game = stopped(Kind.SHARES)
    game.say(1, Kind.SHARES, b"", last=bytes(32))
    assert_chain_fault(game, 1)


def test_audit__misses_what_an_author_counted_and_the_log_lacks() -> None:
    game = stopped(Kind.SHARES)
    game.sign(1, Kind.SHARES, b"never logged")
    game.say(1, Kind.ACK, Ack(bytes(32)))
    report = audit_game(game)
    assert report.verdict is Verdict.INCOMPLETE
    assert not report.faults
    assert any("are missing, from its own number" in gap for gap in report.gaps)


def test_audit__convicts_of_an_ack_of_nonsense() -> None:
    game = stopped(Kind.SHARES)
    last = game.contents.pop().content
    player = game.players[game.order[last.seat]]
    player.sequence, player.last = last.sequence, last.last
    place = (last.hand, last.attempt, last.round)
    game.say(last.seat, Kind.ACK, b"\xc0", place=place, prev=last.prev)
    assert_convicts(game, audit_game(game), last.seat, Rule.BODY)


# The moon.

MOON = RuleSet(seats=3, queen_points=0, moon=Moon.CHOICE, hands=1)


def shoot_the_moon(tamper: Tamper = honest) -> Game:
    """The first of some deals in which a seat can take every heart."""
    for seed in range(40):
        game = Shooting(MOON, seed=seed, tamper=tamper).run()
        if game.line is not None:
            assert any(item.content.kind == Kind.CHOICE for item in game.contents)
            return game
    raise AssertionError("no deal lets a seat shoot the moon")


def test_audit__follows_the_choice_of_who_shot_the_moon() -> None:
    game = shoot_the_moon()
    report = audit_game(game)
    assert report.verdict is Verdict.CLEAN, report.summary
    assert report.scores == game.match.hands
    assert sorted(report.totals) == [0, 13, 13]
    kinds = [item.content.kind for item in game.contents]
    del game.contents[kinds.index(Kind.CHOICE) :]
    (hand,) = audit(read_log(game.log()), memo=MEMO, tells=True).story
    assert hand.shooter is not None
    assert hand.scores is None, "it has not chosen yet"


def test_audit__convicts_of_a_choice_that_the_rules_do_not_offer() -> None:
    game = shoot_the_moon(Once(Kind.CHOICE, lambda *_: Choice("both")))
    assert_convicts(game, audit_game(game), game.liar, Rule.CHOICE)


# All of it.


def test_audit__convicts_after_a_hand_that_stands() -> None:
    rule, tamper = CHEATS["a wrong share"]

    def later(game: Game, kind: Kind, seat: int, body: object) -> Body:
        return tamper(game, kind, seat, body) if game.place.hand == 2 else body  # type: ignore[arg-type, return-value]

    game = Game(long_game().rules, seed="long", tamper=later).run()
    report = audit_game(game)
    assert_convicts(game, report, game.liar, rule)
    assert report.faults[0].fault.hand == 2
    assert report.scores == long_game().match.hands[:1]


def test_audit__has_a_test_for_every_rule() -> None:
    shown = {rule for rule, _ in CHEATS.values()} | {
        Rule.KIND,
        Rule.TURN,
        Rule.TWO_CONTENTS,
        Rule.PREVIOUS,
        Rule.CHAIN,
        Rule.RERUN,
        Rule.CHOICE,
        Rule.CLAIM,
        Rule.CLAIM_CARDS,
        # In tests/table, by whole tables: test_liars.py, test_absence.py.
        Rule.EVIDENCE,
        Rule.ESCROW,
        Rule.COMPLAINT,
        Rule.SEAL,
        Rule.OPENINGS,
        Rule.BALLOT,
    }
    assert shown == set(Rule)


@pytest.mark.deep
@pytest.mark.parametrize("name", CHEATS)
def test_audit__never_convicts_by_a_part_of_a_log(name: str) -> None:
    """Whatever is left out of a liar's log, no honest seat is named and nothing is clean."""
    _, tamper = CHEATS[name]
    game = Game(ONE_HAND, tamper=tamper).run()
    records = game.records()
    assert write(records) != honest_game().log()
    for left_out in range(2, len(records), 5):
        report = audit_records(records[:left_out] + records[left_out + 1 :])
        assert report.verdict in (Verdict.FAULT, Verdict.INCOMPLETE)
        assert {item.fault.seat for item in report.faults} <= {game.liar}


class _TwoLiars(Game):
    """Seats 0 and 2 give what is wrong in the same round."""

    def say(self, speaker: int, kind: str, body: Body, **changes: object) -> Sealed:
        if kind == Kind.SHARES and speaker in {0, 2}:
            self.cheated, body = True, b"\xc1"
        return super().say(speaker, kind, body, **changes)


def test_audit__convicts_two_who_are_missing_in_the_round_of_shares() -> None:
    """Of neither anything can be opened; both readers say so, and neither ends with an error."""
    game = _TwoLiars(RuleSet(seats=3, hands=1), seed="two").run()
    found = audit_game(game)
    assert [(item.fault.rule, item.fault.seat) for item in found.faults] == [
        (Rule.BODY, 0),
        (Rule.BODY, 2),
    ]
    opinion.assert_agrees(found, [game.log()])
