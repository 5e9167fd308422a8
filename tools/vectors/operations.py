"""What the vectors ask of an implementation, each by the name that the files use.

Everything is done by the code of p2p_hearts; another implementation brings operations of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tools.vectors.absence_operations import ABSENCE_OPERATIONS
from tools.vectors.card_operations import CARD_OPERATIONS
from tools.vectors.rule_operations import RULE_OPERATIONS
from tools.vectors.values import Operation
from tools.vectors.wire_operations import WIRE_OPERATIONS

OPERATIONS: Final[Mapping[str, Operation]] = {
    **CARD_OPERATIONS,
    **ABSENCE_OPERATIONS,
    **RULE_OPERATIONS,
    **WIRE_OPERATIONS,
}
