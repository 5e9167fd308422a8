"""A hand until it is played: keys, shuffles, escrow, shares, pass (4.1 to 4.5, 7.3, 7.5)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from protocol import verify
from protocol.verify import Own, Rules, Value
from tests.protocol.second.contents import store
from tests.protocol.second.history import History
from tests.protocol.second.links import GaveUpError

OFFSETS = {3: (1, 2, 0), 4: (1, 3, 2, 0), 5: (1, 4, 2, 3, 0), 6: (1, 5, 2, 4, 3, 0)}
BEFORE_CARDS = ("key", "shuffle", "escrow", "seals")
"""Rounds after which a hand begins anew without a seat that is missing (7.1)."""
Bodies = dict[int, Mapping[str, Any]]
Remake = Callable[[Own], tuple[bytes, ...]]


def by(make: Callable[..., tuple[bytes, ...]], *given: object) -> Remake:
    """How derived bytes are made, for whoever has the secret of a hand."""
    return lambda own: make(own, *given)


class AnewError(Exception):
    """The hand begins anew without this seat, before anybody has seen a card (7.1)."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"without seat {seat}")
        self.seat = seat


class Dealing:
    """What is known of one hand, from the own seat.

    Ciphertexts are 64 bytes, deck positions and positions in a hand count from 0; `hands` are by
    seat the ciphertexts of a hand as it lies now, `played` the positions that are gone from it.
    """

    def __init__(
        self,
        history: History,
        rules: Rules,
        number: int,
        dealer: int,
        keyless: int | None = None,
    ) -> None:
        """With a seat that is `keyless` this is the second attempt at the hand."""
        self.history, self.rules, self.number, self.dealer = history, rules, number, dealer
        self.attempt = 1 if keyless is None else 2
        self.me, self.seats = history.me, range(rules.seats)
        self.next_round = 0
        self.z = secrets.token_bytes(32)
        self.said: list[tuple[verify.Place, Remake, tuple[bytes, ...]]] = []
        """What was derived from each seat's secret, and how it is made again (V40)."""
        self.keyless = keyless
        self.away: int | None = None
        self.known: dict[bytes, int] = {}
        """Faces of the ciphertexts of a dummy that lie open."""
        self.played: list[set[int]] = [set() for _ in self.seats]

    @property
    def dummy(self) -> int | None:
        return self.keyless if self.keyless is not None else self.away

    @property
    def here(self) -> list[int]:
        """The seats that take part."""
        return [seat for seat in self.seats if seat != self.dummy]

    def table_keys(self, owner: int) -> verify.Keys:
        """The recipients of a seat's escrow, with their table keys (7.3)."""
        entries = self.history.roster.opened.entries
        others = (seat for seat in self.seats if seat != owner)
        return tuple((seat, entries[self.history.places[seat]].table_key) for seat in others)

    def place(self, seat: int) -> verify.Place:
        """Where a content of the round that comes next, or is being judged, stands."""
        return verify.Place(
            self.history.table, self.rules.hash, self.number, self.attempt, self.next_round, seat
        )

    def own(self) -> Own:
        return Own(self.z, self.place(self.me))

    def round(
        self, kind: str, make: Callable[[], Value], speakers: Sequence[int] | None = None
    ) -> Bodies:
        """A round that takes one kind: the bodies by seat. It is not over yet for `place`."""
        said = self.speeches([kind], lambda: (kind, make()), speakers)
        return {seat: body for seat, (_, body) in sorted(said.items())}

    def speeches(
        self,
        kinds: Sequence[str],
        make: Callable[[], tuple[str, Value]],
        speakers: Sequence[int] | None = None,
    ) -> dict[int, tuple[str, Mapping[str, Any]]]:
        """A round: kind and body by seat; a seat that it was closed without is missing (7.1)."""
        place, here = (self.number, self.attempt, self.next_round), self.here
        speakers = here if speakers is None else speakers
        said, absent = self.history.round(place, here, speakers, make, kinds)
        if absent is not None and kinds[0] not in ("choice", "reveal"):
            if self.dummy is not None:
                raise GaveUpError("two seats are missing")
            if kinds[0] in BEFORE_CARDS:
                raise AnewError(absent)
            self.away = absent
        return said

    def judged(self, seat: int, flaw: str, remake: Remake, *said: bytes) -> None:
        """A speech was checked; remember how its derived bytes are made again from z."""
        self.refuse(seat, flaw)
        self.said.append((self.place(seat), remake, said))

    def refuse(self, seat: int, flaw: str) -> None:
        if flaw:
            raise GaveUpError(f"seat {seat} broke a rule in round {self.next_round}: {flaw}")

    # Dealing.

    def keys(self, path: Path) -> None:
        """4, key. z is on stable storage before anything of the hand is sent."""
        store(path, self.z)
        names = ("commitment", "public", "proof")
        said = self.round("key", lambda: dict(zip(names, verify.make_key(self.own()), strict=True)))
        for seat, body in said.items():
            parts = tuple(body[name] for name in names)
            self.judged(seat, verify.check_key(self.place(seat), *parts), verify.make_key, *parts)
        self.commitments = {seat: body["commitment"] for seat, body in said.items()}
        self.publics: dict[int, bytes] = {seat: body["public"] for seat, body in said.items()}
        self.next_round += 1

    def shuffles(self) -> None:
        """4.1 and 4.2: the dealer first, then clockwise."""
        joint = verify.joint_key(list(self.publics.values()))
        self.deck = verify.first_deck(self.rules, joint)
        for turn in self.seats:
            seat = (self.dealer + turn) % len(self.seats)
            if seat != self.keyless:
                self.deck = self.mixed("shuffle", {seat: joint}, {seat: self.deck})[seat]

    def mixed(
        self, kind: str, keys: Mapping[int, bytes], before: Mapping[int, bytes]
    ) -> dict[int, bytes]:
        """A shuffle, or the re-masks of all: what the cards of each speaker have become."""

        def make() -> Value:
            deck, proof = verify.make_mix(self.own(), kind, keys[self.me], before[self.me])
            return {"deck": deck, "proof": proof}

        said = self.round(kind, make, sorted(keys))
        for seat, body in said.items():
            given = kind, keys[seat], before[seat]
            parts = body["deck"], body["proof"]
            flaw = verify.check_mix(self.place(seat), *given, *parts)
            self.judged(seat, flaw, by(verify.make_mix, *given), *parts)
        self.next_round += 1
        return {seat: body["deck"] for seat, body in said.items()}

    def escrows(self) -> None:
        """7.3: every key is split among the others, who look whether they got their part."""
        self.escrow: dict[int, verify.Escrow] = {}
        self.y: dict[int, int] = {}
        if self.keyless is not None:
            return

        def make() -> Value:
            publics, seals = verify.make_escrow(self.own(), self.table_keys(self.me))
            return {"publics": publics, "seals": seals}

        said = self.round("escrow", make)
        instance = self.history.roster.instance
        t = verify.table_secret(self.history.keys.table_secret, b"t", instance)
        for seat, body in said.items():
            keys, parts = self.table_keys(seat), (body["publics"], body["seals"])
            flaw = verify.check_escrow(self.place(seat), self.publics[seat], keys, *parts)
            self.judged(seat, flaw, by(verify.make_escrow, keys), *parts)
            self.escrow[seat] = escrow = verify.Escrow(self.place(seat), keys, *parts)
            if seat != self.me:
                e, _ = escrow.seal(self.me)
                y = escrow.opens(self.me, verify.dot([(t, verify.element(e))]))
                if y is None:
                    raise GaveUpError(f"seat {seat} sealed something else: seal")
                self.y[seat] = y
        self.next_round += 1
        complaints = self.round("seals", lambda: {"complaints": []})
        if any(body["complaints"] for body in complaints.values()):
            raise GaveUpError("a seat complains of a seal")
        self.next_round += 1

    def deal(self) -> None:
        """4.3: every seat opens the cards of the others for them."""
        dealt, self.widow = verify.dealt(self.rules, self.dealer)
        owed = [
            tuple(sorted(at for other in self.seats if other != seat for at in dealt[other]))
            for seat in self.seats
        ]
        given = self.shared("shares", owed)

        def cards(owner: int) -> list[bytes]:
            givers = [seat for seat in given if seat != owner]
            return [
                verify.opened(self.card(at), tuple(given[seat][at] for seat in givers))
                for at in dealt[owner]
            ]

        self.hands = [[] if seat != self.away else cards(seat) for seat in self.seats]
        if self.away is not None:
            shares, _ = self.openings([self.card(at) for at in owed[self.away]])
            given[self.away] = dict(zip(owed[self.away], shares, strict=True))
        self.hands = [cards(seat) for seat in self.seats]
        if self.keyless is not None:
            for card in self.hands[self.keyless]:
                self.known[card] = self.rules.faces[card[32:]]

    def card(self, at: int) -> bytes:
        """The ciphertext at a position of the deck."""
        return self.deck[64 * at : 64 * at + 64]

    def rest(self, seat: int, without: int = -1) -> tuple[bytes, ...]:
        """The ciphertexts of a hand that were not played, positions ascending."""
        gone = self.played[seat] | {without}
        return tuple(card for at, card in enumerate(self.hands[seat]) if at not in gone)

    def openings(
        self, owed: Sequence[bytes] = (), widow: Sequence[bytes] = ()
    ) -> tuple[list[bytes], list[bytes]]:
        """7.5: read the cards of a seat that is away, where some are unread or it owes shares.

        What it would have given for the ciphertexts that it owes shares for, and for the widow's.
        """
        away = self.away
        if away is None:
            return [], []
        unread = [card for card in self.rest(away) if card not in self.known]
        cards = (*owed, *unread, *widow)
        if not cards:
            return [], []

        def make() -> Value:
            points, proof = verify.make_opening(self.own(), away, self.y[away], cards)
            return {"points": points, "proof": proof}

        columns: list[list[verify.Point]] = [[] for _ in cards]
        for seat, body in self.round("openings", make).items():
            parts, share = (body["points"], body["proof"]), self.escrow[away].share(seat)
            self.refuse(seat, verify.check_opening(self.place(seat), away, share, cards, *parts))
            for column, point in zip(columns, verify.elements(parts[0], len(cards)), strict=True):
                column.append(point)
        self.next_round += 1
        sums = [verify.encoded(verify.total_of(column)) for column in columns]
        for card, mask in list(zip(cards, sums, strict=True))[len(owed) : len(owed) + len(unread)]:
            self.known[card] = self.rules.faces[verify.opened(card, (mask,))[32:]]
        return sums[: len(owed)], sums[len(owed) + len(unread) :]

    def shared(self, kind: str, owed: Sequence[tuple[int, ...]]) -> dict[int, dict[int, bytes]]:
        """Decryption shares of each seat, by deck position, of the positions that it owes."""

        def make() -> Value:
            shares, proof = verify.make_shares(self.own(), self.deck, owed[self.me])
            return {"shares": shares, "proof": proof}

        said = self.round(kind, make)
        given: dict[int, dict[int, bytes]] = {}
        for seat, body in said.items():
            due, parts = owed[seat], (body["shares"], body["proof"])
            flaw = verify.check_shares(self.place(seat), self.publics[seat], self.deck, due, *parts)
            self.judged(seat, flaw, by(verify.make_shares, self.deck, due), *parts)
            given[seat] = dict(zip(due, verify.pieces(parts[0], len(due)), strict=True))
        self.next_round += 1
        return given

    def faces(self, x: int, cards: Sequence[bytes]) -> tuple[int, ...]:
        return tuple(verify.decrypted(self.rules, x, card) for card in cards)

    # Passing.

    def passes(self, choose: Callable[[Sequence[int], int], list[int]]) -> None:
        """4.4 and 4.5, if this hand has a pass."""
        offsets = OFFSETS.get(len(self.seats), (0,))
        offset, count = offsets[(self.number - 1) % len(offsets)], self.rules["pass_count"]
        if not count or not offset or self.keyless is not None:
            return
        chosen = self.round(
            "pass_select",
            lambda: {"positions": choose(self.faces(self.own().x(), self.hands[self.me]), count)},
        )
        size = self.rules.hand_size
        for seat, body in chosen.items():
            self.refuse(seat, verify.check_selection(body["positions"], count, size))
        self.next_round += 1
        self.openings()
        goes = {seat: tuple(body["positions"]) for seat, body in chosen.items()}
        if self.away is not None and self.away not in goes:
            faces = [self.known[card] for card in self.hands[self.away]]
            goes[self.away] = tuple(verify.dummy_pass(self.rules, faces))
        passed = self.passed_on(offset, goes)
        for seat in self.seats:
            kept = [card for at, card in enumerate(self.hands[seat]) if at not in goes[seat]]
            self.hands[seat] = [*kept, *passed[(seat - offset) % len(self.seats)]]
        before = {seat: b"".join(self.hands[seat]) for seat in self.here}
        keys = {seat: self.publics[seat] for seat in self.here}
        for seat, after in self.mixed("remask", keys, before).items():
            self.hands[seat] = verify.pieces(after, size, 64)
        self.openings()

    def passed_on(self, offset: int, goes: Mapping[int, tuple[int, ...]]) -> list[list[bytes]]:
        """The round `pass`: the cards that each seat has given away."""
        sources = [b"".join(self.hands[seat][at] for at in goes[seat]) for seat in self.seats]
        receivers = [self.publics[(seat + offset) % len(self.seats)] for seat in self.seats]
        given = [(goes[seat], sources[seat], receivers[seat]) for seat in self.seats]

        def make() -> Value:
            cards, proof = verify.make_pass(self.own(), *given[self.me])
            return {"cards": cards, "proof": proof}

        said = self.round("pass", make)
        for seat, body in said.items():
            parts = body["cards"], body["proof"]
            flaw = verify.check_pass(
                self.place(seat), self.publics[seat], receivers[seat], sources[seat], *parts
            )
            self.judged(seat, flaw, by(verify.make_pass, *given[seat]), *parts)
        self.next_round += 1
        self.openings()
        passed = {
            seat: verify.pieces(body["cards"], len(goes[seat]), 64) for seat, body in said.items()
        }
        if self.away is not None and self.away not in passed:
            away, receiver = self.away, verify.element(receivers[self.away])
            faces = [self.known[self.hands[away][at]] for at in goes[away]]
            passed[away] = [
                verify.G_BYTES + verify.encoded(verify.plus(self.rules.points[face], receiver))
                for face in faces
            ]
        return [passed[seat] for seat in self.seats]
