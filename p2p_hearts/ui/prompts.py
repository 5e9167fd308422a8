"""What to do now, and why: the sentences under the table, the most important first."""

from __future__ import annotations

from p2p_hearts.i18n import _, ngettext
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.choice import Choice, chosen_cards
from p2p_hearts.ui.reasons import YOUR_TURN_SOON, turn_sentence, why_dimmed, why_not
from p2p_hearts.ui.scene import TableScene
from p2p_hearts.ui.scores import is_scored
from p2p_hearts.ui.sentences import (
    left_sentence,
    log_sentence,
    open_sentence,
    received_sentence,
    waiting_sentence,
)
from p2p_hearts.ui.status import Status
from p2p_hearts.ui.words import Glyphs, card_text, cards_text, seat_name


def message_lines(scene: TableScene) -> list[tuple[str, str]]:
    """(style, sentence), the most important first."""
    found: list[tuple[str, str]] = []
    status, choice = scene.status, scene.choice
    if status.fault is not None:
        found.append(("class:fault", status.fault))
    if _is_at_the_start(scene.view):
        # Seats are drawn within a second: in the lobby alone nobody would have read them.
        found += [("class:fault", warning) for warning in status.warnings]
    if status.finished and status.log_path:
        found.append(("class:faint", log_sentence(status.log_path)))
    prompt = _prompt(scene)
    waiting = waiting_sentence(scene.status, scene.view.seat)
    if waiting and not scene.view.your_turn:
        more = ""
        if status.may_go_on:
            away = seat_name(status.names, status.may_go_on[0])
            more = " " + _("Press v to go on without {player}.").format(player=away)
        found.append(("class:waiting", waiting + more))
    elif prompt:
        style = "class:prompt" if scene.view.your_turn else "class:faint"
        found.append((style, f"{prompt} {left_sentence(status)}".rstrip()))
    if choice.feedback:
        found.append(("class:feedback", choice.feedback))
    found += [("class:faint", sentence) for sentence in _facts(scene) if sentence]
    received = _received(scene)
    if received:
        found.append(("class:faint", received))
    if scene.messages and scene.messages[-1] != received:
        found.append(("class:faint", scene.messages[-1]))
    return found


def _facts(scene: TableScene) -> tuple[str | None, ...]:
    """Why the card under the cursor may not be played, else what lies open and why others may not.

    An answer to the last key stands where the reasons are else.
    """
    view, choice = scene.view, scene.choice
    lying_open = open_sentence(view, scene.status, scene.glyphs)
    if choice.feedback:
        return (lying_open,)
    order = choice.order(view)
    if view.phase is Phase.PLAY and view.your_turn and choice.cursor < len(order):
        why = why_not(view, order[choice.cursor], scene.glyphs)
        if why is not None:
            return why, lying_open
    return lying_open, why_dimmed(view, scene.glyphs)


def _is_at_the_start(view: View) -> bool:
    """Whether no card of the match has been played yet."""
    is_played = view.play is not None and bool(view.play.trick or view.play.tricks)
    is_over = view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER)
    return view.hand_number == 1 and not is_played and not is_over


def _prompt(scene: TableScene) -> str:
    """Return what happens now, or what the person shall do."""
    view, status, choice = scene.view, scene.status, scene.choice
    if status.finished:
        return _("The game at this table has ended. Press Enter to leave.")
    if view.phase is Phase.DEAL:
        return status.stage or _("The cards are being dealt.")
    if view.phase is Phase.PASS:
        return pass_prompt(view, status, choice, scene.glyphs)
    if view.phase is Phase.WAIT_PASS and not view.passed:
        # A program that was started again may not know yet what it said before.
        return _("The others are still choosing the cards to pass.")
    if view.phase is Phase.WAIT_PASS:
        passed = cards_text(view.passed, scene.glyphs)
        to = scene.name((view.seat + view.offset) % view.rules.seats)
        return _("You passed {cards} to {player}. The others are still choosing.").format(
            cards=passed, player=to
        )
    if view.phase is Phase.HAND_OVER:
        # What the table does by then belongs to the next hand.
        return _("The next hand follows; Enter goes on.") if is_scored(view) else status.stage
    if view.phase is Phase.MATCH_OVER:
        return status.stage
    if view.phase is Phase.CHOOSE_MOON:
        if view.your_turn:
            return _("Choose how your moon counts: type 1 or 2.")
        return _("The shooter of the moon chooses how it counts.")
    if choice.sent:
        return _("Your card is on its way to the table.")
    if view.your_turn and view.phase is Phase.PLAY:
        leads = view.play is None or not view.play.trick
        if view.may_claim:
            return _("It is your turn: play a card, or press c to claim the rest.")
        if leads:
            return _("It is your turn to lead a card.")
        return _("It is your turn to play a card.")
    turn = view.play.turn if view.play is not None else None
    if turn == view.seat:
        return _(YOUR_TURN_SOON)
    if turn is not None:
        return turn_sentence(status, turn)
    opening = view.rules.opening_card
    if opening is not None and (view.play is None or view.play.leader is None):
        return _("Whoever holds {card} opens the first trick.").format(
            card=card_text(opening, scene.glyphs)
        )
    return status.stage


def half_typed(typed: str) -> str:
    """Return what makes a card of what was typed."""
    if typed == "1":
        return _("then 0 for a ten")
    if typed == "q":
        return _("then the suit: c, d, s or h; or Enter to leave the table")
    return _("then the suit: c, d, s or h")


def _received(scene: TableScene) -> str:
    """Return what the person was passed, until the first trick is over; "" otherwise."""
    view = scene.view
    if view.phase is not Phase.PLAY or (view.play is not None and view.play.tricks):
        return ""
    return received_sentence(view, scene.status, scene.glyphs)


def pass_prompt(view: View, status: Status, choice: Choice, glyphs: Glyphs) -> str:
    """Return what to do next while choosing the pass, in one sentence."""
    to = seat_name(status.names, (view.seat + view.offset) % view.rules.seats)
    missing = view.rules.pass_count - len(choice.chosen)
    if choice.sent:
        return _("Your pass to {player} is on its way to the table.").format(player=to)
    if missing == 0:
        cards = cards_text(chosen_cards(view, choice), glyphs)
        return _("Press Enter to pass {cards} to {player}, or change your choice.").format(
            cards=cards, player=to
        )
    if not choice.chosen:
        wish = ngettext(
            "Choose {n} card to pass to {player}.", "Choose {n} cards to pass to {player}.", missing
        )
    else:
        wish = ngettext(
            "Choose {n} more card to pass to {player}.",
            "Choose {n} more cards to pass to {player}.",
            missing,
        )
    return wish.format(n=missing, player=to)
