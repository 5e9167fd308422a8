"""``p2p-hearts replay``: a game from its log, step by step in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from p2p_hearts.commands.audit import audit_files, must_be_a_log
from p2p_hearts.commands.common import CommandError, has_screen
from p2p_hearts.commands.seat import stopped_by_signals
from p2p_hearts.commands.settings import SettingsFile, settings_folder
from p2p_hearts.i18n import _
from p2p_hearts.record.audit import Report, Verdict
from p2p_hearts.record.audit.story import HandStory
from p2p_hearts.record.moments import Event, Moment, moments, points_after, state_at
from p2p_hearts.record.report.words import (
    Shown,
    direction,
    duration,
    moment_sentence,
    step_result,
)
from p2p_hearts.rules.cards import EMPTY, CardSet, remove, size
from p2p_hearts.rules.trick import Plays
from p2p_hearts.ui.replay import Film, Frame, Projector, frame_lines, step_by_lines
from p2p_hearts.ui.words import cards_text, cards_words, glyphs_for


def run(arguments: argparse.Namespace) -> int:
    """Show a game; return 0, or 2 for what is no log or holds no hand."""
    must_be_a_log(arguments.log)
    report = audit_files([arguments.log], tells=True).tables[0].fullest
    hands = [hand for hand in report.story if not hand.is_void]
    if not hands:
        reason = report.summary[0]
        raise CommandError(
            _("{path} holds no hand that could be shown. {reason}").format(
                path=arguments.log, reason=reason
            )
        )
    numbers = [hand.number for hand in hands]
    if arguments.hand is not None and arguments.hand not in numbers:
        raise CommandError(
            _("{path} has the hands {first} to {last}, and no hand {n}.").format(
                path=arguments.log, first=numbers[0], last=numbers[-1], n=arguments.hand
            )
        )
    if has_screen(arguments):
        glyphs = glyphs_for(ascii_only=arguments.ascii, encoding=sys.stdout.encoding)
        film = make_film(report, hands, lambda cards: cards_text(cards, glyphs))
        settings, _complaints = SettingsFile(settings_folder(arguments.home)).load()
        projector = Projector(
            film, film.first_of(arguments.hand or 1), glyphs, colours=settings.colours
        )
        asyncio.run(_project(projector))
        return 0
    film = make_film(report, hands, cards_words)
    if sys.stdin.isatty() and sys.stdout.isatty():
        step_by_lines(film, film.first_of(arguments.hand or 1), _ask, _say)
    else:
        _tell(film, arguments.hand)
    return 0


async def _project(projector: Projector) -> None:
    with stopped_by_signals(projector.close):
        await projector.run()


def _tell(film: Film, hand: int | None) -> None:
    """Write everything, or one hand, for a pipe or a file."""
    for at, frame in enumerate(film.frames):
        if hand is None or frame.hand == hand:
            for line in frame_lines(film, at):
                _say(line)


def _say(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(line.encode(encoding, "replace").decode(encoding) + "\n")
    sys.stdout.flush()


def _ask() -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None


# From the story of a log to what is shown.


def make_film(report: Report, hands: Sequence[HandStory], shown: Shown) -> Film:
    """Return the frames of all hands; ``shown`` writes cards."""
    names = tuple(player.nick for player in report.players)
    frames: list[Frame] = []
    totals = (0,) * len(names)
    for hand in hands:
        frames += [_frame(hand, moment, names, totals, shown) for moment in moments(hand)]
        scores = hand.scores or (0,) * len(names)
        totals = tuple(total + score for total, score in zip(totals, scores, strict=True))
    return Film(
        table_name=report.name,
        phrase=report.phrase,
        verdict=" ".join(report.summary[: 2 if report.faults else 1]),
        is_good=report.verdict is Verdict.CLEAN,
        names=names,
        frames=tuple(frames),
    )


def _frame(
    hand: HandStory,
    moment: Moment,
    names: Sequence[str],
    totals: tuple[int, ...],
    shown: Shown,
) -> Frame:
    state = state_at(hand, moment)
    laid: Plays = ()
    winner = None
    if state is not None and moment.event in (Event.PLAY, Event.WIDOW):
        is_whole = not state.trick and state.tricks
        laid = state.tricks[-1].cards if is_whole else state.trick
        winner = state.tricks[-1].winner if is_whole else None
    held = [_held(hand, moment, seat) for seat in range(hand.rules.seats)]
    points = points_after(hand, moment)
    return Frame(
        hand=hand.number,
        title=_("Hand {n}, {direction}, {name} deals").format(
            n=hand.number, direction=direction(hand), name=names[hand.dealer]
        ),
        sentence=moment_sentence(hand, names, moment, shown),
        proof=_proof(moment),
        dealer=hand.dealer,
        hands=tuple(cards for cards, _unknown in held),
        unknown=tuple(unknown for _cards, unknown in held),
        laid=laid,
        winner=winner,
        points=hand.scores if moment.event is Event.SCORE and hand.scores else points,
        totals=totals,
        ends_hand=moment.event is Event.SCORE and hand.scores is not None,
        starts_trick=moment.event is Event.PLAY and moment.plays % hand.rules.seats == 1,
    )


def _held(hand: HandStory, moment: Moment, seat: int) -> tuple[CardSet, int]:
    """Return the known cards that a seat holds at a moment, and how many more it holds."""
    full = hand.rules.hand_size
    is_dealt = moment.event is Event.DEAL and size(hand.dealt[seat]) == full
    cards = hand.dealt[seat] if is_dealt else hand.held[seat]
    claimed = None if hand.play is None else hand.play.claimed
    if moment.event is Event.SCORE:
        return EMPTY, 0
    if moment.event is Event.CLAIM and claimed is not None and claimed.seat == seat:
        return claimed.hand, 0
    unknown = full - size(cards)
    for player, card in hand.plays[: moment.plays]:
        if player == seat:
            cards = remove(cards, card)
    return cards, unknown


def _proof(moment: Moment) -> str:
    if moment.step is None:
        return ""
    return _("Verified: {result}, {time}.").format(
        result=step_result(moment.step), time=duration(moment.step.seconds)
    )
