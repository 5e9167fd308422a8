"""Checks that nobody would miss: each is taken out in turn, and some test must fail.

``python -m tools.mutants [PACKAGE...]`` copies the tree into an empty folder, removes one check,
and runs the tests that should notice, nearest first, until one fails. A check is a guard (an
``if`` whose body only returns, raises or goes on), one part of a returned conjunction, or a call
that only raises. What survives and is not explained in ``explained.toml`` makes the run fail.
"""
