"""The seam between the game and a person: what every front end can do.

Three front ends stand behind it: `app.FullScreen`, `line.LineMode` and `auto.Silent`. All of
them live on one event loop with the game; no method blocks, and none may be called from
another thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from p2p_hearts.i18n import N_
from p2p_hearts.rules.cards import Card, CardSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import View
from p2p_hearts.ui.advising import Adviser
from p2p_hearts.ui.settings import Settings
from p2p_hearts.ui.status import LobbyStatus, Status

NO_CHOICE = N_("Nobody asks here how a moon shall count.")
"""The refusal where a moon is chosen and nobody listens."""

NO_CLAIM = N_("Nobody hears claims here.")
"""The refusal where the rest is claimed and nobody listens."""

NO_GOING_ON = N_("Nobody is waited for that you could go on without.")
"""The refusal where nobody may be gone on without."""

NO_HINTS = N_("Nobody gives hints at this table.")
"""The answer where a hint is asked for and no adviser sits."""


NO_ADDING = N_("Only a host adds computer players, before the game.")
"""The refusal where no computer player can be seated."""

NO_CHAT = N_("Nobody hears chat here.")
"""The refusal where a line is said and nobody listens."""


@dataclass(frozen=True, slots=True)
class Callbacks:
    """How a front end reports what the person decided.

    Attributes:
        on_pass: the cards to pass, confirmed. Returns None when accepted, else a clear refusal
            to show; a refusal loses nothing, the person chooses again.
        on_card: the card to play; the result is as for `on_pass`.
        on_quit: the person left before the game was finished (confirmed, or end of input).
            Called once at most; `run` returns afterwards.
        hint: advice for this View in full sentences, in its own time; None where no adviser sits.
        on_moon: how the person's own moon shall count, where the rules leave it to the
            shooter; the result is as for `on_pass`.
        on_claim: the person claims the rest of the hand instead of playing a card, confirmed;
            the result is as for `on_pass`.
        on_go_on: the person goes on without this seat, confirmed; the result is as for `on_pass`.
        on_say: the person says a line to everybody at the table ("/mute NAME" says nothing, and
            hides that person's lines); returns what to tell the person, None for nothing.
        on_add: before the game, the person seats a computer player; returns what to tell.
        on_ready: before the game, the person is ready for the cards, or not yet after all.
        on_settings: the person changed the settings, to be remembered; returns None when they
            were, else a sentence saying why not. They hold for this game in any case.
    """

    on_pass: Callable[[CardSet], str | None]
    on_card: Callable[[Card], str | None]
    on_quit: Callable[[], None]
    hint: Adviser | None = None
    on_moon: Callable[[MoonChoice], str | None] | None = None
    on_claim: Callable[[], str | None] | None = None
    on_go_on: Callable[[int], str | None] | None = None
    on_say: Callable[[str], str | None] | None = None
    on_settings: Callable[[Settings], str | None] | None = None
    on_ready: Callable[[bool], None] | None = None
    on_add: Callable[[], str] | None = None


class FrontEnd(Protocol):
    """A table in front of one person."""

    async def run(self) -> None:
        """Run until the person leaves, `close` is called or a finished game was read."""

    def show(self, view: View | None, status: Status | LobbyStatus) -> None:
        """Show this state; idempotent and cheap, so call it whenever something changed.

        `view` is None while the person has no hand to look at: in the lobby and before the
        first deal.
        """

    def say(self, sentence: str) -> None:
        """Tell the person one sentence that belongs to no state ("Ana is back.")."""

    def close(self) -> None:
        """End `run` soon, leaving the terminal sane. May be called at any time, many times."""
