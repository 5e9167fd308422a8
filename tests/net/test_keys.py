"""CURVE key pairs and the form of keys."""

from __future__ import annotations

import pytest

from p2p_hearts.net.keys import CurveKeys, is_key


def test_keys__the_secret_half_shows_nowhere() -> None:
    keys = CurveKeys.generate()
    for text in (repr(keys), str(keys), f"{keys}", repr([keys])):
        assert keys.secret.decode() not in text
        assert keys.public.decode() in text


def test_keys__are_rebuilt_from_the_secret_half() -> None:
    keys = CurveKeys.generate()
    assert CurveKeys.from_secret(keys.secret) == keys
    assert CurveKeys.generate() != keys


def test_keys__halves_that_do_not_fit_are_refused_without_telling_them() -> None:
    one, two = CurveKeys.generate(), CurveKeys.generate()
    with pytest.raises(ValueError, match="do not belong together") as refused:
        CurveKeys(one.public, two.secret)
    assert two.secret.decode() not in str(refused.value)
    with pytest.raises(ValueError, match="no CURVE key"):
        CurveKeys(one.public, b"x" * 39)
    with pytest.raises(ValueError, match="no CURVE key"):
        CurveKeys.from_secret(b"")


@pytest.mark.parametrize("key", [b"", b"a" * 39, b"a" * 41, b"~" * 40, b"#" * 40, "a" * 40, None])
def test_is_key__refuses_what_is_no_key(key: object) -> None:
    assert not is_key(key)
