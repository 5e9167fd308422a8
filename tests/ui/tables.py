"""A table that answers a front end at once: the others play their first legal card."""

from __future__ import annotations

from dataclasses import replace

from p2p_hearts.rules.cards import Card, CardSet, cards_in
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.score import MoonChoice
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.advising import Adviser
from p2p_hearts.ui.frontend import Callbacks, FrontEnd
from p2p_hearts.ui.settings import Settings
from p2p_hearts.ui.status import Status
from tests.ui.games import Game
from tests.ui.scenes import LOG, STATUS


class Table:
    """One match for one front end; remembers what the person decided."""

    def __init__(
        self, rules: RuleSet | None = None, *, seed: int = 3, refuse: str | None = None
    ) -> None:
        self.game = Game(rules, seed=seed)
        self.refuse = refuse
        self.passed: list[CardSet] = []
        self.played: list[Card] = []
        self.moons: list[MoonChoice] = []
        self.claims = 0
        self.said: list[str] = []
        self.readies: list[bool] = []
        self.added = 0
        self.settings: list[Settings] = []
        self.refuse_settings: str | None = None
        self.left = 0
        self.front: FrontEnd | None = None
        self.adviser: Adviser | None = self.advise

    def callbacks(self) -> Callbacks:
        return Callbacks(
            self.on_pass,
            self.on_card,
            self.on_quit,
            self.adviser,
            self.on_moon,
            self.on_claim,
            on_say=self.on_say,
            on_settings=self.on_settings,
            on_ready=self.readies.append,
            on_add=self.on_add,
        )

    async def advise(self, view: View) -> str:
        return "Play low."

    def on_say(self, text: str) -> str | None:
        self.said.append(text)
        return self.refuse

    def on_settings(self, settings: Settings) -> str | None:
        self.settings.append(settings)
        return self.refuse_settings

    def on_add(self) -> str:
        self.added += 1
        return "A computer player comes in a moment."

    def on_quit(self) -> None:
        self.left += 1

    def on_moon(self, choice: MoonChoice) -> str | None:
        self.moons.append(choice)
        return self.refuse

    def on_claim(self) -> str | None:
        self.claims += 1
        return self.refuse

    def on_pass(self, cards: CardSet) -> str | None:
        if self.refuse is not None:
            return self.refuse
        self.passed.append(cards)
        self.game.pass_cards(cards)
        self.go_on()
        return None

    def on_card(self, card: Card) -> str | None:
        if self.refuse is not None:
            return self.refuse
        self.played.append(card)
        self.game.play(card)
        self.go_on()
        return None

    def show(self, status: Status = STATUS) -> None:
        assert self.front is not None
        self.front.show(self.game.view(), status)

    def go_on(self) -> None:
        """Play until the person must decide, or the match is over."""
        game = self.game
        self.show()
        while game.phase is not Phase.MATCH_OVER:
            if game.phase in (Phase.DEAL, Phase.HAND_OVER):
                game.deal()
                self.show()
            if game.phase is Phase.PASS:
                return
            for _ in game.play_to_my_turn():
                self.show()
            if game.turn == game.seat:
                return
        self.show(replace(STATUS, finished=True, log_path=LOG))

    def first_legal(self) -> Card:
        return cards_in(self.game.legal(self.game.seat))[0]
