"""Proofs are shared among the tests of this folder."""

from tests.table.sharing import alone, sharing

__all__ = ["alone", "sharing"]
