"""Vectors of sections 3 to 5: every card proof on a few cards, and the rules of play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.play import NOT_OPENING
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, encode_deck, encrypt, reencrypt
from p2p_hearts.crypto.group import BASE, ORDER, Element, base_mul, sum_elements
from p2p_hearts.crypto.shuffle import prove_shuffle
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import Transcript
from p2p_hearts.rules.cards import ALL_CLASSES, Card, CardClass, card_set, cards_in, parse_card
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.play import claim, playable, start_play
from tools.vectors.basics import TABLE, context, elsewhere, options, point, scalar
from tools.vectors.operations import OPERATIONS
from tools.vectors.reading import context_in
from tools.vectors.values import In, Plain, VectorFile, flipped, secret, written

FOUR: Final = RuleSet()
SHUFFLE_CARDS: Final = ("2C", "QS", "AH")
HAND: Final = ("2C", "9D", "QS", "3H")
SEAT: Final = 1
"""Whose proofs these are."""


def z_of(seat: int) -> bytes:
    """Return the test secret of a seat."""
    return secret(f"z of seat {seat}")


def hand_secret(seat: int) -> HandSecret:
    """Return the hand secret of a seat, for hand 1."""
    return HandSecret(z_of(seat), TABLE, 1, 1, seat)


def public_of(seat: int) -> Element:
    """Return a seat's key share."""
    return base_mul(hand_secret(seat).x())


JOINT: Final = sum_elements(public_of(seat) for seat in range(4))


def cards_of(names: Sequence[str]) -> list[Card]:
    """Return cards by their names."""
    return [parse_card(name) for name in names]


def under(key: Element, names: Sequence[str], rules: RuleSet = FOUR) -> Deck:
    """Return cards encrypted under a key, with test factors."""
    encoding = Encoding(rules)
    return tuple(
        encrypt(encoding.point(card), key, int.from_bytes(scalar(f"factor {at}"), "little"))
        for at, card in enumerate(cards_of(names))
    )


def _result(file: VectorFile, field: str) -> bytes:
    """Return a field of the result of the entry added last."""
    return file.result(str(file.accepted[-1]["name"])).data(field)


def _spoil_proof(file: VectorFile, twin: str, check: str, flaw: str, proof: bytes) -> None:
    """Reject every scalar of a short proof, changed alone, and other lengths."""
    for at in range(0, len(proof), 32):
        what = "challenge" if at == 0 else f"response {at // 32 - 1}"
        file.reject(twin, check, flaw, f"another {what}", proof=flipped(proof, at))


def _spoil_place(file: VectorFile, twin: str, check: str, flaw: str, seat: int, at: int) -> None:
    for field, place in elsewhere(seat, at):
        file.reject(twin, check, flaw, f"another {field} in the context", context=place)


def deal_file() -> VectorFile:
    """Keys, the first deck, shares."""
    file = VectorFile("Sections 4, 4.1 and 4.3: keys, the first deck, shares", OPERATIONS)
    place = context(SEAT, 0)
    file.accept("key, made", "make key", z=z_of(SEAT), context=place)
    made = file.result("key, made")
    commitment, public, proof = made.data("commitment"), made.data("public"), made.data("proof")
    file.accept(
        "key", "check key", context=place, commitment=commitment, public=public, proof=proof
    )
    file.reject("key", "V9", "malformed", "K a byte short", commitment=commitment[:-1])
    file.reject("key", "V9", "malformed", "X is the identity", public=bytes(32))
    file.reject("key", "V9", "malformed", "X a byte long", public=public + b"\0")
    file.reject("key", "V10", "key-proof", "another K", commitment=flipped(commitment))
    file.reject("key", "V10", "key-proof", "another X", public=public_of(2).data)
    file.reject("key", "V10", "key-proof", "no proof", proof=b"")
    file.reject("key", "V10", "key-proof", "a longer proof", proof=proof + bytes(32))
    _spoil_proof(file, "key", "V10", "key-proof", proof)
    _spoil_place(file, "key", "V10", "key-proof", SEAT, 0)

    publics = [public_of(seat).data for seat in range(4)]
    file.accept("joint key", "joint key", publics=publics)
    cancelling = [publics[0], (-public_of(0)).data]
    file.reject("joint key", "V11", "joint-key", "two shares cancel", publics=cancelling)
    for name, rules in (("three", RuleSet(seats=3)), ("six, two packs", PRESETS["cancellation"])):
        title = f"first deck of {name} seats"
        file.accept(title, "first deck", rule_set=options(rules), joint=JOINT.data)

    deck = under(JOINT, SHUFFLE_CARDS)
    place, positions = context(SEAT, 5), [0, 2]
    common: dict[str, Plain] = {"context": place, "deck": encode_deck(deck), "positions": positions}
    file.accept("shares, made", "make shares", z=z_of(SEAT), **common)
    made = file.result("shares, made")
    shares, proof = made.data("shares"), made.data("proof")
    file.accept("shares", "check shares", public=public, shares=shares, proof=proof, **common)
    check, flaw = "V19", "malformed"
    file.reject("shares", check, flaw, "one share", shares=shares[:32])
    file.reject("shares", check, flaw, "three shares", shares=shares + shares[:32])
    file.reject("shares", check, flaw, "a share is the identity", shares=bytes(32) + shares[32:])
    check, flaw = "V20", "share-proof"
    file.reject("shares", check, flaw, "two shares exchanged", shares=shares[32:] + shares[:32])
    file.reject("shares", check, flaw, "another share", shares=point("share") + shares[32:])
    file.reject("shares", check, flaw, "other positions", positions=[0, 1])
    file.reject("shares", check, flaw, "another seat's key", public=public_of(2).data)
    file.reject("shares", check, flaw, "another deck", deck=encode_deck(deck[::-1]))
    _spoil_proof(file, "shares", check, flaw, proof)
    _spoil_place(file, "shares", check, flaw, SEAT, 5)
    _widow(file, public)
    return file


def _widow(file: VectorFile, public: bytes) -> None:
    """Shares for the widow of six seats with two packs, once the first trick is won (5.3)."""
    rules, round_ = PRESETS["cancellation"], 25
    count, at = len(rules.pack), rules.hand_size * rules.seats
    positions: list[Plain] = list(range(at, count))
    # Who checks them looks at the widow alone.
    deck = under(JOINT, ["7D"]) * at + under(JOINT, ["QS", "3H"])
    common: dict[str, Plain] = {
        "context": context(SEAT, round_),
        "deck": encode_deck(deck),
        "positions": positions,
    }
    file.accept("shares for the widow, made", "make shares", z=z_of(SEAT), **common)
    made = file.result("shares for the widow, made")
    shares, proof = made.data("shares"), made.data("proof")
    name = "shares for the widow"
    file.accept(name, "check shares", public=public, shares=shares, proof=proof, **common)
    file.reject(name, "V19", "malformed", "one share", shares=shares[:32])
    file.reject(name, "V20", "share-proof", "another share", shares=shares[32:] * 2)
    hand = [0, *positions[1:]]
    file.reject(name, "V20", "share-proof", "of a card in a hand", positions=hand)
    file.reject(name, "V20", "share-proof", "in another round", context=context(SEAT, 24))


def shuffle_file() -> VectorFile:
    """Shuffles of one and of three cards; every part of the proof changed alone."""
    file = VectorFile("Section 4.2: the shuffle and its proof", OPERATIONS)
    place = context(SEAT, 2)
    for name, names in (("one card", ("7D",)), ("three cards", SHUFFLE_CARDS)):
        before = encode_deck(under(JOINT, names))
        common: dict[str, Plain] = {"context": place, "key": JOINT.data, "before": before}
        file.accept(f"{name}, made", "make shuffle", z=z_of(SEAT), **common)
        made = file.result(f"{name}, made")
        deck, proof = made.data("deck"), made.data("proof")
        file.accept(name, "check shuffle", deck=deck, proof=proof, **common)
    file.accept("equations", "check shuffle equations", deck=deck, proof=proof, **common)
    n = 3
    twin = "three cards"
    check, flaw = "V12", "malformed"
    file.reject(twin, check, flaw, "two cards", deck=deck[:-64])
    file.reject(twin, check, flaw, "four cards", deck=deck + deck[:64])
    file.reject(twin, check, flaw, "an identity in the deck", deck=bytes(32) + deck[32:])
    check, flaw = "V13", "shuffle-proof"
    file.reject(twin, check, flaw, "no proof", proof=b"")
    file.reject(twin, check, flaw, "a scalar short", proof=proof[:-32])
    file.reject(twin, check, flaw, "a scalar long", proof=proof + bytes(32))
    file.reject(twin, check, flaw, "an identity in the proof", proof=bytes(32) + proof[32:])
    file.reject(twin, check, flaw, "a scalar not reduced", proof=proof[:-32] + b"\xff" * 32)
    swapped = deck[64:128] + deck[:64] + deck[128:]
    file.reject(twin, "V17", flaw, "two cards exchanged", deck=swapped)
    file.reject(twin, "V17", flaw, "a card twice", deck=deck[:64] + deck[:64] + deck[128:])
    file.reject(twin, "V17", flaw, "another key", key=public_of(0).data)
    file.reject(
        twin,
        "V17",
        flaw,
        "another deck before",
        before=encode_deck(under(JOINT, SHUFFLE_CARDS[::-1])),
    )
    for field, other in elsewhere(SEAT, 2):
        file.reject(twin, "V14", flaw, f"another {field} in the context", context=other)
    elements = [f"c_{i}" for i in range(1, n + 1)] + [f"ĉ_{i}" for i in range(1, n + 1)]
    elements += ["t_1", "t_2", "t_3", "t_4a", "t_4b"] + [f"t̂_{i}" for i in range(1, n + 1)]
    for at, name in enumerate(elements):
        spoiled = proof[: 32 * at] + point(name) + proof[32 * at + 32 :]
        file.reject(twin, "V14", flaw, f"another {name}", proof=spoiled)
    first = 32 * len(elements)
    scalars = ["z_1", "z_2", "z_3", "z_4"]
    scalars += [f"ẑ_{i}" for i in range(1, n + 1)] + [f"z'_{i}" for i in range(1, n + 1)]
    equations = {"z_1": ("V14", "SUM"), "z_2": ("V15", "PRODUCT"), "z_3": ("V16", "COMMITMENT")}
    equations |= {"z_4": ("V17", "RE_ENCRYPT")}
    equations |= {f"ẑ_{i}": ("V18", "CHAIN") for i in range(1, n + 1)}
    equations |= {f"z'_{i}": ("V16", "COMMITMENT") for i in range(1, n + 1)}
    for at, name in enumerate(scalars):
        check, equation = equations[name]
        spoiled = flipped(proof, first + 32 * at)
        file.reject(twin, check, flaw, f"another {name}", proof=spoiled)
        file.reject("equations", check, equation, f"another {name}", proof=spoiled)
    _forged_shuffles(file, proof)
    return file


def _forged_shuffles(file: VectorFile, proof: bytes) -> None:
    """Proofs in which one thing alone is wrong, made by a prover that means it."""
    z_1 = 32 * 14  # After c, ĉ, five t and t̂ of three cards.
    larger = int.from_bytes(proof[z_1 : z_1 + 32], "little") + ORDER
    larger_proof = proof[:z_1] + larger.to_bytes(32, "little") + proof[z_1 + 32 :]
    file.reject("three cards", "V13", "shuffle-proof", "z_1 with ℓ added", proof=larger_proof)
    before = under(JOINT, SHUFFLE_CARDS)
    factors = [int.from_bytes(scalar(f"new factor {at}"), "little") for at in range(len(before))]
    after = [reencrypt(card, JOINT, s) for card, s in zip(before, factors, strict=True)]
    nonces = hand_secret(SEAT).nonce_source(2, b"shuffle")
    given = In({"context": written(context(SEAT, 2))})

    def made(deck: Sequence[Ciphertext], source: NonceSource = nonces) -> dict[str, Plain]:
        transcript = Transcript(context_in(given), b"shuffle")
        order = range(len(before))
        forged = prove_shuffle(transcript, JOINT, before, tuple(deck), order, factors, source)
        return {"deck": encode_deck(tuple(deck)), "proof": forged}

    asked = 0

    def lazy(digest: bytes, index: int) -> int:
        nonlocal asked
        asked += index == 0
        return 0 if asked == 3 and index == 0 else nonces(digest, index)

    first, *rest = after
    other = Ciphertext(first.a + BASE, first.b)
    file.reject("equations", "V17", "RE_ENCRYPT", "another a, proven", **made([other, *rest]))
    other = Ciphertext(first.a, first.b + BASE)
    file.reject("equations", "V17", "RE_ENCRYPT", "another b, proven", **made([other, *rest]))
    file.reject("three cards", "V13", "shuffle-proof", "t_1 is the identity", **made(after, lazy))


def pass_file() -> VectorFile:
    """Selection, pass and re-mask."""
    file = VectorFile("Sections 4.4 and 4.5: selecting, passing, re-masking", OPERATIONS)
    file.accept("selection", "check selection", positions=[0, 5, 12], count=3, hand_size=13)
    flaw = "pass-positions"
    for check, why, positions in (
        ("V21", "two", [0, 5]),
        ("V21", "four", [0, 5, 11, 12]),
        ("V22", "one twice", [0, 5, 5]),
        ("V22", "not ascending", [5, 0, 12]),
        ("V22", "outside the hand", [0, 5, 13]),
    ):
        file.reject("selection", check, flaw, why, positions=positions)

    own, receiver = public_of(SEAT), public_of(2)
    hand = under(own, HAND)
    sources, positions = (hand[0], hand[2]), [0, 2]
    common: dict[str, Plain] = {
        "context": context(SEAT, 7),
        "sources": encode_deck(sources),
        "receiver": receiver.data,
    }
    file.accept("pass, made", "make pass", z=z_of(SEAT), positions=positions, **common)
    cards, proof = _result(file, "cards"), _result(file, "proof")
    file.accept("pass", "check pass", public=own.data, cards=cards, proof=proof, **common)
    file.reject("pass", "V23", "malformed", "one card", cards=cards[:64])
    file.reject("pass", "V23", "malformed", "three cards", cards=cards + cards[:64])
    file.reject("pass", "V23", "malformed", "an identity", cards=bytes(32) + cards[32:])
    check, flaw = "V24", "pass-proof"
    file.reject("pass", check, flaw, "two cards exchanged", cards=cards[64:] + cards[:64])
    foreign = encode_deck(under(receiver, ("AS", "KS")))
    file.reject("pass", check, flaw, "cards of the passer's own making", cards=foreign)
    other = encode_deck((hand[0], hand[1]))
    file.reject("pass", check, flaw, "another selected ciphertext", sources=other)
    file.reject("pass", check, flaw, "another receiver", receiver=public_of(3).data)
    file.reject("pass", check, flaw, "another seat's key", public=public_of(3).data)
    file.reject("pass", check, flaw, "a response short", proof=proof[:-32])
    _spoil_proof(file, "pass", check, flaw, proof)
    _spoil_place(file, "pass", check, flaw, SEAT, 7)

    file.accept(
        "what is re-masked",
        "re-mask input",
        hand=encode_deck(hand),
        positions=positions,
        received=encode_deck(under(own, ("AS", "KS"))),
    )
    before = encode_deck(hand[:3])
    common = {"context": context(SEAT, 8), "public": own.data, "before": before}
    file.accept("re-mask, made", "make re-mask", z=z_of(SEAT), **common)
    deck, proof = _result(file, "deck"), _result(file, "proof")
    file.accept("re-mask", "check re-mask", deck=deck, proof=proof, **common)
    file.reject("re-mask", "V25", "malformed", "two cards", deck=deck[:-64])
    file.reject("re-mask", "V25", "malformed", "four cards", deck=deck + deck[:64])
    check, flaw = "V26", "remask-proof"
    file.reject("re-mask", check, flaw, "a card twice", deck=deck[:64] + deck[:64] + deck[128:])
    file.reject("re-mask", check, flaw, "another seat's key", public=public_of(3).data)
    file.reject("re-mask", check, flaw, "another hand before", before=encode_deck(hand[1:]))
    file.reject("re-mask", check, flaw, "another response", proof=flipped(proof, -32))
    file.reject("re-mask", check, flaw, "another commitment", proof=point("c") + proof[32:])
    _spoil_place(file, "re-mask", check, flaw, SEAT, 8)
    return file


def play_file() -> VectorFile:
    """Opening, plays with and without class proof, claims of the rest."""
    file = VectorFile("Sections 4.6, 4.8 and 5: opening, playing, claiming the rest", OPERATIONS)
    own = public_of(SEAT)
    hand, cards = under(own, HAND), cards_of(HAND)
    place: dict[str, Plain] = {
        "context": context(SEAT, 9),
        "public": own.data,
        "rule_set": options(FOUR),
    }
    _plain_play(file, place, hand, cards)
    _class_play(file, place, hand, cards)
    _no_opening(file, place, hand[1:], cards[1:])
    _claims(file, place, hand, cards)
    return file


def _rest(hand: Deck, cards: Sequence[Card], at: int) -> dict[str, Plain]:
    return {
        "played": encode_deck([hand[at]]),
        "card": int(cards[at]),
        "remaining": encode_deck([*hand[:at], *hand[at + 1 :]]),
    }


def _others(cards: Sequence[Card], at: int) -> list[int]:
    return [int(card) for card in (*cards[:at], *cards[at + 1 :])]


def _plain_play(
    file: VectorFile, place: dict[str, Plain], hand: Deck, cards: Sequence[Card]
) -> None:
    common: dict[str, Plain] = {**place, **_rest(hand, cards, 1), "claim": None}
    file.accept(
        "play, made", "make play", z=z_of(SEAT), remaining_cards=_others(cards, 1), **common
    )
    proof, twin = _result(file, "proof"), "play"
    file.accept(twin, "check play", proof=proof, **common)
    file.reject(
        twin, "V34", "proof-not-due", "with room for a class proof", proof=proof + bytes(64)
    )
    file.reject(twin, "V35", "malformed", "no proof", proof=b"")
    file.reject(twin, "V35", "malformed", "a byte long", proof=proof + b"\0")
    check, flaw = "V36", "card-proof"
    file.reject(twin, check, flaw, "another card", card=int(parse_card("10D")))
    file.reject(twin, check, flaw, "another position", played=encode_deck([hand[0]]))
    file.reject(twin, check, flaw, "other cards remain", remaining=encode_deck(hand[2:]))
    file.reject(twin, check, flaw, "another seat's key", public=public_of(3).data)
    _spoil_proof(file, twin, check, flaw, proof)
    _spoil_place(file, twin, check, flaw, SEAT, 9)
    for name, rules, card in (("2C is not in a pack for three", RuleSet(seats=3), "2C"),):
        file.reject(
            twin, "V32", "card-unknown", name, rule_set=options(rules), card=int(parse_card(card))
        )
    file.accept(
        "last card, though a claim restricts the rest",
        "make play",
        z=z_of(SEAT),
        remaining_cards=[],
        **{**common, "remaining": b"", "claim": 0b11},
    )


def _class_play(
    file: VectorFile, place: dict[str, Plain], hand: Deck, cards: Sequence[Card]
) -> None:
    """A diamond where the rest holds no spade but Q♠: the claim has every class but spades."""
    claimed = ALL_CLASSES & ~(1 << CardClass.SPADES)
    common: dict[str, Plain] = {**place, **_rest(hand, cards, 1), "claim": claimed}
    others = _others(cards, 1)
    file.accept("class proof, made", "make play", z=z_of(SEAT), remaining_cards=others, **common)
    proof, twin = _result(file, "proof"), "class proof"
    file.accept(twin, "check play", proof=proof, **common)
    file.reject(twin, "V33", "proof-missing", "no class proof", proof=proof[:64])
    file.reject(twin, "V35", "malformed", "a response short", proof=proof[:-32])
    file.reject(twin, "V35", "malformed", "a response long", proof=proof + bytes(32))
    check, flaw = "V37", "revoke"
    fewer = claimed & ~(1 << CardClass.DIAMONDS) | (1 << CardClass.SPADES)
    file.reject(twin, check, flaw, "another claim of the same size", claim=fewer)
    file.reject(twin, check, flaw, "another card", card=int(parse_card("10D")))
    file.reject(
        twin, check, flaw, "other cards remain", remaining=encode_deck(hand[:1] + hand[1:3])
    )
    file.reject(twin, check, flaw, "another seat's key", public=public_of(3).data)
    _spoil_proof(file, twin, check, flaw, proof)
    _spoil_place(file, twin, check, flaw, SEAT, 9)
    no_queen = ALL_CLASSES & ~(1 << CardClass.QUEEN)
    revoke = {**common, "claim": no_queen}
    forged = file.make("make play", z=z_of(SEAT), remaining_cards=others, **revoke).data("proof")
    file.reject(
        twin,
        check,
        flaw,
        "a revoke: the rest holds Q♠, and its class is not in the claim",
        claim=no_queen,
        proof=forged,
    )


def _no_opening(
    file: VectorFile, place: dict[str, Plain], hand: Deck, cards: Sequence[Card]
) -> None:
    common: dict[str, Plain] = {**place, "hand": encode_deck(hand)}
    held = [int(card) for card in cards]
    file.accept("no opening card, made", "make no opening", z=z_of(SEAT), cards=held, **common)
    proof, twin = _result(file, "proof"), "no opening card"
    file.accept(twin, "check no opening", proof=proof, **common)
    check, flaw = "V30", "opening-hidden"
    opening = encode_deck([*hand, *under(public_of(SEAT), HAND)[:1]])
    file.reject(twin, check, flaw, "the hand holds it", hand=opening)
    file.reject(twin, check, flaw, "a card less", hand=encode_deck(hand[1:]))
    file.reject(twin, check, flaw, "no proof", proof=b"")
    file.reject(twin, check, flaw, "a response short", proof=proof[:-32])
    file.reject(twin, check, flaw, "another seat's key", public=public_of(3).data)
    _spoil_proof(file, twin, check, flaw, proof)
    _spoil_place(file, twin, check, flaw, SEAT, 9)
    if len(proof) != 32 * (3 + NOT_OPENING.bit_count()):
        raise ValueError("the proof has another length than SPEC.md says")


def _claims(file: VectorFile, place: dict[str, Plain], hand: Deck, cards: Sequence[Card]) -> None:
    held = [int(card) for card in cards]
    common: dict[str, Plain] = {**place, "remaining": encode_deck(hand), "cards": held}
    file.accept("claim of the rest, made", "make claim", z=z_of(SEAT), **common)
    proof, twin = _result(file, "proof"), "claim of the rest"
    file.accept(twin, "check claim", proof=proof, **common)
    file.reject(twin, "V41", "claim-cards", "a card less", cards=held[1:])
    file.reject(twin, "V41", "claim-cards", "a card more", cards=[*held, held[0]])
    without = options(RuleSet(seats=3))
    file.reject(twin, "V42", "card-unknown", "2C is not in a pack for three", rule_set=without)
    file.reject(twin, "V43", "malformed", "a response long", proof=proof + bytes(32))
    check, flaw = "V44", "card-proof"
    file.reject(twin, check, flaw, "two cards exchanged", cards=[held[1], held[0], *held[2:]])
    file.reject(twin, check, flaw, "another card", cards=[*held[:-1], held[-1] + 1])
    file.reject(twin, check, flaw, "another hand", remaining=encode_deck(hand[::-1]))
    _spoil_proof(file, twin, check, flaw, proof)
    _spoil_place(file, twin, check, flaw, SEAT, 9)


def rules_file() -> VectorFile:
    """Whole hands of plays: whose turn, the claim of each card, who takes what, the scores."""
    file = VectorFile("Section 5: rules of play and what each card claims", OPERATIONS)
    for name, rules in (
        ("four seats", FOUR),
        ("three seats", RuleSet(seats=3)),
        ("five seats, Q♠ waits and breaks", RuleSet(seats=5, queen_waits=True, queen_breaks=True)),
        (
            "hearts at face value, J♦",
            RuleSet(heart_points=PRESETS["spot"].heart_points, jack_points=-10),
        ),
        (
            "penalties on trick one, no breaking",
            RuleSet(first_trick_penalties=True, hearts_break=False),
        ),
        ("two packs", PRESETS["cancellation"]),
        ("seven seats, a widow", PRESETS["cancellation"].with_options({"seats": "7"})),
    ):
        plays, leader, widow = _playout(name, rules)
        file.accept(
            name,
            "play hand",
            rule_set=options(rules),
            dealer=0,
            leader=leader,
            plays=plays,
            widow=widow,
        )
        again = [*plays[:-1], plays[0]]
        if rules.packs == 1:
            file.reject(name, "V32", "card", "a card that was played", plays=again)
    file.accept(
        "Q♠ on a spade of trick one, a revoke if it is not proven",
        "play hand",
        rule_set=options(FOUR.with_options({"opening": "none"})),
        dealer=0,
        leader=None,
        plays=[int(card) for card in cards_of(("KS", "QS"))],
        widow=[],
    )
    return file


def _playout(name: str, rules: RuleSet) -> tuple[list[int], int | None, list[int]]:
    """Return legal plays of a hand dealt by a test secret, lowest or highest card by turns."""
    order = sorted(enumerate(rules.pack), key=lambda item: secret(f"{name} {item[0]} {item[1]}"))
    pack = [card for _, card in order]
    hands = [pack[seat :: rules.seats][: rules.hand_size] for seat in range(rules.seats)]
    widow = pack[rules.seats * rules.hand_size :]
    opening = rules.opening_card
    leader = None
    if opening is not None:
        leader = next(seat for seat, cards in enumerate(hands) if opening in cards)
    state = start_play(rules, 0, leader)
    plays: list[int] = []
    while state.turn is not None:
        hand = hands[state.turn]
        legal = cards_in(playable(card_set(hand), state))
        card = legal[0 if len(plays) % 3 else -1]
        if claim(card, state) is None and len(legal) > 2:
            card = legal[1]
        hand.remove(card)
        plays.append(int(card))
        state = state.play(card)
        if state.widow_due:
            state = state.with_widow(widow)
    return plays, leader, [int(card) for card in widow]
