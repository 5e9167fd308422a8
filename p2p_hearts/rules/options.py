"""The rules of one table as one immutable value, and the presets that name them.

``RuleSet`` holds every option that the rules know (docs/rules.md, "Options"), the default
first. It is checked when it is made: rules that make no sense never exist. What follows from
the options alone (pack, hand size, opening card, classes, penalty cards) is worked out once
and kept beside them.

Errors: ``RuleError`` with the option's name and the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, cast

from p2p_hearts.i18n import _
from p2p_hearts.rules.cards import (
    EMPTY,
    FACES,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SUIT_FACES,
    Card,
    CardClass,
    CardSet,
    Suit,
    card_set,
    cards_in,
    parse_card,
    rank_of,
    suit_of,
    twice,
)

OptionValue = int | str | bool

SHORTEST_GRACE: Final = 15
"""A cut cable and a program that starts again take up to this many seconds."""

SHORTEST_CLOCK: Final = 10
"""To look at a hand and choose; who wants it quicker than that plays with nobody."""

MOST_WATCHERS: Final = 8
"""Each costs every player a line and some bytes a second."""

LARGEST_NUMBER: Final = 1_000_000_000
"""Upper bound of a target and of a number of hands: fits every integer type on the way."""

SHOWN_LETTERS: Final = 40
"""Of a name or value that is none of ours so much is repeated."""


class RuleError(ValueError):
    """Rules that make no sense: ``option`` is the option at fault, ``reason`` says why.

    The text of the error is harmless on a terminal whoever has made up the option.
    """

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{_harmless(option)}: {reason}")
        self.option = option
        self.reason = reason


class Opening(StrEnum):
    """How trick one begins."""

    LOWEST_CLUB = "lowest-club"
    NONE = "none"


class HeartPoints(StrEnum):
    """What a heart costs: one point, or its face value of 2 to 14."""

    ONE = "one"
    FACE = "face"


class Moon(StrEnum):
    """What happens when one seat takes every penalty card."""

    OTHERS_ADD = "others-add"
    SHOOTER_SUBTRACTS = "shooter-subtracts"
    CHOICE = "choice"
    SAFE = "safe"
    OFF = "off"


class Tie(StrEnum):
    """What happens when several seats share the lowest total at the end."""

    ANOTHER_HAND = "another-hand"
    LATEST_HAND = "latest-hand"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every option of a table; equal options are equal rules and have equal hashes."""

    seats: int = 4
    packs: int = 1
    opening: Opening = Opening.LOWEST_CLUB
    pass_count: int = 3
    first_trick_penalties: bool = False
    hearts_break: bool = True
    queen_waits: bool = False
    queen_breaks: bool = False
    heart_points: HeartPoints = HeartPoints.ONE
    queen_points: int = 13
    jack_points: int = 0
    moon: Moon = Moon.OTHERS_ADD
    target: int = 100
    hands: int = 0
    tie: Tie = Tie.ANOTHER_HAND
    grace: int = 60
    """Seconds for which a silent player is waited for before the others may go on without."""
    clock: int = 0
    """Seconds that a player has for a decision before its program decides; 0 for no limit."""
    watchers: int = 4
    """How many people may watch."""
    watcher_chat: bool = False
    """Whether those who watch may chat with the players."""

    # What follows from the options: no part of the value, of its hash or of its wire form.
    removed: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    pack: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """All cards of the table in canonical order: faces ascending, two copies side by side."""
    pack_set: CardSet = field(init=False, repr=False, compare=False)
    hand_size: int = field(init=False, repr=False, compare=False)
    widow_size: int = field(init=False, repr=False, compare=False)
    opening_card: Card | None = field(init=False, repr=False, compare=False)
    penalty_faces: CardSet = field(init=False, repr=False, compare=False)
    """Faces that are penalty cards: the hearts, and Q♠ unless it costs nothing."""
    penalty_cards: CardSet = field(init=False, repr=False, compare=False)
    """The penalty cards of the whole pack, every copy: who takes all of them shoots the moon."""
    values: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """What each of the 52 faces costs its taker; negative for the bonus of J♦."""
    counting_cards: CardSet = field(init=False, repr=False, compare=False)
    """The cards of the whole pack, every copy, that cost or bring points."""
    lead_waits: CardSet = field(init=False, repr=False, compare=False)
    """Faces that may not be led until hearts are broken, while the hand holds another."""
    breaking_faces: CardSet = field(init=False, repr=False, compare=False)
    """Faces that break hearts when they are played."""
    total_penalty: int = field(init=False, repr=False, compare=False)
    """Points of all penalty cards of the pack together; what a moon is worth."""
    classes: tuple[CardClass, ...] = field(init=False, repr=False, compare=False)
    """The class of every face, 52 entries."""
    class_samples: tuple[tuple[CardClass, CardSet], ...] = field(
        init=False, repr=False, compare=False
    )
    """One card of every class that the pack has."""
    hash_value: int = field(init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        return self.hash_value

    def __reduce__(self) -> tuple[Callable[..., RuleSet], tuple[OptionValue, ...]]:
        """Pickle the options alone: the hash of the same rules differs in another process."""
        return _from_options, tuple(getattr(self, name) for name in OPTIONS)

    def __post_init__(self) -> None:
        _check_types(self)
        _check_sense(self)
        _derive(self)

    def card_class(self, card: Card) -> CardClass:
        """Return the class of a card under these rules."""
        return self.classes[card]

    def points(self, card: Card) -> int:
        """Return what a card costs its taker; negative for the bonus of J♦."""
        return self.values[card]

    def to_dict(self) -> dict[str, OptionValue]:
        """Return the options by name, names sorted, plain values only: the form for the wire.

        An option of ``LEFT_OUT`` with its default is not in it.
        """
        values = {name: _plain(getattr(self, name)) for name in sorted(OPTIONS)}
        return {
            name: value
            for name, value in values.items()
            if name not in LEFT_OUT or value != OPTIONS[name]
        }

    @staticmethod
    def from_dict(values: Mapping[str, object]) -> RuleSet:
        """Read the rules that ``to_dict`` wrote.

        ``RuleError`` for an option that is unknown, missing, of another type or out of range.
        """
        for name in values:
            if name not in OPTIONS:
                raise RuleError(str(name), _unknown_option())
        chosen: dict[str, OptionValue] = {}
        for name, default in OPTIONS.items():
            if name not in values and name in LEFT_OUT:
                continue
            if name not in values:
                raise RuleError(name, _("is missing"))
            value = values[name]
            if name in LEFT_OUT and value == default:
                raise RuleError(name, _("is left out where it has its usual value"))
            if isinstance(default, StrEnum):
                chosen[name] = _member(name, type(default), value)
            elif type(value) is type(default):
                chosen[name] = value
            else:
                raise RuleError(name, _not_of_kind(default, value))
        return RuleSet(**chosen)  # type: ignore[arg-type]

    def with_options(self, texts: Mapping[str, str]) -> RuleSet:
        """Return these rules with options replaced, all at once, as a person writes them.

        ``{"target": "50", "queen_waits": "yes"}``; ``-`` and ``_`` in names are the same.
        ``RuleError`` for an unknown option, a text that is no value of it, or nonsense.
        """
        chosen: dict[str, OptionValue] = {}
        for key, text in texts.items():
            name = key.strip().lower().replace("-", "_")
            if name not in OPTIONS:
                raise RuleError(key, _unknown_option())
            chosen[name] = _parse_option(name, OPTIONS[name], text.strip().lower())
        return replace(self, **chosen)  # type: ignore[arg-type]


OPTIONS: Final[Mapping[str, OptionValue]] = {
    option.name: cast(OptionValue, option.default) for option in fields(RuleSet) if option.init
}
"""Every option's name and default, in the order of docs/rules.md."""


@lru_cache(maxsize=64, typed=True)
def _from_options(*values: OptionValue) -> RuleSet:
    """Return the rules with these options, in the order of ``OPTIONS``; for pickles."""
    return RuleSet(*values)  # type: ignore[arg-type]


LEFT_OUT: Final = frozenset({"clock"})
"""Options that came later: with its default such a one has no place in the form for the wire, so
the rules of a table without it have the bytes, and the hash, that they always had."""

_REMOVED: Final[Mapping[int, tuple[Card, ...]]] = {
    3: (parse_card("2C"),),
    4: (),
    5: (parse_card("2C"), parse_card("2D")),
    6: (parse_card("2C"), parse_card("2D"), parse_card("3C"), parse_card("2S")),
}
"""Cards left out of one pack so that it divides evenly, by number of seats."""

_CLASS_OF_SUIT: Final = {
    Suit.CLUBS: CardClass.CLUBS,
    Suit.DIAMONDS: CardClass.DIAMONDS,
    Suit.SPADES: CardClass.SPADES,
    Suit.HEARTS: CardClass.HEARTS,
}


def _check_types(rules: RuleSet) -> None:
    for name, default in OPTIONS.items():
        value = getattr(rules, name)
        if type(value) is not type(default):
            raise RuleError(name, _not_of_kind(default, value))


def _check_sense(rules: RuleSet) -> None:
    if rules.packs not in (1, 2):
        raise RuleError("packs", _("must be 1 or 2, not {value}").format(value=rules.packs))
    low, high = (3, 6) if rules.packs == 1 else (6, 11)
    if not low <= rules.seats <= high:
        reason = (
            _("one pack seats {low} to {high} players, not {value}")
            if rules.packs == 1
            else _("two packs seat {low} to {high} players, not {value}")
        )
        raise RuleError("seats", reason.format(low=low, high=high, value=rules.seats))
    if rules.packs == 2 and rules.opening is not Opening.NONE:
        raise RuleError("opening", _("must be none with two packs: two players may hold the card"))
    hand_size = rules.packs * FACES.bit_count() // rules.seats
    if not 0 <= rules.pass_count <= hand_size:
        raise RuleError(
            "pass_count",
            _("must be 0 to {high}, the cards of a hand, not {value}").format(
                high=hand_size, value=rules.pass_count
            ),
        )
    if rules.packs == 2 and rules.pass_count:
        raise RuleError("pass_count", _("must be 0 with two packs: there is no pass"))
    if rules.queen_points not in (0, 13):
        raise RuleError(
            "queen_points", _("must be 13 or 0, not {value}").format(value=rules.queen_points)
        )
    if rules.jack_points not in (0, -10):
        raise RuleError(
            "jack_points", _("must be 0 or -10, not {value}").format(value=rules.jack_points)
        )
    if not 1 <= rules.target <= LARGEST_NUMBER:
        raise RuleError(
            "target",
            _("must be {low} to {high}, not {value}").format(
                low=1, high=LARGEST_NUMBER, value=rules.target
            ),
        )
    if not 0 <= rules.hands <= LARGEST_NUMBER:
        raise RuleError(
            "hands",
            _("must be 0 (no limit) to {high}, not {value}").format(
                high=LARGEST_NUMBER, value=rules.hands
            ),
        )
    if not SHORTEST_GRACE <= rules.grace <= LARGEST_NUMBER:
        raise RuleError(
            "grace",
            _("must be {low} to {high} seconds, not {value}").format(
                low=SHORTEST_GRACE, high=LARGEST_NUMBER, value=rules.grace
            ),
        )
    if rules.clock and not SHORTEST_CLOCK <= rules.clock <= LARGEST_NUMBER:
        raise RuleError(
            "clock",
            _("must be 0 (no limit), or {low} to {high} seconds, not {value}").format(
                low=SHORTEST_CLOCK, high=LARGEST_NUMBER, value=rules.clock
            ),
        )
    if not 0 <= rules.watchers <= MOST_WATCHERS:
        raise RuleError(
            "watchers",
            _("must be {low} to {high}, not {value}").format(
                low=0, high=MOST_WATCHERS, value=rules.watchers
            ),
        )


def _derive(rules: RuleSet) -> None:
    removed = _REMOVED[rules.seats] if rules.packs == 1 else ()
    faces = CardSet(FACES & ~card_set(removed))
    pack_set = twice(faces) if rules.packs == 2 else faces
    pack = cards_in(pack_set)
    queen = card_set([QUEEN_OF_SPADES])
    hearts = SUIT_FACES[Suit.HEARTS]
    penalty_faces = CardSet(hearts | queen) if rules.queen_points else hearts
    penalty_cards = CardSet(pack_set & twice(penalty_faces))
    opening_card = (
        cards_in(CardSet(faces & SUIT_FACES[Suit.CLUBS]))[0]
        if rules.opening is Opening.LOWEST_CLUB
        else None
    )
    values = tuple(_value(rules, Card(face)) for face in range(FACES.bit_count()))
    classes = tuple(_class_of(Card(face), opening_card) for face in range(FACES.bit_count()))
    samples = {classes[card]: card_set([card]) for card in reversed(pack)}

    def keep(name: str, value: object) -> None:
        object.__setattr__(rules, name, value)

    keep("removed", removed)
    keep("pack", pack)
    keep("pack_set", pack_set)
    keep("hand_size", len(pack) // rules.seats)
    keep("widow_size", len(pack) % rules.seats)
    keep("opening_card", opening_card)
    keep("penalty_faces", penalty_faces)
    keep("penalty_cards", penalty_cards)
    keep("values", values)
    keep(
        "counting_cards",
        CardSet(pack_set & twice(card_set(card for card in cards_in(faces) if values[card]))),
    )
    keep(
        "lead_waits",
        CardSet((hearts if rules.hearts_break else EMPTY) | (queen if rules.queen_waits else 0)),
    )
    keep("breaking_faces", CardSet(hearts | queen) if rules.queen_breaks else hearts)
    keep("total_penalty", sum(values[card] for card in cards_in(penalty_cards)))
    keep("classes", classes)
    keep("class_samples", tuple(sorted(samples.items())))
    keep("hash_value", hash(tuple(getattr(rules, name) for name in OPTIONS)))


def _value(rules: RuleSet, card: Card) -> int:
    if suit_of(card) is Suit.HEARTS:
        return rank_of(card) if rules.heart_points is HeartPoints.FACE else 1
    if card == QUEEN_OF_SPADES:
        return rules.queen_points
    return rules.jack_points if card == JACK_OF_DIAMONDS else 0


def _class_of(card: Card, opening_card: Card | None) -> CardClass:
    if card == opening_card:
        return CardClass.OPENING
    if card == QUEEN_OF_SPADES:
        return CardClass.QUEEN
    return _CLASS_OF_SUIT[suit_of(card)]


def _plain(value: OptionValue) -> OptionValue:
    return value.value if isinstance(value, StrEnum) else value


def _not_of_kind(default: OptionValue, value: object) -> str:
    """Return why a value is none of an option, as the end of a sentence."""
    if isinstance(value, str):
        value = _harmless(value)
    if isinstance(default, StrEnum):
        return _("must be one of {values}, not {value!r}").format(
            values=", ".join(type(default)), value=value
        )
    if isinstance(default, bool):
        return _("must be yes or no, not {value!r}").format(value=value)
    return _("must be a whole number, not {value!r}").format(value=value)


def _harmless(text: str) -> str:
    """Return what a card, a log or a person wrote without what could paint over a screen."""
    kept = text[:SHOWN_LETTERS]
    return "".join(letter for letter in kept if letter.isascii() and letter.isprintable())


def _unknown_option() -> str:
    return _("is no option; the options are {names}").format(names=", ".join(OPTIONS))


def _member(name: str, kind: type[StrEnum], value: object) -> StrEnum:
    if type(value) is not str or value not in list(kind):
        raise RuleError(name, _not_of_kind(OPTIONS[name], value))
    return kind(value)


def _parse_option(name: str, default: OptionValue, text: str) -> OptionValue:
    if isinstance(default, StrEnum):
        return _member(name, type(default), text.replace("_", "-"))
    if isinstance(default, bool):
        if text in _YES:
            return True
        if text in _NO:
            return False
        raise RuleError(name, _not_of_kind(default, text))
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
        raise RuleError(name, _not_of_kind(default, text))
    return int(text)


_YES: Final = ("yes", "true", "on", "1")
_NO: Final = ("no", "false", "off", "0")

PRESETS: Final[Mapping[str, RuleSet]] = {
    "black-lady": RuleSet(),
    "omnibus": RuleSet(jack_points=-10),
    "spot": RuleSet(heart_points=HeartPoints.FACE, target=500),
    "cutthroat": RuleSet(pass_count=0),
    "british": RuleSet(seats=3, queen_points=0, moon=Moon.OFF),
    "cancellation": RuleSet(seats=6, packs=2, opening=Opening.NONE, pass_count=0),
    "no-break": RuleSet(hearts_break=False),
    "short": RuleSet(target=50),
    "cardgames": RuleSet(first_trick_penalties=True),
    "playboard": RuleSet(tie=Tie.LATEST_HAND),
}
"""Names for options; any option can be changed on top of a preset."""
