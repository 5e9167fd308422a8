"""The end of an audit: everything must be accounted for (protocol/SPEC.md section 9.2).

Every round certified by all seats, every author's numbers without a gap, no content left waiting
or astray, the match over: what is not so is named. Only a log of which nothing is named is clean.

Never: changes the state it judges. Errors: none.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from p2p_hearts.i18n import _, listed, ngettext
from p2p_hearts.record.audit.folding import count_certified
from p2p_hearts.record.audit.report import (
    FaultReport,
    PlayerReport,
    Report,
    Trace,
    Verdict,
    gravest,
    printable,
    shortened,
)
from p2p_hearts.record.audit.rounds import AuditRound
from p2p_hearts.record.audit.state import State
from p2p_hearts.record.audit.words import round_words, words_of
from p2p_hearts.rules.match import Match
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.evidence import BESIDE_SPEECHES
from p2p_hearts.wire.faults import Fault, Rule, fault_of

SHOWN_NUMBERS: Final = 3
"""Of missing numbers this many are named."""


def conclude(state: State) -> Report:
    """Account for everything that was read, and say what was found."""
    return _Conclusion(state).report()


class _Conclusion:
    """What is left open at the end of one log."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.counts: Counter[str] = sum(state.attempt_counts, Counter(state.counts))
        self.damage = [*state.damage, *filter(None, [state.contradiction])]
        self.gaps = list(state.gaps)
        self.faults = [*state.faults, *(fault for _, fault in state.shown)]
        self.waiting = [item.sealed for items in state.waiting.values() for item in items]
        self.waiting += [item.sealed for item in state.before_draw]

    def report(self) -> Report:
        self.judge_astray()
        self.account()
        faults = self.all_faults()
        verdict = self.verdict(faults)
        state = self.state
        start, roster, drawn, match = state.start, state.roster, state.drawn, state.match
        hands = self.certified_hands()
        scores = () if match is None else match.hands[:hands]
        is_whole = match is not None and hands == len(match.hands)
        return Report(
            verdict=verdict,
            summary=self.summary(verdict, faults, hands),
            faults=faults,
            damage=shortened(self.damage),
            gaps=shortened(self.gaps),
            table=b"" if drawn is None else drawn.table,
            phrase="" if drawn is None else drawn.phrase,
            name="" if roster is None else printable(roster.name),
            roster=b"" if roster is None else roster.hash,
            rules={} if roster is None else roster.rules.to_dict(),
            players=self.players(),
            dealer=None if drawn is None else drawn.dealer,
            owner=b"" if start is None else start.owner,
            program="" if start is None else printable(start.program),
            created=None if start is None else start.created,
            hands=hands,
            scores=scores,
            totals=_totals(match, scores),
            winners=match.winners if match is not None and is_whole else (),
            records=state.records,
            verified=dict(self.counts),
            unverified=len(self.waiting),
            trace=Trace(
                {
                    place: head
                    for place, item in state.rounds.items()
                    if (head := item.head) is not None and item.is_certified
                },
                state.ledger,
            ),
        )

    def certified_hands(self) -> int:
        """How many scored hands are certified to their last round."""
        state = self.state
        if state.match is None:
            return 0
        open_hands = [item.place.hand for item in state.rounds.values() if not item.is_certified]
        return max(0, min([len(state.match.hands), *(hand - 1 for hand in open_hands)]))

    def judge_astray(self) -> None:
        """A speech on another head convicts an author whose ack alone can certify the right one.

        Where votes may close a round nothing does: two liars can give it two certificates, and an
        honest seat may have gone on from the other one. Nor after a shuffle: its author may have
        gone ahead on another one. A first speech that does not build on the roster it names
        convicts by itself.
        """
        places = list(self.state.rounds)
        for sealed in self.state.astray:
            content = sealed.content
            number = places.index(place_of(content))
            if content.kind in BESIDE_SPEECHES:
                continue
            before = self.state.rounds[places[number - 1]] if number else None
            if before is not None and (before.stage.runs_ahead or not before.binds(content.seat)):
                continue
            self.faults.append(fault_of(Rule.PREVIOUS, sealed))  # V60, V109

    def account(self) -> None:
        """Name everything that a complete log would have, and everything that is left over."""
        state = self.state
        if state.start is None:
            self.gaps.append(_("the log holds nothing that could be judged"))
            return
        if state.roster is None:
            self.gaps.append(_("the log holds no roster"))
            return
        for item in state.rounds.values():
            self.account_round(item)  # V110
        for sealed in state.astray:
            content = sealed.content
            self.gaps.append(
                _(
                    "a message of {player} for {place} builds on a history that this log does "
                    "not hold"
                ).format(player=self.name(content.author), place=words_of(place_of(content)))
            )
        if self.waiting and state.current is not None:  # V112
            count = len(self.waiting)
            self.gaps.append(
                ngettext(
                    "{n} later message builds on messages that are not there",
                    "{n} later messages build on messages that are not there",
                    count,
                ).format(n=count)
            )
        elif self.waiting and not state.is_broken:
            self.damage.append(
                ngettext(
                    "{n} message is for rounds after the match",
                    "{n} messages are for rounds after the match",
                    len(self.waiting),
                ).format(n=len(self.waiting))
            )
        if state.match is None or not state.match.over:  # V113
            self.gaps.append(_("the match was not played to its end"))
        left_out = {state.author_of(seat) for seat in state.targets}
        for author, numbers in state.ledger.gaps().items():  # V111
            if author in left_out:
                continue  # What it said while the others went on need not have arrived.
            shown = listed([str(number) for number in numbers[:SHOWN_NUMBERS]])
            self.gaps.append(
                _("messages of {player} are missing, from its own number {numbers} on").format(
                    player=self.name(author), numbers=shown
                )
            )

    def account_round(self, item: AuditRound) -> None:
        """Count a certified round; name what another one lacks."""
        if item.is_certified:
            count_certified(self.counts, item)
            return
        where = round_words(item.place, item.stage.kind)
        if item.silent:
            names = self.names(item.place, item.silent)
            self.gaps.append(
                _("{place} lacks the message of {players}").format(place=where, players=names)
            )
            return
        absent = [seat for seat in item.unacknowledged if seat not in item.acks]
        other = [seat for seat in item.unacknowledged if seat in item.acks]
        if absent:
            names = self.names(item.place, absent)
            self.gaps.append(
                _("{place} lacks the acknowledgement of {players}").format(
                    place=where, players=names
                )
            )
        if other:
            names = self.names(item.place, other)
            self.gaps.append(
                _(
                    "another history of {place} than this log's was acknowledged by {players}"
                ).format(place=where, players=names)
            )

    def all_faults(self) -> tuple[FaultReport, ...]:
        """Every different fault; the first is the one that a table names."""
        ledger = self.state.ledger
        found: dict[tuple[bytes, Rule], FaultReport] = {}
        for fault in [*self.faults, *ledger.faults, *ledger.broken_chains()]:
            found.setdefault((fault.id, fault.rule), self.report_fault(fault))
        return tuple(sorted(found.values(), key=lambda item: item.fault.rank))

    def report_fault(self, fault: Fault) -> FaultReport:
        """Name the player of a fault; in hand 0 its seat is a place in the roster."""
        drawn = self.state.drawn
        place = fault.seat if not fault.hand or drawn is None else drawn.seats[fault.seat]
        player = self.player(place)
        return FaultReport(fault, player, fault.sentence(player.nick))

    def verdict(self, faults: tuple[FaultReport, ...]) -> Verdict:
        """Return the gravest of what was found."""
        found: set[Verdict] = set()
        if faults:
            found.add(Verdict.FAULT)
        if self.damage:
            found.add(Verdict.UNREADABLE)
        if self.gaps:
            found.add(Verdict.INCOMPLETE)
        return gravest(found)

    def summary(
        self, verdict: Verdict, faults: tuple[FaultReport, ...], hands: int
    ) -> tuple[str, ...]:
        """Say it for people, the verdict first."""
        counts = self.counts
        if verdict is Verdict.CLEAN:
            return (
                ngettext(
                    "Clean: the whole match, {n} hand, was verified from the draw for seats to "
                    "the last score.",
                    "Clean: the whole match, {n} hands, was verified from the draw for seats to "
                    "the last score.",
                    hands,
                ).format(n=hands),
                _(
                    "All {signatures} signatures, {shuffles} shuffles and {plays} plays with "
                    "{proofs} proofs of legality hold, and {again} messages were made again from "
                    "the revealed secrets, byte for byte."
                ).format(
                    signatures=counts["signatures"],
                    shuffles=counts["shuffle proofs"],
                    plays=counts["plays"],
                    proofs=counts["class proofs"],
                    again=counts["messages made again"],
                ),
            )
        if verdict is Verdict.FAULT:
            return (
                _("Fault: the log proves that a rule was broken."),
                *(item.sentence for item in faults),
            )
        if verdict is Verdict.UNREADABLE:
            first = _(
                "Unreadable: the log was damaged or altered, so it proves nothing as a whole."
            )
            return (first, *_sentences(self.damage))
        first = ngettext(
            "Incomplete: what is there is consistent ({n} hand to the end), but it is not a whole "
            "match.",
            "Incomplete: what is there is consistent ({n} hands to the end), but it is not a whole "
            "match.",
            hands,
        ).format(n=hands)
        return (first, *_sentences(self.gaps))

    # Names.

    def players(self) -> tuple[PlayerReport, ...]:
        """All players, by seat; before the draw in the order of the roster."""
        if self.state.roster is None:
            return ()
        drawn = self.state.drawn
        places = range(len(self.state.roster.entries))
        return tuple(self.player(place) for place in (places if drawn is None else drawn.seats))

    def player(self, place: int) -> PlayerReport:
        """The player at a place of the roster."""
        drawn, entry = self.state.drawn, self.state.sealed_roster.entries[place]
        seat = None if drawn is None else drawn.seats.index(place)
        return PlayerReport(seat, printable(entry.nick), entry.identity)

    def name(self, author: bytes) -> str:
        """The name of an author who sits at this table."""
        identities = [entry.identity for entry in self.state.sealed_roster.entries]
        return self.player(identities.index(author)).nick

    def names(self, place: Place, seats: list[int] | tuple[int, ...]) -> str:
        """The names of seats of a round."""
        drawn = self.state.drawn
        places = seats if drawn is None or not place.hand else [drawn.seats[seat] for seat in seats]
        return listed([self.player(at).nick for at in places])


def _sentences(reasons: list[str]) -> tuple[str, ...]:
    return tuple(f"{reason[:1].upper()}{reason[1:]}." for reason in shortened(reasons))


def _totals(match: Match | None, scores: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    if match is None:
        return ()
    return tuple(sum(hand[seat] for hand in scores) for seat in range(match.rules.seats))
