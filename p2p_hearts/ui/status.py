"""What the table tells beside the View: names, waiting, fairness and faults.

Plain values made by whoever runs the game. The user interface only reads them: nothing here is
computed from a proof, and the sentences arrive complete, in the language of the player.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


class Acquaintance(Enum):
    """What this computer remembers of the key that a player has."""

    SELF = "self"
    COMPUTER = "computer"
    NEW = "new"
    KNOWN = "known"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Remark:
    """One line of chat.

    Attributes:
        number: the line's own, to tell two equal lines of one author apart.
        name: who said it, cleaned, "You" for the person.
        text: what was said, cleaned of all that could harm a screen.
    """

    number: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Status:
    """Everything a front end shows beside the View while seats are drawn.

    Attributes:
        names: the name of each seat, by seat, already cleaned of control characters.
        table_name: the name the host gave to the table.
        phrase: the words of the table phrase, "" before it is known.
        verified: short facts, such as "shuffle verified by all 4".
        verified_briefly: a word for each of them, for where there is no room.
        history: a short hex prefix of the head of the history, "" before there is one.
        waiting_for: seats whose message is due, in seat order.
        waiting_seconds: seconds that the oldest of them has been due.
        seconds_left: seconds until the computer makes the decision that is open to the person;
            None where nothing is, or the table has no clock.
        may_go_on: seats that the person may decide to go on without.
        stage: a sentence for a stage that no View shows ("The deck is being shuffled.").
        fault: a full sentence naming seat and rule, or None.
        log_path: where the log of this game lies, or None.
        warnings: full sentences about the players, such as a known name with a new key.
        people: what is known of the key of each seat, by seat; empty where nobody looked.
        chat: the last lines that were said, oldest first, without those of muted people.
        finished: True when nothing more will happen at this table.
    """

    names: tuple[str, ...]
    table_name: str
    phrase: str = ""
    verified: tuple[str, ...] = ()
    verified_briefly: tuple[str, ...] = ()
    history: str = ""
    waiting_for: tuple[int, ...] = ()
    waiting_seconds: float = 0.0
    seconds_left: float | None = None
    may_go_on: tuple[int, ...] = ()
    stage: str = ""
    fault: str | None = None
    log_path: str | None = None
    warnings: tuple[str, ...] = ()
    people: tuple[Acquaintance, ...] = ()
    chat: tuple[Remark, ...] = ()
    finished: bool = False

    def later(self, seconds: float) -> Status:
        """Return this after some more seconds in which nothing came."""
        if not self.waiting_for:
            return self
        return replace(self, waiting_seconds=self.waiting_seconds + seconds)


@dataclass(frozen=True, slots=True)
class LobbyStatus:
    """Everything a front end shows before seats are drawn.

    Attributes:
        table_name: the name the host gave to the table.
        players: who sits, in the order of arrival.
        seats: how many seats the table has; `seats - len(players)` are free.
        rules: the rules of the table, one sentence each.
        invitations: how others join, one line each, ready to copy.
        warnings: full sentences to be read before play, such as a known name with a new key.
        phrase: the words of the table phrase, "" before it is known.
        stage: what is happening, a sentence.
        fault: a full sentence, or None.
        log_path: where the log of this table lies, or None.
        finished: True when this table will not start.
        ready: who of the players is ready for the cards, in their order; empty where nobody asks.
        own_ready: whether the person is, None where that is not asked.
        people: what is known of the key of each player, in their order; None where it is not
            shown yet.
        may_add: whether the person may seat a computer player.
    """

    table_name: str
    players: tuple[str, ...]
    seats: int
    rules: tuple[str, ...] = ()
    invitations: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    phrase: str = ""
    stage: str = ""
    fault: str | None = None
    log_path: str | None = None
    finished: bool = False
    ready: tuple[bool, ...] = ()
    own_ready: bool | None = None
    people: tuple[Acquaintance | None, ...] = ()
    may_add: bool = False
