"""Somebody on the LAN who announces tables that are none: ``python -m tests.lan.forger ADDRESS``.

Stale ones, ones with wrong fields, ones at dead addresses or at a port that talks nonsense, all
called as the true one; and multicast packets of random bytes. Ends with its input.
"""

from __future__ import annotations

import ipaddress
import random
import socket
import sys
import threading

from zeroconf import IPVersion, ServiceInfo, Zeroconf

from p2p_hearts.net.discovery import SERVICE

GROUP = ("224.0.0.251", 5353)


def forge(address: str, port: int) -> list[ServiceInfo]:
    """Return records that are wrong in one way or another."""
    true = {"id": "ab" * 32, "name": "Sunday", "nick": "Ana", "v": "1"}
    true |= {"rules": "black-lady", "seats": "4", "free": "3"}
    dead = [f"{address.rpartition('.')[0]}.{number}" for number in (77, 88, 99)]
    kinds: list[tuple[dict[str, str], list[str], int]] = [
        (true, [address], port),
        (true, dead, 7766),
        (true, [*dead, address], port),
        ({**true, "v": "9999"}, [address], port),
        ({**true, "name": "Sun\u202eday\n"}, [address], port),
        ({**true, "free": "-1"}, [address], port),
        ({"id": "x"}, [address], port),
        ({}, [address], 1),
    ]
    found = []
    for number in range(24):
        texts, addresses, at = kinds[number % len(kinds)]
        packed = [ipaddress.ip_address(item).packed for item in addresses]
        label = f"forged-{number}"
        found.append(
            ServiceInfo(
                SERVICE,
                f"{label}.{SERVICE}",
                port=at,
                server=f"{label}.local.",
                addresses=packed,
                properties=texts,
            )
        )
    return found


def talk_nonsense(server: socket.socket) -> None:
    """Answer everybody with random bytes, and keep the line."""
    held = []
    while True:
        line, _ = server.accept()
        line.sendall(random.randbytes(300))
        held.append(line)


def main() -> None:
    """Announce until the input ends."""
    address = sys.argv[1]
    server = socket.create_server((address, 0))
    threading.Thread(target=talk_nonsense, args=(server,), daemon=True).start()
    speaker = Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only)
    for info in forge(address, server.getsockname()[1]):
        speaker.register_service(info, cooperating_responders=True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as noise:
        noise.setsockopt(
            socket.IPPROTO_IP, socket.IP_MULTICAST_IF, ipaddress.ip_address(address).packed
        )
        for _ in range(500):
            noise.sendto(random.randbytes(random.randrange(1, 900)), GROUP)
    print("forged", flush=True)
    sys.stdin.read()
    speaker.close()


if __name__ == "__main__":
    main()
