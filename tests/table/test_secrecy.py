"""What a table stores and sends tells no secret before its reveal: effect by effect."""

from __future__ import annotations

from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.group import encode_scalar
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Envelope
from p2p_hearts.wire.messages import Content, Draw, Frame, Kind, Reveal
from tests.table.sim import Sim


def test_table__sends_and_stores_no_secret_before_its_reveal() -> None:
    sim = Sim(RuleSet(seats=3, hands=1), seed="secrecy")
    sent: list[bytes] = []
    sim.on_send = lambda place, frame: sent.append(frame)
    sim.run()
    draw = sim.tables[0].draw
    assert draw is not None
    hands = [
        HandSecret(
            _forgotten(sim, place, draw.table),
            draw.table,
            1,
            1,
            draw.seats.index(place),
        )
        for place in range(3)
    ]
    nonces = [sim.secrets[place].nonce(sim.roster.hash) for place in range(3)]
    keys = [encode_scalar(hand.x()) for hand in hands]
    envelopes = {data for frame in sent for data in decode(frame, Frame).envelopes}
    envelopes |= {data for log in sim.logs for data in log}
    shown = dict.fromkeys(Kind, 0)
    for data in envelopes:
        content = decode(decode(data, Envelope).content, Content)
        told = [secret for secret in (*nonces, *(hand.z for hand in hands)) if secret in data]
        assert not any(key in data for key in keys), "a key share's secret half"
        if not told:
            continue
        kind = Kind(content.kind)
        shown[kind] += 1
        if kind is Kind.DRAW:
            assert told == [decode(content.body, Draw).nonce]
        else:
            assert kind is Kind.REVEAL
            assert told == [decode(content.body, Reveal).secret]
    assert (shown[Kind.DRAW], shown[Kind.REVEAL]) == (3, 3)


def _forgotten(sim: Sim, place: int, table: bytes) -> bytes:
    """Return the secret that a seat has forgotten by now."""
    sim.secrets[place].forgotten.clear()
    return sim.secrets[place].hand(table, 1, 1, fresh=False)
