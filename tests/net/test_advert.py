"""What a table says about itself, written and read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncServiceInfo

from p2p_hearts.net.advert import Found, read_advert, read_found
from p2p_hearts.net.discovery import SERVICE
from p2p_hearts.net.names import clean_name
from tests.net.helpers import ADVERT


def test_advert__survives_the_way_through_a_txt_record() -> None:
    names = ("Sunday table", "Luísa", "नारा", "👋🏽" * 24, "ệ̂̂" * 12, "")
    for name in names:
        clean = clean_name(name)
        advert = replace(ADVERT, name=clean, nick=clean)
        info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", properties=advert.properties())
        again = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", properties=info.text)
        read = read_advert(again.properties)
        assert read is not None
        assert clean.startswith(read.name)
        if len(clean.encode()) <= 200:
            assert read == advert


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", b""),
        ("id", b"x" * 65),
        ("id", b"a b"),
        ("v", b""),
        ("v", b"-1"),
        ("v", b"1.0"),
        ("v", "\u0661".encode()),
        ("v", b"12345"),
        ("rules", b""),
        ("rules", b"../../etc"),
        ("rules", b"x" * 33),
        ("seats", b"0"),
        ("seats", b"100"),
        ("free", b"100"),
        ("free", b"\xff"),
        ("name", None),
        ("nick", None),
    ],
)
def test_read_advert__refuses_every_field_that_is_wrong(field: str, value: bytes | None) -> None:
    record: dict[bytes, bytes | None] = {
        key.encode(): item for key, item in ADVERT.properties().items()
    }
    assert read_advert(record) == ADVERT
    assert read_advert({**record, field.encode(): value}) is None
    del record[field.encode()]
    assert read_advert(record) is None


def test_read_found__keeps_addresses_that_can_be_dialled() -> None:
    record: dict[bytes, bytes | None] = {k.encode(): v for k, v in ADVERT.properties().items()}
    heard = ["fe80::1%3", "0.0.0.0", "224.0.0.1", "10.0.0.1", "x", "10.0.0.1", "::"]
    found = read_found("t", record, heard, 7)
    assert found == Found("t", ADVERT, ("10.0.0.1", "fe80::1%3"), 7)
    many = read_found("t", record, [f"10.0.0.{n}" for n in range(1, 100)], 7)
    assert many is not None
    assert len(many.addresses) == 16
    for addresses, port in (([], 7), (["0.0.0.0"], 7), (["10.0.0.1"], 0), (["10.0.0.1"], None)):
        assert read_found("t", record, addresses, port) is None


@pytest.mark.parametrize("wrong", ["\x1b[2J", " Ana", "a" * 25])
def test_advert__names_must_be_clean_before_they_are_announced(wrong: str) -> None:
    with pytest.raises(ValueError, match="cleaned"):
        replace(ADVERT, nick=wrong)
    with pytest.raises(ValueError, match="cleaned"):
        replace(ADVERT, name=wrong)
