"""Whatever stands in a log: its report, its replay and what it adds to statistics can be made."""

from __future__ import annotations

from random import Random

import pytest

from p2p_hearts.commands.replay import make_film
from p2p_hearts.record.audit import Report, Verdict, audit
from p2p_hearts.record.audit.compare import compare
from p2p_hearts.record.log import read_log
from p2p_hearts.record.report import report_page
from p2p_hearts.record.stats.facts import facts_of
from p2p_hearts.ui.replay import draw_frame, frame_lines
from p2p_hearts.ui.words import SYMBOLS, cards_words
from tests.record.games import MEMO, ONE_HAND, honest_game
from tests.record.maker import Game, write
from tests.record.test_audit_faults import CHEATS

pytestmark = pytest.mark.deep


def shown(log: bytes) -> Report:
    """Audit a log and make everything that can be made of it."""
    report = audit(read_log(log), memo=MEMO, tells=True)
    assert report.summary[0] in report_page(compare([report]))
    hands = [hand for hand in report.story if not hand.is_void]
    if hands:
        film = make_film(report, hands, cards_words)
        for at in range(len(film.frames)):
            draw_frame(film, at, 80, 24, SYMBOLS)
            list(frame_lines(film, at))
    facts_of(report, "custom")
    return report


@pytest.mark.parametrize("name", CHEATS)
def test_report__of_every_way_to_cheat_can_be_made(name: str) -> None:
    _rule, tamper = CHEATS[name]
    report = shown(Game(ONE_HAND, tamper=tamper).run().log())
    assert report.verdict is Verdict.FAULT


def test_report__of_a_log_cut_anywhere_can_be_made() -> None:
    records = honest_game().records()
    for cut in range(0, len(records), 5):
        assert shown(write(records[:cut])).verdict is Verdict.INCOMPLETE


def test_report__of_a_log_with_records_lost_or_moved_can_be_made() -> None:
    random = Random(5)
    for _ in range(60):
        records = list(honest_game().records())
        for _change in range(3):
            first, second = (random.randrange(2, len(records)) for _ in range(2))
            if random.random() < 0.5:
                records[first], records[second] = records[second], records[first]
            else:
                del records[first]
        shown(write(records))


def test_report__of_a_damaged_log_can_be_made() -> None:
    random, log = Random(6), honest_game().log()
    for _ in range(60):
        at = random.randrange(len(log))
        assert shown(log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]).verdict in (
            Verdict.UNREADABLE, Verdict.INCOMPLETE
        )  # fmt: skip
