"""The file in the home folder, and the command that shows and changes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p_hearts.cli import main
from p2p_hearts.commands.settings import MAX_BYTES, SettingsFile
from p2p_hearts.i18n import VARIABLE, language, use
from p2p_hearts.ui.settings import Settings


def test_settings_file__a_missing_one_means_the_usual_settings(tmp_path: Path) -> None:
    assert SettingsFile(tmp_path).load() == (Settings(), ())
    assert list(tmp_path.iterdir()) == []


def test_settings_file__what_is_saved_is_loaded(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "new")
    assert file.save(Settings(speed="fast", tour="off")) is None
    assert file.load() == (Settings(speed="fast", tour="off"), ())
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["settings.toml"]


@pytest.mark.parametrize("data", [b"speed = ", b"\xff\xfe", b"#" * (MAX_BYTES + 1)])
def test_settings_file__an_unreadable_one_is_told_and_left_as_it_is(
    tmp_path: Path, data: bytes
) -> None:
    file = SettingsFile(tmp_path)
    file.path.write_bytes(data)
    settings, (told,) = file.load()
    assert settings == Settings()
    assert str(file.path) in told
    refusal = file.save(Settings(speed="fast"))
    assert refusal is not None
    assert "was not changed" in refusal
    assert file.path.read_bytes() == data


def test_settings_file__what_cannot_be_kept_at_a_table_holds_for_its_game(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "file")
    assert file.keep(Settings(speed="fast")) is None
    assert file.load()[0].speed == "fast"
    (tmp_path / "other").write_text("no folder")
    told = SettingsFile(tmp_path / "other").keep(Settings()) or ""
    assert told.startswith("The settings hold for this game only. ")
    assert "was not changed" in told


def test_settings__where_no_game_is_played_none_is_spoken_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home").write_text("no folder")
    assert main(["settings", "--home", str(tmp_path / "home"), "speed=fast"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "was not changed" in said
    assert "for this game" not in said


def test_settings_file__a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path)
    file.path.mkdir()
    assert file.load()[0] == Settings()
    assert "was not changed" in (file.save(Settings()) or "")


def test_settings__shows_and_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--home", str(tmp_path), "speed=slow", "bell = notify"]) == 0
    shown = capsys.readouterr().out
    assert 'speed = "slow"' in shown
    assert "(normal, slow, fast, instant)" in shown
    assert SettingsFile(tmp_path).load()[0] == Settings(speed="slow", bell="notify")
    assert main(["settings", "--home", str(tmp_path)]) == 0
    assert 'bell = "notify"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("speed", "KEY=VALUE"),
        ("speed=warp", "speed is one of normal"),
        ("music=loud", "no setting 'music'; there are sorting"),
    ],
)
def test_settings__refuses_what_makes_no_sense(
    tmp_path: Path, change: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", "--home", str(tmp_path), change]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_language__of_the_settings_counts_after_the_option_and_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    SettingsFile(tmp_path).save(Settings(language="id"))
    try:
        for extra, spoken in (([], "id"), (["--lang", "pt"], "pt")):
            assert main(["settings", "--home", str(tmp_path), *extra]) == 0
            assert language() == spoken
        monkeypatch.setenv(VARIABLE, "pt")
        assert main(["settings", f"--home={tmp_path}"]) == 0
        assert language() == "pt"
    finally:
        use("en")
