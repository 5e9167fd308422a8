"""Cards as group elements: M(card) = rank·R + S_class.

Implements protocol/SPEC.md section 2. R and the six S are generators without a known relation,
so a sum of cards is one total of ranks and one count for each class, and nobody can write it
with another total or other counts. That is what the class proof (section 5) rests on.

Copies of a face in two packs are one element. Errors: a card outside the pack has no element
(`None` for a peer's card, `ValueError` for one of our own).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from p2p_hearts.crypto.framing import frame
from p2p_hearts.crypto.group import Element, hash_to_element
from p2p_hearts.rules.cards import Card, CardClass, ClassSet, rank_of
from p2p_hearts.rules.options import RuleSet

RANK: Final = hash_to_element(frame(b"rank"))
"""R."""

CLASS: Final[Mapping[CardClass, Element]] = MappingProxyType(
    {
        kind: hash_to_element(frame(b"class", kind.name.lower().encode("ascii")))
        for kind in CardClass
    }
)
"""S_class for every class, in the order of `CardClass`."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The elements of the pack of these rules."""

    rules: RuleSet
    points: Mapping[Card, Element] = field(init=False, repr=False, compare=False)
    """M(card) for every face of the pack."""
    cards: Mapping[Element, Card] = field(init=False, repr=False, compare=False)
    """The inverse of `points`."""

    def __post_init__(self) -> None:
        points, cards = _tables(self.rules)
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "cards", cards)

    def __reduce__(self) -> tuple[type[Encoding], tuple[RuleSet]]:
        return Encoding, (self.rules,)

    def point(self, card: Card) -> Element:
        """M(card); `ValueError` for a card that is not in the pack."""
        found = self.points.get(card)
        if found is None:
            raise ValueError(f"card {card} is not in the pack of these rules")
        return found

    def card_of(self, element: Element) -> Card | None:
        """Return the card with this element, or `None` where no card of the pack has it."""
        return self.cards.get(element)


def generators(classes: ClassSet) -> tuple[Element, ...]:
    """Return S_c for the classes of the set, in the order of `CardClass`."""
    return tuple(point for kind, point in CLASS.items() if classes >> kind & 1)


def class_names(classes: ClassSet) -> bytes:
    """Return the set as one byte, for a transcript."""
    return bytes([classes])


@lru_cache(maxsize=64)
def _tables(rules: RuleSet) -> tuple[Mapping[Card, Element], Mapping[Element, Card]]:
    points = {card: rank_of(card) * RANK + CLASS[rules.card_class(card)] for card in rules.pack}
    cards = {point: card for card, point in points.items()}
    return MappingProxyType(points), MappingProxyType(cards)
