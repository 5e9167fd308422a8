"""What happened between two Views, as sentences: line mode, the silent table, the message list.

Cards are words ("queen of spades") unless glyphs are given, so that a screen reader says what
is meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from p2p_hearts.i18n import _
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.pace import frames
from p2p_hearts.ui.scores import is_scored
from p2p_hearts.ui.sentences import (
    claim_sentence,
    log_sentence,
    moon_sentence,
    open_sentence,
    pass_direction,
    phrase_sentence,
    player,
    points_sentence,
    ready_words,
    received_sentence,
    remark_sentence,
    sits_sentence,
    taken_sentence,
    totals_sentence,
    verified_sentence,
    widow_sentence,
    winners_sentence,
)
from p2p_hearts.ui.status import LobbyStatus, Status
from p2p_hearts.ui.words import Glyphs, named, named_all, seat_name

_OVER = (Phase.HAND_OVER, Phase.MATCH_OVER)


class Kind(Enum):
    """What a piece of news is about."""

    HAND = "a new hand"
    DIRECTION = "to whom to pass"
    PASS = "cards passed"  # noqa: S105  (the pass of cards)
    OPEN = "a hand that lies open"
    CARD = "a card played"
    BROKEN = "hearts are broken"
    TRICK = "a trick taken"
    CLAIM = "the rest claimed"
    WIDOW = "the widow opened"
    SCORE = "points of a hand"
    MATCH = "the end of the match"
    TABLE = "the table itself"
    FAULT = "a fault"
    CHAT = "a line of chat"


@dataclass(frozen=True, slots=True)
class News:
    """One sentence about one event."""

    kind: Kind
    sentence: str


@dataclass(slots=True)
class Chronicle:
    """Turns every state that is shown into what is new in it, and remembers what was told.

    For front ends that cannot draw over what they wrote.
    """

    view: View | None = None
    status: Status | LobbyStatus | None = None
    _told: set[str] = field(default_factory=set)

    def news(self, view: View | None, status: Status | LobbyStatus) -> tuple[News, ...]:
        """Return what is new since the last call, oldest first."""
        told = [News(Kind.TABLE, line) for line in self._table_lines(status)]
        # Once cards are dealt the game itself tells how far it is.
        before = self.status
        if view is None and status.stage and (before is None or before.stage != status.stage):
            told.append(News(Kind.TABLE, status.stage))
        fault = status.fault
        if fault is not None and (self.status is None or self.status.fault != fault):
            told.append(News(Kind.FAULT, fault))
        if isinstance(status, Status):
            known = self.status.chat if isinstance(self.status, Status) else ()
            new = [remark for remark in status.chat if remark not in known]
            told += [News(Kind.CHAT, remark_sentence(remark)) for remark in new]
        if view is not None and isinstance(status, Status) and view != self.view:
            told += tell(self.view, view, status)
        was_finished = self.status is not None and self.status.finished
        if status.finished and not was_finished and status.log_path:
            told.append(News(Kind.TABLE, log_sentence(status.log_path)))
        self.view, self.status = view, status
        return tuple(told)

    def _table_lines(self, status: Status | LobbyStatus) -> list[str]:
        before = self.status
        lines: list[str] = []
        if status.table_name and (before is None or before.table_name != status.table_name):
            lines.append(_("Table: {name}.").format(name=status.table_name))
        if isinstance(status, LobbyStatus):
            lines += self._once(status.rules)
            lines += self._once(sits_sentence(name) for name in status.players)
            known = before.ready if isinstance(before, LobbyStatus) else ()
            for place, (name, is_ready) in enumerate(
                zip(status.players, status.ready, strict=False)
            ):
                was_ready = place < len(known) and known[place]
                # Where nobody is waited for it is no news.
                if is_ready != was_ready and not (all(known) and all(status.ready)):
                    lines.append(ready_words(name, is_ready) + ".")
        lines += self._once(status.warnings)
        if isinstance(status, LobbyStatus):
            lines += self._once(
                _("Others join with: {command}").format(command=line) for line in status.invitations
            )
        if status.phrase:
            lines += self._once([phrase_sentence(status.phrase)])
        if isinstance(status, Status):
            seen = before.verified if isinstance(before, Status) else ()
            lines += [verified_sentence(fact) for fact in status.verified if fact not in seen]
        return lines

    def _once(self, sentences: Iterable[str]) -> list[str]:
        fresh = [sentence for sentence in sentences if sentence not in self._told]
        self._told.update(fresh)
        return fresh


def tell(
    before: View | None, after: View, status: Status, glyphs: Glyphs | None = None
) -> tuple[News, ...]:
    """Return what happened since `before`, card by card, oldest first.

    Cards are written with `glyphs`, or in words ("queen of spades") without.
    """
    told: list[News] = []
    for view in frames(before, after):
        told += _step(before, view, status, glyphs)
        before = view
    return tuple(told)


def _step(before: View | None, view: View, status: Status, glyphs: Glyphs | None) -> list[News]:
    told: list[News] = []
    new_hand = before is None or before.hand_number != view.hand_number
    if new_hand and view.phase not in _OVER:
        told.append(News(Kind.HAND, _hand_sentence(view, status)))
    old = None if new_hand else before
    if view.phase is Phase.PASS and (old is None or old.phase is not Phase.PASS):
        told.append(News(Kind.DIRECTION, pass_direction(view, status)))
    if view.passed and (old is None or not old.passed):
        to = seat_name(status.names, (view.seat + view.offset) % view.rules.seats)
        passed = _("You passed {cards} to {player}.").format(
            cards=named_all(view.passed, glyphs), player=to
        )
        told.append(News(Kind.PASS, passed))
    if view.received and (old is None or not old.received):
        told.append(News(Kind.PASS, received_sentence(view, status, glyphs)))
    lying_open = open_sentence(view, status, glyphs)
    if lying_open and (old is None or not open_sentence(old, status, glyphs)):
        told.append(News(Kind.OPEN, lying_open))
    told += _plays(old, view, status, glyphs)
    if view.play is not None and view.play.widow and not _widow_shown(old):
        told.append(News(Kind.WIDOW, widow_sentence(view, status, glyphs)))
    claimed = None if view.play is None else view.play.claimed
    if claimed is not None and (old is None or old.play is None or old.play.claimed is None):
        told.append(News(Kind.CLAIM, claim_sentence(view, status, claimed, glyphs)))
    if is_scored(view) and (before is None or not is_scored(before) or new_hand):
        told += _scored(view, status)
    if view.phase is Phase.MATCH_OVER and (before is None or before.phase is not view.phase):
        told.append(News(Kind.MATCH, winners_sentence(view, status)))
    return told


def _widow_shown(view: View | None) -> bool:
    return view is not None and view.play is not None and bool(view.play.widow)


def _hand_sentence(view: View, status: Status) -> str:
    if view.dealer == view.seat:
        return _("Hand {n}. You deal.").format(n=view.hand_number)
    return _("Hand {n}. {player} deals.").format(
        n=view.hand_number, player=seat_name(status.names, view.dealer)
    )


def _plays(before: View | None, view: View, status: Status, glyphs: Glyphs | None) -> list[News]:
    play = view.play
    if play is None:
        return []
    told: list[News] = []
    old = before.play if before is not None else None
    seen_tricks = len(old.tricks) if old is not None else 0
    seen_cards = len(old.trick) if old is not None else 0
    for number in range(seen_tricks, len(play.tricks) + (1 if play.trick else 0)):
        finished = play.tricks[number] if number < len(play.tricks) else None
        cards = finished.cards if finished is not None else play.trick
        start = seen_cards if number == seen_tricks else 0
        for at in range(start, len(cards)):
            seat, card = cards[at]
            told.append(
                News(Kind.CARD, _card_sentence(view, status, seat, named(card, glyphs), at))
            )
        if finished is not None:
            told.append(News(Kind.TRICK, taken_sentence(view, status, finished)))
    if play.broken and not (old is not None and old.broken) and view.rules.hearts_break:
        at = next((i for i, news in enumerate(told) if news.kind is Kind.TRICK), len(told))
        told.insert(at, News(Kind.BROKEN, _("Hearts are broken.")))
    return told


def _card_sentence(view: View, status: Status, seat: int, card: str, place: int) -> str:
    if seat == view.seat:
        told = _("You lead {card}.") if place == 0 else _("You play {card}.")
    else:
        told = _("{player} leads {card}.") if place == 0 else _("{player} plays {card}.")
    return told.format(player=player(view, status, seat), card=card)


def _scored(view: View, status: Status) -> list[News]:
    told = [News(Kind.SCORE, points_sentence(view, status))]
    told.append(News(Kind.SCORE, totals_sentence(view, status)))
    moon = moon_sentence(view, status, view.match.hands[-1])
    return [News(Kind.SCORE, moon), *told] if moon else told
