"""One hand, followed from the outside: every proof, rule, score and revealed secret.

protocol/SPEC.md sections 3 to 5 and 7. The check is given the body of each speech in turn and says
which rule the body breaks, if any; once a round is whole it draws the consequences.

    state       what is known, and whose turn it is to say what
    dealing     keys, shuffles, escrow, complaints, shares
    passing     selections, passed cards, re-masks
    playing     opening, cards, claims, widow, choice
    absence     a seat that is away: openings, dummies
    revealing   the secrets, and everything made again from them (``again``)
    telling     the story

After the reveal, everything a seat said in the hand is made again from its secret and must be the
same bytes.

Never: believes a list's length, a position, a claim or a score from a message: each is computed
here. Errors: a broken rule is a ``Rule``; ``ContradictionError`` if proofs that all verify
contradict each other, which their soundness excludes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from p2p_hearts.i18n import _
from p2p_hearts.record.audit.hand import absence, dealing, passing, playing, revealing, telling
from p2p_hearts.record.audit.hand.state import ContradictionError, HandState, Setting
from p2p_hearts.record.audit.memo import Said
from p2p_hearts.record.audit.story import HandStory, Step
from p2p_hearts.rules.cards import Card
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import (
    BODIES,
    Choice,
    Claim,
    Escrow,
    Key,
    Kind,
    Open,
    Openings,
    Pass,
    PassSelect,
    Play,
    Remask,
    Reveal,
    Seals,
    Shares,
    Shuffle,
    Widow,
)

__all__ = ["ContradictionError", "HandCheck", "Setting"]

_KINDS: Final = {body: kind for kind, body in BODIES.items()}

_CLOSE: Final[Mapping[Kind, Callable[[HandState, dict[int, object]], None]]] = {
    Kind.KEY: dealing.close_key,
    Kind.SHUFFLE: dealing.close_shuffle,
    Kind.ESCROW: dealing.close_escrow,
    Kind.SEALS: dealing.close_seals,
    Kind.SHARES: dealing.close_shares,
    Kind.PASS_SELECT: passing.close_selection,
    Kind.PASS: passing.close_pass,
    Kind.REMASK: passing.close_remask,
    Kind.OPEN: playing.close_open,
    Kind.PLAY: playing.close_play,
    Kind.WIDOW: playing.close_widow,
    Kind.CHOICE: playing.close_choice,
    Kind.REVEAL: revealing.close_reveal,
}


class HandCheck(HandState):
    """Follows one attempt at one hand."""

    def judge(self, said: Said, body: Struct) -> Rule | None:
        """Check a body against all that was said before; return the rule it breaks, if any."""
        counts, spent = Counter(self.counts), self.memo.spent
        rule = self._judge_body(said, body)
        verified, seconds = self.counts - counts, self.memo.spent - spent
        card = Card(body.card) if isinstance(body, Play) else None
        if isinstance(body, Open) and body.position is not None:
            card = self.opening_card()
        kind = _KINDS[type(body)]
        self.told.append(Step(said.round, kind, said.seat, card, verified, seconds, rule))
        return rule

    def _judge_body(self, said: Said, body: Struct) -> Rule | None:
        match body:
            case Key():
                return dealing.judge_key(self, said, body)
            case Shuffle():
                return dealing.judge_shuffle(self, said, body)
            case Escrow():
                return dealing.judge_escrow(self, said, body)
            case Seals():
                return dealing.judge_seals(self, said, body)
            case Openings():
                return absence.judge_openings(self, said, body)
            case Shares():
                return dealing.judge_shares(self, said, body, self.given_by(said.seat))
            case PassSelect():
                return passing.judge_selection(self, said, body)
            case Pass():
                return passing.judge_pass(self, said, body)
            case Remask():
                return passing.judge_remask(self, said, body)
            case Open():
                return playing.judge_open(self, said, body)
            case Play():
                return playing.judge_play(self, said, body)
            case Claim():
                return playing.judge_claim(self, said, body)
            case Widow():
                return dealing.judge_shares(self, said, body, self.deal.widow)
            case Choice():
                return playing.judge_choice(self, said, body)
            case Reveal():
                return revealing.judge_reveal(self, said, body)
        raise TypeError(f"a hand has no {type(body).__name__}")

    def close(self, absent: int | None = None) -> None:
        """Draw the consequences of a round in which every speaker was heard and kept the rules.

        But for ``absent``, which is away from this round on: its speech, if any, does not count.
        After a reveal round also of one in which a speaker did not: the score stands.
        """
        stage = self.stage
        if stage is None:
            raise ContradictionError(_("a round is closed after the end of the hand"))
        heard, self.heard = self.heard, {}
        if absent is not None:
            heard.pop(absent, None)
            self.away = absent
        if stage.kind is Kind.OPENINGS:
            done = absence.close_openings(self, heard)
            self._conclude(done.kind, done.heard)
            return
        waits = absence.what_waits(self, stage.kind, heard)
        if waits is not None:
            self.waits = waits
            return
        self._conclude(stage.kind, heard)

    def _conclude(self, kind: Kind, heard: dict[int, object]) -> None:
        if self.away is not None and self.away not in heard:
            absence.stand_in(self, kind, self.away, heard)
        _CLOSE[kind](self, heard)
        absence.play_dummy(self)

    def tell(self, *, is_void: bool = False) -> HandStory:
        """Return what was proven of this attempt so far, cards and all."""
        return telling.tell(self, is_void=is_void)
