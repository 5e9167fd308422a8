"""One decision on cards in line mode, from the first word typed for it to what the table says.

Which cards are chosen for the pass, whether the person was asked about a claim, and whether the
decision is on its way; `line` says when each of it is meant, and shows the View that it is about.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p_hearts.i18n import _
from p2p_hearts.rules.cards import Card, card_set
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.answers import choose_cards, kept_sentence
from p2p_hearts.ui.asked import NO_CARDS
from p2p_hearts.ui.frontend import NO_CHOICE, NO_CLAIM, Callbacks
from p2p_hearts.ui.reasons import MOVE_SENT, why_no_claim, why_not, why_not_now
from p2p_hearts.ui.status import LobbyStatus, Status


class Deciding:
    """The decision that a person types.

    Args:
        callbacks: where decisions go.
        write: tells a sentence.
        ask: says what is expected now.

    """

    def __init__(
        self, callbacks: Callbacks, write: Callable[[str], None], ask: Callable[[], None]
    ) -> None:
        self._callbacks = callbacks
        self._write = write
        self._ask = ask
        self.view: View | None = None
        self.chosen: tuple[Card, ...] = ()
        """Cards for the pass."""
        self.sent = False
        """Whether it is on its way to the table."""
        self.asked_to_claim = False
        """Whether the person was asked about a claim, and has not answered."""

    def show(self, view: View | None) -> None:
        """Take a new View; what was chosen from another hand is forgotten."""
        before, self.view = self.view, view
        if view == before:
            return
        if before is None or view is None or (before.hand, before.phase) != (view.hand, view.phase):
            self.chosen = ()
        self.sent = self.asked_to_claim = False

    @property
    def is_pass_chosen(self) -> bool:
        """Whether nothing lacks but that the pass is confirmed."""
        view = self.view
        return (
            view is not None
            and view.phase is Phase.PASS
            and len(self.chosen) == view.rules.pass_count
            and not self.sent
        )

    @property
    def is_of_moon(self) -> bool:
        """Whether it is about how the own moon counts."""
        view = self.view
        return (
            view is not None
            and view.phase is Phase.CHOOSE_MOON
            and view.your_turn
            and not self.sent
        )

    def use(self, status: Status | LobbyStatus, cards: list[Card]) -> None:
        """Do what is meant by cards that were typed: choose them for the pass, or play one."""
        found = self._open(status)
        if found is None:
            return
        view, status = found
        if view.phase is Phase.PASS:
            self.chosen, told = choose_cards(view, self.chosen, cards)
            for sentence in told:
                self._write(sentence)
            self._ask()
        elif len(cards) != 1:
            self._write(_("Play one card at a time."))
        elif not self._tell_refusal(why_not_now(view, status) or why_not(view, cards[0], None)):
            self.play(cards[0])

    def undo(self) -> None:
        """Take the last card back that was chosen for the pass."""
        if self.chosen and not self.sent:
            self._write(kept_sentence(self.chosen[-1]))
            self.chosen = self.chosen[:-1]
        self._ask()

    def confirm(self) -> None:
        """Pass what is chosen, if it is."""
        if not self.is_pass_chosen:
            self._ask()
            return
        self.sent = True
        self._answered(self._callbacks.on_pass(card_set(self.chosen)))

    def play(self, card: Card) -> None:
        """Play a card that may be played."""
        self.sent = True
        self._answered(self._callbacks.on_card(card))

    def count_moon(self, choice: MoonChoice) -> None:
        """Let the own moon count like this."""
        self.sent = True
        on_moon = self._callbacks.on_moon
        self._answered(_(NO_CHOICE) if on_moon is None else on_moon(choice))

    def ask_to_claim(self, status: Status | LobbyStatus) -> None:
        """Ask whether the rest is really claimed, where it may be."""
        found = self._open(status)
        if found is None:
            return
        view, status = found
        if self._tell_refusal(why_not_now(view, status) or why_no_claim(view)):
            return
        self.asked_to_claim = True
        self._write(
            _(
                "Claim the rest? Your cards are laid open, and every card that is left goes "
                'to you. Type "yes" to claim; anything else, and you play on.'
            )
        )

    def claim(self) -> None:
        """Claim the rest, if that may be done yet."""
        view = self.view
        if view is None or self.sent or not view.may_claim:
            self._ask()
            return
        self.sent = True
        on_claim = self._callbacks.on_claim
        self._answered(_(NO_CLAIM) if on_claim is None else on_claim())

    def _open(self, status: Status | LobbyStatus) -> tuple[View, Status] | None:
        """Return what to decide on; None, and the person is told, where nothing is open."""
        if self.view is None or isinstance(status, LobbyStatus):
            self._write(_(NO_CARDS))
            return None
        if self.sent:
            self._write(_(MOVE_SENT))
            return None
        return self.view, status

    def _tell_refusal(self, refusal: str | None) -> bool:
        """Tell why not, if there is a reason; return whether there is."""
        if refusal is not None:
            self._write(refusal)
        return refusal is not None

    def _answered(self, refusal: str | None) -> None:
        if refusal is not None:
            self.sent = False
            self._write(refusal)
            self._ask()
