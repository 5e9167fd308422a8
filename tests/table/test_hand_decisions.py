"""What a hand waits for from its own player, says for it, and shows it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p_hearts.rules.cards import EMPTY, Card, card_set
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import NOBODY
from p2p_hearts.table import hand as hand_module
from p2p_hearts.table.hand import Hand, playing, standing_in
from p2p_hearts.table.hand.state import HandState
from p2p_hearts.table.rounds import Facts
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind, Lost, Open, Play

MOON = next(iter(MoonChoice))


def hand_of(**fields: object) -> Any:
    """A hand of seat 0 that has decided nothing, with some things otherwise."""
    return SimpleNamespace(
        **{
            "seat": 0,
            "dummy": None,
            "lost": False,
            "chosen_pass": None,
            "chosen_card": None,
            "chosen_claim": False,
            "chosen_moon": None,
            **fields,
        }
    )


@pytest.mark.parametrize(
    ("kind", "fields", "needs"),
    [
        (Kind.PASS_SELECT, {}, True),
        (Kind.PASS_SELECT, {"chosen_pass": (0, 1, 2), "chosen_moon": None}, False),
        (Kind.PASS_SELECT, {"lost": True}, False),
        (Kind.PLAY, {}, True),
        (Kind.PLAY, {"chosen_card": Card(3)}, False),
        (Kind.PLAY, {"chosen_claim": True}, False),
        (Kind.CHOICE, {}, True),
        (Kind.CHOICE, {"chosen_moon": MOON}, False),
        (Kind.KEY, {}, False),
    ],
)
def test_hand__waits_for_what_its_player_decides_and_has_not(
    kind: Kind, fields: dict[str, object], needs: bool
) -> None:
    assert Hand.needs_decision(hand_of(**fields), kind) is needs


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        (Kind.PLAY, {}, Kind.PLAY),
        (Kind.PLAY, {"chosen_claim": True}, Kind.CLAIM),
        (Kind.REVEAL, {"chosen_claim": True}, Kind.REVEAL),
        (Kind.PLAY, {"lost": True}, Kind.LOST),
    ],
)
def test_hand__says_what_the_round_is_for_but_for_a_claim_and_a_lost_secret(
    kind: Kind, fields: dict[str, object], said: Kind
) -> None:
    assert Hand.kind_to_speak(hand_of(**fields), kind) is said


def test_hand__whose_secret_is_lost_says_so_and_proves_nothing() -> None:
    assert Hand.speak(hand_of(lost=True), Kind.LOST, 3) == Lost()


@pytest.mark.parametrize(
    ("seat", "dummy", "lost", "reads"),
    [
        (0, None, False, True),
        (0, 1, False, True),
        (0, 0, False, False),
        (0, None, True, False),
        (NOBODY, None, False, False),
    ],
)
def test_hand__reads_cards_that_its_seat_alone_can_read(
    seat: int, dummy: int | None, lost: bool, reads: bool
) -> None:
    getter = HandState.reads_own.fget  # type: ignore[attr-defined]
    assert getter(hand_of(seat=seat, dummy=dummy, lost=lost)) is reads


CARDS = tuple(map(Card, (0, 1, 2, 3)))


@pytest.mark.parametrize(
    ("fields", "facts", "own"),
    [
        ({}, {}, CARDS[1:]),
        ({}, {"play_over": True}, ()),
        ({"seat": NOBODY}, {}, ()),
        ({"dummy": 0}, {}, (7,)),
        ({"dummy": 1}, {}, CARDS[1:]),
        ({}, {"selected": True}, CARDS[2:]),
        ({}, {"selected": True, "remasked": True}, CARDS[1:]),
    ],
)
def test_hand__shows_its_player_the_cards_it_holds_now(
    fields: dict[str, object], facts: dict[str, bool], own: tuple[int, ...]
) -> None:
    flags = dict.fromkeys(("play_over", "selected", "remasked"), False) | facts
    hand = hand_of(
        facts=SimpleNamespace(**flags),
        cards=CARDS,
        passed=card_set(CARDS[1:2]),
        sides=[SimpleNamespace(opened={0: CARDS[0]})],
        open_cards=lambda seat: card_set([Card(7)]),
        **fields,
    )
    getter = Hand.own_cards.fget  # type: ignore[attr-defined]
    assert getter(hand) == card_set(map(Card, own))


def test_legal__are_cards_in_the_own_turn_alone() -> None:
    assert Hand.legal(hand_of(play=SimpleNamespace(turn=1), own_cards=card_set(CARDS))) == EMPTY
    assert Hand.legal(hand_of(play=None)) == EMPTY
    assert not Hand.may_claim(hand_of(play=None))


@pytest.mark.parametrize("cards", [(0, 1), (0, 1, 2, 3), (0, 1, 9)])
def test_choose_pass__of_too_few_too_many_or_of_cards_not_held_is_refused(
    cards: tuple[int, ...],
) -> None:
    hand = hand_of(cards=CARDS, ground=SimpleNamespace(rules=RuleSet()))
    with pytest.raises(ValueError, match="pass"):
        Hand.choose_pass(hand, card_set(map(Card, cards)))
    assert hand.chosen_pass is None
    Hand.choose_pass(hand, card_set(CARDS[1:]))
    assert hand.chosen_pass == (1, 2, 3)


def test_choices__that_the_rules_refuse_are_not_made() -> None:
    hand = hand_of(legal=lambda: card_set(CARDS[:1]), may_claim=lambda: False)
    with pytest.raises(ValueError, match="may not be played"):
        Hand.choose_card(hand, CARDS[1])
    with pytest.raises(ValueError, match="cannot claim"):
        Hand.choose_claim(hand)
    assert (hand.chosen_card, hand.chosen_claim) == (None, False)
    Hand.choose_card(hand, CARDS[0])
    assert hand.chosen_card == CARDS[0]


def test_reveal__makes_work_of_the_steps_of_others_that_have_revealed() -> None:
    """The own steps need no second look, and of a seat that is away there is no secret."""
    sides = [SimpleNamespace(secret=secret, steps=[1]) for secret in (b"a" * 32, b"b" * 32, b"")]
    hand = hand_of(
        facts=Facts(seats=3, passes=False),
        sides=sides,
        jobs=[],
        number=1,
        attempt=1,
        ground=SimpleNamespace(table=bytes(32)),
    )
    playing._close_reveal(hand)
    assert [job.seat for job in hand.jobs] == [1]


@pytest.mark.parametrize("true", [True, False])
def test_may_claim__if_the_rest_is_certain(true: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_module, "may_claim", lambda state, seat, cards: true)
    assert Hand.may_claim(hand_of(play="a play", own_cards=EMPTY)) is true


@pytest.mark.parametrize("over", [True, False])
def test_open_cards__of_a_dummy_are_those_it_has_not_played(over: bool) -> None:
    side = SimpleNamespace(hand=["a", "b", "c"], opened={1: CARDS[1]})
    known = dict(zip(("a", "b"), CARDS, strict=False))
    hand = hand_of(facts=SimpleNamespace(play_over=over), sides=[side], known=known)
    assert standing_in.open_cards(hand, 0) == (EMPTY if over else card_set(CARDS[:1]))


def test_play__from_a_place_that_is_empty_is_that_fault_and_no_other() -> None:
    def refuse(card: Card) -> None:
        raise ValueError("this card is not in the pack")

    state = SimpleNamespace(play=refuse)
    hand = hand_of(state=lambda: state, sides=[SimpleNamespace(held=[0, 2])])
    context: Any = None
    for position, rule in ((0, Rule.CARD), (1, Rule.POSITION), (3, Rule.POSITION)):
        body = Play(position=position, card=3, proof=b"")
        assert playing._take_play(hand, 0, context, body) is rule


@pytest.mark.parametrize("rule", [Rule.REVOKE, Rule.CARD, None])
def test_play__whose_proof_is_refused_changes_nothing(
    rule: Rule | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "_judge_card", lambda *_: rule)
    monkeypatch.setattr(playing, "claim", lambda card, state: None)
    state = SimpleNamespace(play=lambda card: "after")
    side = SimpleNamespace(held=[0], hand=["card"], opener=None)
    hand = hand_of(
        state=lambda: state,
        sides=[side],
        play="before",
        ground=SimpleNamespace(encoding=None),
        opening_card=lambda: CARDS[0],
        public_of=lambda seat: None,
    )
    context: Any = None
    assert playing._take_play(hand, 0, context, Play(position=0, card=3, proof=b"")) is rule
    assert hand.play == ("after" if rule is None else "before")
    assert playing._take_open(hand, 0, context, Open(1, b"")) is Rule.POSITION
    said = playing._take_open(hand, 0, context, Open(0, b""))
    assert said is (Rule.OPENING_PROOF if rule is Rule.CARD else rule)
    assert side.opener == (0 if rule is None else None)
