"""What an audit found: a verdict, what proves it, the scores, and what was verified."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from p2p_hearts.i18n import N_, _
from p2p_hearts.record.audit.ledger import Ledger
from p2p_hearts.record.audit.story import HandStory
from p2p_hearts.rules.options import OptionValue
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.faults import Fault


class Verdict(StrEnum):
    """What an audit says; the value stands in ``--json``."""

    CLEAN = "clean"
    """A whole match, every record of it verified and accounted for."""
    FAULT = "fault"
    """A seat is proven to have broken a rule."""
    UNREADABLE = "unreadable"
    """No log, a damaged log, or one with records that no honest peer writes."""
    DISAGREE = "disagree"
    """Several logs of one table that cannot be of one game, with no seat proven to have lied."""
    INCOMPLETE = "incomplete"
    """All that is there is consistent, but it is not the whole of a match."""


EXIT_CODES: Final[Mapping[Verdict, int]] = {
    Verdict.CLEAN: 0,
    Verdict.FAULT: 1,
    Verdict.UNREADABLE: 2,
    Verdict.DISAGREE: 2,
    Verdict.INCOMPLETE: 3,
}

GRAVEST: Final = (
    Verdict.FAULT,
    Verdict.UNREADABLE,
    Verdict.DISAGREE,
    Verdict.INCOMPLETE,
    Verdict.CLEAN,
)
"""Of several verdicts the first of these counts: a proof stands, whatever else is wrong."""

SHOWN: Final = 12
"""At most this many reasons of one kind are told one by one."""

VERIFIED: Final = (
    N_("accusations proven"),
    N_("acks"),
    N_("certificates"),
    N_("claims"),
    N_("class proofs"),
    N_("complaints"),
    N_("escrow proofs"),
    N_("hands scored"),
    N_("key proofs"),
    N_("late messages"),
    N_("messages made again"),
    N_("messages of attempts begun anew"),
    N_("opening parts"),
    N_("opening proofs"),
    N_("pass proofs"),
    N_("plays"),
    N_("plays of dummies"),
    N_("re-mask proofs"),
    N_("repeated messages"),
    N_("revealed secrets"),
    N_("rounds closed by vote"),
    N_("share proofs"),
    N_("shuffle proofs"),
    N_("signatures"),
    N_("speeches"),
    N_("votes and confirms"),
)
"""What is counted as verified: the names in ``--json``, to be translated where they are shown."""

_NAME_LENGTH: Final = 24


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """One player: its seat (``None`` if the log ends before the draw), name and key."""

    seat: int | None
    nick: str
    key: bytes
    """Ed25519 identity, 32 bytes."""

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {"seat": self.seat, "nick": self.nick, "key": self.key.hex()}


@dataclass(frozen=True, slots=True)
class FaultReport:
    """One proven fault and the player it is proven of."""

    fault: Fault
    player: PlayerReport
    sentence: str

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; ``evidence`` holds the accused's own envelopes, in hex."""
        fault = self.fault
        return {
            "seat": self.player.seat,
            "player": self.player.nick,
            "key": self.player.key.hex(),
            "rule": str(fault.rule),
            "sentence": self.sentence,
            "kind": fault.kind,
            "hand": fault.hand,
            "attempt": fault.attempt,
            "round": fault.round,
            "id": fault.id.hex(),
            "evidence": [data.hex() for data in fault.evidence],
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """What a comparison of logs needs; not part of what is told."""

    heads: Mapping[Place, bytes]
    """Heads of all certified rounds."""
    ledger: Ledger


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one audit."""

    verdict: Verdict
    summary: tuple[str, ...]
    """Sentences for people, the verdict first."""
    faults: tuple[FaultReport, ...] = ()
    """In the order of ``Fault.rank``: the first is the one that the table itself names."""
    damage: tuple[str, ...] = ()
    """Why the log, or records of it, cannot be accepted at all."""
    gaps: tuple[str, ...] = ()
    """What a complete log would have and this one lacks."""
    table: bytes = b""
    """Table id, empty if the log ends before the draw."""
    phrase: str = ""
    """Words of the table phrase."""
    name: str = ""
    """The table's name."""
    roster: bytes = b""
    """Hash of the roster."""
    rules: Mapping[str, OptionValue] = field(default_factory=dict)
    players: tuple[PlayerReport, ...] = ()
    """By seat, once seats are drawn; before that in the order of the roster."""
    dealer: int | None = None
    """Seat of the first dealer."""
    owner: bytes = b""
    """Identity of the peer that kept the log."""
    program: str = ""
    """Version of the program that wrote it."""
    created: int | None = None
    """Seconds since 1970, by the owner's clock."""
    hands: int = 0
    """Hands played to their end and certified."""
    scores: tuple[tuple[int, ...], ...] = ()
    """Of each of these hands, by seat."""
    totals: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    """Seats; empty while the match is not over."""
    records: int = 0
    verified: Mapping[str, int] = field(default_factory=dict)
    """How many of what was verified."""
    unverified: int = 0
    """Signed contents that could not be judged because of a fault before them or a gap."""
    story: tuple[HandStory, ...] = field(default=(), repr=False, compare=False)
    """Every attempt at every hand, oldest first, if the audit was asked to tell."""
    trace: Trace | None = field(default=None, repr=False, compare=False)

    @property
    def verified_total(self) -> int:
        """How much was verified, to tell which of several logs covers most."""
        return sum(self.verified.values())

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return {
            "verdict": str(self.verdict),
            "summary": list(self.summary),
            "faults": [fault.to_dict() for fault in self.faults],
            "damage": list(self.damage),
            "gaps": list(self.gaps),
            "table": self.table.hex(),
            "phrase": self.phrase,
            "name": self.name,
            "roster": self.roster.hex(),
            "rules": dict(self.rules),
            "players": [player.to_dict() for player in self.players],
            "dealer": self.dealer,
            "owner": self.owner.hex(),
            "program": self.program,
            "created": self.created,
            "hands": self.hands,
            "scores": [list(scores) for scores in self.scores],
            "totals": list(self.totals),
            "winners": list(self.winners),
            "records": self.records,
            "verified": dict(sorted(self.verified.items())),
            "unverified": self.unverified,
        }


def gravest(verdicts: set[Verdict]) -> Verdict:
    """Return the verdict that counts among several; clean for none."""
    return next((verdict for verdict in GRAVEST if verdict in verdicts), Verdict.CLEAN)


class HasVerdict(Protocol):
    """A report on one log or on several."""

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        ...


def exit_code(report: HasVerdict) -> int:
    """Exit code of ``audit``: 0 clean, 1 fault, 2 unreadable or disagreeing, 3 incomplete."""
    return EXIT_CODES[report.verdict]


def printable(name: str) -> str:
    """A name from a log, safe to show: no control or format characters, of modest length."""
    kept = "".join(mark for mark in name if mark.isprintable()).strip()
    return kept[:_NAME_LENGTH] or "?"


def shortened(reasons: list[str]) -> tuple[str, ...]:
    """Return the first reasons, and how many more there are."""
    if len(reasons) <= SHOWN:
        return tuple(reasons)
    return (*reasons[:SHOWN], _("and {n} more of this kind").format(n=len(reasons) - SHOWN))
