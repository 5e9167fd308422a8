"""What somebody who watches is shown, some tricks late.

Whoever sits beside a player and watches on another screen could tell it nothing that the players do
not see; a delay makes sure that nobody has to wonder. It is the watcher's own program that waits.
A finished hand, a fault and the end of the match are shown at once.
"""

from __future__ import annotations

from collections import deque

from p2p_hearts.rules.view import Phase, View


class Delay:
    """Holds every view back until so many more tricks of its hand are over."""

    def __init__(self, tricks: int) -> None:
        """``tricks``: 0 shows everything at once."""
        self._tricks = tricks
        self._held: deque[View] = deque()
        self._last: View | None = None
        self._shown: View | None = None

    def pass_on(self, view: View | None, *, at_once: bool = False) -> View | None:
        """Take the view of now; return the one to show."""
        if view is not None and view != self._last:
            self._last = view
            self._held.append(view)
        while self._held and (at_once or self._is_due(self._held[0])):
            self._shown = self._held.popleft()
        return self._shown

    def _is_due(self, view: View) -> bool:
        now = self._last
        if now is None or now.hand_number > view.hand_number or _is_over(now):
            return True
        return _finished(now) >= _finished(view) + self._tricks or view.play is None


def _finished(view: View) -> int:
    return 0 if view.play is None else len(view.play.tricks)


def _is_over(view: View) -> bool:
    """Whether nothing of this hand is left to be played."""
    over = view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
    return over or (view.play is not None and view.play.over)
