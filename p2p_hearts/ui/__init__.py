"""What a person sees and types: the full-screen table, line mode and the table without input.

The package knows the rules only. It is given a `View` (what one seat may know) and a `Status`
(what the table tells beside it) and gives back the cards a person chose. It opens no socket,
reads no log and checks no proof.

    frontend    the seam: what every front end can do, and what it is told (``status``)
    app         the full screen: keys (``keys``, ``pressing``, ``choice``) and ``picture``, which
                draws ``lobby``, ``seats``, ``hand``, ``sheet``, ``panels``, ``strip`` on ``canvas``
                from a ``scene``, in ``styles``, or ``small``; ``layout`` is its window, ``showing``
                and ``pace`` what is shown when, ``terminal`` what else may have the screen
    line        line mode: ``typed`` reads a line, ``deciding`` keeps what it decides, ``asked`` and
                ``answers`` tell, ``reminding`` tells again; ``writing``, to and from a stream
    auto        the table without a person
    tables      the list of tables: ``choosing`` on the screen, ``chooser`` in lines
    replay      a finished game, step by step
    telling     what happened, in words, as are ``prompts``, ``reasons``, ``risks``, ``sentences``,
                ``words``; ``scores`` and their ``curve``; ``tour``, for the first time
    advising    hints without waiting; ``signals``, to end or to draw again
    settings    how a person wants the table

A new key goes into ``pressing`` and the help of ``panels``; a new word of line mode into ``typed``,
and into ``asked`` if it only tells, else ``line``; a new setting is a row of ``settings.SETTINGS``.

This module imports nothing, so that a command which draws no table does not pay for one.
"""

from __future__ import annotations
