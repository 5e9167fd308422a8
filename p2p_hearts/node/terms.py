"""What all parts of a node share: tags of link frames, patience, where to listen, problems."""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.home import FullError, HomeError
from p2p_hearts.i18n import N_, _

TAG_JOIN = b"\x01"
TAG_NEWS = b"\x02"
TAG_TABLE = b"\x03"
TAG_WHERE = b"\x04"
TAG_WATCH = b"\x05"
TAG_ASK = b"\x06"
TAG_GALLERY = b"\x07"
TAG_REMARK = b"\x08"
TAG_AHEAD = b"\x09"
"""First byte of a link frame: for a founder's lobby, from it, of a table, or addresses; of a
watcher that wants to come in, or asks for what it lacks; the list of watchers; a line of chat; a
part of the next deal."""

PORTS = 3
"""So many a peer uses, one after the other, where it is told the first."""

NOTHING_WAS_SENT = N_("Nothing was sent; free some space and come back to the table.")
"""What a disk that takes no more means, and what to do."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a node waits for what, in seconds; the defaults suit people on a LAN."""

    join: float = 2.0
    """A guest repeats that it is there this often until the table is formed."""
    forming: float = 20.0
    """A founder that misses one player's part in the draw for so long looks for another player."""
    ask: float = 15.0
    """A guest that hears nothing from a founder for so long gives up."""
    visit: float = 15.0
    """Who asked in the lobby and has no seat is called back for so long."""
    linger: float = 120.0
    """After the match, how long those who still miss the last messages may be silent.

    Somebody whose program has failed has to notice that, and to start it again.
    """
    farewell: float = 300.0
    """After the match, how long to help them at most."""
    fault: float = 6.0
    """After a fault, how long to pass its evidence on."""


@dataclass(frozen=True, slots=True)
class Where:
    """How this peer listens: interface to bind, addresses to tell instead of its own, ports."""

    interface: str | None = None
    advertise: tuple[str, ...] = ()
    port: int = 0
    """The first of PORTS: a founder's card door, the lobby, the table; 0 for any free ones."""

    @property
    def lobby_port(self) -> int:
        """Where to listen to people of no table."""
        return self.port + 1 if self.port else 0

    @property
    def table_port(self) -> int:
        """Where to listen to the other players."""
        return self.port + 2 if self.port else 0


class NodeError(Exception):
    """The player cannot sit or go on; the text says why and what to do."""


class NoSeatError(NodeError):
    """No seat was to be had at this table."""


def not_written(error: HomeError) -> NodeError:
    """Return what a player is told when a file of its folder failed before anything was sent."""
    advice = _(NOTHING_WAS_SENT) if isinstance(error, FullError) else _("Nothing was sent.")
    return NodeError(f"{error}. {advice}")
