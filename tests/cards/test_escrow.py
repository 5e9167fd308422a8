"""Escrow: a key split and sealed, seals opened and complained of, a hand opened by others."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from p2p_hearts.cards import deal, escrow, keys
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.escrow import Escrow
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey, make_table_key
from p2p_hearts.crypto.elgamal import Deck
from p2p_hearts.crypto.group import (
    ORDER,
    Element,
    base_mul,
    decode_element,
    decode_scalar,
    encode_scalar,
    sum_elements,
)
from p2p_hearts.rules.cards import Card, parse_card
from tests.cards.hands import FOUR, context_of, hand_of, ok, secret_of

INSTANCE = bytes(32)
OWNER = 2
OTHERS = (0, 1, 3)
ROUND = 9
HERE = context_of(OWNER, ROUND)
ENCODING = Encoding(FOUR)
CARDS: tuple[Card, ...] = tuple(parse_card(text) for text in ("5C", "QS", "9D", "2H", "AD"))


def table_key(seat: int) -> TableKey:
    return TableKey(hashlib.sha256(f"table key {seat}".encode()).digest(), INSTANCE)


KEYS = {seat: base_mul(table_key(seat).scalar()) for seat in OTHERS}
SECRET = secret_of(OWNER)
PUBLIC = keys.public_key(SECRET)
HAND = hand_of(SECRET, ENCODING, CARDS)


def made() -> tuple[bytes, bytes]:
    return escrow.make_escrow(SECRET, HERE, KEYS)


def checked() -> Escrow:
    return ok(escrow.check_escrow(HERE, PUBLIC, KEYS, *made()))


def share_of(seat: int, held: Escrow | None = None) -> int:
    share = escrow.open_seal(table_key(seat), held or checked(), seat)
    assert share is not None
    return share


def seal_at(seals: bytes, at: int) -> slice:
    return slice(at * escrow.SEAL_BYTES, (at + 1) * escrow.SEAL_BYTES)


def wrongly_sealed(seat: int) -> Escrow:
    """An escrow whose proofs all hold and whose seal for one seat opens to another share."""
    wrong = escrow._mask  # the owner masks with something else: what a liar's program does

    def mask(context: object, to: int, *rest: Element) -> int:
        value = wrong(context, to, *rest)  # type: ignore[arg-type]
        return (value + 1) % ORDER if to == seat else value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(escrow, "_mask", mask)
        publics, seals = made()
    return ok(escrow.check_escrow(HERE, PUBLIC, KEYS, publics, seals))


def test_table_key__is_the_one_that_the_hello_shows() -> None:
    key = table_key(0)
    public, _ = make_table_key(key.secret, INSTANCE, bytes(32), bytes(40))
    assert base_mul(key.scalar()).data == public
    assert key.secret.hex() not in repr(key)


def test_escrow__splits_the_key_into_shares_that_only_their_recipients_read() -> None:
    held = checked()
    shares = {seat: share_of(seat, held) for seat in OTHERS}
    assert sum(shares.values()) % ORDER == SECRET.x()
    assert {seat: base_mul(share) for seat, share in shares.items()} == held.publics
    for seat in OTHERS:
        for other in OTHERS:
            if other != seat:
                assert escrow.open_seal(table_key(other), held, seat) is None


def test_escrow__all_others_together_hold_the_key_and_no_fewer_do() -> None:
    held = checked()
    shares = [share_of(seat, held) for seat in OTHERS]
    opens = {
        some
        for count in range(1, len(shares) + 1)
        for some in combinations(shares, count)
        if base_mul(sum(some) % ORDER) == PUBLIC
    }
    assert opens == {tuple(shares)}


def test_escrow__is_made_again_byte_for_byte_from_the_hand_secret() -> None:
    assert made() == made()


def test_escrow__of_another_round_or_for_others_splits_the_key_anew() -> None:
    again = escrow.make_escrow(SECRET, replace(HERE, round=ROUND + 1), KEYS)
    fewer = escrow.make_escrow(SECRET, HERE, {seat: KEYS[seat] for seat in (0, 1)})
    first = made()
    assert {again[0][at : at + 32] for at in (0, 32, 64)}.isdisjoint(
        {first[0][at : at + 32] for at in (0, 32, 64)}
    )
    assert first[0][:32] != fewer[0][:32]


def test_escrow__says_no_share_in_clear() -> None:
    """Nobody ever publishes y: not the owner, nor a recipient that opens with it."""
    said = b"".join(made())
    said += b"".join(escrow.make_opening(secret_of(0), context_of(0, 30), OWNER, share_of(0), HAND))
    for seat in OTHERS:
        assert encode_scalar(share_of(seat)) not in said
    assert encode_scalar(SECRET.x()) not in said


def test_escrow__whose_shares_do_not_add_up_to_the_key_is_refused() -> None:
    publics, seals = made()
    other = keys.public_key(secret_of(3))
    assert escrow.check_escrow(HERE, other, KEYS, publics, seals) is Flaw.ESCROW_SUM
    swapped = publics[32:64] + publics[32:]
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, swapped, seals) is Flaw.ESCROW_SUM


@pytest.mark.parametrize("change", [-1, 1, -128, 128])
def test_escrow__of_another_length_is_malformed(change: int) -> None:
    publics, seals = made()
    longer = seals + bytes(change) if change > 0 else seals[:change]
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, publics, longer) is Flaw.MALFORMED
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, publics + bytes(32), seals) is Flaw.MALFORMED
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, publics[:-32], seals) is Flaw.MALFORMED


def test_escrow__with_a_scalar_above_the_order_is_malformed() -> None:
    publics, seals = made()
    large = seals[:32] + (decode_scalar(seals[32:64]) + ORDER).to_bytes(32, "little") + seals[64:]
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, publics, large) is Flaw.MALFORMED


@pytest.mark.parametrize("at", range(len(OTHERS)))
@pytest.mark.parametrize("byte", [32, 64, 96])
def test_escrow__with_a_changed_seal_has_no_proof(at: int, byte: int) -> None:
    publics, seals = made()
    start = at * escrow.SEAL_BYTES + byte
    value = (decode_scalar(seals[start : start + 32]) + 1) % ORDER
    changed = seals[:start] + encode_scalar(value) + seals[start + 32 :]
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, publics, changed) is Flaw.SEAL_PROOF


def test_escrow__never_answers_a_seal_taken_from_somebody_else() -> None:
    """A seal copied into an own escrow would be answered, on complaint, with what opens it.

    Its proof names the owner and the recipient, so the escrow is refused, and without an
    ``Escrow`` there is nothing that could be opened or complained of.
    """
    publics, seals = made()
    thief = secret_of(3)
    here = context_of(3, ROUND)
    recipients = {seat: base_mul(table_key(seat).scalar()) for seat in (0, 1, 2)}
    own_publics, own_seals = escrow.make_escrow(thief, here, recipients)
    stolen = seals[seal_at(seals, 0)] + own_seals[escrow.SEAL_BYTES :]
    public = keys.public_key(thief)
    verdict = escrow.check_escrow(here, public, recipients, own_publics, stolen)
    assert verdict is Flaw.SEAL_PROOF
    swapped = seals[seal_at(seals, 1)] + seals[seal_at(seals, 0)] + seals[seal_at(seals, 2)]
    assert escrow.check_escrow(HERE, PUBLIC, KEYS, publics, swapped) is Flaw.SEAL_PROOF


@pytest.mark.parametrize("field", ["hand", "attempt", "round", "table", "rules", "seat"])
def test_escrow__holds_in_one_place_only(field: str) -> None:
    value: object = bytes(31) + b"\1" if field in ("table", "rules") else 77
    elsewhere = replace(HERE, **{field: value})  # type: ignore[arg-type]
    assert escrow.check_escrow(elsewhere, PUBLIC, KEYS, *made()) is Flaw.SEAL_PROOF


def test_escrow__without_recipients_or_to_oneself_is_a_bug_of_ours() -> None:
    with pytest.raises(ValueError, match="among the other seats"):
        escrow.make_escrow(SECRET, HERE, {})
    with pytest.raises(ValueError, match="among the other seats"):
        escrow.make_escrow(SECRET, HERE, {**KEYS, OWNER: KEYS[0]})
    with pytest.raises(ValueError, match="among the other seats"):
        escrow.check_escrow(HERE, PUBLIC, {OWNER: PUBLIC}, b"", b"")


def test_complaint__of_a_wrong_seal_convicts_its_owner() -> None:
    held = wrongly_sealed(1)
    assert escrow.open_seal(table_key(1), held, 1) is None
    assert escrow.open_seal(table_key(0), held, 0) is not None
    here = context_of(1, ROUND + 1)
    complaint = escrow.make_complaint(table_key(1), here, held)
    assert escrow.check_complaint(here, held, *complaint) is None


def test_complaint__of_a_good_seal_is_false_and_convicts_who_complains() -> None:
    held, here = checked(), context_of(1, ROUND + 1)
    complaint = escrow.make_complaint(table_key(1), here, held)
    assert escrow.check_complaint(here, held, *complaint) is Flaw.COMPLAINT_FALSE


def test_complaint__with_another_point_than_the_table_key_gives_is_not_proven() -> None:
    held, here = wrongly_sealed(1), context_of(1, ROUND + 1)
    point, proof = escrow.make_complaint(table_key(1), here, held)
    other = (decode_element(point) + base_mul(1)).data
    assert escrow.check_complaint(here, held, other, proof) is Flaw.COMPLAINT_PROOF
    stranger = escrow.make_complaint(table_key(0), here, held)
    assert escrow.check_complaint(here, held, *stranger) is Flaw.COMPLAINT_PROOF
    assert escrow.check_complaint(here, held, bytes(32), proof) is Flaw.MALFORMED
    later = replace(here, round=ROUND + 2)
    assert escrow.check_complaint(later, held, point, proof) is Flaw.COMPLAINT_PROOF


def test_complaint__of_who_holds_no_seal_is_malformed() -> None:
    held, here = wrongly_sealed(1), context_of(1, ROUND + 1)
    complaint = escrow.make_complaint(table_key(1), here, held)
    assert escrow.check_complaint(context_of(OWNER, 10), held, *complaint) is Flaw.MALFORMED


def test_complaint__takes_its_nonce_from_no_secret_that_is_shown_after_the_hand() -> None:
    """The hand secret is not even an argument; the nonce changes with the table key's secret."""
    key = table_key(1)
    nonce = key.nonce_source(b"complaint")
    assert nonce(bytes(64), 0) != table_key(0).nonce_source(b"complaint")(bytes(64), 0)
    assert nonce(bytes(64), 0) != nonce(b"\1" + bytes(63), 0)


def openings(cards: Deck) -> Sequence[tuple[Element, ...]]:
    held, found = checked(), []
    for seat in OTHERS:
        here = context_of(seat, 30)
        said = escrow.make_opening(secret_of(seat), here, OWNER, share_of(seat), cards)
        found.append(ok(escrow.check_opening(here, OWNER, held.publics[seat], cards, *said)))
    return found


def test_opening__by_all_recipients_shows_the_cards() -> None:
    points = openings(HAND)
    read = [
        deal.read_open(ENCODING, card, [each[at] for each in points])
        for at, card in enumerate(HAND)
    ]
    assert tuple(read) == CARDS


def test_opening__by_all_but_one_shows_nothing() -> None:
    points = openings(HAND)[:-1]
    for at, card in enumerate(HAND):
        assert deal.read_open(ENCODING, card, [each[at] for each in points]) is None


def test_opening__of_cards_that_are_played_or_not_current_is_refused() -> None:
    """Which cards lie open is the verifier's own knowledge; a message names none."""
    held, here, share = checked(), context_of(0, 30), share_of(0)
    unplayed, public = HAND[1:], held.publics[0]
    before = hand_of(HandSecret(b"\7" * 32, *_place()), ENCODING, CARDS)

    def judge(said: Deck) -> object:
        made = escrow.make_opening(secret_of(0), here, OWNER, share, said)
        return escrow.check_opening(here, OWNER, public, unplayed, *made)

    assert judge(HAND) is Flaw.MALFORMED, "one more, which was played"
    assert judge(HAND[:-1]) is Flaw.OPENING_PROOF, "the played one instead of another"
    assert judge(before[1:]) is Flaw.OPENING_PROOF, "the cards from before the re-mask"
    assert judge(tuple(reversed(unplayed))) is Flaw.OPENING_PROOF
    assert not isinstance(judge(unplayed), Flaw)


def _place() -> tuple[bytes, int, int, int]:
    return SECRET.table, SECRET.hand, SECRET.attempt, SECRET.seat


def test_opening__with_another_share_or_for_another_owner_or_place_is_refused() -> None:
    held, here = checked(), context_of(0, 30)
    public = held.publics[0]
    wrong = escrow.make_opening(secret_of(0), here, OWNER, share_of(1), HAND)
    assert escrow.check_opening(here, OWNER, public, HAND, *wrong) is Flaw.OPENING_PROOF
    points, proof = escrow.make_opening(secret_of(0), here, OWNER, share_of(0), HAND)
    assert escrow.check_opening(here, 3, public, HAND, points, proof) is Flaw.OPENING_PROOF
    later = replace(here, round=31)
    assert escrow.check_opening(later, OWNER, public, HAND, points, proof) is Flaw.OPENING_PROOF
    changed = points[32:64] + points[32:]
    assert escrow.check_opening(here, OWNER, public, HAND, changed, proof) is Flaw.OPENING_PROOF
    assert sum_elements(held.publics.values()) == PUBLIC
