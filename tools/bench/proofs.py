"""Prove and verify, beside the multiplications they need."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from p2p_hearts.cards import play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto import shuffle
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, encrypt, reencrypt
from p2p_hearts.crypto.group import BASE, Element, base_mul
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.node.processes import cores
from p2p_hearts.rules.cards import ALL_CLASSES, ClassSet, Suit, suit_of
from p2p_hearts.rules.options import RuleSet
from tools.bench import costs
from tools.bench.costs import Cost
from tools.bench.primitives import Floor, best, measure

CONTEXT = Context(bytes(32), bytes(32), 1, 1, 1, 0)
SECRET = HandSecret(b"bench".ljust(32), bytes(32), 1, 1, 0)
"""No secret: the same bytes in every run, for figures that can be compared."""


def run(floor: Floor) -> None:
    """Print the rows of the shuffle proof, a card opening and the class proof."""
    print("floor: the number of multiplications, each at the cost of one of any element")
    print("                           ms     / floor   / exact, with additions     bytes")
    key = base_mul(SECRET.x())
    for size in (13, 52, 104):
        # The machine's speed changes: the floor is measured again beside each row.
        _shuffle_rows(measure(), key, size)
    _play_rows(floor, key)


def _shuffle_rows(floor: Floor, key: Element, size: int) -> None:
    encoding = Encoding(RuleSet())
    pack = encoding.rules.pack
    deck: Deck = tuple(
        Ciphertext(BASE, encoding.point(pack[number % 52]) + key) for number in range(size)
    )
    permutation = tuple(reversed(range(size)))
    factors = SECRET.scalars(size, 1, b"bench", b"")
    transcript = Transcript(CONTEXT, b"bench")
    nonces = SECRET.nonce_source(1, b"bench")

    def mix() -> Deck:
        return tuple(
            reencrypt(deck[source], key, factor)
            for source, factor in zip(permutation, factors, strict=True)
        )

    out = mix()

    def prove() -> bytes:
        return shuffle.prove_shuffle(transcript, key, deck, out, permutation, factors, nonces)

    proof = prove()
    if shuffle.verify_shuffle(transcript, key, deck, out, proof) is not None:
        raise RuntimeError("the proof that is measured does not hold")
    rounds = 5 if size < 100 else 3
    _row(f"shuffle {size}", best(mix, rounds=rounds), floor, Cost(size, size, 2 * size), 0)
    proving = best(prove, rounds=rounds)
    _row(f"prove {size}", proving, floor, costs.prove_shuffle(size), len(proof))

    def verify() -> object:
        return shuffle.verify_shuffle(transcript, key, deck, out, proof)

    checking = best(verify, rounds=rounds)
    _row(f"verify {size}", checking, floor, costs.verify_shuffle(size), 0)
    many = cores()
    with ThreadPoolExecutor(many) as pool:

        def verify_all() -> None:
            for future in [pool.submit(verify) for _ in range(many)]:
                future.result()

        share = best(verify_all, rounds=rounds) / (many * best(verify, rounds=rounds))
    print(f"{many} of these in {many} threads: {share:.2f} of the time one after the other")


def _play_rows(floor: Floor, key: Element) -> None:
    rules = RuleSet()
    encoding = Encoding(rules)
    cards = [card for card in rules.pack if suit_of(card) is not Suit.CLUBS][:13]
    hand = tuple(encrypt(encoding.point(card), key, 7 + card) for card in cards)
    claim = ClassSet(ALL_CLASSES & ~0b11)
    for name, due, classes in (("card opening", None, 0), ("with class proof", claim, 4)):
        arguments = (CONTEXT, key, encoding, hand[0], cards[0], hand[1:])
        proof = play.make_play(SECRET, *arguments, cards[1:], due)
        making = best(lambda: play.make_play(SECRET, *arguments, cards[1:], due), 20)  # noqa: B023
        checking = best(lambda: play.check_play(*arguments, due, proof), 20)  # noqa: B023
        extra = 2 + classes if due else 0
        sums = 2 * (len(hand) - 2) if due else 0
        prove = Cost(base=1, variable=1 + extra, additions=1 + sums + max(extra - 1, 0))
        check = Cost(base=1, variable=3 + extra + bool(due), additions=3 + sums + extra)
        _row(f"prove {name}", making, floor, prove, len(proof))
        _row(f"verify {name}", checking, floor, check, 0)


def _row(name: str, seconds: float, floor: Floor, cost: Cost, size: int) -> None:
    plain, exact = (cost.base + cost.variable) * floor.variable, floor.all(cost)
    print(
        f"{name:24} {seconds * 1e3:6.2f} {seconds / plain:9.2f} {seconds / exact:15.2f} "
        f"{size or '':>18}"
    )
