"""What a person types into the chat: a line for everybody, or who is to be muted.

Muted people are remembered by their key, in the player's folder; what they say is not shown here,
and goes its way to the others.
"""

from __future__ import annotations

from p2p_hearts.home import HomeError
from p2p_hearts.i18n import _, listed
from p2p_hearts.net.names import clean_name
from p2p_hearts.node.chat import MAX_LINE
from p2p_hearts.node.node import Node
from p2p_hearts.node.status import speaker_names
from p2p_hearts.node.watching import WatchingNode

MUTE, UNMUTE, MUTED = "/mute", "/unmute", "/muted"


def talk(node: Node | WatchingNode, text: str) -> str | None:
    """Say a line, or mute somebody; return what to tell the person, None for nothing."""
    word, _space, name = text.strip().partition(" ")
    try:
        if word in (MUTE, UNMUTE) and name.strip():
            return _mute(node, name, muted=word == MUTE)
        if word == MUTED:
            return _muted(node)
    except HomeError as error:
        return f"{error}."
    return node.say(text)


def _mute(node: Node | WatchingNode, name: str, *, muted: bool) -> str:
    name = clean_name(name, limit=2 * MAX_LINE)
    wanted = name.casefold()
    found = [key for key, known in speaker_names(node).items() if known.casefold() == wanted]
    if not found:
        return _("Nobody here is called {name}.").format(name=name)
    node.home.mute(found[0], muted=muted)
    if muted:
        return _("You no longer see what {name} says.").format(name=name)
    return _("You see again what {name} says.").format(name=name)


def _muted(node: Node | WatchingNode) -> str:
    muted = node.home.muted()
    names = [name for key, name in speaker_names(node).items() if key in muted]
    return _("Muted here: {names}.").format(names=listed(names)) if names else _("Nobody is muted.")
