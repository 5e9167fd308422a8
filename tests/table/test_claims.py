"""Claims of the rest over the wire: true ones end the hand as playing would, false ones convict."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2p_hearts.cards.claim import make_claim
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.audit import Verdict
from p2p_hearts.rules.cards import Card, card_set, cards_in
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.rest import REFUSAL, may_claim
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.view import View
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.hand.playing import rerun
from p2p_hearts.table.hand.state import Revealed
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Claim, Content, Kind
from tests.record.test_audit_table import assert_agrees, audit_sim
from tests.table.cheats import (
    ONE_HAND,
    Body,
    Cheat,
    Cheater,
    context_with,
    convicts,
    held,
    public_of,
    secret_of,
)
from tests.table.sim import Sim, Weather
from tests.table.test_crash import CrashSim, check_said_once
from tests.table.test_match import STORM, check_ends_alike

CLAIMS = 1
"""The seed of a table of one hand at which somebody can claim the rest."""


def claiming(rules: RuleSet, seed: object, weather: Weather | None = None) -> Sim:
    """A finished match in which every claim that stands is made."""
    sim = Sim(rules, seed=seed, claims=True, weather=weather)
    sim.run()
    check_ends_alike(sim)
    return sim


def kinds(table: Table, hand: int) -> list[str]:
    """What was said in the rounds of a hand, by the first speaker of each."""
    rounds = [item for item in table.history.rounds if item.place.hand == hand]
    return [next(iter(item.speeches.values())).content.kind for item in rounds]


def play_of(hand: Hand | None) -> Hand:
    assert hand is not None
    assert hand.play is not None
    return hand


def check_clean(sim: Sim) -> None:
    """Check that logs tell the same match, and that the audit counts the claims."""
    found = audit_sim(sim, [0, 1])
    assert found.verdict is Verdict.CLEAN, found.summary
    assert found.reports[0].scores == sim.tables[0].match.hands
    claims = sum(kinds(sim.tables[0], hand).count("claim") for hand in (1, 2))
    assert found.reports[0].verified.get("claims", 0) == claims


@pytest.mark.parametrize(
    "seed", [CLAIMS, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(2, 12))]
)
def test_claim__that_is_true_ends_the_play_and_leads_to_the_normal_end_of_the_hand(
    seed: int,
) -> None:
    sim = claiming(ONE_HAND if seed == CLAIMS else RuleSet(hands=2), seed)
    check_clean(sim)
    for number, scores in enumerate(sim.tables[0].match.hands, 1):
        assert sum(scores) in (26, 78)
        said = kinds(sim.tables[0], number)
        assert said[-1] == "reveal"
        assert "claim" not in said or said[-2] == "claim"


def test_claim__gives_every_card_to_the_claimer_and_every_seat_is_run_again() -> None:
    sim = claiming(ONE_HAND, CLAIMS)
    hand = play_of(sim.tables[0].hand)
    assert hand.play is not None
    claimed = hand.play.claimed
    assert claimed is not None
    assert sum(pile.bit_count() for pile in hand.play.taken) == 52
    assert sum(points_of(hand.ground.rules, pile) for pile in hand.play.taken) == 26
    assert not hand.jobs
    owners = list[Revealed]()
    for seat, side in enumerate(hand.sides):
        assert len(side.secret) == 32
        if seat != hand.seat:
            owners.append(hand.revealed(seat))
            assert rerun(owners[-1], side.steps)() is None
        if seat not in (hand.seat, claimed.seat):
            assert owners[-1].unplayed, "cards that were never played are read for the re-run"
    read = card_set(card for own in owners for card in own.unplayed.values())
    assert read & claimed.hand == 0


def test_claim__leaves_views_without_cards() -> None:
    sim = claiming(ONE_HAND, CLAIMS)
    for table in sim.tables:
        view = table.view()
        assert view is not None
        assert view.hand == 0
        assert view.counts == (0, 0, 0, 0)
        assert not view.may_claim


def test_claim__is_the_same_in_a_storm() -> None:
    sim = claiming(ONE_HAND, CLAIMS, STORM)
    assert sim.tables[0].match == claiming(ONE_HAND, CLAIMS).tables[0].match


def test_claim__is_said_once_though_the_claimer_dies_around_it() -> None:
    """It dies after each of the last stores of the hand: claim, reveal and their acks."""
    honest = claiming(ONE_HAND, CLAIMS)
    hand = play_of(honest.tables[0].hand)
    assert hand.play is not None
    assert hand.play.claimed is not None
    claimer = honest.tables[0].player_at(hand.play.claimed.seat)
    around = range(len(honest.logs[claimer]) - 16, len(honest.logs[claimer]))
    sim = CrashSim(
        ONE_HAND,
        seed=CLAIMS,
        claims=True,
        dies=lambda place, kind, number: place == claimer and kind == "store" and number in around,
    )
    sim.run()
    check_said_once(sim)
    assert sim.deaths > 10
    assert kinds(sim.tables[0], 1).count("claim") == 1


EVERY_TABLE = [
    *((preset, PRESETS[preset].seats) for preset in sorted(PRESETS)),
    *(("black-lady", seats) for seats in (3, 5, 6)),
    *(("cancellation", seats) for seats in (7, 8, 9, 10, 11)),
]


@pytest.mark.deep
@pytest.mark.parametrize(("preset", "seats"), EVERY_TABLE)
def test_claim__ends_hands_of_every_preset_and_size_of_table_clean(preset: str, seats: int) -> None:
    rules = PRESETS[preset].with_options({"hands": "2", "seats": str(seats)})
    check_clean(claiming(rules, (preset, seats)))


class Asking(Sim):
    """A simulation that shows every decision on a card to ``look`` before it is taken."""

    def __init__(self, look: Callable[[Table, View], None], seed: object) -> None:
        super().__init__(ONE_HAND, seed=seed)
        self.look = look

    def _decide(self, place: int) -> None:
        table = self.tables[place]
        view = table.view()
        if table.decision is Kind.PLAY and view is not None:
            self.look(table, view)
        super()._decide(place)


def test_choose_claim__that_would_not_stand_is_refused_and_nothing_is_lost() -> None:
    refused = 0

    def look(table: Table, view: View) -> None:
        nonlocal refused
        if view.may_claim:
            return
        sim._flush(table.place)
        with pytest.raises(ValueError, match="cannot claim the rest") as refusal:
            table.choose_claim()
        assert str(refusal.value) == REFUSAL
        assert not table.drain()
        assert table.decision is Kind.PLAY
        assert table.view() == view
        refused += 1

    sim = Asking(look, seed=CLAIMS)
    sim.run()
    check_ends_alike(sim)
    assert refused > 30


def test_choose_claim__out_of_turn_is_refused() -> None:
    def look(table: Table, view: View) -> None:
        for other in sim.tables:
            if other is not table:
                with pytest.raises(ValueError, match="does not wait for this decision"):
                    other.choose_claim()

    sim = Asking(look, seed=CLAIMS)
    sim.run()
    check_ends_alike(sim)


def test_choose_claim__that_stands_is_the_decision() -> None:
    decided = 0

    def look(table: Table, view: View) -> None:
        nonlocal decided
        if view.may_claim:
            table.choose_claim()
            assert table.decision is None
            with pytest.raises(ValueError, match="does not wait for this decision"):
                table.choose_card(next(card for card in cards_in(view.legal)))
            decided += 1

    sim = Asking(look, seed=CLAIMS)
    sim.run()
    check_ends_alike(sim)
    assert decided == kinds(sim.tables[0], 1).count("claim") == 1


# -- cheaters ------------------------------------------------------------------------------------


def instead_of_a_play(trick: Callable[[Hand, Context], Body], fooled: int = 0) -> Cheat:
    """Claim where a play is due, at the first place where the trick applies."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.PLAY:
            return None
        context = Context(
            content.table, table.roster.rules_hash, content.hand, 1, content.round, content.seat
        )
        body = trick(table.my_hand, context)
        if body is None:
            return None
        data = body if isinstance(body, bytes) else encode(body)
        return replace(content, kind=Kind.CLAIM, body=data)

    return Cheat(instead, fooled=fooled)


def claim_of(
    hand: Hand,
    context: Context,
    *,
    places: list[int] | None = None,
    named: list[Card] | None = None,
    secret: HandSecret | None = None,
) -> Claim:
    """Claim with the cards at these places, under these names, proven as well as that goes."""
    places = held(hand) if places is None else places
    cards = [hand.cards[at] for at in places] if named is None else named
    own = hand.sides[hand.seat].hand
    proof = make_claim(
        secret or secret_of(hand),
        context,
        public_of(hand),
        hand.ground.encoding,
        tuple(own[at] for at in places),
        cards,
    )
    return Claim([int(card) for card in cards], proof)


def stands(hand: Hand) -> bool:
    assert hand.play is not None
    return may_claim(hand.play, hand.seat, hand.own_cards)


def false_claim(hand: Hand, context: Context) -> Body:
    return None if stands(hand) else claim_of(hand, context)


def claim_with_a_wrong_card(hand: Hand, context: Context) -> Body:
    """A true claim, but for one name: the opening card, which is gone, or another that is held."""
    if not stands(hand) or len(held(hand)) < 2:
        return None
    names = [hand.cards[at] for at in held(hand)]
    return claim_of(hand, context, named=[names[1], *names[1:]])


def claim_without_a_card(hand: Hand, context: Context) -> Body:
    return claim_of(hand, context, places=held(hand)[1:]) if stands(hand) else None


def claim_with_a_card_too_many(hand: Hand, context: Context) -> Body:
    if not stands(hand) or not hand.sides[hand.seat].opened:
        return None
    gone = next(iter(hand.sides[hand.seat].opened))
    return claim_of(hand, context, places=sorted([gone, *held(hand)]))


def claim_proven_elsewhere(hand: Hand, context: Context) -> Body:
    return claim_of(hand, context_with(context, round=context.round - 1)) if stands(hand) else None


CHEATS: dict[str, tuple[Rule, Callable[[Hand, Context], Body]]] = {
    "a false claim": (Rule.CLAIM, false_claim),
    "a claim with a wrong card": (Rule.CARD, claim_with_a_wrong_card),
    "a claim that leaves out a card": (Rule.CLAIM_CARDS, claim_without_a_card),
    "a claim with a card played before": (Rule.CLAIM_CARDS, claim_with_a_card_too_many),
    "a claim with a proof of another round": (Rule.CARD, claim_proven_elsewhere),
    "a claim of nothing": (Rule.CLAIM_CARDS, lambda hand, context: Claim([], bytes(64))),
    "a claim of bytes": (Rule.BODY, lambda hand, context: b"\xc0"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_claim__is_refused_by_table_and_audit_if_it_is(name: str) -> None:
    rule, trick = CHEATS[name]
    cheat = instead_of_a_play(trick)
    assert_agrees(convicts(cheat, rule), cheat, rule)


@pytest.mark.deep
def test_claim__that_is_false_in_the_last_but_one_trick_is_refused_too() -> None:
    def late(hand: Hand, context: Context) -> Body:
        assert hand.play is not None
        late_enough = hand.play.tricks_left == 2 and not hand.play.trick
        return false_claim(hand, context) if late_enough else None

    convicts(instead_of_a_play(late), Rule.CLAIM)


def test_claim__out_of_turn_is_refused() -> None:
    def besides(table: Cheater) -> Content | None:
        hand = table.hand
        if hand is None or hand.play is None or hand.play.turn in (None, hand.seat):
            return None
        if table.history.current.kind is not Kind.PLAY:
            return None
        place = table.history.current.place
        context = Context(table.history.current.table, table.roster.rules_hash, *place, hand.seat)
        return table.next_content(Kind.CLAIM, claim_of(hand, context))

    convicts(Cheat(besides=besides), Rule.TURN)


def test_claim__in_another_round_than_that_of_a_play_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.OPEN:
            return None
        return replace(content, kind=Kind.CLAIM, body=encode(Claim([], b"")))

    convicts(Cheat(instead), Rule.KIND)


def test_claim__beside_a_play_is_two_contents() -> None:
    cheat = instead_of_a_play(false_claim, fooled=1)
    convicts(cheat, Rule.TWO_CONTENTS)


def test_claim__with_nonces_of_its_own_is_found_when_the_hand_is_made_again() -> None:
    """Proven and true, but not what its hand secret says."""

    class Free(HandSecret):
        def nonce_source(self, round_number: int, label: bytes) -> Callable[[bytes, int], int]:
            return lambda digest, index: 7 + index

    def free(hand: Hand, context: Context) -> Body:
        own = secret_of(hand)
        secret = Free(own.z, own.table, own.hand, own.attempt, own.seat)
        return claim_of(hand, context, secret=secret) if stands(hand) else None

    convicts(instead_of_a_play(free), Rule.RERUN)
