"""``p2p-hearts tables``: the tables on this network, live or dead, with rules and free seats."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping

import zmq.asyncio

from p2p_hearts.i18n import _, ngettext
from p2p_hearts.net.addresses import show
from p2p_hearts.net.advert import Found
from p2p_hearts.net.codes import join_code
from p2p_hearts.net.errors import Sentence
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.finding import Live, list_on_lan, nothing_found
from p2p_hearts.ui.tables import seated_sentence
from p2p_hearts.wire.messages import VERSION


def run(arguments: argparse.Namespace) -> int:
    """List tables; return 0, or 3 if there is none, or none that was asked for."""
    heard, problem = asyncio.run(_rows(arguments))
    rows = [row for row in heard if is_wanted(row, arguments.text, arguments.free)]
    if problem is not None and (arguments.json or heard):
        sys.stderr.write(f"{problem}\n")
    if arguments.json:
        sys.stdout.write(json.dumps(rows, indent=2, sort_keys=True) + "\n")
    elif rows:
        for row in rows:
            sys.stdout.write(_line(row) + "\n")
    elif heard:
        sys.stdout.write(
            ngettext(
                "{n} table was heard of, and it is not what you asked for.",
                "{n} tables were heard of, and none of them is what you asked for.",
                len(heard),
            ).format(n=len(heard))
            + "\n"
        )
    else:
        sys.stdout.write(nothing_found(None, arguments.wait, problem=problem) + "\n")
    return 0 if rows else 3


def is_wanted(row: Mapping[str, object], text: str | None, free: bool) -> bool:
    """Whether a table or its host has this in its name and, if asked, one can sit down there."""
    wanted = (text or "").strip().casefold()
    named = any(wanted in str(row[key]).casefold() for key in ("name", "host"))
    sits = row["live"] and row["version"] == VERSION and row["free"] != 0
    return named and (bool(sits) or not free)


async def _rows(
    arguments: argparse.Namespace,
) -> tuple[list[dict[str, object]], Sentence | None]:
    context = zmq.asyncio.Context()
    try:
        tables, problem = await list_on_lan(
            context, interface=arguments.interface, wait=arguments.wait
        )
    finally:
        context.destroy(linger=0)
    return [_row(found, live) for found, live in tables], problem


def _row(found: Found, live: Live | None) -> dict[str, object]:
    advert = found.advert
    row: dict[str, object] = {
        "name": advert.name if live is None else live.name,
        "host": advert.nick if live is None else clean_name(live.card.host),
        "preset": advert.preset,
        "seats": advert.seats,
        "free": advert.free if live is None else live.card.free,
        "live": live is not None,
        "version": advert.version,
        "coded": live is not None and live.card.coded,
        "seated": [] if live is None else list(live.seated),
    }
    if live is not None:
        host, port = live.door
        row["join"] = f"{show(host, port)}#{join_code(live.card.author)}"
    return row


def _line(row: dict[str, object]) -> str:
    state = _("{free} of {seats} seats free").format(free=row["free"], seats=row["seats"])
    if not row["live"]:
        state = _("does not answer")
    elif row["version"] != VERSION:
        state = _("another version ({version})").format(version=row["version"])
    code = ", " + _("asks for a code") if row["coded"] else ""
    names = row["seated"]
    told = ""
    if isinstance(names, list) and names:
        told = f"\n    {seated_sentence(str(row['host']), tuple(names))}"
    join = f"\n    p2p-hearts join {row['join']}" if "join" in row else ""
    return f"{row['name']}  ({row['host']}, {row['preset']}): {state}{code}{told}{join}"
