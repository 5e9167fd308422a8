"""Play one match at HOST:PORT#CODE and tell as JSON how it went; log and secrets go to a folder."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from protocol import verify
from protocol.verify import Play, Rules
from tests.protocol.second.hand import Hand
from tests.protocol.second.history import History, store
from tests.protocol.second.links import GaveUpError, Keys, Links, link_up, sit_down


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
    places = range(history.seats)
    commitment = verify.nonce_commitment(roster.hash, history.me, nonce)
    sat = history.round(0, 0, places, lambda: ("sit", {"commitment": commitment}), ["sit"])
    drew = history.round(0, 1, places, lambda: ("draw", {"nonce": nonce}), ["draw"])
    nonces = [drew[place][1]["nonce"] for place in places]
    for place in places:
        committed = verify.nonce_commitment(roster.hash, place, nonces[place])
        if committed != sat[place][1]["commitment"]:
            raise GaveUpError(f"place {place}: commitment")
    drawn = verify.draw(roster.hash, roster.rules.hash, nonces)
    history.drawn(drawn.table, drawn.seats)
    return drawn


def match(history: History, folder: Path) -> dict[str, object]:
    drawn = draw(history, folder / "nonce")
    rules = history.roster.opened.rules
    scores: list[list[int]] = []
    while not verify.match_over(rules, scores):
        number = len(scores) + 1
        hand = Hand(history, rules, number, (drawn.dealer + number - 1) % rules.seats)
        secret = folder / "z"
        hand.keys(secret)
        hand.shuffles()
        hand.escrows()
        hand.deal()
        hand.passes(highest)
        hand.open_play()
        hand.plays(lowest_legal)
        scores.append(hand.reveals(scores))
        secret.unlink()
    history.end()
    return {"phrase": verify.phrase(drawn.table), "seat": history.me, "scores": scores}


def main(address: str, folder: Path) -> None:
    links = Links(Keys(), "127.0.0.1")
    roster = sit_down(links, address, "Second")
    link_up(links, roster)
    history = History(links, roster, folder / "second.hearts")
    told = match(history, folder)
    links.close()
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
