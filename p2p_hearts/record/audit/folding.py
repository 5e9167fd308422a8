"""Hands that are over, folded: what an audit keeps does not grow with the length of the log.

Once a hand has ended, all hands before it are folded: their rounds to the number of what was
verified, what was signed in them to one hash. Nothing of them is needed again unless somebody
signed something for them later, which no honest player does; then, and where something in them is
not as it should be, the log is read again with everything kept. So folding never decides anything:
an audit that folds either says the same as one that does not, or is given up.

Errors: ``NotKeptError`` from whatever asks for a folded hand.
"""

from __future__ import annotations

from collections import Counter

from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.state import State
from p2p_hearts.wire.chain import place_of


def fold(state: State, before: int) -> None:
    """Fold all hands before one, if nothing is open in them; else fold no more."""
    places = [place for place in state.rounds if place.hand < before]
    items = [state.rounds[place] for place in places]
    is_open = (
        any(not item.is_certified for item in items)
        or any(place.hand < before for place in state.waiting)
        or any(place_of(sealed.content).hand < before for sealed in state.astray)
    )
    if is_open or not state.ledger.fold(before):
        state.folds = False
        return
    for item in items[:-1]:
        count_certified(state.counts, item)
        del state.rounds[item.place]
    *over, current = state.attempt_counts
    for counts in over:
        state.counts.update(counts)
    state.attempt_counts = [current]
    state.folded = before


def count_certified(counts: Counter[str], item: AuditRound) -> None:
    """Count a certified round among what was verified."""
    counts["certificates"] += 1
    counts["acks"] += len(item.acks)
    counts["rounds closed by vote"] += item.closing is not None
