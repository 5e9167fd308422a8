"""A moon over the wire: the shooter, and nobody else, says how it counts."""

from __future__ import annotations

from dataclasses import replace as with_options

import pytest
from msgspec.structs import replace

from p2p_hearts.record.audit import Verdict
from p2p_hearts.rules.options import Moon
from p2p_hearts.rules.score import MoonChoice, moon_shooter
from p2p_hearts.rules.view import Phase
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Choice, Content, Kind
from tests.record.test_audit_table import assert_agrees, audit_sim
from tests.table.cheats import Cheat, Cheater
from tests.table.moons import MOON, MOON_SEEDS, SAFE_SEED, SHOOTER, Helper
from tests.table.sim import Sim, honest
from tests.table.test_match import check_ends_alike

SCORES = {MoonChoice.OTHERS_ADD: (0, 26, 26), MoonChoice.SHOOTER_SUBTRACTS: (-26, 0, 0)}


def shooting(choice: MoonChoice, cheat: Cheat | None = None) -> Sim:
    """A hand in which one seat is about to shoot the moon."""
    seating = honest if cheat is None else cheat.seat_down
    sim = Sim(MOON, seed=MOON_SEEDS[0], seating=seating)
    sim.players = [Helper(choice)] * MOON.seats
    return sim


@pytest.mark.parametrize("choice", MoonChoice)
def test_choice__of_the_shooter_counts_at_every_table_and_in_the_audit(choice: MoonChoice) -> None:
    sim = shooting(choice)
    sim.run()
    table = check_ends_alike(sim)
    assert table.hand is not None
    assert table.hand.play is not None
    assert moon_shooter(MOON, table.hand.play.taken) == SHOOTER
    assert table.match.hands == (SCORES[choice],)
    said = [item for item in table.history.rounds if item.kind is Kind.CHOICE]
    assert [item.speakers for item in said] == [(SHOOTER,)]
    found = audit_sim(sim, [0, 1, 2])
    assert found.verdict is Verdict.CLEAN, found.summary
    assert found.reports[0].scores == table.match.hands


@pytest.mark.parametrize("choice", MoonChoice)
def test_choice__fits_its_message(choice: MoonChoice) -> None:
    assert decode(encode(Choice(choice.value)), Choice).moon == choice


def test_choice__is_asked_of_the_shooter_alone() -> None:
    asked: list[tuple[int, Phase]] = []

    class Watching(Sim):
        def _decide(self, place: int) -> None:
            table, view = self.tables[place], self.tables[place].view()
            if view is not None and self._chooses(table):
                asked.append((view.seat, view.phase))
                assert view.your_turn
                self._refuse_others(place)
            super()._decide(place)

        @staticmethod
        def _chooses(table: Table) -> bool:
            return table.decision is Kind.CHOICE

        def _refuse_others(self, place: int) -> None:
            for other, table in enumerate(self.tables):
                if other != place:
                    with pytest.raises(ValueError, match="does not wait for this decision"):
                        table.choose_moon(MoonChoice.OTHERS_ADD)

    sim = Watching(MOON, seed=MOON_SEEDS[0])
    sim.players = [Helper(MoonChoice.OTHERS_ADD)] * 3
    sim.run()
    assert asked == [(SHOOTER, Phase.CHOOSE_MOON)]


def test_choice__may_follow_a_claim() -> None:
    """A claim that completes the moon leads to the choice as the last trick would."""

    class Claiming(Sim):
        def _decide(self, place: int) -> None:
            view = self.tables[place].view()
            deciding = self.tables[place].decision is Kind.PLAY
            if deciding and view is not None and view.may_claim and view.seat == SHOOTER:
                self.tables[place].choose_claim()
                return
            super()._decide(place)

    sim = Claiming(MOON, seed=MOON_SEEDS[0])
    sim.players = [Helper(MoonChoice.SHOOTER_SUBTRACTS)] * 3
    sim.run()
    table = check_ends_alike(sim)
    kinds = [next(iter(item.speeches.values())).content.kind for item in table.history.rounds]
    assert kinds[-3:] == ["claim", "choice", "reveal"]
    assert table.match.hands == (SCORES[MoonChoice.SHOOTER_SUBTRACTS],)
    assert audit_sim(sim, [0, 2]).verdict is Verdict.CLEAN


def test_choice__is_not_asked_where_the_moon_is_safe() -> None:
    sim = Sim(with_options(MOON, moon=Moon.SAFE), seed=SAFE_SEED)
    sim.players = [Helper(MoonChoice.SHOOTER_SUBTRACTS)] * 3
    sim.run()
    table = check_ends_alike(sim)
    assert not any(item.kind is Kind.CHOICE for item in table.history.rounds)
    # Adding wins the match of one hand for the shooter, so nothing is taken off.
    assert table.match.hands == ((0, 26, 26),)
    assert table.match.winners == (SHOOTER,)
    assert audit_sim(sim, [0]).verdict is Verdict.CLEAN


@pytest.mark.parametrize(
    ("said", "rule"),
    [(Choice("both"), Rule.CHOICE), (Choice(""), Rule.CHOICE), (b"\xc0", Rule.BODY)],
)
def test_choice__that_the_rules_do_not_offer_is_refused(said: Choice | bytes, rule: Rule) -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.CHOICE:
            return None
        return replace(content, body=said if isinstance(said, bytes) else encode(said))

    cheat = Cheat(instead)
    convicts_here(cheat, rule)


def test_choice__by_another_seat_than_the_shooter_is_refused() -> None:
    def besides(table: Cheater) -> Content | None:
        if table.history.current.kind is not Kind.CHOICE or table.my_hand.seat == SHOOTER:
            return None
        return table.next_content(Kind.CHOICE, Choice("others-add"))

    convicts_here(Cheat(besides=besides), Rule.TURN)


def convicts_here(cheat: Cheat, rule: Rule) -> None:
    """Check that every honest peer, and the audit of its log, names the cheater and the rule."""
    sim = shooting(MoonChoice.OTHERS_ADD, cheat)
    sim.run(lambda: sum(table.fault is not None for table in sim.tables) >= 2, limit=60)
    sim.wait(3.0)
    for table in sim.tables:
        if table.place != cheat.place:
            assert table.fault is not None
            assert table.fault.rule is rule
            assert table.player_at(table.fault.seat) == cheat.place
    assert_agrees(sim, cheat, rule, seats=3)
