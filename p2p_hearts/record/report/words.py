"""What a report says of moments, steps and numbers, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2p_hearts.i18n import _, figure, listed, ngettext
from p2p_hearts.record.audit.story import HandStory, Step
from p2p_hearts.record.audit.words import STEP_NAMES
from p2p_hearts.record.moments import Event, Moment
from p2p_hearts.rules.cards import Card, cards_in, size
from p2p_hearts.rules.passing import receiver
from p2p_hearts.rules.texts import symbol

Shown = Callable[[Sequence[Card]], str]
"""How cards are written, one or several."""


def duration(seconds: float) -> str:
    """Return a time with as many figures as say something."""
    if seconds >= 1:
        return _("{s} s").format(s=figure(seconds, ".1f"))
    value = seconds * 1000
    return _("{ms} ms").format(ms=figure(value, ".0f" if value >= 10 else ".2f"))


def step_name(step: Step) -> str:
    """Say what a speech did."""
    return _(STEP_NAMES[step.kind])


def step_result(step: Step) -> str:
    """Say what the check of a speech came to."""
    if step.rule is not None:
        return _("breaks a rule")
    again = step.verified.get("messages made again", 0)
    if again:
        return ngettext(
            "{n} message made again, byte for byte", "{n} messages made again, byte for byte", again
        ).format(n=again)
    if step.verified.get("class proofs"):
        return _("proof of the card, and proof that the rules allow it")
    if step.verified:
        return _("proof holds")
    return _("nothing to prove")


def symbols(cards: Sequence[Card]) -> str:
    """Return cards as people write them: "10♥ Q♠"."""
    return " ".join(symbol(card) for card in cards)


def points(count: int) -> str:
    """Return a number of points in words."""
    return ngettext("{n} point", "{n} points", count).format(n=count)


def moment_sentence(
    hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown = symbols
) -> str:
    """Say what happens at a moment."""
    return {
        Event.DEAL: _deal,
        Event.PASS: _pass,
        Event.PLAY: _play,
        Event.WIDOW: _widow,
        Event.CLAIM: _claim,
        Event.SCORE: _score,
    }[moment.event](hand, names, moment, shown)


def _deal(hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown) -> str:
    if all(size(cards) == hand.rules.hand_size for cards in hand.dealt):
        return _("{name} deals.").format(name=names[hand.dealer])
    return _(
        "{name} deals. The secrets of this hand were not all revealed, so that only cards that "
        "were played are known."
    ).format(name=names[hand.dealer])


def _pass(hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown) -> str:
    told = [
        _("{name} passes {cards} to {other}.").format(
            name=names[seat],
            cards=shown(cards_in(cards)),
            other=names[receiver(hand.rules, seat, hand.offset)],
        )
        for seat, cards in enumerate(hand.passed)
        if cards
    ]
    return " ".join(told) or _("Cards are passed; nobody has shown which.")


def _play(hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown) -> str:
    if moment.seat is None or moment.card is None or moment.trick is None or hand.play is None:
        return ""
    name, card = names[moment.seat], shown([moment.card])
    if moment.plays % hand.rules.seats == 1:
        first = _("{name} leads {card}.").format(name=name, card=card)
    else:
        first = _("{name} plays {card}.").format(name=name, card=card)
    if moment.step is None:
        first = _("{sentence} Played by the rule for players who are away.").format(sentence=first)
    if not moment.ends_trick:
        return first
    trick = hand.play.tricks[moment.trick]
    if trick.winner is None:
        return _("{sentence} Nobody wins the trick; it stays on the table.").format(sentence=first)
    worth = points(trick_points(hand, moment.trick))
    return _("{sentence} {name} takes the trick: {points}.").format(
        sentence=first, name=names[trick.winner], points=worth
    )


def _widow(hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown) -> str:
    if hand.play is None or moment.seat is None:
        return ""
    return _("The widow goes to {name}: {cards}.").format(
        name=names[moment.seat], cards=shown(cards_in(hand.play.widow))
    )


def _claim(hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown) -> str:
    claimed = None if hand.play is None else hand.play.claimed
    if claimed is None:
        return ""
    return _("{name} lays {cards} open and claims the rest; the claim stands.").format(
        name=names[claimed.seat], cards=shown(cards_in(claimed.hand))
    )


def _score(hand: HandStory, names: Sequence[str], moment: Moment, shown: Shown) -> str:
    told = listed(
        [
            _("{name} {points}").format(name=name, points=f"{score:+d}")
            for name, score in zip(names, hand.scores or (), strict=True)
        ]
    )
    if hand.shooter is not None:
        return _("{name} has shot the moon. The hand counts: {scores}.").format(
            name=names[hand.shooter], scores=told
        )
    return _("The hand counts: {scores}.").format(scores=told)


def trick_points(hand: HandStory, trick: int) -> int:
    """Return what the cards of a finished trick count."""
    if hand.play is None:
        return 0
    return sum(hand.rules.points(card) for _seat, card in hand.play.tricks[trick].cards)


def direction(hand: HandStory) -> str:
    """Say to whom a hand passes."""
    seats, offset = hand.rules.seats, hand.offset
    if not offset:
        return _("no pass")
    if 2 * offset == seats:
        return _("pass across")
    if offset == 1:
        return _("pass to the left")
    if offset == seats - 1:
        return _("pass to the right")
    if 2 * offset < seats:
        return _("pass {n} to the left").format(n=offset)
    return _("pass {n} to the right").format(n=seats - offset)
