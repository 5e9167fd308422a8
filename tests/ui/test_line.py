"""Line mode on real pipes: a whole hand, every command, and the end of the input."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.rules.cards import EMPTY, Card, card_name, card_set, cards_in, contains, parse_card
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.texts import describe
from p2p_hearts.rules.view import NOBODY, Phase
from p2p_hearts.ui.answers import hand_sentence, score_sentences, table_sentences
from p2p_hearts.ui.line import LineMode
from p2p_hearts.ui.sentences import points_sentence, winners_sentence
from p2p_hearts.ui.settings import SETTINGS, Settings
from p2p_hearts.ui.status import Remark
from p2p_hearts.ui.tour import PAGES
from tests.ui.games import with_totals
from tests.ui.scenes import (
    FAULT,
    FINISHED,
    LOBBY,
    LOG,
    PEOPLE,
    STATUS,
    UNREADY,
    claim_view,
    moon_view,
    my_turn,
    playing_game,
)
from tests.ui.tables import Table


class Pipes:
    """The two ends that a person sits at: type lines, read sentences."""

    def __init__(self, front: LineMode, table: Table, keys: int, heard: io.StringIO) -> None:
        self.front, self.table, self.keys, self.heard = front, table, keys, heard

    async def type(self, *lines: str) -> str:
        """Type lines and return what was said since."""
        start = len(self.heard.getvalue())
        for line in lines:
            os.write(self.keys, f"{line}\n".encode())
            await asyncio.sleep(0.01)
        return self.heard.getvalue()[start:]

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that comes by itself."""
        async with asyncio.timeout(60):
            while not true():
                await asyncio.sleep(0.01)

    def said(self) -> str:
        return self.heard.getvalue()


def talk(
    script: Callable[[Pipes], Awaitable[None]],
    table: Table | None = None,
    *,
    autoplay_seconds: float | None = None,
    ends: bool = False,
    settings: Settings | None = None,
) -> tuple[Table, str]:
    """Run a script; `ends`: the script itself ends the front end."""
    table = Table() if table is None else table
    heard = io.StringIO()

    async def run() -> None:
        reading, writing = os.pipe()
        with os.fdopen(reading) as source:
            front = LineMode(
                table.callbacks(),
                source,
                heard,
                autoplay_seconds=autoplay_seconds,
                settings=settings,
                handle_signals=ends,
            )
            table.front = front
            running = asyncio.create_task(front.run())
            await asyncio.sleep(0.01)
            pipes = Pipes(front, table, writing, heard)
            try:
                await script(pipes)
            finally:
                if not ends:
                    front.close()
                await asyncio.wait_for(running, 60)
                if pipes.keys >= 0:
                    os.close(writing)

    asyncio.run(run())
    return table, heard.getvalue()


async def pass_three(pipes: Pipes) -> None:
    pipes.table.go_on()
    order = cards_in(pipes.table.game.view().hand)
    await pipes.type(" ".join(card_name(card) for card in order[:3]), "")


async def type_until_forced(pipes: Pipes) -> int:
    """Pass, and type cards until only one may be played; return how many were typed."""
    await pass_three(pipes)
    typed = 0
    while len(pipes.table.played) == typed and pipes.table.game.view().forced is None:
        await pipes.type(card_name(pipes.table.first_legal()).lower())
        typed += 1
    return typed


def test_whole_hand__is_played_by_typing_cards() -> None:
    async def script(pipes: Pipes) -> None:
        table = pipes.table
        await pass_three(pipes)
        while len(table.played) < 13:
            said = await pipes.type(card_name(table.first_legal()).lower())
            assert "You " in said
        assert len(table.game.match.hands) == 1

    table, said = talk(script)
    assert "Hand 1. Wira deals." in said
    assert "You pass 3 cards to the left, to Lena." in said
    assert said.count("takes the trick") + said.count("take the trick") == 13
    view = replace(table.game.view(), match=table.game.match)
    assert points_sentence(view, STATUS) in said
    assert "Totals: You" in said
    assert "Hand 2." in said


def test_whole_match__ends_by_itself_and_names_winner_and_log() -> None:
    async def script(pipes: Pipes) -> None:
        await pass_three(pipes)
        while pipes.table.game.phase is Phase.PLAY:
            await pipes.type(card_name(pipes.table.first_legal()).lower())

    table, said = talk(script, Table(RuleSet(hands=1)), ends=True)
    assert table.left == 0
    assert winners_sentence(table.game.view(), STATUS) in said
    assert f"The log of this game: {LOG}" in said


def test_pass__is_chosen_piece_by_piece_undone_and_confirmed() -> None:
    async def script(pipes: Pipes) -> None:
        table = pipes.table
        table.go_on()
        a, b, c, d = (card_name(card).lower() for card in cards_in(table.game.view().hand)[:4])
        assert 'Choose 3 cards to pass to Lena, such as "qs 10h".' in pipes.said()
        assert "Choose 1 more card" in await pipes.type(f"{a}, {b}")
        assert "You keep the " in await pipes.type("undo")
        assert "You keep" in await pipes.type(a)
        assert "Choose 3 cards" in await pipes.type("")
        assert "Press Enter to pass" in await pipes.type(f"{a} {c} {d}")
        assert "Enough cards are chosen." in await pipes.type(b)
        assert table.passed == []
        await pipes.type("yes")
        assert table.passed == [card_set(parse_card(name) for name in (a, c, d))]

    talk(script)


def test_pass__a_card_not_held_is_refused_by_name() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        hand = pipes.table.game.view().hand
        other = next(Card(face) for face in range(52) if not contains(hand, Card(face)))
        assert "You do not hold the " in await pipes.type(card_name(other))
        assert "Choose 3 cards" in await pipes.type("yes")

    talk(script)


def test_play__an_illegal_card_is_explained_in_words() -> None:
    async def script(pipes: Pipes) -> None:
        await pass_three(pipes)
        view = pipes.table.game.view()
        illegal = next(card for card in cards_in(view.hand) if not contains(view.legal, card))
        said = await pipes.type(card_name(illegal).lower())
        assert "were led, and you hold" in said
        assert " of " in said
        assert "one card at a time" in await pipes.type("2c 3c")
        assert pipes.table.played == []

    talk(script)


def test_play__a_refusal_of_the_table_is_told_and_asked_again() -> None:
    async def script(pipes: Pipes) -> None:
        await pass_three(pipes)
        pipes.table.refuse = "The table is paused."
        said = await pipes.type(card_name(pipes.table.first_legal()).lower())
        assert "The table is paused." in said
        assert "It is your turn" in said
        pipes.table.refuse = None
        await pipes.type(card_name(pipes.table.first_legal()).lower())
        assert len(pipes.table.played) == 1

    talk(script)


def test_lobby__a_person_says_when_the_cards_may_come() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(None, LOBBY)
        assert "Nobody asks now" in await pipes.type("ready")
        pipes.front.show(None, UNREADY)
        said = pipes.said()
        assert 'type "ready", or press Enter, when you are.' in said
        assert "Ana, ready." in said
        assert "Bo, not ready yet." not in said  # nothing has changed for Bo
        await pipes.type("")
        assert pipes.table.readies == [True]
        pipes.front.show(None, replace(UNREADY, ready=(True, True, False), own_ready=True))
        said = pipes.said()
        assert "Bo, ready." in said
        assert "Zé, not ready yet." in said
        await pipes.type("", "ready")
        assert pipes.table.readies == [True, False]

    talk(script)


def test_lobby__a_host_seats_computer_players() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(None, UNREADY)
        assert '"bot" seats a computer player where a seat is free.' in pipes.said()
        assert "A computer player comes in a moment." in await pipes.type("bot")
        assert pipes.table.added == 1
        await pass_three(pipes)
        assert "Only a host adds computer players, before the game." in await pipes.type("bot")
        assert pipes.table.added == 1

    talk(script)


def test_commands__answer_in_full_sentences() -> None:
    async def script(pipes: Pipes) -> None:
        assert "Waiting" not in await pipes.type("table")
        assert "No cards are dealt yet." in await pipes.type("hand", "qs")
        assert "No hand is finished yet." in await pipes.type("scores")
        assert "nothing to choose" in await pipes.type("hint")
        await pass_three(pipes)
        assert "No trick is finished" in await pipes.type("last")
        await pipes.type(card_name(pipes.table.first_legal()).lower())
        assert "Last trick: " in await pipes.type("l")
        assert "Cards held: You 12" in await pipes.type("t")
        assert "Your hand: " in await pipes.type("hand")
        assert "No hand is finished yet." in await pipes.type("s")
        assert "Play low." in await pipes.type("h")
        helped = await pipes.type("?")
        for word in ("undo", "hand", "table", "last", "scores", "hint", "quit"):
            assert word in helped
        assert '"blah" is no card and no command' in await pipes.type("blah")
        assert "\x1b" not in await pipes.type("\x1b[31mred")

    talk(script)


def test_quit__is_asked_before() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        assert "Leave the table?" in await pipes.type("quit")
        assert "You stay at the table." in await pipes.type("no")
        assert pipes.table.left == 0
        await pipes.type("q", "yes")

    assert talk(script, ends=True)[0].left == 1


def test_end_of_input__means_that_the_person_left() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        os.write(pipes.keys, b"help")  # a last line without its end is still read
        os.close(pipes.keys)
        pipes.keys = -1
        await asyncio.sleep(0.02)

    table, said = talk(script, ends=True)
    assert table.left == 1
    assert "queen of spades" in said


def test_file__as_input_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "input.txt"
    path.write_text("help\nblah\n", encoding="utf-8")
    table, heard = Table(), io.StringIO()

    async def run() -> None:
        with path.open(encoding="utf-8") as source:
            front = LineMode(table.callbacks(), source, heard, handle_signals=False)
            table.front = front
            await asyncio.wait_for(front.run(), 60)

    asyncio.run(run())
    assert "no card and no command" in heard.getvalue()
    assert table.left == 1


def test_stream_without_descriptor__is_read_as_well() -> None:
    table, heard = Table(), io.StringIO()

    async def run() -> None:
        front = LineMode(table.callbacks(), io.StringIO("help\n"), heard, handle_signals=False)
        await asyncio.wait_for(front.run(), 60)

    asyncio.run(run())
    assert "queen of spades" in heard.getvalue()
    assert table.left == 1


def test_closed_output__means_that_the_person_left() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    table = Table()

    async def run() -> None:
        with Path(os.devnull).open() as source, os.fdopen(writing, "w") as stream:
            front = LineMode(table.callbacks(), source, stream, handle_signals=False)
            await asyncio.wait_for(front.run(), 60)

    # What was not written is still in the buffer when the stream is closed.
    with contextlib.suppress(BrokenPipeError):
        asyncio.run(run())
    assert table.left == 1


def test_autoplay__plays_the_only_legal_card_and_says_so() -> None:
    async def script(pipes: Pipes) -> None:
        typed = await type_until_forced(pipes)
        await pipes.until(lambda: len(pipes.table.played) > typed)
        assert "The only card you may play is the " in pipes.said()

    talk(script, autoplay_seconds=0.02)


def test_autoplay__plays_though_the_same_is_shown_once_more_before() -> None:
    """As it is once a second: else nobody plays that card, and nobody is told that it is due."""

    async def script(pipes: Pipes) -> None:
        typed = await type_until_forced(pipes)
        pipes.table.show()
        await pipes.until(lambda: len(pipes.table.played) > typed)

    talk(script, autoplay_seconds=0.5)


def test_waiting__is_told_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(pipes: Pipes) -> None:
        view = playing_game(2).view()
        status = replace(STATUS, waiting_for=(2,), waiting_seconds=9.97)
        pipes.front.show(view, status)
        assert "Waiting" not in pipes.said()
        await pipes.until(lambda: "Waiting for Nara, 0:1" in pipes.said())
        assert pipes.said().count("Waiting for Nara") == 1
        assert "Waiting for Nara" in await pipes.type("")

    talk(script)


def test_clock__is_told_once_when_time_is_short() -> None:
    async def script(pipes: Pipes) -> None:
        view = my_turn()
        for left in (30.0, 10.4):
            pipes.front.show(view, replace(STATUS, seconds_left=left))
        assert "left." not in pipes.said()
        for left in (9.9, 8.9):
            pipes.front.show(view, replace(STATUS, seconds_left=left))
        assert pipes.said().count("0:09 left.") == 1
        pipes.front.show(view, STATUS)
        pipes.front.show(view, replace(STATUS, seconds_left=5.0))
        assert "0:05 left." in pipes.said(), "the next decision has a time of its own"

    talk(script)


def test_going_on__without_a_player_is_asked_before_it_is_done() -> None:
    without: list[int] = []

    async def script(pipes: Pipes) -> None:
        view = playing_game(2).view()
        pipes.front._callbacks = replace(pipes.front._callbacks, on_go_on=without.append)
        status = replace(STATUS, waiting_for=(2,), waiting_seconds=61.0)
        pipes.front.show(view, status)
        assert "Nobody is waited for" in await pipes.type("go on")
        pipes.front.show(view, replace(status, may_go_on=(2,)))
        assert "Go on without Nara?" in await pipes.type("go on")
        assert without == []
        assert "You go on without Nara" in await pipes.type("go on")
        assert without == [2]

    talk(script)


def test_lobby_and_stages__are_told_once() -> None:
    async def script(pipes: Pipes) -> None:
        for _ in range(3):
            pipes.front.show(None, LOBBY)
        pipes.front.show(None, replace(LOBBY, players=("Ana", "Bo", "Cy")))
        pipes.front.show(None, replace(STATUS, stage="Seats are being drawn."))
        pipes.front.say("Lena is back.")

    _, said = talk(script)
    for sentence in (
        "Table: Sunday table.",
        "Ana sits at the table.",
        "Cy sits at the table.",
        LOBBY.rules[0],
        LOBBY.warnings[0],
        f"Others join with: {LOBBY.invitations[0]}",
        "The words of this table, to compare: amber otter violin nine.",
        "Waiting for players.",
        "Seats are being drawn.",
        "Verified: shuffle verified by all 4.",
        "Verified: every play proven.",
        "Lena is back.",
    ):
        assert said.count(sentence) == 1


def test_fault__is_told_in_full() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        pipes.table.show(replace(STATUS, fault=FAULT))
        pipes.table.show(replace(STATUS, fault=FAULT))

    assert talk(script)[1].count(FAULT) == 1


def test_moon__the_shooter_types_one_or_two() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(moon_view(), STATUS)
        assert "You shot the moon! Type 1 or 2." in pipes.said()
        await pipes.type("1", "1")

    assert talk(script)[0].moons == [MoonChoice.OTHERS_ADD]


def test_exception__of_a_callback_comes_out_of_run() -> None:
    async def boom(view: object) -> str:
        raise RuntimeError("boom")

    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        await pipes.type("hint")

    table = Table()
    table.adviser = boom
    with pytest.raises(RuntimeError, match="boom"):
        talk(script, table, ends=True)


def test_signals__term_leaves_and_interrupt_asks_first() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        os.kill(os.getpid(), signal.SIGINT)
        await pipes.until(lambda: "Leave the table?" in pipes.said())
        assert pipes.table.left == 0
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.02)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert talk(script, ends=True)[0].left == 1
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_sentences__use_words_and_no_symbols() -> None:
    async def script(pipes: Pipes) -> None:
        await pass_three(pipes)
        await pipes.type(card_name(pipes.table.first_legal()).lower(), "t", "l", "hand")

    assert talk(script)[1].isascii()


def test_hand_sentence__goes_suit_by_suit() -> None:
    hand = card_set(parse_card(name) for name in ("4c", "10c", "qs", "ah"))
    assert hand_sentence(hand) == "Your hand: clubs 4 10; spades Q; hearts A."
    assert hand_sentence(card_set(())) == "Your hand is empty."


def test_score_sentences__mark_the_moon() -> None:
    view = with_totals(my_turn(), *FINISHED)
    told = score_sentences(view, STATUS)
    assert told[1].startswith("Hand 2, moon shot by Lena: You 26 makes 31, Lena 0 makes 1")
    assert told[-1] == "Totals: You 34, Lena 5, Nara 62, Wira 29."


def test_table_sentences__tell_trick_counts_and_fairness() -> None:
    told = " ".join(table_sentences(my_turn(21), replace(STATUS, fault=FAULT)))
    for part in ("On the table: ", "Cards held: ", "Taken in this hand: ", FAULT, "3fa9c1d2"):
        assert part in told


def test_claim__is_asked_and_made_with_yes() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(claim_view(), STATUS)
        assert 'Or type "claim" to claim the rest of the hand.' in pipes.said()
        assert "Claim the rest?" in await pipes.type("claim")
        assert "You play on." in await pipes.type("no")
        assert "Claim the rest?" in await pipes.type("claim")
        await pipes.type("yes", "claim")

    table, said = talk(script)
    assert table.claims == 1
    assert "Your move is on its way to the table." in said


def test_claim__that_would_not_stand_is_refused_with_the_reason() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(replace(claim_view(), may_claim=False), STATUS)
        refused = await pipes.type("claim")
        assert "from what everybody has seen it is not certain" in refused
        await pipes.type("yes")

    assert talk(script)[0].claims == 0


def test_settings__are_told_changed_and_given_on() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.table.go_on()
        told = await pipes.type("settings")
        assert all(f"set {setting.key} " in told for setting in SETTINGS)
        assert "From now on speed is fast." in await pipes.type("set speed fast")
        assert "speed is one of normal" in await pipes.type("set speed warp")
        assert "You can set sorting" in await pipes.type("set")
        low = (await pipes.type("hand")).replace(";", "")
        await pipes.type("set sorting high-first")
        high = (await pipes.type("hand")).replace(";", "")
        assert low != high
        assert sorted(low.replace(".", "").split()) == sorted(high.replace(".", "").split())
        await pipes.type("set hints off")
        assert "Hints are switched off" in await pipes.type("hint")

    table, _ = talk(script)
    usual = Settings(tour="off")
    assert table.settings == [
        replace(usual, speed="fast"),
        replace(usual, speed="fast", sorting="high-first"),
        replace(usual, speed="fast", sorting="high-first", hints="off"),
    ]


def test_tour__is_offered_once_and_remembered_as_seen() -> None:
    async def script(pipes: Pipes) -> None:
        assert 'Type "tour"' in pipes.said()
        told = await pipes.type("tour")
        assert all(page.typed in told for page in PAGES)
        assert "press" not in told.lower()
        assert "screen" not in told
        await pipes.type("tour")

    table, _ = talk(script, settings=Settings())
    assert table.settings == [Settings(tour="off")]


def test_rules__are_told_in_the_lobby_and_at_the_table() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(None, LOBBY)
        told = await pipes.type("rules")
        assert all(rule in told for rule in LOBBY.rules)
        pipes.front.show(my_turn(), STATUS)
        told = await pipes.type("rules")
        assert all(rule in told for rule in describe(my_turn().rules))

    talk(script)


def test_people__are_told_with_the_words() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(None, LOBBY)
        assert "Bo sits at the table." in await pipes.type("people")
        pipes.front.show(my_turn(), replace(STATUS, people=PEOPLE))
        pipes.front.show(my_turn(), replace(STATUS, people=PEOPLE, history="0000"))
        assert pipes.said().count("Nara: here for the first time.") == 1
        told = await pipes.type("people")
        assert "Lena: the same key as last time." in told
        assert STATUS.phrase in told

    talk(script)


def test_hints__come_by_themselves_where_the_settings_say_so() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(my_turn(), STATUS)

    assert "Play low." in talk(script, settings=Settings(tour="off", hints="always"))[1]


def test_chat__is_said_with_a_word_or_a_mark_and_told_once() -> None:
    async def script(pipes: Pipes) -> None:
        pipes.front.show(my_turn(), STATUS)
        await pipes.type("say Well, PLAYED", '"qs"', "mute Lena")
        assert pipes.table.said == ["Well, PLAYED", "qs", "/mute Lena"]
        assert pipes.table.played == []
        said = replace(STATUS, chat=(Remark(7, "Lena", "well played"),))
        pipes.front.show(my_turn(), said)
        pipes.front.show(my_turn(), said)
        assert pipes.said().count("Lena: well played") == 1

    talk(script)


def test_watcher__is_told_that_every_hand_lies_face_down() -> None:
    async def script(pipes: Pipes) -> None:
        game = playing_game(cards=5)
        view = replace(game.view(), seat=NOBODY, hand=EMPTY, legal=EMPTY, passed=EMPTY)
        pipes.front.show(replace(view, received=EMPTY), STATUS)
        assert "every hand lies face down" in await pipes.type("hand")
        assert "Stop watching?" in await pipes.type("quit")
        told = pipes.said()
        assert "You play" not in told
        assert "Ana plays" in told or "Ana leads" in told

    talk(script)
