"""Sentences with their values apart."""

from __future__ import annotations

from p2p_hearts.net.errors import NetError, sentence


def test_sentence__keeps_template_and_values_apart() -> None:
    said = sentence("Port {port} is taken.", port=7)
    assert said.template == "Port {port} is taken."
    assert str(said) == "Port 7 is taken."
    braces = sentence("{name} left.", name="{port}")
    assert str(braces) == "{port} left."
    assert str(NetError(said)) == "Port 7 is taken."
    assert str(NetError(said, sentence("Try 8."))) == "Port 7 is taken. Try 8."
