"""One cheater per fault: every honest peer names the same seat and rule, with the signed proof."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from p2p_hearts.cards import deal, keys, passing, play
from p2p_hearts.crypto.elgamal import Ciphertext, decode_deck, encode_deck, reencrypt
from p2p_hearts.crypto.group import BASE, decode_element
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import (
    Card,
    Suit,
    contains,
    parse_card,
    suit_of,
)
from p2p_hearts.rules.options import Opening, RuleSet
from p2p_hearts.rules.play import PlayState, claim
from p2p_hearts.table.hand import Hand
from p2p_hearts.table.hand.dealing import shared_positions
from p2p_hearts.table.hand.passing import pass_terms
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import seal
from p2p_hearts.wire.evidence import BODY_BYTES
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import (
    Ack,
    Content,
    Draw,
    Frame,
    Key,
    Kind,
    Open,
    Pass,
    PassSelect,
    Play,
    Remask,
    Reveal,
    Shares,
    Shuffle,
    Widow,
)
from tests.table.cheats import (
    ONE_HAND,
    Body,
    Cheat,
    Cheater,
    anywhere,
    context_with,
    convicts,
    held,
    joint_of,
    mix,
    other_secret,
    play_of,
    public_of,
    saying,
    secret_of,
)
from tests.table.sim import Sim

NOBODYS = bytes(31) + b"\x01"
"""32 bytes that nobody has committed to, signed or hashed."""

WIDOW = RuleSet(seats=6, packs=2, opening=Opening.NONE, pass_count=0, hands=1)


# What the cheats need.


def playing(hand: Hand) -> tuple[PlayState, Suit | None]:
    """The state of the play, and the suit that was led."""
    assert hand.play is not None
    return hand.play, hand.play.led


def suits(hand: Hand) -> set[Suit]:
    """The suits that the cheater still holds."""
    return {suit_of(hand.cards[at]) for at in held(hand)}


def penalty_place(hand: Hand) -> int | None:
    """A place of a penalty card, if the cheater may discard one on trick one at all."""
    state, led = playing(hand)
    if led is None or not state.is_first_trick:
        return None
    faces = hand.ground.rules.penalty_faces
    return next((at for at in held(hand) if contains(faces, hand.cards[at])), None)


def pass_of(hand: Hand, context: Context, positions: tuple[int, ...]) -> Pass:
    """Pass the cards at these positions, proven as well as that goes."""
    sources = passing.selected(hand.sides[hand.seat].hand, positions)
    _, _, receiver_key = pass_terms(hand, hand.seat)
    return Pass(*passing.make_pass(secret_of(hand), context, positions, sources, receiver_key))


# The formation.


def test_draw__of_a_nonce_that_was_not_committed_to_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, body=encode(Draw(NOBODYS))) if content.kind == "draw" else None

    convicts(Cheat(instead), Rule.COMMITMENT)


def test_draw__told_differently_to_different_peers_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, body=encode(Draw(NOBODYS))) if content.kind == "draw" else None

    convicts(Cheat(instead, fooled=1), Rule.TWO_CONTENTS)


def held_back(sim: Sim, number: int, place: int) -> Content:
    """Let all others speak in a round of hand 0, and return what this place has said to nobody."""
    if number == 0:
        sim.cut = {(place, other) for other in range(len(sim.tables))}
    own = sim.tables[place].history
    while len(own.rounds) <= number or place not in own.rounds[number].speeches:
        sim.step()
    sim._queue = [item for item in sim._queue if item[2] != place]
    sim.stopped.add(place)
    sim.wait(1.0)
    return own.rounds[number].speeches[place].content


@pytest.mark.parametrize(
    ("kind", "body", "rule"),
    [
        (Kind.SIT, b"nonsense", Rule.BODY),
        (Kind.DRAW, encode(Draw(NOBODYS)), Rule.COMMITMENT),
        (Kind.DRAW, b"nonsense", Rule.BODY),
    ],
)
def test_formation__of_a_last_word_that_all_acknowledge_and_that_is_wrong_ends_no_program(
    kind: Kind, body: bytes, rule: Rule
) -> None:
    """An ack goes out before a speech is judged, so the round has its certificate all the same."""
    sim = Sim(ONE_HAND, seed=("last word", kind), auto_vote=True)
    number, liar, rest = 0 if kind is Kind.SIT else 1, 2, [0, 1, 3]
    identity, said = sim.identities[liar], held_back(sim, number, liar)
    wrong = seal(identity, replace(said, body=body))
    item = sim.tables[0].history.rounds[number]
    assert item.speeches.keys() == set(rest)
    names = tuple(
        wrong.hash if seat == liar else item.speeches[seat].hash for seat in item.speakers
    )
    acknowledged = encode(Ack(item.head_of(names)))
    number_of_ack = said.sequence + 1
    ack = seal(
        identity,
        replace(said, kind=Kind.ACK, sequence=number_of_ack, last=wrong.hash, body=acknowledged),
    )
    for place in rest:
        frame = encode(Frame(sim.roster.hash, [wrong.data, ack.data], None))
        sim.tables[place].receive(liar, frame)
    sim.wait(1.0)
    for place in rest:
        table = sim.tables[place]
        assert table.history.certified == number + 1
        log = list(sim.logs[place])
        again = Table.resume(sim.identities[place], sim.roster, sim.secrets[place], log, recall=7)
        for one in (table, again):
            assert one.fault is not None
            assert (one.fault.rule, one.fault.seat) == (rule, liar)
            assert (one.draw, one.stopped) == (None, True)
        assert table.stopped_for_good


# The deal.


def test_key__without_knowledge_of_the_secret_is_refused() -> None:
    """The cheater wants the joint key to be of its own choice: it adds to its honest share."""

    def rogue(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Key)
        return Key(body.commitment, (decode_element(body.public) + BASE).data, body.proof)

    convicts(saying(Kind.KEY, rogue), Rule.KEY_PROOF)


def test_key__with_a_proof_made_for_another_seat_is_refused() -> None:
    def moved(hand: Hand, context: Context, body: object) -> Body:
        other = context_with(context, seat=(context.seat + 1) % 4)
        return Key(*keys.make_key(anywhere(hand), other))

    convicts(saying(Kind.KEY, moved), Rule.KEY_PROOF)


def test_shuffle__with_two_cards_exchanged_after_the_proof_is_refused() -> None:
    def exchanged(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Shuffle)
        deck = body.deck
        return Shuffle(deck[64:128] + deck[:64] + deck[128:], body.proof)

    convicts(saying(Kind.SHUFFLE, exchanged), Rule.SHUFFLE)


def test_shuffle__with_a_duplicated_card_is_refused() -> None:
    def doubled(hand: Hand, context: Context, body: object) -> Body:
        def spoil(mixed: list[Ciphertext]) -> None:
            mixed[1] = reencrypt(mixed[0], joint_of(hand), 7)

        return Shuffle(*mix(hand, context, b"shuffle", joint_of(hand), hand.decks[-1], spoil))

    convicts(saying(Kind.SHUFFLE, doubled), Rule.SHUFFLE)


def test_shuffle__with_a_foreign_card_is_refused() -> None:
    def foreign(hand: Hand, context: Context, body: object) -> Body:
        def spoil(mixed: list[Ciphertext]) -> None:
            mixed[5] = Ciphertext(mixed[5].a, mixed[5].b + BASE)

        return Shuffle(*mix(hand, context, b"shuffle", joint_of(hand), hand.decks[-1], spoil))

    convicts(saying(Kind.SHUFFLE, foreign), Rule.SHUFFLE)


def test_shuffle__of_another_deck_than_the_one_before_is_refused() -> None:
    """The last to shuffle goes back to the open deck and so would know where every card is."""

    def restarted(hand: Hand, context: Context, body: object) -> Body:
        if hand.facts.shuffles < 3:
            return None
        made = deal.make_shuffle(secret_of(hand), context, joint_of(hand), hand.decks[0])
        return Shuffle(made[0], made[1])

    convicts(saying(Kind.SHUFFLE, restarted), Rule.SHUFFLE)


def test_shuffle__of_no_group_elements_is_refused() -> None:
    def noise(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Shuffle)
        return Shuffle(bytes(len(body.deck)), body.proof)

    convicts(saying(Kind.SHUFFLE, noise), Rule.BODY)


def test_shuffle__by_an_equivocator_is_refused_although_the_next_seat_shuffles_on() -> None:
    """Shuffles run ahead of certificates: two seats may already have built on two decks."""

    def second(hand: Hand, context: Context, body: object) -> Body:
        made = deal.make_shuffle(other_secret(hand), context, joint_of(hand), hand.decks[-1])
        return Shuffle(made[0], made[1])

    convicts(saying(Kind.SHUFFLE, second, fooled=1), Rule.TWO_CONTENTS)


def test_shares__that_are_wrong_are_refused() -> None:
    def wrong(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Shares)
        return Shares(body.shares[32:64] + body.shares[:32] + body.shares[64:], body.proof)

    convicts(saying(Kind.SHARES, wrong), Rule.SHARES)


def test_shares__made_with_another_key_are_refused() -> None:
    def other(hand: Hand, context: Context, body: object) -> Body:
        positions = shared_positions(hand, hand.seat)
        return Shares(*deal.make_shares(other_secret(hand), context, hand.decks[-1], positions))

    convicts(saying(Kind.SHARES, other), Rule.SHARES)


def test_shares__of_too_few_cards_are_refused() -> None:
    def fewer(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Shares)
        return Shares(body.shares[:-32], body.proof)

    convicts(saying(Kind.SHARES, fewer), Rule.BODY)


# The pass.


@pytest.mark.parametrize(
    "positions", [[0, 1], [0, 1, 2, 3], [2, 1, 0], [0, 0, 1], [0, 1, 13]], ids=str
)
def test_pass_select__of_other_than_three_ascending_places_is_refused(
    positions: list[int],
) -> None:
    convicts(
        saying(Kind.PASS_SELECT, lambda hand, context, body: PassSelect(positions)),
        Rule.PASS_POSITIONS,
    )


def test_pass__of_a_card_not_selected_is_refused() -> None:
    def switched(hand: Hand, context: Context, body: object) -> Body:
        chosen = hand.sides[hand.seat].selection
        other = next(at for at in range(13) if at not in chosen)
        return pass_of(hand, context, (*chosen[:2], other))

    convicts(saying(Kind.PASS, switched), Rule.PASS)


def test_pass__of_one_selected_card_twice_is_refused() -> None:
    def doubled(hand: Hand, context: Context, body: object) -> Body:
        chosen = hand.sides[hand.seat].selection
        return pass_of(hand, context, (chosen[0], chosen[0], chosen[2]))

    convicts(saying(Kind.PASS, doubled), Rule.PASS)


def test_pass__of_something_that_is_no_card_is_refused() -> None:
    def spoiled(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Pass)
        first, *rest = decode_deck(body.cards, 3)
        return Pass(encode_deck([Ciphertext(first.a, first.b + BASE), *rest]), body.proof)

    convicts(saying(Kind.PASS, spoiled), Rule.PASS)


def test_pass__to_the_wrong_receiver_is_refused() -> None:
    """The cheater encrypts its worst cards so that it alone could read them."""

    def kept(hand: Hand, context: Context, body: object) -> Body:
        selection, sources, _ = pass_terms(hand, hand.seat)
        made = passing.make_pass(secret_of(hand), context, selection, sources, public_of(hand))
        return Pass(*made)

    convicts(saying(Kind.PASS, kept), Rule.PASS)


def test_remask__of_the_hand_before_the_pass_is_refused() -> None:
    """The cheater keeps what it has passed, and leaves what it was passed."""
    before: dict[int, tuple[Ciphertext, ...]] = {}

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind == Kind.PASS:
            hand = table.my_hand
            before[hand.seat] = hand.sides[hand.seat].hand
        if content.kind != Kind.REMASK:
            return None
        hand = table.my_hand
        rules_hash = table.roster.rules_hash
        context = Context(content.table, rules_hash, 1, 1, content.round, hand.seat)
        made = passing.make_remask(secret_of(hand), context, public_of(hand), before[hand.seat])
        return replace(content, body=encode(Remask(made[0], made[1])))

    convicts(Cheat(instead), Rule.REMASK)


def test_remask__that_doubles_a_card_is_refused() -> None:
    def doubled(hand: Hand, context: Context, body: object) -> Body:
        def spoil(mixed: list[Ciphertext]) -> None:
            mixed[0] = reencrypt(mixed[1], public_of(hand), 9)

        cards = hand.sides[hand.seat].hand
        return Remask(*mix(hand, context, b"remask", public_of(hand), cards, spoil))

    convicts(saying(Kind.REMASK, doubled), Rule.REMASK)


def test_remask__with_a_fourteenth_card_is_refused() -> None:
    def longer(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Remask)
        return Remask(body.deck + body.deck[:64], body.proof)

    convicts(saying(Kind.REMASK, longer), Rule.BODY)


# The opening.


def test_open__hiding_the_opening_card_is_refused() -> None:
    def hidden(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Open)
        if body.position is None:
            return None
        cards = hand.sides[hand.seat].hand
        made = play.make_no_opening(
            secret_of(hand), context, public_of(hand), hand.ground.encoding, cards, hand.cards
        )
        return Open(None, made)

    convicts(saying(Kind.OPEN, hidden), Rule.OPENING_HIDDEN)


def test_open__with_another_card_than_the_opening_card_is_refused() -> None:
    def pretended(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Open)
        if body.position is not None:
            return None
        cards = hand.sides[hand.seat].hand
        opening = hand.opening_card()
        common = (secret_of(hand), context, public_of(hand), hand.ground.encoding)
        return Open(4, play.make_play(*common, cards[4], opening, (), (), None))

    convicts(saying(Kind.OPEN, pretended), Rule.OPENING_PROOF)


def test_open__from_a_place_outside_the_hand_is_refused() -> None:
    def outside(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Open)
        return None if body.position is None else Open(13, body.proof)

    convicts(saying(Kind.OPEN, outside), Rule.POSITION)


# The play.


def test_play__that_does_not_follow_suit_is_refused_when_it_is_played() -> None:
    def revoke(hand: Hand, context: Context, body: object) -> Body:
        state, led = playing(hand)
        if led is None or state.is_first_trick or led not in suits(hand):
            return None
        return next(
            (
                play_of(hand, context, at, hand.cards[at])
                for at in held(hand)
                if suit_of(hand.cards[at]) is not led
            ),
            None,
        )

    convicts(saying(Kind.PLAY, revoke), Rule.REVOKE)


def test_play__of_a_revoke_with_an_invented_rest_of_the_hand_is_refused() -> None:
    """The prover pretends that its rest is of allowed classes, with the true sum of ranks."""

    def revoke(hand: Hand, context: Context, body: object) -> Body:
        state, led = playing(hand)
        if led is None or state.is_first_trick or led not in suits(hand):
            return None
        off = [at for at in held(hand) if suit_of(hand.cards[at]) is not led]
        if not off:
            return None
        ranks = [hand.cards[at] % 13 for at in held(hand) if at != off[0]]
        suit = suit_of(hand.cards[off[0]])
        pretended = [Card(13 * suit + rank) for rank in ranks]
        return play_of(hand, context, off[0], hand.cards[off[0]], pretended)

    convicts(saying(Kind.PLAY, revoke), Rule.REVOKE)


def test_play__of_a_heart_led_too_early_is_refused() -> None:
    def early(hand: Hand, context: Context, body: object) -> Body:
        state, led = playing(hand)
        hearts = [at for at in held(hand) if suit_of(hand.cards[at]) is Suit.HEARTS]
        if led is not None or state.broken or not hearts or len(suits(hand)) == 1:
            return None
        return play_of(hand, context, hearts[0], hand.cards[hearts[0]])

    convicts(saying(Kind.PLAY, early), Rule.HEARTS_CLOSED)


def test_play__of_a_penalty_card_on_trick_one_is_refused() -> None:
    """Played by a seat that could have followed suit."""

    def penalty(hand: Hand, context: Context, body: object) -> Body:
        at = penalty_place(hand)
        return None if at is None else play_of(hand, context, at, hand.cards[at])

    convicts(saying(Kind.PLAY, penalty), Rule.TRICK_ONE)


def test_play__of_a_penalty_card_on_trick_one_is_refused_without_a_card_of_the_suit() -> None:
    def penalty(hand: Hand, context: Context, body: object) -> Body:
        at = penalty_place(hand)
        if at is None or Suit.CLUBS in suits(hand):
            return None
        return play_of(hand, context, at, hand.cards[at])

    convicts(saying(Kind.PLAY, penalty), Rule.TRICK_ONE, seeds=range(100))


def test_play__from_a_place_played_before_is_refused() -> None:
    def again(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Play)
        opened = hand.sides[hand.seat].opened
        return Play(min(opened), body.card, body.proof) if opened else None

    convicts(saying(Kind.PLAY, again), Rule.POSITION)


def test_play__of_a_card_played_before_is_refused() -> None:
    def again(hand: Hand, context: Context, body: object) -> Body:
        opened = hand.sides[hand.seat].opened
        if not opened:
            return None
        return play_of(hand, context, held(hand)[0], opened[min(opened)])

    convicts(saying(Kind.PLAY, again), Rule.CARD)


def test_play__of_a_card_from_another_hand_is_refused() -> None:
    """A card that follows suit, so that no class proof is due, and that another seat holds."""

    def foreign(hand: Hand, context: Context, body: object) -> Body:
        state, led = playing(hand)
        if led is None:
            return None
        unseen = [Card(face) for face in range(52) if state.unseen >> face & 1]
        other = [
            card
            for card in unseen
            if suit_of(card) is led and card not in hand.cards and claim(card, state) is None
        ]
        return play_of(hand, context, held(hand)[0], other[0]) if other else None

    convicts(saying(Kind.PLAY, foreign), Rule.CARD)


def test_play__of_a_card_outside_the_pack_is_refused() -> None:
    def outside(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Play)
        return Play(body.position, parse_card("2C"), body.proof)

    convicts(saying(Kind.PLAY, outside), Rule.CARD, RuleSet(seats=3, hands=1))


@pytest.mark.parametrize(
    "other", [{"round": 1}, {"hand": 2}, {"seat": 9}, {"attempt": 2}, {"table": NOBODYS}], ids=str
)
def test_play__with_a_proof_made_for_another_place_is_refused(other: dict[str, Any]) -> None:
    def moved(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Play)
        assert hand.play is not None
        card = Card(body.card)
        if claim(card, hand.play) is not None:
            return None
        elsewhere = context_with(context, **other)
        return play_of(hand, elsewhere, body.position, card, secret=anywhere(hand))

    convicts(saying(Kind.PLAY, moved), Rule.CARD)


def test_play__without_the_class_proof_that_is_due_is_refused() -> None:
    def bare(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Play)
        assert hand.play is not None
        due = claim(Card(body.card), hand.play)
        if not play.proof_due(due, hand.sides[hand.seat].hand[: len(held(hand)) - 1]):
            return None
        return Play(body.position, body.card, body.proof[: play.CARD_PROOF_BYTES])

    convicts(saying(Kind.PLAY, bare), Rule.PROOF_FORM)


def test_play__with_a_class_proof_that_is_not_due_is_refused() -> None:
    def more(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Play)
        assert hand.play is not None
        if claim(Card(body.card), hand.play) is not None:
            return None
        return Play(body.position, body.card, body.proof + bytes(64))

    convicts(saying(Kind.PLAY, more), Rule.PROOF_FORM)


def test_play__out_of_turn_is_refused() -> None:
    def besides(table: Cheater) -> Content | None:
        current = table.history.current
        if current.kind is not Kind.PLAY or table.seat in current.speakers:
            return None
        hand = table.my_hand
        number = current.place.round
        context = Context(current.table, table.roster.rules_hash, 1, 1, number, hand.seat)
        at = held(hand)[0]
        return table.next_content(Kind.PLAY, play_of(hand, context, at, hand.cards[at]))

    convicts(Cheat(besides=besides), Rule.TURN)


def test_widow__with_wrong_shares_is_refused() -> None:
    """Two packs for six leave a widow of two cards."""

    def wrong(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Widow)
        return Widow(body.shares[32:] + body.shares[:32], body.proof)

    convicts(saying(Kind.WIDOW, wrong), Rule.SHARES, WIDOW)


# The end.


def test_reveal__of_another_secret_is_refused() -> None:
    convicts(saying(Kind.REVEAL, lambda hand, context, body: Reveal(NOBODYS, [])), Rule.SECRET)


def test_reveal__after_a_shuffle_that_the_secret_does_not_give_is_refused() -> None:
    """A valid shuffle by chosen cards instead of by the committed secret: found afterwards."""

    def chosen(hand: Hand, context: Context, body: object) -> Body:
        made = deal.make_shuffle(other_secret(hand), context, joint_of(hand), hand.decks[-1])
        return Shuffle(made[0], made[1])

    convicts(saying(Kind.SHUFFLE, chosen), Rule.RERUN)


# Whatever the round.


@pytest.mark.parametrize("kind", [Kind.KEY, Kind.SHARES, Kind.PLAY, Kind.REVEAL])
def test_speech__of_another_kind_than_the_round_takes_is_refused(kind: Kind) -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, kind="choice") if content.kind == kind else None

    convicts(Cheat(instead), Rule.KIND)


def test_speech__of_a_kind_that_does_not_exist_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, kind="claim!") if content.kind == Kind.KEY else None

    convicts(Cheat(instead), Rule.KIND)


@pytest.mark.parametrize(
    "body", [b"", b"\xc1", b"\x80", b"\x91" * 600, bytes(BODY_BYTES)], ids=lambda body: body[:4]
)
def test_speech__with_an_undecodable_body_is_refused(body: bytes) -> None:
    convicts(saying(Kind.KEY, lambda hand, context, _: body), Rule.BODY)


def test_ack__with_an_undecodable_body_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.ACK or content.hand == 0:
            return None
        return replace(content, body=b"yes")

    convicts(Cheat(instead), Rule.BODY)


@pytest.mark.parametrize("fooled", [1, 2])
def test_ack__of_nonsense_to_some_and_of_the_head_to_others_is_refused(fooled: int) -> None:
    """Everybody comes to name the contradiction, also who first saw the nonsense alone."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.ACK or content.hand == 0:
            return None
        return replace(content, body=b"yes")

    convicts(Cheat(instead, fooled=fooled), Rule.TWO_CONTENTS)


@pytest.mark.parametrize("fooled", [1, 2])
def test_play__of_two_cards_told_to_different_peers_is_refused(fooled: int) -> None:
    def second(hand: Hand, context: Context, body: object) -> Body:
        assert isinstance(body, Play)
        others = [at for at in held(hand) if suit_of(hand.cards[at]) is suit_of(Card(body.card))]
        others.remove(body.position)
        return play_of(hand, context, others[0], hand.cards[others[0]]) if others else None

    convicts(saying(Kind.PLAY, second, fooled), Rule.TWO_CONTENTS)


@pytest.mark.parametrize("fooled", [1, 2])
def test_ack__of_two_heads_told_to_different_peers_is_refused(fooled: int) -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.ACK or content.hand == 0:
            return None
        return replace(content, body=encode(Ack(NOBODYS)))

    convicts(Cheat(instead, fooled=fooled), Rule.TWO_CONTENTS)


def test_speech__of_nonsense_to_one_and_of_sense_to_others_is_refused() -> None:
    convicts(saying(Kind.SHARES, lambda hand, context, body: b"", fooled=2), Rule.TWO_CONTENTS)


def test_speech__on_another_history_than_the_certified_one_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, prev=NOBODYS) if content.kind == Kind.KEY else None

    convicts(Cheat(instead), Rule.PREVIOUS)


def test_sequence__used_twice_by_its_author_is_refused() -> None:
    """The cheater goes back, as a restored backup would, and signs its last number once more."""

    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.SHARES:
            return None
        before = table.history.numbered(content.author, content.sequence - 1)
        assert before is not None
        twin = before.content
        return replace(content, sequence=twin.sequence, last=twin.last)

    convicts(Cheat(instead), Rule.CHAIN)


def test_sequence__that_does_not_fit_the_message_before_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != Kind.SHARES:
            return None
        return replace(content, sequence=content.sequence - 1)

    convicts(Cheat(instead), Rule.CHAIN)


def leaving_numbers_out(kind: Kind) -> Cheat:
    def instead(table: Cheater, content: Content) -> Content | None:
        if content.kind != kind or (kind is not Kind.SIT and content.hand == 0):
            return None
        return replace(content, sequence=content.sequence + 2, last=NOBODYS)

    return Cheat(instead)


def test_sequence__that_leaves_numbers_out_in_the_draw_is_refused() -> None:
    """Else every honest log would lack messages that never were, and none could be clean."""
    convicts(leaving_numbers_out(Kind.SIT), Rule.CHAIN)


def test_sequence__of_a_nonce_that_follows_the_ack_of_its_own_round_is_refused() -> None:
    """In hand 0 the number is that of the place, whatever it follows: so an audit says, too."""
    sim, liar = Sim(ONE_HAND, seed="nonce after ack"), 2
    identity, said = sim.identities[liar], held_back(sim, 1, liar)
    ack = replace(said, kind=Kind.ACK, sequence=said.sequence + 1, body=encode(Ack(NOBODYS)))
    before = seal(identity, ack)
    late = seal(identity, replace(said, sequence=said.sequence + 2, last=before.hash))
    table = sim.tables[0]
    table.receive(liar, encode(Frame(sim.roster.hash, [before.data, late.data], None)))
    assert table.fault is not None
    assert (table.fault.rule, table.fault.seat) == (Rule.CHAIN, liar)
    assert liar not in table.history.rounds[1].speeches


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.ACK])
def test_sequence__that_leaves_numbers_out_in_a_hand_is_not_taken(kind: Kind) -> None:
    """A vote may be on its way that explains the number: it is waited for, and proves nothing.

    Here the cheater's own program does not take it either, and says it anew as it should.
    """
    cheat = leaving_numbers_out(kind)
    sim = Sim(ONE_HAND, seed="numbers", seating=cheat.seat_down)
    sim.run(lambda: all(table.over for table in sim.tables))
    assert cheat.place is not None
    assert all(table.fault is None for table in sim.tables)


def test_sequence__that_hides_the_message_before_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, last=NOBODYS) if content.kind == Kind.SHARES else None

    convicts(Cheat(instead), Rule.CHAIN)


def test_sequence__that_begins_with_something_before_it_is_refused() -> None:
    def instead(table: Cheater, content: Content) -> Content | None:
        return replace(content, last=NOBODYS) if content.kind == Kind.SIT else None

    convicts(Cheat(instead), Rule.CHAIN)
