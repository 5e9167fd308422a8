"""Counts the group operations that a computation makes."""

from __future__ import annotations

import pytest

from p2p_hearts.crypto import group
from tools.bench.costs import Cost


class Counted:
    """Counts from its beginning on, or since the last ``take``."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._counts = dict.fromkeys(("_mul_base", "_mul", "_add"), 0)
        for name in self._counts:
            original = getattr(group, name)

            def counted(*args: bytes, name: str = name, original: object = original) -> bytes:
                self._counts[name] += 1
                assert callable(original)
                result = original(*args)
                assert isinstance(result, bytes)
                return result

            monkeypatch.setattr(group, name, counted)

    def take(self) -> Cost:
        """Return what was counted, and begin anew."""
        cost = Cost(*self._counts.values())
        self._counts = dict.fromkeys(self._counts, 0)
        return cost
