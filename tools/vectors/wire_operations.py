"""Operations of the vectors on messages, heads, the lobby, the draw and logs.

protocol/SPEC.md sections 6 to 9. An operation takes the input of a vector and returns its result,
or raises ``Rejected`` with the name of the rule, the verdict, ``drop`` or ``refused``.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Final, TypeVar

from msgspec import Struct, structs, to_builtins

from p2p_hearts.agreement.draw import commit_nonce, draw_table, phrase_of
from p2p_hearts.agreement.rounds import FORMATION, STAGES
from p2p_hearts.cards.tablekey import check_table_key, make_table_key
from p2p_hearts.crypto.group import DecodeError as GroupDecodeError
from p2p_hearts.net.codes import code_matches, join_code, parse_code, secret_of
from p2p_hearts.record.audit import Report, Verdict, audit, compare, compare_tables
from p2p_hearts.record.audit.memo import Memo
from p2p_hearts.record.records import (
    FIRST_CHAIN,
    MAGIC,
    LogDamageError,
    LogTornError,
    NotALogError,
    RecordKind,
    make_record,
    open_start,
    read_records,
    start_data,
)
from p2p_hearts.rules.options import RuleError
from p2p_hearts.wire.chain import Place, first_head, next_head
from p2p_hearts.wire.codec import DecodeError, decode, encode
from p2p_hearts.wire.envelope import (
    BadSignatureError,
    Identity,
    Sealed,
    content_hash,
    seal,
)
from p2p_hearts.wire.evidence import open_content
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.lobby import (
    Hello,
    LobbyError,
    TableCard,
    hash_rules,
    open_lobby,
    open_roster,
)
from p2p_hearts.wire.messages import BALLOTS, BODIES, Content, Kind
from tools.spec_parts import MEANINGS
from tools.vectors.reading import rules_in
from tools.vectors.values import In, Operation, Plain, Rejected

T = TypeVar("T")

MEMO: Final = Memo()
"""Proofs that were checked before, in the same history: so that many twins of a match are cheap."""


# Sections 6 to 9.


_STRUCTS: Final[Mapping[str, type[Struct]]] = {kind.__name__: kind for kind in MEANINGS}


def _decode(given: In) -> Plain:
    """Decode a struct; the result is its fields by name."""
    kind = _STRUCTS[given.text("struct")]
    try:
        value = decode(given.data("bytes"), kind)
    except DecodeError:
        raise Rejected("drop") from None
    fields: Plain = to_builtins(structs.asdict(value), builtin_types=(bytes,))
    return fields


def _decode_long(given: In) -> Plain:
    """Decode a struct that is given as runs of bytes; the result is how many bytes it has."""
    kind = _STRUCTS[given.text("struct")]
    data = _long(given)
    try:
        decode(data, kind)
    except DecodeError:
        raise Rejected("drop") from None
    return len(data)


def _long(given: In) -> bytes:
    """Return bytes that are given as runs."""
    return b"".join(run.data("bytes") * run.number("times") for run in given.parts("runs"))


def _seal(given: In) -> Plain:
    """Sign a content: its bytes, its hash, and the envelope."""
    identity = Identity.from_private_bytes(given.data("private"))
    header = given.part("content")
    content = Content(
        version=header.number("version"),
        table=header.data("table"),
        hand=header.number("hand"),
        attempt=header.number("attempt"),
        round=header.number("round"),
        seat=header.number("seat"),
        author=identity.public,
        sequence=header.number("sequence"),
        last=header.data("last"),
        prev=header.data("prev"),
        kind=header.text("kind"),
        body=header.data("body"),
    )
    sealed = seal(identity, content)
    return {
        "author": identity.public,
        "content": encode(content),
        "hash": sealed.hash,
        "envelope": sealed.data,
    }


def _open(given: In) -> Plain:
    return _opened(given.data("envelope"))


def _open_long(given: In) -> Plain:
    return _opened(_long(given))


def _signed(envelope: bytes) -> Sealed:
    try:
        return open_content(envelope)
    except (DecodeError, BadSignatureError):
        raise Rejected("drop") from None


def _opened(envelope: bytes) -> Plain:
    sealed = _signed(envelope)
    return {"author": sealed.content.author, "hash": sealed.hash, "kind": sealed.content.kind}


def _take(given: In) -> Plain:
    """Take a content in a round of a kind; the result is its kind and the fields of its body."""
    content = _signed(given.data("envelope")).content
    (stage,) = (stage for stage in (*FORMATION, *STAGES) if stage.kind == given.text("round"))
    beside = {Kind.ACK, *(() if stage in FORMATION else BALLOTS)}
    lost = {Kind.LOST} if stage.takes_lost else set()
    if content.kind not in {*stage.kinds, *lost, *beside}:
        raise Rejected(Rule.KIND.value)
    try:
        body = decode(content.body, BODIES[Kind(content.kind)])
    except DecodeError:
        raise Rejected(Rule.BODY.value) from None
    fields: Plain = to_builtins(structs.asdict(body), builtin_types=(bytes,))
    return {"kind": content.kind, "body": fields}


def _first_head(given: In) -> Plain:
    return first_head(given.data("roster"))


def _next_head(given: In) -> Plain:
    place = Place(given.number("hand"), given.number("attempt"), given.number("round"))
    hashes = [(item.number("seat"), item.data("hash")) for item in given.parts("contents")]
    return next_head(given.data("prev"), place, hashes)


def _hash_content(given: In) -> Plain:
    return content_hash(given.data("content"))


def _hash_rules(given: In) -> Plain:
    try:
        return hash_rules(rules_in(given))
    except RuleError:
        raise Rejected("refused") from None


def _commit_nonce(given: In) -> Plain:
    return commit_nonce(given.data("roster"), given.number("place"), given.data("nonce"))


def _draw(given: In) -> Plain:
    drawn = draw_table(given.data("roster"), given.data("rules"), given.datas("nonces"))
    return {
        "table": drawn.table,
        "seats": drawn.seats,
        "cards": drawn.cards,
        "dealer": drawn.dealer,
        "phrase": drawn.phrase,
    }


def _phrase(given: In) -> Plain:
    return phrase_of(given.data("table"))


def _make_table_key(given: In) -> Plain:
    public, proof = make_table_key(
        given.data("secret"), given.data("instance"), given.data("author"), given.data("curve")
    )
    return {"table_key": public, "table_proof": proof}


def _check_table_key(given: In) -> Plain:
    try:
        return check_table_key(
            given.data("table_key"),
            given.data("table_proof"),
            given.data("instance"),
            given.data("author"),
            given.data("curve"),
        ).data
    except GroupDecodeError:
        raise Rejected("drop") from None


def _open_card(given: In) -> Plain:
    return _lobby(lambda: encode(open_lobby(given.data("envelope"), TableCard)))


def _open_hello(given: In) -> Plain:
    return _lobby(lambda: encode(open_lobby(given.data("envelope"), Hello)))


def _open_roster(given: In) -> Plain:
    def read() -> Plain:
        roster = open_roster(given.data("envelope"))
        return {
            "hash": roster.hash,
            "rules_hash": roster.rules_hash,
            "formation": roster.formation,
            "identities": [entry.identity for entry in roster.entries],
            "nicks": [entry.nick for entry in roster.entries],
        }

    return _lobby(read)


def _join_code(given: In) -> Plain:
    return join_code(given.data("identity"))


def _read_code(given: In) -> Plain:
    """The written form of a typed code, and the secret at its end."""
    typed = given.text("typed")
    try:
        return {"code": parse_code(typed), "secret": secret_of(typed)}
    except ValueError:
        raise Rejected("refused") from None


def _check_code(given: In) -> Plain:
    """Whether a typed code is that of a card's author."""
    if not code_matches(given.text("typed"), given.data("author")):
        raise Rejected("refused")
    return True


def _lobby(read: Callable[[], Plain]) -> Plain:
    try:
        return read()
    except LobbyError:
        raise Rejected("refused") from None
    except (DecodeError, BadSignatureError):
        raise Rejected("drop") from None


def _records(given: In) -> list[tuple[RecordKind, bytes]]:
    return [(RecordKind(item.number("kind")), item.data("data")) for item in given.parts("records")]


def write_log(records: Sequence[tuple[RecordKind, bytes]]) -> bytes:
    """Return the bytes of a log of these records."""
    chain, pieces = FIRST_CHAIN, [MAGIC]
    for kind, data in records:
        record, chain = make_record(chain, kind, data)
        pieces.append(record)
    return b"".join(pieces)


def _make_log(given: In) -> Plain:
    return write_log(_records(given))


def _make_start(given: In) -> Plain:
    owner = Identity.from_private_bytes(given.data("private"))
    return start_data(owner, given.text("program"), given.number("created"))


def _read_log(given: In) -> Plain:
    """Kinds and data of all records."""
    try:
        records = list(read_records(BytesIO(given.data("log"))))
    except LogTornError:
        raise Rejected("torn") from None
    except (NotALogError, LogDamageError):
        raise Rejected("unreadable") from None
    return [[int(item.kind), item.data] for item in records]


def _open_start(given: In) -> Plain:
    try:
        return open_start(given.data("data")).owner
    except (DecodeError, BadSignatureError):
        raise Rejected("unreadable") from None


def _records_in(given: In) -> list[tuple[RecordKind, bytes]]:
    return [
        (RecordKind(item.number("kind")), base64.b64decode(item.text("base64")))
        for item in given.parts("records")
        for _ in range(item.number("times") if item.has("times") else 1)
    ]


def _report(records: Sequence[tuple[RecordKind, bytes]]) -> Report:
    return audit(read_records(BytesIO(write_log(records))), memo=MEMO)


def _less(records: Sequence[tuple[RecordKind, bytes]], given: In) -> Report:
    """Audit a log of records, some of them left out."""
    dropped = set(given.numbers("drop")) if given.has("drop") else set()
    return _report([item for number, item in enumerate(records) if number not in dropped])


def _logs(given: In) -> list[Report]:
    """Audit a log, and those of the same records beside it."""
    records = _records_in(given)
    return [_less(records, item) for item in (given, *_beside(given))]


def _beside(given: In) -> list[In]:
    return given.parts("beside") if given.has("beside") else []


def _follow(given: In) -> Plain:
    """Audit a log; say what was found and how far the game could be followed.

    With others beside it: what was found in all of them, and the verdict on each table.
    """
    logs = _logs(given)
    found = compare_tables(logs)
    faults = [item for table in found.tables for item in table.faults]
    result: dict[str, Plain] = {
        "verdict": found.verdict.value,
        "faults": [[str(item.fault.rule), item.player.nick] for item in faults],
        "heads": [[*place, head] for place, head in sorted(_heads(logs[0]).items())],
    }
    tables: Plain = [table.verdict.value for table in found.tables]
    return {**result, "tables": tables} if given.has("beside") else result


def _heads(report: Report) -> Mapping[Place, bytes]:
    return {} if report.trace is None else report.trace.heads


def _follow_to(given: In) -> Plain:
    """Audit a log, some records left out, in which a round has to be closed; return its head."""
    logs = _logs(given)
    found = compare(logs)
    if found.faults:
        fault = found.faults[0]
        raise Rejected(f"fault {fault.fault.rule} by {fault.player.nick}")
    head = _heads(logs[0]).get(Place(*given.numbers("round")))
    if head is None or found.verdict is Verdict.DISAGREE:
        raise Rejected(found.verdict.value)
    return head


def _audit(given: In) -> Plain:
    """Audit a log: some first records, some left out, others appended, then damaged and cut."""
    records = _records_in(given)
    log = write_log(_changed(records, given))
    if given.has("flip"):
        at = given.number("flip")
        log = log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]
    if given.has("cut"):
        log = log[: given.number("cut")]
    report = audit(read_records(BytesIO(log)), memo=MEMO)
    beside = [_report(_changed(records, item)) for item in _beside(given)]
    found = compare([report, *beside])
    if found.verdict is Verdict.FAULT:
        (fault,) = found.faults
        raise Rejected(f"fault {fault.fault.rule} by {fault.player.nick}")
    if found.verdict is not Verdict.CLEAN:
        raise Rejected(found.verdict.value)
    return {
        "roster": report.roster,
        "table": report.table,
        "phrase": report.phrase,
        "players": [player.nick for player in report.players],
        "dealer": report.dealer,
        "scores": report.scores,
        "totals": report.totals,
        "winners": report.winners,
    }


def _changed(
    records: Sequence[tuple[RecordKind, bytes]], given: In
) -> list[tuple[RecordKind, bytes]]:
    """Return some first records, some left out, and contents appended."""
    dropped = set(given.numbers("drop"))
    first = records[: given.number("keep")]
    kept = [record for number, record in enumerate(first) if number not in dropped]
    return [*kept, *((RecordKind.CONTENT, data) for data in given.datas("append"))]


WIRE_OPERATIONS: Final[Mapping[str, Operation]] = {
    "decode": _decode,
    "decode long": _decode_long,
    "seal": _seal,
    "open envelope": _open,
    "open long envelope": _open_long,
    "take content": _take,
    "hash content": _hash_content,
    "first head": _first_head,
    "next head": _next_head,
    "hash rules": _hash_rules,
    "commit nonce": _commit_nonce,
    "draw": _draw,
    "phrase": _phrase,
    "make table key": _make_table_key,
    "check table key": _check_table_key,
    "open card": _open_card,
    "open hello": _open_hello,
    "open roster": _open_roster,
    "join code": _join_code,
    "read code": _read_code,
    "check code": _check_code,
    "make log": _make_log,
    "make start": _make_start,
    "open start": _open_start,
    "read log": _read_log,
    "audit": _audit,
    "follow": _follow,
    "follow to": _follow_to,
}
