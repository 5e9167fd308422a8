"""For every kind and every field a seat that says something else, from the schema (liars.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import pytest
from msgspec import inspect

from p2p_hearts.record.audit import Verdict
from p2p_hearts.wire.messages import BODIES, Content, Kind
from tests.record.test_audit_table import audit_sim
from tests.table.liars import ABSENT, LIAR, Lie, check_outcome, lies_of, tell
from tests.table.test_absence import finish

FORMING = (Kind.SIT, Kind.DRAW)

ABOUT_HEADER = "header "


def some(lies: Sequence[Lie], most: int) -> list[Lie]:
    """So many of the lies, the same in every run, from all over."""
    return sorted(lies, key=lambda lie: crc32(str(lie).encode()))[:most]


def sample_of(kind: Kind) -> list[Lie]:
    """One lie about every field of the body, and one each about form, header and time."""
    groups: dict[str, list[Lie]] = {}
    for lie in lies_of(kind):
        about_header = lie.group.startswith(ABOUT_HEADER) or lie.group == "the signature"
        about_time = lie.group in ("when", "different to each")
        group = "header" if about_header else "time" if about_time else lie.group
        groups.setdefault(group, []).append(lie)
    return [some(lies, 1)[0] for lies in groups.values()]


def check(lies: Sequence[Lie]) -> Counter[str]:
    """Tell the lies; return what became of how many."""
    outcomes = Counter[str]()
    for lie in lies:
        try:
            outcomes[check_outcome(tell(lie))] += 1
        except Exception as error:
            raise AssertionError(f"{lie}: {error}") from error
    return outcomes


def test_lies__are_told_about_every_field_of_every_kind() -> None:
    header = {f"header {field}" for field in Content.__struct_fields__ if field != "body"}
    for kind in Kind:
        groups = {lie.group for lie in lies_of(kind)}
        fields = {item.name for item in inspect.type_info(BODIES[kind]).fields}  # type: ignore[attr-defined]
        assert fields | header <= groups
        assert len({str(lie) for lie in lies_of(kind)}) == len(list(lies_of(kind)))


@pytest.mark.parametrize("kind", Kind)
def test_liar__is_named_with_proof_by_everybody_or_by_nobody_and_waited_for(kind: Kind) -> None:
    check(sample_of(kind))


@pytest.mark.deep
@pytest.mark.parametrize("kind", Kind)
def test_liar__is_named_by_everybody_or_by_nobody_whatever_it_says(kind: Kind) -> None:
    print(kind, dict(check(list(lies_of(kind)))))


def check_goes_on(lie: Lie) -> None:
    """The liar becomes a dummy, the match ends, and the logs name nobody but the liar.

    The others wish to go on. No program decides that by itself about a player who is there and has
    not decided; so they do, as people.
    """
    told = tell(lie, hand=1)  # Before the first hand nobody is replaced.
    for table in told.honest:
        table.auto_vote = True
    places = [table.place for table in told.honest]

    def over() -> bool:
        for table in told.honest:
            for seat in table.may_vote_out():
                if table.player_at(seat) == LIAR:
                    table.vote_out(seat)
        return all(table.over for table in told.honest)

    told.sim.run(over, limit=told.sim.now + 3000)
    finish(told.sim, places)
    found = audit_sim(told.sim, places)
    accused = {item.player.key for report in found.reports for item in report.faults}
    if any(told.faults):
        assert found.verdict is Verdict.FAULT, found.summary
        assert accused == {told.sim.identities[LIAR].public}
    else:
        assert accused <= {told.sim.identities[LIAR].public}


GOING_ON = [kind for kind in Kind if kind not in (*FORMING, *ABSENT, Kind.CHOICE, Kind.REVEAL)]
"""Kinds of a hand after which there is a hand left to play."""


@pytest.mark.deep
@pytest.mark.parametrize("kind", GOING_ON)
def test_liar__becomes_a_dummy_and_the_match_goes_on(kind: Kind) -> None:
    for lie in some(list(lies_of(kind)), 12):
        try:
            check_goes_on(lie)
        except Exception as error:
            raise AssertionError(f"{lie}: {error}") from error
