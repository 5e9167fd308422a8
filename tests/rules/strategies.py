"""Random rule sets, and seeded randomness, for property tests."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from p2p_hearts.rules.options import HeartPoints, Moon, Opening, RuleSet, Tie


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any rules that make sense."""
    packs = draw(st.sampled_from((1, 1, 2)))
    seats = draw(st.integers(3, 6) if packs == 1 else st.integers(6, 11))
    return RuleSet(
        seats=seats,
        packs=packs,
        opening=draw(st.sampled_from(Opening)) if packs == 1 else Opening.NONE,
        pass_count=draw(st.integers(0, 52 // seats)) if packs == 1 else 0,
        first_trick_penalties=draw(st.booleans()),
        hearts_break=draw(st.booleans()),
        queen_waits=draw(st.booleans()),
        queen_breaks=draw(st.booleans()),
        heart_points=draw(st.sampled_from(HeartPoints)),
        queen_points=draw(st.sampled_from((0, 13))),
        jack_points=draw(st.sampled_from((0, -10))),
        moon=draw(st.sampled_from(Moon)),
        target=draw(st.integers(1, 300)),
        hands=draw(st.integers(0, 20)),
        tie=draw(st.sampled_from(Tie)),
        clock=draw(st.sampled_from((0, 10, 45))),
    )


def generators() -> st.SearchStrategy[random.Random]:
    return st.integers(0, 2**32 - 1).map(random.Random)
