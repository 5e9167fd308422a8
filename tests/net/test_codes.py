from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.net.codes import (
    Address,
    code_matches,
    join_code,
    new_secret,
    parse_address,
    parse_code,
    secret_of,
)

IDENTITY = bytes(range(32))


def test_join_code__is_bound_to_the_identity_key() -> None:
    code = join_code(IDENTITY)
    assert code == parse_code(code)
    assert [len(group) for group in code.split("-")] == [4, 4, 4]
    assert code_matches(code, IDENTITY)
    for bit in range(256):
        other = bytearray(IDENTITY)
        other[bit // 8] ^= 1 << bit % 8
        assert not code_matches(code, bytes(other))
    with pytest.raises(ValueError, match="32 bytes"):
        join_code(b"short")


def test_secret__rides_at_the_end_of_a_code_and_names_nobody() -> None:
    code = join_code(IDENTITY)
    secret = new_secret()
    assert secret_of(code) == ""
    assert secret_of("no code") == ""
    assert secret_of(f"{code}-{secret}".lower()) == secret
    assert code_matches(f"{code}-{secret}", IDENTITY)
    assert parse_address(f"host:7#{code}{secret}").code == f"{code}-{secret}"
    assert len({new_secret() for _ in range(50)}) > 45


@given(st.binary(min_size=32, max_size=32))
def test_parse_code__forgives_case_separators_and_lookalikes(identity: bytes) -> None:
    code = join_code(identity)
    typed = code.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    assert parse_code(f"  {typed} ") == code
    assert parse_code(code.replace("1", "I").replace("-", "")) == code
    assert code_matches(typed, identity)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "12 or 16 letters"),
        ("ABCD-EFGH-JKM", "12 or 16 letters and digits, not 11"),
        ("ABCD-EFGH-JKMNP", "not 13"),
        ("ABCD-EFGH-JKMU", "no 'U'"),
        ("ABCD-EFGH-JKM\u0661", "no"),
        ("ABCD_EFGH_JKM!", "no '!'"),
    ],
)
def test_parse_code__says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_code(text)
    assert not code_matches(text, IDENTITY)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.0.0.7:7777", Address("10.0.0.7", 7777)),
        (" host:1 ", Address("host", 1)),
        ("nara-pc.local:65535", Address("nara-pc.local", 65535)),
        ("[::1]:7", Address("::1", 7)),
        ("[fe80::1%eth0]:7", Address("fe80::1%eth0", 7)),
        ("[::1]:7#abcd-efgh-jkmo", Address("::1", 7, "ABCD-EFGH-JKM0")),
        ("host:7#ABCDEFGHJKMN", Address("host", 7, "ABCD-EFGH-JKMN")),
    ],
)
def test_parse_address__reads_what_the_host_shows(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no port"),
        ("host", "no port"),
        (":7", "no port"),
        ("host:", "is no port"),
        ("host:seven", "is no port"),
        ("host:0", "1 to 65535"),
        ("host:65536", "1 to 65535"),
        ("host:\u0667", "is no port"),
        ("host:-1", "is no port"),
        ("::1:7", "in brackets"),
        ("[]:7", "no IPv6"),
        ("[host]:7", "no IPv6"),
        ("ho st:7", "no name"),
        ("tcp://host:7", "brackets|no name"),
        ("host;x:7", "no name"),
        ("host:7#", "12 or 16 letters"),
        ("host:7#wrong", "letters|no"),
    ],
)
def test_parse_address__says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_address(text)


def test_address__shows_its_code_to_the_player_alone() -> None:
    """The end of a code may be a secret: it is typed and read, and stands in no report."""
    address = parse_address("host:7#ABCD-EFGH-JKMN-PQRS")
    assert "PQRS" in str(address)
    assert "PQRS" not in repr(address)
