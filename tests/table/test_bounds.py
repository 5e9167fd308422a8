"""What one seat can make the others keep, in memory and on disk, whatever it signs."""

from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Store
from p2p_hearts.table.history import EARLY_BYTES, ROUNDS_AHEAD
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Envelope, Identity, seal
from p2p_hearts.wire.evidence import BODY_BYTES
from p2p_hearts.wire.messages import Content, Frame
from tests.table.sim import Sim

LIAR = 1
LARGEST = bytes(BODY_BYTES - 2)


def in_the_middle() -> tuple[Sim, Identity, Content]:
    """A hand that is being played, a seat's key, and the last that it said."""
    sim = Sim(RuleSet(seats=3, hands=1), seed="bounds")
    table = sim.tables[0]
    sim.run(lambda: table.hand is not None and table.hand.play is not None)
    identity = sim.identities[table.player_at(LIAR)]
    said = [decode(decode(data, Envelope).content, Content) for data in sim.logs[0]]
    return sim, identity, [item for item in said if item.author == identity.public][-1]


def hear(sim: Sim, table: Table, *contents: Content, by: Identity) -> int:
    """Let a table receive what a seat signed; return how many bytes it wanted to store."""
    place = table.player_at(LIAR)
    for content in contents:
        envelope = seal(by, content).data
        table.receive(place, encode(Frame(table.roster.hash, [envelope], None)))
    while table.work():
        pass
    return sum(len(effect.envelope) for effect in table.drain() if isinstance(effect, Store))


def test_bounds__early_words_of_a_seat_take_so_much_and_no_more() -> None:
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    flood = [
        replace(last, hand=hand, round=number, kind=kind, body=LARGEST)
        for hand in range(1, 5)
        for number in range(last.round + 2, last.round + 200)
        for kind in ("play", "ack")
    ][:600]
    assert hear(sim, table, *flood, by=liar) == 0
    kept = [len(data) for data in table.history.early_of(liar.public)]
    assert 0 < sum(kept) <= EARLY_BYTES
    assert len(kept) <= 2 * (2 * ROUNDS_AHEAD + 1)
    assert table.fault is None


def test_bounds__early_words_of_one_seat_leave_room_for_those_of_others() -> None:
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    for number in range(last.round + 2, last.round + ROUNDS_AHEAD):
        hear(sim, table, replace(last, round=number, kind="play", body=LARGEST), by=liar)
    honest = sim.identities[table.player_at(2)]
    word = replace(
        last, seat=2, author=honest.public, round=last.round + 2, kind="play", body=b"word"
    )
    envelope = seal(honest, word).data
    table.receive(table.player_at(2), encode(Frame(table.roster.hash, [envelope], None)))
    assert table.history.early_of(honest.public) == [envelope]


def test_bounds__what_a_seat_says_again_or_out_of_place_never_reaches_a_log() -> None:
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    stored = hear(sim, table, *[last] * 200, by=liar)
    stored += hear(
        sim,
        table,
        *(replace(last, hand=0, sequence=number, body=LARGEST) for number in range(50)),
        *(replace(last, attempt=number, body=LARGEST) for number in range(2, 50)),
        *(replace(last, table=bytes([number] * 32)) for number in range(50)),
        by=liar,
    )
    assert stored == 0
    assert table.fault is None


def test_bounds__evidence_against_a_seat_that_says_everything_twice_is_a_pair_for_each_place() -> (
    None
):
    """The worst a proven liar can add to a log: two contents of each of its own places."""
    sim, liar, last = in_the_middle()
    table = sim.tables[0]
    stored = 0
    for number in range(30):
        body = number.to_bytes(2, "big") + LARGEST
        stored += hear(sim, table, replace(last, body=body), by=liar)
    assert table.fault is not None
    assert (table.fault.seat, table.fault.rule) == (LIAR, "two-contents")
    assert stored <= 2 * (len(LARGEST) + 1000)
