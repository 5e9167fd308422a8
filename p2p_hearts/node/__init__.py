"""The asyncio side of a table: links, table, log, front end and player brought together.

    pump        the loop of every peer; ``following``, of one at a table: ``node`` plays,
                ``watching`` looks on
    finding     to a table; ``reception`` through its lobby, ``returning`` back to a seat
    keeping     log and seat on disk; ``places`` and ``people``, addresses and keys met
    company     those who watch; ``asking``, ``delaying`` and ``chat`` beside it
    turns       who decides: the clock, ``autoplay``, ``thinking`` and its process ``worker``
    status      what a front end is told; ``glance``, whether anything of it changed
    farewell    when to go home; ``awake``, a clock that sleeps along; ``terms``, what all share;
                ``processes``, how many may run

What needs a socket, a clock or a file stands here; what a message means, in ``table``.
"""
