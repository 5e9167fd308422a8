"""Vectors of 5.1 and 5.4: whether a claim of the rest stands, moons, how a match ends.

Nearly all cards of a hand are played by *sweeps*, tricks of one suit that seat 0 leads and wins:
they prove of nobody what it does not hold. What is left shows one reason each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from p2p_hearts.rules.cards import Card, Suit, parse_card, suit_of
from p2p_hearts.rules.options import PRESETS, Moon, RuleSet, Tie
from tools.vectors.basics import options
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import Plain, VectorFile

LEADER: Final = 0
FOUR: Final = RuleSet().with_options({"opening": "none"})
THREE: Final = FOUR.with_options({"seats": "3"})
TWO_PACKS: Final = PRESETS["cancellation"].with_options({"seats": "6"})


def ends_file() -> VectorFile:
    """Claims that stand and that do not, scores of moons, matches that are over or not."""
    file = VectorFile("Section 5.1 and 5.4: claims of the rest, moons, ends of matches", OPERATIONS)
    _highest(file)
    _proven(file)
    _queen_that_waits(file)
    _early(file)
    _two_packs(file)
    _worthless(file)
    _moons(file)
    _ends(file)
    return file


def _faces(names: str) -> list[Card]:
    return [parse_card(name) for name in names.split()]


def _sweep(rules: RuleSet, left: Iterable[Card]) -> list[Card]:
    """Play all other cards by sweeps; with two packs, no two highest ones are equal."""
    plays: list[Card] = []
    rest = Counter(rules.pack) - Counter(left)
    for suit in Suit:
        cards = Counter({card: count for card, count in rest.items() if suit_of(card) is suit})
        while cards := +cards:
            trick = sorted(cards, key=lambda card: (cards[card], card))[-rules.seats :]
            if len(trick) < rules.seats:
                raise ValueError(f"{suit.name.lower()} do not make whole tricks")
            plays += sorted(trick, reverse=True)
            cards -= Counter(trick)
    return plays


def _accept(
    file: VectorFile,
    name: str,
    rules: RuleSet,
    plays: Sequence[Card],
    hand: str,
    widow: str = "",
) -> None:
    file.accept(
        name,
        "claim rest",
        rule_set=options(rules),
        dealer=(LEADER - 1) % rules.seats,
        leader=None,
        plays=plays,
        widow=_faces(widow),
        hand=_faces(hand),
    )


def _reject(file: VectorFile, twin: str, why: str, **changed: Plain) -> None:
    file.reject(twin, "V45", "claim", why, **changed)


def _highest(file: VectorFile) -> None:
    plays = _sweep(THREE, _faces("AC KC QC AH KH QH JH 2D 2S"))
    name = "the highest cards, and one below a lonely one that falls before"
    _accept(file, name, THREE, plays, "AC QC AH")
    _reject(file, name, "a higher card is out", hand=_faces("AC QC KH"))
    _reject(file, name, "a higher card may be guarded", hand=_faces("AC AH QH"))
    _accept(file, "a low card, and none of its suit is out", THREE, plays, "AC QC 2D")


def _proven(file: VectorFile) -> None:
    """Seat 1 must have the heart and seat 2 the diamond: so each has one of the clubs."""
    left = _faces("AC QC KC 3C 5H 6D")
    shown = _faces("4D 2S 9D 8D 4C 3S 5C TC 6C 9H 8H 4S AS 7C 2H")
    plays = [*_sweep(THREE, [*left, *shown]), *shown]
    name = "no room for a guard, by what the others have proven"
    _accept(file, name, THREE, plays, "AC QC")
    at = plays.index(parse_card("8H"))
    turned = [*plays[:at], plays[at + 1], plays[at], *plays[at + 2 :]]
    _reject(file, name, "the other one has discarded on the heart", plays=turned)


def _queen_that_waits(file: VectorFile) -> None:
    hearts = " ".join(f"{rank}H" for rank in "23456789TJQKA")
    plays = _sweep(FOUR, _faces(f"AS QS 9S TS 2S 2C 2D {hearts}"))
    name = "Q♠ is led before a lower spade"
    _accept(file, name, FOUR, plays, "AS QS 9S AH KH")
    waits = options(FOUR.with_options({"queen_waits": "true"}))
    _reject(file, name, "Q♠ waits, and must come last", rule_set=waits)


def _early(file: VectorFile) -> None:
    spades = " ".join(f"{rank}S" for rank in "AKQJT9876543")
    name, trick = "twelve spades after trick one", _faces("AC 2C 3C 4C")
    _accept(file, name, FOUR, trick, spades)
    _reject(file, name, "on trick one", plays=[], hand=_faces(f"{spades} 2S"))
    led = [*_faces("2C AC 3C 4C"), *_faces("5C")]
    _reject(file, name, "another seat has led", plays=led)


def _two_packs(file: VectorFile) -> None:
    left, rules = _faces("AH AH 2C 2C 2D 2D 2S 2S"), TWO_PACKS
    name = "an ace whose equal was in the widow"
    _accept(file, name, rules, _sweep(rules, left), "AH", "AH 2C")
    _reject(file, name, "the equal one is out", widow=_faces("2C 2C"))
    hand = " ".join(f"{rank}H {rank}H" for rank in "AKQJT987")
    name, trick = "sixteen hearts after the widow was opened", _faces("AC KC QC JC TC 9C")
    _accept(file, name, rules, trick, hand, "2D 3D")
    cancelled = _faces("AC AC KC KC QC QC")
    _reject(file, name, "nobody won trick one, and the widow lies hidden", plays=cancelled)

    left = _faces("3D 3D 2D 2D 2C 2C 2S 2S")
    last = _faces("AD 2H KD KD 3H QD")
    name = "no card that counts is left, with two packs"
    plays = [*_sweep(rules, [*left, *last]), *last]
    _accept(file, name, rules, plays, "3D", "2C 2S")
    at = plays.index(parse_card("AD"))
    stalled = [*plays[:at], parse_card("QD"), *plays[at + 1 : -1], parse_card("AD")]
    _reject(file, name, "hearts lie in a trick without a winner", plays=stalled)


def _worthless(file: VectorFile) -> None:
    left, last = _faces("JD 2D 2S 3C 4C 5C"), _faces("AD 2H KD")
    plays = [*_sweep(THREE, [*left, *last]), *last]
    name = "no card that counts is left"
    _accept(file, name, THREE, plays, "3C 2S")
    jack = options(THREE.with_options({"jack_points": "-10"}))
    _reject(file, name, "J♦ counts", rule_set=jack)
    queen = _faces("JD 2D QS 3C 4C 5C")
    with_queen = [*_sweep(THREE, [*queen, *last]), *last]
    _reject(file, name, "Q♠ is out", plays=with_queen, hand=_faces("3C 4C"))
    held = _faces("KD 3C 2S")
    _reject(file, name, "a heart lies on the table", plays=plays[:-1], hand=held)
    name = "no card that counts is left, in the middle of a trick"
    _accept(file, name, THREE, [*plays, *_faces("2S")], "3C 4C")


def _scores(hands: Iterable[Sequence[int]]) -> list[Plain]:
    return [{"scores": scores} for scores in hands]


def _moons(file: VectorFile) -> None:
    """Seat 1 takes every card; what ``safe`` makes of it depends on how the match would end."""
    safe = RuleSet(moon=Moon.SAFE)
    whole: list[Plain] = [{"cards": list(safe.pack) if seat == 1 else []} for seat in range(4)]

    def add(name: str, rules: RuleSet, *hands: Sequence[int], choice: str | None = None) -> None:
        file.accept(
            name,
            "score hand",
            rule_set=options(rules),
            hands=_scores(hands),
            taken=whole,
            choice=choice,
        )

    add("a safe moon that adds: the match goes on", safe, (5, 60, 6, 7))
    add("a safe moon that adds: the match ends, and the shooter wins", safe, (80, 60, 90, 70))
    add(
        "a safe moon that adds: another seat would be level, and the match go on",
        safe,
        (34, 60, 80, 70),
    )
    latest = safe.with_options({"tie": "latest-hand"})
    add("a safe moon that adds: level, and in front by the latest hand", latest, (34, 60, 80, 70))
    add("a safe moon that subtracts: another seat would win", safe, (5, 60, 80, 7))
    last = safe.with_options({"hands": "2"})
    add("a safe moon that subtracts in the last hand", last, (5, 60, 6, 7))
    add(
        "a safe moon that adds in the last hand: in front with another seat", last, (34, 60, 80, 70)
    )
    chosen = RuleSet(moon=Moon.CHOICE)
    for choice in ("others-add", "shooter-subtracts"):
        add(f"a moon by choice, {choice}", chosen, (5, 60, 80, 7), choice=choice)


def _ends(file: VectorFile) -> None:
    usual = RuleSet()
    latest, last = RuleSet(tie=Tie.LATEST_HAND), RuleSet(hands=2)
    both = latest.with_options({"hands": "2"})

    def accept(name: str, rules: RuleSet, *hands: Sequence[int]) -> None:
        file.accept(name, "end match", rule_set=options(rules), hands=_scores(hands))

    def goes_on(twin: str, why: str, *hands: Sequence[int]) -> None:
        file.reject(twin, "V113", "incomplete", why, hands=_scores(hands))

    name = "a total at the target, one seat in front"
    accept(name, usual, (40, 30, 20, 14), (60, 20, 30, 16))
    goes_on(name, "one point is missing", (40, 30, 20, 14), (59, 20, 30, 17))
    goes_on(name, "two seats are in front", (40, 30, 20, 14), (60, 20, 10, 16))
    goes_on(name, "no hand")
    fallen = ((90, 40, 40, 34), (10, 0, 0, 6), (-10, 6, 7, 23))
    goes_on(name, "the total at the target has gone down again", *fallen)
    more = _scores([(40, 30, 20, 14), (60, 20, 30, 16), (1, 2, 3, 20)])
    file.reject(name, "V112", "unreadable", "a hand after the end", hands=more)
    accept("all above the target", usual, (99, 99, 99, 99), (4, 3, 2, 17))
    accept("totals below nothing", usual, (-26, 52, 26, 26), (0, 50, -3, -3))

    name = "level in front, and parted by the latest hand"
    accept(name, latest, (40, 30, 20, 14), (60, 20, 10, 16))
    file.reject(name, "V113", "incomplete", "the table plays another hand", rule_set=options(usual))
    goes_on(name, "level in every hand", (40, 30, 20, 20), (60, 20, 12, 12))
    name = "level in the latest hand too, and parted by the one before"
    accept(name, latest, (10, 20, 30, 31), (80, 20, 15, 14), (10, 10, 3, 3))

    name = "the last hand, and two seats are level in front"
    accept(name, last, (4, 3, 12, 7), (9, 10, 9, 9))
    goes_on(name, "one hand is missing", (4, 3, 12, 7))
    accept("the last hand, parted by it", both, (4, 3, 12, 7), (9, 10, 9, 9))
    accept("the last hand, level in every hand", both, (4, 4, 11, 7), (5, 5, 9, 7))
