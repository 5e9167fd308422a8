"""The picture: alive at any size, every fact on it, and as the golden files show it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p_hearts.i18n import Language, use
from p2p_hearts.rules.cards import EMPTY, card_set, cards_in, parse_card
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.rules.texts import describe
from p2p_hearts.rules.view import NOBODY, Phase
from p2p_hearts.ui.choice import ENTER, HINT, LEAVE, Choice, Click, Panel, Row, hand_order
from p2p_hearts.ui.picture import draw
from p2p_hearts.ui.reasons import why_no_claim
from p2p_hearts.ui.scene import Scene
from p2p_hearts.ui.scores import points_so_far
from p2p_hearts.ui.sentences import received_sentence
from p2p_hearts.ui.words import LETTERS, SYMBOLS, card_text, width
from tests.ui.games import NAMES, with_totals
from tests.ui.goldens import FOLDER, golden_path, matches_golden
from tests.ui.scenes import (
    FAULT,
    FINISHED,
    LOBBY,
    LOG,
    PEOPLE,
    STATUS,
    UNREADY,
    finished_game,
    main_scenes,
    my_turn,
    passing_game,
    playing_game,
    scene,
)
from tests.ui.scenes import (
    HINT as ADVICE,
)

SCENES = main_scenes()
SIZES = [(40, 10), (59, 18), (60, 17), (60, 18), (80, 24), (100, 30), (120, 40), (200, 60)]
CLUB_TWO = parse_card("2c")
FULL_SIZES = [(60, 18), (120, 40)]


def text(drawn: Scene, columns: int, rows: int) -> str:
    return draw(drawn, columns, rows).text()


def flat(drawn: Scene, columns: int, rows: int) -> str:
    """The picture with every run of spaces as one, lines joined: for sentences that wrap."""
    return " ".join(text(drawn, columns, rows).split())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCENES)
def test_picture__fills_the_screen_exactly_at_every_size(name: str, size: tuple[int, int]) -> None:
    columns, rows = size
    picture = draw(SCENES[name], columns, rows)
    assert len(picture.lines) == rows
    assert {sum(width(text) for _, text in line) for line in picture.lines} == {columns}


@pytest.mark.parametrize("name", SCENES)
def test_picture__is_alive_at_absurd_sizes(name: str) -> None:
    for columns, rows in [(0, 0), (1, 1), (2, 3), (5, 40), (300, 1), (300, 2), (61, 18), (7, 7)]:
        picture = draw(SCENES[name], columns, rows)
        assert len(picture.lines) == rows
        for line in picture.lines:
            assert sum(width(text) for _, text in line) == columns


@pytest.mark.parametrize("size", FULL_SIZES)
@pytest.mark.parametrize("name", SCENES)
def test_picture__is_as_in_the_golden_file(name: str, size: tuple[int, int]) -> None:
    assert matches_golden(name, size, text(SCENES[name], *size))


SPOKEN: tuple[Language, ...] = ("pt", "id")
TRANSLATED = ("lobby", "ready", "passing", "playing", "middle", "hint", "help", "settings", "tour",
              "rules", "people", "hand-over", "match-over", "claim", "moon", "waiting")  # fmt: skip
"""The views that have golden files in every language."""


@pytest.mark.parametrize("size", FULL_SIZES)
@pytest.mark.parametrize("name", TRANSLATED)
@pytest.mark.parametrize("language", SPOKEN)
def test_picture__is_as_in_the_golden_file_of_its_language(
    name: str, size: tuple[int, int], language: Language
) -> None:
    columns, rows = size
    use(language)
    try:
        picture = draw(SCENES[name], columns, rows)
    finally:
        use("en")
    assert {sum(width(text) for _, text in line) for line in picture.lines} == {columns}
    assert matches_golden(name, size, picture.text(), language)


@pytest.mark.parametrize("language", SPOKEN)
def test_golden_files__columns_are_aligned_in_every_language(language: Language) -> None:
    """Frames close where they opened, and totals stand under their names."""
    for name in TRANSLATED:
        for size in FULL_SIZES:
            text = golden_path(name, size, language).read_text(encoding="utf-8")
            for row in _frames(text):
                assert len(set(row)) == 1, (name, size, row)


def _frames(screen: str) -> list[list[int]]:
    """For every box: the columns of its left edge, and those of its right edge, a row each."""
    rows = screen.splitlines()
    found: list[list[int]] = []
    for top, row in enumerate(rows):
        for left in (at for at, letter in enumerate(row) if letter == "╭"):
            column = width(row[:left])
            right = width(row[: row.index("╮", left)])
            lefts, rights = [column], [right]
            for below in rows[top + 1 :]:
                edges = [width(below[:at]) for at, letter in enumerate(below) if letter in "│╰╯"]
                lefts += [edge for edge in edges if edge == column][:1]
                rights += [edge for edge in edges if edge == right][:1]
                assert column in edges, (column, below)
                assert right in edges, (right, below)
                if "╰" in below and width(below[: below.index("╰")]) <= column:
                    break
            found += [lefts, rights]
    return found


def test_golden_files__belong_to_a_scene() -> None:
    scenes = (*SCENES, "tables", "tables-code", "no-tables")
    paths = {golden_path(name, size) for name in scenes for size in FULL_SIZES}
    for language in SPOKEN:
        paths |= {golden_path(name, size, language) for name in TRANSLATED for size in FULL_SIZES}
    assert set(FOLDER.rglob("*.txt")) == paths


@pytest.mark.parametrize("size", FULL_SIZES)
def test_playing__tells_everything_about_the_hand(size: tuple[int, int]) -> None:
    view = with_totals(my_turn(21), *FINISHED)
    assert view.play is not None
    shown = text(scene(view), *size)
    for name in ("You", "Lena", "Nara", "Wira"):
        assert name in shown
    for seat in range(4):
        assert f"{view.counts[seat]} cards  {view.match.totals[seat]} (" in shown
    for fact in (
        "dealer",
        "leader",
        "to play",
        "hand 1",
        "pass left ←",
        "hearts not broken",
        "amber otter violin nine",
        "history 3fa9c1d2",
        "It is your turn",
        "? help",
    ):
        assert fact in shown
    for _, card in view.play.trick:
        assert card_text(card, SYMBOLS) in shown or size[0] > 100  # two rows in a large card


@pytest.mark.parametrize("size", FULL_SIZES)
def test_playing__shows_penalty_cards_taken_and_points_of_the_hand(size: tuple[int, int]) -> None:
    game = playing_game()
    while game.state is not None and not any(
        view_points >= 13 for view_points in points_so_far(game.view())
    ):
        game.play_first_legal()
    shown = text(scene(game.view()), *size)
    assert "Q♠" in shown
    assert any(f"(+{points})" in shown for points in points_so_far(game.view()) if points >= 13)
    assert "♥×" in shown
    assert "hearts broken" in shown


@pytest.mark.parametrize("size", FULL_SIZES)
def test_playing__explains_dimmed_cards_and_marks_legal_ones(size: tuple[int, int]) -> None:
    view = my_turn()
    assert "Clubs were led, and you hold" in text(scene(view), *size)
    drawn = draw(scene(view), *size)
    dimmed = [text for line in drawn.lines for style, text in line if "card.dim" in style]
    assert dimmed
    assert "‾‾" in drawn.text()


@pytest.mark.parametrize("size", FULL_SIZES)
def test_passing__tells_direction_receiver_and_what_is_chosen(size: tuple[int, int]) -> None:
    view = passing_game().view()
    order = hand_order(view)
    shown = text(scene(view, Choice(chosen=(0, 1))), *size)
    assert "pass left ←" in shown
    assert "You pass to Lena ← and get cards from Wira." in shown
    assert "Choose 1 more card to pass to Lena." in shown
    full = text(scene(view, Choice(chosen=(0, 1, 2))), *size)
    cards = " ".join(card_text(card, SYMBOLS) for card in order[:3])
    assert f"Press Enter to pass {cards} to Lena" in full
    assert full.count("●") >= 2  # the third is under the cursor


def test_passing__raises_chosen_cards() -> None:
    view = passing_game().view()
    before = text(scene(view), 120, 40).splitlines()
    after = text(scene(view, Choice(chosen=(2,))), 120, 40).splitlines()
    rows = [row for row, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    top = min(rows)
    assert before[top].strip() == ""
    assert "╭" in after[top]


@pytest.mark.parametrize("size", FULL_SIZES)
def test_first_trick__tells_what_was_passed_to_you(size: tuple[int, int]) -> None:
    game = playing_game(0)
    game.play_on(1 if game.turn != 0 else 0)
    view = game.view()
    if view.your_turn and size[1] == 18:
        view = replace(view, legal=view.hand)  # nothing dimmed: room for the sentence
    cards = " ".join(card_text(card, SYMBOLS) for card in cards_in(view.received))
    assert f"Wira passed you {cards}." in flat(scene(view), *size)


@pytest.mark.parametrize("size", FULL_SIZES)
def test_waiting__names_the_seat_and_the_time(size: tuple[int, int]) -> None:
    assert "Waiting for Nara, 0:42." in text(SCENES["waiting"], *size)


@pytest.mark.parametrize("size", FULL_SIZES)
def test_clock__stands_beside_what_is_to_be_done(size: tuple[int, int]) -> None:
    hurried = replace(STATUS, seconds_left=42.4)
    assert "0:42 left." in flat(scene(my_turn(), status=hurried), *size)
    assert "left." not in flat(scene(my_turn()), *size)


def test_waiting__is_no_news_at_once_or_for_yourself() -> None:
    view = playing_game(2).view()
    at_once = replace(STATUS, waiting_for=(2,), waiting_seconds=0.5)
    yourself = replace(STATUS, waiting_for=(0,), waiting_seconds=60.0)
    assert "Waiting" not in text(scene(view, status=at_once), 60, 18)
    assert "Waiting" not in text(scene(view, status=yourself), 60, 18)


@pytest.mark.parametrize("size", [*FULL_SIZES, (40, 10)])
def test_fault__is_the_full_sentence(size: tuple[int, int]) -> None:
    assert FAULT in flat(SCENES["fault"], *size)


@pytest.mark.parametrize("size", FULL_SIZES)
def test_last_trick__names_who_played_what_and_who_took_it(size: tuple[int, int]) -> None:
    view = my_turn(21)
    assert view.play is not None
    shown = text(scene(view, Choice(panel=Panel.LAST_TRICK)), *size)
    assert "Last trick" in shown
    assert "took the trick" in shown
    for _, card in view.play.tricks[-1].cards:
        assert card_text(card, SYMBOLS) in shown


@pytest.mark.parametrize("size", FULL_SIZES)
def test_scores__has_a_row_a_hand_with_running_totals_and_the_moon_marked(
    size: tuple[int, int],
) -> None:
    lines = text(SCENES["scores"], *size).splitlines()
    moon = next(line for line in lines if "☾" in line and "+26" in line)
    assert "+0☾" in moon
    assert " 31" in moon
    assert " 46" in moon
    assert any("34" in line and "62" in line and "29" in line for line in lines)


def test_scores__drops_the_oldest_hands_when_there_are_too_many() -> None:
    view = with_totals(my_turn(), *([(0, 10, 10, 6)] * 9))
    shown = text(scene(view, Choice(panel=Panel.SCORES)), 60, 18)
    assert "earlier hands" in shown or "  1 " in shown
    many = with_totals(replace(view, rules=RuleSet(target=500)), *([(0, 10, 10, 6)] * 30))
    shown = text(scene(many, Choice(panel=Panel.SCORES)), 60, 18)
    assert "earlier hands" in shown
    assert " 30 " in shown
    assert " 300" in shown


@pytest.mark.parametrize("size", FULL_SIZES)
def test_match_over__has_winner_places_bars_and_the_log(size: tuple[int, int]) -> None:
    game = finished_game()
    winner = game.match.winners[0]
    shown = flat(SCENES["match-over"], *size)
    verb = "You win" if winner == 0 else f"{NAMES[winner]} wins"
    assert f"{verb} the match with {game.match.totals[winner]} points" in shown
    for place in ("1.", "2.", "3.", "4."):
        assert place in shown
    assert "█" in shown
    assert LOG in shown
    assert "Enter leave" in shown


@pytest.mark.parametrize("size", FULL_SIZES)
def test_hand_over__has_points_and_totals(size: tuple[int, int]) -> None:
    game = playing_game()
    game.finish_hand()
    shown = text(scene(game.view()), *size)
    assert "Hand 1 is over" in shown
    for points in game.match.hands[0]:
        assert f"+{points}" in shown


def test_hand_over__before_the_score_tells_what_is_being_done() -> None:
    game = playing_game()
    game.finish_hand()
    view = with_totals(game.view(), *())
    status = replace(STATUS, stage="The secrets of the hand are being revealed.")
    assert status.stage in text(scene(view, status=status), 60, 18)


@pytest.mark.parametrize("size", FULL_SIZES)
def test_lobby__shows_seats_rules_invitation_phrase_and_warning(size: tuple[int, int]) -> None:
    shown = flat(scene(None, status=LOBBY), *size)
    for fact in (
        "Waiting for players.",
        "2 seats are free.",
        "✓ Ana",
        "✓ Bo",
        "amber otter violin nine",
        LOBBY.invitations[0],
        LOBBY.warnings[0],
    ):
        assert fact in shown
    if size[1] > 18:
        assert LOBBY.rules[0] in shown


def test_lobby__an_answer_stands_above_the_rules_however_many_they_are() -> None:
    answer = "A computer player comes in a moment."
    status = replace(UNREADY, rules=tuple(describe(RuleSet())))
    shown = text(scene(None, Choice(feedback=answer), status, messages=("Bo is here.",)), 60, 18)
    assert answer in shown
    assert "Bo is here." in shown


def test_lobby__tells_how_others_join_while_a_seat_is_free() -> None:
    assert LOBBY.invitations[0] in text(scene(None, status=LOBBY), 80, 24)
    full = replace(LOBBY, players=("Ana", "Bo", "Cy", "Di"))
    assert LOBBY.invitations[0] not in text(scene(None, status=full), 80, 24)


def test_stage__before_the_first_view_is_shown_with_the_names() -> None:
    shown = text(scene(None, status=replace(STATUS, stage="Seats are being drawn.")), 60, 18)
    assert "Seats are being drawn." in shown
    assert "Nara" in shown


@pytest.mark.parametrize("size", [(40, 10), (59, 18), (60, 17), (30, 8)])
def test_small__asks_to_enlarge_and_the_game_goes_on(size: tuple[int, int]) -> None:
    view = my_turn()
    shown = text(scene(view), *size)
    assert shown.startswith("enlarge to 60x18")
    for card in hand_order(view):
        assert card_text(card, SYMBOLS) in shown
    assert view.play is not None
    assert card_text(view.play.trick[0][1], SYMBOLS) in shown
    assert "It is your turn" in " ".join(shown.split())


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("size", FULL_SIZES)
def test_seats__three_to_six_sit_around_the_table(seats: int, size: tuple[int, int]) -> None:
    status = replace(STATUS, names=NAMES[:seats])
    game = playing_game(1, RuleSet(seats=seats))
    while len(game.state.trick if game.state is not None else ()) < seats - 1:
        game.play_first_legal()
    view = game.view()
    lines = text(scene(view, status=status), *size).splitlines()
    for seat in range(1, seats):
        assert any(NAMES[seat] in line for line in lines)
    assert any(0 < line.find(NAMES[1]) < 6 for line in lines)
    assert any(line.find(NAMES[seats - 1]) > size[0] // 3 for line in lines)
    assert view.play is not None
    if size[0] < 100:
        for _, card in view.play.trick:
            assert any(card_text(card, SYMBOLS) in line for line in lines)


@pytest.mark.parametrize("seats", range(7, 12))
def test_seats__up_to_eleven_are_listed(seats: int) -> None:
    rules = replace(PRESETS["cancellation"], seats=seats)
    view = my_turn(seats + 2, rules)
    for size in ((60, 18), (80, 24), (120, 40)):
        shown = text(scene(view, status=replace(STATUS, names=NAMES[:seats])), *size)
        for seat in range(1, seats):
            assert NAMES[seat] in shown
        assert view.play is not None
        for _, card in view.play.trick:
            assert card_text(card, SYMBOLS) in shown


def test_names__wide_long_and_combining_ones_break_no_line() -> None:
    names = ("Ana", "山田花子と友達たち全員集合" * 2, "e\u0301milie" * 9, "🂡🂡🂡")
    view = with_totals(my_turn(5), *FINISHED)
    for size in ((60, 18), (80, 24), (120, 40), (41, 11)):
        picture = draw(scene(view, status=replace(STATUS, names=names)), *size)
        for line in picture.lines:
            assert sum(width(text) for _, text in line) == size[0]
    shown = text(scene(view, status=replace(STATUS, names=names)), 60, 18)
    assert "山田" in shown
    assert "…" in shown


def test_letters__nothing_but_ascii_is_drawn() -> None:
    names = ("Ana", "Zoë", "山田", "Bo")
    for drawn in SCENES.values():
        status = drawn.status
        if not hasattr(status, "players"):
            status = replace(status, names=names * 3)
        for size in SIZES:
            assert text(replace(drawn, glyphs=LETTERS, status=status), *size).isascii()


def test_colours__four_suits_have_four_styles() -> None:
    picture = draw(scene(passing_game().view()), 80, 24)
    styles = {style for line in picture.lines for style, _ in line if "suit." in style}
    suits = {part for style in styles for part in style.split() if part.startswith("class:suit")}
    assert len(suits) == 4


def test_clicks__hit_cards_and_keys_at_every_card_size() -> None:
    view = my_turn()
    for columns, rows in ((60, 18), (80, 24), (120, 40), (40, 10)):
        picture = draw(scene(view), columns, rows)
        keys = {picture.key_at(column, row) for column in range(columns) for row in range(rows)}
        for index in range(len(hand_order(view))):
            assert Click(index) in keys
        if rows >= 18:
            assert {ENTER, HINT, LEAVE, "l", "s", "?"} <= keys


def test_clicks__a_card_is_hit_where_its_rank_is_drawn() -> None:
    view = passing_game().view()
    picture = draw(scene(view), 80, 24)
    lines = picture.text().splitlines()
    for index, card in enumerate(hand_order(view)):
        name = card_text(card, SYMBOLS)
        row = max(row for row, line in enumerate(lines) if f"│{name}" in line)
        column = lines[row].index(f"│{name}") + 1
        assert picture.key_at(column, row) == Click(index)


def test_scores__have_a_curve_where_there_is_room_and_leave_the_hand_in_sight() -> None:
    view = with_totals(my_turn(21), *FINISHED)
    opened = scene(view, Choice(panel=Panel.SCORES))
    assert "Totals after each hand, from 1 to 3." in text(opened, 120, 40)
    assert "A You" in text(opened, 120, 40)
    small = text(opened, 60, 18)
    assert "Totals after each hand" not in small
    assert "A You" not in small
    assert "‾‾" in small  # the hand is there, with its legal cards marked


def test_typed__shows_what_is_missing() -> None:
    view = my_turn()
    assert "Q_ then the suit" in text(scene(view, Choice(typed="q")), 60, 18)
    assert "Enter to leave" in text(scene(view, Choice(typed="q")), 80, 24)
    assert "1_ then 0" in text(scene(view, Choice(typed="1")), 60, 18)


def test_feedback__is_read_to_its_end_on_a_small_screen() -> None:
    answer = why_no_claim(my_turn())
    assert answer is not None
    shown = text(scene(my_turn(), Choice(feedback=answer)), 80, 24)
    assert answer in " ".join(shown.split())
    assert "It is your turn" not in shown
    short = text(scene(my_turn(), Choice(feedback="You do not hold Q♠.")), 80, 24)
    assert "It is your turn" in short


def test_received__is_told_once() -> None:
    view = playing_game(1).view()
    told = received_sentence(view, STATUS, SYMBOLS)
    assert text(scene(view, messages=(told,)), 40, 12).count(told) == 1


def test_rules__tell_that_more_of_them_are_below() -> None:
    first = text(scene(my_turn(), Choice(panel=Panel.RULES)), 60, 18)
    assert "arrows show more, r closes" in first
    last = len(describe(my_turn().rules)) - 1
    assert "arrows move, r closes" in text(
        scene(my_turn(), Choice(panel=Panel.RULES, row=last)), 60, 18
    )


def test_feedback__takes_the_place_of_the_reason() -> None:
    view = my_turn()
    shown = text(scene(view, Choice(feedback="You do not hold Q♠.")), 60, 18)
    assert "You do not hold Q♠." in shown
    assert "Clubs were led" not in shown


def test_help_and_hint__are_readable_at_the_smallest_full_size() -> None:
    view = my_turn()
    helped = text(scene(view, Choice(panel=Panel.HELP)), 60, 18)
    for key in ("arrows", "Enter", "Space", "qs 10h", "mouse", "Backspace", "Esc", "q Enter"):
        assert key in helped
    assert "…" not in helped.split("╰")[0].split("Help")[1]
    assert " ".join(ADVICE.split()) in " ".join(
        flat(scene(view, Choice(panel=Panel.HINT, hint=ADVICE)), 60, 18).replace("│", " ").split()
    )


def test_deal__shows_the_stage() -> None:
    game = passing_game()
    view = replace(game.view(), phase=Phase.DEAL, counts=(0, 0, 0, 0))
    status = replace(STATUS, stage="Nara shuffles the deck.")
    assert "Nara shuffles the deck." in text(scene(view, status=status), 60, 18)


@pytest.mark.parametrize("size", FULL_SIZES)
def test_fault__that_ends_the_game_leaves_a_way_out(size: tuple[int, int]) -> None:
    view = my_turn(21)
    ended = replace(STATUS, fault=FAULT, finished=True, log_path=LOG)
    shown = flat(scene(view, status=ended), *size)
    assert FAULT in shown
    assert "Enter leave" in shown
    if size[1] > 18:
        assert LOG in shown
        assert "The game at this table has ended." in shown


@pytest.mark.parametrize("size", FULL_SIZES)
def test_keys__enter_is_offered_only_while_it_decides_something(size: tuple[int, int]) -> None:
    mine, others = SCENES["playing"], SCENES["waiting"]
    assert "Enter play" in text(mine, *size)
    for drawn in (others, scene(my_turn(), Choice(sent=True))):
        shown = text(drawn, *size)
        assert "Enter" not in shown
        # The other keys stay where they are: what the mouse aims at does not run away.
        columns = [line.find("l last trick") for line in (text(mine, *size) + shown).split("\n")]
        assert len({column for column in columns if column >= 0}) == 1


def test_reason__is_that_of_the_card_under_the_cursor() -> None:
    game = playing_game(52 - 4)
    game.hands = [card_set(map(parse_card, ("2c", "qs", "3h"))), *game.hands[1:]]
    view = game.view()
    assert view.play is not None
    leads = replace(view, play=view.play._replace(trick=(), turn=0), legal=card_set([CLUB_TWO]))
    reasons = [flat(scene(leads, Choice(cursor=cursor)), 60, 18) for cursor in range(3)]
    assert "You cannot lead Q♠" in reasons[1]
    assert "Hearts cannot be led" in reasons[2]
    assert "You cannot lead Q♠" in reasons[0]  # the first that may not be played


def test_passing__marks_who_is_ready() -> None:
    status = replace(STATUS, waiting_for=(0, 2))
    shown = flat(scene(passing_game().view(), status=status), 80, 24)
    assert "Lena ready" in shown
    assert "Nara ready" not in shown
    assert "ready" not in flat(scene(my_turn(), status=status), 80, 24)


def test_people__a_changed_key_is_told_in_every_size() -> None:
    shown = scene(my_turn(), Choice(panel=Panel.PEOPLE), replace(STATUS, people=PEOPLE))
    for size in FULL_SIZES:
        assert "ANOTHER KEY" in text(shown, *size)
        assert STATUS.phrase in text(shown, *size)


def test_small_screen__asks_a_watcher_whether_to_stop_watching() -> None:
    view = replace(my_turn(), seat=NOBODY, hand=EMPTY, legal=EMPTY)
    assert "Stop watching?" in text(scene(view, Choice(panel=Panel.LEAVE)), 40, 12)


def test_small_screen__shows_the_tour_and_the_settings() -> None:
    for panel, said in (
        (Panel.TOUR, "Welcome"),
        (Panel.SETTINGS, "Order"),
        (Panel.RULES, " players, one pack"),
    ):
        assert said in text(scene(my_turn(), Choice(panel=panel)), 40, 10)
        assert said in text(scene(None, Choice(panel=panel), LOBBY), 40, 10)


def test_settings__a_click_on_a_line_changes_that_line() -> None:
    picture = draw(scene(my_turn(), Choice(panel=Panel.SETTINGS)), 80, 24)
    rows = picture.text().splitlines()
    row = next(index for index, line in enumerate(rows) if "Colours" in line)
    assert picture.key_at(rows[row].index("Colours"), row) == Row(2)


@pytest.mark.parametrize("size", SIZES)
def test_picture__of_a_watcher_shows_the_table_and_no_hand(size: tuple[int, int]) -> None:
    game = playing_game(cards=6)
    view = replace(game.view(), seat=NOBODY, hand=EMPTY, legal=EMPTY, passed=EMPTY, received=EMPTY)
    shown = flat(scene(view), *size)
    assert "You" not in shown.replace("Your window", "")
    lines = text(scene(view), *size).split("\n")
    assert all(width(line) <= size[0] for line in lines)
    if size[0] >= 80:
        assert all(name in shown for name in NAMES[:4])
        held = [card_text(card, SYMBOLS) for hand in game.hands for card in cards_in(hand)]
        assert not [card for card in held if f" {card} " in shown]


def test_strip__says_every_check_where_there_is_room_and_a_word_for_each_where_not() -> None:
    shown = scene(my_turn())
    assert "✓ shuffle verified by all 4, hands proven, every play proven" in text(shown, 120, 40)
    narrow = text(shown, 60, 18)
    assert "✓ shuffle ✓ hands ✓ plays" in narrow
    assert "…" not in narrow.splitlines()[-1]


def test_small_screen__shows_the_first_half_of_a_card_that_is_typed() -> None:
    shown = " ".join(text(scene(my_turn(), Choice(typed="q")), 40, 15).split())
    assert "Q_ then the suit: c, d, s or h; or Enter to leave the table" in shown
    assert "1_ then 0 for a ten" in text(scene(my_turn(), Choice(typed="1")), 40, 15)
