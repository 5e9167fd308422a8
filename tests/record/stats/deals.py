"""Games with deals by chance, or by somebody who steers them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from p2p_hearts.record.stats.facts import GameFacts, HandFacts, PlayerFacts
from p2p_hearts.rules.cards import QUEEN_OF_SPADES, Card
from p2p_hearts.rules.options import RuleSet

Steer = Callable[[list[Card]], None]
"""Changes a shuffled pack, seat 0's hand first."""


def honest(pack: list[Card]) -> None:
    """Leave the pack as it is."""


def hand_facts(rules: RuleSet, random: Random, steer: Steer = honest) -> HandFacts:
    pack = list(rules.pack)
    random.shuffle(pack)
    steer(pack)
    size = rules.hand_size
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
    return HandFacts(
        scores=[0] * rules.seats,
        queens=[0] * rules.seats,
        shooter=None,
        suits=[[sum(card // 13 == suit for card in hand) for suit in range(4)] for hand in hands],
        dealt_queens=[hand.count(QUEEN_OF_SPADES) for hand in hands],
        dealt_points=[sum(rules.points(card) for card in hand) for hand in hands],
    )


def game_facts(
    rules: RuleSet, deals: int, seed: object = 0, steer: Steer = honest, table: str = "ab"
) -> GameFacts:
    random = Random(f"{rules.seats} {seed}")
    return GameFacts(
        verdict="clean",
        table=table,
        name="Sunday table",
        created=1_700_000_000,
        preset="black-lady",
        rules=dict(rules.to_dict()),
        owner="00" * 32,
        players=[PlayerFacts(f"{seat:02x}" * 32, f"P{seat}") for seat in range(rules.seats)],
        hands=[hand_facts(rules, random, steer) for _ in range(deals)],
        winners=[1],
    )
