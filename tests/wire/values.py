"""Any value of any wire type, made from the type itself."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from p2p_hearts.wire.envelope import Envelope
from p2p_hearts.wire.lobby import Gallery, Hello, Join, News, Onlooker, Remark, Roster, TableCard
from p2p_hearts.wire.messages import BODIES, Ahead, Beat, Content, Frame, RoundReport

WIRE_TYPES: tuple[type[msgspec.Struct], ...] = (
    *BODIES.values(),
    Content,
    Envelope,
    RoundReport,
    Beat,
    Frame,
    Ahead,
    TableCard,
    Hello,
    Roster,
    Join,
    News,
    Onlooker,
    Gallery,
    Remark,
)
"""Everything that is ever decoded from a peer."""

SHORT = 40
"""Lists, texts and bytes of values are at most this long, unless their type says longer."""


def values_of(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Values of a struct type, within its limits."""
    return _strategy(inspect.type_info(kind))


def _strategy(info: inspect.Type) -> st.SearchStrategy[Any]:
    match info:
        case inspect.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{item.name: _strategy(item.type) for item in fields})
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.IntType(ge=ge, le=le, lt=lt):
            top = le if le is not None else lt - 1 if lt is not None else 2**63 - 1
            return st.integers(-(2**63) if ge is None else ge, top)
        case inspect.BytesType(min_length=low, max_length=high):
            return st.binary(min_size=low or 0, max_size=_limit(low, high))
        case inspect.StrType(min_length=low, max_length=high):
            return st.text(min_size=low or 0, max_size=_limit(low, high))
        case inspect.ListType(item_type=item, min_length=low, max_length=high):
            return st.lists(_strategy(item), min_size=low or 0, max_size=min(_limit(low, high), 5))
        case inspect.TupleType(item_types=items):
            return st.tuples(*(_strategy(item) for item in items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_strategy(key), _strategy(value), max_size=5)
        case inspect.UnionType(types=types):
            return st.one_of(*(_strategy(item) for item in types))
    raise NotImplementedError(info)


def _limit(low: int | None, high: int | None) -> int:
    return max(low or 0, min(SHORT if high is None else high, SHORT))
