"""``replay`` as a player runs it, and what it makes of the story of a log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2p_hearts.cli import main
from p2p_hearts.commands.replay import make_film
from p2p_hearts.record.audit import Verdict
from p2p_hearts.record.moments import moments
from p2p_hearts.rules.cards import EMPTY, size
from p2p_hearts.rules.options import PRESETS
from p2p_hearts.ui.words import cards_words
from p2p_hearts.wire.messages import Kind
from tests.record.games import honest_game
from tests.record.maker import write
from tests.record.synthetic import played_hand, report_of
from tests.record.test_story import index_of


def test_make_film__has_a_frame_for_every_moment() -> None:
    first, second = played_hand(), played_hand(number=2)
    film = make_film(report_of(first, second), [first, second], cards_words)
    assert len(film.frames) == len(moments(first)) + len(moments(second))
    assert {frame.hand for frame in film.frames} == {1, 2}
    assert film.is_good
    assert not make_film(
        replace(report_of(first), verdict=Verdict.FAULT), [first], cards_words
    ).is_good  # fmt: skip


def test_make_film__hands_shrink_card_by_card_and_points_add_up() -> None:
    hand, later = played_hand(), played_hand(number=2)
    film = make_film(report_of(hand, later), [hand, later], cards_words)
    deal, passed, lead = film.frames[:3]
    assert deal.hands == hand.dealt
    assert passed.hands == hand.held
    assert [size(cards) for cards in lead.hands].count(12) == 1
    assert lead.starts_trick
    assert "queen of spades" in " ".join(frame.sentence for frame in film.frames)
    whole = film.frames[5]
    assert len(whole.laid) == 4
    assert whole.winner == hand.play.tricks[0].winner if hand.play is not None else False
    end = film.frames[len(moments(hand)) - 1]
    assert end.hands == (EMPTY,) * 4
    assert end.points == hand.scores
    assert film.frames[-1].totals == hand.scores


def test_make_film__counts_cards_that_nobody_has_shown() -> None:
    hand = replace(
        played_hand(), dealt=(EMPTY,) * 4, passed=(EMPTY,) * 4, held=(EMPTY,) * 4,
        play=None, scores=None, steps=(),
    )  # fmt: skip
    (deal,) = make_film(report_of(played_hand()), [hand], cards_words).frames
    assert deal.unknown == (13,) * 4
    assert "only cards that were played are known" in deal.sentence


@pytest.mark.parametrize("preset", ["cancellation", "black-lady"])
def test_make_film__of_widows_and_claims_ends_with_the_score(preset: str) -> None:
    hand = played_hand(PRESETS[preset], seed=3, claims=True)
    film = make_film(report_of(hand), [hand], cards_words)
    assert film.frames[-1].sentence.startswith("The hand counts")
    assert film.frames[-1].unknown == (0,) * hand.rules.seats


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log that ends after a few cards: quick to audit."""
    game = honest_game()
    path = tmp_path / "game.hearts"
    path.write_bytes(write(game.records()[: index_of(game, Kind.PLAY, 3)]))
    return path


def test_replay__writes_the_whole_game_to_a_pipe(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(log)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].startswith("Table Sunday table. Incomplete")
    assert len([line for line in lines if "Verified: " in line]) == 4
    assert "holds 12 unknown cards." in said.out
    assert main(["replay", str(log), "--hand", "2"]) == 2
    assert "has the hands 1 to 1, and no hand 2." in capsys.readouterr().err


def test_replay__says_what_it_cannot_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.hearts"
    path.write_bytes(write(honest_game().records()[:4]))
    assert main(["replay", str(path)]) == 2
    assert "holds no hand that could be shown. Incomplete" in capsys.readouterr().err
    path.write_text("no log")
    assert main(["replay", str(path)]) == 2
    assert "cannot be audited" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "nowhere")]) == 2
    assert "cannot be read" in capsys.readouterr().err
