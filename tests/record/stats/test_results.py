from __future__ import annotations

from msgspec.structs import replace

from p2p_hearts.record.stats.facts import GameFacts, HandFacts, PlayerFacts
from p2p_hearts.record.stats.results import keeper, results, tables

ANA, BUDI, CLARA = ("aa" * 32, "bb" * 32, "cc" * 32)


def game(
    *scores: tuple[int, int, int],
    table: str = "01",
    winners: tuple[int, ...] = (),
    preset: str = "black-lady",
    owner: str = ANA,
    created: int = 1,
) -> GameFacts:
    return GameFacts(
        verdict="clean", table=table, name="t", created=created, preset=preset, rules={},
        owner=owner,
        players=[PlayerFacts(ANA, "Ana"), PlayerFacts(BUDI, "Budi"), PlayerFacts(CLARA, "Clara")],
        hands=[
            HandFacts(
                list(points), [int(max(points) == value) for value in points],
                0 if points == (0, 26, 26) else None, [], [], [],
            )
            for points in scores
        ],
        winners=list(winners),
    )  # fmt: skip


def test_results__add_up_matches_hands_points_moons_and_queens() -> None:
    games = [
        game((0, 13, 13), (0, 26, 26), winners=(0,)),
        game((26, 0, 0), table="02"),
    ]
    ana = next(item for item in results(games) if item.key == ANA)
    assert (ana.whole.matches, ana.whole.won, ana.whole.hands) == (1, 1, 3)
    assert (ana.whole.points, ana.whole.moons, ana.whole.queens) == (26, 1, 1)
    assert ana.whole.average == 26 / 3
    assert ana.to_dict()["nick"] == "Ana"


def test_results__are_told_by_rules_and_by_opponent() -> None:
    games = [
        game((0, 13, 13), winners=(0,)),
        game((13, 0, 13), table="02", winners=(1,), preset="omnibus"),
    ]
    ana = next(item for item in results(games) if item.key == ANA)
    assert {name: tally.won for name, tally in ana.by_preset.items()} == {
        "black-lady": 1, "omnibus": 0
    }  # fmt: skip
    budi = ana.opponents[BUDI]
    assert (budi.mine.matches, budi.ahead) == (2, 1)
    assert (budi.mine.points, budi.theirs.points) == (13, 13)
    assert ana.opponents[CLARA].ahead == 1
    assert ANA not in ana.opponents


def test_results__go_by_key_and_call_players_by_their_latest_name() -> None:
    first = game((0, 1, 2))
    later = replace(game((3, 4, 5), table="02"), players=[
        PlayerFacts(BUDI, "Ana"), PlayerFacts(ANA, "Ana Maria"), PlayerFacts(CLARA, "Clara")
    ])  # fmt: skip
    found = {item.key: item for item in results([first, later])}
    assert found[ANA].nick == "Ana Maria"
    assert found[ANA].whole.points == 0 + 4
    assert found[BUDI].nick == "Ana"
    assert found[CLARA].opponents[ANA].nick == "Ana Maria"


def test_tables__are_counted_once_by_the_log_that_goes_furthest() -> None:
    short = game((0, 1, 2), owner=BUDI)
    whole = game((0, 1, 2), (3, 4, 5), winners=(0,))
    before = game((0, 1, 2), table="03", created=0)
    unknown = replace(whole, table="")
    assert tables([short, whole, short, before, unknown]) == [before, whole]


def test_keeper__is_who_kept_most_of_the_logs() -> None:
    games = [game(table="01"), game(table="02"), game(table="02", owner=BUDI)]
    assert keeper(games) == ANA
    assert keeper(games[1:]) == ""
    assert keeper([]) == ""
    assert keeper([replace(games[0], table="")]) == ""


def test_results__without_a_hand_have_no_average() -> None:
    (ana, *_) = results([game()])
    assert ana.whole.average is None
    assert ana.whole.to_dict()["average"] is None
