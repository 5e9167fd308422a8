"""Vectors of 8.5: the join code of an identity, as it is written and as a person types it."""

from __future__ import annotations

from tools.vectors.messages import identity
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import VectorFile, flipped

SECRET = "Q7ZT"


def code_file() -> VectorFile:
    """Codes that are made, read and compared with the author of a card."""
    file = VectorFile("Section 8.5: join codes", OPERATIONS)
    file.accept("of 32 zero bytes", "join code", identity=bytes(32))
    author = identity(0).public
    file.accept("of a player", "join code", identity=author)
    code = file.text_of("of a player")
    name = "a code as it is written"
    file.accept(name, "read code", typed=code)
    for why, typed in (
        ("a letter less", code[:-1]),
        ("a letter more", f"{code}-{SECRET[:1]}"),
        ("three letters more", f"{code}-{SECRET[:3]}"),
        ("five letters more", f"{code}-{SECRET}0"),
        ("nothing", ""),
        ("U is no letter of a code", f"{code[:-1]}U"),
        ("nor is a comma", code.replace("-", ",")),
        ("a digit of another script", f"{code[:-1]}\u0661"),
    ):
        file.reject(name, "8.5", "refused", why, typed=typed)
    file.accept("with a secret at its end", "read code", typed=f"{code}-{SECRET}")
    typed = "mt6n_oX87.\tKd:vX\n"
    file.accept("small letters, O for 0, other separators and none", "read code", typed=typed)
    file.accept("I and L for 1", "read code", typed="iIlL 1111 oOO0")
    for name, typed in (
        ("the code of the card's author", code),
        ("the same with a secret", f"{code} {SECRET}".lower()),
    ):
        file.accept(name, "check code", typed=typed, author=author)
    name = "the code of the card's author"
    another = identity(1).public
    file.reject(name, "8.5", "refused", "a card of another author", author=another)
    turned = flipped(author, -1, 0x80)
    file.reject(name, "8.5", "refused", "an identity with one bit changed", author=turned)
    last = code[:-1] + ("0" if code[-1] != "0" else "1")
    file.reject(name, "8.5", "refused", "another last letter", typed=last)
    secret_first = f"{SECRET}-{code}"
    file.reject(name, "8.5", "refused", "the secret in front", typed=secret_first)
    return file
