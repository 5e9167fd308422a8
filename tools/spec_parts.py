"""The parts of protocol/ that are made from the code: tables, the diagram, the message schema.

Each function of ``PARTS`` returns the Markdown between two markers of protocol/SPEC.md. What a
field means stands here, once for each field of each struct: a field without a meaning, or a meaning
without a field, stops the generator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, Final

from msgspec import Struct, inspect

from p2p_hearts.agreement.rounds import FORMATION, STAGES, Facts, Stage, Who, next_stage, stage_of
from p2p_hearts.agreement.words import WORDS
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.net import door
from p2p_hearts.net.terms import Limits
from p2p_hearts.record import records
from p2p_hearts.record.records import Start
from p2p_hearts.rules.options import (
    LARGEST_NUMBER,
    MOST_WATCHERS,
    OPTIONS,
    SHORTEST_CLOCK,
    SHORTEST_GRACE,
)
from p2p_hearts.table import early, hearing, lobby, serving
from p2p_hearts.table.hand import BEFORE_CARDS, WITHOUT_CARDS
from p2p_hearts.table.round import MAX_BALLOTS, MAX_VALUES
from p2p_hearts.wire import codec
from p2p_hearts.wire.envelope import Envelope
from p2p_hearts.wire.faults import FLAW_RULES, SENTENCES, Rule
from p2p_hearts.wire.lobby import (
    Gallery,
    Hello,
    Join,
    News,
    Onlooker,
    Remark,
    Roster,
    TableCard,
    Whereabouts,
)
from p2p_hearts.wire.messages import (
    BODIES,
    VERSION,
    Ahead,
    Beat,
    Complaint,
    Content,
    Frame,
    Kind,
    RoundReport,
)

_CIPHERTEXTS = "ciphertexts of 64 bytes"

MEANINGS: Final[Mapping[type[Struct], Mapping[str, str]]] = {
    Content: {
        "version": "1",
        "table": "table id; in hand 0 the hash of the roster",
        "hand": "from 1; 0 while the table forms",
        "attempt": "1, or 2 where a hand begins anew; in hand 0 the number of the formation",
        "round": "from 0 in every hand",
        "seat": "the signer's; in hand 0 its place in the roster",
        "author": "the signer's Ed25519 key",
        "sequence": "how many contents the author signed at this table before",
        "last": "hash of the author's content before, zero in its first",
        "prev": "head of the round before this one",
        "kind": "one of 6.3",
        "body": "encoded on its own, as 6.3 says",
    },
    Envelope: {"content": "the bytes that are signed", "signature": "Ed25519"},
    BODIES[Kind.SIT]: {"commitment": "8.3"},
    BODIES[Kind.DRAW]: {"nonce": "8.3"},
    BODIES[Kind.KEY]: {"commitment": "K", "public": "X", "proof": "64 bytes"},
    BODIES[Kind.SHUFFLE]: {"deck": f"N {_CIPHERTEXTS}", "proof": "4.2, 32·(5N + 9) bytes"},
    BODIES[Kind.ESCROW]: {"publics": "Y of every recipient", "seals": "7.3, 128 bytes each"},
    BODIES[Kind.SEALS]: {"complaints": "of seals that opened wrong; owners ascending"},
    Complaint: {"owner": "who made the seal", "point": "D", "proof": "64 bytes"},
    BODIES[Kind.OPENINGS]: {"points": "elements, in the order of 7.5", "proof": "64 bytes"},
    BODIES[Kind.SHARES]: {"shares": "elements, positions ascending", "proof": "64 bytes"},
    BODIES[Kind.PASS_SELECT]: {"positions": "of the own hand, strictly ascending"},
    BODIES[Kind.PASS]: {
        "cards": f"{_CIPHERTEXTS}, one for each selected position",
        "proof": "64 bytes and 32 for each card",
    },
    BODIES[Kind.REMASK]: {
        "deck": f"{_CIPHERTEXTS}, a whole hand",
        "proof": "32·(5N + 9) bytes, N being the size of a hand",
    },
    BODIES[Kind.OPEN]: {
        "position": "of the opening card, or nil: not in this hand",
        "proof": "64 bytes, or 256 without a position",
    },
    BODIES[Kind.PLAY]: {
        "position": "in the own hand",
        "card": "the face at that position",
        "proof": "64 bytes, or 96 and 32 for each class of the claim",
    },
    BODIES[Kind.CLAIM]: {
        "cards": "the faces of all own cards left, positions ascending",
        "proof": "64 bytes",
    },
    BODIES[Kind.WIDOW]: {
        "shares": "elements, the widow's positions ascending",
        "proof": "64 bytes",
    },
    BODIES[Kind.CHOICE]: {"moon": "`others-add` or `shooter-subtracts`"},
    BODIES[Kind.REVEAL]: {
        "secret": "z",
        "evidence": "7.7, envelopes of one other seat; mostly none",
    },
    BODIES[Kind.LOST]: {},
    BODIES[Kind.ACK]: {"head": "of this round"},
    BODIES[Kind.VOTE]: {
        "ballot": "from 1",
        "target": "the seat not waited for",
        "opener": "who opened the ballot",
        "view": "by speaker the hash of the content held, empty for none",
        "lock": "hash of the voter's latest confirm of this round, or empty",
    },
    BODIES[Kind.CONFIRM]: {
        "ballot": "from 1",
        "target": "the seat not waited for",
        "value": "by speaker the hash of the content that stands, empty for none",
        "votes": "hashes of the votes, by voter",
    },
    RoundReport: {
        "round": "its number",
        "speeches": "by seat the hash of the content held, empty for none",
        "acks": "likewise",
        "ballots": "hashes of votes, confirms, and second contents of one speech",
    },
    Beat: {
        "table": "hash of the roster",
        "hand": "place of the first round without a certificate",
        "attempt": "likewise",
        "round": "likewise",
        "open": "the rounds from there on, as far as they are open",
        "fault": "id of the fault that stands, or empty",
        "finished": "the last certificate of the match is held",
        "recall": "6.8: a number of this start, or 0",
        "recalled": "6.8: by place the last `recall` that was answered to its end",
    },
    Frame: {
        "table": "hash of the roster",
        "envelopes": "of contents, anybody's",
        "beat": "or nil",
    },
    TableCard: {
        "version": "1",
        "instance": "random, new for every opening of a table",
        "author": "the founder's identity, which signs",
        "curve": "its CURVE key, Z85",
        "name": "of the table",
        "host": "the founder's nickname",
        "lobby": "port of its lobby socket",
        "rules": "all options by name (5.1)",
        "free": "seats",
        "coded": "a join code is asked for",
        "nicks": "of those who sit, as the founder says; its own first",
    },
    Hello: {
        "version": "1",
        "instance": "of the table card",
        "author": "the peer's identity, which signs",
        "curve": "its CURVE key, Z85",
        "nick": "for display; two players may have the same",
        "addresses": "where its table socket listens: host, port",
        "table_key": "T (7.2)",
        "table_proof": "of T (7.2)",
    },
    Roster: {
        "version": "1",
        "instance": "of the table card",
        "author": "the founder, which signs",
        "formation": "from 1, counted up with every roster of this instance",
        "name": "of the table",
        "rules": "all options by name (5.1)",
        "entries": "envelopes of hellos; the founder's own first",
    },
    Join: {
        "hello": "envelope of the guest's hello",
        "code": "the secret of the join code (8.5), or empty",
        "leaving": "the seat is given back",
        "ready": "for the cards; of no meaning for one who watches",
    },
    News: {
        "instance": "of the table card",
        "refused": "why the guest may not sit, or empty",
        "nicks": "of those who wait",
        "ready": "of each of them, in that order",
        "roster": "its envelope, or empty while seats are free",
    },
    Onlooker: {
        "version": "1",
        "instance": "of the table card",
        "author": "the watcher's identity, which signs",
        "curve": "its CURVE key, Z85",
        "nick": "for display",
        "addresses": "where its table socket listens: host, port",
    },
    Gallery: {
        "version": "1",
        "instance": "of the table card",
        "author": "the founder, which signs",
        "number": "the higher one holds",
        "watchers": "envelopes of onlookers",
    },
    Remark: {
        "version": "1",
        "table": "hash of the roster",
        "author": "of a seat or a watcher, which signs",
        "number": "ascending for each author",
        "text": "cleaned by whoever shows it",
    },
    Ahead: {
        "table": "hash of the roster",
        "hand": "the one after the hand that is played",
        "round": "in attempt 1 of it",
        "body": "of a `key` in round 0, else of a `shuffle`",
    },
    Whereabouts: {"places": "CURVE keys of the roster, each with addresses: host, port"},
    Start: {
        "program": "version of the program, for people",
        "protocol": "1",
        "owner": "identity of the peer that keeps this log, which signs",
        "created": "seconds since 1970 by its clock, for people",
    },
}
"""What each field is, for every struct of the protocol."""

PROVES: Final[Mapping[Rule, str]] = {
    Rule.BODY: "V46 to V49, V63, V65, and lists of the wrong length or of what does not decode",
    Rule.KIND: "V64, V67",
    Rule.TURN: "V61",
    Rule.TWO_CONTENTS: "V59, V78",
    Rule.EVIDENCE: "V83, V84",
    Rule.PREVIOUS: "V60",
    Rule.CHAIN: "V62",
    Rule.COMMITMENT: "V92",
    Rule.KEY_PROOF: "V10",
    Rule.SHUFFLE: "V13 to V18",
    Rule.ESCROW: "V70, V71",
    Rule.COMPLAINT: "V72, V74, V75",
    Rule.SEAL: "V76",
    Rule.OPENINGS: "V82",
    Rule.BALLOT: "V77, V79, V80",
    Rule.SHARES: "V20",
    Rule.PASS_POSITIONS: "V21, V22",
    Rule.PASS: "V24",
    Rule.REMASK: "V26",
    Rule.OPENING_HIDDEN: "V30",
    Rule.OPENING_PROOF: "V29",
    Rule.POSITION: "V27, V31",
    Rule.CARD: "V32, V36, V42, V44",
    Rule.CLAIM_CARDS: "V41",
    Rule.CLAIM: "V45",
    Rule.PROOF_FORM: "V28, V33, V34",
    Rule.REVOKE: "V37",
    Rule.HEARTS_CLOSED: "V37",
    Rule.TRICK_ONE: "V37",
    Rule.SECRET: "V39",
    Rule.RERUN: "V40",
    Rule.CHOICE: "V38",
}
"""The checks behind each rule."""

_MADE: Final = "<!-- generated: {name} -->\n"
_END: Final = "<!-- end of generated: {name} -->"


def fill(text: str) -> str:
    """Return the text with every generated part made anew.

    ``ValueError`` for a part that is missing, or a marker that names none.
    """
    found = set(re.findall(r"<!-- generated: ([a-z]+) -->", text))
    if found != set(PARTS):
        raise ValueError(f"parts of SPEC.md: {sorted(found ^ set(PARTS))}")
    for name, make in PARTS.items():
        start, end = _MADE.format(name=name), _END.format(name=name)
        before, rest = text.split(start)
        _, after = rest.split(end)
        text = f"{before}{start}{make()}{end}{after}"
    return text


def schema() -> str:
    """Return protocol/messages.json."""
    bodies = {kind.value: _name(body) for kind, body in BODIES.items()}
    value = {
        "version": VERSION,
        "encoding": "MessagePack, the one shortest form; see SPEC.md section 6.1",
        "contents": bodies,
        "structs": [_describe(kind) for kind in MEANINGS],
    }
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


# Parts.


def _rounds() -> str:
    rows = [_round_row("0", stage) for stage in FORMATION]
    rows += [_round_row("1 …", stage) for stage in STAGES]
    return _table(("hand", "round", "who speaks", "when", "what is said"), rows)


def _round_row(hand: str, stage: Stage) -> tuple[str, ...]:
    marks = []
    if stage.runs_ahead:
        marks.append("runs ahead")
    if stage.decided:
        marks.append("a player's decision")
    what = stage.what + (f" ({', '.join(marks)})" if marks else "")
    return hand, " or ".join(f"`{kind}`" for kind in stage.kinds), stage.who.value, stage.when, what


def _diagram() -> str:
    """Return the rounds as a state diagram: every step that ``next_stage`` can take.

    A hand begins with a key of every seat or, in attempt 2 and after a broken rule, of all but one.
    """
    formation = [stage.kind for stage in FORMATION]
    edges = dict.fromkeys([*pairwise(formation), (formation[-1], STAGES[0].kind)])
    for escrows, passes, opens in product((True, False), repeat=3):
        if escrows or not passes:
            edges |= dict.fromkeys(_steps(Facts(2, escrows=escrows, passes=passes, opens=opens)))
    lines = ["```mermaid", "stateDiagram-v2", f"    [*] --> {formation[0]}: a roster is signed"]
    for stage in (*FORMATION, *STAGES):
        kinds = [*stage.kinds, *([Kind.LOST] if stage.takes_lost else [])]
        lines.append(f"    {stage.kind}: {' or '.join(kinds)} ({_SPEAKERS[stage.who]})")
    for before, after in edges:
        is_choice = sum(source is before for source, _ in edges) > 1
        lines.append(f"    {before} --> {after}" + (f": {_edge_words(after)}" if is_choice else ""))
    lines += [
        f"    {stage.kind} --> {STAGES[0].kind}: without a seat that is missing, once (7.1)"
        for stage in STAGES
        if stage.kind in BEFORE_CARDS
    ]
    lines += [
        f"    {Kind.REVEAL} --> {STAGES[0].kind}: the match is not over",
        f"    {Kind.REVEAL} --> [*]: the match is over",
        "```",
    ]
    return "\n".join(lines) + "\n"


def _steps(facts: Facts) -> Iterator[tuple[Kind, Kind]]:
    """Return which kind of round can follow which, from these facts on."""
    seen: set[Facts] = set()
    waiting = [facts]
    while waiting:
        now = waiting.pop()
        stage = next_stage(now)
        if now in seen or stage is None:
            continue
        seen.add(now)
        for after in _outcomes(stage.kind, now):
            following = next_stage(after)
            if following is not None:
                yield stage.kind, following.kind
            waiting.append(after)


def _outcomes(kind: Kind, facts: Facts) -> list[Facts]:
    """Return the facts that there can be after a round of this kind."""
    if kind is Kind.OPENINGS:
        # The round that waited is concluded then.
        facts = replace(facts, openings_wait=False)
        waited = next_stage(facts)
        return [] if waited is None else _conclusions(waited.kind, facts)
    found = _conclusions(kind, facts)
    if facts.sealed and kind not in BEFORE_CARDS | WITHOUT_CARDS:
        found.append(replace(facts, openings_wait=True))
    return found


def _conclusions(kind: Kind, facts: Facts) -> list[Facts]:
    """Return the facts that there can be after a round that all who speak in it have concluded."""
    over = [{"play_over": True}, {"play_over": True, "choice_waits": True}]
    changes: Mapping[Kind, list[dict[str, Any]]] = {
        Kind.KEY: [{"keyed": True}],
        Kind.SHUFFLE: [{"shuffles": facts.shuffles + 1}],
        Kind.ESCROW: [{"escrowed": True}],
        Kind.SEALS: [{"sealed": True}],
        Kind.SHARES: [{"shared": True}],
        Kind.PASS_SELECT: [{"selected": True}],
        Kind.PASS: [{"passed": True}],
        Kind.REMASK: [{"remasked": True}],
        Kind.OPEN: [{"opened": True}],
        Kind.PLAY: [{}, {"widow_waits": True}, *over],
        Kind.WIDOW: [
            {"widow_waits": False},
            *({"widow_waits": False, **change} for change in over),
        ],
        Kind.CHOICE: [{"choice_waits": False}],
        Kind.REVEAL: [{"revealed": True}],
    }
    return [replace(facts, **change) for change in changes[kind]]


def _edge_words(kind: Kind) -> str:
    if kind is Kind.OPENINGS:
        return "a seat is away, and its cards are needed (7.5)"
    return stage_of(kind).when


_SPEAKERS: Final = {
    Who.ALL: "all seats",
    Who.DEALER_FIRST: "one seat",
    Who.TURN: "the seat in turn",
    Who.SHOOTER: "the shooter",
}


def _options() -> str:
    ranges = {
        "seats": "3 to 6, with two packs 6 to 11",
        "packs": "1, 2",
        "pass_count": "0 to the cards of a hand",
        "queen_points": "0, 13",
        "jack_points": "0, −10",
        "target": f"1 to {LARGEST_NUMBER}",
        "hands": f"0 to {LARGEST_NUMBER}",
        "grace": f"{SHORTEST_GRACE} to {LARGEST_NUMBER}",
        "clock": f"{SHORTEST_CLOCK} to {LARGEST_NUMBER}; absent for 0",
        "watchers": f"0 to {MOST_WATCHERS}",
    }
    rows = []
    for name, default in sorted(OPTIONS.items()):
        if isinstance(default, bool):
            values = "`true`, `false`"
        elif isinstance(default, str):
            values = ", ".join(f"`{member}`" for member in type(default))  # type: ignore[attr-defined]
        else:
            values = ranges[name]
        rows.append((f"`{name}`", values, f"`{json.dumps(default)}`"))
    return _table(("option", "values", "usual"), rows)


def _limits() -> str:
    rows = [
        ("one encoded struct", f"{codec.MAX_BYTES} bytes"),
        ("entries of a list or map", str(codec.MAX_ITEMS)),
        ("text", "4096 bytes of UTF-8; the lengths in tables are in code points"),
        ("payload of a log record", f"{records.MAX_PAYLOAD} bytes"),
        ("contents kept early", f"{early.ROUNDS_AHEAD} rounds ahead"),
        ("early contents kept of one author", f"{early.EARLY_BYTES} bytes"),
        (
            "votes and confirms of a round, beyond which none is kept for being named by another",
            str(MAX_BALLOTS),
        ),
        (
            "combinations of contents tried for the head of an ack, at a table",
            str(MAX_VALUES),
        ),
        ("envelopes verified in vain for one peer in a second", str(hearing.WASTED_SIGNATURES)),
        ("strangers that a lobby answers at once", str(lobby.MAX_CONTACTS)),
        ("formations a guest follows in one opening of a table", str(lobby.MAX_FORMATIONS)),
        ("rounds served for one beat", str(serving.SERVED_ROUNDS)),
        ("envelopes in one frame of those", f"{serving.FRAME_ENVELOPES}"),
        ("bytes of envelopes in it", f"{serving.FRAME_BYTES}, unless one alone is longer"),
    ]
    return _table(("what", "at most"), rows)


def _doors() -> str:
    """What each listening socket takes, and how fast."""
    bounds, headings = Limits(), ("socket", "a message", "a second", "after a pause", "silence")
    rows = [
        (
            name,
            f"{limits.frame_bytes // 1024} KiB",
            f"{limits.frames.per_second} messages, {limits.bytes.per_second // 1024} KiB",
            f"{limits.frames.burst} messages, {limits.bytes.burst // 1024} KiB",
            f"{limits.lines.silent:g} s",
        )
        for name, limits in (("lobby", bounds.lobby), ("table", bounds.table))
    ]
    door_rates = (f"{door.EACH.per_second} requests", f"{door.EACH.burst} requests")
    rows.append(("door", f"{door.MAX_REQUEST} bytes", *door_rates, f"{door.LINES.silent:g} s"))
    return _table(headings, rows)


def _bodies() -> str:
    rows = []
    for kind, body in BODIES.items():
        without = [("", "", "a map without fields")]
        rows += [(f"`{kind}`", *row) for row in _rows(body) or without]
    return _table(("kind", "field", "type", "what it is"), rows) + "\n" + _struct_tables(Complaint)


def _struct_tables(*kinds: type[Struct]) -> str:
    parts = []
    for kind in kinds:
        form = "array" if kind.__struct_config__.array_like else "map"
        parts.append(
            f"`{_name(kind)}`, {_an(form)}:\n\n"
            + _table(("field", "type", "what it is"), _rows(kind))
        )
    return "\n".join(parts)


def _faults() -> str:
    flaws: dict[Rule, list[str]] = {rule: [] for rule in Rule}
    for flaw, rule in FLAW_RULES.items():
        flaws[rule].append(flaw.value)
    missing = set(Rule) ^ set(PROVES) | set(Rule) ^ set(SENTENCES)
    unnamed = set(Flaw) - set(FLAW_RULES) - {Flaw.REVOKE, Flaw.JOINT_KEY}
    if missing or unnamed:
        raise ValueError(f"rules or flaws without an explanation: {missing} {unnamed}")
    rows = [(f"`{rule}`", f"the seat {SENTENCES[rule]}", PROVES[rule]) for rule in Rule]
    return _table(("rule", "what its evidence proves", "checks"), rows)


def _words() -> str:
    lines = [" ".join(WORDS[at : at + 8]) for at in range(0, len(WORDS), 8)]
    return "```text\n" + "\n".join(lines) + "\n```\n"


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "rounds": _rounds,
    "diagram": _diagram,
    "options": _options,
    "limits": _limits,
    "doors": _doors,
    "content": lambda: _table(("field", "type", "what it is"), _rows(Content)),
    "bodies": _bodies,
    "faults": _faults,
    "ahead": lambda: _struct_tables(Ahead),
    "between": lambda: _struct_tables(Frame, Beat, RoundReport),
    "lobby": lambda: _struct_tables(TableCard, Hello, Roster, Join, News),
    "gallery": lambda: _struct_tables(Onlooker, Gallery),
    "remark": lambda: _struct_tables(Remark),
    "whereabouts": lambda: _struct_tables(Whereabouts),
    "start": lambda: _struct_tables(Start),
    "words": _words,
}
"""Generated parts of SPEC.md by the name in their markers."""


# Structs.


def _rows(kind: type[Struct]) -> list[tuple[str, ...]]:
    meanings = MEANINGS[kind]
    fields = _fields(kind)
    if [field.encode_name for field in fields] != list(meanings):
        raise ValueError(f"the fields of {_name(kind)} are not those that are explained")
    return [
        (f"`{field.encode_name}`", _type_words(field.type), meanings[field.encode_name])
        for field in fields
    ]


def _describe(kind: type[Struct]) -> dict[str, object]:
    config = kind.__struct_config__
    return {
        "name": _name(kind),
        "form": "array" if config.array_like else "map",
        "fields": [
            {
                "name": field.encode_name,
                **_type_json(field.type),
                "meaning": MEANINGS[kind][field.encode_name],
            }
            for field in _fields(kind)
        ],
    }


def _fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    if not isinstance(info, inspect.StructType) or any(not f.required for f in info.fields):
        raise ValueError(f"{_name(kind)} is no struct of required fields")
    return info.fields


def _name(kind: type[Struct]) -> str:
    return kind.__name__


def _type_json(info: inspect.Type) -> dict[str, Any]:
    """Return a type with its bounds, both ends inclusive."""
    match info:
        case inspect.IntType():
            return {"type": "integer", "min": info.ge, "max": _last(info)}
        case inspect.BytesType():
            return {
                "type": "bytes",
                "min_length": info.min_length or 0,
                "max_length": info.max_length,
            }
        case inspect.StrType():
            return {
                "type": "text",
                "min_length": info.min_length or 0,
                "max_length": info.max_length,
            }
        case inspect.BoolType():
            return {"type": "boolean"}
        case inspect.ListType():
            return {
                "type": "list",
                **_bounds(info.min_length, info.max_length or codec.MAX_ITEMS),
                "items": _type_json(info.item_type),
            }
        case inspect.TupleType():
            return {"type": "tuple", "items": [_type_json(item) for item in info.item_types]}
        case inspect.DictType():
            return {
                "type": "map",
                "keys": _type_json(info.key_type),
                "values": _type_json(info.value_type),
            }
        case inspect.UnionType():
            return {"type": "one of", "of": [_type_json(item) for item in info.types]}
        case inspect.NoneType():
            return {"type": "nil"}
        case inspect.StructType():
            return {"type": "struct", "struct": _name(info.cls)}
    raise ValueError(f"no words for {info}")


def _bounds(low: int | None, high: int | None) -> dict[str, int | None]:
    return {"min_length": low or 0, "max_length": high}


def _last(info: inspect.IntType) -> int | None:
    return info.le if info.lt is None else info.lt - 1


def _type_words(info: inspect.Type) -> str:
    match info:
        case inspect.IntType():
            return f"integer, {info.ge} … {_last(info)}"
        case inspect.BytesType():
            return f"bytes{_length(info.min_length, info.max_length)}"
        case inspect.StrType():
            return f"text{_length(info.min_length, info.max_length)}"
        case inspect.BoolType():
            return "boolean"
        case inspect.ListType():
            items = _type_words(info.item_type)
            return f"list{_length(info.min_length, info.max_length)} of ({items})"
        case inspect.TupleType():
            return "array of " + " and ".join(f"({_type_words(item)})" for item in info.item_types)
        case inspect.DictType():
            return "map from text to integer, text or boolean"
        case inspect.UnionType():
            return " or ".join(_type_words(item) for item in info.types)
        case inspect.NoneType():
            return "nil"
        case inspect.StructType():
            return f"`{_name(info.cls)}`"
    raise ValueError(f"no words for {info}")


def _length(low: int | None, high: int | None) -> str:
    if high is None:
        return ""
    if low == high:
        return f", {high}"
    return f", {low} … {high}" if low else f", at most {high}"


def _an(form: str) -> str:
    return "an array" if form == "array" else "a map"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


__all__ = ["MEANINGS", "PARTS", "PROVES", "fill", "schema"]
