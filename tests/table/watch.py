"""A witness of everything that goes over the wire, who checks that each seat keeps its promises.

It looks at frames alone: what a place had sent and what had reached it when it spoke.
"""

from __future__ import annotations

from collections import Counter

from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Envelope, content_hash
from p2p_hearts.wire.messages import Ack, Content, Frame, Kind
from tests.table.sim import Sim

Slot = tuple[Place, int, bool]
"""Place in the history, seat, and whether it is an ack."""


class Watch:
    """Raises ``AssertionError`` at the first frame that breaks a promise."""

    def __init__(self, sim: Sim) -> None:
        self.sim = sim
        self.said: dict[Slot, bytes] = {}
        """The one content that each seat ever signed for a slot."""
        self.counts: Counter[str] = Counter()
        """How many contents of each kind were signed."""
        self._known: list[dict[Slot, Content]] = [{} for _ in sim.tables]
        self._order: dict[Place, Kind] = {}
        sim.on_send = self.on_send
        sim.on_arrival = self.on_arrival

    def on_arrival(self, place: int, frame: bytes) -> None:
        for envelope in decode(frame, Frame).envelopes:
            content = decode(decode(envelope, Envelope).content, Content)
            self._known[place].setdefault(slot_of(content), content)

    def on_send(self, place: int, frame: bytes) -> None:
        for envelope in decode(frame, Frame).envelopes:
            assert envelope in self.sim.logs[place], "sent before it was stored"
            data = decode(envelope, Envelope).content
            content = decode(data, Content)
            if content.author != self.sim.identities[place].public:
                continue
            slot = slot_of(content)
            known = self._known[place]
            if slot not in known:
                self._spoke(place, content)
            known[slot] = content
            assert self.said.setdefault(slot, content_hash(data)) == content_hash(data)

    def _spoke(self, place: int, content: Content) -> None:
        """Check a content at the moment that its author first sends it."""
        self.counts[content.kind] += 1
        here = place_of(content)
        if content.kind == Kind.ACK:
            self._acknowledged(place, here)
            return
        before = [earlier for earlier in self._order if earlier < here]
        self._order[here] = Kind(content.kind)
        if content.kind == Kind.SHUFFLE:
            while before and self._order[before[-1]] is Kind.SHUFFLE:
                before.pop()
        # The certificate of a round holds that of the one before, so the last one will do.
        if before:
            assert self._is_certified(place, before[-1]), "spoke before the certificate"

    def _acknowledged(self, place: int, here: Place) -> None:
        current = self.sim.tables[place].history
        speakers = next(item.speakers for item in current.rounds if item.place == here)
        for seat in speakers:
            assert (here, seat, False) in self._known[place], "acknowledged an incomplete round"

    def _is_certified(self, place: int, here: Place) -> bool:
        known = self._known[place]
        acks = [known.get((here, seat, True)) for seat in range(len(self.sim.tables))]
        heads = {decode(ack.body, Ack).head for ack in acks if ack is not None}
        return None not in acks and len(heads) == 1


def slot_of(content: Content) -> Slot:
    return place_of(content), content.seat, content.kind == Kind.ACK
