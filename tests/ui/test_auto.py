from __future__ import annotations

import asyncio
import io
from dataclasses import replace

from p2p_hearts.rules.cards import card_set, cards_in
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.auto import Silent
from tests.ui.scenes import FAULT, LOBBY, LOG, STATUS
from tests.ui.tables import Table


def play_match(*, quiet: bool) -> str:
    heard = io.StringIO()
    table = Table(RuleSet(hands=2))

    async def run() -> None:
        front = Silent(heard, quiet=quiet)
        table.front = front
        front.show(None, LOBBY)
        front.say("Lena is back.")
        running = asyncio.create_task(front.run())
        table.go_on()
        while table.game.phase is not Phase.MATCH_OVER:
            if table.game.phase is Phase.PASS:
                table.on_pass(card_set(cards_in(table.game.view().hand)[:3]))
            else:
                table.on_card(table.first_legal())
        await asyncio.wait_for(running, 60)

    asyncio.run(run())
    return heard.getvalue()


def test_silent__tells_a_sentence_a_trick_a_hand_and_a_score_and_returns() -> None:
    said = play_match(quiet=False)
    assert said.count("take the trick") + said.count("takes the trick") == 26
    assert said.count("Totals: ") == 2
    assert "Hand 1. Wira deals." in said
    assert "Hand 2. You deal." in said
    assert "the match with" in said
    assert f"The log of this game: {LOG}" in said
    assert "Lena is back." in said
    assert " plays " not in said


def test_silent__quietly_tells_the_end_and_faults_only() -> None:
    said = play_match(quiet=True)
    assert len(said.splitlines()) == 1
    assert "the match with" in said


def test_silent__tells_a_fault_even_quietly_and_survives_a_closed_stream() -> None:
    async def run() -> str:
        heard = io.StringIO()
        front = Silent(heard, quiet=True)
        front.show(None, replace(STATUS, fault=FAULT))
        said = heard.getvalue()
        heard.close()
        front.show(None, replace(STATUS, fault="Another fault."))
        front.close()
        await asyncio.wait_for(front.run(), 60)
        return said

    assert asyncio.run(run()) == FAULT + "\n"
