"""From a node to what a front end shows beside the ``View``: names, stages, checks, waiting."""

from __future__ import annotations

import time

from p2p_hearts.home import HomeError
from p2p_hearts.i18n import N_, _, listed, pgettext
from p2p_hearts.net.names import clean_name, told_apart
from p2p_hearts.node.node import Node
from p2p_hearts.node.watching import WatchingNode
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.rules.texts import describe
from p2p_hearts.table.machine import Table
from p2p_hearts.ui.status import Acquaintance, LobbyStatus, Remark, Status
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Kind

LATE_SECONDS = 3.0
"""The draw takes less than one; who keeps it waiting longer is named."""

STAGES: dict[Kind, str] = {
    Kind.SIT: N_("The players take their seats."),
    Kind.DRAW: N_("Seats and dealer are drawn."),
    Kind.KEY: N_("A new hand: everybody gives a key."),
    Kind.SHUFFLE: N_("The deck is shuffled by everybody in turn."),
    Kind.ESCROW: N_("Everybody leaves a sealed part of its key with the others."),
    Kind.SEALS: N_("The seals are checked."),
    Kind.OPENINGS: N_("The cards of a player who left are opened."),
    Kind.SHARES: N_("The cards are dealt."),
    Kind.PASS_SELECT: N_("Everybody chooses what to pass."),
    Kind.PASS: N_("The cards are passed."),
    Kind.REMASK: N_("The passed cards are hidden again."),
    Kind.OPEN: N_("Who has the opening card plays it."),
    Kind.WIDOW: N_("The widow is opened."),
    Kind.PLAY: N_("The hand is played."),
    Kind.CHOICE: N_("The shooter of the moon chooses."),
    Kind.REVEAL: N_("The hand is over: all secrets are shown and checked."),
}


def names_of(roster: SealedRoster) -> tuple[str, ...]:
    """Return every player's cleaned name by place, no two alike, and none like one's own "You"."""
    plain = [clean_name(entry.nick) or _("Player") for entry in roster.entries]
    return told_apart(plain, (_("You"),))


def seat_names(table: Table) -> tuple[str, ...]:
    """Return every player's name by seat; by place while seats are not drawn."""
    by_place = names_of(table.roster)
    return by_place if table.draw is None else tuple(by_place[p] for p in table.draw.seats)


def status_of(node: Node, invitations: tuple[str, ...] = ()) -> Status | LobbyStatus:
    """Return what a front end shows of this node now."""
    table = _sat_down(node)
    if table is None or table.draw is None:
        return _lobby_status(node, table, invitations)
    return _table_status(node, table)


def _sat_down(node: Node) -> Table | None:
    """Return the table of this node; None while its founder looks for players, or for them anew."""
    table, founder, guest = node.table, node.founder, node.guest
    is_looking = founder is not None and founder.roster is None
    if guest is not None and table is not None and table.draw is None:
        is_looking = len(guest.nicks) < guest.rules.seats
    return None if is_looking else table


def watched_status(node: WatchingNode) -> Status | LobbyStatus:
    """Return what a front end shows to somebody who watches."""
    table, lobby = node.table, node.lobby
    if table is not None and table.draw is not None:
        return _table_status(node, table)
    if lobby is None:
        return LobbyStatus(table_name="", players=(), seats=0, stage=_("Looking for a table."))
    players = tuple(clean_name(nick) or _("Player") for nick in lobby.nicks)
    return LobbyStatus(
        table_name=clean_name(lobby.card.name),
        players=players if table is None else names_of(table.roster),
        seats=lobby.rules.seats,
        rules=tuple(describe(lobby.rules)),
        stage=_("You watch this table. The game has not begun yet.")
        if players
        else _("Asking to watch."),
    )


def _lobby_status(node: Node, table: Table | None, invitations: tuple[str, ...]) -> LobbyStatus:
    lobby = node.founder or node.guest
    if lobby is None:
        return LobbyStatus(table_name="", players=(), seats=0, stage=_("Looking for a table."))
    name = lobby.name if node.founder is not None and lobby is node.founder else ""
    if node.guest is not None:
        name = clean_name(node.guest.card.name)
    players = tuple(clean_name(nick) or _("Player") for nick in lobby.nicks)
    rules: RuleSet = lobby.rules
    stage = _("Waiting for players.")
    if table is not None:
        players = names_of(table.roster)
        stage = _(STAGES[table.history.current.kind])
        late = _late_in_formation(node, table)
        if late and not node.may_form_again:
            stage += " " + _("Waiting for {players}.").format(players=listed(late))
    elif node.guest is not None and not players:
        stage = _("Asking for a seat.")
    if node.table is not None and node.may_form_again:
        stage = fault_sentence(node.table, names_of(node.table.roster))
        stage += " " + _("The host looks for somebody else.")
    ready = () if table is not None else _ready(node, len(players))
    late = [name for name, is_ready in zip(players, ready, strict=False) if not is_ready]
    if late and len(players) == rules.seats:
        stage = _("Waiting until {players} are ready.").format(players=listed(late))
        if len(late) == 1:
            stage = _("Waiting until {player} is ready.").format(player=late[0])
    return LobbyStatus(
        table_name=name,
        players=players,
        seats=rules.seats,
        rules=tuple(describe(rules)),
        invitations=invitations,
        warnings=tuple(node.people.warnings),
        stage=stage,
        ready=ready,
        own_ready=_own_ready(node),
        people=_lobby_people(node, table, players),
    )


def _lobby_people(
    node: Node, table: Table | None, players: tuple[str, ...]
) -> tuple[Acquaintance | None, ...]:
    """Return what is known of who waits: a guest sees its founder's key alone before the roster."""
    seen: list[tuple[str, bytes]] = []
    if table is not None:
        seen = [(item.nick, item.identity) for item in table.roster.entries]
    elif node.founder is not None:
        seen = list(zip(node.founder.nicks, node.founder.identities, strict=True))
    elif node.guest is not None and players:
        seen = [(node.guest.card.host, node.guest.card.author)]
    found = tuple(node.people.known(clean_name(nick), key) for nick, key in seen)
    own = clean_name(node.nick) if players.count(clean_name(node.nick)) == 1 else None
    others = players[len(found) :]
    return (*found, *(Acquaintance.SELF if name == own else None for name in others))


def _ready(node: Node, players: int) -> tuple[bool, ...]:
    """Return who of the players is ready; of a founder's word as many as there are players."""
    told = node.founder.ready if node.founder is not None else ()
    if node.guest is not None:
        told = node.guest.told_ready
    return told if len(told) == players else ()


def _own_ready(node: Node) -> bool | None:
    """Return whether the person is ready; None where that is not asked any more."""
    if node.table is not None or not node.asks_ready:
        return None
    if node.founder is not None:
        return node.founder.ready[0]
    return None if node.guest is None else node.guest.ready


def _late_in_formation(node: Node, table: Table) -> list[str]:
    """Return who keeps the draw from ending, once that is worth a word."""
    if time.monotonic() - node.glance.waiting_since < LATE_SECONDS:
        return []
    names = names_of(table.roster)
    return [names[item.seat] for item in table.waiting() if item.seat != table.place]


def _table_status(node: Node | WatchingNode, table: Table) -> Status:
    names = seat_names(table)
    draw = table.draw
    fault = table.fault
    waiting = table.waiting()
    return Status(
        names=names,
        table_name=clean_name(table.roster.name),
        phrase="" if draw is None else draw.phrase,
        verified=tuple(fact for fact, _word in _verified(table)),
        verified_briefly=tuple(word for _fact, word in _verified(table)),
        history=table.history.head.hex()[:8],
        waiting_for=tuple(sorted({item.seat for item in waiting})),
        may_go_on=table.may_vote_out(),
        waiting_seconds=time.monotonic() - node.glance.waiting_since,
        stage=_(STAGES[table.history.current.kind]),
        fault=None if fault is None else fault_sentence(table, names),
        log_path=None if node.log_path is None else str(node.log_path),
        warnings=(*losses(table), *_warnings(node, table)),
        chat=_remarks(node),
        people=_people(node, table) if isinstance(node, Node) else (),
        finished=table.over or table.stopped_for_good,
    )


def speaker_names(node: Node | WatchingNode) -> dict[bytes, str]:
    """Return how those who may speak in the chat are called, by identity."""
    table, names = node.table, dict[bytes, str]()
    if table is None:
        return names
    places = names_of(table.roster)
    names = {entry.identity: places[at] for at, entry in enumerate(table.roster.entries)}
    if isinstance(node, Node) and node.company is not None:
        watching = [item for item in node.company.nicks.items() if item[0] not in names]
        plain = [clean_name(said) or _("Watcher") for _identity, said in watching]
        shown = [_("{name} (watching)").format(name=nick) for nick in plain]
        apart = told_apart(shown, places)
        names.update(zip((identity for identity, _said in watching), apart, strict=True))
    return names


def _remarks(node: Node | WatchingNode) -> tuple[Remark, ...]:
    """Return the last lines of chat, but those of muted people."""
    chat = node.chat
    if chat is None or not chat.lines:
        return ()
    names, own = speaker_names(node), node.home.identity.public
    try:
        muted = node.home.muted()
    except HomeError:
        # Said where somebody is muted; until it is mended everybody is shown.
        muted = frozenset()
    return tuple(
        Remark(
            line.number,
            _("You") if line.author == own else names.get(line.author, _("Somebody who watches")),
            line.text,
        )
        for line in chat.lines
        if line.author not in muted
    )


def losses(table: Table) -> tuple[str, ...]:
    """Say what it means if this hand cannot be ended, or its secret is lost here."""
    if table.hand is None or table.over:
        return ()
    if table.course.lacking:
        names = seat_names(table)
        return (
            _(
                "This hand lacks two players or more ({players}), and a hand can be ended without "
                "one player only. This table goes no further; the hands before this one count. To "
                "play on, open a new table."
            ).format(players=listed([names[seat] for seat in sorted(table.course.lacking)])),
        )
    if not table.hand.lost:
        return ()
    return (
        _(
            "The secret of this hand is lost on this computer, so the hand goes on without you: "
            "your cards lie open and play themselves. You play again from the next hand on."
        ),
    )


def _warnings(node: Node | WatchingNode, table: Table) -> tuple[str, ...]:
    """Say what is wrong with the others' keys, or whose word a watcher no longer takes."""
    if isinstance(node, Node):
        return tuple(node.people.warnings)
    names = names_of(table.roster)
    return tuple(
        _(
            "{player} has signed something else for you than for the others. You follow the game "
            "again from its start, by what the others say."
        ).format(player=names[place])
        for place, entry in enumerate(table.roster.entries)
        if entry.curve in node.unheard
    )


def _people(node: Node, table: Table) -> tuple[Acquaintance, ...]:
    """Return what is known of the key in each seat."""
    entries = table.roster.entries
    seated = entries if table.draw is None else [entries[place] for place in table.draw.seats]
    return tuple(node.people.known(clean_name(entry.nick), entry.identity) for entry in seated)


def fault_sentence(table: Table, names: tuple[str, ...]) -> str:
    """Return the sentence about a proven fault, with the player's name."""
    fault = table.fault
    if fault is None:
        return ""
    by_place = names_of(table.roster)
    name = by_place[fault.seat] if fault.hand == 0 else names[fault.seat]
    return fault.sentence(name)


def _verified(table: Table) -> list[tuple[str, str]]:
    """Return what was verified of this hand so far: each fact, and a word for it."""
    hand = table.hand
    if hand is None:
        return []
    facts = []
    if hand.facts.shared:
        told = _("shuffle verified by all {seats}").format(seats=hand.facts.seats)
        facts.append((told, pgettext("verified", "shuffle")))
    if hand.facts.remasked or (hand.facts.shared and not hand.facts.passes):
        facts.append((_("hands proven"), pgettext("verified", "hands")))
    if any(side.opened for side in hand.sides):
        facts.append((_("every play proven"), pgettext("verified", "plays")))
    return facts
