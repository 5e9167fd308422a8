"""Reports of games that a script wrote, made once for all tests of a run."""

from __future__ import annotations

from functools import cache
from itertools import count

from p2p_hearts import i18n
from p2p_hearts.i18n import Language
from p2p_hearts.record.audit import Comparison, audit_tables
from p2p_hearts.record.log import read_log
from p2p_hearts.record.report import report_page
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Kind
from tests.record.cheats import Once, illegal_card
from tests.record.games import ONE_HAND, honest_game
from tests.record.maker import Game, write

HOSTILE = (
    "<svg onload=owned=1>",
    '"><script>owned=1//',
    "<a href=javascript:owned",
    "</title></style><b>x",
)
HOSTILE_LOG = "<img src=x onerror=owned=1>.hearts"


def told(*logs: bytes, names: tuple[str, ...] = ()) -> Comparison:
    ticks = count()
    found = audit_tables(
        [read_log(log) for log in logs], names, tells=True, clock=lambda: next(ticks) / 500
    )
    return found.tables[0]


@cache
def clean_game() -> Comparison:
    return told(honest_game().log())


@cache
def convicting_game() -> Comparison:
    """A revoke by a player with a hostile name, in a log with a hostile name."""
    cheat = Once(Kind.PLAY, illegal_card(Rule.REVOKE))
    game = Game(ONE_HAND, tamper=cheat, nicks=HOSTILE).run()
    return told(game.log(), names=(HOSTILE_LOG,))


@cache
def unfinished_game() -> Comparison:
    """A log that ends in the middle of a hand: most cards are unknown."""
    game = honest_game()
    last = [at for at, sealed in enumerate(game.contents, 2) if sealed.content.kind == Kind.PLAY][9]
    return told(write(game.records()[:last]))


@cache
def crowded_game() -> Comparison:
    """Six players, with claims."""
    return told(Game(RuleSet(seats=6, hands=1), seed="six", claims=True).run().log())


def made(found: Comparison, language: Language = "en") -> str:
    i18n.use(language)
    try:
        return report_page(found)
    finally:
        i18n.use("en")
