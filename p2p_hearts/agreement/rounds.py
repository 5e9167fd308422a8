"""Who may say what, and when: the rounds of a table as data (protocol/SPEC.md section 4).

The table's dispatcher, the audit, the table in SPEC.md and its diagram are all made from
``STAGES``. A hand is the stages in this order, each repeated while it is needed; what is needed
follows from public facts alone, so everybody names the same next round.

Votes and confirms are no rounds: they stand beside the acks of any round (``absence``). What a seat
says that has lost its secret stands in the place of any speech but its ``key``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from p2p_hearts.wire.messages import Kind

FIRST_ATTEMPT = 1
SECOND_ATTEMPT = 2
"""A hand begins anew once at most, without a seat; with another one missing the table waits."""


class Who(Enum):
    """Which seats speak in a round; the value says it in SPEC.md."""

    ALL = "every seat that takes part, in any order"
    DEALER_FIRST = "one seat a round, the dealer first, then clockwise"
    TURN = "the seat whose turn it is"
    SHOOTER = "the seat that shot the moon"


@dataclass(frozen=True, slots=True)
class Facts:
    """The public facts of a hand that decide which round comes next."""

    seats: int
    """Seats that have a key in this hand."""
    keyed: bool = False
    shuffles: int = 0
    escrows: bool = False
    """Every seat of the table has a key, so their keys are split and sealed."""
    escrowed: bool = False
    sealed: bool = False
    openings_wait: bool = False
    """A seat left after its key was sealed, and cards of its own or of others need that key."""
    shared: bool = False
    passes: bool = False
    """This hand has a pass."""
    selected: bool = False
    passed: bool = False
    remasked: bool = False
    opens: bool = False
    """The rules have an opening card."""
    opened: bool = False
    play_over: bool = False
    widow_waits: bool = False
    """There is a widow, its winner is known, and it has not been opened."""
    choice_waits: bool = False
    """A moon was shot, the rules let the shooter choose, and it has not chosen."""
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """One kind of round.

    ``runs_ahead``: the next round may be spoken before this one is certified. ``decided``: the
    content depends on a person's decision, so it is not derived from the hand secret alone.
    ``instead``: kinds that a speaker may speak in such a round in the place of ``kind``.
    """

    kind: Kind
    who: Who
    needed: Callable[[Facts], bool]
    when: str
    what: str
    runs_ahead: bool = False
    decided: bool = False
    instead: tuple[Kind, ...] = ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of content that this round takes from a seat that has its secret."""
        return (self.kind, *self.instead)

    @property
    def takes_lost(self) -> bool:
        """Whether a speaker may say instead that its secret is lost: once it has one."""
        return self not in FORMATION and self.kind is not Kind.KEY


FORMATION: tuple[Stage, ...] = (
    Stage(
        Kind.SIT,
        Who.ALL,
        lambda facts: False,
        "once, over the founder's roster",
        "commitment to a nonce",
    ),
    Stage(Kind.DRAW, Who.ALL, lambda facts: False, "once, after sit", "the nonce"),
)
"""Hand 0: the rounds that turn a roster into a table."""

STAGES: tuple[Stage, ...] = (
    Stage(
        Kind.KEY,
        Who.ALL,
        lambda facts: not facts.keyed,
        "first in every hand",
        "commitment to the hand secret, key share with proof of knowledge",
    ),
    Stage(
        Kind.SHUFFLE,
        Who.DEALER_FIRST,
        lambda facts: facts.shuffles < facts.seats,
        "once for each seat",
        "the deck shuffled, with proof",
        runs_ahead=True,
    ),
    Stage(
        Kind.ESCROW,
        Who.ALL,
        lambda facts: facts.escrows and not facts.escrowed,
        "after all shuffles are verified and certified, if every seat has a key",
        "the own key, split and sealed to the others, with proofs",
    ),
    Stage(
        Kind.SEALS,
        Who.ALL,
        lambda facts: facts.escrows and not facts.sealed,
        "after escrow",
        "that all seals opened right, or complaints with proof",
    ),
    Stage(
        Kind.OPENINGS,
        Who.ALL,
        lambda facts: facts.openings_wait,
        "whenever a seat that left after escrow holds cards that nobody has read, or owes shares",
        "parts of its shares, of its unopened cards and of the widow, with one proof",
    ),
    Stage(
        Kind.SHARES,
        Who.ALL,
        lambda facts: not facts.shared,
        "once no seal is complained of",
        "decryption shares for the others' cards, with one proof",
    ),
    Stage(
        Kind.PASS_SELECT,
        Who.ALL,
        lambda facts: facts.passes and not facts.selected,
        "if this hand has a pass",
        "the positions that go",
        decided=True,
    ),
    Stage(
        Kind.PASS,
        Who.ALL,
        lambda facts: facts.passes and not facts.passed,
        "if this hand has a pass",
        "the selected cards, re-encrypted to the receiver, with one proof",
    ),
    Stage(
        Kind.REMASK,
        Who.ALL,
        lambda facts: facts.passes and not facts.remasked,
        "if this hand has a pass",
        "the own hand re-masked, with proof",
    ),
    Stage(
        Kind.OPEN,
        Who.ALL,
        lambda facts: facts.opens and not facts.opened,
        "if the rules have an opening card",
        "the opening card with proof, or the proof that it is not in the hand",
    ),
    Stage(
        Kind.WIDOW,
        Who.ALL,
        lambda facts: facts.widow_waits,
        "once the first trick is won, if there is a widow",
        "decryption shares for the widow, with one proof",
    ),
    Stage(
        Kind.PLAY,
        Who.TURN,
        lambda facts: not facts.play_over,
        "until every card is played, or a claim ends the play",
        "position and card, with the proof that it is that card and legal",
        decided=True,
        instead=(Kind.CLAIM,),
    ),
    Stage(
        Kind.CHOICE,
        Who.SHOOTER,
        lambda facts: facts.choice_waits,
        "if a moon was shot and the rules let the shooter choose",
        "who gets the points",
        decided=True,
    ),
    Stage(
        Kind.REVEAL,
        Who.ALL,
        lambda facts: not facts.revealed,
        "last in every hand",
        "the hand secret",
    ),
)


def next_stage(facts: Facts) -> Stage | None:
    """Return the stage of the next round of a hand, ``None`` once the hand is complete."""
    return next((stage for stage in STAGES if stage.needed(facts)), None)


def stage_of(kind: Kind) -> Stage:
    """Return the stage in which a kind of content is spoken.

    Raises:
        KeyError: ``kind`` is spoken in no round (an ack, a vote, a confirm).
    """
    for stage in (*FORMATION, *STAGES):
        if kind in stage.kinds:
            return stage
    raise KeyError(kind)
