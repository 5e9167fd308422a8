"""The player's own folder: identity, hand secrets, games (protocol/SPEC.md section 3).

    HOME/identity            Ed25519 private key, 0600: 32 bytes, or sealed with a passphrase
    HOME/lock                held by the one process that may sign with it
    HOME/secrets/            one file a secret, 0600, erased when it is of no use
    HOME/games/*.hearts      logs
    HOME/seats/*.json        places at tables that are not over, 0600
    HOME/players.json        keys and names of players met
    HOME/muted.json          keys of those whose chat is not to be seen
    HOME/nick                the name that the player goes by

Beside these ``commands`` keep there

    HOME/settings.toml       how the player wants the table
    HOME/audits/             what each audited log contributes to the statistics
    HOME/crashes/            reports of failures of the program itself
    HOME/computers/          folders like this one, of the computer players of a host

The modules:

    files           files that only their owner may read
    secret_store    secrets, from the operating system, on disk before anybody hears of them
    sealing         the identity, sealed with a passphrase
    seats           places at tables; ``people``, who was met and who is muted

Errors: ``HomeError`` with what to do.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from platformdirs import user_data_path

from p2p_hearts.home.files import (
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    FullError,
    HomeError,
    cannot_read,
    cannot_write,
    write_private,
)
from p2p_hearts.home.people import (
    MUTED,
    PLAYERS,
    other_key_warning,
    read_people,
    read_players,
    remember,
    write_people,
)
from p2p_hearts.home.sealing import AskPassphrase, is_sealed, seal, unseal
from p2p_hearts.home.seats import Seat, read_seat, seat_bytes
from p2p_hearts.home.secret_store import SECRET_BYTES, SecretStore
from p2p_hearts.i18n import _, os_reason
from p2p_hearts.net.names import kind_of
from p2p_hearts.wire.envelope import Identity, digest

__all__ = ["FullError", "Home", "HomeError", "Seat", "SecretStore", "found_folder", "is_used"]


NICK = "nick"

_MAX_NICK_BYTES = 1024
"""More than any name; what is longer was not written here."""


class Home:
    """A player's folder, locked by this process until ``close``."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        passphrase: AskPassphrase | None = None,
        seal: bool = False,
    ) -> None:
        """Open or make the folder.

        ``passphrase`` is called for a sealed identity; with ``seal`` also for one that is not, or
        a new one, which is sealed with it from then on.

        Raises:
            HomeError: it cannot be written, is damaged, another process uses it, or the passphrase
                is wrong or not to be had.
        """
        self.path = path or user_data_path("p2p-hearts", appauthor=False)
        self._muted: frozenset[bytes] | None = None
        try:
            for name in ("", "secrets", "games", "seats"):
                folder = self.path / name
                folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        except OSError as error:
            raise HomeError(
                _(
                    "the folder {path} cannot be used: {reason}; choose another one with --home DIR"
                ).format(path=self.path, reason=os_reason(error))
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise HomeError(
                _(
                    "another p2p-hearts is using {path}; end it, or play as somebody else with "
                    "--home DIR"
                ).format(path=self.path)
            ) from None
        try:
            self.identity = self._load_identity(passphrase, seal)
        except BaseException:
            self.close()
            raise
        self.secrets = SecretStore(self.path / "secrets")

    @property
    def games(self) -> Path:
        """Where logs are kept."""
        return self.path / "games"

    def keep_seat(self, seat: Seat) -> None:
        """Remember a place at a table durably, before anything is said there."""
        write_private(self.seat_path(seat.roster), seat_bytes(seat))

    def forget_seat(self, roster: bytes) -> None:
        """Forget a place at a table that is over."""
        self.seat_path(roster).unlink(missing_ok=True)

    def seats(self) -> tuple[Seat, ...]:
        """Return the places at tables that are not over, the latest first.

        Raises:
            HomeError: one of the files is damaged.
        """
        paths = sorted((self.path / "seats").glob("*.json"), key=lambda path: path.stat().st_mtime)
        return tuple(read_seat(path) for path in reversed(paths))

    def erase_leftovers(self) -> None:
        """Erase secrets that are of no use, before this process draws any.

        A program that was killed in a lobby leaves its table key. A place is kept before anything
        is said at a table, and forgotten after its secrets: where none is kept, not even a damaged
        one, nobody comes back to anything.
        """
        with contextlib.suppress(OSError):  # what cannot be looked at stays as it is
            if not any((self.path / "seats").iterdir()):
                self.secrets.forget_all()

    def seat_path(self, roster: bytes) -> Path:
        """Return where the place at the table of a roster is kept."""
        return self.path / "seats" / f"{digest('seat file', roster).hex()[:32]}.json"

    def close(self) -> None:
        """Release the folder to other processes."""
        os.close(self._lock)

    def nick(self) -> str | None:
        """Return the name that the player chose last, as it stands there; None where none does."""
        try:
            with (self.path / NICK).open("rb") as file:
                return file.read(_MAX_NICK_BYTES).decode()
        except (OSError, ValueError):
            return None

    def keep_nick(self, nick: str) -> None:
        """Remember the name that the player goes by: whom others met stays who it was.

        Raises:
            HomeError: it cannot be written.
        """
        if nick != self.nick():
            write_private(self.path / NICK, nick.encode())

    def key_of(self, name: str) -> bytes | None:
        """Return the key that a player of this name had first, None where nobody had it.

        Case and width of letters make no other name.

        Raises:
            HomeError: the file is damaged.
        """
        key = read_players(self.path / PLAYERS).get(kind_of(name))
        return None if key is None else bytes.fromhex(key)

    def meet(self, name: str, key: bytes) -> str | None:
        """Remember a player; return a warning if that name had another key before.

        Raises:
            HomeError: the file is damaged or cannot be written.
        """
        before = self.key_of(name)
        self.meet_all([(name, key)])
        return None if before in (None, key) else other_key_warning(name)

    def meet_all(self, players: Iterable[tuple[str, bytes]]) -> None:
        """Remember players by name, each with the key that the name had first.

        Raises:
            HomeError: the file is damaged or cannot be written.
        """
        path = self.path / PLAYERS
        met = ((kind_of(name), key.hex()) for name, key in players)
        remember(path, read_players(path), met)

    def muted(self) -> frozenset[bytes]:
        """Return the identities of those whose chat the player does not want to see.

        Raises:
            HomeError: the file is damaged.
        """
        if self._muted is None:
            known = read_people(self.path / MUTED)
            self._muted = frozenset(bytes.fromhex(key) for key in known.values())
        return self._muted

    def mute(self, key: bytes, *, muted: bool) -> None:
        """Remember that what the holder of this identity says is not to be seen, or is again.

        Raises:
            HomeError: the file is damaged or cannot be written.
        """
        path = self.path / MUTED
        others = {other: other for other in read_people(path).values() if other != key.hex()}
        if muted:
            remember(path, others, [(key.hex(), key.hex())])
        else:
            write_people(path, others)
        self._muted = None

    def _load_identity(self, passphrase: AskPassphrase | None, seal: bool) -> Identity:
        path = self.path / "identity"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            identity = Identity(Ed25519PrivateKey.generate())
            self._save_identity(identity, passphrase if seal else None)
            return identity
        except OSError as error:
            raise cannot_read(path, error) from None
        if is_sealed(data):
            return Identity.from_private_bytes(unseal(data, passphrase, self.path))
        if len(data) != SECRET_BYTES:
            raise HomeError(
                _("{path} is damaged; move it away to begin with a new identity").format(path=path)
            )
        identity = Identity.from_private_bytes(data)
        if seal:
            self._save_identity(identity, passphrase)
        return identity

    def _save_identity(self, identity: Identity, passphrase: AskPassphrase | None) -> None:
        """Write the identity, sealed if there is a passphrase to ask for."""
        data = identity.private_bytes()
        if passphrase is not None:
            data = seal(data, passphrase)
        write_private(self.path / "identity", data)


def is_used(path: Path) -> bool:
    """Whether another process has a player's folder open."""
    try:
        handle = os.open(path / "lock", os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def found_folder(path: Path, identity: Identity) -> None:
    """Make a player's folder with this identity in it, before anybody opens it.

    Raises:
        HomeError: it cannot be written.
    """
    try:
        path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    write_private(path / "identity", identity.private_bytes())
