from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence

import pytest
from zeroconf.asyncio import AsyncZeroconf

from p2p_hearts.net import discovery, doctor
from p2p_hearts.net.addresses import LocalAddress
from p2p_hearts.net.doctor import Finding, Level, diagnose
from tests.net.helpers import HOST, PATIENCE, free_ports


def said(findings: Sequence[Finding], part: str) -> Finding:
    """Return the one finding whose sentence has ``part``."""
    (finding,) = (f for f in findings if part in str(f.sentence))
    return finding


@pytest.mark.usefixtures("multicast")
def test_doctor__looks_at_everything_and_advises_only_what_is_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "ANSWER_SECONDS", PATIENCE)
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        held = taken.getsockname()[1]
        (free,) = free_ports(1)
        findings = asyncio.run(diagnose(interface=HOST, ports=[held, free], wait=PATIENCE))
    assert said(findings, "libzmq").level is Level.OK
    assert said(findings, "CURVE").level is Level.OK
    assert said(findings, f"Port {free} is free").level is Level.OK
    assert said(findings, "can be reached at 127.0.0.1").level is Level.OK
    assert said(findings, "Encrypted links work").level is Level.OK
    assert said(findings, "hearing of them works on lo").level is Level.OK
    problems = [f for f in findings if f.level is Level.PROBLEM]
    assert {str(f.sentence) for f in problems} == {
        "Addresses of this machine: lo 127.0.0.1.",
        f"Port {held} is already taken on this machine.",
    }
    assert all(str(f.advice) for f in problems)


def test_doctor__says_when_no_announcement_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(chosen: object) -> AsyncZeroconf:
        raise OSError("blocked")

    monkeypatch.setattr(discovery, "_open", deaf)
    findings = asyncio.run(diagnose(interface=HOST, wait=0.3))
    finding = said(findings, "was not heard")
    assert finding.level is Level.PROBLEM
    assert "5353" in str(finding.advice)
    assert "join HOST:PORT#CODE" in str(finding.advice)


def test_doctor__says_when_there_is_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(interface: str | None = None) -> tuple[LocalAddress, ...]:
        return ()

    monkeypatch.setattr(doctor, "local_addresses", nothing)
    findings = asyncio.run(diagnose())
    assert findings[-1].level is Level.PROBLEM
    assert "no network" in str(findings[-1].advice)


def test_doctor__says_when_others_cannot_be_told_any_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cable with IPv6 alone, and the addresses that machines give themselves."""
    own = (LocalAddress("eth0", "fe80::1%eth0", 2), LocalAddress("lo", HOST, 1))
    finding = doctor._interfaces(own)
    assert finding.level is Level.PROBLEM
    assert "eth0 fe80::1%eth0" in str(finding.sentence)
    assert "Switch on IPv4 on every computer" in str(finding.advice)
    told = (LocalAddress("eth0", "169.254.3.4", 2), *own)
    assert doctor._interfaces(told).level is Level.OK


def test_doctor__an_unknown_interface_is_a_finding() -> None:
    findings = asyncio.run(diagnose(interface="nowhere0"))
    assert findings[-1].level is Level.PROBLEM
    assert "no network interface nowhere0" in str(findings[-1].sentence)
