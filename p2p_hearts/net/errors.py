"""What the network says to a person: sentences with their values apart, and the one error.

A template stands whole in the source, so that a catalogue can hold it; the values are put in last.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.i18n import _


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for a person: a constant ``template`` and the ``values`` for its ``{names}``.

    Its text is in the language that is spoken when it is asked for.
    """

    template: str
    values: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return _(self.template).format_map(dict(self.values))


def sentence(template: str, **values: object) -> Sentence:
    """Make a :class:`Sentence`; the template must be a literal, or no catalogue can hold it."""
    return Sentence(template, tuple(values.items()))


NO_ADVICE = Sentence("")


class NetError(Exception):
    """Something outside the program stands in the way: what happened, and what to do next."""

    def __init__(self, what: Sentence, advice: Sentence = NO_ADVICE) -> None:
        super().__init__(what, advice)
        self.what = what
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.what} {self.advice}".rstrip()
