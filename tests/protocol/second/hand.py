"""A hand that is played, and its end (4.6 to 4.8, 5, 7.6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protocol import verify
from protocol.verify import Own, Play, Rules, Value
from tests.protocol.second.dealing import Dealing, by


class Hand(Dealing):
    """A hand whose cards are dealt and passed."""

    # Playing.

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
        self.openings()
        if self.dummy is not None:
            faces = [self.known[card] for card in self.hands[self.dummy]]
            if opening in faces:
                self.play = Play(self.rules, self.dummy)
                self.play.play(opening)
                self.played[self.dummy].add(faces.index(opening))

    def play_dummy(self, seat: int) -> None:
        """7.6: a card of a dummy, whose cards lie open."""
        held = {
            at: self.known[card]
            for at, card in enumerate(self.hands[seat])
            if at not in self.played[seat]
        }
        face = verify.dummy_card(self.play, list(held.values()))
        self.played[seat].add(min(at for at, other in held.items() if other == face))
        self.play.play(face)

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
            if seat == self.dummy:
                self.play_dummy(seat)
                continue
            said = self.speeches(["play", "claim"], make, [seat])
            if seat in said:
                kind, body = said[seat]
                if kind == "play":
                    at, face = body["position"], body["card"]
                    claim = verify.claim_of(self.rules, face, self.play.now)
                    self.see(seat, at, face, self.rest(seat, at), claim, body["proof"])
                else:
                    self.claimed(seat, tuple(body["cards"]), body["proof"])
            self.next_round += 1
            self.openings()

    def claimed(self, seat: int, faces: tuple[int, ...], proof: bytes) -> None:
        """4.8: a claim of the rest ends the play, if it stands (5.4)."""
        given = self.publics[seat], self.rules, self.rest(seat), faces
        flaw = verify.check_claim(self.place(seat), *given, proof)
        self.judged(seat, flaw, by(verify.make_claim, *given), proof)
        self.refuse(seat, "" if self.play.claim_stands(seat, faces) else "claim")
        self.play.take_rest(seat)

    def open_widow(self) -> None:
        """4.6: all shares together open each of its cards."""
        given = self.shared("widow", [tuple(self.widow) for _ in self.seats])
        cards = [self.card(at) for at in self.widow]
        masks = [tuple(given[seat][at] for seat in given) for at in self.widow]
        if self.away is not None:
            _, owed = self.openings(widow=cards)
            masks = [(*mask, more) for mask, more in zip(masks, owed, strict=True)]
        opened = map(verify.opened, cards, masks)
        self.play.open_widow([self.rules.faces[card[32:]] for card in opened])

    # The end.

    def reveals(self, before: Sequence[Sequence[int]]) -> list[int]:
        """The scores, after the choice of a shooter if one is due; and every secret (4.7)."""
        choice = ""
        shooter = verify.moon_shooter(self.rules, self.play.taken)
        if self.rules["moon"] == "choice" and shooter is not None:
            choice = "others-add"
            if shooter != self.dummy:
                chosen = self.round("choice", lambda: {"moon": "others-add"}, [shooter])
                choice = chosen[shooter]["moon"] if chosen else choice
                self.next_round += 1
        said = self.round("reveal", lambda: {"secret": self.z, "evidence": []})
        for seat, body in said.items():
            commitment = Own(body["secret"], self.place(seat)).commitment()
            self.refuse(seat, "" if commitment == self.commitments[seat] else "reveal-commitment")
        for place, remake, parts in self.said:
            shown = said.get(place.seat)
            if shown is not None and remake(Own(shown["secret"], place)) != parts:
                self.refuse(place.seat, "reveal-rerun")
        return verify.scored(self.rules, self.play.taken, before, choice)
