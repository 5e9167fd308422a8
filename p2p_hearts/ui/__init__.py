"""What a person sees and types: the full-screen table, line mode and the table without input.

The package knows the rules only. It is given a `View` (what one seat may know) and a `Status`
(what the table tells beside it) and gives back the cards a person chose. It opens no socket,
reads no log and checks no proof.

    frontend    the seam: what every front end can do, and what it is told (``status``)
    app         the full screen: keys (``keys``, ``pressing``, ``choice``) and ``picture``, which
                draws ``lobby``, ``seats``, ``hand``, ``sheet``, ``panels``, ``strip`` on ``canvas``
    line        line mode: ``typed`` reads a line, ``asked`` and ``answers`` tell
    auto        the table without a person
    tables      the list of tables: ``choosing`` on the screen, ``chooser`` in lines
    replay      a finished game, step by step
    telling     what happened, in words, as are ``prompts``, ``reasons``, ``risks``, ``sentences``
    settings    how a person wants the table

A new key goes into ``pressing`` and the help of ``panels``; a new word of line mode into ``typed``,
and into ``asked`` if it only tells, else ``line``; a new setting is a row of ``settings.SETTINGS``.

This module imports nothing, so that a command which draws no table does not pay for one.
"""

from __future__ import annotations
