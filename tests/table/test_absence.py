"""Going on without a seat, in memory: who vanishes, returns, or breaks a rule.

Everything that a table with an absent seat says is audited as well, by code that shares nothing
with the table's but the rules of ``agreement.absence`` and of dummies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from p2p_hearts.cards import escrow
from p2p_hearts.crypto.group import ORDER, Element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.audit import Comparison, Verdict
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.hand.dealing import recipients
from p2p_hearts.table.machine import Table
from p2p_hearts.table.post import Post
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import place_of
from p2p_hearts.wire.envelope import Signer, open_envelope
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import (
    BALLOTS,
    Beat,
    Complaint,
    Content,
    Escrow,
    Kind,
    Openings,
    Seals,
    Vote,
)
from tests.record.stories import assert_told
from tests.record.test_audit_table import audit_sim
from tests.table.cheats import Cheat, Cheater, saying, secret_of
from tests.table.sim import Sim, Weather
from tests.table.test_crash import CrashSim

STORM = Weather(delay=0.02, jitter=0.4, drop=0.1, double=0.1)

EVERY_ROUND = (
    Kind.KEY,
    Kind.SHUFFLE,
    Kind.ESCROW,
    Kind.SEALS,
    Kind.SHARES,
    Kind.PASS_SELECT,
    Kind.PASS,
    Kind.REMASK,
    Kind.OPEN,
    Kind.PLAY,
    Kind.REVEAL,
)
BEFORE_CARDS = (Kind.KEY, Kind.SHUFFLE, Kind.ESCROW, Kind.SEALS)


def rules_of(seats: int = 4, hands: int = 2) -> RuleSet:
    return RuleSet(seats=seats, hands=hands, grace=15)


def is_due(sim: Sim, place: int, kind: Kind, hand: int = 1) -> Callable[[], bool]:
    """Whether a place is to speak in a round of this kind, as the next one sees it."""

    def due() -> bool:
        table = sim.tables[(place + 1) % len(sim.tables)]
        here = table.history.current
        seat = sim.tables[place].seat
        return here.kind is kind and here.place.hand == hand and seat in here.speakers

    return due


def others(sim: Sim, *places: int) -> list[int]:
    return [place for place in range(len(sim.tables)) if place not in places]


def finish(sim: Sim, places: Iterable[int], limit: float = 3000.0) -> Table:
    """Let these places play the match to its end; they end alike, and their logs are clean."""
    tables = [sim.tables[place] for place in places]
    sim.run(lambda: all(table.over for table in tables), limit=sim.now + limit)
    assert len({table.history.head for table in tables}) == 1
    assert len({table.match.hands for table in tables}) == 1
    return tables[0]


def check_clean(sim: Sim, places: list[int]) -> Comparison:
    found = audit_sim(sim, places)
    assert found.verdict is Verdict.CLEAN, found.summary
    assert found.reports[0].scores == sim.tables[places[0]].match.hands
    assert_told(found.reports[0])
    return found


def closed_without(table: Table) -> list[tuple[int, Kind]]:
    """The rounds that were closed without a seat: hand and kind."""
    rounds = table.history.rounds
    return [(item.place.hand, item.kind) for item in rounds if item.absent is not None]


def attempts(table: Table) -> set[tuple[int, int]]:
    return {item.place[:2] for item in table.history.rounds if item.place.hand}


@pytest.mark.parametrize("kind", EVERY_ROUND)
def test_absence__of_one_of_four_in_any_round_is_survived(kind: Kind) -> None:
    """Before cards are seen the hand begins anew without it; later its cards lie open."""
    sim = Sim(rules_of(hands=1), seed="vanish", auto_vote=True)
    sim.run(is_due(sim, 1, kind))
    sim.stopped.add(1)
    table = finish(sim, others(sim, 1))
    assert closed_without(table) == [(1, kind)]
    assert attempts(table) == ({(1, 1), (1, 2)} if kind in BEFORE_CARDS else {(1, 1)})
    check_clean(sim, [0, 2])


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.SHARES, Kind.PASS, Kind.PLAY])
def test_absence__of_one_of_three_is_survived(kind: Kind) -> None:
    sim = Sim(rules_of(3, hands=1), seed="vanish of three", auto_vote=True)
    sim.run(is_due(sim, 2, kind))
    sim.stopped.add(2)
    assert closed_without(finish(sim, [0, 1])) == [(1, kind)]
    check_clean(sim, [0, 1])


def test_absence__of_the_founder_is_survived() -> None:
    sim = Sim(rules_of(hands=1), seed="founder", auto_vote=True)
    sim.run(is_due(sim, 0, Kind.REMASK))
    sim.stopped.add(0)
    finish(sim, [1, 2, 3])
    check_clean(sim, [1, 2, 3])


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.PASS, Kind.PLAY])
def test_absence__is_survived_in_a_storm(kind: Kind) -> None:
    sim = Sim(rules_of(hands=1), seed="absent in a storm", weather=STORM, auto_vote=True)
    sim.run(is_due(sim, 3, kind))
    sim.stopped.add(3)
    finish(sim, [0, 1, 2])
    check_clean(sim, [0, 1, 2])


def test_absence__with_a_widow_opens_the_share_that_is_missing() -> None:
    rules = PRESETS["cancellation"].with_options({"hands": "1", "grace": "15"})
    sim = Sim(rules, seed="absent from a widow", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.WIDOW))
    sim.stopped.add(1)
    finish(sim, others(sim, 1))
    check_clean(sim, [0, 2])


def test_absence__after_a_claim_opens_no_card_that_decides_nothing_any_more() -> None:
    sim = Sim(rules_of(hands=1), seed="absent after a claim", claims=True, auto_vote=True)
    sim.run(is_due(sim, 1, Kind.REVEAL))
    sim.stopped.add(1)
    table = finish(sim, others(sim, 1))
    assert table.hand is not None
    assert table.hand.play is not None
    assert table.hand.play.claimed is not None
    assert table.hand.play.claimed.seat != sim.tables[1].seat, "else its cards lie open"
    assert closed_without(table) == [(1, Kind.REVEAL)]
    assert Kind.OPENINGS not in {item.kind for item in table.history.rounds}
    found = audit_sim(sim, others(sim, 1))
    assert found.verdict is Verdict.CLEAN, found.summary


def test_absence__of_a_keyless_seat_leaves_it_out_of_every_later_hand_after_a_short_wait() -> None:
    sim = Sim(rules_of(hands=3), seed="gone for good", auto_vote=True)
    sim.run(is_due(sim, 2, Kind.PLAY))
    sim.stopped.add(2)
    table = finish(sim, [0, 1, 3])
    assert closed_without(table) == [(1, Kind.PLAY), (2, Kind.KEY), (3, Kind.KEY)]
    assert attempts(table) == {(1, 1), (2, 1), (2, 2), (3, 1), (3, 2)}
    assert sim.now < 45
    kinds = {item.kind for item in table.history.rounds if item.place[:2] == (2, 2)}
    assert not kinds & {Kind.ESCROW, Kind.SEALS, Kind.PASS_SELECT, Kind.PASS, Kind.REMASK}
    check_clean(sim, [0, 1, 3])


def test_absence__shorter_than_the_grace_changes_nothing() -> None:
    sim = Sim(rules_of(hands=1), seed="short", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    sim.stopped.add(1)
    sim.wait(10.0)
    sim.stopped.clear()
    table = finish(sim, range(4))
    assert not any(item.ballots for item in table.history.rounds)
    check_clean(sim, [0, 1, 2, 3])


@pytest.mark.parametrize("kind", [Kind.ESCROW, Kind.PASS, Kind.PLAY])
def test_return__while_its_dummy_plays_takes_part_again_from_the_next_hand_on(kind: Kind) -> None:
    sim = Sim(rules_of(), seed="return", auto_vote=True)
    sim.run(is_due(sim, 1, kind))
    sim.stopped.add(1)
    table = sim.tables[0]
    sim.run(lambda: table.hand is not None and table.hand.dummy is not None)
    view = table.view()
    assert table.hand is not None
    assert view is not None
    assert view.dummy is not None
    assert view.dummy == table.hand.dummy
    assert view.known[view.dummy] == table.hand.open_cards(view.dummy)
    sim.stopped.clear()
    finish(sim, range(4))
    returned = sim.tables[1]
    assert closed_without(returned) == [(1, kind)]
    assert (2, 2) not in attempts(returned)
    check_clean(sim, [0, 1, 2, 3])


def test_return__after_a_crash_takes_the_certificate_and_says_nothing_twice() -> None:
    sim = CrashSim(rules_of(), dies=lambda *_: False, seed="crash away", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    sim.stopped.add(1)
    table = sim.tables[0]
    sim.run(lambda: table.hand is not None and table.hand.dummy is not None)
    sim.start_again(1)
    finish(sim, range(4))
    check_clean(sim, [0, 1, 2, 3])


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.ESCROW, Kind.SEALS, Kind.PLAY])
def test_crash__of_a_voter_at_any_of_its_votes_changes_nothing(kind: Kind) -> None:
    """Every voter dies after every vote and every confirm that it stores, and comes back."""
    sim: CrashSim

    def dies(place: int, what: str, number: int) -> bool:
        last = sim.tables[place].hearing.spoken.count - 1
        said = sim.tables[place].history.numbered(sim.identities[place].public, last)
        is_ballot = said is not None and said.content.kind in BALLOTS
        again = (place, last) in seen
        if is_ballot and what == "store":
            seen.add((place, last))
        return is_ballot and what == "store" and not again

    seen: set[tuple[int, int]] = set()
    sim = CrashSim(rules_of(hands=1), dies=dies, seed="voters die", auto_vote=True)
    sim.run(is_due(sim, 1, kind))
    sim.stopped.add(1)

    sim.run(lambda: all(sim.tables[place].over for place in (0, 2, 3)))
    assert sim.deaths >= 3
    finish(sim, [0, 2, 3])
    check_clean(sim, [0, 2, 3])


def test_vote__of_a_voter_that_starts_again_when_the_others_vote_is_cast_in_a_shuffle_too() -> None:
    """The others' votes are there before its own clock has run: it still gets to its vote."""
    sim = CrashSim(rules_of(hands=1), dies=lambda *_: False, seed=1, auto_vote=True)
    sim.run(is_due(sim, 1, Kind.SHUFFLE))
    sim.stopped.add(1)
    sim.wait(13.0)
    sim.start_again(3)
    finish(sim, [0, 2, 3], limit=400.0)


def test_pause__with_two_missing_waits_for_them_by_name_and_goes_on_when_they_return() -> None:
    sim = Sim(rules_of(hands=1), seed="two away", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PASS_SELECT))
    sim.stopped |= {1, 2}
    sim.wait(120.0)
    for place in (0, 3):
        table = sim.tables[place]
        assert not any(item.ballots for item in table.history.rounds)
        assert {table.player_at(item.seat) for item in table.waiting()} == {1, 2}
        assert {item.item for item in table.waiting()} == {"message"}
    sim.stopped.clear()
    finish(sim, range(4))
    check_clean(sim, [0, 1, 2, 3])


def test_pause__when_a_second_seat_leaves_while_a_dummy_plays() -> None:
    sim = Sim(rules_of(hands=1), seed="second leaves", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    sim.stopped.add(1)
    table = sim.tables[0]
    sim.run(lambda: table.hand is not None and table.hand.dummy is not None)
    sim.stopped.add(2)
    sim.wait(120.0)
    assert not table.over
    assert {table.player_at(item.seat) for item in table.waiting()} == {2}
    sim.stopped.discard(2)
    finish(sim, [0, 2, 3])
    check_clean(sim, [0, 2, 3])


def test_pause__ends_by_a_vote_when_one_of_two_returns() -> None:
    sim = Sim(rules_of(hands=1), seed="one of two", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    sim.stopped |= {1, 2}
    sim.wait(60.0)
    sim.stopped.discard(2)
    finish(sim, [0, 2, 3])
    check_clean(sim, [0, 2, 3])


# People decide.


def test_vote_out__is_for_people_to_decide_and_needs_all_who_are_there() -> None:
    sim = Sim(rules_of(hands=1), seed="people")
    table, deciding = sim.tables[1], sim._decide
    sim._decide = lambda place: (table.decision is Kind.PLAY and place == 1) or deciding(place)  # type: ignore[method-assign, assignment]
    sim.run(lambda: table.decision is Kind.PLAY)
    sim.wait(1.0)  # It owes its card alone, and no ack.
    sim.stopped.add(1)
    seat = sim.tables[1].seat
    assert seat is not None
    table = sim.tables[0]
    with pytest.raises(ValueError, match="not waited for, or not yet"):
        table.vote_out(seat)
    sim.wait(60.0)
    assert not any(item.ballots for item in table.history.rounds)
    assert table.may_vote_out() == (seat,)
    table.vote_out(seat)
    sim.wait(10.0)
    assert closed_without(table) == []
    for place in (2, 3):
        sim.tables[place].vote_out(seat)
    finish(sim, [0, 2, 3])
    check_clean(sim, [0, 2, 3])


def test_vote_out__never_meets_a_player_who_thinks() -> None:
    """Its program is there: its heartbeats say so, and its turn may take as long as it likes."""
    sim = Sim(rules_of(hands=1), seed="thinks", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    deciding, sim._decide = sim._decide, lambda place: place == 1 or deciding(place)  # type: ignore[method-assign, assignment]
    sim.wait(300.0)
    assert not any(item.ballots for item in sim.tables[0].history.rounds)
    sim._decide = deciding  # type: ignore[method-assign]
    finish(sim, range(4))


def test_clock__gives_nobody_up_in_time_and_goes_on_without_who_ignores_it() -> None:
    sim = Sim(RuleSet(hands=1, grace=15, clock=30), seed="clock", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    deciding = sim._decide
    sim._decide = lambda place: place == 1 or deciding(place)  # type: ignore[method-assign, assignment]
    sim.wait(44.0)
    assert not any(item.ballots for item in sim.tables[0].history.rounds)
    table = finish(sim, [0, 2, 3])
    assert closed_without(table) == [(1, Kind.PLAY)]
    check_clean(sim, [0, 2, 3])


def test_vote_out__of_a_player_who_thinks_for_ever_is_for_all_the_others_to_decide() -> None:
    """Whose program is there and who never plays cannot keep the table for ever."""
    sim = Sim(rules_of(hands=1), seed="thinks", auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    seat = sim.tables[1].seat
    assert seat is not None
    deciding = sim._decide
    sim._decide = lambda place: place == 1 or deciding(place)  # type: ignore[method-assign, assignment]
    sim.wait(10.0)
    assert sim.tables[0].may_vote_out() == ()
    sim.wait(20.0)
    for place in (0, 2):
        assert sim.tables[place].may_vote_out() == (seat,)
        sim.tables[place].vote_out(seat)
        assert sim.tables[place].may_vote_out() == (), "it is decided, and asked no more"
    sim.wait(30.0)
    assert closed_without(sim.tables[0]) == [], "one has not agreed"
    sim.tables[3].vote_out(seat)
    finish(sim, [0, 2, 3])
    assert closed_without(sim.tables[0])[0] == (1, Kind.PLAY)
    check_clean(sim, [0, 2, 3])


# Who breaks a rule.

CHEATS = {
    Kind.KEY: Rule.BODY,
    Kind.SHUFFLE: Rule.BODY,
    Kind.ESCROW: Rule.BODY,
    Kind.SEALS: Rule.BODY,
    Kind.SHARES: Rule.BODY,
    Kind.PASS: Rule.BODY,
    Kind.PLAY: Rule.BODY,
}


@pytest.mark.parametrize("kind", CHEATS)
def test_cheater__becomes_a_dummy_and_the_match_goes_on(kind: Kind) -> None:
    cheat = saying(kind, lambda hand, context, body: b"")
    sim = Sim(rules_of(), seed="cheater", seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    table = finish(sim, rest)
    fault = table.fault
    assert fault is not None
    assert fault.rule is CHEATS[kind]
    assert table.player_at(fault.seat) == cheat.place
    assert len(table.match.hands) == 2
    assert table.hand is not None
    assert table.hand.keyless == fault.seat, "no further hand is dealt with it"
    found = audit_sim(sim, rest)
    assert found.verdict is Verdict.FAULT
    assert [item.fault.seat for item in found.faults] == [fault.seat]
    assert found.fullest.scores == table.match.hands


@pytest.mark.parametrize("fooled", [1, 2])
def test_cheater__that_says_two_things_is_left_out_of_the_hand(fooled: int) -> None:
    cheat = saying(Kind.SHARES, lambda hand, context, body: b"", fooled=fooled)
    sim = Sim(rules_of(hands=1), seed="equivocator", seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    sim.stopped.add(cheat.place)
    rest = others(sim, cheat.place)
    table = finish(sim, rest)
    assert table.fault is not None
    assert table.fault.rule is Rule.TWO_CONTENTS
    assert closed_without(table) == [(1, Kind.SHARES)]
    found = audit_sim(sim, rest)
    assert found.verdict is Verdict.FAULT
    assert {item.fault.seat for item in found.faults} == {table.fault.seat}
    assert found.fullest.scores == table.match.hands


def test_cheater__stops_the_game_where_people_have_not_decided_to_go_on() -> None:
    cheat = saying(Kind.PLAY, lambda hand, context, body: b"")
    sim = Sim(rules_of(hands=1), seed="cheater", seating=cheat.seat_down)
    sim.run(lambda: sum(table.stopped for table in sim.tables) >= 3)
    sim.wait(60.0)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    for place in rest:
        table = sim.tables[place]
        assert table.stopped
        assert not table.stopped_for_good
        assert table.fault is not None
        assert table.may_vote_out() == (table.fault.seat,)
        table.vote_out(table.fault.seat)
    finish(sim, rest)


# Escrow: who seals wrongly, complains wrongly, opens wrongly, votes as nobody may.


def wrongly_sealed(hand: Hand, context: Context, body: object) -> Escrow:
    """Every proof holds, and the seal for the lowest other seat opens to another share."""
    mask = escrow._mask
    first = min(seat for seat in range(4) if seat != hand.seat)

    def spoiled(here: Context, seat: int, *rest: Element) -> int:
        return (mask(here, seat, *rest) + (seat == first)) % ORDER

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(escrow, "_mask", spoiled)
        keys = recipients(hand, hand.seat)
        return Escrow(*alone(escrow.make_escrow)(secret_of(hand), context, keys))


def alone(function: Any) -> Any:
    """The function itself, where tests share its results."""
    cells = getattr(function, "__closure__", None) or ()
    found = [cell.cell_contents for cell in cells if callable(cell.cell_contents)]
    return found[0] if found else function


def false_complaint(hand: Hand, context: Context, body: object) -> Seals:
    owner = min(seat for seat in range(4) if seat != hand.seat)
    split = hand.split_of(owner)
    return Seals([Complaint(owner, *escrow.make_complaint(hand.ground.table_key, context, split))])


def goes_on_without(cheat: Cheat, rule: Rule, seed: str) -> Table:
    """The table names the cheater by a rule, deals again without it, and the audit agrees."""
    sim = Sim(rules_of(hands=1), seed=seed, seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    table = finish(sim, rest)
    assert table.fault is not None
    assert table.fault.rule is rule
    assert table.player_at(table.fault.seat) == cheat.place
    assert attempts(table) == {(1, 1), (1, 2)}
    found = audit_sim(sim, rest)
    assert found.verdict is Verdict.FAULT
    assert [(item.fault.seat, item.fault.rule) for item in found.faults] == [
        (table.fault.seat, rule)
    ]
    assert found.fullest.scores == table.match.hands
    return table


def test_escrow__that_seals_a_wrong_share_is_complained_of_and_costs_its_owner_the_key() -> None:
    goes_on_without(saying(Kind.ESCROW, wrongly_sealed), Rule.SEAL, "wrong seal")


def test_escrow__without_a_seals_proof_is_refused() -> None:
    def spoiled(hand: Hand, context: Context, body: object) -> Escrow:
        assert isinstance(body, Escrow)
        return replace(body, publics=body.publics[32:64] + body.publics[:32] + body.publics[64:])

    goes_on_without(saying(Kind.ESCROW, spoiled), Rule.ESCROW, "no proof")


def test_seals__with_a_false_complaint_convict_who_complains() -> None:
    table = goes_on_without(saying(Kind.SEALS, false_complaint), Rule.COMPLAINT, "false complaint")
    shares = [item for item in table.history.rounds if item.kind is Kind.SHARES]
    assert {item.place[:2] for item in shares} == {(1, 2)}, "no share before the last complaint"


def test_openings__that_are_wrong_stop_a_table_with_two_missing() -> None:
    def spoiled(hand: Hand, context: Context, body: object) -> Openings:
        assert isinstance(body, Openings)
        return replace(body, points=body.points[32:64] + body.points[:32] + body.points[64:])

    cheat = saying(Kind.OPENINGS, spoiled)
    sim = Sim(rules_of(hands=1), seed="openings", seating=cheat.seat_down, auto_vote=True)
    sim.run(is_due(sim, 1, Kind.PLAY))
    sim.stopped.add(1)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    sim.wait(30.0)
    rest = others(sim, 1, cheat.place)
    for place in rest:
        fault = sim.tables[place].fault
        assert fault is not None
        assert fault.rule is Rule.OPENINGS
        assert sim.tables[place].stopped_for_good
    assert audit_sim(sim, rest).faults[0].fault.rule is Rule.OPENINGS


def test_ballot__that_no_seat_may_sign_convicts_its_signer() -> None:
    def besides(table: Cheater) -> Content | None:
        here = table.history.current
        if here.kind is not Kind.PLAY or table.seat is None:
            return None
        vote = Vote(1, table.seat, table.seat, [b""], b"")
        content = table.next_content(Kind.VOTE, vote)
        return replace(content, sequence=table.hearing.spoken.count)

    cheat = Cheat(besides=besides)
    sim = Sim(rules_of(hands=1), seed="ballot", seating=cheat.seat_down)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    sim.run(lambda: all(sim.tables[place].fault is not None for place in rest))
    for place in rest:
        fault = sim.tables[place].fault
        assert fault is not None
        assert (fault.rule, sim.tables[place].player_at(fault.seat)) == (Rule.BALLOT, cheat.place)
    assert audit_sim(sim, rest).faults[0].fault.rule is Rule.BALLOT


class Withholding(Post):
    """The post of a seat that keeps its ack of one play to itself."""

    kept: Content | None = None

    def send(self, to: int | None, envelopes: Sequence[bytes], beat: Beat | None = None) -> None:
        others = [data for data in envelopes if open_envelope(data).content != self.kept]
        super().send(to, others, beat)


class Choosing(Voice):
    """The voice of that seat: it says which ack that is, and speaks on."""

    def sign(self, content: Content) -> None:
        assert isinstance(self.post, Withholding)
        if self.post.kept is None and content.kind == Kind.ACK and content.round >= 16:
            item = self.history.find(place_of(content))
            if item is not None and self.course.seat in item.speakers:
                self.post.kept = content
        super().sign(content)


class Selfish(Table):
    """A seat that keeps its ack of one play to itself and plays on."""

    post_type = Withholding
    voice_type = Choosing
    post: Withholding


def test_absence__who_plays_on_without_its_ack_hangs_nobody() -> None:
    """Nobody acknowledges what it says next: else nobody could vote in the round before."""

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        return (Selfish if place == 1 else Table)(signer, roster, secrets)

    rules = RuleSet(hands=1, grace=15)
    sim = Sim(rules, seed=3, seating=seating, auto_vote=True)
    liar, honest = sim.tables[1], [sim.tables[place] for place in (0, 2, 3)]
    sim.run(lambda: all(table.over for table in honest), limit=sim.now + 120)
    assert isinstance(liar, Selfish)
    kept = liar.post.kept
    assert kept is not None
    assert kept.kind == Kind.ACK
    here = place_of(kept)
    after = liar.history.find(here._replace(round=here.round + 1))
    assert after is not None
    assert liar.seat in after.speakers
    assert [table.fault for table in honest] == [None] * 3
