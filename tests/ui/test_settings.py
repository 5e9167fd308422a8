"""The settings file: what it says is taken, what makes no sense is told, nothing gets lost."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_hearts.ui.settings import (
    SETTINGS,
    Setting,
    Settings,
    changed,
    new_file,
    read_settings,
    written_settings,
)


def settings_strategy() -> st.SearchStrategy[Settings]:
    return st.builds(
        Settings, **{setting.key: st.sampled_from(setting.values) for setting in SETTINGS}
    )


def by_key(key: str) -> Setting:
    return next(setting for setting in SETTINGS if setting.key == key)


def test_settings__every_field_has_a_line_and_its_usual_value_is_the_first() -> None:
    assert [field.name for field in fields(Settings)] == [setting.key for setting in SETTINGS]
    for setting in SETTINGS:
        assert getattr(Settings(), setting.key) == setting.values[0]


@given(settings_strategy())
def test_settings__a_new_file_reads_back(settings: Settings) -> None:
    assert read_settings(new_file(settings)) == (settings, ())


@given(settings_strategy(), settings_strategy())
def test_settings__a_changed_file_reads_back_and_keeps_its_comments(
    before: Settings, after: Settings
) -> None:
    text = "# mine\n" + new_file(before) + 'unknown = 3 # why\n[other]\nspeed = "x"\n'
    written = written_settings(text, after)
    assert read_settings(written)[0] == after
    assert [line for line in written.splitlines() if line.startswith("#")] == [
        line for line in text.splitlines() if line.startswith("#")
    ]
    assert tomllib.loads(written)["other"] == {"speed": "x"}
    assert "unknown = 3 # why" in written


def test_settings__a_comment_behind_a_value_stays() -> None:
    text = 'speed = "slow"# I like it\nbell = "off"   # quiet'
    written = written_settings(text, Settings(speed="fast", hints="off"))
    assert 'speed = "fast" # I like it' in written
    assert "# quiet" in written
    assert read_settings(written) == (Settings(speed="fast", hints="off"), ())


def test_settings__a_bad_value_is_told_and_costs_the_others_nothing() -> None:
    settings, told = read_settings('speed = "warp"\nbell = "bell"\ncolours = 7\nmusic = "loud"\n')
    assert settings == Settings(bell="bell")
    assert told == (
        'speed cannot be "warp": it is one of normal, slow, fast, instant; normal is used.',
        'colours cannot be "7": it is one of four, two, none; four is used.',
        'There is no setting called "music"; it is left alone.',
    )


def test_settings__true_and_false_are_on_and_off() -> None:
    assert read_settings("autoplay = false\ntour = true\n") == (Settings(autoplay="off"), ())


def test_settings__a_file_that_is_no_toml_is_told_and_never_overwritten() -> None:
    settings, (told,) = read_settings("speed = \n")
    assert settings == Settings()
    assert "stays as it is" in told
    with pytest.raises(ValueError, match="cannot be read"):
        written_settings("speed = \n", Settings())


def test_settings__a_value_of_several_lines_is_not_cut_in_two() -> None:
    text = 'speed = """\nslow\n"""\n'
    with pytest.raises(ValueError, match=r"several lines|cannot be read"):
        written_settings(text, Settings(speed="fast"))


def test_settings__foreign_text_is_shown_short_and_clean() -> None:
    _, (told,) = read_settings(f'speed = "\\u001b[2J{"x" * 100}"\n')
    assert "\x1b" not in told
    assert "x" * 40 not in told


def test_changed__goes_round_in_both_directions() -> None:
    speed = by_key("speed")
    settings = Settings()
    for value in (*speed.values[1:], speed.values[0]):
        settings = changed(settings, speed)
        assert settings == replace(Settings(), speed=value)
    assert changed(Settings(), speed, -1).speed == speed.values[-1]


def test_settings__speed_is_a_factor_of_time() -> None:
    paces = {value: Settings(speed=value).pace for value in by_key("speed").values}
    assert paces["instant"] == 0
    assert 0 < paces["fast"] < paces["normal"] == 1 < paces["slow"]
