"""Operations of the vectors on the group, transcripts, hand secrets and card proofs.

protocol/SPEC.md sections 2 to 4. An operation takes the input of a vector and returns its result,
or raises ``Rejected`` with the name of the flaw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from p2p_hearts.cards import claim, deal, keys, passing, play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.reveal import check_commitment
from p2p_hearts.cards.secret import hash_inputs
from p2p_hearts.crypto import group, shuffle, sigma
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, encode_deck, encrypt
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import Element, encode_elements
from p2p_hearts.crypto.transcript import Context, Transcript
from p2p_hearts.rules.cards import Card, ClassSet
from p2p_hearts.wire.envelope import (
    digest,
)
from tools.vectors.reading import (
    context_in,
    deck_in,
    decoded,
    element_or_identity,
    nothing_wrong,
    passed,
    point_in,
    rules_in,
    scalar_in,
    secret_in,
)
from tools.vectors.values import In, Operation, Plain, Rejected

# Section 2.


def _frame(given: In) -> Plain:
    return frame(*given.datas("parts"))


def _digest(given: In) -> Plain:
    return digest(given.text("domain"), *given.datas("parts"))


def _decode_element(given: In) -> Plain:
    return decoded(lambda: group.decode_element(given.data("bytes"))).data


def _decode_elements(given: In) -> Plain:
    data, count = given.data("bytes"), given.number("count")
    return [item.data for item in decoded(lambda: group.decode_elements(data, count))]


def _decode_scalar(given: In) -> Plain:
    return group.encode_scalar(decoded(lambda: group.decode_scalar(given.data("bytes"))))


def _multiply(given: In) -> Plain:
    return (
        group.decode_scalar(given.data("scalar")) * element_or_identity(given.data("element"))
    ).data


def _add(given: In) -> Plain:
    left, right = given.data("left"), given.data("right")
    return (element_or_identity(left) + element_or_identity(right)).data


def _generator(given: In) -> Plain:
    return group.hash_to_element(given.data("label")).data


def _cards(given: In) -> Plain:
    rules = rules_in(given)
    encoding = Encoding(rules)
    return [
        [card, int(rules.card_class(card)), encoding.point(card).data]
        for card in dict.fromkeys(rules.pack)
    ]


def _encrypt(given: In) -> Plain:
    made = encrypt(point_in(given, "message"), point_in(given, "key"), scalar_in(given, "factor"))
    return encode_deck([made])


def _context_bytes(given: In) -> Plain:
    return context_in(given).encode()


def _transcript(given: In) -> Plain:
    """Steps: [absorb, label, parts …], [challenge, label], [challenges, label, count], [digest]."""
    transcript = Transcript(context_in(given), given.text("label").encode())
    out: list[Plain] = []
    for step in given.parts("steps"):
        match step.text("do"):
            case "absorb":
                transcript.absorb(step.text("label").encode(), *step.datas("parts"))
            case "challenge":
                out.append(group.encode_scalar(transcript.challenge(step.text("label").encode())))
            case "challenges":
                drawn = transcript.challenges(step.text("label").encode(), step.number("count"))
                out.append([group.encode_scalar(scalar) for scalar in drawn])
            case "digest":
                out.append(transcript.digest())
            case other:
                raise ValueError(f"no step is called {other}")
    return out


def _relation(given: In) -> sigma.Relation:
    equations = []
    for item in given.parts("equations"):
        terms = tuple(
            (term.number("secret"), element_or_identity(term.data("base")))
            for term in item.parts("terms")
        )
        equations.append(sigma.Equation(element_or_identity(item.data("image")), terms))
    return sigma.Relation(given.number("secrets"), tuple(equations))


def _prove(given: In) -> Plain:
    """Prove a bare relation; nonces are derived from z with the transcript's label."""
    label = given.text("label").encode()
    context = context_in(given)
    transcript = Transcript(context, label)
    nonces = secret_in(given).nonce_source(context.round, label)
    witness = [group.decode_scalar(scalar) for scalar in given.datas("witness")]
    return sigma.prove(transcript, _relation(given), witness, nonces)


def _verify(given: In) -> Plain:
    transcript = Transcript(context_in(given), given.text("label").encode())
    if not sigma.verify(transcript, _relation(given), given.data("proof")):
        raise Rejected("proof")
    return True


def _batch(given: In) -> Plain:
    """The folded pair of a batched equality: base, image."""
    transcript = Transcript(context_in(given), given.text("label").encode())
    relation = sigma.batched_equality(
        transcript,
        point_in(given, "public"),
        [element_or_identity(data) for data in given.datas("bases")],
        [element_or_identity(data) for data in given.datas("images")],
    )
    folded = relation.equations[1]
    return {"base": folded.terms[0][1].data, "image": folded.image.data}


# Section 3.


def _derive(given: In) -> Plain:
    secret, round_ = secret_in(given), given.part("context").number("round")
    label, depends = given.text("label").encode(), hash_inputs(*given.datas("depends"))
    return [
        group.encode_scalar(scalar)
        for scalar in secret.scalars(given.number("count"), round_, label, depends)
    ]


def _permutation(given: In) -> Plain:
    secret, round_ = secret_in(given), given.part("context").number("round")
    label, depends = given.text("label").encode(), hash_inputs(*given.datas("depends"))
    return secret.permutation(given.number("count"), round_, label, depends)


def _nonce(given: In) -> Plain:
    round_ = given.part("context").number("round")
    nonce = secret_in(given).nonce_source(round_, given.text("label").encode())
    return group.encode_scalar(nonce(given.data("digest"), given.number("index")))


def _secret_key(given: In) -> Plain:
    return group.encode_scalar(secret_in(given).x())


def _commit(given: In) -> Plain:
    return secret_in(given).commitment()


def _reveal(given: In) -> Plain:
    place = context_in(given)
    return nothing_wrong(
        check_commitment(
            place.table,
            place.hand,
            place.attempt,
            place.seat,
            given.data("commitment"),
            given.data("z"),
        )
    )


# Section 4.


def _make_key(given: In) -> Plain:
    return _fields("commitment public proof", keys.make_key(secret_in(given), context_in(given)))


def _check_key(given: In) -> Plain:
    return passed(
        keys.check_key(
            context_in(given), given.data("commitment"), given.data("public"), given.data("proof")
        )
    ).data


def _joint_key(given: In) -> Plain:
    shares = [group.decode_element(data) for data in given.datas("publics")]
    return passed(keys.joint_key(shares)).data


def _first_deck(given: In) -> Plain:
    return encode_deck(deal.first_deck(Encoding(rules_in(given)), point_in(given, "joint")))


def _fields(names: str, values: Sequence[bytes]) -> Plain:
    """Return made bytes by name; what is made besides is left out."""
    return dict(zip(names.split(), values, strict=False))


def _make_mix(make: Callable[..., tuple[bytes, bytes, Deck]], key: str) -> Operation:
    """A shuffle or a re-mask; ``key`` names what it is made under."""

    def operation(given: In) -> Plain:
        own, place = secret_in(given), context_in(given)
        made = make(own, place, point_in(given, key), deck_in(given, "before"))
        return _fields("deck proof", made[:2])

    return operation


def _check_mix(check: Callable[..., Deck | Flaw], key: str) -> Operation:
    def operation(given: In) -> Plain:
        public, before = point_in(given, key), deck_in(given, "before")
        said = (given.data("deck"), given.data("proof"))
        passed(check(context_in(given), public, before, *said))
        return True

    return operation


def _check_equations(given: In) -> Plain:
    """The shuffle proof alone, refused with the name of the equation that fails."""
    flaw = shuffle.verify_shuffle(
        Transcript(context_in(given), b"shuffle"),
        point_in(given, "key"),
        deck_in(given, "before"),
        deck_in(given, "deck"),
        given.data("proof"),
    )
    if flaw is not None:
        raise Rejected(flaw.name)
    return True


def _make_shares(given: In) -> Plain:
    shares, proof = deal.make_shares(
        secret_in(given), context_in(given), deck_in(given, "deck"), given.numbers("positions")
    )
    return {"shares": shares, "proof": proof}


def _check_shares(given: In) -> Plain:
    shares = passed(
        deal.check_shares(
            context_in(given),
            point_in(given, "public"),
            deck_in(given, "deck"),
            given.numbers("positions"),
            given.data("shares"),
            given.data("proof"),
        )
    )
    return encode_elements(shares)


def _check_selection(given: In) -> Plain:
    return nothing_wrong(
        passing.check_selection(
            given.numbers("positions"), given.number("count"), given.number("hand_size")
        )
    )


def _make_pass(given: In) -> Plain:
    cards, proof = passing.make_pass(
        secret_in(given),
        context_in(given),
        given.numbers("positions"),
        deck_in(given, "sources"),
        point_in(given, "receiver"),
    )
    return {"cards": cards, "proof": proof}


def _check_pass(given: In) -> Plain:
    passed(
        passing.check_pass(
            context_in(given),
            point_in(given, "public"),
            point_in(given, "receiver"),
            deck_in(given, "sources"),
            given.data("cards"),
            given.data("proof"),
        )
    )
    return True


def _remask_input(given: In) -> Plain:
    return encode_deck(
        passing.remask_input(
            deck_in(given, "hand"), given.numbers("positions"), deck_in(given, "received")
        )
    )


def _claim(given: In) -> ClassSet | None:
    return ClassSet(given.number("claim")) if given.has("claim") else None


def _verifier(given: In) -> tuple[Context, Element, Encoding]:
    """What every proof of a hand's own cards is checked with: place, public key, rules."""
    return context_in(given), point_in(given, "public"), Encoding(rules_in(given))


def _cards_in(given: In, name: str) -> list[Card]:
    return [Card(card) for card in given.numbers(name)]


def _play_said(given: In) -> tuple[Ciphertext, Card, Deck]:
    return deck_in(given, "played")[0], Card(given.number("card")), deck_in(given, "remaining")


def _make_play(given: In) -> Plain:
    others = _cards_in(given, "remaining_cards")
    terms = (*_verifier(given), *_play_said(given), others, _claim(given))
    return {"proof": play.make_play(secret_in(given), *terms)}


def _check_play(given: In) -> Plain:
    terms = (*_verifier(given), *_play_said(given), _claim(given))
    return nothing_wrong(play.check_play(*terms, given.data("proof")))


def _make_no_opening(given: In) -> Plain:
    terms = (*_verifier(given), deck_in(given, "hand"), _cards_in(given, "cards"))
    return {"proof": play.make_no_opening(secret_in(given), *terms)}


def _check_no_opening(given: In) -> Plain:
    terms = (*_verifier(given), deck_in(given, "hand"))
    return nothing_wrong(play.check_no_opening(*terms, given.data("proof")))


def _make_claim(given: In) -> Plain:
    terms = (*_verifier(given), deck_in(given, "remaining"), _cards_in(given, "cards"))
    return {"proof": claim.make_claim(secret_in(given), *terms)}


def _check_claim(given: In) -> Plain:
    terms = (*_verifier(given), deck_in(given, "remaining"), _cards_in(given, "cards"))
    return nothing_wrong(claim.check_claim(*terms, given.data("proof")))


CARD_OPERATIONS: Final[Mapping[str, Operation]] = {
    "frame": _frame,
    "digest": _digest,
    "decode element": _decode_element,
    "decode elements": _decode_elements,
    "decode scalar": _decode_scalar,
    "multiply": _multiply,
    "add": _add,
    "generator": _generator,
    "cards": _cards,
    "encrypt": _encrypt,
    "context": _context_bytes,
    "transcript": _transcript,
    "prove relation": _prove,
    "verify relation": _verify,
    "fold batch": _batch,
    "derive": _derive,
    "permutation": _permutation,
    "nonce": _nonce,
    "secret key": _secret_key,
    "commit": _commit,
    "check reveal": _reveal,
    "make key": _make_key,
    "check key": _check_key,
    "joint key": _joint_key,
    "first deck": _first_deck,
    "make shuffle": _make_mix(deal.make_shuffle, "key"),
    "check shuffle": _check_mix(deal.check_shuffle, "key"),
    "check shuffle equations": _check_equations,
    "make shares": _make_shares,
    "check shares": _check_shares,
    "check selection": _check_selection,
    "make pass": _make_pass,
    "check pass": _check_pass,
    "re-mask input": _remask_input,
    "make re-mask": _make_mix(passing.make_remask, "public"),
    "check re-mask": _check_mix(passing.check_remask, "public"),
    "make play": _make_play,
    "check play": _check_play,
    "make no opening": _make_no_opening,
    "check no opening": _check_no_opening,
    "make claim": _make_claim,
    "check claim": _check_claim,
}
