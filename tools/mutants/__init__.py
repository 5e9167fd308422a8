"""Checks that nobody would miss: each is taken out in turn, and some test must fail.

``python -m tools.mutants [PACKAGE...]`` copies the tree to ``build/mutants``, and puts a switch
before each check of the copy. A check is a guard (an ``if`` whose body only returns, raises or goes
on), one part of a returned conjunction, or a call that only raises. Then, once, every test notes in
which checks something was decided; only these tests could miss the check. Of a slow test with many
cases some are noted. Next, each check is
switched off and these tests run, the short ones first, until one fails. Last, mypy is asked about
every check that no test misses: ``make check`` runs it, too, and many a guard is there for it.

What was found is kept, so a run that was stopped goes on where it was. What depends on a module
that has changed is tried again, the test that missed a check first; a check that survived, once
its tests have changed. What survives and is not explained in ``explained.toml`` makes the run fail,
and so does an explanation of what a test misses or of what is no more.
"""
