"""The player's own folder: identity, hand secrets, games (protocol/SPEC.md section 3).

    HOME/identity            Ed25519 private key, 0600: 32 bytes, or sealed with a passphrase
    HOME/lock                held by the one process that may sign with it
    HOME/secrets/            one file a secret, 0600, erased when its hand is revealed
    HOME/games/*.hearts      logs
    HOME/seats/*.json        places at tables that are not over, 0600
    HOME/players.json        keys and names of players met

Secrets come from the operating system and are on disk before anybody hears of them.

Errors: ``HomeError`` with what to do.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from platformdirs import user_data_path

from p2p_hearts.i18n import _, os_reason
from p2p_hearts.wire.envelope import Identity, digest

SECRET_BYTES = 32
_PRIVATE_FILE = 0o600
_PRIVATE_FOLDER = 0o700
MUTED = "muted.json"
"""Who is not to be seen in the chat."""

_MAX_PLAYERS = 500
"""Players remembered: hosts that seat ever new names push out old ones, and fill no disk."""

_SEALED = b"p2p-hearts sealed identity 1\n"
_SALT_BYTES = 16
_NONCE_BYTES = 12
_SEALED_BYTES = len(_SEALED) + _SALT_BYTES + _NONCE_BYTES + SECRET_BYTES + 16
_SCRYPT_N = 2**15
"""With r = 8, one guess takes 32 MiB and about a tenth of a second."""

AskPassphrase = Callable[[], str]
"""Asks for the passphrase; what it raises goes through."""


class HomeError(Exception):
    """The folder cannot be used; the text says what to do."""


class FullError(HomeError):
    """A file cannot be written, as on a full disk."""


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
                folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, _PRIVATE_FILE)
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
        values = {
            "roster": seat.roster.hex(),
            "log": seat.log,
            "curve": seat.curve.hex(),
            "port": seat.port,
            "code": seat.code,
            "door": seat.door,
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

    def key_of(self, name: str) -> bytes | None:
        """Return the key that a player of this name had first, None where nobody had it.

        Raises:
            HomeError: the file is damaged.
        """
        key = _read_players(self.path / "players.json").get(name)
        return None if key is None else bytes.fromhex(key)

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
            kept = dict(list(known.items())[1 - _MAX_PLAYERS :])
            kept[name] = key.hex()
            _write_private(path, json.dumps(kept, indent=1).encode())
            return None
        return _(
            "WARNING: this {player} has another key than the {player} you met before. Compare the "
            "table phrase by voice before you trust it."
        ).format(player=name)

    def muted(self) -> frozenset[bytes]:
        """Return the identities of those whose chat the player does not want to see.

        Raises:
            HomeError: the file is damaged.
        """
        if self._muted is None:
            known = _read_players(self.path / MUTED)
            self._muted = frozenset(bytes.fromhex(key) for key in known.values())
        return self._muted

    def mute(self, key: bytes, *, muted: bool) -> None:
        """Remember that what the holder of this identity says is not to be seen, or is again.

        Raises:
            HomeError: the file is damaged or cannot be written.
        """
        path = self.path / MUTED
        known = {other: other for other in _read_players(path).values() if other != key.hex()}
        kept = dict(list(known.items())[1 - _MAX_PLAYERS :])
        if muted:
            kept[key.hex()] = key.hex()
        _write_private(path, json.dumps(kept, indent=1).encode())
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
            raise HomeError(
                _("{path} cannot be read: {reason}").format(path=path, reason=os_reason(error))
            ) from None
        if len(data) == _SEALED_BYTES and data.startswith(_SEALED):
            return self._unseal(data, passphrase)
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
            word = passphrase()
            if not word:
                raise HomeError(_("an empty passphrase protects nothing; choose another one"))
            salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(_NONCE_BYTES)
            cipher = ChaCha20Poly1305(_stretch(word, salt))
            data = _SEALED + salt + nonce + cipher.encrypt(nonce, data, _SEALED)
        _write_private(self.path / "identity", data)

    def _unseal(self, data: bytes, passphrase: AskPassphrase | None) -> Identity:
        if passphrase is None:
            raise HomeError(
                _("the identity in {path} is sealed with a passphrase").format(path=self.path)
            )
        rest = data[len(_SEALED) :]
        salt, rest = rest[:_SALT_BYTES], rest[_SALT_BYTES:]
        nonce, sealed = rest[:_NONCE_BYTES], rest[_NONCE_BYTES:]
        try:
            plain = ChaCha20Poly1305(_stretch(passphrase(), salt)).decrypt(nonce, sealed, _SEALED)
        except InvalidTag:
            raise HomeError(
                _("this is not the passphrase of the identity in {path}; try again").format(
                    path=self.path
                )
            ) from None
        return Identity.from_private_bytes(plain)


def _stretch(passphrase: str, salt: bytes) -> bytes:
    """Return the key that a passphrase makes (scrypt, RFC 7914)."""
    kdf = Scrypt(salt=salt, length=32, n=_SCRYPT_N, r=8, p=1)
    return kdf.derive(passphrase.encode("utf-8", "surrogateescape"))


def found_folder(path: Path, identity: Identity) -> None:
    """Make a player's folder with this identity in it, before anybody opens it.

    Raises:
        HomeError: it cannot be written.
    """
    path.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
    _write_private(path / "identity", identity.private_bytes())


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
    code: str = field(default="", repr=False)
    """Of a founder: the secret part of the join code, for those who come to watch."""
    door: int = 0
    """Of a founder: the port of its card door."""


def _read_seat(path: Path) -> Seat:
    try:
        values = json.loads(path.read_bytes())
        return Seat(
            roster=bytes.fromhex(values["roster"]),
            log=Path(values["log"]).name,
            curve=bytes.fromhex(values["curve"]),
            port=int(values["port"]),
            code=str(values["code"]),
            door=int(values["door"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise HomeError(_("{path} is damaged; move it away").format(path=path)) from None


def _read_players(path: Path) -> dict[str, str]:
    """Return the key of every known name; a damaged file would make every warning silent."""
    try:
        known = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        known = None
    if not isinstance(known, dict) or not all(_is_hex(key) for key in known.values()):
        raise HomeError(
            _("{path} is damaged, so known players cannot be told; move it away").format(path=path)
        )
    return known


def _is_hex(value: object) -> bool:
    return isinstance(value, str) and len(value) % 2 == 0 and not value.strip("0123456789abcdef")


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
            raise HomeError(
                _("{path} is damaged, so this hand cannot go on from here").format(path=path)
            )
        return data

    def _forget(self, purpose: str, *parts: bytes) -> None:
        """Overwrite a secret and remove it; one that cannot be overwritten is removed all the same.

        A game does not stop here: what an error leaves behind, its owner alone may read.
        """
        path = self._path(purpose, *parts)
        with contextlib.suppress(OSError), path.open("r+b") as file:
            file.write(bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all, durably.

    Raises:
        HomeError: it cannot be written.
    """
    try:
        _write_durably(path, data)
    except OSError as error:
        raise FullError(
            _("{path} cannot be written: {reason}").format(path=path, reason=os_reason(error))
        ) from None


def _write_durably(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
    try:
        try:
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
