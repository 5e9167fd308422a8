from __future__ import annotations

import hashlib
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_hearts.crypto import transcript as module
from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import ORDER, scalar_from_hash
from p2p_hearts.crypto.transcript import Context, Transcript, expand
from tests.crypto.helpers import CONTEXT, OTHER_CONTEXTS


def unframe(data: bytes) -> tuple[list[bytes], bytes]:
    """The parts of the first frame, and what follows it."""
    (count,) = struct.unpack_from(">I", data)
    position = 4
    parts = []
    for _ in range(count):
        (length,) = struct.unpack_from(">Q", data, position)
        position += 8 + length
        parts.append(data[position - length : position])
    return parts, data[position:]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=20), max_size=5), st.binary(max_size=20))
def test_framing__parts_can_be_told_apart_again(parts: list[bytes], after: bytes) -> None:
    assert unframe(frame(*parts) + after) == (parts, after)


def test_framing__joined_fields_do_not_collide() -> None:
    frames = [
        frame(),
        frame(b""),
        frame(b"", b""),
        frame(b"ab", b"c"),
        frame(b"a", b"bc"),
        frame(b"abc"),
        frame(b"a", b"b", b"c"),
        frame(frame(b"abc")),
    ]
    assert len(set(frames)) == len(frames)


def challenge(context: Context = CONTEXT, label: bytes = b"kind") -> int:
    return Transcript(context, label).challenge(b"c")


@pytest.mark.parametrize("field", OTHER_CONTEXTS)
def test_transcript__binds_every_field_of_the_context(field: str) -> None:
    assert challenge(OTHER_CONTEXTS[field]) != challenge()


def test_transcript__binds_the_protocol_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = challenge()
    monkeypatch.setattr(module, "PROTOCOL_VERSION", module.PROTOCOL_VERSION + 1)
    assert challenge() != before


def test_transcript__fields_of_the_context_do_not_trade_places() -> None:
    a = Context(bytes(32), b"\1" * 32, hand=1, attempt=2, round=3, seat=4)
    others = [
        Context(a.rules, a.table, 1, 2, 3, 4),
        Context(a.table, a.rules, 2, 1, 3, 4),
        Context(a.table, a.rules, 1, 3, 2, 4),
        Context(a.table, a.rules, 1, 2, 4, 3),
    ]
    assert len({c.encode() for c in (a, *others)}) == 5


@pytest.mark.parametrize(
    "fields",
    [
        (b"", b"r" * 32, 0, 0, 0, 0),
        (b"t" * 31, b"r" * 32, 0, 0, 0, 0),
        (b"t" * 32, b"r" * 33, 0, 0, 0, 0),
        (b"t" * 32, b"r" * 32, -1, 0, 0, 0),
        (b"t" * 32, b"r" * 32, 0, 2**32, 0, 0),
        (b"t" * 32, b"r" * 32, 0, 0, -5, 0),
        (b"t" * 32, b"r" * 32, 0, 0, 0, 2**40),
    ],
)
def test_context__refuses_fields_out_of_range(
    fields: tuple[bytes, bytes, int, int, int, int],
) -> None:
    with pytest.raises(ValueError, match=r"bytes each|lie in"):
        Context(*fields)


def test_transcript__binds_label_order_and_grouping_of_entries() -> None:
    def after(*entries: tuple[bytes, ...], label: bytes = b"kind") -> int:
        transcript = Transcript(CONTEXT, label)
        for name, *data in entries:
            transcript.absorb(name, *data)
        return transcript.challenge(b"c")

    values = [
        after(),
        after(label=b"other kind"),
        after((b"a", b"1", b"2")),
        after((b"a", b"12")),
        after((b"a", b"1"), (b"a", b"2")),
        after((b"a", b"2", b"1")),
        after((b"b", b"1", b"2")),
        after((b"a", b"1"), (b"b", b"2")),
        after((b"b", b"2"), (b"a", b"1")),
    ]
    assert len(set(values)) == len(values)
    assert after((b"a", b"1")) == after((b"a", b"1"))


def test_transcript__a_challenge_depends_on_its_label_and_on_those_before() -> None:
    first = Transcript(CONTEXT, b"kind")
    again = Transcript(CONTEXT, b"kind")
    one = first.challenge(b"c")
    assert one == again.challenge(b"c")
    assert first.challenge(b"c") != one
    assert Transcript(CONTEXT, b"kind").challenge(b"d") != one
    drawn = Transcript(CONTEXT, b"kind")
    drawn.challenges(b"x", 2)
    assert drawn.challenge(b"c") != one


def test_transcript__an_entry_is_no_challenge_and_no_digest() -> None:
    entry, drawn = Transcript(CONTEXT, b"kind"), Transcript(CONTEXT, b"kind")
    entry.absorb(b"c")
    value = drawn.challenge(b"c")
    assert entry.digest() != drawn.digest()
    assert int.from_bytes(drawn.digest(), "little") % ORDER != value


def test_transcript__digest_is_no_entry_and_is_not_the_challenge() -> None:
    plain, looked = Transcript(CONTEXT, b"kind"), Transcript(CONTEXT, b"kind")
    digest = looked.digest()
    assert looked.digest() == digest
    assert len(digest) == 64
    value = looked.challenge(b"c")
    assert value == plain.challenge(b"c")
    assert value != int.from_bytes(digest, "little") % ORDER
    assert looked.digest() != digest


def test_transcript__a_copy_goes_its_own_way() -> None:
    one = Transcript(CONTEXT, b"kind")
    two = one.copy()
    assert one.digest() == two.digest()
    two.absorb(b"a")
    assert one.digest() != two.digest()


def test_transcript__many_challenges_are_distinct_and_bind_their_count() -> None:
    values = Transcript(CONTEXT, b"kind").challenges(b"u", 50)
    assert len(set(values)) == 50
    assert all(0 <= value < ORDER for value in values)
    fewer = Transcript(CONTEXT, b"kind").challenges(b"u", 49)
    assert not set(values) & set(fewer)
    assert Transcript(CONTEXT, b"kind").challenges(b"u", 0) == ()


def test_transcript__expansion_depends_on_seed_and_index() -> None:
    assert expand(b"a" * 64, 3)[:2] == expand(b"a" * 64, 2)
    assert not set(expand(b"a" * 64, 3)) & set(expand(b"b" * 64, 3))
    direct = hashlib.sha512(frame(b"p2p-hearts expand", b"a" * 64, (2).to_bytes(4, "big")))
    assert expand(b"a" * 64, 3)[2] == scalar_from_hash(direct.digest())
