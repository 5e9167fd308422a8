"""From strangers to a table: who sits there, and links to them (6.7, 8.1, 8.2)."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator
from typing import NamedTuple

import zmq
from zmq.utils import z85

from protocol import verify
from protocol.verify import Value

JOIN, NEWS, FRAME, WHEREABOUTS = 1, 2, 3, 4
AGAIN = 2.0
"""Seconds after which a guest asks once more for its seat (8.2)."""
PATIENCE = 120.0
"""Seconds after which this peer gives up where it waits in vain."""
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class GaveUpError(Exception):
    """This peer goes no further; the text says why."""


class Seal(NamedTuple):
    """A public key and its signature over a struct."""

    author: bytes
    envelope: bytes


def sealed(private: bytes, name: str, domain: str, value: Value) -> Seal:
    """An envelope (6.2) around a struct, signed in a domain."""
    content = verify.encode(name, value)
    author, signature = verify.sign(private, verify.digest(f"sign {domain}", content))
    return Seal(author, verify.encode("Envelope", {"content": content, "signature": signature}))


class Roster(NamedTuple):
    """Who sits at the table: places with the CURVE key and an address of each."""

    envelope: bytes
    instance: bytes
    opened: verify.Roster
    curves: list[bytes]
    addresses: list[tuple[str, int]]


class Keys:
    """What this peer is known by; all of it secret but `author` and `curve`."""

    def __init__(self) -> None:
        self.private = secrets.token_bytes(32)
        self.author, _ = verify.sign(self.private, b"")
        self.curve, self.curve_secret = zmq.curve_keypair()
        self.table_secret = secrets.token_bytes(32)


class Links:
    """The table socket, which hears, and one socket to each peer, which sends (6.7)."""

    def __init__(self, keys: Keys, host: str) -> None:
        self.keys = keys
        self.context = zmq.Context()
        self.context.linger = 0
        self.admitted: set[bytes] = set()
        self.out: dict[bytes, zmq.Socket[bytes]] = {}
        self.doorkeeper = self.context.socket(zmq.REP)
        self.doorkeeper.bind("inproc://zeromq.zap.01")
        self.table = self.context.socket(zmq.ROUTER)
        self.table.curve_server = True
        self.table.curve_publickey = keys.curve
        self.table.curve_secretkey = keys.curve_secret
        self.table.maxmsgsize = 160 * 1024
        self.address = (host, self.table.bind_to_random_port(f"tcp://{host}"))
        self.poller = zmq.Poller()
        self.poller.register(self.doorkeeper, zmq.POLLIN)
        self.poller.register(self.table, zmq.POLLIN)

    def dial(self, curve: bytes, host: str, port: int) -> zmq.Socket[bytes]:
        """A socket to one peer: whoever answers there must hold this key."""
        socket = self.context.socket(zmq.DEALER)
        socket.curve_serverkey = curve
        socket.curve_publickey = self.keys.curve
        socket.curve_secretkey = self.keys.curve_secret
        socket.connect(f"tcp://{host}:{port}")
        return socket

    def hear(self, seconds: float) -> Iterator[tuple[bytes, int, bytes]]:
        """What arrives: the sender's CURVE key, the first byte, the struct's bytes."""
        ready = dict(self.poller.poll(max(0, int(seconds * 1000))))
        if self.doorkeeper in ready:
            self._answer_doorkeeper()
        while self.table in ready:
            try:
                parts = self.table.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            sender, data = parts[-1].get("User-Id"), parts[-1].bytes
            if len(parts) == 2 and data and isinstance(sender, str):
                yield sender.encode(), data[0], data[1:]

    def _answer_doorkeeper(self) -> None:
        """Let in the keys that are admitted, and name each link by its key (ZeroMQ's ZAP)."""
        version, request, _, _, _, mechanism, *credentials = self.doorkeeper.recv_multipart()
        curve = z85.encode(credentials[0]) if mechanism == b"CURVE" else b""
        known = curve in self.admitted
        answer = (b"200", b"OK", curve) if known else (b"400", b"not admitted", b"")
        self.doorkeeper.send_multipart([version, request, *answer, b""])

    def send(self, to: bytes, kind: int, data: bytes) -> None:
        self.out[to].send(bytes([kind]) + data)

    def close(self) -> None:
        """Hang up, once what was sent last has left."""
        self.context.destroy(linger=5000)


def join_code(author: bytes) -> str:
    """The letters that name a founder (8.5)."""
    data = hashlib.blake2b(author, digest_size=8, person=b"p2p-hearts code").digest()
    bits = int.from_bytes(data, "big") >> 4
    return "".join(LETTERS[bits >> shift & 31] for shift in range(55, -1, -5))


def table_card(links: Links, host: str, port: int) -> Value:
    """What a table's door says of it (6.7)."""
    with links.context.socket(zmq.REQ) as door:
        door.connect(f"tcp://{host}:{port}")
        door.send(b"p2p-hearts card 1")
        if not door.poll(int(PATIENCE * 1000)):
            raise GaveUpError("nobody answers at this door")
        return verify.opened_lobby(door.recv(), "TableCard", "card")


def hello(links: Links, card: Value, nick: str) -> bytes:
    """This peer's hello, with its table key and the proof of it (7.2, 8.1)."""
    keys = links.keys
    table_key, proof = verify.make_table_key(
        keys.table_secret, card["instance"], keys.author, keys.curve
    )
    said = {
        "version": 1,
        "instance": card["instance"],
        "author": keys.author,
        "curve": keys.curve,
        "nick": nick,
        "addresses": [list(links.address)],
        "table_key": table_key,
        "table_proof": proof,
    }
    return sealed(keys.private, "Hello", "hello", said).envelope


class Guest:
    """One that asks a founder for a seat, at HOST:PORT#CODE (8.2, 8.5)."""

    def __init__(self, links: Links, address: str, nick: str) -> None:
        place, _, code = address.replace("-", "").partition("#")
        host, _, port = place.rpartition(":")
        self.card = table_card(links, host, int(port))
        if code and not code.startswith(join_code(self.card["author"])):
            raise GaveUpError("this table is another founder's than the code says")
        self.own = hello(links, self.card, nick)
        self.join = {"hello": self.own, "code": code[12:], "leaving": False, "ready": True}
        self.formation = 0
        self._asked = 0.0
        links.admitted = {self.card["curve"]}
        self._lobby = links.dial(self.card["curve"], host, self.card["lobby"])

    def ask(self) -> None:
        """Say that this guest is here, if it is time again."""
        if time.monotonic() >= self._asked + AGAIN:
            self._lobby.send(bytes([JOIN]) + verify.encode("Join", self.join))
            self._asked = time.monotonic()

    def take(self, sender: bytes, kind: int, data: bytes) -> Roster | None:
        """A roster of a higher formation than any before, if this brings one."""
        if kind != NEWS or sender != self.card["curve"]:
            return None
        news = verify.decoded("News", data)
        if news["refused"] and not self.formation:
            raise GaveUpError(f"no seat: {news['refused']}")
        if not news["roster"]:
            return None
        roster = accepted(news["roster"], self.card, self.own)
        if roster.opened.formation <= self.formation:
            return None
        self.formation = roster.opened.formation
        return roster


def sit_down(links: Links, guest: Guest) -> Roster:
    """Ask until the founder sends a roster."""
    began = time.monotonic()
    while time.monotonic() < began + PATIENCE:
        guest.ask()
        for heard in links.hear(0.1):
            roster = guest.take(*heard)
            if roster is not None:
                return roster
    raise GaveUpError("no roster came")


def accepted(envelope: bytes, card: Value, own: bytes) -> Roster:
    """A roster that holds (V85 to V91), of this card, with the own hello in it (8.2)."""
    opened = verify.opened_roster(envelope)
    said = verify.opened_lobby(envelope, "Roster", "roster")
    if said["author"] != card["author"] or said["instance"] != card["instance"]:
        raise GaveUpError("a roster of another table")
    if said["rules"] != card["rules"] or own not in said["entries"]:
        raise GaveUpError("a roster with other rules, or without this player")
    hellos = [verify.opened_lobby(item, "Hello", "hello") for item in said["entries"]]
    addresses = [(entry["addresses"][0][0], entry["addresses"][0][1]) for entry in hellos]
    return Roster(
        envelope, said["instance"], opened, [entry["curve"] for entry in hellos], addresses
    )


def link_up(links: Links, roster: Roster) -> None:
    """Let in everybody who sits there, and dial them; hang up on those of an earlier roster."""
    links.admitted = set(roster.curves)
    for curve in list(links.out):
        links.out.pop(curve).close()
    for curve, (host, port) in zip(roster.curves, roster.addresses, strict=True):
        if curve != links.keys.curve:
            links.out[curve] = links.dial(curve, host, port)
