"""Vectors of section 2 and 3: bytes, group, cards, transcripts, bare proofs, hand secrets."""

from __future__ import annotations

from typing import Final

from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import BASE, ORDER, base_mul, encode_scalar, hash_to_element
from p2p_hearts.rules.options import PRESETS, RuleSet
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import Plain, VectorFile, flipped, secret

TABLE: Final = secret("table id")
RULES: Final = secret("rules hash")
IDENTITY: Final = bytes(32)


def context(seat: int = 0, round_: int = 0, hand: int = 1, **changed: Plain) -> dict[str, Plain]:
    """Return the context of a proof, as an input holds it."""
    return {
        "table": TABLE,
        "rules": RULES,
        "hand": hand,
        "attempt": 1,
        "round": round_,
        "seat": seat,
        **changed,
    }


def elsewhere(seat: int, round_: int) -> list[tuple[str, dict[str, Plain]]]:
    """Return every place that differs from one in one field, with the name of the field."""
    here = context(seat, round_)
    changed: dict[str, Plain] = {
        "table": flipped(TABLE),
        "rules": flipped(RULES),
        "hand": 2,
        "attempt": 2,
        "round": round_ + 1,
        "seat": seat + 1,
    }
    return [(name, {**here, name: value}) for name, value in changed.items()]


def options(rules: RuleSet) -> dict[str, Plain]:
    """Return a rule set as an input holds it."""
    return dict(rules.to_dict())


def scalar(label: str) -> bytes:
    """Return a test scalar, encoded."""
    return encode_scalar(int.from_bytes(secret(label), "little") % ORDER)


def point(label: str) -> bytes:
    """Return a test element, encoded."""
    return hash_to_element(secret(label)).data


def _as_number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _number(number: int) -> bytes:
    return number.to_bytes(32, "little")


def group_file() -> VectorFile:
    """Framing, digests, decoding, arithmetic, generators, cards."""
    file = VectorFile("Section 2.1 to 2.4: bytes, group, generators, cards", OPERATIONS)
    file.accept("frame of nothing", "frame", parts=[])
    file.accept("frame of two parts", "frame", parts=[b"", b"hearts"])
    file.accept("digest", "digest", domain="content", parts=[b"hearts"])
    file.accept("the generator", "decode element", bytes=BASE.data)
    field = 2**255 - 19
    for twin, check, why, data in (
        ("the generator", "V1", "a byte short", BASE.data[:-1]),
        ("the generator", "V1", "a byte long", BASE.data + b"\0"),
        ("the generator", "V2", "not canonical: the field's order", _number(field)),
        ("the generator", "V2", "negative", _number(1)),
        ("the generator", "V2", "the high bit set", flipped(BASE.data, 31, 0x80)),
        ("the generator", "V2", "all bits set", b"\xff" * 32),
        ("the generator", "V2", "of the other sign", _number(field - _as_number(BASE.data))),
        ("the generator", "V2", "14, for which there is no x", _number(14)),
        ("the generator", "V2", "2, of which x times y is negative", _number(2)),
        ("the generator", "V2", "-1, of which y is 0", _number(field - 1)),
        ("the generator", "V2", "the identity with the high bit set", flipped(IDENTITY, 31, 0x80)),
        ("the generator", "V3", "the identity", IDENTITY),
    ):
        file.reject(twin, check, "malformed", why, bytes=data)
    file.accept("two elements", "decode elements", bytes=BASE.data + point("a"), count=2)
    file.reject("two elements", "V6", "malformed", "three expected", count=3)
    file.reject("two elements", "V6", "malformed", "one expected", count=1)
    file.accept("the largest scalar", "decode scalar", bytes=encode_scalar(ORDER - 1))
    for check, why, data in (
        ("V4", "a byte short", bytes(31)),
        ("V5", "the group's order", ORDER.to_bytes(32, "little")),
        ("V5", "all bits set", b"\xff" * 32),
    ):
        file.reject("the largest scalar", check, "malformed", why, bytes=data)
    for number in (0, 1, 2, 3, ORDER - 1):
        file.accept(
            f"{'-1' if number > 3 else number} times G",
            "multiply",
            scalar=encode_scalar(number),
            element=BASE.data,
        )
    file.accept("a product", "multiply", scalar=scalar("k"), element=point("P"))
    file.accept("a sum", "add", left=point("P"), right=point("Q"))
    file.accept("a sum with the identity", "add", left=point("P"), right=IDENTITY)
    file.accept("generator H", "generator", label=b"shuffle H")
    for index in (1, 2, 3, 104):
        file.accept(
            f"generator h_{index}", "generator", label=frame(b"shuffle h", index.to_bytes(4, "big"))
        )
    file.accept("generator R", "generator", label=frame(b"rank"))
    for name in (b"opening", b"clubs", b"diamonds", b"spades", b"queen", b"hearts"):
        file.accept(f"generator S_{name.decode()}", "generator", label=frame(b"class", name))
    file.accept("cards of four seats", "cards", rule_set=options(RuleSet()))
    file.accept("cards of three seats", "cards", rule_set=options(PRESETS["british"]))
    file.accept(
        "an encrypted card", "encrypt", message=point("M"), key=point("X"), factor=scalar("s")
    )
    return file


def transcript_file() -> VectorFile:
    """Contexts, challenges, proofs of bare relations."""
    file = VectorFile("Section 2.5 and 2.6: transcripts and proofs of linear relations", OPERATIONS)
    file.accept("a context", "context", context=context(3, 7))
    file.accept(
        "a transcript",
        "transcript",
        context=context(3, 7),
        label="key",
        steps=[
            {"do": "digest"},
            {"do": "absorb", "label": "commitment", "parts": [b"hearts"]},
            {"do": "absorb", "label": "nothing", "parts": []},
            {"do": "digest"},
            {"do": "challenge", "label": "challenge"},
            {"do": "challenges", "label": "u", "count": 3},
            {"do": "digest"},
            {"do": "challenge", "label": "challenge"},
        ],
    )
    z = secret("z of bare proofs")
    base, x = point("base"), scalar("x")
    public = base_mul(int.from_bytes(x, "little")).data
    other = hash_to_element(secret("base"))
    image_bytes = (int.from_bytes(x, "little") * other).data
    relations: dict[str, dict[str, Plain]] = {
        "knowledge": {
            "secrets": 1,
            "equations": [_equation(public, (0, BASE.data))],
            "witness": [x],
        },
        "equality": {
            "secrets": 1,
            "equations": [_equation(public, (0, BASE.data)), _equation(image_bytes, (0, base))],
            "witness": [x],
        },
        "two secrets in one equation": {
            "secrets": 2,
            "equations": [
                _equation(
                    (
                        base_mul(int.from_bytes(x, "little"))
                        + int.from_bytes(scalar("y"), "little") * other
                    ).data,
                    (0, BASE.data),
                    (1, base),
                )
            ],
            "witness": [x, scalar("y")],
        },
    }
    for name, relation in relations.items():
        made = f"{name}, proven"
        file.accept(made, "prove relation", z=z, context=context(1, 2), label="test", **relation)
        proof = bytes.fromhex(str(file.accepted[-1]["result"]))
        statement = {key: value for key, value in relation.items() if key != "witness"}
        file.accept(
            name, "verify relation", context=context(1, 2), label="test", proof=proof, **statement
        )
        for field, place in elsewhere(1, 2):
            file.reject(name, "V8", "proof", f"another {field} in the context", context=place)
        file.reject(name, "V8", "proof", "another label", label="other")
        for at in range(len(proof) // 32):
            part = "challenge" if at == 0 else f"response {at - 1}"
            file.reject(name, "V8", "proof", f"another {part}", proof=flipped(proof, 32 * at))
            unreduced = int.from_bytes(proof[32 * at : 32 * at + 32], "little") + ORDER
            if unreduced < 2**256:
                late = proof[: 32 * at] + unreduced.to_bytes(32, "little") + proof[32 * at + 32 :]
                file.reject(name, "V7", "proof", f"the {part} is not reduced", proof=late)
        file.reject(name, "V7", "proof", "a scalar short", proof=proof[:-32])
        file.reject(name, "V7", "proof", "a scalar long", proof=proof + bytes(32))
        file.reject(name, "V7", "proof", "empty", proof=b"")
        spoiled = [_spoil(item) for item in _list(statement["equations"])]
        for at in range(len(spoiled)):
            changed = [*_list(statement["equations"])]
            changed[at] = spoiled[at]
            file.reject(name, "V8", "proof", f"another image in equation {at}", equations=changed)
    file.accept(
        "a folded batch",
        "fold batch",
        context=context(1, 2),
        label="shares",
        public=public,
        bases=[point("base 0"), point("base 1"), point("base 2")],
        images=[point("image 0"), point("image 1"), point("image 2")],
    )
    return file


def secret_file() -> VectorFile:
    """What is derived from a hand secret."""
    file = VectorFile("Section 3: what is derived from one hand secret", OPERATIONS)
    z = secret("z")
    place = context(2, 5)
    file.accept("commitment", "commit", z=z, context=place)
    commitment = bytes.fromhex(str(file.accepted[-1]["result"]))
    file.accept("secret key", "secret key", z=z, context=place)
    file.accept("secret key in another round", "secret key", z=z, context=context(2, 6))
    file.accept("secret key of another seat", "secret key", z=z, context=context(3, 5))
    for label in ("shuffle factor", "remask factor", "pass factor"):
        file.accept(
            label, "derive", z=z, context=place, label=label, depends=[b"deck", b"key"], count=3
        )
    for count in (1, 2, 3, 13, 52, 104):
        file.accept(
            f"permutation of {count}",
            "permutation",
            z=z,
            context=place,
            label="shuffle permutation",
            depends=[b"deck", b"key"],
            count=count,
        )
    file.accept("nonce", "nonce", z=z, context=place, label="key", digest=bytes(64), index=0)
    file.accept(
        "another nonce", "nonce", z=z, context=place, label="key", digest=bytes(64), index=1
    )
    file.accept("reveal", "check reveal", z=z, context=place, commitment=commitment)
    expect = "reveal-commitment"
    file.reject("reveal", "V39", expect, "another secret", z=flipped(z))
    file.reject("reveal", "V39", expect, "a byte short", z=z[:-1])
    file.reject("reveal", "V39", expect, "another commitment", commitment=flipped(commitment))
    for field, elsewhere_ in elsewhere(2, 5):
        if field not in ("rules", "round"):
            file.reject("reveal", "V39", expect, f"another {field}", context=elsewhere_)
    return file


def _equation(image: bytes, *terms: tuple[int, bytes]) -> dict[str, Plain]:
    return {"image": image, "terms": [{"secret": index, "base": base} for index, base in terms]}


def _list(value: Plain) -> list[dict[str, Plain]]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _spoil(equation: dict[str, Plain]) -> dict[str, Plain]:
    return {**equation, "image": point("another image")}
