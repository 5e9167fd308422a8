"""One module a command: each wires the layers together and holds no logic of the game.

    common      exit codes, the player's folder, the rules and names asked for
    seat        a seat from the command line to the end of its match
    opening     what a host opens; ``peers`` and ``companions``, its computer players
    choosing    the list of tables, for who names none
    settings    the file of settings; ``talk``, what is typed into the chat
    events      the front end for programs; ``crashes``, what is said of a failure
    progress    how far an audit is; ``working``, its processes

All others are commands. A new one is a module with ``run(arguments)``, which returns an exit code
of ``common``, and its options in ``arguments.make_parser``; manual page and completions follow
from these. What stands in the way is raised, and ``cli`` makes one sentence of it.
"""
