"""A liar that drowns what one seat lacks in what that seat drops.

It says something else to one seat than to the others, at length, more than a frame holds and as
often as they keep it. So the others hold what that seat does not take any more, and would send that
first whenever it lacks something: the liar's next speech, of which the others alone are told.
"""

from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.machine import Table
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Signer, seal
from p2p_hearts.wire.evidence import BODY_BYTES
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Content, Kind, Vote
from tests.table.cheats import QuietPost
from tests.table.sim import Sim
from tests.table.two_faced import Unmoved

LIAR = 0
"""Its place in the roster."""


class DrowningVoice(Voice):
    """Says too much in one round, and the next thing to some."""

    drowned: Place | None = None

    def sign(self, content: Content) -> None:
        here, me = place_of(content), content.seat
        seats = self.history.seats
        fooled, *others = [(me + step) % seats for step in range(1, seats)]
        if here.hand == 0:
            super().sign(content)
        elif self.drowned is None:
            self.drowned = here
            super().sign(content)
            for number in range(seats + 1):
                self._tell([fooled], replace(content, body=bytes([number]) * BODY_BYTES))
                self._tell(others, replace(content, body=bytes([number + 128]) * BODY_BYTES))
        elif here == self.drowned and content.kind == Kind.ACK:
            super().sign(content)
            view = [name or b"" for name in self.history.current.first]
            vote = encode(Vote(1, fooled, me, view, b""))
            self._tell(others, replace(content, kind=Kind.VOTE, body=vote))
        elif here.round == self.drowned.round + 1 and content.kind != Kind.ACK:
            sealed = seal(self.signer, content)
            self.hearing.take(sealed)
            self._tell(others, content)
        else:
            super().sign(content)

    def _tell(self, seats: list[int], content: Content) -> None:
        for seat in seats:
            place = self.course.draw.seats[seat] if self.course.draw else seat
            self.post.send(place, [seal(self.signer, content).data])


class Drowning(Table):
    """A seat that does so, and answers nobody."""

    voice_type = DrowningVoice
    post_type = QuietPost
    consent_type = Unmoved
    voice: DrowningVoice
    post: QuietPost


def _seat_down(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
    if place != LIAR:
        return Table(signer, roster, secrets)
    liar = Drowning(signer, roster, secrets)
    liar.post.quiet = True
    return liar


def drowning_table() -> tuple[Sim, int]:
    """A table of which the liar deals, and the place of the seat that it drowns.

    Its key is the first that it says at length, its shuffle the next that it says.
    """
    rules = RuleSet(seats=5, hands=1, grace=15)
    for seed in range(100):
        sim = Sim(rules, seed=seed, seating=_seat_down, auto_vote=True)
        liar = sim.tables[LIAR]
        while liar.draw is None:
            sim.step()
        if liar.draw.dealer == liar.seat:
            sim = Sim(rules, seed=seed, seating=_seat_down, auto_vote=True)
            return sim, liar.draw.seats[(liar.draw.dealer + 1) % rules.seats]
    raise AssertionError("the liar deals with none of these seeds")
