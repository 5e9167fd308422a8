"""The command of the ladder: what it plays, what it keeps, what it prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_hearts.rules.options import Moon, RuleSet
from tests.rules.dealer import Chooser
from tools.ladder import __main__ as ladder
from tools.ladder.kept import Kept, kept_name

DEAL = {
    "points": 6.5,
    "moons": 0,
    "moons_of_others": 0,
    "by_moons": 0.0,
    "by_moons_of_others": 0.0,
    "heavy": 0,
    "heavy_of_others": 0,
}


def run(*args: str, capsys: pytest.CaptureFixture[str]) -> str:
    ladder.main(["--arrays", *args])
    return capsys.readouterr().out


def keep(folder: Path, one: str, better: dict[int, float]) -> None:
    kept = Kept(folder, kept_name("black-lady", one, "normal", 100))
    for seed, value in better.items():
        kept.add({"seed": seed, "better": value, **DEAL})


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody plays: all is kept already."""

    def refuse(*args: object) -> Chooser:
        class Idle:
            def __getattr__(self, name: str) -> object:
                raise AssertionError("somebody was asked to play")

        return Idle()  # type: ignore[return-value]

    monkeypatch.setattr(ladder, "make", refuse)


@pytest.mark.usefixtures("idle")
def test_ablate__compares_deal_by_deal_what_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The deals differ by much more than the two players do in any of them."""
    keep(tmp_path, "hard", {1: -10.0, 2: 0.0, 3: 10.0, 4: 50.0})
    keep(tmp_path, "hard-voids", {1: -11.0, 2: -2.0, 3: 7.0})
    keep(tmp_path, "hard-fit", {1: -9.0, 2: 1.0, 3: 11.0})
    args = ("--ablate", "voids,fit", "--deals", "3", "--keep", str(tmp_path))
    first, second = run(*args, capsys=capsys).splitlines()[1:]
    assert first == (
        "hard is better than hard-voids against 3 normal by +2.00 ± 1.13 points a hand, "
        "3 pairs of deals"
    )
    assert "hard-fit against 3 normal by -1.00 ± 0.00 points a hand" in second


@pytest.mark.usefixtures("idle")
def test_ablate__compares_the_match_score_by_whole_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, shares in (("hard", (0.5, 0.25)), ("hard-match_score", (0.25, 0.25))):
        kept = Kept(tmp_path, f"{kept_name('black-lady', name, 'normal', 100)}-matches")
        for seed, share in enumerate(shares, 1):
            kept.add({"seed": seed, "share": share})
    args = ("--ablate", "match_score", "--matches", "2", "--keep", str(tmp_path))
    assert "by +0.125 ± 0.245 matches won of each played, 2 pairs of matches" in run(
        *args, capsys=capsys
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--ablate", "luck"), "no such idea: luck; they are voids, beliefs"),
        (("--ablate", "voids,match_score"), "changes matches only: give --matches, too"),
        (("--moons", "normal", "--preset", "no-moon"), "is played without the moon"),
    ],
)
def test_main__refuses_what_would_tell_nothing(
    args: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    presets = {"black-lady": RuleSet(), "no-moon": RuleSet(moon=Moon.OFF)}
    monkeypatch.setattr(ladder, "PRESETS", presets)
    with pytest.raises(SystemExit):
        ladder.main(args)
    assert said in capsys.readouterr().err


def test_moons__goes_on_where_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And prints nothing of pairs, that nobody asked for."""
    args = ("--moons", "normal", "--keep", str(tmp_path), "--deals")
    assert "2 played now" in run(*args, "2", capsys=capsys)
    text = run(*args, "5", capsys=capsys)
    assert "3 played now" in text
    assert "4 normal, 5 hands:" in text
    assert "of 5 hands" in text
    assert "against" not in text
    assert "played now" not in run(*args, "5", capsys=capsys)


def test_pairs__goes_on_where_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(tmp_path, "duck", {1: 3.0})
    args = ("--pairs", "duck:normal", "--keep", str(tmp_path), "--deals", "2")
    text = run(*args, capsys=capsys)
    assert "1 played now" in text
    assert "duck against 3 normal:" in text
    assert "2 deals" in text
    assert "matches" not in text
    short = ("--preset", "short", "--deals", "0", "--matches", "1")
    assert "matches won" in run("--pairs", "duck:duck", *short, capsys=capsys)
