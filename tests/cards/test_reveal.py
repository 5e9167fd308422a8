from __future__ import annotations

import pytest

from p2p_hearts.cards import deal, keys, passing, play
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.cards.secret import HandSecret
from tests.cards.hands import (
    OPEN_ROUND,
    PASS_ROUND,
    PLAY_ROUND,
    REMASK_ROUND,
    SHARES_ROUND,
    SHUFFLE_ROUND,
    TABLE,
    DealtHand,
    context_of,
    deal_hand,
    passed_hand,
    playout,
    positions_to_share,
    secret_of,
)

SECRET = secret_of(2)
K = SECRET.commitment()


def test_reveal__the_committed_secret_is_accepted() -> None:
    assert check_commitment(TABLE, 1, 0, 2, K, SECRET.z) is None


@pytest.mark.parametrize(
    "place", [(bytes(32), 1, 0, 2), (TABLE, 2, 0, 2), (TABLE, 1, 1, 2), (TABLE, 1, 0, 1)]
)
def test_reveal__at_another_place_is_refused(place: tuple[bytes, int, int, int]) -> None:
    assert check_commitment(*place, K, SECRET.z) is Flaw.REVEAL_COMMITMENT


def test_reveal__another_secret_is_refused() -> None:
    for position in range(32):
        z = bytearray(SECRET.z)
        z[position] ^= 1
        assert check_commitment(TABLE, 1, 0, 2, K, bytes(z)) is Flaw.REVEAL_COMMITMENT


@pytest.mark.parametrize("z", [b"", SECRET.z[:31], SECRET.z + b"\0", SECRET.z * 4])
def test_reveal__a_secret_of_another_length_is_refused(z: bytes) -> None:
    assert check_commitment(TABLE, 1, 0, 2, K, z) is Flaw.REVEAL_COMMITMENT


def test_reveal__another_commitment_is_refused() -> None:
    for other in (b"", K[:31], K + b"\0", bytes(32)):
        assert check_commitment(TABLE, 1, 0, 2, other, SECRET.z) is Flaw.REVEAL_COMMITMENT


def _everything_a_seat_sends(dealt: DealtHand, secret: HandSecret) -> list[bytes]:
    """Every secret step of one seat through a hand, re-run from its secret."""
    seat = secret.seat
    public = dealt.publics[seat]
    turn = (seat - dealt.dealer) % dealt.rules.seats
    sent = list(keys.make_key(secret, context_of(seat)))
    shuffle = dealt.context(seat, SHUFFLE_ROUND + turn)
    sent += deal.make_shuffle(secret, shuffle, dealt.joint, dealt.decks[turn])[:2]
    positions = positions_to_share(dealt.rules, dealt.deal, seat)
    sent += deal.make_shares(secret, dealt.context(seat, SHARES_ROUND), dealt.deck, positions)
    going = (0, 5, 12)
    hand = dealt.hands[seat]
    sources = passing.selected(hand, going)
    to = dealt.publics[(seat + 1) % 4]
    sent += passing.make_pass(secret, dealt.context(seat, PASS_ROUND), going, sources, to)
    remask = dealt.context(seat, REMASK_ROUND)
    sent += passing.make_remask(secret, remask, public, hand)[:2]
    after = passed_hand(dealt)
    sent.append(
        play.make_no_opening(
            secret,
            dealt.context(seat, OPEN_ROUND),
            public,
            dealt.encoding,
            after.hands[seat],
            after.cards[seat],
        )
    )
    for number, turn_ in enumerate(playout(after)):
        if turn_.seat == seat:
            sent.append(
                play.make_play(
                    secret,
                    dealt.context(seat, PLAY_ROUND + number),
                    public,
                    dealt.encoding,
                    turn_.ciphertext,
                    turn_.card,
                    turn_.remaining,
                    turn_.remaining_cards,
                    turn_.claim,
                )
            )
    return sent


def test_rerun__the_same_secret_makes_the_same_bytes_in_every_step() -> None:
    dealt = deal_hand()
    seat = 1
    first = _everything_a_seat_sends(dealt, dealt.secrets[seat])
    revealed = HandSecret(bytes(dealt.secrets[seat].z), TABLE, dealt.hand, dealt.attempt, seat)
    assert _everything_a_seat_sends(dealt, revealed) == first
    assert len(first) == 3 + 2 + 2 + 2 + 2 + 1 + 13


def test_rerun__another_secret_makes_other_bytes_in_every_step() -> None:
    dealt = deal_hand()
    first = _everything_a_seat_sends(dealt, dealt.secrets[1])
    other = _everything_a_seat_sends(dealt, secret_of(1, "other"))
    assert all(mine != theirs for mine, theirs in zip(first, other, strict=True))


def test_rerun__a_whole_deal_repeats_byte_for_byte() -> None:
    once = deal_hand(verified=False)
    again = deal_hand.__wrapped__(verified=False)
    assert once is not again
    assert once.decks == again.decks
    assert once.hands == again.hands
    assert once.shares == again.shares
