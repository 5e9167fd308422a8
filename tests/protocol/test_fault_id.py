"""The id of a fault is the same at every peer, whatever signatures it was shown."""

from __future__ import annotations

from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Envelope, Sealed, seal
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.messages import NO_HASH, Content, Kind
from tests.table.sim import make_identities, seeded


def said(body: bytes, sequence: int = 3) -> Sealed:
    (identity,) = make_identities(1)
    content = Content(
        version=1,
        table=seeded("table"),
        hand=1,
        attempt=1,
        round=0,
        seat=2,
        author=identity.public,
        sequence=sequence,
        last=NO_HASH,
        prev=NO_HASH,
        kind=Kind.KEY,
        body=body,
    )
    return seal(identity, content)


def signed_again(sealed: Sealed) -> Sealed:
    """The same content under another signature: a signer can make as many as it likes."""
    envelope = decode(sealed.data, Envelope)
    return Sealed(sealed.content, sealed.hash, encode(Envelope(envelope.content, bytes(64))))


def test_fault__id_does_not_depend_on_the_signatures_of_the_contents() -> None:
    one, two = said(b"one"), said(b"two")
    fault = fault_of(Rule.TWO_CONTENTS, one, two)
    again = fault_of(Rule.TWO_CONTENTS, signed_again(one), two)
    assert fault.evidence != again.evidence
    assert fault.id == again.id


def test_fault__id_does_not_depend_on_the_order_in_which_contents_came() -> None:
    one, two = said(b"one"), said(b"two")
    assert fault_of(Rule.CHAIN, one, two).id == fault_of(Rule.CHAIN, two, one).id


def test_fault__other_contents_have_another_id() -> None:
    one, two, three = said(b"one"), said(b"two"), said(b"three")
    assert fault_of(Rule.CHAIN, one, two).id != fault_of(Rule.CHAIN, one, three).id
    assert fault_of(Rule.CHAIN, one).id != fault_of(Rule.CHAIN, one, two).id
