"""Vectors of sections 6, 8 and 9.1: encoding, envelopes, heads, lobby, draw, log records."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Final
from unittest.mock import patch
from zlib import crc32

import msgpack
from msgspec import Struct
from msgspec.structs import replace

from p2p_hearts.agreement.rounds import FORMATION, STAGES
from p2p_hearts.cards import tablekey
from p2p_hearts.cards.tablekey import make_table_key
from p2p_hearts.crypto.group import ORDER
from p2p_hearts.record.records import MAX_PAYLOAD, read_records
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.wire.codec import MAX_BYTES, decode, encode
from p2p_hearts.wire.envelope import Envelope, Identity, Sealed, digest, seal, sign_bytes
from p2p_hearts.wire.evidence import BODY_BYTES, REVEAL_BYTES
from p2p_hearts.wire.lobby import Hello, Join, News, Roster, TableCard, sign_lobby
from p2p_hearts.wire.messages import (
    BALLOTS,
    BODIES,
    Ack,
    Ahead,
    Choice,
    Content,
    Frame,
    Kind,
    Open,
    PassSelect,
    Play,
    Reveal,
)
from tools.vectors.basics import RULES, TABLE, options
from tools.vectors.operations import OPERATIONS
from tools.vectors.structs import sample
from tools.vectors.values import Plain, VectorFile, flipped, secret

INSTANCE: Final = secret("instance of a table card")
NICKS: Final = ("Ana", "Budi", "Clara", "Dewi", "Edu", "Fajar")


def identity(number: int) -> Identity:
    """Return a test identity."""
    return Identity.from_private_bytes(secret(f"identity {number}"))


def curve(number: int) -> bytes:
    """Return 40 bytes that stand for a CURVE key; no link is ever opened with them."""
    return secret(f"curve {number}").hex()[:40].encode()


def hello(number: int, instance: bytes = INSTANCE) -> Hello:
    """Return what a test player says of itself."""
    author, key = identity(number).public, curve(number)
    table_key, proof = make_table_key(secret(f"table key {number}"), instance, author, key)
    return Hello(
        version=1,
        instance=instance,
        author=author,
        curve=key,
        nick=NICKS[number],
        addresses=[(f"10.77.0.{number + 1}", 7000 + number), ("fe80::1", 7000)],
        table_key=table_key,
        table_proof=proof,
    )


def roster(rules: RuleSet, formation: int = 1) -> Roster:
    """Return a test roster, not signed yet."""
    return Roster(
        version=1,
        instance=INSTANCE,
        author=identity(0).public,
        formation=formation,
        name="Kitchen table",
        rules=dict(rules.to_dict()),
        entries=[sign_lobby(identity(n), hello(n)) for n in range(rules.seats)],
    )


def codec_file() -> VectorFile:
    """The one encoding of a struct, and what looks like it."""
    file = VectorFile("Section 6.1 and 6.3: the one encoding of a struct", OPERATIONS)
    card = Play(3, 36, b"proof")
    structs: dict[str, Struct] = {
        "a play": card,
        "no opening": Open(None, b"proof"),
        "a selection": PassSelect([0, 5, 12]),
        "no selection": PassSelect([]),
        "a choice": Choice("others-add"),
        "an ack": Ack(secret("head")),
        "a frame": Frame(secret("roster"), [b"an envelope"], None),
        "a part of the next deal": Ahead(secret("roster"), 2, 0, b"a body"),
        "a join": Join(b"a hello", "", False, True),
        "news": News(INSTANCE, "", ["Ana", "Žofie"], [True, False], b""),
    }
    for name, value in structs.items():
        file.accept(name, "decode", struct=type(value).__name__, bytes=encode(value))
    good = encode(card)
    position, face, proof = b"\xa8position", b"\xa4card", b"\xa5proof"
    start, bytes_ = b"\x83", b"\xc4\x05proof"
    if good != start + position + b"\x03" + face + b"\x24" + proof + bytes_:
        raise ValueError("the play is encoded in another way than this file takes apart")

    def play(at: bytes = b"\x03", card: bytes = b"\x24", proof_: bytes = bytes_) -> bytes:
        return start + position + at + face + card + proof + proof_

    for check, why, data in (
        ("V47", "nothing", b""),
        ("V47", "cut short", good[:-1]),
        ("V47", "trailing byte", good + b"\0"),
        ("V47", "an extension type", play(at=b"\xd4\x01\x00")),
        ("V47", "a field twice", b"\x84" + good[1:] + position + b"\x03"),
        ("V47", "a number as key", b"\x83\x01\x03" + good[1 + len(position) + 1 :]),
        ("V48", "an array", msgpack.packb([3, 36, b"proof"])),
        ("V48", "a field missing", b"\x82" + position + b"\x03" + face + b"\x24"),
        ("V48", "a field too many", b"\x84" + good[1:] + b"\xa4more\x00"),
        ("V48", "a position of 104", play(at=b"\x68")),
        ("V48", "a negative position", play(at=b"\xff")),
        ("V48", "a card of 52", play(card=b"\x34")),
        ("V48", "a position as float", play(at=b"\xca\x40\x40\x00\x00")),
        ("V48", "a position as boolean", play(at=b"\xc3")),
        ("V48", "a position as nil", play(at=b"\xc0")),
        ("V48", "bytes as text", play(proof_=b"\xa5proof")),
        ("V48", "a proof too long", play(proof_=b"\xc5\x04\x01" + bytes(1025))),
        (
            "V49",
            "fields in another order",
            start + face + b"\x24" + position + b"\x03" + proof + bytes_,
        ),
        ("V49", "a number in two bytes", play(at=b"\xcc\x03")),
        ("V49", "a length in two bytes", play(proof_=b"\xc5\x00\x05proof")),
        ("V49", "a long map header", b"\xde\x00\x03" + good[1:]),
        ("V49", "a long key header", start + b"\xd9\x08position" + good[1 + len(position) :]),
    ):
        file.reject("a play", check, "drop", why, bytes=data)
    longest = Frame(secret("roster"), [bytes(96 * 1024), bytes(96 * 1024 - 68)], None)
    full = longest.envelopes[0]
    file.accept("the longest frame", "decode long", struct="Frame", runs=_runs(encode(longest)))
    over = encode(replace(longest, envelopes=[full, longest.envelopes[1] + b"\0"]))
    file.reject("the longest frame", "V46", "drop", "a byte more", runs=_runs(over))
    if len(encode(longest)) != MAX_BYTES:
        raise ValueError("the longest frame is not as long as a struct may be")
    long = encode(Join(b"a hello", "x" * 65, False, True))
    file.reject("a join", "V48", "drop", "a code of 65 letters", bytes=long)
    ahead = Ahead(secret("roster"), 2, 0, bytes(24 * 1024 + 1))
    file.reject("a part of the next deal", "V48", "drop", "a body too long", bytes=encode(ahead))
    ahead = Ahead(secret("roster"), 0, 0, b"a body")
    file.reject("a part of the next deal", "V48", "drop", "of hand 0", bytes=encode(ahead))
    return file


def _runs(data: bytes) -> list[Plain]:
    """Return bytes as runs: what is no long row of zeros stands as it is."""
    pieces = re.findall(rb"\0{64,}|(?:(?!\0{64}).)+", data, re.DOTALL)
    return [
        {"bytes": bytes(1), "times": len(piece)}
        if piece.startswith(bytes(64))
        else {"bytes": piece, "times": 1}
        for piece in pieces
    ]


def content_file() -> VectorFile:
    """Contents, signatures, hashes, heads."""
    file = VectorFile("Section 6.2 and 6.4: contents, envelopes, heads", OPERATIONS)
    private = secret("identity 0")
    header: dict[str, Plain] = {
        "version": 1,
        "table": TABLE,
        "hand": 1,
        "attempt": 1,
        "round": 12,
        "seat": 2,
        "sequence": 27,
        "last": secret("content before"),
        "prev": secret("head before"),
        "kind": "play",
        "body": encode(Play(3, 36, bytes(64))),
    }
    file.accept("a content, sealed", "seal", private=private, content=header)
    made = file.result("a content, sealed")
    envelope, content, author = made.data("envelope"), made.data("content"), made.data("author")
    file.accept("a content", "open envelope", envelope=envelope)
    file.accept("its hash", "hash content", content=content)
    signature = envelope[-64:]

    def signed(signature_: bytes, content_: bytes = content) -> bytes:
        return encode(Envelope(content_, signature_))

    def by(author_: bytes) -> bytes:
        return content.replace(author, author_)

    twin, check = "a content", "V53"
    file.reject(twin, "V50", "drop", "a byte short", envelope=envelope[:-1])
    file.reject(twin, "V50", "drop", "a signature of 63 bytes", envelope=signed(bytes(64))[:-1])
    half = len(content) // 2
    file.reject(
        twin,
        check,
        "drop",
        "a byte of the content",
        envelope=envelope.replace(content, content[:-1] + flipped(content[-1:])),
    )
    file.reject(
        twin,
        "V51",
        "drop",
        "a content cut short",
        envelope=sign_bytes(identity(0), "content", content[:half]),
    )
    file.reject(twin, check, "drop", "another R", envelope=signed(flipped(signature, 0)))
    file.reject(twin, check, "drop", "another s", envelope=signed(flipped(signature, 32)))
    s = int.from_bytes(signature[32:], "little") + ORDER
    file.reject(
        twin,
        check,
        "drop",
        "s is not reduced",
        envelope=signed(signature[:32] + s.to_bytes(32, "little")),
    )
    file.reject(
        twin, check, "drop", "another author", envelope=signed(signature, by(identity(1).public))
    )
    file.reject(
        twin,
        check,
        "drop",
        "signed for another domain",
        envelope=sign_bytes(identity(0), "hello", content),
    )
    small = (1).to_bytes(32, "little")
    field = 2**255 - 19
    for why, point in (
        ("the neutral point", small),
        ("a point of order two", (field - 1).to_bytes(32, "little")),
        ("a point of order four", bytes(32)),
        ("not canonical", (field + 1).to_bytes(32, "little")),
    ):
        forged = signed(small + bytes(32), by(point))
        file.reject(twin, "V52", "drop", f"an author that is {why}", envelope=forged)
        file.reject(twin, "V52", "drop", f"R is {why}", envelope=signed(point + signature[32:]))

    _long_bodies(file, decode(content, Content))
    _kinds(file, decode(content, Content))
    file.accept("first head", "first head", roster=secret("roster hash"))
    contents: list[Plain] = [
        {"seat": seat, "hash": secret(f"content of seat {seat}")} for seat in range(4)
    ]
    place: dict[str, Plain] = {"prev": secret("head before"), "hand": 1, "attempt": 1, "round": 0}
    file.accept("head of four contents", "next head", contents=contents, **place)
    file.accept("the same in another order", "next head", contents=contents[::-1], **place)
    file.accept("head of one content", "next head", contents=contents[2:3], **place)
    return file


def _kinds(file: VectorFile, content: Content) -> None:
    """A content of each kind, in a round that takes it and in one that does not."""
    own, other = identity(0), encode(Choice("others-add"))
    beside = {Kind.CLAIM: Kind.PLAY, Kind.LOST: Kind.SHARES}
    stages = {stage.kind for stage in (*FORMATION, *STAGES)}
    for kind, body in BODIES.items():
        there = kind if kind in stages else beside.get(kind, Kind.SHUFFLE)

        def said(given: bytes, named: str = kind, there: Kind = there) -> bytes:
            hand = 0 if there in (Kind.SIT, Kind.DRAW) else 1
            return seal(own, replace(content, hand=hand, kind=named, body=given)).data

        good, name = said(sample(body.__name__)), f"{kind} in a round of {there}"
        file.accept(name, "take content", round=there, envelope=good)
        is_ballot = kind in BALLOTS
        check = {Kind.LOST: "V67", Kind.ACK: "V63"}.get(kind, "V77" if is_ballot else "V65")
        file.reject(name, check, "body", "a body that is nil", envelope=said(b"\xc0"))
        unlike = encode(Ack(secret("head"))) if kind is Kind.CHOICE else other
        file.reject(name, check, "body", "another kind's body", envelope=said(unlike))
        if kind is not Kind.ACK and not is_ballot:
            check = "V67" if kind is Kind.LOST else "V64"
            elsewhere = Kind.KEY if kind is not Kind.KEY else Kind.SHUFFLE
            file.reject(name, check, "kind", f"in a round of {elsewhere}", round=elsewhere)
        file.reject(name, "V53", "drop", "a signature is wrong", envelope=flipped(good, -1))
    name = f"{Kind.PLAY} in a round of {Kind.PLAY}"
    body_ = sample(BODIES[Kind.PLAY].__name__)
    file.reject(name, "V64", "kind", "a kind that is none", envelope=said(body_, "discard"))


def _long_bodies(file: VectorFile, content: Content) -> None:
    """How long a body may be: any, that of a reveal, and of one that carries evidence."""
    own, other = identity(0), identity(1)

    def runs(body: bytes, kind: Kind = Kind.REVEAL) -> list[Plain]:
        return _runs(seal(own, replace(content, kind=kind, body=body)).data)

    def said(signer: Identity, body: bytes, **fields: object) -> Sealed:
        return seal(signer, replace(content, author=signer.public, body=body, **fields))

    def revealed(signer: Identity, body: bytes) -> bytes:
        return said(signer, body, kind=Kind.REVEAL).data

    def carrying(*envelopes: bytes) -> list[Plain]:
        return runs(encode(Reveal(secret("z"), list(envelopes))))

    longest, reveal = bytes(BODY_BYTES), bytes(REVEAL_BYTES)
    spoken, head = said(other, longest), secret("another head")
    again = said(other, longest, prev=head)
    follows = said(other, longest, round=13, sequence=28, last=spoken.hash)
    drawing = said(other, longest, hand=0, table=head, seat=3)
    one, two = "the longest reveal with one content", "a reveal with two that prove a fault"
    for name, given in (
        ("the longest play", runs(longest, Kind.PLAY)),
        ("the longest reveal without evidence", runs(reveal)),
        (one, carrying(revealed(other, reveal))),
        (two, carrying(spoken.data, again.data)),
        (f"{two}, one of the draw", carrying(spoken.data, drawing.data)),
    ):
        file.accept(name, "open long envelope", runs=given)
    for twin, why, given in (
        ("the longest play", "a byte more", runs(longest + b"\0", Kind.PLAY)),
        ("the longest reveal without evidence", "a byte more", runs(reveal + b"\0")),
        (one, "a play, too long", carrying(said(other, reveal).data)),
        (one, "a reveal, too long", carrying(revealed(other, reveal + b"\0"))),
        (one, "that is its own", carrying(revealed(own, reveal))),
        (one, "that is not signed", carrying(flipped(revealed(other, reveal), -1))),
        (two, "contents that prove nothing", carrying(spoken.data, follows.data)),
        (two, "contents that are the same", carrying(spoken.data, spoken.data)),
        (
            two,
            "contents of two authors",
            carrying(spoken.data, said(identity(2), longest, prev=head).data),
        ),
        (
            two,
            "contents of two tables",
            carrying(spoken.data, said(other, longest, table=head).data),
        ),
        (two, "contents of two seats", carrying(spoken.data, said(other, longest, seat=3).data)),
    ):
        file.reject(twin, "V51", "drop", why, runs=given)


def draw_file() -> VectorFile:
    """Hash of rules, nonces, seats, dealer, phrase."""
    file = VectorFile(
        "Section 8.1 and 8.3: rules hash, commitments, the draw, the phrase", OPERATIONS
    )
    for name, rules in PRESETS.items():
        file.accept(f"rules {name}", "hash rules", rule_set=options(rules))
    file.accept("rules with a clock", "hash rules", rule_set=options(RuleSet(clock=45)))
    twin, rules_ = "rules black-lady", options(RuleSet())
    two = options(PRESETS["cancellation"])
    for why, changed in (
        ("an option missing", {key: value for key, value in rules_.items() if key != "moon"}),
        ("an unknown option", {**rules_, "jokers": 2}),
        ("a number as text", {**rules_, "target": "100"}),
        ("a boolean as number", {**rules_, "hearts_break": 1}),
        ("a value that is none", {**rules_, "moon": "others add"}),
        ("out of range", {**rules_, "target": 0}),
        ("two packs with an opening card", {**rules_, "packs": 2, "seats": 6}),
        ("seven seats with one pack", {**rules_, "seats": 7}),
        ("two packs for five", {**two, "seats": 5}),
        ("two packs with a lowest club", {**two, "opening": "lowest-club"}),
        ("two packs with a pass", {**two, "pass_count": 3}),
        ("a pass of more cards than a hand has", {**rules_, "pass_count": 14}),
        ("a clock of 0, that is left out", {**rules_, "clock": 0}),
        ("a clock too short", {**rules_, "clock": 9}),
    ):
        file.reject(twin, "V87", "refused", why, rule_set=changed)
    roster_hash = secret("roster hash")
    for place in range(2):
        file.accept(
            f"commitment of place {place}",
            "commit nonce",
            roster=roster_hash,
            place=place,
            nonce=secret("nonce 0"),
        )
    for seats in (3, 4, 5, 6, 11):
        file.accept(
            f"draw for {seats}",
            "draw",
            roster=roster_hash,
            rules=RULES,
            nonces=[secret(f"nonce {place}") for place in range(seats)],
        )
    file.accept("phrase", "phrase", table=TABLE)
    return file


def _no_table_key(author: bytes, curve_key: bytes) -> dict[str, Plain]:
    """Return the identity as a table key, and a proof that holds: its secret, 0, is known."""
    with patch.object(tablekey, "_derive", lambda key, *parts: 0 if parts[0] == b"t" else 1):
        key, proof = make_table_key(bytes(32), INSTANCE, author, curve_key)
    return {"table_key": key, "table_proof": proof}


NO_LINK_KEYS = {
    "a link key with a byte that is none of Z85": curve(1)[:39] + b"~",
    "a link key with a number of 2**32": curve(1)[:35] + b"%nSc1",
}


def lobby_file() -> VectorFile:
    """Table keys, cards, hellos, rosters, each with its refusals."""
    file = VectorFile("Section 7.2 and 8.1: table keys, cards, hellos, rosters", OPERATIONS)
    author = identity(0).public
    owner: dict[str, Plain] = {"instance": INSTANCE, "author": author, "curve": curve(0)}
    file.accept("a table key, made", "make table key", secret=secret("table key 0"), **owner)
    made = file.result("a table key, made")
    key, proof = made.data("table_key"), made.data("table_proof")
    twin = "a table key"
    file.accept(twin, "check table key", table_key=key, table_proof=proof, **owner)
    other = make_table_key(secret("table key 1"), INSTANCE, author, curve(0))
    file.reject(twin, "V68", "drop", "the identity", **_no_table_key(author, curve(0)))
    file.reject(twin, "V68", "drop", "another key", table_key=other[0])
    file.reject(twin, "V68", "drop", "another challenge", table_proof=flipped(proof))
    file.reject(twin, "V68", "drop", "another response", table_proof=flipped(proof, 32))
    file.reject(twin, "V68", "drop", "another instance", instance=flipped(INSTANCE))
    file.reject(twin, "V68", "drop", "another identity", author=identity(1).public)
    file.reject(twin, "V68", "drop", "another link key", curve=curve(1))

    card = TableCard(
        version=1,
        instance=INSTANCE,
        author=author,
        curve=curve(0),
        name="Kitchen table",
        host=NICKS[0],
        lobby=7100,
        rules=dict(RuleSet().to_dict()),
        free=3,
        coded=False,
        nicks=[NICKS[0]],
    )
    founder = identity(0)
    file.accept("a card", "open card", envelope=sign_lobby(founder, card))
    own = hello(1)
    file.accept("a hello", "open hello", envelope=sign_lobby(identity(1), own))
    for twin, good, signer, domain in (
        ("a card", card, founder, "card"),
        ("a hello", own, identity(1), "hello"),
    ):
        late = replace(good, version=2)
        file.reject(twin, "V86", "refused", "version 2", envelope=sign_lobby(signer, late))
        for why, key in NO_LINK_KEYS.items():
            wrong_key = _keyed(good, key)
            file.reject(twin, "V86", "refused", why, envelope=sign_lobby(signer, wrong_key))
        foreign = sign_bytes(identity(2), domain, encode(good))
        file.reject(twin, "V85", "drop", "signed by somebody else", envelope=foreign)
        wrong = sign_bytes(signer, "roster", encode(good))
        file.reject(twin, "V85", "drop", "signed for another domain", envelope=wrong)

    rules = RuleSet(seats=3)
    good_roster = roster(rules)
    twin = "a roster"
    file.accept(twin, "open roster", envelope=sign_lobby(founder, good_roster))

    def refuse(check: str, expect: str, why: str, changed: Roster) -> None:
        file.reject(twin, check, expect, why, envelope=sign_lobby(founder, changed))

    entries = good_roster.entries
    guest = identity(2)
    stray = sign_lobby(guest, hello(2, secret("another instance")))
    copied = sign_lobby(guest, replace(hello(1), author=guest.public))
    twin_link = _hello_with(2, link=1)
    twin_key = _hello_with(2, table_key=1)
    twin_author = _hello_with(1, link=2, table_key=2)
    broken = entries[2][:-1] + bytes([entries[2][-1] ^ 1])
    refuse("V85", "drop", "formation 0", replace(good_roster, formation=0))
    refuse("V86", "refused", "version 2", replace(good_roster, version=2))
    refuse(
        "V87",
        "refused",
        "rules that make no sense",
        replace(good_roster, rules={**good_roster.rules, "target": 0}),
    )
    refuse("V88", "refused", "a hello short", replace(good_roster, entries=entries[:2]))
    refuse(
        "V88", "refused", "rules for four", replace(good_roster, rules=dict(RuleSet().to_dict()))
    )
    refuse(
        "V89",
        "refused",
        "a hello of another instance",
        replace(good_roster, entries=[*entries[:2], stray]),
    )
    refuse(
        "V89",
        "drop",
        "a hello with a wrong signature",
        replace(good_roster, entries=[*entries[:2], broken]),
    )
    refuse(
        "V89",
        "refused",
        "a table key that is another one's",
        replace(good_roster, entries=[*entries[:2], copied]),
    )
    no_link = sign_lobby(guest, _keyed(hello(2), bytes(40)))
    refuse(
        "V89",
        "refused",
        "a link key that is none",
        replace(good_roster, entries=[*entries[:2], no_link]),
    )
    unproven = replace(hello(2), table_proof=flipped(hello(2).table_proof))
    for why, changed in (
        ("a hello with a table key that is not proven", unproven),
        ("a hello of version 2", replace(hello(2), version=2)),
    ):
        last = sign_lobby(guest, changed)
        refuse("V89", "refused", why, replace(good_roster, entries=[*entries[:2], last]))
    refuse(
        "V90",
        "refused",
        "the founder is not first",
        replace(good_roster, entries=[entries[1], entries[0], entries[2]]),
    )
    refuse(
        "V91", "refused", "a player twice", replace(good_roster, entries=[*entries[:2], entries[1]])
    )
    for why, last in (
        ("two players with one link key", twin_link),
        ("two players with one table key", twin_key),
        ("one player with two link keys", twin_author),
    ):
        refuse("V91", "refused", why, replace(good_roster, entries=[*entries[:2], last]))
    return file


def _keyed(good: TableCard | Hello, key: bytes) -> TableCard | Hello:
    """Return a card or a hello with another link key, and of a hello a proof that fits it."""
    if isinstance(good, TableCard):
        return replace(good, curve=key)
    table_key, proof = make_table_key(secret("table key 1"), INSTANCE, good.author, key)
    return replace(good, curve=key, table_key=table_key, table_proof=proof)


def _hello_with(number: int, link: int | None = None, table_key: int | None = None) -> bytes:
    """Return a hello with the CURVE or table key of somebody else, and a proof that fits."""
    own = identity(number)
    key = curve(number if link is None else link)
    of = number if table_key is None else table_key
    made, proof = make_table_key(secret(f"table key {of}"), INSTANCE, own.public, key)
    changed = replace(hello(number), curve=key, table_key=made, table_proof=proof)
    return sign_lobby(own, changed)


def log_file() -> VectorFile:
    """A short log and what accidents and forgers make of it."""
    file = VectorFile("Section 9.1: log records", OPERATIONS)
    private = secret("identity 0")
    file.accept("start, made", "make start", private=private, program="1.0", created=1767225600)
    start = bytes.fromhex(str(file.accepted[-1]["result"]))
    file.accept("start", "open start", data=start)
    file.reject("start", "V99", "unreadable", "another signature", data=flipped(start, -1))
    records: list[Plain] = [
        {"kind": 1, "data": start},
        {"kind": 2, "data": b"a roster's envelope"},
        {"kind": 3, "data": b"a content's envelope"},
    ]
    file.accept("no records", "make log", records=[])
    file.accept("three records, made", "make log", records=records)
    log = bytes.fromhex(str(file.accepted[-1]["result"]))
    twin = "three records"
    file.accept(twin, "read log", log=log)
    last = log.rindex(b"\x03a content") - 44
    for check, expect, why, data in (
        ("V93", "unreadable", "nothing", b""),
        ("V93", "unreadable", "another line", log.replace(b"log 1", b"log 2")),
        ("V94", "unreadable", "a damaged length", flipped(log, last + 3)),
        ("V94", "torn", "zeros at the end", log + bytes(100)),
        ("V94", "unreadable", "zeros, and then something else", log + bytes(100) + b"\1"),
        ("V94", "unreadable", "a length of nothing", log + _head(0)),
        ("V94", "unreadable", "a length beyond the limit", log + _head(MAX_PAYLOAD + 1)),
        ("V95", "torn", "a length at the limit, and no payload", log + _head(MAX_PAYLOAD)),
        ("V95", "torn", "cut in a header", log[: last + 20]),
        ("V95", "torn", "cut in a payload", log[:-1]),
        ("V96", "unreadable", "a damaged payload", flipped(log, -1)),
        ("V96", "unreadable", "a damaged chain", flipped(log, last + 20)),
        ("V96", "unreadable", "a damaged sum of both", flipped(log, last + 11)),
        ("V97", "unreadable", "a record left out", _without_second(log)),
        ("V98", "unreadable", "an unknown kind", _with_kind(log[:last], 4)),
    ):
        file.reject(twin, check, expect, why, log=data)
    return file


def _head(length: int) -> bytes:
    """Return the head of a record of this length, which fits nothing but its length."""
    size = length.to_bytes(4, "big")
    return size + crc32(size).to_bytes(4, "big") + bytes(36)


def _without_second(log: bytes) -> bytes:
    """Return the log without its second record; the third follows the first."""
    second = log.index(b"\x02a roster") - 44
    third = log.index(b"\x03a content") - 44
    return log[:second] + log[third:]


def _with_kind(log: bytes, kind: int) -> bytes:
    """Return a log with one more record, in order but for its kind."""
    chain = list(read_records(BytesIO(log)))[-1].chain
    payload = bytes([kind]) + b"data"
    now = digest("log", chain, payload)
    length = len(payload).to_bytes(4, "big")
    crcs = crc32(length).to_bytes(4, "big") + crc32(now + payload).to_bytes(4, "big")
    return log + length + crcs + now + payload
