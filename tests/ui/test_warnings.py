"""A known name with a new key is told loudly, for as long as it matters, on every front end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.telling import Chronicle
from tests.ui.scenes import STATUS, my_turn, scene
from tests.ui.test_picture import FULL_SIZES, flat

WARNING = "WARNING: this Bo has another key than the Bo you met before."
STATUS_WITH = replace(STATUS, warnings=(WARNING,))


@pytest.mark.parametrize("size", FULL_SIZES)
def test_warning__stands_on_the_screen_before_the_first_card_and_marked_ever_after(
    size: tuple[int, int],
) -> None:
    played = my_turn()
    deal = replace(played, phase=Phase.PASS, play=None)
    assert WARNING in flat(scene(deal, status=STATUS_WITH), *size)
    assert WARNING in flat(scene(None, status=STATUS_WITH), *size)
    for view in (deal, played):
        assert "a known name has a new key" in flat(scene(view, status=STATUS_WITH), *size)
    assert "new key" not in flat(scene(played), *size)


def test_warning__is_told_once_in_lines() -> None:
    chronicle = Chronicle()
    told = [news.sentence for news in chronicle.news(None, STATUS_WITH)]
    assert told.count(WARNING) == 1
    assert WARNING not in [news.sentence for news in chronicle.news(my_turn(), STATUS_WITH)]
