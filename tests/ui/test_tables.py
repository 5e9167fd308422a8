"""Choosing a table: the list at every size, by keys and clicks, and in sentences."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from prompt_toolkit.input import Input, create_pipe_input
from prompt_toolkit.output import DummyOutput, Output

from p2p_hearts.ui.choice import BACKSPACE, ENTER, ESCAPE, LAST, LEAVE, NEXT_SUIT, Key, Row
from p2p_hearts.ui.chooser import LineChooser
from p2p_hearts.ui.choosing import ScreenChooser
from p2p_hearts.ui.status import Acquaintance
from p2p_hearts.ui.tables import (
    MAX_CODE,
    Decision,
    GiveUp,
    Picking,
    Search,
    Sit,
    TableRow,
    draw_search,
    pick,
    row_sentence,
)
from p2p_hearts.ui.words import LETTERS, SYMBOLS, Glyphs, width
from tests.ui.goldens import matches_golden
from tests.ui.stopping import Close, Run, check_takes_the_terminal_again

ANA = TableRow(
    "a", "Sunday table", "Ana", 4, 2, "black-lady",
    ("4 players, one pack of cards: 13 cards each.", "Who holds 2♣ leads it."),
    Acquaintance.KNOWN, seated=("Ana", "Zé"),
)  # fmt: skip
BO = replace(ANA, key="b", name="Bo's corner", host="Bo", known=Acquaintance.CHANGED, coded=True,
             seated=("Bo",))  # fmt: skip
GONE = TableRow("c", "卡牌桌", "Cy", 4, 3, "short", problem="卡牌桌 was heard of and is silent.")
SEARCH = Search((ANA, BO, GONE), 3.0)
EMPTY = Search((), 7.0, "No open table was heard of. Type p2p-hearts join HOST:PORT#CODE instead.")


def press(*keys: Key, search: Search = SEARCH) -> tuple[Picking, Decision | None]:
    picking, decision = Picking(), None
    for key in keys:
        picking, decision = pick(picking, search, key)
    return picking, decision


def shown(picking: Picking | None = None, search: Search = SEARCH, size: tuple[int, int] = (60, 18),
          glyphs: Glyphs = SYMBOLS) -> str:  # fmt: skip
    return draw_search(search, picking or Picking(), glyphs, *size).text()


@pytest.mark.parametrize(
    "size", [(0, 0), (1, 1), (5, 40), (40, 10), (60, 18), (120, 40), (200, 60)]
)
@pytest.mark.parametrize("search", [SEARCH, EMPTY, Search()])
def test_search__fills_the_screen_exactly_at_every_size(
    search: Search, size: tuple[int, int]
) -> None:
    for picking in (Picking(), Picking(code="AB12"), Picking(feedback="No.")):
        picture = draw_search(search, picking, SYMBOLS, *size)
        assert len(picture.lines) == size[1]
        for line in picture.lines:
            assert sum(width(text) for _, text in line) == size[0]


def test_search__tells_the_rules_and_the_key_of_the_table_looked_at() -> None:
    screen = shown()
    for fact in ("Sunday table", "2 of 4 seats free", "Who holds 2♣", "same key as last time"):
        assert fact in screen
    assert "ANOTHER KEY" in shown(Picking("b"))
    assert "cannot be joined" in screen
    assert "is silent" in shown(Picking("c"))


def test_search__tells_who_sits_at_a_table_as_the_word_of_its_host() -> None:
    assert "At the table, as Ana says: Ana and Zé." in shown()
    assert "Nobody else sits there yet, as Bo says." in shown(Picking("b"))
    assert "says" not in shown(Picking("c"))
    assert "At the table, as Ana says: Ana and Zé." in row_sentence(ANA)
    assert "says" not in row_sentence(GONE)


def test_search__says_what_to_do_where_nothing_is_heard() -> None:
    assert "HOST:PORT#CODE" in shown(search=EMPTY)
    assert "HOST:PORT#CODE" not in shown(search=replace(EMPTY, seconds=1.0))


def test_search__letters_only_where_the_terminal_has_no_more() -> None:
    assert shown(glyphs=LETTERS, search=replace(SEARCH, rows=(BO,))).isascii()


def test_search__who_is_to_watch_does_not_sit_down() -> None:
    assert "Enter sit down" in shown()
    told = shown(search=replace(SEARCH, watching=True))
    assert "Enter watch" in told
    assert "sit down" not in told


def test_search__many_tables_scroll_around_the_one_looked_at() -> None:
    rows = tuple(replace(ANA, key=str(number), name=f"table {number:02}") for number in range(30))
    assert "table 29" in shown(Picking("29"), Search(rows))
    assert "table 00" in shown(Picking("0"), Search(rows))


def test_pick__arrows_and_enter_sit_down() -> None:
    assert press(ENTER)[1] == Sit("a")
    assert press(LAST, NEXT_SUIT, ENTER)[1] == Sit("a")
    assert press("q")[1] == press(ESCAPE)[1] == press(LEAVE)[1] == GiveUp()
    assert press(ENTER, search=EMPTY)[1] is None


def test_pick__a_click_looks_and_a_second_one_sits_down() -> None:
    assert press(Row(1))[0].key == "b"
    assert press(Row(1))[1] is None
    assert press(Row(0))[1] == Sit("a")
    assert press(Row(9))[1] is None


def test_pick__a_table_that_cannot_be_joined_says_why() -> None:
    picking, decision = press(LAST, ENTER)
    assert decision is None
    assert picking.feedback == GONE.problem


def test_pick__a_join_code_is_typed_corrected_and_sent() -> None:
    picking, decision = press(NEXT_SUIT, ENTER, *"AB1x", BACKSPACE, "q")
    assert decision is None
    assert picking.code == "AB1q"
    assert "Join code: AB1q_" in shown(picking)
    assert pick(picking, SEARCH, ENTER)[1] == Sit("b", "AB1q")
    assert pick(picking, SEARCH, ESCAPE)[0].code is None
    assert press(NEXT_SUIT, ENTER, ENTER)[1] is None
    long, _ = press(NEXT_SUIT, ENTER, *"x" * (MAX_CODE + 5))
    assert long.code == "x" * MAX_CODE


def test_picking__stays_on_its_table_when_the_list_changes() -> None:
    picking, _ = press(NEXT_SUIT)
    assert picking.row(Search((GONE, BO))) == BO
    assert picking.row(Search((GONE,))) == GONE
    assert picking.row(Search()) is None


@pytest.mark.parametrize("size", [(60, 18), (120, 40)])
@pytest.mark.parametrize("name", ["tables", "tables-code", "no-tables"])
def test_search__is_as_in_the_golden_file(name: str, size: tuple[int, int]) -> None:
    search = EMPTY if name == "no-tables" else SEARCH
    picking = Picking("b", code="AB12-") if name == "tables-code" else Picking()
    assert matches_golden(name, size, shown(picking, search, size))


def test_screen__after_a_stop_takes_the_terminal_again() -> None:
    def make(source: Input, output: Output) -> tuple[Run, Close]:
        chooser = ScreenChooser(lambda sit: None, terminal_input=source, terminal_output=output)
        chooser.show(SEARCH)
        return chooser.choose, lambda: chooser.press(LEAVE)

    check_takes_the_terminal_again(make)


def test_screen__shows_what_comes_and_gives_back_the_table() -> None:
    async def run() -> Decision:
        with create_pipe_input() as keys:
            chooser = ScreenChooser(
                lambda sit: "Wrong code." if sit.code == "no" else None,
                terminal_input=keys,
                terminal_output=DummyOutput(),
            )
            choosing = asyncio.create_task(chooser.choose())
            await asyncio.sleep(0.05)
            assert "Looking for tables" in chooser.picture(60, 18).text()
            chooser.show(SEARCH)
            for text in ("\x1b[B", "\r", "n", "o", "\r"):
                keys.send_text(text)
                await asyncio.sleep(0.01)
            assert "Wrong code." in chooser.picture(60, 18).text()
            assert "Join code: _" in chooser.picture(60, 18).text()
            for text in ("q", "1", "\r"):  # at once: it is asked for again
                keys.send_text(text)
                await asyncio.sleep(0.01)
            return await asyncio.wait_for(choosing, 60)

    assert asyncio.run(run()) == Sit("b", "q1")


def talk(script: Callable[[LineChooser, Callable[[str], Awaitable[str]]], Awaitable[None]]
         ) -> tuple[Decision, str]:  # fmt: skip
    """Type lines at the sentences; the end of the script is the end of the input."""
    heard = io.StringIO()

    async def run() -> Decision:
        reading, writing = os.pipe()
        with os.fdopen(reading) as source:
            refuse = "Wrong code."
            chooser = LineChooser(source, heard, lambda sit: refuse if sit.code == "NO" else None)
            choosing = asyncio.create_task(chooser.choose())
            await asyncio.sleep(0.01)

            async def type_line(line: str) -> str:
                start = len(heard.getvalue())
                os.write(writing, f"{line}\n".encode())
                await asyncio.sleep(0.01)
                return heard.getvalue()[start:]

            await script(chooser, type_line)
            os.close(writing)
            return await asyncio.wait_for(choosing, 60)

    return asyncio.run(run()), heard.getvalue()


def test_lines__tell_each_table_once_its_rules_and_that_it_is_gone() -> None:
    async def script(chooser: LineChooser, type_line: Callable[[str], Awaitable[str]]) -> None:
        chooser.show(SEARCH)
        chooser.show(SEARCH)
        assert "Who holds 2♣" in await type_line("r 1")
        assert GONE.problem in await type_line("3")
        assert "no table of that number" in await type_line("7")
        assert "1. Sunday table" in await type_line("list")
        assert '"q"' in await type_line("hello")
        chooser.show(Search((BO,)))
        assert "no table of that number" in await type_line("1")
        assert "join code" in await type_line("2")
        told = await type_line("NO")
        assert "Wrong code." in told
        assert "join code" in told
        assert "this network" in await type_line("") + await type_line("list")
        assert "join code" in await type_line("2")
        await type_line("NO")
        await type_line("AB12")

    decision, said = talk(script)
    assert decision == Sit("b", "AB12")
    assert said.count(f"1. {row_sentence(ANA)}") == 2  # when it came, and in the list
    assert "Table 1 is gone." in said


def test_lines__advise_where_nothing_is_heard_and_end_with_the_input() -> None:
    async def script(chooser: LineChooser, type_line: Callable[[str], Awaitable[str]]) -> None:
        chooser.show(EMPTY)
        chooser.show(EMPTY)

    decision, said = talk(script)
    assert decision == GiveUp()
    assert said.count(EMPTY.advice) == 1


@pytest.mark.parametrize("line", ["q", "quit"])
def test_lines__quit_sits_down_nowhere(line: str) -> None:
    async def script(chooser: LineChooser, type_line: Callable[[str], Awaitable[str]]) -> None:
        chooser.show(SEARCH)
        await type_line(line)

    assert talk(script)[0] == GiveUp()
