"""What a person sees and types: the full-screen table, line mode and the table without input.

The package knows the rules only. It is given a `View` (what one seat may know) and a `Status`
(what the table tells beside it) and gives back the cards a person chose. It opens no socket,
reads no log and checks no proof.

This module imports nothing, so that a command which draws no table does not pay for one.
"""

from __future__ import annotations
