"""Faults: which seat broke which rule, and the signed bytes that prove it (SPEC.md section 6.5).

A fault is a value that every honest peer derives alike from bytes the accused signed, and that a
third party can check from those bytes and the log. A rule's sentence says exactly what its
evidence proves, and no more.

Never: guesses. A late or missing message, or one that only a relay could have forged, is no
fault. Errors: none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.i18n import N_, _
from p2p_hearts.rules.cards import Card, contains, suit_of
from p2p_hearts.rules.play import PlayState
from p2p_hearts.wire.codec import decode
from p2p_hearts.wire.envelope import Envelope, Sealed, content_hash, digest
from p2p_hearts.wire.messages import Kind


class Rule(StrEnum):
    """The rule that was broken; the value stands in reports and ``--json``."""

    BODY = "body"
    KIND = "kind"
    TURN = "turn"
    TWO_CONTENTS = "two-contents"
    PREVIOUS = "previous"
    CHAIN = "chain"
    COMMITMENT = "commitment"
    KEY_PROOF = "key-proof"
    SHUFFLE = "shuffle"
    ESCROW = "escrow"
    COMPLAINT = "complaint"
    SEAL = "seal"
    OPENINGS = "openings"
    BALLOT = "ballot"
    SHARES = "shares"
    PASS_POSITIONS = "pass-positions"  # noqa: S105 - a pass of cards, no password
    PASS = "pass"  # noqa: S105
    REMASK = "remask"
    OPENING_HIDDEN = "opening-hidden"
    OPENING_PROOF = "opening-proof"
    POSITION = "position"
    CARD = "card"
    CLAIM_CARDS = "claim-cards"
    CLAIM = "claim"
    PROOF_FORM = "proof-form"
    REVOKE = "revoke"
    HEARTS_CLOSED = "hearts-closed"
    TRICK_ONE = "trick-one"
    SECRET = "secret"  # noqa: S105
    RERUN = "rerun"
    CHOICE = "choice"
    EVIDENCE = "evidence"


SENTENCES: dict[Rule, str] = {
    Rule.BODY: N_("signed a message whose body is not of the form its kind has"),
    Rule.KIND: N_("signed a message of another kind than this round takes"),
    Rule.TURN: N_("signed a message when it was another seat's turn"),
    Rule.TWO_CONTENTS: N_("signed two different messages for one place in the history"),
    Rule.PREVIOUS: N_(
        "signed a message on top of another history than the one it had acknowledged"
    ),
    Rule.CHAIN: N_("signed messages that contradict its own count of what it had signed"),
    Rule.COMMITMENT: N_("revealed a nonce that is not the one it had committed to"),
    Rule.KEY_PROOF: N_("gave a key share without a valid proof that it knows the secret key"),
    Rule.SHUFFLE: N_("gave a deck that is not proven to be a shuffle of the deck before it"),
    Rule.ESCROW: N_("gave shares of its key that do not add up to it, or seals without proof"),
    Rule.COMPLAINT: N_("complained of a seal without proof, or of one that holds the right share"),
    Rule.SEAL: N_("sealed something else to another seat than the share of its key"),
    Rule.OPENINGS: N_("gave parts of an absent seat's cards that are not proven to be right"),
    Rule.BALLOT: N_("signed a vote or a confirm that no seat may sign"),
    Rule.SHARES: N_("gave decryption shares that are not proven to be right"),
    Rule.PASS_POSITIONS: N_("selected cards to pass that its hand or the rules do not allow"),
    Rule.PASS: N_("passed cards that are not proven to be the ones it had selected"),
    Rule.REMASK: N_("re-masked its hand into one that is not proven to hold the same cards"),
    Rule.OPENING_HIDDEN: N_("did not prove that the opening card is not in its hand"),
    Rule.OPENING_PROOF: N_("opened with a card that is not proven to be the opening card"),
    Rule.POSITION: N_("played from a place of its hand that is empty or does not exist"),
    Rule.CARD: N_("named a card that is not proven to be the one at that place of its hand"),
    Rule.CLAIM_CARDS: N_("claimed the rest with another number of cards than it still holds"),
    Rule.CLAIM: N_("claimed the rest where what everybody has seen does not make it certain"),
    Rule.PROOF_FORM: N_("left out a proof that was due, or gave one that was not"),
    Rule.REVOKE: N_("discarded without proof that it could not follow suit (a revoke)"),
    Rule.HEARTS_CLOSED: N_("led a card that may not be led yet without proof that it had no other"),
    Rule.TRICK_ONE: N_("discarded a penalty card on trick one without proof that it had no other"),
    Rule.SECRET: N_("revealed a hand secret that is not the one it had committed to"),
    Rule.RERUN: N_("had dealt or played otherwise than its own revealed hand secret says"),
    Rule.CHOICE: N_("made a moon choice that the rules do not offer"),
    Rule.EVIDENCE: N_("accused another seat with messages that prove nothing against it"),
}
"""What the evidence proves, as the end of a sentence that begins with the seat's name."""

FLAW_RULES: dict[Flaw, Rule] = {
    Flaw.KEY_PROOF: Rule.KEY_PROOF,
    Flaw.SHUFFLE_PROOF: Rule.SHUFFLE,
    Flaw.ESCROW_SUM: Rule.ESCROW,
    Flaw.SEAL_PROOF: Rule.ESCROW,
    Flaw.COMPLAINT_PROOF: Rule.COMPLAINT,
    Flaw.COMPLAINT_FALSE: Rule.COMPLAINT,
    Flaw.OPENING_PROOF: Rule.OPENINGS,
    Flaw.SHARE_PROOF: Rule.SHARES,
    Flaw.PASS_POSITIONS: Rule.PASS_POSITIONS,
    Flaw.PASS_PROOF: Rule.PASS,
    Flaw.REMASK_PROOF: Rule.REMASK,
    Flaw.OPENING_HIDDEN: Rule.OPENING_HIDDEN,
    Flaw.CARD_PROOF: Rule.CARD,
    Flaw.CARD_UNKNOWN: Rule.CARD,
    Flaw.CLAIM_CARDS: Rule.CLAIM_CARDS,
    Flaw.PROOF_MISSING: Rule.PROOF_FORM,
    Flaw.PROOF_NOT_DUE: Rule.PROOF_FORM,
    Flaw.REVEAL_COMMITMENT: Rule.SECRET,
    Flaw.REVEAL_RERUN: Rule.RERUN,
    Flaw.MALFORMED: Rule.BODY,
}
"""The rule for each way a card-protocol body can be wrong, where the body alone decides it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A proven fault.

    ``hand``, ``attempt`` and ``round`` say where in the history it stands; ``evidence`` holds the
    accused seat's own envelopes.
    """

    seat: int
    rule: Rule
    kind: str
    hand: int
    attempt: int
    round: int
    evidence: tuple[bytes, ...]

    @property
    def id(self) -> bytes:
        """A digest of what the evidence says, the same at every peer that holds it.

        Over the hashes of the contents: a signer can make several signatures of one content.
        """
        said = [content_hash(decode(data, Envelope).content) for data in self.evidence]
        return digest("fault", *sorted(said))

    @property
    def rank(self) -> tuple[int, int, int, int, bool, str]:
        """Order among faults: the earliest place first, there the lowest seat.

        Of several faults of a seat in one place, contradictory contents come first: they stand
        whatever is in them.
        """
        contradicts = self.rule is Rule.TWO_CONTENTS
        return self.hand, self.attempt, self.round, self.seat, not contradicts, self.rule

    def sentence(self, name: str) -> str:
        """Say in one sentence what is proven about the player called ``name``."""
        deed = _(SENTENCES[self.rule])
        if self.hand == 0:
            return _("{player} {deed}: the draw for seats.").format(player=name, deed=deed)
        return _("{player} {deed}: hand {hand}, round {round} ({kind}).").format(
            player=name, deed=deed, hand=self.hand, round=self.round, kind=self.kind
        )


def fault_of(rule: Rule, *contents: Sealed) -> Fault:
    """Make the fault that these contents of one seat prove; the earliest says where it stands.

    The same contents make the same fault, in whatever order a peer came to hold them.
    """
    ordered = sorted(contents, key=_moment)
    first = ordered[0].content
    return Fault(
        seat=first.seat,
        rule=rule,
        kind=first.kind if first.kind in set(Kind) else "unknown",
        hand=first.hand,
        attempt=first.attempt,
        round=first.round,
        evidence=tuple(item.data for item in ordered),
    )


def _moment(item: Sealed) -> tuple[int, int, int, int, bytes]:
    content = item.content
    return content.hand, content.attempt, content.round, content.sequence, item.hash


def legality_rule(state: PlayState, card: Card) -> Rule:
    """Name the rule that a play of ``card`` broke when its class proof failed.

    The class proof covers every rule of legality at once; which one it was about follows from
    public facts alone: whether the card was led, and whether it is a penalty card on trick one.
    """
    if not state.trick:
        return Rule.HEARTS_CLOSED
    led = suit_of(state.trick[0][1])
    is_penalty = contains(state.rules.penalty_faces, card)
    if not state.tricks and is_penalty and suit_of(card) is not led:
        return Rule.TRICK_ONE
    return Rule.REVOKE
