from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import permutations

import pytest

from p2p_hearts.cards import claim, deal, escrow, keys, passing, play
from p2p_hearts.cards import secret as secret_module
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.secret import HandSecret, hash_inputs
from p2p_hearts.crypto.elgamal import Ciphertext
from p2p_hearts.crypto.group import BASE, ORDER
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.options import RuleSet
from tests.cards.hands import context_of, secret_of

SECRET = secret_of(2)
PACK = Encoding(RuleSet())
CARD = next(iter(PACK.points))
NOTHING = Ciphertext(BASE, BASE)
OTHERS = {
    "z": replace(SECRET, z=hashlib.sha256(b"another").digest()),
    "table": replace(SECRET, table=bytes(32)),
    "hand": replace(SECRET, hand=2),
    "attempt": replace(SECRET, attempt=1),
    "seat": replace(SECRET, seat=3),
}


def test_secret__has_exactly_32_bytes() -> None:
    for size in (0, 31, 33):
        with pytest.raises(ValueError, match="32 bytes"):
            replace(SECRET, z=bytes(size))


def test_secret__does_not_show_z() -> None:
    assert "z=" not in repr(SECRET)
    assert SECRET.z.hex() not in repr(SECRET)
    assert repr(SECRET.z) not in repr(SECRET)


@pytest.mark.parametrize("field", OTHERS)
def test_secret__every_value_binds_every_field(field: str) -> None:
    assert set(OTHERS) == {item.name for item in fields(HandSecret)}
    other = OTHERS[field]
    depends = hash_inputs(b"input")
    assert other.commitment() != SECRET.commitment()
    assert other.x() != SECRET.x()
    assert other.scalars(1, 5, b"l", depends) != SECRET.scalars(1, 5, b"l", depends)
    assert other.permutation(52, 5, b"l", depends) != SECRET.permutation(52, 5, b"l", depends)
    assert other.nonce_source(5, b"l")(b"d", 0) != SECRET.nonce_source(5, b"l")(b"d", 0)


def test_secret__every_value_binds_round_label_index_and_inputs() -> None:
    depends = hash_inputs(b"input")
    scalars = [
        *SECRET.scalars(3, 5, b"l", depends),
        *SECRET.scalars(3, 6, b"l", depends),
        *SECRET.scalars(3, 5, b"k", depends),
        *SECRET.scalars(3, 5, b"l", hash_inputs(b"other input")),
    ]
    assert len(set(scalars)) == len(scalars)
    orders = {
        SECRET.permutation(52, 5, b"l", depends),
        SECRET.permutation(52, 6, b"l", depends),
        SECRET.permutation(52, 5, b"k", depends),
        SECRET.permutation(52, 5, b"l", hash_inputs(b"other input")),
    }
    assert len(orders) == 4
    nonces = {
        SECRET.nonce_source(round_, label)(digest, index)
        for round_ in (5, 6)
        for label in (b"l", b"k")
        for digest in (b"d", b"e")
        for index in (0, 1)
    }
    assert len(nonces) == 16


def test_secret__x_depends_on_the_secret_and_its_place_alone() -> None:
    assert SECRET.x() == replace(SECRET).x()
    assert 0 < SECRET.x() < ORDER


def test_secret__same_inputs_give_same_values() -> None:
    twin = secret_of(2)
    depends = hash_inputs(b"input")
    assert twin.commitment() == SECRET.commitment()
    assert twin.permutation(104, 5, b"l", depends) == SECRET.permutation(104, 5, b"l", depends)
    assert twin.scalars(9, 5, b"l", depends) == SECRET.scalars(9, 5, b"l", depends)
    # A longer list goes on where a shorter one ends: the index is what is bound.
    assert twin.scalars(9, 5, b"l", depends)[:4] == SECRET.scalars(4, 5, b"l", depends)


def test_secret__inputs_are_framed() -> None:
    assert hash_inputs(b"ab", b"c") != hash_inputs(b"a", b"bc")
    assert hash_inputs(b"abc") != hash_inputs(b"abc", b"")


@pytest.mark.parametrize("field", ["table", "hand", "attempt", "seat"])
def test_secret__serves_no_other_place(field: str) -> None:
    context = context_of(2, 7)
    SECRET.require(context)
    with pytest.raises(ValueError, match="one seat in one attempt at one hand"):
        OTHERS[field].require(context)


@pytest.mark.parametrize(
    "make",
    [
        lambda at: keys.make_key(SECRET, at),
        lambda at: deal.make_shuffle(SECRET, at, BASE, ()),
        lambda at: deal.make_shares(SECRET, at, (), ()),
        lambda at: passing.make_pass(SECRET, at, (), (), BASE),
        lambda at: passing.make_remask(SECRET, at, BASE, ()),
        lambda at: play.make_play(SECRET, at, BASE, PACK, NOTHING, CARD, (), (), None),
        lambda at: play.make_no_opening(SECRET, at, BASE, PACK, (), ()),
        lambda at: claim.make_claim(SECRET, at, BASE, PACK, (), ()),
        lambda at: escrow.make_escrow(SECRET, at, {3: BASE}),
        lambda at: escrow.make_opening(SECRET, at, 1, 1, ()),
    ],
)
def test_secret__makes_nothing_for_another_place(make: Callable[[Context], object]) -> None:
    at = context_of(2, 7)
    for other in (replace(at, hand=2), replace(at, seat=3), replace(at, attempt=1)):
        with pytest.raises(ValueError, match="one seat in one attempt at one hand"):
            make(other)


def _chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


def test_permutation__every_order_of_four_is_equally_likely() -> None:
    draws = 6000
    seen = Counter(
        SECRET.permutation(4, 1, b"l", index.to_bytes(4, "big")) for index in range(draws)
    )
    orders = list(permutations(range(4)))
    assert set(seen) == set(orders)
    # 23 degrees of freedom: above 55 once in 5,000 times for a uniform source.
    assert _chi_square([seen[order] for order in orders], draws / 24) < 55


def test_permutation__every_card_comes_to_every_place_equally_often_over_many_secrets() -> None:
    draws = 4000
    seen: Counter[tuple[int, int]] = Counter()
    for index in range(draws):
        z = hashlib.sha256(index.to_bytes(4, "big")).digest()
        order = replace(SECRET, z=z).permutation(13, 1, b"l", b"")
        assert sorted(order) == list(range(13))
        seen.update(enumerate(order))
    counts = [seen[place, card] for place in range(13) for card in range(13)]
    # 144 degrees of freedom: mean 144, standard deviation 17.
    assert _chi_square(counts, draws / 13) < 144 + 4.5 * 17


def test_permutation__drops_words_that_would_favour_low_indices() -> None:
    top = 2**32
    assert secret_module._below(3, iter([top - 1, 7])) == 7 % 3
    assert secret_module._below(3, iter([top - 2, 7])) == (top - 2) % 3
    assert secret_module._below(2**31 + 1, iter([2**31 + 1, 5])) == 5


def test_permutation__of_none_and_of_one() -> None:
    assert SECRET.permutation(0, 1, b"l", b"") == ()
    assert SECRET.permutation(1, 1, b"l", b"") == (0,)
