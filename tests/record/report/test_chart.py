from __future__ import annotations

from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest

from p2p_hearts.record.report.chart import HEIGHT, WIDTH, bar_chart, line_chart


def texts(chart: Element, name: str) -> list[str]:
    return [item.text or "" for item in chart.iter("text") if item.get("class") == name]


def points(chart: Element) -> list[list[tuple[float, float]]]:
    lines = [line.get("points", "").split() for line in chart.iter("polyline")]
    return [[(float(x), float(y)) for x, y in (pair.split(",") for pair in line)] for line in lines]


def test_line_chart__starts_at_zero_and_has_a_point_for_each_hand() -> None:
    chart = line_chart("t", ["Ana", "Budi"], [[5, 26, 30], [21, 21, 43]])
    first, second = points(chart)
    assert len(first) == len(second) == 4
    assert first[0] == second[0]
    assert first[1][1] > second[1][1]  # more points lie higher
    assert first[1][0] - first[0][0] == pytest.approx(first[2][0] - first[1][0], abs=0.2)
    assert texts(chart, "label") == ["Ana", "Budi"]


def test_line_chart__keeps_labels_apart_and_inside() -> None:
    names = [f"player {number}" for number in range(11)]
    chart = line_chart("t", names, [[7]] * 11)
    rows = sorted(
        float(item.get("y", 0)) for item in chart.iter("text") if item.get("class") == "label"
    )
    assert all(after - before >= 14.9 for before, after in pairwise(rows))
    assert rows[0] > 0
    assert rows[-1] <= HEIGHT


@pytest.mark.parametrize("values", [[], [0], [-26, -52], [10**9], [3] * 300])
def test_line_chart__fits_whatever_the_points_are(values: list[int]) -> None:
    chart = line_chart("t", ["Ana"], [values], target=100)
    for line in points(chart):
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in line)
    assert 2 <= len([item for item in chart.iter("line") if item.get("class") == "grid"]) <= 9
    assert len(texts(chart, "tick")) < 24


def test_line_chart__shows_the_target_once_somebody_is_near() -> None:
    def has_target(values: list[int]) -> bool:
        chart = line_chart("t", ["Ana"], [values], target=100)
        return any(item.get("class") == "target" for item in chart.iter("line"))

    assert has_target([70])
    assert not has_target([20])


def test_line_chart__shortens_a_long_name() -> None:
    assert texts(line_chart("t", ["A" * 24], [[1]]), "label") == ["A" * 13 + "…"]


def test_bar_chart__draws_what_was_observed_and_what_was_expected() -> None:
    chart = bar_chart("t", ["0", "1"], [10, 20], [20, 20])
    first, second = [float(bar.get("height", 0)) for bar in chart.iter("rect")]
    assert second == 2 * first
    levels = [item.get("y1") for item in chart.iter("line") if item.get("class") == "expected"]
    assert len(set(levels)) == 1
