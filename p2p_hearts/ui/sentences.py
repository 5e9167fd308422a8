"""Whole sentences that more than one front end says about the same thing.

Each is complete, so that a translator sees all of it. A person's own seat is "you", which
takes a sentence of its own wherever the verb would change.
"""

from __future__ import annotations

from p2p_hearts.i18n import N_, _, pgettext
from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.play import ClaimedRest
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.trick import Trick
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.scores import moon_seat
from p2p_hearts.ui.status import Acquaintance, Status
from p2p_hearts.ui.words import Glyphs, clock, listing, named_all, plural, seat_name

PATIENCE = 2.0
"""Seconds after which a wait is told; shorter ones are no news."""

CLAIM_QUESTION = (
    "Your cards are laid open, and every card that is left goes to you. "
    "Press y to claim the rest, n to play on."
)
"""What the full screen asks before it claims."""

PHRASE_SENTENCE = N_(
    "Everybody at this table must see the same words. Read them aloud; if one differs, stop: "
    "somebody sits in between."
)
"""What the words of a table are for."""


def acquaintance_words(known: Acquaintance | None) -> str:
    """Return what is known of a player's key, in a few words; "" where nobody looked."""
    match known:
        case Acquaintance.SELF:
            return pgettext("player", "you")
        case Acquaintance.COMPUTER:
            return _("a computer player of this table")
        case Acquaintance.NEW:
            return _("here for the first time")
        case Acquaintance.KNOWN:
            return _("the same key as last time")
        case Acquaintance.CHANGED:
            return _("ANOTHER KEY than last time: compare the words by voice")
    return ""


def player(view: View, status: Status, seat: int) -> str:
    """Return how a seat is called: the person's own seat is "You"."""
    return "You" if seat == view.seat else seat_name(status.names, seat)


def waiting_sentence(status: Status, own_seat: int) -> str:
    """Return who is being waited for and how long, "" while that is no news."""
    others = [seat_name(status.names, seat) for seat in status.waiting_for if seat != own_seat]
    if not others or status.waiting_seconds < PATIENCE or status.finished:
        return ""
    return f"Waiting for {listing(others)}, {clock(status.waiting_seconds)}."


def go_on_question(status: Status) -> str:
    """Return what going on without the first seat of `may_go_on` means, and asks."""
    name = seat_name(status.names, status.may_go_on[0])
    return (
        f"Go on without {name}? The cards of that seat are laid open and played by rule until this "
        "hand ends; who comes back plays again from the next hand on."
    )


def going_on_sentence(status: Status) -> str:
    """Return what happens once the person has decided to go on."""
    name = seat_name(status.names, status.may_go_on[0])
    return f"You go on without {name}, as soon as the others decide so, too."


def received_sentence(view: View, status: Status, glyphs: Glyphs | None) -> str:
    """Return what the person was passed, in symbols or (without glyphs) in words; "" if nothing."""
    if not view.received:
        return ""
    source = seat_name(status.names, (view.seat - view.offset) % view.rules.seats)
    return f"{source} passed you {named_all(view.received, glyphs)}."


def taken_sentence(view: View, status: Status, trick: Trick) -> str:
    """Return who took a finished trick, and what it is worth."""
    if trick.winner is None:
        return "Every card that could win was cancelled: the trick stays on the table."
    points = sum(view.rules.points(card) for _, card in trick.cards)
    you = trick.winner == view.seat
    name = player(view, status, trick.winner)
    if not points:
        return "You take the trick." if you else f"{name} takes the trick."
    worth = plural(points, "1 point", "{n} points")
    return f"You take the trick: {worth}." if you else f"{name} takes the trick: {worth}."


def claim_sentence(view: View, status: Status, claimed: ClaimedRest, glyphs: Glyphs | None) -> str:
    """Return who claimed the rest with which cards, in symbols or (without glyphs) in words."""
    cards = named_all(claimed.hand, glyphs)
    if claimed.seat == view.seat:
        return f"You claim the rest with {cards}."
    return f"{player(view, status, claimed.seat)} claims the rest with {cards}."


def widow_sentence(view: View, status: Status, glyphs: Glyphs | None) -> str:
    """Return to whom the open widow goes and what it is; "" while it lies face down."""
    play = view.play
    if play is None or play.widow_owner is None or not play.widow:
        return ""
    cards = named_all(play.widow, glyphs)
    if play.widow_owner == view.seat:
        return f"The widow goes to you: {cards}."
    return f"The widow goes to {player(view, status, play.widow_owner)}: {cards}."


def moon_sentence(view: View, status: Status, scores: tuple[int, ...]) -> str:
    """Return the sentence for a moon in a finished hand, "" when nobody shot it."""
    seat = moon_seat(view.rules, scores)
    if seat is None:
        return ""
    name = player(view, status, seat)
    if scores[seat] + view.rules.total_penalty <= 0:
        if seat == view.seat:
            return "You shot the moon, and it is taken off your total."
        return f"{name} shot the moon, and it is taken off that total."
    if seat == view.seat:
        return "You shot the moon: everybody else gets the points."
    return f"{name} shot the moon: everybody else gets the points."


def moon_choices(view: View) -> tuple[str, str]:
    """Return what the shooter may choose: the sentences for 1 and for 2."""
    worth = view.rules.total_penalty
    return (
        plural(worth, "Everybody else gets 1 point.", "Everybody else gets {n} points."),
        plural(worth, "1 point is taken off your total.", "{n} points are taken off your total."),
    )


def winners_sentence(view: View, status: Status) -> str:
    """Return who won the match."""
    match = view.match
    winners = match.winners
    if not winners:
        return "The match is over."
    points = plural(match.totals[winners[0]], "1 point", "{n} points")
    if len(winners) > 1:
        names = listing([player(view, status, seat) for seat in winners])
        return f"{names} share the first place with {points} each."
    if winners[0] == view.seat:
        return f"You win the match with {points}!"
    return f"{player(view, status, winners[0])} wins the match with {points}."


def totals_sentence(view: View, status: Status) -> str:
    """Return every seat's total."""
    totals = [
        f"{player(view, status, seat)} {total}" for seat, total in enumerate(view.match.totals)
    ]
    return f"Totals: {', '.join(totals)}."


def points_sentence(view: View, status: Status) -> str:
    """Return every seat's points in the hand finished last."""
    scores = view.match.hands[-1]
    told = [f"{player(view, status, seat)} {points}" for seat, points in enumerate(scores)]
    return f"Points of hand {len(view.match.hands)}: {', '.join(told)}."


def taken_points_sentence(view: View, status: Status) -> str:
    """Return the points that each seat has taken in the hand being played."""
    if view.play is None or view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER):
        return ""
    told = [
        f"{player(view, status, seat)} {points_of(view.rules, cards)}"
        for seat, cards in enumerate(view.play.taken)
        if cards_in(cards)
    ]
    return f"Taken in this hand: {', '.join(told)}." if told else "Nobody has taken a trick yet."


def pass_direction(view: View, status: Status) -> str:
    """Return to whom the person passes in this hand, and where that seat is."""
    seats, offset = view.rules.seats, view.offset
    if not offset:
        return "Nothing is passed in this hand."
    to = seat_name(status.names, (view.seat + offset) % seats)
    count = plural(view.rules.pass_count, "1 card", "{n} cards")
    if 2 * offset == seats:
        return f"You pass {count} across, to {to}."
    if offset == 1:
        return f"You pass {count} to the left, to {to}."
    if offset == seats - 1:
        return f"You pass {count} to the right, to {to}."
    if 2 * offset < seats:
        return f"You pass {count} {offset} places to the left, to {to}."
    return f"You pass {count} {seats - offset} places to the right, to {to}."
