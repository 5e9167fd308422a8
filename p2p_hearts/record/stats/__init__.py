"""What many audited games say together: how players did, and whether deals look fair.

    facts      what one log contributes, small enough to be kept
    results    how a player did: matches, points, moons, queens, by rules and by opponent
    chance     the χ² distribution, and how cards fall when nothing steers them
    fairness   tests of all deals that are known whole

Pure functions of values. Never: opens a file, believes a log that an audit has not gone through.
"""

from __future__ import annotations
