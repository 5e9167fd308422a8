"""The audit and ``protocol/verify.py``, written apart, agree on whatever is done to a log."""

from __future__ import annotations

from random import Random

import pytest

from p2p_hearts.wire.messages import Kind
from tests.protocol.mutations import Source, mutate
from tests.protocol.opinion import assert_agrees
from tests.record.games import audit_bytes, honest_game, long_game
from tests.record.maker import Game
from tools.vectors import match
from tools.vectors.messages import identity

SAMPLE = 40
DEEP = 4000


def source_of(game: Game) -> Source:
    signers = {player.identity.public: player.identity for player in game.players}
    return Source(game.records(), signers)


def assert_agreement(source: Source, seeds: range) -> set[str]:
    verdicts = set()
    for seed in seeds:
        what, log = mutate(source, Random(seed))
        found = audit_bytes(log)
        assert_agrees(found, [log], (seed, what))
        verdicts.add(str(found.verdict))
    return verdicts


def test_agreement__of_program_and_verifier_on_a_whole_log() -> None:
    log = honest_game().log()
    found = audit_bytes(log)
    assert found.verdict == "clean"
    assert_agrees(found, [log])


def test_agreement__of_program_and_verifier_on_changed_logs() -> None:
    assert assert_agreement(source_of(honest_game()), range(SAMPLE)) == {
        "clean",
        "fault",
        "unreadable",
        "incomplete",
    }


@pytest.mark.deep
@pytest.mark.parametrize("part", range(8))
def test_agreement__of_program_and_verifier_on_thousands_of_changed_logs(part: int) -> None:
    size = DEEP // 8
    assert_agreement(
        source_of(honest_game()), range(SAMPLE + part * size, SAMPLE + (part + 1) * size)
    )


@pytest.mark.deep
@pytest.mark.parametrize(("seats", "leaves_in"), [(4, Kind.SHARES), (3, Kind.SHUFFLE)])
def test_agreement__on_changed_logs_of_matches_that_lose_a_player(
    seats: int, leaves_in: Kind
) -> None:
    game = match.play_match(seats, True, leaves_in)
    players = [identity(place) for place in range(seats)]
    source = Source(game.records(), {player.public: player for player in players})
    assert_agreement(source, range(DEEP // 8))


@pytest.mark.deep
def test_agreement__of_program_and_verifier_on_changed_logs_of_two_hands() -> None:
    assert_agreement(source_of(long_game()), range(DEEP // 8))
