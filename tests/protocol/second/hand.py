"""One hand, round by round (section 4), with all seats at the table."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from protocol import verify
from protocol.verify import Own, Play, Rules, Value
from tests.protocol.second.history import History, store
from tests.protocol.second.links import GaveUpError

OFFSETS = {3: (1, 2, 0), 4: (1, 3, 2, 0), 5: (1, 4, 2, 3, 0), 6: (1, 5, 2, 4, 3, 0)}
Bodies = dict[int, Mapping[str, Any]]
Remake = Callable[[Own], tuple[bytes, ...]]


def by(make: Callable[..., tuple[bytes, ...]], *given: object) -> Remake:
    """How derived bytes are made, for whoever has the secret of a hand."""
    return lambda own: make(own, *given)


class Hand:
    """What is known of one hand, from the own seat.

    Ciphertexts are 64 bytes, deck positions and positions in a hand count from 0; `hands` are by
    seat the ciphertexts of a hand as it lies now, `played` the positions that are gone from it.
    """

    def __init__(self, history: History, rules: Rules, number: int, dealer: int) -> None:
        self.history, self.rules, self.number, self.dealer = history, rules, number, dealer
        self.me, self.seats = history.me, range(rules.seats)
        self.next_round = 0
        self.z = secrets.token_bytes(32)
        self.said: list[tuple[verify.Place, Remake, tuple[bytes, ...]]] = []
        """What was derived from each seat's secret, and how it is made again (V40)."""

    def table_keys(self, owner: int) -> verify.Keys:
        """The recipients of a seat's escrow, with their table keys (7.3)."""
        entries = self.history.roster.opened.entries
        others = (seat for seat in self.seats if seat != owner)
        return tuple((seat, entries[self.history.places[seat]].table_key) for seat in others)

    def place(self, seat: int) -> verify.Place:
        """Where a content of the round that comes next, or is being judged, stands."""
        return verify.Place(
            self.history.table, self.rules.hash, self.number, 1, self.next_round, seat
        )

    def own(self) -> Own:
        return Own(self.z, self.place(self.me))

    def round(
        self, kind: str, make: Callable[[], Value], speakers: Sequence[int] | None = None
    ) -> Bodies:
        """A round that takes one kind: the bodies by seat. It is not over yet for `place`."""
        speakers = self.seats if speakers is None else speakers
        said = self.history.round(
            self.number, self.next_round, speakers, lambda: (kind, make()), [kind]
        )
        return {seat: body for seat, (_, body) in sorted(said.items())}

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
        self.commitments = [body["commitment"] for body in said.values()]
        self.publics: list[bytes] = [body["public"] for body in said.values()]
        self.next_round += 1

    def shuffles(self) -> None:
        """4.1 and 4.2: the dealer first, then clockwise."""
        joint = verify.joint_key(self.publics)
        self.deck = verify.first_deck(self.rules, joint)
        for turn in self.seats:
            seat = (self.dealer + turn) % len(self.seats)
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
            escrow = verify.Escrow(self.place(seat), keys, *parts)
            if seat != self.me:
                e, _ = escrow.seal(self.me)
                if escrow.opens(self.me, verify.dot([(t, verify.element(e))])) is None:
                    raise GaveUpError(f"seat {seat} sealed something else: seal")
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
        shares = self.shared("shares", owed)
        self.hands = [
            [
                verify.opened(
                    self.deck[64 * at : 64 * at + 64],
                    tuple(shares[other][at] for other in self.seats if other != seat),
                )
                for at in dealt[seat]
            ]
            for seat in self.seats
        ]

    def shared(self, kind: str, owed: Sequence[tuple[int, ...]]) -> list[dict[int, bytes]]:
        """Decryption shares of each seat, by deck position, of the positions that it owes."""

        def make() -> Value:
            shares, proof = verify.make_shares(self.own(), self.deck, owed[self.me])
            return {"shares": shares, "proof": proof}

        said = self.round(kind, make)
        given: list[dict[int, bytes]] = []
        for seat, body in said.items():
            due, parts = owed[seat], (body["shares"], body["proof"])
            flaw = verify.check_shares(self.place(seat), self.publics[seat], self.deck, due, *parts)
            self.judged(seat, flaw, by(verify.make_shares, self.deck, due), *parts)
            given.append(dict(zip(due, verify.pieces(parts[0], len(due)), strict=True)))
        self.next_round += 1
        return given

    def faces(self, x: int, cards: Sequence[bytes]) -> tuple[int, ...]:
        return tuple(verify.decrypted(self.rules, x, card) for card in cards)

    # Passing.

    def passes(self, choose: Callable[[Sequence[int], int], list[int]]) -> None:
        """4.4 and 4.5, if this hand has a pass."""
        offsets = OFFSETS.get(len(self.seats), (0,))
        offset, count = offsets[(self.number - 1) % len(offsets)], self.rules["pass_count"]
        if not count or not offset:
            return
        chosen = self.round(
            "pass_select",
            lambda: {"positions": choose(self.faces(self.own().x(), self.hands[self.me]), count)},
        )
        size = self.rules.hand_size
        for seat, body in chosen.items():
            self.refuse(seat, verify.check_selection(body["positions"], count, size))
        self.next_round += 1
        goes = [tuple(body["positions"]) for body in chosen.values()]
        passed = self.passed_on(offset, goes)
        before = {}
        for seat in self.seats:
            kept = [card for at, card in enumerate(self.hands[seat]) if at not in goes[seat]]
            came = passed[(seat - offset) % len(self.seats)]
            before[seat] = b"".join([*kept, *came])
        after = self.mixed("remask", dict(enumerate(self.publics)), before)
        self.hands = [verify.pieces(after[seat], size, 64) for seat in self.seats]

    def passed_on(self, offset: int, goes: Sequence[tuple[int, ...]]) -> list[list[bytes]]:
        """The round `pass`: the cards that each seat has given away."""
        sources = [b"".join(self.hands[seat][at] for at in goes[seat]) for seat in self.seats]
        receivers = [self.publics[(seat + offset) % len(self.seats)] for seat in self.seats]
        given = list(zip(goes, sources, receivers, strict=True))

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
        return [verify.pieces(body["cards"], len(goes[0]), 64) for body in said.values()]

    # Playing.

    def rest(self, seat: int, without: int = -1) -> tuple[bytes, ...]:
        """The ciphertexts of a hand that were not played, positions ascending."""
        gone = self.played[seat] | {without}
        return tuple(card for at, card in enumerate(self.hands[seat]) if at not in gone)

    def shown(
        self, own: Own, seat: int, at: int, face: int, rest: tuple[bytes, ...], claim: int | None
    ) -> tuple[bytes, ...]:
        """The proof of a play."""
        given = self.publics[seat], self.rules, self.hands[seat][at], face, rest
        return verify.make_play(own, *given, self.faces(own.x(), rest), claim)

    def hidden(self, own: Own, seat: int) -> tuple[bytes, ...]:
        """The proof that the opening card is not in a hand."""
        hand = tuple(self.hands[seat])
        faces = self.faces(own.x(), hand)
        return verify.make_no_opening(own, self.publics[seat], self.rules, hand, faces)

    def see(
        self,
        seat: int,
        at: int,
        face: int,
        rest: tuple[bytes, ...],
        claim: int | None,
        proof: bytes,
    ) -> None:
        """A card is shown (V27 to V29, V31 to V37)."""
        in_hand = at < len(self.hands[seat]) and at not in self.played[seat]
        self.refuse(seat, "" if in_hand else "position")
        self.refuse(seat, "" if self.play.left[face] else "card-unknown")
        given = self.publics[seat], self.rules, self.hands[seat][at], face, rest, claim
        flaw = verify.check_play(self.place(seat), *given, proof)
        self.judged(seat, flaw, by(self.shown, seat, at, face, rest, claim), proof)
        self.play.play(face)
        self.played[seat].add(at)

    def open_play(self) -> None:
        """4.6: who holds the opening card shows it, all others that they have not got it."""
        self.played: list[set[int]] = [set() for _ in self.seats]
        self.play = Play(self.rules, (self.dealer + 1) % len(self.seats))
        opening = self.rules.opening
        if opening is None:
            return

        def make() -> Value:
            faces = self.faces(self.own().x(), self.hands[self.me])
            if opening not in faces:
                return {"position": None, "proof": self.hidden(self.own(), self.me)[0]}
            at = faces.index(opening)
            (proof,) = self.shown(self.own(), self.me, at, opening, (), None)
            return {"position": at, "proof": proof}

        for seat, body in self.round("open", make).items():
            at, proof = body["position"], body["proof"]
            if at is None:
                given = self.publics[seat], tuple(self.hands[seat])
                flaw = verify.check_no_opening(self.place(seat), *given, proof)
                self.judged(seat, flaw, by(self.hidden, seat), proof)
            else:
                self.play = Play(self.rules, seat)
                self.see(seat, at, opening, (), None, proof)
        self.next_round += 1

    def plays(self, choose: Callable[[Rules, Play, Sequence[int]], int]) -> None:
        """Card after card, until none is left or somebody claims the rest."""

        def make() -> tuple[str, Value]:
            faces = self.faces(self.own().x(), self.hands[self.me])
            left = {face: at for at, face in enumerate(faces) if at not in self.played[self.me]}
            face = choose(self.rules, self.play, list(left))
            at, claim = left[face], verify.claim_of(self.rules, face, self.play.now)
            (proof,) = self.shown(self.own(), self.me, at, face, self.rest(self.me, at), claim)
            return "play", {"position": at, "card": face, "proof": proof}

        while True:
            if self.play.widow_due:
                self.open_widow()
            seat = self.play.turn
            if seat is None:
                return
            said = self.history.round(self.number, self.next_round, [seat], make, ["play", "claim"])
            kind, body = said[seat]
            if kind == "play":
                at, face = body["position"], body["card"]
                claim = verify.claim_of(self.rules, face, self.play.now)
                self.see(seat, at, face, self.rest(seat, at), claim, body["proof"])
            else:
                self.claimed(seat, tuple(body["cards"]), body["proof"])
            self.next_round += 1

    def claimed(self, seat: int, faces: tuple[int, ...], proof: bytes) -> None:
        """4.8: a claim of the rest ends the play, if it stands (5.4)."""
        given = self.publics[seat], self.rules, self.rest(seat), faces
        flaw = verify.check_claim(self.place(seat), *given, proof)
        self.judged(seat, flaw, by(verify.make_claim, *given), proof)
        self.refuse(seat, "" if self.play.claim_stands(seat, faces) else "claim")
        self.play.take_rest(seat)

    def open_widow(self) -> None:
        """4.6: all shares together open each of its cards."""
        shares = self.shared("widow", [tuple(self.widow) for _ in self.seats])
        opened = [
            verify.opened(self.deck[64 * at : 64 * at + 64], tuple(given[at] for given in shares))
            for at in self.widow
        ]
        self.play.open_widow([self.rules.faces[card[32:]] for card in opened])

    # The end.

    def reveals(self, before: Sequence[Sequence[int]]) -> list[int]:
        """The scores, after the choice of a shooter if one is due; and every secret (4.7)."""
        choice = ""
        shooter = verify.moon_shooter(self.rules, self.play.taken)
        if shooter is not None and self.rules["moon"] == "choice":
            choice = self.round("choice", lambda: {"moon": "others-add"}, [shooter])[shooter][
                "moon"
            ]
            self.next_round += 1
        said = self.round("reveal", lambda: {"secret": self.z, "evidence": []})
        for seat, body in said.items():
            commitment = Own(body["secret"], self.place(seat)).commitment()
            self.refuse(seat, "" if commitment == self.commitments[seat] else "reveal-commitment")
        for place, remake, parts in self.said:
            if remake(Own(said[place.seat]["secret"], place)) != parts:
                self.refuse(place.seat, "reveal-rerun")
        return verify.scored(self.rules, self.play.taken, before, choice)
