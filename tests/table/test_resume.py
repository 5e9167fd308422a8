"""A seat that was started again says nothing but what its log says, whatever the log holds.

A liar's contents may stand in a log anywhere, also before what they make void, and each stands
there once, whether it was refused when it came first or not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec import structs

from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Send
from p2p_hearts.table.history import Outcome
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.chain import place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, open_envelope, seal
from p2p_hearts.wire.messages import BODIES, Ack, Confirm, Frame, Kind, Vote
from tests.table.sharing import shared_proofs
from tests.table.sim import Sim

VICTIM, LIAR = 1, 2

Slot = tuple[object, ...]


@pytest.fixture(scope="module")
def played() -> Iterator[Sim]:
    """A table in the middle of the play of its first hand."""
    with shared_proofs():
        sim = Sim(RuleSet(hands=1), seed="resume", auto_vote=True)
        sim.run(lambda: all(table.history.current.place.round >= 30 for table in sim.tables))
        yield sim


def slot_of(sealed: Sealed) -> Slot:
    """What a seat may sign once: a speech or an ack in a place, a vote in a ballot."""
    content = sealed.content
    if content.kind in (Kind.VOTE, Kind.CONFIRM):
        body = decode(content.body, BODIES[Kind(content.kind)])
        assert isinstance(body, Vote | Confirm)
        return place_of(content), content.kind, body.ballot, content.prev
    return place_of(content), content.kind == Kind.ACK


def words(envelopes: list[bytes], sim: Sim) -> dict[Slot, bytes]:
    """What the victim has said, by slot; it must not have said two things in one."""
    found = dict[Slot, bytes]()
    for data in envelopes:
        sealed = open_envelope(data)
        if sealed.content.author == sim.identities[VICTIM].public:
            assert found.setdefault(slot_of(sealed), sealed.hash) == sealed.hash
    return found


def with_lies(sim: Sim, rng: random.Random) -> list[bytes]:
    """The log of the victim, cut anywhere: with lies, without some records, and some moved."""
    log = sim.logs[VICTIM][: rng.randrange(60, len(sim.logs[VICTIM]))]
    own = sim.identities[VICTIM].public
    for _ in range(rng.randrange(4)):
        others = [n for n, data in enumerate(log) if open_envelope(data).content.author != own]
        del log[rng.choice(others[-40:])]
    for _ in range(rng.randrange(12)):
        log.insert(rng.randrange(40, len(log)), log.pop(rng.randrange(40, len(log))))
    liar = sim.identities[LIAR]
    told = [open_envelope(data).content for data in log]
    for content in [item for item in told if item.author == liar.public and item.hand][-8:]:
        if rng.random() < 0.5:
            body = encode(Ack(rng.randbytes(32))) if content.kind == Kind.ACK else b"\xc0"
            lie = seal(liar, structs.replace(content, body=body))
            log.insert(rng.randrange(40, len(log)), lie.data)
    return log


def decide(table: Table, rng: random.Random) -> None:
    """Decide anything that the rules allow, so often something else than before."""
    view = table.view()
    if table.decision is Kind.PLAY and view is not None:
        table.choose_card(rng.choice(cards_in(view.legal)))


def said_after(sim: Sim, log: list[bytes], rng: random.Random) -> list[bytes]:
    """What the victim signs after a start from a log, once it hears everybody's contents."""
    table = Table.resume(sim.identities[VICTIM], sim.roster, sim.secrets[VICTIM], log, recall=7)
    table.auto_vote = True
    own = sim.identities[VICTIM].public
    heard = dict.fromkeys(data for held in sim.logs for data in held)
    others = [data for data in heard if open_envelope(data).content.author != own]
    sent = list[bytes]()
    old, sim.tables[VICTIM] = sim.tables[VICTIM], table
    for now in (0.0, 1.0, 2.0, 100.0, 200.0, 300.0):
        table.tick(now)
        for place in (0, LIAR, 3):
            beat = structs.replace(sim.tables[place].beat(), recalled=[0, 7, 0, 0])
            for at in range(0, len(others), 100):
                table.receive(place, encode(Frame(sim.roster.hash, others[at : at + 100], None)))
            table.receive(place, encode(Frame(sim.roster.hash, [], beat)))
        for _ in range(200):
            decide(table, rng)
            if not table.work():
                break
        else:
            pytest.fail("the work has no end")
        for effect in table.drain():
            if isinstance(effect, Send):
                sent += decode(effect.frame, Frame).envelopes
    sim.tables[VICTIM] = old
    return sent


TELLING = (39, 46, 74, 90, 111, 125, 161, 177)
"""Seeds of logs that a plain replay in their order does not follow."""

MORE = [pytest.param(seed, marks=pytest.mark.deep) for seed in range(200) if seed not in TELLING]


@pytest.mark.parametrize("seed", [*TELLING, *MORE])
def test_resume__of_any_log_says_nothing_but_what_the_log_says(played: Sim, seed: int) -> None:
    sim = played.copy()
    rng = random.Random(seed)
    log = with_lies(sim, rng)
    words([*log, *said_after(sim, log, rng)], sim)


def test_resume__takes_what_filled_its_place_in_a_log_only_later(played: Sim) -> None:
    """A log tells each content once, where it came first; it may have been refused there."""
    sim = played.copy()
    log = sim.logs[VICTIM]
    late = next(n for n, data in enumerate(log) if open_envelope(data).content.round == 8)
    moved = [*log[:late], *log[late + 1 :], log[late]]
    table = Table.resume(sim.identities[VICTIM], sim.roster, sim.secrets[VICTIM], moved, recall=7)
    assert table.history.certified == sim.tables[VICTIM].history.certified
    assert not table.drain(), "and it is not stored a second time"


def test_work__ends_where_the_own_vote_is_refused_and_goes_on_once_it_is_not(played: Sim) -> None:
    sim = played.copy()
    sim.isolate(LIAR)
    history, own = sim.tables[VICTIM].history, sim.identities[VICTIM].public
    accept, refused = history.accept, list[Sealed]()

    def refuse(sealed: Sealed) -> Outcome:
        if sealed.content.author == own and sealed.content.kind in (Kind.VOTE, Kind.CONFIRM):
            refused.append(sealed)
            return Outcome.DROPPED
        return accept(sealed)

    history.accept = refuse  # type: ignore[method-assign]
    sim.wait(200)
    stood = history.certified
    assert refused
    assert not {item.data for item in refused} & {*sim.logs[0]}, "what is refused is not said"
    history.accept = accept  # type: ignore[method-assign]
    sim.run(lambda: history.certified > stood + 2, limit=sim.now + 200)
    assert not sim.tables[VICTIM].fault
