"""An author's own count: what it said under which number, and where its chain of hashes breaks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.table.counts import Counts
from p2p_hearts.wire.envelope import Sealed, seal
from tests.table.contents import content_of
from tests.table.sim import make_identities

(AUTHOR, OTHER) = make_identities(2)
CONTENT = content_of(AUTHOR)


def chain(length: int) -> list[Sealed]:
    """So many contents, each on top of the one before."""
    said = [seal(AUTHOR, CONTENT)]
    while len(said) < length:
        said.append(seal(AUTHOR, replace(CONTENT, sequence=len(said), last=said[-1].hash)))
    return said


def test_counts__go_on_after_the_highest_number_held_of_an_author() -> None:
    counts, said = Counts(), chain(3)
    assert counts.next_of(AUTHOR.public) == 0
    for sealed, following in ((said[2], 3), (said[0], 3), (said[1], 3)):
        counts.note(sealed)
        assert counts.next_of(AUTHOR.public) == following
    assert counts.next_of(OTHER.public) == 0
    assert counts.before(said[2]) is said[1]
    assert counts.before(said[0]) is None
    assert counts.numbered(OTHER.public, 0) is None


def test_counts__find_another_content_of_one_number() -> None:
    counts, (first, *_) = Counts(), chain(1)
    counts.note(first)
    assert counts.twin_of(seal(AUTHOR, CONTENT)) is None
    assert counts.twin_of(seal(AUTHOR, replace(CONTENT, body=b"other"))) is first
    assert counts.twin_of(seal(AUTHOR, replace(CONTENT, sequence=1))) is None


@pytest.mark.parametrize("missing", [(), (0,), (2,), (0, 2)], ids=str)
def test_counts__take_a_chain_in_any_order(missing: tuple[int, ...]) -> None:
    counts, said = Counts(), chain(3)
    for number in (0, 2):
        if number not in missing:
            counts.note(said[number])
    assert counts.break_with(said[1]) == ()


def test_counts__tell_what_breaks_a_chain() -> None:
    counts, said = Counts(), chain(3)
    counts.note(said[0])
    loose = seal(AUTHOR, replace(CONTENT, sequence=1, last=b"x" * 32))
    assert counts.break_with(loose) == (said[0], loose)
    counts = Counts()
    counts.note(said[2])
    assert counts.break_with(loose) == (loose, said[2])
    first = seal(AUTHOR, replace(CONTENT, last=b"x" * 32))
    assert counts.break_with(first) == (first,)
