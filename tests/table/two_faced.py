"""A liar that tells every other seat something else, once, and keeps to one of its stories.

Nobody else is silent or slow: whatever comes of it, one liar has done it.
"""

from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, Signer, seal
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, Content, Kind
from tests.table.sim import Sim

LIAR = 0
"""Its place in the roster."""


class TwoFaced(Table):
    """Says ``stories[k]`` to the seat ``k + 1`` places on, in its first speech of one kind.

    Story 0 is the honest one, which it follows itself; the others have another proof.
    """

    def __init__(
        self,
        signer: Signer,
        roster: SealedRoster,
        secrets: Secrets,
        kind: Kind,
        stories: tuple[int, ...],
    ) -> None:
        self.kind, self.stories = kind, stories
        self.told: list[Sealed] = []
        super().__init__(signer, roster, secrets)

    def _sign(self, content: Content) -> None:
        if self.told or content.kind != self.kind:
            super()._sign(content)
            return
        self.told = [
            seal(self._signer, _another(content, self.kind, story))
            for story in range(max(self.stories) + 1)
        ]
        self._accept(self.told[0])
        for step, story in enumerate(self.stories, 1):
            to = self.player_at((content.seat + step) % (len(self.stories) + 1))
            self._send(to, [self.told[story].data], None)


def _another(content: Content, kind: Kind, story: int) -> Content:
    if not story:
        return content
    body = decode(content.body, BODIES[kind])
    proof = getattr(body, "proof")[:-1] + bytes([story])  # noqa: B009
    return replace(content, body=encode(replace(body, proof=proof)))


def table_with_liar(
    kind: Kind, stories: tuple[int, ...], seed: object, hands: int = 1, auto_vote: bool = True
) -> Sim:
    """A table of which one seat is two-faced; the others go on without whoever is proven to lie."""

    def seating(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
        if place == LIAR:
            return TwoFaced(signer, roster, secrets, kind, stories)
        return Table(signer, roster, secrets)

    rules = RuleSet(seats=len(stories) + 1, hands=hands, grace=15)
    return Sim(rules, seed=seed, seating=seating, auto_vote=auto_vote)
