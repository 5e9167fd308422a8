from __future__ import annotations

from random import Random

import pytest

from p2p_hearts import i18n
from p2p_hearts.commands.audit import print_verdict
from p2p_hearts.record.audit import Report, Verdict, audit, exit_code
from p2p_hearts.record.audit.auditor import Auditor
from p2p_hearts.record.audit.compare import compare
from p2p_hearts.record.audit.report import VERIFIED
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import MAGIC, RecordKind
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.ui.words import width
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Envelope
from p2p_hearts.wire.messages import Kind
from tests.protocol.opinion import assert_agrees
from tests.record.games import (
    MEMO,
    ONE_HAND,
    audit_bytes,
    audit_game,
    audit_records,
    cancellation_game,
    honest_game,
    long_game,
)
from tests.record.maker import Game, Records, boundaries, write


def assert_incomplete(report: Report) -> None:
    assert report.verdict is Verdict.INCOMPLETE, report.summary
    assert not report.faults
    assert not report.damage
    assert report.gaps
    assert exit_code(report) == 3


def test_audit__verdict_in_three_languages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_language", "_catalogue"):
        monkeypatch.setattr(i18n, name, getattr(i18n, name))
    log = write(honest_game().records())
    for language, clean in (("en", "Clean: "), ("pt", "Limpo: "), ("id", "Bersih: ")):
        i18n.use(i18n.language_of(language) or "en")
        found = compare([audit(read_log(log), memo=MEMO)])
        assert found.summary[0].startswith(clean)
        assert found.to_dict()["verdict"] == "clean"
        assert set(found.fullest.verified) <= set(VERIFIED)
        print_verdict(found)
        shown = capsys.readouterr().out.splitlines()
        scores = shown[: len(found.fullest.scores) + 2]
        assert len({width(line) for line in scores}) == 1, "columns are aligned"
        assert ("signatures" in " ".join(shown)) is (language == "en")


def test_audit__says_clean_of_an_honest_match() -> None:
    game = honest_game()
    report = audit_game(game)
    assert report.verdict is Verdict.CLEAN, report.summary
    assert exit_code(report) == 0
    assert report.scores == game.match.hands
    assert report.totals == game.match.totals
    assert report.winners == game.match.winners
    assert report.table == game.drawn.table
    assert report.phrase == game.drawn.phrase
    assert report.dealer == game.drawn.dealer
    assert report.rules == ONE_HAND.to_dict()
    assert report.owner == game.players[0].identity.public
    assert (report.hands, report.unverified) == (1, 0)
    for seat, player in enumerate(report.players):
        expected = game.players[game.order[seat]]
        assert (player.seat, player.nick) == (seat, expected.nick)
        assert player.key == expected.identity.public


def test_audit__counts_what_it_verified() -> None:
    verified = audit_game(honest_game()).verified
    assert verified["shuffle proofs"] == 4
    assert verified["plays"] == 51
    assert verified["opening proofs"] == 4
    assert verified["acks"] == 4 * verified["certificates"]
    assert verified["signatures"] == len(honest_game().contents) + 1 + 1 + 4
    assert verified["speeches"] == len(honest_game().contents) - verified["acks"]
    assert verified["messages made again"] == 4 * 7 + 51
    assert verified["class proofs"] > 0


def test_audit__needs_no_memo() -> None:
    assert audit(read_log(honest_game().log())).verdict is Verdict.CLEAN


def test_audit__goes_on_through_hands() -> None:
    game = long_game()
    report = audit_game(game)
    assert report.verdict is Verdict.CLEAN, report.summary
    assert report.hands == 2
    assert report.scores == game.match.hands
    assert report.winners == game.match.winners


def test_audit__verifies_a_game_with_a_widow_and_without_pass_and_opening_card() -> None:
    report = audit_game(cancellation_game())
    assert report.verdict is Verdict.CLEAN, report.summary
    assert report.verified["share proofs"] == 12
    assert "pass proofs" not in report.verified
    assert sum(report.scores[0]) == PRESETS["cancellation"].total_penalty


@pytest.mark.deep
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_audit__says_clean_of_every_preset(preset: str) -> None:
    game = Game(PRESETS[preset].with_options({"hands": "2"}), seed=preset).run()
    report = audit_game(game)
    assert report.verdict is Verdict.CLEAN, report.summary
    assert report.scores == game.match.hands


@pytest.mark.deep
def test_audit__says_clean_of_a_whole_match() -> None:
    game = Game(RuleSet(target=50), seed="match").run()
    assert audit(read_log(game.log())).verdict is Verdict.CLEAN


# Cut short.


def test_audit__calls_every_log_cut_at_a_record_incomplete() -> None:
    """The verdict on what was read so far is that on a log which ends there."""
    log = honest_game().log()
    assert_incomplete(audit_bytes(MAGIC))
    auditor = Auditor(MEMO)
    for record in list(read_log(log))[:-1]:
        assert auditor.feed(record)
        assert_incomplete(auditor.report())
        if record.offset % 9 == 0:
            assert auditor.report() == audit_bytes(log[: record.end])


@pytest.mark.deep
def test_audit__calls_every_log_cut_in_the_file_incomplete() -> None:
    log = long_game().log()
    for end in list(boundaries(log))[:-1]:
        assert_incomplete(audit_bytes(log[:end]))


def test_audit__calls_a_torn_log_incomplete() -> None:
    log = honest_game().log()
    for cut in (1, 100, 60_000, len(log) - 100):
        if len(MAGIC) < len(log) - cut:
            assert_incomplete(audit_bytes(log[:-cut]))
    assert "middle of the record" in audit_bytes(log[:-1]).gaps[0]


def test_audit__reports_the_hands_before_a_cut() -> None:
    game = long_game()
    second = next(at for at, sealed in enumerate(game.contents) if sealed.content.hand == 2)
    report = audit_records(game.records()[: 2 + second + 40])
    assert_incomplete(report)
    assert report.scores == game.match.hands[:1]
    assert report.winners == ()
    short = audit_records(game.records()[: 2 + second - 1])
    assert_incomplete(short)
    assert short.scores == (), "the last round of the hand has no certificate yet"


def test_audit__calls_a_match_without_its_last_acks_incomplete() -> None:
    records = honest_game().records()
    for count in range(1, 5):
        report = audit_records(records[:-count])
        assert_incomplete(report)
        assert "lacks the acknowledgement" in report.gaps[0]


def test_audit__misses_every_record_that_was_left_out() -> None:
    records = honest_game().records()
    for left_out in sorted(Random(1).sample(range(2, len(records)), 40)):
        report = audit_records(records[:left_out] + records[left_out + 1 :])
        assert_incomplete(report)


# Any order in which a peer may have received it.


def shuffled(records: Records, seed: int, reach: int) -> Records:
    """Every record moves by at most ``reach`` places."""
    random = Random(seed)
    keyed = sorted(range(2, len(records)), key=lambda at: at + random.uniform(0, reach))
    return records[:2] + [records[at] for at in keyed]


@pytest.mark.parametrize("reach", [3, 20, 10_000])
def test_audit__accepts_any_order_of_arrival(reach: int) -> None:
    expected = audit_game(honest_game())
    report = audit_records(shuffled(honest_game().records(), reach, reach))
    assert report.verdict is Verdict.CLEAN, report.summary
    assert report == expected


def test_audit__accepts_a_log_from_end_to_start() -> None:
    records = long_game().records()
    report = audit_records(records[:2] + records[:1:-1])
    assert report.verdict is Verdict.CLEAN, report.summary


def test_audit__accepts_a_message_that_came_twice() -> None:
    records = honest_game().records()
    report = audit_records([*records, *records[40:60]])
    assert report.verdict is Verdict.CLEAN
    assert report.verified["repeated messages"] == 20


def test_audit__does_not_read_a_disordered_log_into_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p_hearts.record.audit.state.MAX_WAITING", 50)
    monkeypatch.setattr("protocol.verify.MAX_WAITING", 50)
    records = honest_game().records()
    report = audit_records(records[:2] + records[:1:-1])
    assert report.verdict is Verdict.UNREADABLE
    assert "more than 50 messages" in report.damage[0]
    assert audit_records(records).verdict is Verdict.CLEAN


def test_audit__does_not_read_what_waits_for_a_round_of_a_hand_into_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The vectors cannot show this: thousands of contents would have to be signed for it."""
    monkeypatch.setattr("p2p_hearts.record.audit.state.MAX_WAITING", 50)
    monkeypatch.setattr("protocol.verify.MAX_WAITING", 50)
    contents = honest_game().contents
    key = next(item for item in contents if item.content.kind == Kind.KEY)
    first = next(at for at, item in enumerate(contents) if item.content.kind == Kind.SHUFFLE)
    for count, verdict in ((50, Verdict.INCOMPLETE), (51, Verdict.UNREADABLE)):
        records = honest_game().records()[: 2 + first + count]
        records.remove((RecordKind.CONTENT, key.data))
        found = audit_records(records)
        assert found.verdict is verdict
        assert_agrees(found, [write(records)])


# Altered.


def assert_unreadable(report: Report) -> None:
    assert report.verdict is Verdict.UNREADABLE, report.summary
    assert report.damage
    assert exit_code(report) == 2


def flipped(data: bytes, offset: int) -> bytes:
    changed = bytearray(data)
    changed[offset] ^= 1 << offset % 8
    return bytes(changed)


def flip_in_file(offset: int) -> None:
    log = honest_game().log()
    report = audit_bytes(flipped(log, offset))
    assert_unreadable(report)
    if offset >= len(MAGIC):
        start = max(end for end in boundaries(log) if end <= offset)
        assert f"byte {start}" in report.damage[0]


def flip_in_record(number: int, offset: int) -> None:
    """Length, CRC and chain are made anew: the signatures must find it."""
    records = honest_game().records()
    kind, data = records[number]
    records[number] = (kind, flipped(data, offset))
    assert_unreadable(audit_records(records))


def flip_offsets(count: int) -> list[int]:
    return sorted(Random(2).sample(range(len(honest_game().log())), count))


def test_audit__finds_a_flipped_byte_anywhere() -> None:
    for offset in [*range(0, 400, 3), *flip_offsets(30)]:
        flip_in_file(offset)


@pytest.mark.deep
def test_audit__finds_a_flipped_byte_at_many_places() -> None:
    for offset in flip_offsets(3000):
        flip_in_file(offset)


def record_flips(per_record: int, step: int) -> list[tuple[int, int]]:
    random = Random(3)
    records = honest_game().records()
    return [
        (number, random.randrange(len(records[number][1])))
        for number in range(0, len(records), step)
        for _ in range(per_record)
    ]


def test_audit__finds_a_flipped_byte_under_new_checksums() -> None:
    for number, offset in [(0, 3), (0, 9), (1, 40), *record_flips(1, 15)]:
        flip_in_record(number, offset)


@pytest.mark.deep
def test_audit__finds_a_flipped_byte_of_every_record_under_new_checksums() -> None:
    for number, offset in record_flips(4, 1):
        flip_in_record(number, offset)


def test_audit__names_the_damage_and_its_offset() -> None:
    log = honest_game().log()
    report = audit_bytes(flipped(log, len(log) // 2))
    assert report.summary[0].startswith("Unreadable")
    assert "the log is damaged at byte" in report.damage[0]


def test_audit__refuses_a_file_that_is_no_log() -> None:
    for data in (b"", b"#!/bin/sh\necho this is another file\n"):
        assert_unreadable(audit_bytes(data))


def test_audit__refuses_a_message_of_another_table() -> None:
    other = Game(ONE_HAND, seed="other", stop_at=lambda game, kind: kind is Kind.SHARES).run()
    for foreign in (other.contents[0], other.contents[-1]):
        report = audit_records([*honest_game().records(), (RecordKind.CONTENT, foreign.data)])
        assert_unreadable(report)
        assert "another table" in report.damage[0]


def test_audit__refuses_an_author_in_the_seat_of_another() -> None:
    game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.SHARES).run()
    game.say(0, Kind.SHARES, b"", author=game.players[game.order[1]].identity.public)
    report = audit_game(game)
    assert_unreadable(report)
    assert "signature" in report.damage[0]
    game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.SHARES).run()
    game.say(0, Kind.SHARES, b"", seat=1)
    report = audit_game(game)
    assert_unreadable(report)
    assert "does not sit in the seat" in report.damage[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 2}, "protocol version 2"),
        ({"seat": 9}, "does not exist"),
        ({"attempt": 3}, "attempt 3"),
        ({"hand": 0, "attempt": 0, "round": 7}, "another table"),
    ],
)
def test_audit__refuses_headers_that_no_peer_accepts(changes: dict[str, int], words: str) -> None:
    game = Game(ONE_HAND, stop_at=lambda game, kind: kind is Kind.SHARES).run()
    game.say(0, Kind.SHARES, b"", **changes)
    report = audit_game(game)
    assert_unreadable(report)
    assert words in report.damage[0]


def test_audit__refuses_messages_after_the_end() -> None:
    game = Game(ONE_HAND).run()
    game.say(0, Kind.PLAY, b"")
    assert_unreadable(audit_game(game))


def test_audit__refuses_records_out_of_place() -> None:
    start, roster, *contents = honest_game().records()
    for wrong in (
        [roster, *contents],
        [start, *contents],
        [start, roster, roster, *contents],
        [start, roster, start, *contents],
        [(RecordKind.START, b"\x80"), roster, *contents],
        [start, (RecordKind.ROSTER, b"\x80"), *contents],
        [start, roster, (RecordKind.CONTENT, b"\x80"), *contents],
    ):
        assert_unreadable(audit_records(wrong))


def test_audit__of_a_log_that_does_not_begin_as_one_says_so_once() -> None:
    assert len(audit_records(honest_game().records()[1:9]).summary) == 2


def test_audit__refuses_a_roster_that_its_founder_did_not_sign() -> None:
    start, (_, roster), *contents = honest_game().records()
    envelope = decode(roster, Envelope)
    wrong = encode(Envelope(envelope.content, envelope.signature[:-1] + b"\0"))
    report = audit_records([start, (RecordKind.ROSTER, wrong), *contents])
    assert_unreadable(report)
    assert "roster" in report.damage[0]


def test_audit__shows_no_control_characters_of_a_log() -> None:
    game = Game(
        ONE_HAND,
        nicks=("\x1b[2JAna\u202e", "\u200b", "Clara", "Dewi"),
        stop_at=lambda game, kind: kind is Kind.KEY,
    ).run()
    report = audit_game(game)
    assert {player.nick for player in report.players} == {"[2JAna", "?", "Clara", "Dewi"}


def test_audit__report_is_plain_values() -> None:
    told = audit_game(honest_game()).to_dict()
    assert {"verdict", "faults", "hands", "scores", "totals", "winners"} <= told.keys()
    assert told["verdict"] == "clean"
    import json

    assert json.loads(json.dumps(told)) == told


def test_audit__repeats_itself_with_and_without_a_memo() -> None:
    log = cancellation_game().log()
    assert audit(read_log(log), memo=MEMO) == audit(read_log(log))


def test_maker__writes_the_same_log_twice() -> None:
    assert write(Game(ONE_HAND).run().records()) == honest_game().log()


def test_audit__says_clean_of_hands_that_a_claim_ended() -> None:
    """Scores count every card that was never played, and all seats are run again."""
    game = Game(RuleSet(hands=2), seed="claims 1", claims=True).run()
    report = audit_game(game)
    assert report.verdict is Verdict.CLEAN, report.summary
    assert report.scores == game.match.hands
    assert report.verified["claims"] > 0
    assert report.verified["plays"] < 2 * 51
    assert report.verified["revealed secrets"] == 8
