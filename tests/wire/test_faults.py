"""Faults: each rule says what it proves, and equal evidence makes equal faults."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace

from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.rules.cards import Card, parse_card
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed, seal, sign_bytes
from p2p_hearts.wire.faults import FLAW_RULES, SENTENCES, Rule, fault_of, legality_rule
from tests.wire.test_envelope import ALICE, content_of


def said(body: bytes = b"body", **fields: object) -> Sealed:
    return seal(ALICE, replace(content_of(body=body), **fields))


@pytest.mark.parametrize("rule", Rule)
def test_fault__of_every_rule_is_a_sentence_about_the_seat(rule: Rule) -> None:
    sentence = fault_of(rule, said()).sentence("Mallory")
    assert sentence.startswith("Mallory ")
    assert sentence.endswith("hand 1, round 2 (play).")
    assert SENTENCES[rule][0].islower()
    assert SENTENCES[rule][-1] not in ".,: "
    assert fault_of(rule, said(hand=0)).sentence("Mallory").endswith("the draw for seats.")


def test_fault__sentences_differ_by_rule() -> None:
    assert set(SENTENCES) == set(Rule)
    assert len(set(SENTENCES.values())) == len(Rule)


def test_fault__has_a_rule_for_every_flaw_that_one_body_can_have() -> None:
    """A revoke depends on the trick; keys that add up to nothing are nobody's single body."""
    assert set(Flaw) - set(FLAW_RULES) == {Flaw.REVOKE, Flaw.JOINT_KEY}


def test_fault__is_the_same_in_whatever_order_its_evidence_came() -> None:
    contents = [said(b"one"), said(b"two"), said(b"three", round=3)]
    faults = {fault_of(Rule.CHAIN, *order) for order in permutations(contents)}
    assert len(faults) == 1
    (fault,) = faults
    assert (fault.hand, fault.attempt, fault.round, fault.seat) == (1, 1, 2, 3)
    assert set(fault.evidence) == {item.data for item in contents}


def test_fault__has_the_same_id_under_another_signature_of_the_same_content() -> None:
    one = said()
    other = Sealed(one.content, one.hash, sign_bytes(_Other(), "content", encode(one.content)))
    assert one.data != other.data
    assert fault_of(Rule.BODY, one).id == fault_of(Rule.BODY, other).id
    assert fault_of(Rule.BODY, one).id != fault_of(Rule.BODY, said(b"two")).id


class _Other:
    public = ALICE.public

    def sign(self, message: bytes) -> bytes:
        return bytes(64)


def test_fault__ranks_by_place_then_seat_then_contradiction() -> None:
    faults = [
        fault_of(Rule.SHARES, said(hand=0)),
        fault_of(Rule.TWO_CONTENTS, said(seat=1), said(b"two", seat=1)),
        fault_of(Rule.BODY, said(seat=1)),
        fault_of(Rule.TWO_CONTENTS, said(seat=2), said(b"two", seat=2)),
        fault_of(Rule.BODY, said(round=7, seat=0)),
        fault_of(Rule.TWO_CONTENTS, said(round=7, seat=1)),
        fault_of(Rule.BODY, said(hand=2, round=0, seat=0)),
    ]
    assert sorted(faults, key=lambda fault: fault.rank) == faults


def test_fault__of_an_unknown_kind_names_it_unknown() -> None:
    assert fault_of(Rule.KIND, said(kind="<script>")).kind == "unknown"
    assert fault_of(Rule.KIND, said(kind="ack")).kind == "ack"


def after(*names: str) -> PlayState:
    """The play after these cards, seat 0 opening."""
    state = start_play(RuleSet(), 3, 0)
    for name in names:
        state = state.play(parse_card(name))
    return state


CLUBS = ("2C", "3C", "4C", "5C")


@pytest.mark.parametrize(
    ("played", "card", "rule"),
    [
        (("2C",), "KD", Rule.REVOKE),
        (("2C",), "KH", Rule.TRICK_ONE),
        (("2C",), "QS", Rule.TRICK_ONE),
        ((*CLUBS, "6C"), "KH", Rule.REVOKE),
        ((*CLUBS, "6C"), "QS", Rule.REVOKE),
        (CLUBS, "KH", Rule.HEARTS_CLOSED),
    ],
    ids=str,
)
def test_legality_rule__names_the_rule_by_what_was_to_be_played(
    played: tuple[str, ...], card: str, rule: Rule
) -> None:
    assert legality_rule(after(*played), Card(parse_card(card))) is rule
