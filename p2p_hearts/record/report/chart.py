"""Charts as inline SVG, drawn in plain numbers. Every chart has a table of its figures beside it.

Units are those of the view box; the page scales it to its width.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

from p2p_hearts.record.report.html import add, el

WIDTH: Final = 520
HEIGHT: Final = 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 124, 14, 34
_LABEL_GAP: Final = 15
"""Two lines' labels keep this distance."""
_LABEL_MARKS: Final = 14
_TICKS: Final = 6
MARKERS: Final = ("circle", "square", "diamond", "triangle")


def line_chart(
    title: str, names: Sequence[str], lines: Sequence[Sequence[int]], target: int | None = None
) -> Element:
    """Return one line for each name, from 0 on; ``lines`` are its values after each hand."""
    longest = max((len(line) for line in lines), default=0)
    values = [0, *(value for line in lines for value in line)]
    low, high = min(values), max(values)
    if target is not None and high >= target * 0.6:
        high = max(high, target)
    scale = _Scale(low, max(high, low + 1), max(1, longest))
    chart = el("svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", class_="chart", aria_label=title)
    for value in scale.ticks():
        y = scale.y(value)
        add(chart, el("line", class_="grid", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y))
        add(chart, el("text", value, class_="tick", x=_LEFT - 6, y=y + 4, text_anchor="end"))
    every = -(-longest // 12) or 1
    for hand in range(1, longest + 1):
        if hand % every == 0:
            x, y = scale.x(hand), HEIGHT - _BOTTOM + 18
            add(chart, el("text", hand, class_="tick", x=x, y=y, text_anchor="middle"))
    if target is not None and low <= target <= scale.high:
        y = scale.y(target)
        add(chart, el("line", class_="target", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y))
    ends = _spread([scale.y(line[-1] if line else 0) for line in lines])
    for number, (name, line) in enumerate(zip(names, lines, strict=True)):
        add(chart, _line(scale, number, name, line, ends[number]))
    return chart


def bar_chart(
    title: str, labels: Sequence[str], observed: Sequence[float], expected: Sequence[float]
) -> Element:
    """Return a bar for each observed value and a stroke where it was expected."""
    high = max([*observed, *expected, 1.0])
    chart = el("svg", viewBox=f"0 0 {WIDTH} 200", role="img", class_="chart", aria_label=title)
    step = (WIDTH - 20) / max(1, len(labels))
    bottom, room = 170.0, 145.0
    add(chart, el("line", class_="grid", x1=10, x2=WIDTH - 10, y1=bottom, y2=bottom))
    for number, label in enumerate(labels):
        middle = 10 + step * (number + 0.5)
        tall = room * observed[number] / high
        width = min(46.0, step * 0.6)
        add(chart, el(
            "rect", class_="bar", x=_figure(middle - width / 2), y=_figure(bottom - tall),
            width=_figure(width), height=_figure(tall),
        ))  # fmt: skip
        y = _figure(bottom - room * expected[number] / high)
        left, right = _figure(middle - width * 0.7), _figure(middle + width * 0.7)
        add(chart, el("line", class_="expected", x1=left, x2=right, y1=y, y2=y))
        text = {"class_": "tick", "x": _figure(middle), "text_anchor": "middle"}
        add(chart, el("text", label, y=188, **text))
    return chart


class _Scale:
    """From hands and points to the view box."""

    def __init__(self, low: int, high: int, hands: int) -> None:
        self._step = next(
            step for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 10**3, 10**4, 10**6, 10**9)
            if (high - low) / step <= _TICKS
        )  # fmt: skip
        self.low = low // self._step * self._step
        self.high = -(-high // self._step) * self._step
        self._hands = hands

    def ticks(self) -> range:
        return range(self.low, self.high + 1, self._step)

    def x(self, hand: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * hand / self._hands, 1)

    def y(self, value: int) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * share, 1)


def _line(scale: _Scale, number: int, name: str, values: Sequence[int], label_y: float) -> Element:
    places = [(scale.x(hand), scale.y(value)) for hand, value in enumerate([0, *values])]
    group = el("g", class_=f"s{number}")
    points = " ".join(f"{x},{y}" for x, y in places)
    add(group, el("polyline", class_="line", points=points))
    for x, y in places[1:]:
        add(group, _marker(number, x, y))
    x = places[-1][0]
    short = name if len(name) <= _LABEL_MARKS else f"{name[: _LABEL_MARKS - 1]}…"
    add(group, el("text", short, class_="label", x=x + 10, y=label_y + 4))
    return group


def _marker(number: int, x: float, y: float) -> Element:
    shape = MARKERS[number % len(MARKERS)]
    if shape == "circle":
        return el("circle", class_="mark", cx=x, cy=y, r=4)
    if shape == "square":
        return el("rect", class_="mark", x=x - 3.5, y=y - 3.5, width=7, height=7)
    corners = {
        "diamond": ((0, -5), (5, 0), (0, 5), (-5, 0)),
        "triangle": ((0, -5), (5, 4), (-5, 4)),
    }[shape]
    points = " ".join(f"{_figure(x + dx)},{_figure(y + dy)}" for dx, dy in corners)
    return el("polygon", class_="mark", points=points)


def _spread(wanted: Sequence[float]) -> list[float]:
    """Move labels apart, downwards, and then back up as far as they left the picture."""
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    placed = list(wanted)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + _LABEL_GAP)
    lowest = float(HEIGHT - 8)
    for number in reversed(order):
        placed[number] = min(placed[number], lowest)
        lowest = placed[number] - _LABEL_GAP
    return placed


def _figure(value: float) -> str:
    return f"{value:.1f}"
