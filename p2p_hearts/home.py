"""The player's own folder: identity, hand secrets, games (protocol/SPEC.md section 3).

    HOME/identity            Ed25519 private key, 32 bytes, 0600
    HOME/lock                held by the one process that may sign with it
    HOME/secrets/            one file a secret, 0600, erased when its hand is revealed
    HOME/games/*.hearts      logs
    HOME/seats/*.json        places at tables that are not over, 0600
    HOME/players.json        keys and names of players met

Secrets come from the operating system and are on disk before anybody hears of them.

Errors: ``HomeError`` with what to do.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from platformdirs import user_data_path

from p2p_hearts.wire.envelope import Identity, digest

SECRET_BYTES = 32
_PRIVATE_FILE = 0o600
_PRIVATE_FOLDER = 0o700


class HomeError(Exception):
    """The folder cannot be used; the text says what to do."""


class Home:
    """A player's folder, locked by this process until ``close``."""

    def __init__(self, path: Path | None = None) -> None:
        """Open or make the folder.

        Raises:
            HomeError: it cannot be written, is damaged, or another process uses it.
        """
        self.path = path or user_data_path("p2p-hearts", appauthor=False)
        try:
            for name in ("", "secrets", "games", "seats"):
                folder = self.path / name
                folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, _PRIVATE_FILE)
        except OSError as error:
            raise HomeError(
                f"the folder {self.path} cannot be used: {error.strerror}; "
                "choose another one with --home DIR"
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise HomeError(
                f"another p2p-hearts is using {self.path}; "
                "end it, or play as somebody else with --home DIR"
            ) from None
        try:
            self.identity = self._load_identity()
        except HomeError:
            self.close()
            raise
        self.secrets = SecretStore(self.path / "secrets")

    @property
    def games(self) -> Path:
        """Where logs are kept."""
        return self.path / "games"

    def keep_seat(self, seat: Seat) -> None:
        """Remember a place at a table durably, before anything is said there."""
        values = {
            "roster": seat.roster.hex(),
            "log": seat.log,
            "curve": seat.curve.hex(),
            "port": seat.port,
        }
        _write_private(self._seat_path(seat.roster), json.dumps(values).encode())

    def forget_seat(self, roster: bytes) -> None:
        """Forget a place at a table that is over."""
        self._seat_path(roster).unlink(missing_ok=True)

    def seats(self) -> tuple[Seat, ...]:
        """Return the places at tables that are not over, the latest first.

        Raises:
            HomeError: one of the files is damaged.
        """
        paths = sorted((self.path / "seats").glob("*.json"), key=lambda path: path.stat().st_mtime)
        return tuple(_read_seat(path) for path in reversed(paths))

    def _seat_path(self, roster: bytes) -> Path:
        return self.path / "seats" / f"{digest('seat file', roster).hex()[:32]}.json"

    def close(self) -> None:
        """Release the folder to other processes."""
        os.close(self._lock)

    def meet(self, name: str, key: bytes) -> str | None:
        """Remember a player; return a warning if that name had another key before.

        Raises:
            HomeError: the file is damaged or cannot be written.
        """
        path = self.path / "players.json"
        known = _read_players(path)
        before = known.get(name)
        if before == key.hex():
            return None
        if before is None:
            known[name] = key.hex()
            _write_private(path, json.dumps(known, indent=1, sort_keys=True).encode())
            return None
        return (
            f"The player called {name} has another key than the {name} you met before: "
            "compare the table phrase by voice before you trust it."
        )

    def _load_identity(self) -> Identity:
        path = self.path / "identity"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            identity = Identity(Ed25519PrivateKey.generate())
            _write_private(path, identity.private_bytes())
            return identity
        except OSError as error:
            raise HomeError(f"{path} cannot be read: {error.strerror}") from None
        if len(data) != SECRET_BYTES:
            raise HomeError(f"{path} is damaged; move it away to begin with a new identity")
        return Identity.from_private_bytes(data)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table that is not over: what a peer needs to come back to it."""

    roster: bytes
    """The roster's envelope."""
    log: str
    """Name of the log in ``HOME/games``."""
    curve: bytes = field(repr=False)
    """Secret half of the link key, which the others dial this peer by."""
    port: int
    """Where the table socket listened: the others keep dialling it."""


def _read_seat(path: Path) -> Seat:
    try:
        values = json.loads(path.read_bytes())
        return Seat(
            roster=bytes.fromhex(values["roster"]),
            log=Path(values["log"]).name,
            curve=bytes.fromhex(values["curve"]),
            port=int(values["port"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise HomeError(f"{path} is damaged; move it away") from None


def _read_players(path: Path) -> dict[str, str]:
    """Return the key of every known name; a damaged file would make every warning silent."""
    try:
        known = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        known = None
    if not isinstance(known, dict) or not all(isinstance(key, str) for key in known.values()):
        raise HomeError(f"{path} is damaged, so known players cannot be told; move it away")
    return known


class SecretStore:
    """Secrets by purpose, each durable before it is returned and the same until forgotten.

    Raises ``HomeError`` where a file is damaged or cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        """Keep secrets in this folder."""
        self._folder = folder

    def nonce(self, roster: bytes) -> bytes:
        """Return the nonce for the draw over a roster."""
        return self._get("nonce", roster)

    def table_key(self, instance: bytes) -> bytes:
        """Return the secret that the table key is derived from."""
        return self._get("table-key", instance)

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        """Return the secret z of one attempt at a hand; ``LookupError`` if it is lost."""
        parts = (table, hand.to_bytes(4, "big"), attempt.to_bytes(4, "big"))
        if not fresh and not self._path("hand", *parts).exists():
            raise LookupError(f"the secret of hand {hand} is not in {self._folder}")
        return self._get("hand", *parts)

    def forget(self, table: bytes, hand: int, attempt: int) -> None:
        """Erase the secret of a hand that was revealed."""
        self._forget("hand", table, hand.to_bytes(4, "big"), attempt.to_bytes(4, "big"))

    def forget_table(self, instance: bytes, rosters: list[bytes]) -> None:
        """Erase what belonged to a table that is over."""
        self._forget("table-key", instance)
        for roster in rosters:
            self._forget("nonce", roster)

    def _path(self, purpose: str, *parts: bytes) -> Path:
        return self._folder / digest(f"secret file {purpose}", *parts).hex()[:32]

    def _get(self, purpose: str, *parts: bytes) -> bytes:
        path = self._path(purpose, *parts)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            data = secrets.token_bytes(SECRET_BYTES)
            _write_private(path, data)
        if len(data) != SECRET_BYTES:
            # Files appear whole or not at all; another secret in its place would be a second story.
            raise HomeError(f"{path} is damaged, so this hand cannot go on from here")
        return data

    def _forget(self, purpose: str, *parts: bytes) -> None:
        path = self._path(purpose, *parts)
        try:
            with path.open("r+b") as file:
                file.write(bytes(SECRET_BYTES))
                file.flush()
                os.fsync(file.fileno())
            path.unlink()
        except FileNotFoundError:
            pass


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all, durably.

    Raises:
        HomeError: it cannot be written.
    """
    try:
        _write_durably(path, data)
    except OSError as error:
        raise HomeError(f"{path} cannot be written: {error.strerror}") from None


def _write_durably(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
