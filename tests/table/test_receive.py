"""Whatever a peer sends: nothing raises, nothing piles up, and nobody else is blamed for it."""

from __future__ import annotations

from functools import lru_cache
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2p_hearts.table import hearing
from p2p_hearts.table.early import ROUNDS_AHEAD
from p2p_hearts.table.effects import Send, Store
from p2p_hearts.table.hearing import WASTED_SIGNATURES
from p2p_hearts.table.machine import Table
from p2p_hearts.table.serving import FRAME_BYTES
from p2p_hearts.wire.codec import MAX_BYTES, decode, encode
from p2p_hearts.wire.envelope import Envelope, Identity, Sealed, open_envelope, seal
from p2p_hearts.wire.evidence import open_content
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import BODIES, NO_HASH, Beat, Content, Frame, Kind
from tests.table.cheats import ONE_HAND
from tests.table.sharing import shared_proofs
from tests.table.sim import Sim, make_identities
from tests.table.test_agreement import pause, state_of
from tests.wire.values import values_of

CHEATER = 1
"""The place from which a member sends what it likes."""

SECONDS = count(1000.0)
"""A second for each frame, so that none is over a peer's budget."""


@lru_cache(maxsize=1)
def resting() -> tuple[Sim, tuple[bytes, ...]]:
    """A table that waits in the middle of a hand, and all frames that were sent before."""
    sent: list[bytes] = []
    with shared_proofs():
        sim = Sim(ONE_HAND, seed="resting")
        sim.on_send = lambda place, frame: sent.append(frame)
        pause(sim, tricks=2)
    return sim, tuple(sent)


def begin_second(table: Table) -> None:
    """Let every peer have its budgets anew."""
    now = next(SECONDS)
    table.hearing.tick(now)
    table.post.tick(now)


def changes_nothing(frame: bytes, kept: object = None) -> None:
    """Deliver a frame to one peer: it may answer, and holds exactly what it held before."""
    sim, _ = resting()
    table = sim.tables[0]
    before = kept or state_of(sim)
    begin_second(table)
    table.receive(CHEATER, frame)
    effects = table.drain()
    assert not any(isinstance(effect, Store) for effect in effects)
    assert all(isinstance(effect, Send) and effect.to == CHEATER for effect in effects)
    assert sum(len(effect.frame) for effect in effects if isinstance(effect, Send)) < MAX_BYTES
    assert not table.work()
    assert state_of(sim) == before


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=2000))
def test_receive__of_any_bytes_changes_nothing(data: bytes) -> None:
    changes_nothing(data)


@settings(max_examples=100, deadline=None)
@given(values_of(Frame))
def test_receive__of_any_frame_changes_nothing(frame: Frame) -> None:
    sim, _ = resting()
    changes_nothing(encode(frame))
    changes_nothing(encode(replace(frame, table=sim.roster.hash)))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_receive__of_a_frame_with_bits_flipped_changes_nothing(data: st.DataObject) -> None:
    _, frames = resting()
    frame = bytearray(data.draw(st.sampled_from(frames)))
    for _ in range(data.draw(st.integers(1, 3))):
        frame[data.draw(st.integers(0, len(frame) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    changes_nothing(bytes(frame))


@pytest.mark.parametrize(
    "data",
    [b"", bytes(MAX_BYTES + 1), b"\x91" * 600, b"\x93" * 5000, b"\xdd\xff\xff\xff\xff", b"\xc1"],
    ids=["nothing", "oversized", "600 deep", "5000 deep", "endless", "no msgpack"],
)
def test_receive__of_hostile_bytes_changes_nothing(data: bytes) -> None:
    sim, _ = resting()
    changes_nothing(data)
    roster = sim.roster.hash
    if len(data) < MAX_BYTES // 2:
        changes_nothing(encode(Frame(roster, [data] * 5, None)))
        changes_nothing(encode(Frame(roster, [encode(Envelope(data, bytes(64)))], None)))


def contents(seats: st.SearchStrategy[int], author: bytes) -> st.SearchStrategy[Content]:
    """What a member might sign for these seats, in many ways near to the truth."""
    sim, _ = resting()
    history = sim.tables[0].history
    heads = [item.head for item in history.rounds if item.head is not None]
    hashes = st.sampled_from([NO_HASH, history.current.prev, *heads]) | st.binary(
        min_size=32, max_size=32
    )
    bodies = st.sampled_from(sorted(BODIES.values(), key=lambda kind: kind.__name__)).flatmap(
        lambda kind: values_of(kind).map(encode)
    )
    current = history.current.place.round
    return st.builds(
        Content,
        version=st.sampled_from([1, 1, 1, 2]),
        table=st.sampled_from([history.current.table, sim.roster.hash, NO_HASH]),
        hand=st.sampled_from([0, 1, 1, 1, 2, 3, 2**31 - 1]),
        attempt=st.sampled_from([0, 1, 1, 1, 2]),
        round=st.integers(0, current + 40) | st.sampled_from([current, 2**31 - 1]),
        seat=seats,
        author=st.just(author),
        sequence=st.integers(0, 80) | st.just(2**31 - 1),
        last=hashes,
        prev=hashes,
        kind=st.sampled_from([*map(str, Kind), "claim!", "x"]),
        body=bodies | st.binary(max_size=50),
    )


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_receive__of_a_members_words_on_another_seat_changes_nothing(data: st.DataObject) -> None:
    sim, _ = resting()
    signer = sim.identities[CHEATER]
    draw = sim.tables[0].draw
    assert draw is not None
    content = data.draw(contents(st.integers(0, 10), signer.public))
    seat = CHEATER if content.hand == 0 else draw.seats.index(CHEATER)
    if content.seat != seat:
        changes_nothing(frame_of(sim, signer, content))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_receive__of_a_strangers_words_changes_nothing(data: st.DataObject) -> None:
    sim, _ = resting()
    (stranger,) = make_identities(1, "stranger")
    content = data.draw(contents(st.integers(0, 3), stranger.public))
    changes_nothing(frame_of(sim, stranger, content))


def frame_of(sim: Sim, signer: Identity, content: Content) -> bytes:
    return encode(Frame(sim.roster.hash, [seal(signer, content).data], None))


@lru_cache(maxsize=1)
def besieged() -> Sim:
    """A table in the middle of a hand on which one member may do what it likes."""
    sim = Sim(ONE_HAND, seed="resting")
    pause(sim, tricks=2)
    return sim


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_receive__of_anything_that_a_member_signs_blames_that_member_at_most(
    data: st.DataObject,
) -> None:
    """It may convict itself. Nothing raises, nothing is kept without bound, nobody else pays."""
    sim = besieged()
    table = sim.tables[0]
    signer = sim.identities[CHEATER]
    assert table.draw is not None
    seat = table.draw.seats.index(CHEATER)
    content = data.draw(contents(st.sampled_from([seat, CHEATER]), signer.public))
    table.receive(CHEATER, frame_of(sim, signer, content))
    while table.work():
        pass
    table.drain()
    fault = table.fault
    if fault is not None:
        assert fault.seat == (CHEATER if fault.hand == 0 else seat)
    assert early_of(table) <= 2 * 2 * ROUNDS_AHEAD


def early_of(table: Table) -> int:
    """How many contents a table keeps for rounds that are not open yet."""
    return sum(len(table.history.early_of(entry.identity)) for entry in table.roster.entries)


@pytest.mark.parametrize("attempts", [range(1), range(1, 2), range(500)], ids=str)
def test_receive__before_the_draw_keeps_a_bounded_number_of_early_words(attempts: range) -> None:
    """Then nobody knows yet which seat is whose, and a member may sign for every seat."""
    sim = Sim(ONE_HAND)
    table, signer = sim.tables[0], sim.identities[CHEATER]
    for attempt in attempts:
        for number in range(0, 60, 1 if len(attempts) == 1 else 20):
            for seat in range(6):
                content = Content(
                    version=1,
                    table=bytes(32),
                    hand=1,
                    attempt=attempt,
                    round=number,
                    seat=seat,
                    author=signer.public,
                    sequence=9,
                    last=bytes(32),
                    prev=bytes(32),
                    kind="play",
                    body=bytes(100),
                )
                table.receive(CHEATER, frame_of(sim, signer, content))
    assert early_of(table) <= 4 * 2 * 2 * ROUNDS_AHEAD
    assert [effect for effect in table.drain() if isinstance(effect, Store)] == []
    assert table.fault is None
    sim.run()
    assert all(table.over for table in sim.tables)


def test_receive__of_endless_contradictions_keeps_the_first_of_them() -> None:
    """A convicted seat cannot fill logs by convicting itself again and again."""
    sim = Sim(ONE_HAND, seed="resting")
    pause(sim, tricks=2)
    table, signer = sim.tables[0], sim.identities[CHEATER]
    assert table.draw is not None
    item = next(item for item in table.history.rounds if item.kind is Kind.KEY)
    said = item.speeches[table.draw.seats.index(CHEATER)].content
    stored = 0
    for number in range(100):
        other = replace(said, body=bytes([number]), sequence=1000 + number)
        table.receive(CHEATER, frame_of(sim, signer, other))
        stored += sum(isinstance(effect, Store) for effect in table.drain())
    assert stored == 1
    assert table.fault is not None
    assert table.fault.rule is Rule.TWO_CONTENTS
    # The same content under other signatures is no news either.
    for _ in range(10):
        table.receive(CHEATER, frame_of(sim, signer, said))
    assert not any(isinstance(effect, Store) for effect in table.drain())


def test_receive__of_one_heartbeat_is_answered_by_one_bounded_frame() -> None:
    """Asking costs the asker a link message, and brings one frame: no amplifier."""
    sim, _ = resting()
    table = sim.tables[0]
    beat = Beat(
        table=sim.roster.hash,
        hand=0,
        attempt=0,
        round=0,
        open=[],
        fault=b"",
        finished=True,
        recall=0,
        recalled=[],
    )
    begin_second(table)
    table.receive(CHEATER, encode(Frame(sim.roster.hash, [], beat)))
    (effect,) = table.drain()
    assert isinstance(effect, Send)
    assert effect.to == CHEATER
    assert len(effect.frame) < FRAME_BYTES + 4096
    assert decode(effect.frame, Frame).beat is None
    assert not table.all_finished


def test_receive__of_a_flood_of_forged_or_known_messages_costs_one_signature_a_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A member must not be able to keep the others from answering in time."""
    sim, _ = resting()
    table = sim.tables[0]
    known = [data for data in sim.logs[0] if len(data) < 400][:200]
    forged = []
    for data in known:
        envelope = decode(data, Envelope)
        signature = bytes([*envelope.signature[:40], envelope.signature[40] ^ 1])
        forged.append(encode(replace(envelope, signature=signature + envelope.signature[41:])))
    verified: list[bytes] = []

    def counted(data: bytes) -> Sealed:
        verified.append(data)
        return open_content(data)

    monkeypatch.setattr(hearing, "open_content", counted)
    changes_nothing(encode(Frame(sim.roster.hash, known, None)))
    assert verified == []
    changes_nothing(encode(Frame(sim.roster.hash, [*known, *forged], None)))
    assert verified == forged[:1]
    assert table.dropped["BadSignatureError"]


def test_receive__of_a_flood_of_sound_and_useless_messages_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A member signs as much as it likes; the others verify a bounded part, and go on."""
    sim, _ = resting.__wrapped__()
    table = sim.tables[0]
    flood = []
    for number in range(4 * WASTED_SIGNATURES):
        content = replace(open_envelope(sim.logs[1][-1]).content, hand=9, round=number)
        flood.append(
            seal(sim.identities[1], replace(content, author=sim.identities[1].public)).data
        )
    verified = 0

    def counted(data: bytes) -> Sealed:
        nonlocal verified
        verified += 1
        return open_content(data)

    monkeypatch.setattr(hearing, "open_content", counted)
    for start in range(0, len(flood), 400):
        table.receive(1, encode(Frame(sim.roster.hash, flood[start : start + 400], None)))
    assert verified <= WASTED_SIGNATURES
    assert table.fault is None
    table.tick(sim.now + 2)
    before = verified
    table.receive(1, encode(Frame(sim.roster.hash, flood[-1:], None)))
    assert verified == before + 1, "the next second has a budget of its own"


def logged(hand: int) -> Content:
    """A content of this hand that the resting table took."""
    sim, _ = resting()
    contents = (open_envelope(data).content for data in sim.logs[0])
    return next(content for content in contents if content.hand == hand)


@pytest.mark.parametrize("hand", [0, 1])
def test_binds__only_what_names_this_table_its_attempt_and_its_own_author(hand: int) -> None:
    sim, _ = resting()
    table, content = sim.tables[0], logged(hand)
    assert table.hearing.binds(content)
    other = next(item.public for item in sim.identities if item.public != content.author)
    for wrong in (
        {"version": content.version + 1},
        {"table": bytes(32)},
        {"attempt": 7},
        {"seat": len(sim.tables)},
        {"author": other},
    ):
        assert not table.hearing.binds(replace(content, **wrong)), wrong


def test_binds__before_the_draw_what_a_member_says_in_an_attempt_that_can_be() -> None:
    sim = Sim(ONE_HAND, seed="resting")
    content = logged(1)
    assert sim.tables[0].draw is None
    assert sim.tables[0].hearing.binds(content)
    for wrong in ({"attempt": 7}, {"version": content.version + 1}, {"seat": len(sim.tables)}):
        assert not sim.tables[0].hearing.binds(replace(content, **wrong)), wrong
    assert not sim.tables[0].hearing.binds(
        replace(content, author=make_identities(1, "no")[0].public)
    )
