"""Whole sentences that more than one front end says about the same thing.

Each is complete, so that a translator sees all of it. A person's own seat is "you", which
takes a sentence of its own wherever the verb would change.
"""

from __future__ import annotations

from p2p_hearts.i18n import N_, _, listed, ngettext, pgettext
from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.play import ClaimedRest
from p2p_hearts.rules.score import points_of
from p2p_hearts.rules.texts import describe
from p2p_hearts.rules.trick import Trick
from p2p_hearts.rules.view import Phase, View
from p2p_hearts.ui.scores import moon_seat
from p2p_hearts.ui.status import Acquaintance, LobbyStatus, Remark, Status
from p2p_hearts.ui.words import Glyphs, cards_count, clock, named_all, points_words, seat_name

PATIENCE = 2.0
"""Seconds after which a wait is told; shorter ones are no news."""

CLAIM_QUESTION = N_(
    "Your cards are laid open, and every card that is left goes to you. "
    "Press y to claim the rest, n to play on."
)
"""What the full screen asks before it claims."""

PHRASE_SENTENCE = N_(
    "Everybody at this table must see the same words. Read them aloud; if one differs, stop: "
    "somebody sits in between."
)
"""What the words of a table are for."""


def ready_words(name: str, is_ready: bool) -> str:
    """Return whether a player is ready for the cards, as one line of a list."""
    words = _("{player}, ready") if is_ready else _("{player}, not ready yet")
    return words.format(player=name)


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


def people_names(status: Status | LobbyStatus) -> list[str]:
    """Return who is here, by seat, or in the order of arrival before seats are drawn."""
    if isinstance(status, LobbyStatus):
        return list(status.players)
    return [seat_name(status.names, seat) for seat in range(len(status.names))]


def rule_sentences(view: View | None, status: Status | LobbyStatus) -> tuple[str, ...]:
    """Return the rules of the table, a sentence each; nothing where they are not known yet."""
    if view is not None:
        return tuple(describe(view.rules))
    return status.rules if isinstance(status, LobbyStatus) else ()


def has_strangers(status: Status) -> bool:
    """Whether somebody here has a key that this computer has not met under that name."""
    return bool({Acquaintance.NEW, Acquaintance.CHANGED} & set(status.people))


def player(view: View, status: Status, seat: int) -> str:
    """Return how a seat is called: the person's own seat is "You"."""
    return _("You") if seat == view.seat else seat_name(status.names, seat)


def log_sentence(path: str) -> str:
    """Return where the log of this game lies."""
    return _("The log of this game: {path}").format(path=path)


def phrase_sentence(phrase: str) -> str:
    """Return the words that everybody at the table must see alike."""
    return _("The words of this table, to compare: {phrase}.").format(phrase=phrase)


def verified_sentence(fact: str) -> str:
    """Return one thing that was verified."""
    return _("Verified: {fact}.").format(fact=fact)


def sits_sentence(name: str) -> str:
    """Return that somebody has a seat at the table."""
    return _("{player} sits at the table.").format(player=name)


def waiting_sentence(status: Status, own_seat: int) -> str:
    """Return who is being waited for and how long, "" while that is no news."""
    others = [seat_name(status.names, seat) for seat in status.waiting_for if seat != own_seat]
    if not others or status.waiting_seconds < PATIENCE or status.finished:
        return ""
    return _("Waiting for {players}, {time}.").format(
        players=listed(others), time=clock(status.waiting_seconds)
    )


def left_sentence(status: Status) -> str:
    """Return how long the person may still think; "" where nobody is hurried."""
    if status.seconds_left is None or status.finished:
        return ""
    return _("{time} left.").format(time=clock(status.seconds_left))


def go_on_question(status: Status) -> str:
    """Return what going on without the first seat of `may_go_on` means, and asks."""
    name = seat_name(status.names, status.may_go_on[0])
    return _(
        "Go on without {player}? The cards lie open and are played by rule; who comes back plays "
        "again from the next hand on."
    ).format(player=name)


def going_on_sentence(status: Status) -> str:
    """Return what happens once the person has decided to go on."""
    name = seat_name(status.names, status.may_go_on[0])
    return _("You go on without {player}, as soon as the others decide so, too.").format(
        player=name
    )


def open_sentence(view: View, status: Status, glyphs: Glyphs | None) -> str:
    """Return whose cards lie open, and which are left of them; "" where every hand is hidden."""
    if view.dummy is None or view.phase not in (Phase.PASS, Phase.WAIT_PASS, Phase.PLAY):
        return ""
    if view.dummy == view.seat:
        return _("Your cards lie open in this hand and are played by rule.")
    cards = view.known[view.dummy]
    if not cards:
        return ""
    return _("The cards of {player} lie open: {cards}.").format(
        player=seat_name(status.names, view.dummy), cards=named_all(cards, glyphs)
    )


def received_sentence(view: View, status: Status, glyphs: Glyphs | None) -> str:
    """Return what the person was passed, in symbols or (without glyphs) in words; "" if nothing."""
    if not view.received:
        return ""
    source = seat_name(status.names, (view.seat - view.offset) % view.rules.seats)
    return _("{player} passed you {cards}.").format(
        player=source, cards=named_all(view.received, glyphs)
    )


def remark_sentence(remark: Remark) -> str:
    """Return a line of chat with its author."""
    return _("{name}: {text}").format(name=remark.name, text=remark.text)


def taken_sentence(view: View, status: Status, trick: Trick) -> str:
    """Return who took a finished trick, and what it is worth."""
    if trick.winner is None:
        return _("Every card that could win was cancelled: the trick stays on the table.")
    points = sum(view.rules.points(card) for _, card in trick.cards)
    you = trick.winner == view.seat
    name = player(view, status, trick.winner)
    if not points:
        return (
            _("You take the trick.") if you else _("{player} takes the trick.").format(player=name)
        )
    if you:
        return _("You take the trick: {points}.").format(points=points_words(points))
    return _("{player} takes the trick: {points}.").format(player=name, points=points_words(points))


def claim_sentence(view: View, status: Status, claimed: ClaimedRest, glyphs: Glyphs | None) -> str:
    """Return who claimed the rest with which cards, in symbols or (without glyphs) in words."""
    cards = named_all(claimed.hand, glyphs)
    if claimed.seat == view.seat:
        return _("You claim the rest with {cards}.").format(cards=cards)
    return _("{player} claims the rest with {cards}.").format(
        player=player(view, status, claimed.seat), cards=cards
    )


def widow_sentence(view: View, status: Status, glyphs: Glyphs | None) -> str:
    """Return to whom the open widow goes and what it is; "" while it lies face down."""
    play = view.play
    if play is None or play.widow_owner is None or not play.widow:
        return ""
    cards = named_all(play.widow, glyphs)
    if play.widow_owner == view.seat:
        return _("The widow goes to you: {cards}.").format(cards=cards)
    return _("The widow goes to {player}: {cards}.").format(
        player=player(view, status, play.widow_owner), cards=cards
    )


def moon_sentence(view: View, status: Status, scores: tuple[int, ...]) -> str:
    """Return the sentence for a moon in a finished hand, "" when nobody shot it."""
    seat = moon_seat(view.rules, scores)
    if seat is None:
        return ""
    name = player(view, status, seat)
    if scores[seat] + view.rules.total_penalty <= 0:
        if seat == view.seat:
            return _("You shot the moon, and it is taken off your total.")
        return _("{player} shot the moon, and it is taken off that total.").format(player=name)
    if seat == view.seat:
        return _("You shot the moon: everybody else gets the points.")
    return _("{player} shot the moon: everybody else gets the points.").format(player=name)


def moon_choices(view: View) -> tuple[str, str]:
    """Return what the shooter may choose: the sentences for 1 and for 2."""
    worth = view.rules.total_penalty
    return (
        ngettext("Everybody else gets {n} point.", "Everybody else gets {n} points.", worth).format(
            n=worth
        ),
        ngettext(
            "{n} point is taken off your total.", "{n} points are taken off your total.", worth
        ).format(n=worth),
    )


def winners_sentence(view: View, status: Status) -> str:
    """Return who won the match."""
    match = view.match
    winners = match.winners
    if not winners:
        return _("The match is over.")
    points = points_words(match.totals[winners[0]])
    if len(winners) > 1:
        names = listed([player(view, status, seat) for seat in winners])
        return _("{players} share the first place with {points} each.").format(
            players=names, points=points
        )
    if winners[0] == view.seat:
        return _("You win the match with {points}!").format(points=points)
    return _("{player} wins the match with {points}.").format(
        player=player(view, status, winners[0]), points=points
    )


def totals_sentence(view: View, status: Status) -> str:
    """Return every seat's total."""
    totals = [
        f"{player(view, status, seat)} {total}" for seat, total in enumerate(view.match.totals)
    ]
    return _("Totals: {totals}.").format(totals=", ".join(totals))


def points_sentence(view: View, status: Status) -> str:
    """Return every seat's points in the hand finished last."""
    scores = view.match.hands[-1]
    told = [f"{player(view, status, seat)} {points}" for seat, points in enumerate(scores)]
    return _("Points of hand {n}: {points}.").format(
        n=len(view.match.hands), points=", ".join(told)
    )


def taken_points_sentence(view: View, status: Status) -> str:
    """Return the points that each seat has taken in the hand being played."""
    if view.play is None or view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER):
        return ""
    told = [
        f"{player(view, status, seat)} {points_of(view.rules, cards)}"
        for seat, cards in enumerate(view.play.taken)
        if cards_in(cards)
    ]
    if not told:
        return _("Nobody has taken a trick yet.")
    return _("Taken in this hand: {points}.").format(points=", ".join(told))


def pass_direction(view: View, status: Status) -> str:
    """Return to whom the person passes in this hand, and where that seat is."""
    seats, offset = view.rules.seats, view.offset
    if not offset:
        return _("Nothing is passed in this hand.")
    to = seat_name(status.names, (view.seat + offset) % seats)
    if 2 * offset == seats:
        way = _("You pass {cards} across, to {player}.")
    elif offset == 1:
        way = _("You pass {cards} to the left, to {player}.")
    elif offset == seats - 1:
        way = _("You pass {cards} to the right, to {player}.")
    elif 2 * offset < seats:
        way = _("You pass {cards} {places} places to the left, to {player}.")
    else:
        way = _("You pass {cards} {places} places to the right, to {player}.")
    return way.format(
        cards=cards_count(view.rules.pass_count), places=min(offset, seats - offset), player=to
    )
