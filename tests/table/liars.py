"""Liars made from the schema: for every kind of message and every field, something else.

``lies_of`` reads the types in ``wire.messages`` and makes, for one kind of content, every way to
say something else than the truth: other bytes, other types, other values, what somebody else has
said, a header that is not true, at another time, twice, or different to each. A field that is
added to a message is lied about from then on without a line here.

``tell`` lets one seat tell one lie at the instant at which its program would have told the truth,
and ``check_outcome`` says what must hold then: everybody honest names the liar with the same proof,
or nobody names anybody; who does not go on waits for the liar, by name; heads and hands agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgpack
from msgspec import inspect
from msgspec.structs import asdict, replace

from p2p_hearts.rules.options import Opening, RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.table.effects import Secrets
from p2p_hearts.table.machine import Table
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import (
    Envelope,
    Signer,
    open_envelope,
    seal,
    sign_bytes,
)
from p2p_hearts.wire.faults import Fault
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import BODIES, HASH_BYTES, Content, Kind
from tests.table.cheats import QuietPost
from tests.table.moons import MOON, SHOOTER, Helper
from tests.table.sim import Sim

LIAR = 1
"""The place of the liar in the roster."""

SILENT = 2
"""The place that falls silent where a kind is said only because of that."""

PATIENCE = 25.0
"""Simulated seconds in which honest peers have found out, or have gone on."""

LONG_PATIENCE = 85.0
"""Likewise where a seat is silent, so that they have to vote first."""

LATE = 5.0

ENOUGH = 5
"""Rounds after which honest peers have gone on."""


# The lies.


@dataclass(frozen=True)
class Lie:
    """One way to say something else.

    ``group``: the field, or the way of telling, that the lie is about. ``tell`` is called in the
    place of signing the content that it gets.
    """

    kind: Kind
    group: str
    name: str
    tell: Callable[[Liar, Content], None]

    def __str__(self) -> str:
        return f"{self.kind}, {self.group}: {self.name}"


Value = Any
"""A value as it stands on the wire."""

OTHER_TYPES: tuple[tuple[str, Value], ...] = (
    ("nil", None),
    ("a boolean", True),
    ("an integer", 1),
    ("a float", 1.5),
    ("a text", "1"),
    ("bytes", b"1"),
    ("a list", [1]),
    ("a map", {"a": 1}),
    ("an extension", msgpack.ExtType(1, b"1")),
)


def lies_of(kind: Kind) -> Iterator[Lie]:
    """All lies in the place of one kind of content."""
    yield from _lies_about_the_body(kind)
    yield from _lies_about_the_header(kind)
    yield from _lies_in_time(kind)


def _lies_about_the_body(kind: Kind) -> Iterator[Lie]:
    """Forms that no body has, and every field with another value."""

    def forms(body: bytes) -> Iterator[tuple[str, bytes]]:
        fields = _unpacked(body)
        yield "nothing", b""
        yield "cut short", body[:-1]
        yield "a byte too many", body + b"\0"
        yield "no msgpack", b"\xc1"
        yield "600 lists deep", b"\x91" * 600
        yield "a list of the values", _packed(list(fields.values()))
        yield "a field too many", _packed({**fields, "more": 1})
        yield "a field twice", _twice(fields)
        yield "fields in another order", _packed(dict(reversed(fields.items())))
        yield "a longer form of the same", _stretched(body)
        for name, value in OTHER_TYPES:
            yield f"{name} in its place", _packed(value)

    for at, (name, _) in enumerate(forms(_example(kind))):
        yield Lie(kind, "the body", name, _with_body(_nth(forms, at)))
    for other in Kind:
        if other is not kind:
            body = _example(other)
            yield Lie(kind, "the body", f"that of {other}", _with_body(_always(body)))
    for field in inspect.type_info(BODIES[kind]).fields:  # type: ignore[attr-defined]
        missing = _with_field(field.name, None)
        yield Lie(kind, field.name, "is not there", missing)
        example = _unpacked(_example(kind))[field.name]
        for at, (name, _) in enumerate(others_of(example, field.type)):
            change = _with_field(field.name, (at, field.type))
            yield Lie(kind, field.name, name, change)
        yield Lie(kind, field.name, "what another seat said", _borrowed(field.name, own=False))
        yield Lie(kind, field.name, "what it said before", _borrowed(field.name, own=True))


def _lies_about_the_header(kind: Kind) -> Iterator[Lie]:
    example = Content(1, bytes(32), 1, 1, 1, 1, bytes(32), 1, bytes(32), bytes(32), kind, b"")
    for place, field in enumerate(inspect.type_info(Content).fields):  # type: ignore[attr-defined]
        if field.name == "body":
            continue
        value = getattr(example, field.name)
        for at, (name, _) in enumerate(others_of(value, field.type)):
            yield Lie(kind, f"header {field.name}", name, _with_header(place, at, field.type))
    for other in Kind:
        if other is not kind:
            yield Lie(kind, "header kind", f"is {other}", _as_kind(other))
    for number in range(3):
        name = f"that of seat {number} steps on"
        yield Lie(kind, "header author", name, _signed_for(number + 1))
    yield Lie(kind, "the signature", "is wrong", _badly_signed)


def _lies_in_time(kind: Kind) -> Iterator[Lie]:
    for fooled in (1, 2):
        yield Lie(kind, "different to each", f"{fooled} get the truth", _two_faced(fooled))
    yield Lie(kind, "different to each", "both to all", _both)
    yield Lie(kind, "when", "twice", _twice_said)
    yield Lie(kind, "when", "late", _late)
    yield Lie(kind, "when", "never", lambda liar, content: None)
    for ahead in (1, 3, 40):
        yield Lie(kind, "when", f"{ahead} rounds early", _early(ahead))


def others_of(value: Value, info: inspect.Type) -> Iterator[tuple[str, Value]]:
    """What stands in the place of a value: first what no field takes, then what is only untrue.

    How many there are, and in what order, depends on the type alone.
    """
    for name, other in OTHER_TYPES:
        yield name, other
    for name, change in _changes(info):
        yield name, change(value)


Change = Callable[[Value], Value]


def _changes(info: inspect.Type) -> Iterator[tuple[str, Change]]:
    match info:
        case inspect.IntType(lt=lt):
            yield "0", lambda value: 0
            yield "one more", lambda value: (value or 0) + 1
            yield "one less", lambda value: (value or 0) - 1
            yield "the largest", lambda value: (lt or 2**31) - 1
            yield "over the largest", lambda value: lt or 2**31
            yield "huge", lambda value: 2**64 - 1
        case inspect.BytesType(max_length=longest):
            top = longest or HASH_BYTES
            yield "empty", lambda value: b""
            yield "a byte less", lambda value: _bytes(value)[:-1]
            yield "a byte more", lambda value: _bytes(value) + b"\0"
            yield "first bit flipped", lambda value: _flipped(_bytes(value), 0)
            yield "last bit flipped", lambda value: _flipped(_bytes(value), -1)
            yield "zeros", lambda value: bytes(len(_bytes(value)))
            yield "ones", lambda value: b"\xff" * len(_bytes(value))
            yield "halves exchanged", lambda value: _turned(_bytes(value))
            yield "twice as long", lambda value: _bytes(value) * 2
            yield "as long as can be", lambda value: b"\x01" * top
            yield "too long", lambda value: b"\x01" * (top + 1)
        case inspect.StrType(max_length=longest):
            top = longest or 16
            yield "empty", lambda value: ""
            yield "another word", lambda value: "x"
            yield "in capitals", lambda value: str(value).upper()
            yield "too long", lambda value: "x" * (top + 1)
        case inspect.ListType(item_type=item, max_length=longest):
            top = longest or 16
            yield "empty", lambda value: []
            yield "one less", lambda value: value[:-1]
            yield "the last twice", lambda value: [*value, *value[-1:]]
            yield "reversed", lambda value: value[::-1]
            yield "the first for all", lambda value: value[:1] * len(value)
            yield "too long", lambda value: (value or [1])[:1] * (top + 1)
            yield "an item more", lambda value: [*value, _simplest(item)]
            for name, other in OTHER_TYPES:
                yield f"an item {name}", _with_item(_always(other), None)
            for name, change in _changes(item):
                yield f"an item {name}", _with_item(change, item)
        case inspect.StructType(fields=fields):
            for field in fields:
                for name, change in _changes(field.type):
                    yield f"{field.name} {name}", _with_key(field.name, change)
        case inspect.UnionType(types=types):
            for item in types:
                yield from _changes(item)
        case inspect.NoneType():
            yield "nil after all", lambda value: None
        case _:
            raise NotImplementedError(f"a lie about {info}")


def _always(value: Value) -> Change:
    return lambda _: value


def _nth(forms: Callable[[bytes], Iterator[tuple[str, bytes]]], at: int) -> Change:
    return lambda body: list(forms(body))[at][1]


def _with_item(change: Change, info: inspect.Type | None) -> Change:
    """The first item changed, or the simplest one of its type if there is none."""

    def changed(value: Value) -> Value:
        first = value[0] if value else None if info is None else _simplest(info)
        return [change(first), *value[1:]]

    return changed


def _with_key(key: str, change: Change) -> Change:
    return lambda value: {**value, key: change(value[key])}


def _simplest(info: inspect.Type) -> Value:
    """The simplest value of a type."""
    match info:
        case inspect.IntType():
            return 0
        case inspect.BytesType(min_length=shortest):
            return bytes(shortest or 0)
        case inspect.StructType(fields=fields):
            return {field.name: _simplest(field.type) for field in fields}
        case _:
            raise NotImplementedError(f"a value of {info}")


def _bytes(value: Value) -> bytes:
    return value if isinstance(value, bytes) and value else bytes(HASH_BYTES)


def _flipped(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def _turned(data: bytes) -> bytes:
    return data[len(data) // 2 :] + data[: len(data) // 2]


def _unpacked(body: bytes) -> dict[str, Value]:
    fields = msgpack.unpackb(body)
    assert isinstance(fields, dict)
    return fields


def _packed(value: Value) -> bytes:
    packed = msgpack.packb(value)
    assert isinstance(packed, bytes)
    return packed


def _twice(fields: Mapping[str, Value]) -> bytes:
    pairs = [*fields.items(), *list(fields.items())[:1]]
    return bytes([0x80 + len(pairs)]) + b"".join(_packed(k) + _packed(v) for k, v in pairs)


def _stretched(body: bytes) -> bytes:
    """The same map with its length in three bytes instead of one."""
    return b"\xde\0" + bytes([body[0] & 0x0F]) + body[1:]


@lru_cache(maxsize=1)
def _examples() -> dict[Kind, bytes]:
    """The simplest body of each kind, for what depends on no value."""
    return {
        kind: _packed(
            {
                field.name: _example_of(field.type)
                for field in inspect.type_info(body).fields  # type: ignore[attr-defined]
            }
        )
        for kind, body in BODIES.items()
    }


def _example_of(info: inspect.Type) -> Value:
    match info:
        case inspect.ListType() | inspect.NoneType():
            return []
        case inspect.StrType():
            return "x"
        case inspect.UnionType(types=types):
            return _example_of(types[0])
        case _:
            return _simplest(info)


def _example(kind: Kind) -> bytes:
    return _examples()[kind]


# How they are told.


class LyingVoice(Voice):
    """Tells its table's lie at the next content of its kind."""

    table: Liar

    def sign(self, content: Content) -> None:
        lie = self.table.lie
        if lie is not None and not self.table.told and content.kind == lie.kind:
            self.table.told, self.table.post.quiet = place_of(content), True
            lie.tell(self.table, content)
        else:
            super().sign(content)


class Liar(Table):
    """A table whose seat tells one lie; it owns nothing up, and repeats nothing that is no lie."""

    voice_type = LyingVoice
    post_type = QuietPost
    voice: LyingVoice
    post: QuietPost

    lie: Lie | None = None
    """What to say at the next content of its kind."""
    told: Place | None = None
    """The round in which it has been told."""
    later: tuple[float, bytes] | None = None
    """What it keeps back, and until when."""

    def __init__(self, signer: Signer, roster: SealedRoster, secrets: Secrets) -> None:
        super().__init__(signer, roster, secrets)
        self.voice.table = self

    def seal(self, content: Content) -> bytes:
        """Sign something; return the envelope."""
        return seal(self.voice.signer, content).data

    def say(self, content: Content) -> None:
        """Say something as if it were the truth, and go on from there."""
        Voice.sign(self.voice, content)

    def think(self, content: Content) -> None:
        """Go on as if this had been said."""
        self.hearing.take(seal(self.voice.signer, content))

    def throw(self, *envelopes: bytes) -> None:
        """Send some bytes to all."""
        self.post.send(None, envelopes)

    def whisper(self, step: int, *envelopes: bytes) -> None:
        """Send some bytes to one peer, so many places on."""
        self.post.send((self.place + step) % self.history.seats, envelopes)


Tell = Callable[[Liar, Content], None]


def _with_body(change: Callable[[bytes], bytes]) -> Tell:
    return lambda liar, content: liar.say(replace(content, body=change(content.body)))


def _with_field(name: str, to: tuple[int, inspect.Type] | None) -> Tell:
    """With the ``to``-th other value of its type in a field, or without the field."""

    def change(body: bytes) -> bytes:
        fields = _unpacked(body)
        if to is None:
            del fields[name]
        else:
            fields[name] = list(others_of(fields[name], to[1]))[to[0]][1]
        return _packed(fields)

    return _with_body(change)


def _borrowed(name: str, *, own: bool) -> Tell:
    """With what a field held in another content of this kind, if there was one."""

    def tell(liar: Liar, content: Content) -> None:
        fields = _unpacked(content.body)
        for item in reversed(liar.history.rounds):
            for seat, said in sorted(
                (item.acks if content.kind == "ack" else item.speeches).items()
            ):
                if said.content.kind == content.kind and (seat == content.seat) is own:
                    fields[name] = _unpacked(said.content.body)[name]
                    liar.say(replace(content, body=_packed(fields)))
                    return
        liar.say(content)

    return tell


def _with_header(place: int, at: int, info: inspect.Type) -> Tell:
    """With another value in a field of the header; the liar itself believes the truth."""

    def tell(liar: Liar, content: Content) -> None:
        values = list(asdict(content).values())
        values[place] = list(others_of(values[place], info))[at][1]
        liar.throw(sign_bytes(liar.voice.signer, "content", _packed(values)))
        liar.think(content)

    return tell


def _as_kind(kind: Kind) -> Tell:
    def tell(liar: Liar, content: Content) -> None:
        liar.throw(liar.seal(replace(content, kind=kind)))
        liar.think(content)

    return tell


def _signed_for(step: int) -> Tell:
    """In the name of another seat, under its key, signed by the liar's own."""

    def tell(liar: Liar, content: Content) -> None:
        entries = liar.roster.entries
        author = entries[(liar.place + step) % len(entries)].identity
        liar.throw(liar.seal(replace(content, author=author)))
        liar.think(content)

    return tell


def _badly_signed(liar: Liar, content: Content) -> None:
    envelope = decode(liar.seal(content), Envelope)
    liar.throw(encode(replace(envelope, signature=_flipped(envelope.signature, 40))))
    liar.think(content)


def _twin_of(content: Content) -> Content:
    return replace(content, body=content.body + b"\0")


def _two_faced(fooled: int) -> Tell:
    def tell(liar: Liar, content: Content) -> None:
        truth, other = liar.seal(content), liar.seal(_twin_of(content))
        liar.think(content)
        for step in range(1, liar.history.seats):
            liar.whisper(step, truth if step <= fooled else other)

    return tell


def _both(liar: Liar, content: Content) -> None:
    liar.say(content)
    liar.throw(liar.seal(_twin_of(content)))


def _twice_said(liar: Liar, content: Content) -> None:
    liar.say(content)
    liar.throw(*[liar.seal(content)] * 3)


def _late(liar: Liar, content: Content) -> None:
    liar.think(content)
    liar.later = (liar.post.now + LATE, liar.seal(content))


def _early(ahead: int) -> Tell:
    def tell(liar: Liar, content: Content) -> None:
        liar.throw(liar.seal(replace(content, round=content.round + ahead)))
        liar.think(content)

    return tell


# Where they are told.

FOUR = RuleSet(hands=1, grace=15)
CLAIMED = "claims 3"
"""The seed of a table at which the liar can claim the rest."""

WIDOW = RuleSet(seats=6, packs=2, opening=Opening.NONE, pass_count=0, hands=1)


@dataclass(frozen=True)
class Scene:
    """A table at the instant before the liar's program says its first content of a kind."""

    sim: Sim
    silent: int | None
    """A place that says nothing, whose absence is what the kind is about."""

    @property
    def honest(self) -> list[int]:
        return [at for at in range(len(self.sim.tables)) if at not in (LIAR, self.silent)]


def _seat_down(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
    return (Liar if place == LIAR else Table)(signer, roster, secrets)


def _table_for(kind: Kind) -> Sim:
    """A table at which the liar comes to say something of this kind."""
    if kind is Kind.WIDOW:
        return Sim(WIDOW, seed="liars", seating=_seat_down)
    if kind is Kind.CHOICE:
        return _helped(_moon_seed())
    if kind is Kind.CLAIM:
        return Sim(FOUR, seed=CLAIMED, seating=_seat_down, claims=True)
    return Sim(FOUR, seed="liars", seating=_seat_down)


def _helped(seed: int) -> Sim:
    """A table at which all help one seat to shoot the moon."""
    sim = Sim(MOON, seed=seed, seating=_seat_down)
    sim.players = [Helper(MoonChoice.OTHERS_ADD) for _ in sim.tables]
    return sim


@lru_cache(maxsize=1)
def _moon_seed() -> int:
    """The first seed of a table at which the liar is helped to all penalty cards."""
    for seed in range(100):
        sim = _helped(seed)
        while sim.tables[LIAR].seat is None:
            sim.step()
        if sim.tables[LIAR].seat == SHOOTER and _first_of(sim, Kind.CHOICE) is not None:
            return seed
    raise AssertionError("the liar shoots the moon in none of these hands")


ABSENT: Mapping[Kind, Kind] = {
    Kind.OPENINGS: Kind.PLAY,
    Kind.VOTE: Kind.PLAY,
    Kind.CONFIRM: Kind.PLAY,
}
"""Kinds that are said only when a seat is silent, and the round in which it falls silent here."""


def _first_of(sim: Sim, kind: Kind, hand: int = 0) -> int | None:
    """Play on until the liar has said something of a kind; return in which step it did.

    ``hand``: in this hand or a later one.
    """
    table = sim.tables[LIAR]
    steps = 0
    while not any(each.over for each in sim.tables):
        before = len(sim.logs[LIAR])
        sim.step()
        steps += 1
        for data in sim.logs[LIAR][before:]:
            content = open_envelope(data).content
            is_own = content.author == table.voice.signer.public
            if is_own and content.kind == kind and content.hand >= hand:
                return steps
    return None


def _lose_secret(sim: Sim) -> None:
    """Play on until cards are played; then the liar no longer has the secret of its hand."""
    table = sim.tables[LIAR]
    while table.hand is None or table.history.current.kind is not Kind.PLAY:
        sim.step()
    table.hand.lost = True


@lru_cache(maxsize=3)
def scene_of(kind: Kind, hand: int = 0) -> Scene:
    """The scene of a kind. It is the same for everybody: ``tell`` works on a copy.

    ``hand``: the first at which the lie may be told; acks are said while a table forms, too.
    """
    rehearsal, stage = _table_for(kind), _table_for(kind)
    if kind is Kind.LOST:
        for sim in (rehearsal, stage):
            _lose_secret(sim)
    if kind not in ABSENT:
        last = _first_of(rehearsal, kind, hand)
        assert last is not None
        for _ in range(last - 1):
            stage.step()
        return Scene(stage, None)
    for sim in (rehearsal, stage):
        seat = None
        table = sim.tables[LIAR]
        while table.hand is None or table.history.current.kind is not ABSENT[kind]:
            sim.step()
            seat = sim.tables[SILENT].seat
        assert seat is not None
        sim.stopped.add(SILENT)
        for place, each in enumerate(sim.tables):
            each.auto_vote = place != SILENT
    last = _first_of(rehearsal, kind)
    assert last is not None
    for _ in range(last - 1):
        stage.step()
    return Scene(stage, SILENT)


@dataclass(frozen=True)
class Told:
    """A lie, and the table after it."""

    lie: Lie
    scene: Scene
    sim: Sim

    @property
    def honest(self) -> list[Table]:
        return [self.sim.tables[place] for place in self.scene.honest]

    @property
    def faults(self) -> list[Fault | None]:
        return [table.fault for table in self.honest]

    def rounds_since(self, table: Table) -> int:
        """How many rounds a table has certified from that of the lie on."""
        liar = self.sim.tables[LIAR]
        assert isinstance(liar, Liar)
        rounds = table.history.rounds[: table.history.certified]
        places = [item.place for item in rounds]
        return len(places) - places.index(liar.told) if liar.told in places else 0


def tell(lie: Lie, hand: int = 0) -> Told:
    """Let the liar tell its lie, and the honest peers find out or go on; ``hand``: in this one."""
    scene = scene_of(lie.kind, hand)
    sim = scene.sim.copy()
    liar = sim.tables[LIAR]
    assert isinstance(liar, Liar)
    liar.lie = lie
    told = Told(lie, scene, sim)
    end = sim.now + (PATIENCE if scene.silent is None else LONG_PATIENCE)

    def settled() -> bool:
        if liar.later is not None and sim.now >= liar.later[0]:
            liar.throw(liar.later[1])
            liar.later = None
        if sim.now >= end or all(table.over for table in told.honest):
            return True
        return liar.later is None and (
            all(told.faults) or all(told.rounds_since(table) >= ENOUGH for table in told.honest)
        )

    sim.run(settled, limit=end + 5)
    assert liar.told, "the scene gave no occasion for the lie"
    if any(told.faults):
        sim.wait(3.0)
    return told


def check_outcome(told: Told) -> str:
    """What must hold after any lie; ``AssertionError`` says which of it does not.

    Returns what became of it: ``named``, ``of no consequence`` or ``waited for``.
    """
    sim = told.sim
    faults = told.faults
    liar = sim.identities[LIAR].public
    ids = {fault and fault.id for fault in faults}
    assert len(ids) == 1, f"honest peers do not agree on {faults}"
    for table, fault in zip(told.honest, faults, strict=True):
        if fault is None:
            continue
        accused = table.player_at(fault.seat) if fault.hand else fault.seat
        assert accused == LIAR, f"an honest seat is convicted: {fault}"
        assert fault.evidence
        for envelope in fault.evidence:
            assert open_envelope(envelope).content.author == liar
            assert sim.logs[table.place].count(envelope) == 1
    shortest = min(table.history.certified for table in told.honest)
    heads = {tuple(item.head for item in table.history.rounds[:shortest]) for table in told.honest}
    assert len(heads) == 1, "honest peers went on from different histories"
    before = {place: told.scene.sim.tables[place] for place in told.scene.honest}
    for table in told.honest:
        was = before[table.place]
        if was.hand is None or table.hand is None:
            continue
        if was.hand.play is not None and was.hand.ground == table.hand.ground:
            assert table.hand.cards == was.hand.cards, "a hand has changed"
    if faults[0] is not None:
        return "named"
    if all(table.over or told.rounds_since(table) for table in told.honest):
        return "of no consequence"
    for table in told.honest:
        waits = table.waiting()
        assert waits, "the table is stuck and names nobody"
        forming = table.history.rounds[table.history.certified].place.hand == 0
        seats = {item.seat if forming else table.player_at(item.seat) for item in waits}
        assert LIAR in seats, f"waits for {waits}"
        assert seats <= {LIAR, told.scene.silent}, f"an honest seat is waited for: {waits}"
    return "waited for"
