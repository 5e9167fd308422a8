"""Play one match at HOST:PORT#CODE and tell as JSON how it went; log and secrets go to a folder."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from protocol import verify
from protocol.verify import Play, Rules
from tests.protocol.second.contents import store
from tests.protocol.second.dealing import AnewError
from tests.protocol.second.hand import Hand
from tests.protocol.second.history import History, MovedOnError
from tests.protocol.second.links import GaveUpError, Guest, Keys, Links, link_up, sit_down


def highest(faces: Sequence[int], count: int) -> list[int]:
    """Positions of the highest ranks, to pass."""
    order = sorted(range(len(faces)), key=lambda at: verify.rank(faces[at]))
    return sorted(order[-count:])


def lowest_legal(rules: Rules, play: Play, faces: Sequence[int]) -> int:
    return min(verify.legal(rules, set(faces), play.now), key=verify.rank)


def draw(history: History, path: Path) -> verify.Drawn:
    """8.3: seats and dealer, from a nonce of everybody."""
    roster = history.roster.opened
    nonce = secrets.token_bytes(32)
    store(path, nonce)
    places, formation = range(history.seats), roster.formation
    commitment = verify.nonce_commitment(roster.hash, history.me, nonce)
    sit, show = ("sit", {"commitment": commitment}), ("draw", {"nonce": nonce})
    sat, _ = history.round((0, formation, 0), places, places, lambda: sit, ["sit"])
    drew, _ = history.round((0, formation, 1), places, places, lambda: show, ["draw"])
    nonces = [drew[place][1]["nonce"] for place in places]
    for place in places:
        committed = verify.nonce_commitment(roster.hash, place, nonces[place])
        if committed != sat[place][1]["commitment"]:
            raise GaveUpError(f"place {place}: commitment")
    drawn = verify.draw(roster.hash, roster.rules.hash, nonces)
    history.drawn(drawn.table, drawn.seats)
    return drawn


def deal(hand: Hand, folder: Path) -> None:
    hand.keys(folder / f"z-{hand.number}-{hand.attempt}")
    hand.shuffles()
    hand.escrows()
    hand.deal()


def match(history: History, folder: Path) -> dict[str, object]:
    drawn = draw(history, folder / f"nonce-{history.roster.opened.formation}")
    rules = history.roster.opened.rules
    scores: list[list[int]] = []
    missed: int | None = None
    while not verify.match_over(rules, scores):
        number = len(scores) + 1
        dealer = (drawn.dealer + number - 1) % rules.seats
        hand = Hand(history, rules, number, dealer)
        try:
            deal(hand, folder)
        except AnewError as gone:
            hand = Hand(history, rules, number, dealer, keyless=gone.seat)
            deal(hand, folder)
        hand.passes(highest)
        hand.open_play()
        hand.plays(lowest_legal)
        scores.append(hand.reveals(scores))
        missed = hand.dummy if hand.dummy is not None else missed
    for path in folder.glob("z-*"):
        path.unlink()
    history.end()
    return {
        "phrase": verify.phrase(drawn.table),
        "seat": history.me,
        "missed": missed,
        "scores": scores,
    }


def main(address: str, folder: Path) -> None:
    links = Links(Keys(), "127.0.0.1")
    guest = Guest(links, address, "Second")
    roster = sit_down(links, guest)
    while True:
        link_up(links, roster)
        log = folder / f"{roster.opened.formation}.hearts"
        try:
            told = match(History(links, guest, roster, log), folder)
        except MovedOnError as moved:
            roster = moved.roster
            continue
        links.close()
        print(json.dumps({**told, "log": str(log)}))
        return


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
