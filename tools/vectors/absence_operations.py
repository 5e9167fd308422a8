"""Operations of the vectors on a player who is lost (protocol/SPEC.md section 7).

Escrow, complaints, openings; what votes decide; what a dummy does. An operation takes the input
of a vector and returns its result, or raises ``Rejected`` with the name of the flaw or rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.absence import Confirm, Shape, Vote
from p2p_hearts.cards import escrow as escrows
from p2p_hearts.cards.escrow import Escrow
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto.group import Element, encode_elements, encode_scalar
from p2p_hearts.rules.cards import Card, card_set
from p2p_hearts.rules.dummy import dummy_card, dummy_pass
from p2p_hearts.rules.play import start_play
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from tools.vectors.reading import (
    context_in,
    deck_in,
    nothing_wrong,
    passed,
    point_in,
    rules_in,
    scalar_in,
    secret_in,
)
from tools.vectors.values import In, Operation, Plain, Rejected

# Section 7.3.


def _keys(given: In) -> dict[int, Element]:
    return {item.number("seat"): point_in(item, "key") for item in given.parts("keys")}


def _escrow(given: In) -> Escrow:
    """Check an escrow as it stands in an input."""
    made = escrows.check_escrow(
        context_in(given),
        point_in(given, "public"),
        _keys(given),
        given.data("publics"),
        given.data("seals"),
    )
    return passed(made)


def _table_key(given: In) -> TableKey:
    return TableKey(given.data("secret"), given.data("instance"))


def _make_escrow(given: In) -> Plain:
    publics, seals = escrows.make_escrow(secret_in(given), context_in(given), _keys(given))
    return {"publics": publics, "seals": seals}


def _check_escrow(given: In) -> Plain:
    _escrow(given)
    return True


def _open_seal(given: In) -> Plain:
    """Return y; nothing if the seal holds another number."""
    split = _escrow(given.part("escrow"))
    share = escrows.open_seal(_table_key(given), split, given.number("seat"))
    return None if share is None else encode_scalar(share)


def _make_complaint(given: In) -> Plain:
    point, proof = escrows.make_complaint(
        _table_key(given), context_in(given), _escrow(given.part("escrow"))
    )
    return {"point": point, "proof": proof}


def _check_complaint(given: In) -> Plain:
    split = _escrow(given.part("escrow"))
    point, proof = given.data("point"), given.data("proof")
    return nothing_wrong(escrows.check_complaint(context_in(given), split, point, proof))


# Section 7.5.


def _make_opening(given: In) -> Plain:
    points, proof = escrows.make_opening(
        secret_in(given),
        context_in(given),
        given.number("owner"),
        scalar_in(given, "share"),
        deck_in(given, "cards"),
    )
    return {"points": points, "proof": proof}


def _check_opening(given: In) -> Plain:
    points = escrows.check_opening(
        context_in(given),
        given.number("owner"),
        point_in(given, "public"),
        deck_in(given, "cards"),
        given.data("points"),
        given.data("proof"),
    )
    return encode_elements(passed(points))


# Section 7.4.


def _shape(given: In) -> Shape:
    return Shape(tuple(given.numbers("seats")), tuple(given.numbers("speakers")))


def _said(given: In) -> tuple[list[Vote], list[Confirm]]:
    """Read votes and confirms; each names only earlier ones of the list."""
    votes: dict[bytes, Vote] = {}
    confirms: dict[bytes, Confirm] = {}
    for item in given.parts("said"):
        name, voter, ballot = item.data("name"), item.number("voter"), item.number("ballot")
        target = item.number("target")
        if item.has("votes"):
            named = tuple(votes[vote] for vote in item.datas("votes"))
            value = _value(item.datas("value"))
            confirms[name] = Confirm(name, voter, ballot, target, value, named)
        else:
            lock = confirms[item.data("lock")] if item.data("lock") else None
            view, opener = _value(item.datas("view")), item.number("opener")
            votes[name] = Vote(name, voter, ballot, target, opener, view, lock)
    return list(votes.values()), list(confirms.values())


def _value(names: Sequence[bytes]) -> tuple[bytes | None, ...]:
    return tuple(name or None for name in names)


def _decide(given: In) -> Plain:
    """Return what the votes of a ballot decide: a value, or whom the next ballot is against."""
    votes, _ = _said(given)
    ballot, target = given.number("ballot"), given.number("target")
    counted = [vote for vote in votes if (vote.ballot, vote.target) == (ballot, target)]
    found = absence.decide(_shape(given), target, counted)
    value = None if found.value is None else [name or b"" for name in found.value]
    return {"value": value, "accused": found.accused}


def _check_vote(given: In) -> Plain:
    votes, _ = _said(given)
    if not absence.is_sound_vote(_shape(given), votes[-1]):
        raise Rejected(Rule.BALLOT.value)
    return True


def _check_confirm(given: In) -> Plain:
    _, confirms = _said(given)
    if not absence.is_sound_confirm(_shape(given), confirms[-1]):
        raise Rejected(Rule.BALLOT.value)
    return True


# Section 7.6.


def _dummy_pass(given: In) -> Plain:
    """Return the faces that a dummy passes, ascending."""
    rules = rules_in(given)
    hand = card_set(Card(face) for face in given.numbers("hand"))
    chosen = dummy_pass(rules, hand)
    if len(chosen) != rules.pass_count:
        raise Rejected(Flaw.PASS_POSITIONS.value)
    return [int(card) for card in chosen]


def _dummy_card(given: In) -> Plain:
    """Return the face that a dummy plays after these plays."""
    state = start_play(rules_in(given), given.number("dealer"), given.number("leader"))
    hand = card_set(Card(face) for face in given.numbers("hand"))
    try:
        for face in given.numbers("plays"):
            state = state.play(Card(face))
        card = dummy_card(hand, state)
        state.play(card)
    except ValueError:
        raise Rejected(FLAW_RULES[Flaw.CARD_UNKNOWN].value) from None
    return int(card)


ABSENCE_OPERATIONS: Final[Mapping[str, Operation]] = {
    "make escrow": _make_escrow,
    "check escrow": _check_escrow,
    "open seal": _open_seal,
    "make complaint": _make_complaint,
    "check complaint": _check_complaint,
    "make opening": _make_opening,
    "check opening": _check_opening,
    "decide": _decide,
    "check vote": _check_vote,
    "check confirm": _check_confirm,
    "dummy pass": _dummy_pass,
    "dummy card": _dummy_card,
}
