"""The audit and ``protocol/verify.py``, written apart, agree on whatever is done to a log."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from msgspec import structs

from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.chain import next_head, place_of
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed, open_envelope, seal
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import Ack, Content, Kind, Lost
from protocol import verify
from tests.protocol.files import accepted, vectors
from tests.protocol.mutations import Source, mutate
from tests.protocol.opinion import assert_agrees
from tests.record.games import audit_bytes, honest_game, long_game
from tests.record.maker import Game, write
from tools.vectors import match
from tools.vectors.messages import identity
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import outcome

SAMPLE = 40
FEW = 30
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


def test_agreement__on_what_is_followed_however_few_contents_may_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """V104, also where a round was followed by one content and is closed later by another one."""
    logs = [
        entry["input"]["records"]
        for name in ("follow.json", "follow-draw.json")
        for entry in accepted(name, "follow")
    ]
    verdicts = set()
    for seed in range(FEW):
        random = Random(seed)
        start, roster, *said = ({**record, "times": 1} for record in random.choice(logs))
        for _ in range(random.randrange(1, 12)):
            said.insert(random.randrange(len(said)), said.pop(random.randrange(len(said))))
        limit = random.randrange(1, 9)
        monkeypatch.setattr("p2p_hearts.record.audit.state.MAX_WAITING", limit)
        monkeypatch.setattr("protocol.verify.MAX_WAITING", limit)
        given = {"records": [start, roster, *said]}
        found = outcome(OPERATIONS["follow"], given)
        assert verify.outcome("follow", given) == found, seed
        verdicts.add(str(found[1]["verdict"]))  # type: ignore[index]
    assert verdicts == {"fault", "unreadable", "incomplete"}


def test_agreement__on_how_many_wait_anew_where_a_round_is_closed_later_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """V104: all acknowledge another key than the one on which shuffles, escrows … were followed.

    These wait again, and with the next content that has to wait they may be too many.
    """
    game = match.play_match(3, claims=True, shoots=True)
    key = game.speeches(Kind.KEY)[-1]
    place = place_of(key.content)
    before = game.before(place)
    here = [item for item in game.contents if place_of(item.content) == place]
    said = [item for item in here if item.content.kind == Kind.KEY]
    after = game.contents[len(before) + len(here) :][:40]
    other = open_envelope(match.resigned(game, key.content, last=bytes([7]) * 32))
    stands = [*((item.content.seat, item.hash) for item in said[:-1]), (2, other.hash)]
    body = encode(Ack(next_head(key.content.prev, place, stands)))
    acks = [item for item in here if item.content.kind == Kind.ACK]
    acked = [open_envelope(match.resigned(game, item.content, body=body)) for item in acks]
    contents = (*before, *said, *after, other, *acked, game.contents[-1])
    log = write(replace(game, contents=contents).records())
    first = place_of(after[0].content)
    waiting = sum(place_of(item.content) > first for item in after) + 1
    assert waiting > 20
    told = []
    for limit in (waiting, waiting - 1):
        monkeypatch.setattr("p2p_hearts.record.audit.state.MAX_WAITING", limit)
        monkeypatch.setattr("protocol.verify.MAX_WAITING", limit)
        found = audit_bytes(log)
        assert_agrees(found, [log])
        told.append(
            (
                any("stand before what they build on" in reason for reason in found.damage),
                any("V104" in reason for reason in verify.audit(log).reasons),
            )
        )
    assert told == [(False, False), (True, True)]


def test_agreement__on_a_second_speech_that_what_was_followed_first_had_let_in() -> None:
    """It proves that there are two, and nothing else, whatever was followed when it was read."""
    log = verify.vector_log(vectors("match-absent.json")["accepted"][0]["input"])
    records = [(record.kind, record.data) for record in read_log(log)]
    said = [open_envelope(data) for _, data in records[2:]]
    plays = [(at, item) for at, item in enumerate(said, 2) if item.content.kind == Kind.PLAY]
    (at, played), (after, answer) = next(
        (one, two)
        for one, two in pairwise(reversed(plays))
        if one[1].content.seat != two[1].content.seat
        if abs(one[1].content.round - two[1].content.round) == 1
    )[::-1]
    signers = {identity(place).public: identity(place) for place in range(4)}

    def signed(content: Content, **changes: object) -> Sealed:
        return seal(signers[content.author], structs.replace(content, **changes))

    first = signed(played.content, last=bytes([7]) * 32)
    heard = [(played.content.seat, first.hash)]
    head = next_head(played.content.prev, place_of(played.content), heard)
    second = signed(answer.content, prev=head)
    records[at] = RecordKind.CONTENT, first.data
    records[after + 1 : after + 1] = [
        (RecordKind.CONTENT, second.data),
        (RecordKind.CONTENT, played.data),
    ]
    changed = write(records)
    found = audit_bytes(changed)
    assert_agrees(found, [changed])
    assert [(item.fault.seat, item.fault.rule) for item in found.faults] == [
        (played.content.seat, Rule.TWO_CONTENTS),
        (answer.content.seat, Rule.TWO_CONTENTS),
    ]


def test_agreement__on_what_all_acknowledged_besides_once_the_match_is_over() -> None:
    """All seats lie here: the scores of a hand that was counted stay."""
    game = honest_game()
    source = source_of(game)
    played = next(item for item in game.contents if item.content.kind == Kind.PLAY)
    place = place_of(played.content)

    def signed(content: Content, **changes: object) -> bytes:
        return seal(source.signers[content.author], structs.replace(content, **changes)).data

    other = open_envelope(signed(played.content, kind=Kind.LOST, body=encode(Lost())))
    head = next_head(played.content.prev, place, [(played.content.seat, other.hash)])
    acks = [
        signed(item.content, body=encode(Ack(head)), sequence=9000)
        for item in game.contents
        if item.content.kind == Kind.ACK and place_of(item.content) == place
    ]
    missing = next(
        item
        for item in game.contents
        if item.content.kind == Kind.ACK and place_of(item.content) == place
    )
    records = [item for item in game.records() if item[1] != missing.data]
    records += [(RecordKind.CONTENT, data) for data in (*acks, other.data, missing.data)]
    log = write(records)
    found = audit_bytes(log)
    assert_agrees(found, [log])
    assert found.hands == 1


def test_agreement__on_the_first_of_two_heads_that_all_have_acknowledged() -> None:
    """All seats lie here: what they acknowledged first is followed, wherever the contents lie."""
    game = honest_game()
    source = source_of(game)
    plays = [item for item in game.contents if item.content.kind == Kind.PLAY]
    late, played = plays[7], plays[8]
    place = place_of(played.content)

    def signed(content: Content, **changes: object) -> Sealed:
        return seal(source.signers[content.author], structs.replace(content, **changes))

    astray = signed(played.content, prev=bytes([7]) * 32)
    first = signed(played.content, last=bytes([7]) * 32)
    lost = signed(played.content, kind=Kind.LOST, body=encode(Lost()))
    head = next_head(played.content.prev, place, [(played.content.seat, lost.hash)])
    acks = [
        item
        for item in game.contents
        if item.content.kind == Kind.ACK and place_of(item.content) == place
    ]
    others = [signed(item.content, body=encode(Ack(head)), sequence=9000) for item in acks]
    said = [astray, first, lost, played, *acks, *others, late]
    data = {item.data for item in said}
    records = game.records()
    at = next(number for number, item in enumerate(records) if item[1] == late.data)
    kept = [item for item in records if item[1] not in data]
    kept[at:at] = [(RecordKind.CONTENT, item.data) for item in said]
    log = write(kept)
    found = audit_bytes(log)
    assert_agrees(found, [log])
    assert found.hands == 1


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
