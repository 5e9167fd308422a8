"""The full-screen table driven by real key bytes, with no terminal."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input, PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_hearts.rules.cards import Card, card_name, card_set, cards_in, contains, parse_card, size
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.app import YOUR_TURN, FullScreen
from p2p_hearts.ui.choice import hand_order
from p2p_hearts.ui.pace import HAND_SECONDS
from p2p_hearts.ui.settings import SETTINGS, Settings
from p2p_hearts.ui.status import Acquaintance, Remark
from p2p_hearts.ui.styles import style_of
from p2p_hearts.ui.tour import PAGES
from p2p_hearts.ui.words import SYMBOLS, cards_text, width
from tests.ui.scenes import LOBBY, PEOPLE, STATUS, UNREADY, claim_view, moon_view, my_turn
from tests.ui.stopping import Close, Run, check_takes_the_terminal_again
from tests.ui.tables import Table

LEFT, RIGHT, UP, ENTER, SPACE, ESCAPE = "\x1b[D", "\x1b[C", "\x1b[A", "\r", " ", "\x1b"
CTRL_C, BACKSPACE, F1 = "\x03", "\x7f", "\x1bOP"


class Driver:
    """A running full screen and the keys pressed on it."""

    def __init__(self, front: FullScreen, table: Table, keys: PipeInput) -> None:
        self.front, self.table, self.keys = front, table, keys

    async def press(self, *texts: str) -> str:
        """Send keys one after the other and return the screen after them."""
        for text in texts:
            self.keys.send_text(text)
            await asyncio.sleep(0.12 if text == ESCAPE else 0.01)
        return self.screen()

    async def pass_three(self) -> None:
        """Deal, and pass the first three cards."""
        self.table.go_on()
        await self.press(SPACE, RIGHT, SPACE, RIGHT, SPACE, ENTER)

    def screen(self) -> str:
        return self.front.picture(80, 24).text()

    async def until(self, text: str) -> None:
        """Wait until something is on the screen."""
        async with asyncio.timeout(60):
            while text not in self.screen():
                await asyncio.sleep(0.01)

    async def until_gone(self, text: str) -> None:
        """Wait until something is on the screen no longer."""
        async with asyncio.timeout(60):
            while text in self.screen():
                await asyncio.sleep(0.01)


def play(
    script: Callable[[Driver], Awaitable[None]],
    table: Table | None = None,
    *,
    autoplay_seconds: float | None = None,
    pace: float = 0.0,
    ends: bool = False,
    settings: Settings | None = None,
    output: Output | None = None,
) -> Table:
    """Run a script against a table; `ends`: the script itself ends the front end."""
    table = Table() if table is None else table

    async def run() -> None:
        with create_pipe_input() as keys:
            front = FullScreen(
                table.callbacks(),
                autoplay_seconds=autoplay_seconds,
                pace=pace,
                handle_signals=ends,
                terminal_input=keys,
                settings=settings,
                terminal_output=output or DummyOutput(),
            )
            table.front = front
            running = asyncio.create_task(front.run())
            await asyncio.sleep(0.01)
            try:
                await script(Driver(front, table, keys))
            finally:
                if not ends:
                    front.close()
                await asyncio.wait_for(running, 60)

    asyncio.run(run())
    return table


def test_keys__the_pass_is_chosen_undone_and_confirmed() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        order = hand_order(driver.table.game.view())
        assert "Choose 3 cards to pass to Lena." in driver.screen()
        screen = await driver.press(SPACE, RIGHT, RIGHT, SPACE)
        assert "Choose 1 more card" in screen
        screen = await driver.press(BACKSPACE)
        assert "Choose 2 more cards" in screen
        screen = await driver.press(*card_name(order[3]).lower(), RIGHT, ENTER)
        chosen = cards_text((order[0], order[3], order[4]), SYMBOLS)
        assert f"Press Enter to pass {chosen} to Lena" in screen
        assert driver.table.passed == []
        await driver.press(ENTER)
        assert driver.table.passed == [card_set((order[0], order[3], order[4]))]
        assert driver.table.game.phase is Phase.PLAY

    play(script)


def test_keys__a_card_is_played_by_typing_and_by_arrows() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        card = table.first_legal()
        await driver.press(*card_name(card).lower())
        assert table.played == [card]
        screen = await driver.press(UP, LEFT)
        assert "It is your turn" in screen
        while not contains(table.game.legal(0), _under_cursor(driver)):
            await driver.press(RIGHT)
        wanted = _under_cursor(driver)
        await driver.press(ENTER)
        assert table.played == [card, wanted]

    play(script)


def _under_cursor(driver: Driver) -> Card:
    """The card over the arrow on a screen of text cards."""
    lines = driver.front.picture(60, 18).text().splitlines()
    row = next(line for line in lines if "[" in line)
    return parse_card(row[row.index("[") + 1 : row.index("]")])


def test_keys__an_illegal_card_is_explained() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        view = table.game.view()
        illegal = next(card for card in cards_in(view.hand) if not contains(view.legal, card))
        screen = await driver.press(*card_name(illegal).lower())
        assert "were led, and you hold" in screen
        assert table.played == []

    play(script)


def test_keys__a_refusal_of_the_table_is_shown_and_nothing_is_lost() -> None:
    table = Table(refuse="The table is paused.")

    async def script(driver: Driver) -> None:
        table.show()
        screen = await driver.press(SPACE, RIGHT, SPACE, RIGHT, SPACE, ENTER)
        assert "The table is paused." in screen
        table.refuse = None
        await driver.press(ENTER)
        assert size(table.passed[0]) == 3

    table.game.deal()
    play(script, table)


def test_keys__last_trick_scores_help_and_hint_open_and_close() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        await driver.press(*card_name(table.first_legal()).lower())
        assert "took the trick" in await driver.press("l")
        assert "No hand is finished yet." in await driver.press("s")
        assert "move over your cards" in await driver.press("?")
        await driver.press(ESCAPE)
        await driver.until_gone("move over your cards")
        await driver.press("h")
        await driver.until("Play low.")
        assert "Play low." not in await driver.press("h")
        await driver.press(F1)
        await driver.until("Play low.")

    play(script)


def test_keys__without_an_adviser_the_hint_says_so() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        assert "Nobody gives hints" in await driver.press("h")

    table = Table()
    table.adviser = None
    play(script, table)


def test_hint__that_comes_late_holds_up_nothing_and_is_not_shown_for_another_decision() -> None:
    thought, asked = asyncio.Event(), list[object]()

    async def slow(view: object) -> str:
        asked.append(view)
        await thought.wait()
        return "Play high."

    table = Table()
    table.adviser = slow

    async def script(driver: Driver) -> None:
        table.go_on()
        assert "Looking ahead" in await driver.press("h")
        assert "Looking ahead" in await driver.press("h", "h")
        assert len(asked) == 1
        await driver.press("h", SPACE, RIGHT, SPACE, RIGHT, SPACE, ENTER)
        assert table.passed  # the table went on
        thought.set()
        assert "Play high." not in await driver.press(RIGHT)
        await driver.press("h")
        await driver.until("Play high.")
        assert len(asked) == 2

    play(script, table)


@pytest.mark.parametrize("keys", [(CTRL_C,), ("q", ENTER), ("q", "q")])
def test_keys__leaving_is_confirmed_first(keys: tuple[str, ...]) -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        assert "Leave the table?" in await driver.press(*keys)
        assert "Leave the table?" not in await driver.press("n")
        assert driver.table.left == 0
        await driver.press(*keys, "y")
        assert driver.table.left == 1

    table = play(script, ends=True)
    assert table.left == 1


def test_mouse__a_click_chooses_a_card() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        await asyncio.sleep(0.05)
        picture = driver.front.picture(80, 40)  # the size of DummyOutput
        lines = picture.text().splitlines()
        row = max(row for row, line in enumerate(lines) if "╭─" in line) + 1
        column = lines[row].index("│") + 1
        click = f"{column + 1};{row + 1}"
        screen = await driver.press(f"\x1b[<0;{click}M", f"\x1b[<0;{click}m")
        assert "Choose 2 more cards" in screen

    play(script)


def test_whole_hand__is_played_with_enter_alone() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        while len(table.played) < 13:
            await driver.press(ENTER)
        assert len(table.game.match.hands) == 1
        await driver.press("s")
        assert " 1 " in driver.screen()

    play(script)


def test_autoplay__plays_the_only_legal_card_after_a_while() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        typed = 0
        while len(table.played) == typed and table.game.view().forced is None:
            await driver.press(*card_name(table.first_legal()).lower())
            typed += 1
        async with asyncio.timeout(60):
            while len(table.played) <= typed:
                await asyncio.sleep(0.02)

    play(script, autoplay_seconds=0.03)


def test_pace__cards_are_shown_one_after_the_other_and_enter_catches_up() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        screen = await driver.press(ENTER)  # shows the table, and plays nothing
        assert "It is your turn" in screen
        assert table.played == []
        await driver.press(ENTER, ENTER)  # ends the first trick, leads to the second
        assert len(table.played) == 2
        assert "It is your turn" not in driver.screen()  # the others' cards are still to come
        assert "It is your turn" in await driver.press(ENTER)
        assert len(table.played) == 2
        await driver.press(*card_name(table.first_legal()).lower())
        assert "It is your turn" not in driver.screen()
        await driver.press(*card_name(table.first_legal()).lower())  # typing needs no Enter
        assert len(table.played) == 4

    play(script, pace=50.0)


def test_pace__without_keys_everything_is_shown_in_time() -> None:
    async def script(driver: Driver) -> None:
        await driver.pass_three()
        await driver.until("It is your turn")

    play(script, pace=0.1)
    assert HAND_SECONDS > 1


def test_say__is_shown_on_the_table_and_in_the_lobby() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(None, LOBBY)
        driver.front.say("Cy looks for this table.")
        assert "Waiting for players." in driver.screen()
        driver.front.show(None, replace(STATUS, stage="Seats are being drawn."))
        driver.front.say("Lena is back.")
        assert "Lena is back." in driver.screen()
        driver.table.go_on()
        assert "Choose 3 cards" in driver.screen()

    play(script)


def waited(screen: str) -> int:
    """Read for how many seconds the table has waited for Lena."""
    told = re.search(r"Waiting for Lena, (\d+):(\d\d)\.", screen)
    assert told is not None, screen
    return int(told[1]) * 60 + int(told[2])


def test_waiting__the_clock_runs_between_two_states() -> None:
    async def script(driver: Driver) -> None:
        await driver.pass_three()
        view = replace(driver.table.game.view(), legal=card_set(()))
        status = replace(STATUS, waiting_for=(1,), waiting_seconds=58.95)
        driver.front.show(view, status)
        first = waited(driver.screen())
        assert first >= 58
        async with asyncio.timeout(60):
            while waited(driver.screen()) == first:
                await asyncio.sleep(0.01)
        assert waited(driver.screen()) > first

    play(script)


def test_going_on__without_a_player_is_asked_before_it_is_done() -> None:
    without: list[int] = []

    async def script(driver: Driver) -> None:
        await driver.pass_three()
        view = replace(driver.table.game.view(), legal=card_set(()))
        driver.front._callbacks = replace(driver.front._callbacks, on_go_on=without.append)
        status = replace(STATUS, waiting_for=(1,), waiting_seconds=30.0)
        driver.front.show(view, status)
        assert "Nobody is waited for" in await driver.press("v")
        driver.front.show(view, replace(status, waiting_seconds=61.0, may_go_on=(1,)))
        assert "Press v to go on without Lena." in driver.screen()
        assert "Press v again. Go on without Lena?" in await driver.press("v")
        assert without == []
        assert "You go on without Lena" in await driver.press("v")
        assert without == [1]

    play(script)


def test_finished__any_enter_ends_without_a_question_and_nobody_left() -> None:
    table = Table(RuleSet(hands=1))

    async def script(driver: Driver) -> None:
        await driver.pass_three()
        while table.game.phase is Phase.PLAY:
            await driver.press(*card_name(table.first_legal()).lower())
        assert "The match is over" in driver.screen()
        await driver.press(ENTER)

    play(script, table, ends=True)
    assert table.left == 0


def test_moon__the_shooter_chooses() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(moon_view(), STATUS)
        assert "1  Everybody else gets 26 points." in driver.screen()
        await driver.press("2")

    assert play(script).moons == [MoonChoice.SHOOTER_SUBTRACTS]


def test_close__before_run_and_twice_is_harmless() -> None:
    table = Table()

    async def run() -> None:
        with create_pipe_input() as keys:
            front = FullScreen(
                table.callbacks(), terminal_input=keys, terminal_output=DummyOutput()
            )
            front.close()
            await asyncio.wait_for(front.run(), 60)
            front.close()

    asyncio.run(run())
    assert table.left == 0


def test_exception__of_a_callback_ends_the_table_and_comes_out_of_run() -> None:
    async def boom(view: object) -> str:
        raise RuntimeError("boom")

    async def script(driver: Driver) -> None:
        driver.table.go_on()
        await driver.press("h")

    table = Table()
    table.adviser = boom
    with pytest.raises(RuntimeError, match="boom"):
        play(script, table, ends=True)


@contextmanager
def _default(number: int) -> Iterator[None]:
    before = signal.getsignal(number)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals__end_the_table_in_order(number: int) -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        os.kill(os.getpid(), number)
        await asyncio.sleep(0.05)

    with _default(number):
        table = play(script, ends=True)
    assert table.left == 1


def test_signals__after_a_stop_the_terminal_is_taken_again_and_all_is_drawn() -> None:
    def make(source: Input, output: Output) -> tuple[Run, Close]:
        front = FullScreen(Table().callbacks(), terminal_input=source, terminal_output=output)
        front.show(None, LOBBY)
        return front.run, front.close

    check_takes_the_terminal_again(make)


def test_end_of_input__means_that_the_person_left() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        driver.keys.close()
        await asyncio.sleep(0.05)

    assert play(script, ends=True).left == 1


def test_paste_and_control_keys__do_nothing() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        before = driver.screen()
        await driver.press("\x1b[200~qs kh\x1b[201~", "\x0c", "\x01", "\x1b[5~")
        assert driver.screen() == before

    play(script)


def test_control_l__draws_all_anew_and_leaves_what_stood_on_the_terminal_before() -> None:
    written = io.StringIO()

    def screens() -> list[str]:
        return written.getvalue().split("\x1b[?1049h")[1:]

    async def script(driver: Driver) -> None:
        driver.front.show(None, LOBBY)
        async with asyncio.timeout(60):
            while "Sunday" not in written.getvalue():
                await asyncio.sleep(0.01)
            await driver.press("\x0c")
            while len(screens()) < 2 or "Sunday" not in screens()[1]:
                await asyncio.sleep(0.01)
        # Between the two, where the terminal shows what was there before, nothing is erased.
        assert "\x1b[2J" not in written.getvalue()

    play(script, output=Vt100_Output(written, lambda: Size(24, 80), term="xterm"))


def test_claim__is_asked_and_reported() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(claim_view(), STATUS)
        assert "press c to claim the rest" in driver.screen()
        await driver.press("c")
        assert "Claim the rest?" in driver.screen()
        await driver.press("n")
        assert "Claim the rest?" not in driver.screen()
        await driver.press("c", "y")

    assert play(script).claims == 1


def test_claim__that_the_table_refuses_loses_nothing() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(claim_view(), STATUS)
        await driver.press("c", "y")
        assert "Not now." in driver.screen()
        await driver.press("c")
        assert "Claim the rest?" in driver.screen()

    play(script, Table(refuse="Not now."))


DOWN = "\x1b[B"
SUITS = ("clubs", "diamonds", "spades", "hearts")


def test_settings__are_changed_on_the_screen_hold_at_once_and_are_given_on() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        low = driver.front.picture(60, 18).text()
        assert "low cards first" in await driver.press("o")
        assert "high cards first" in await driver.press(ENTER)
        await driver.press(DOWN, RIGHT, "o")
        high = driver.front.picture(60, 18).text()
        assert high != low
        order = hand_order(driver.table.game.view(), "high-first")
        assert cards_text(order[:2], SYMBOLS).replace(" ", "") in high.replace(" ", "").replace(
            "[", ""
        ).replace("]", "")

    table = play(script)
    assert table.settings == [
        Settings(tour="off", sorting="high-first"),
        Settings(tour="off", sorting="high-first", speed="slow"),
    ]


def test_settings__that_cannot_be_remembered_say_so_and_hold() -> None:
    async def script(driver: Driver) -> None:
        driver.table.refuse_settings = "They were not written."
        driver.table.go_on()
        screen = await driver.press("o", RIGHT)
        assert "They were not written." in screen
        assert "high cards first" in screen

    play(script)


def test_settings__a_new_order_keeps_the_cards_that_are_chosen() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        order = hand_order(driver.table.game.view())
        await driver.press(SPACE, RIGHT, SPACE, RIGHT, SPACE)
        await driver.press("o", RIGHT, "o", ENTER)
        assert driver.table.passed == [card_set(order[:3])]

    play(script)


def test_tour__comes_first_goes_both_ways_and_is_remembered_as_seen() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(None, LOBBY)
        assert PAGES[0].title in driver.screen()
        assert PAGES[1].title in await driver.press(ENTER)
        assert PAGES[0].title in await driver.press(LEFT)
        driver.table.go_on()
        screen = await driver.press(*[ENTER] * len(PAGES))
        assert not any(page.title in screen for page in PAGES)
        assert "Choose 3 cards" in screen
        assert PAGES[0].title in await driver.press("?", "t")
        await driver.press(ESCAPE)
        await driver.until_gone(PAGES[0].title)

    assert play(script, settings=Settings()).settings == [Settings(tour="off")]


def test_tour__holds_the_only_card_back() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        only = table.first_legal()
        table.game.hands[0] = card_set([only])
        table.show()
        assert PAGES[0].title in await driver.press("?", "t")
        # Its time has come, as if the hour were over.
        view = driver.front._view
        assert view is not None
        driver.front._play_forced(view)
        assert table.played == []
        await driver.press(ESCAPE)
        await driver.until_gone(PAGES[0].title)
        driver.front._play_forced(view)
        assert table.played == [only]

    play(script, autoplay_seconds=3600)


def test_lobby__a_host_seats_a_computer_player() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(None, UNREADY)
        assert "Press b for a computer player." in driver.screen()
        screen = await driver.press("b")
        answer = "A computer player comes in a moment."
        assert answer in screen
        driver.front.show(None, replace(UNREADY, own_ready=True))
        assert answer in driver.screen()
        assert driver.table.added == 1
        driver.front.show(None, replace(UNREADY, players=(*UNREADY.players, "Nara")))
        assert answer not in driver.screen()

    play(script)


def test_people__are_shown_with_the_words_also_in_the_lobby() -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(None, LOBBY)
        assert "Who is here" in await driver.press("p")
        driver.table.show(replace(STATUS, people=PEOPLE))
        screen = driver.screen()
        assert "the same key as last time" in screen
        assert "ANOTHER KEY" in screen
        assert STATUS.phrase in screen
        assert "Who is here" not in await driver.press("p")

    play(script)


class Recorder(DummyOutput):
    """An output that keeps what asks for attention."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def bell(self) -> None:
        self.calls.append("bell")

    def write_raw(self, data: str) -> None:
        if YOUR_TURN in data:
            self.calls.append("notification")


@pytest.mark.parametrize(
    ("bell", "calls"), [("off", []), ("bell", ["bell"]), ("notify", ["bell", "notification"])]
)
def test_turn__is_told_as_the_settings_want_it(bell: str, calls: list[str]) -> None:
    async def script(driver: Driver) -> None:
        driver.front.show(my_turn(), STATUS)
        driver.front.show(my_turn(), STATUS)

    recorder = Recorder()
    play(script, settings=Settings(tour="off", bell=bell), output=recorder)
    assert recorder.calls == calls


def test_hints__come_by_themselves_or_not_at_all_where_the_settings_say_so() -> None:
    async def always(driver: Driver) -> None:
        driver.front.show(my_turn(), STATUS)
        await driver.until("Play low.")

    async def never(driver: Driver) -> None:
        driver.front.show(my_turn(), STATUS)
        assert "Hints are switched off" in await driver.press("h")

    play(always, settings=Settings(tour="off", hints="always"))
    play(never, settings=Settings(tour="off", hints="off"))


def test_autoplay__is_switched_off_by_the_settings() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        await driver.pass_three()
        table.game.hands[0] = card_set([table.first_legal()])
        table.show()
        await asyncio.sleep(0.1)
        assert table.played == []

    play(script, autoplay_seconds=0.02, settings=Settings(tour="off", autoplay="off"))


@pytest.mark.parametrize("colours", next(s.values for s in SETTINGS if s.key == "colours"))
def test_colours__every_choice_has_a_style(colours: str) -> None:
    style = style_of(colours)
    suits = [style.get_attrs_for_style_str(f"class:suit.{suit}").color for suit in SUITS]
    assert len(set(suits)) == {"four": 4, "two": 2, "none": 1}[colours]


def test_people__somebody_new_is_shown_once_before_the_game() -> None:
    async def script(driver: Driver) -> None:
        table = driver.table
        table.go_on()
        known = (Acquaintance.SELF, Acquaintance.KNOWN, Acquaintance.COMPUTER, Acquaintance.KNOWN)
        table.show(replace(STATUS, people=known))
        assert "Who is here" not in driver.screen()
        table.show(replace(STATUS, people=PEOPLE))
        assert "Who is here" in driver.screen()
        assert "Who is here" not in await driver.press(ENTER)
        table.show(replace(STATUS, people=PEOPLE, history="0000"))
        assert "Who is here" not in driver.screen()

    play(script)


def test_chat__a_line_is_written_said_and_shown_while_the_game_goes_on() -> None:
    hello = Remark(7, "Lena", "well played")

    async def script(driver: Driver) -> None:
        driver.table.go_on()
        assert "> _" in await driver.press("m")
        assert "> qs c_" in await driver.press(*"qs c")
        assert driver.table.passed == []
        driver.table.show(replace(STATUS, chat=(hello,)))
        assert "Lena: well played" in driver.screen()
        assert "> q_" in await driver.press(BACKSPACE, BACKSPACE, BACKSPACE)
        await driver.press(ENTER)
        assert driver.table.said == ["q"]
        driver.table.refuse = "That was a lot at once."
        assert "That was a lot at once." in await driver.press("x", ENTER)
        await driver.press(ESCAPE)
        await driver.until_gone("> ")
        assert "Lena: well played" in driver.screen(), "among what was told last"
        assert driver.table.said == ["q", "x"]

    play(script)


def test_chat__long_lines_stay_in_the_box() -> None:
    async def script(driver: Driver) -> None:
        driver.table.go_on()
        screen = await driver.press("m", *"word " * 30)
        assert all(width(line) <= 80 for line in screen.split("\n"))

    play(script)


def test_drawing__that_fails_ends_the_front_end_and_is_no_picture_that_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(scene: object, columns: int, rows: int) -> object:
        raise ZeroDivisionError

    async def script(driver: Driver) -> None:
        driver.table.go_on()
        monkeypatch.setattr("p2p_hearts.ui.app.draw", broken)
        driver.table.show()
        await asyncio.sleep(1)

    with pytest.raises(ZeroDivisionError):
        play(script)
