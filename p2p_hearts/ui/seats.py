"""The middle of the table: the others around it, and the trick in the centre.

The person sits South; the seat at the left hand is drawn at the left. Three to six seats get a
place around the table, more (or too little room) a list with everything in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_hearts.i18n import N_, _, pgettext
from p2p_hearts.rules.cards import Card
from p2p_hearts.rules.trick import Plays, Trick, uncancelled
from p2p_hearts.rules.view import Phase
from p2p_hearts.ui.canvas import Canvas, Line
from p2p_hearts.ui.hand import FACE_COLUMNS, CardSize, draw_card
from p2p_hearts.ui.scene import TableScene
from p2p_hearts.ui.scores import points_so_far, taken_text
from p2p_hearts.ui.sentences import taken_sentence
from p2p_hearts.ui.styles import suit_style
from p2p_hearts.ui.words import card_text, cards_count, clip, width

BLOCK_ROWS = 3
"""Rows of what is told about one seat: name and roles, cards and points, penalty cards."""

LEAST_COLUMNS = 52
"""Columns without which seats are listed, not drawn around the table."""

_TO_PLAY = N_("to play")
_READY = N_("ready")

_SEATED = 6
"""Most seats that are drawn around the table."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the screen, in cells."""

    column: int
    row: int
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The trick that lies on the table: the one being played, or the last one until then."""

    cards: Plays
    finished: Trick | None


def shown_trick(scene: TableScene) -> Shown:
    """Return the trick to draw."""
    play = scene.view.play
    if play is None:
        return Shown((), None)
    if play.trick or not play.tricks:
        return Shown(play.trick, None)
    return Shown(play.tricks[-1].cards, play.tricks[-1])


def draw_seats(canvas: Canvas, scene: TableScene, area: Area) -> None:
    """Draw the others and the trick; the person's own line is drawn elsewhere."""
    size = card_size(area)
    room = BLOCK_ROWS + 3 * size + 1
    if scene.view.rules.seats > _SEATED or area.columns < LEAST_COLUMNS or area.rows < room:
        _draw_list(canvas, scene, area)
    else:
        _draw_around(canvas, scene, area, size)


def card_size(area: Area) -> CardSize:
    """Return the largest cards that the trick can be laid out with."""
    for size in (CardSize.LARGE, CardSize.MEDIUM):
        if area.rows >= BLOCK_ROWS + 3 * size + 1 and area.columns >= LEAST_COLUMNS:
            return size
    return CardSize.TEXT


def trick_sentence(scene: TableScene) -> str:
    """Return who took the trick that still lies there; "" while one is being played."""
    trick = shown_trick(scene).finished
    return "" if trick is None else taken_sentence(scene.view, scene.status, trick)


def seat_lines(scene: TableScene, seat: int, room: int = 80) -> tuple[Line, Line, Line]:
    """Return what is told about a seat: name and roles; cards and points; penalty cards taken.

    Within `room` columns, as far as the name can give way.
    """
    view, glyphs = scene.view, scene.glyphs
    play = None if view.phase in (Phase.HAND_OVER, Phase.MATCH_OVER) else view.play
    turn = play is not None and view.phase is Phase.PLAY and play.turn == seat
    leads = play is not None and play.leader == seat and view.phase is Phase.PLAY
    roles = [word for word, true in (
        (pgettext("seat", "dealer"), view.dealer == seat and view.phase is not Phase.MATCH_OVER),
        (pgettext("seat", "leader"), leads),
        (_(_TO_PLAY), turn),
        (_(_READY), has_passed(scene, seat)),
    ) if true]  # fmt: skip
    name = ("class:seat.turn", f"{glyphs.turn} {scene.name(seat)}") if turn else (
        "class:seat.name", scene.name(seat)
    )  # fmt: skip
    gap = f" {glyphs.dot} "
    if width(name[1]) + width(gap.join(roles)) + 2 > room:
        gap, roles = (
            glyphs.dot,
            [role for role in roles if role != _(_TO_PLAY)],
        )  # the arrow says it
    role = gap.join(roles)
    cards = cards_count(view.counts[seat])
    total = f"{view.match.totals[seat]} ({points_so_far(view)[seat]:+d})"
    facts = total if view.phase is Phase.DEAL else f"{cards}  {total}"
    taken = taken_text(view.rules, play.taken[seat], glyphs) if play is not None else ""
    return (
        (name, ("class:faint", f"  {role}" if role else "")),
        (("class:seat.fact", facts),),
        (("class:suit.hearts", taken),),
    )


def has_passed(scene: TableScene, seat: int) -> bool:
    """Whether a seat has chosen its pass while others still choose."""
    due = scene.status.waiting_for
    return bool(due) and seat not in due and scene.view.phase in (Phase.PASS, Phase.WAIT_PASS)


def _around(others: int) -> tuple[int, int, int]:
    """How many of the others sit at the left, at the top and at the right."""
    if others <= 2:
        return 1, 0, others - 1
    return 1, others - 2, 1


def _draw_around(canvas: Canvas, scene: TableScene, area: Area, size: CardSize) -> None:
    view = scene.view
    seats = view.rules.seats
    others = [(view.south + step) % seats for step in range(1, seats)]
    _, top, right = _around(len(others))
    face = FACE_COLUMNS[size]
    middle = area.column + area.columns // 2

    above, top_gap, south_gap, note_gap = _gaps(area.rows - BLOCK_ROWS - 3 * size - 1)
    north = area.row + above
    top_card = north + BLOCK_ROWS
    side_card = top_card + size + top_gap
    south_card = side_card + size + south_gap

    cards = dict(shown_trick(scene).cards)
    reach = (face * 3) // 2 + min(4, max(2, area.columns // 12 - 2))
    left, right_end = area.column + 1, area.column + area.columns - 1
    side_room = middle - reach - face // 2 - left - 1
    side_block = side_card + size // 2 - 1
    share = area.columns // max(1, top)

    def seated(seat: int, centre: int, card_row: int, align: str) -> None:
        room = share - 1 if align == "^" else side_room
        row = north if align == "^" else side_block
        for offset, line in enumerate(seat_lines(scene, seat, room)):
            cut = _clipped(line, room, scene)
            taken = sum(width(text) for _style, text in cut)
            start = {"<": left, ">": right_end - taken, "^": centre - taken // 2}[align]
            canvas.write(start, row + offset, cut, start + room)
        _draw_played(canvas, scene, cards.get(seat), centre - face // 2, card_row, size)

    seated(others[0], middle - reach, side_card, "<")
    for index in range(top):
        centre = area.column + share * index + share // 2
        seated(others[1 + index], centre, top_card, "^")
    if right:
        seated(others[-1], middle + reach, side_card, ">")
    _draw_played(canvas, scene, cards.get(view.south), middle - face // 2, south_card, size)
    note_row = south_card + size + note_gap
    canvas.centre(middle, note_row, _note(scene), "class:faint", area.columns - 2)


def _gaps(spare: int) -> tuple[int, int, int, int]:
    """Divide spare rows: above everything, around the side cards, before the note."""
    gaps, most = [0, 0, 0, 0], [4, 2, 2, 1]
    for part in (1, 2, 3, 0, 1, 2, 0, 0, 0):
        if spare > 0 and gaps[part] < most[part]:
            gaps[part] += 1
            spare -= 1
    return gaps[0], gaps[1], gaps[2], gaps[3]


def _clipped(line: Line, room: int, scene: TableScene) -> Line:
    """Return the line within `room` columns: the roles are kept, a long name is cut."""
    total = sum(width(text) for _style, text in line)
    if total <= room or not line:
        return line
    rest = sum(width(text) for _style, text in line[1:])
    style, first = line[0]
    return ((style, clip(first, max(4, room - rest), scene.glyphs)), *line[1:])


def _note(scene: TableScene) -> str:
    """Return what is written in the middle of the table."""
    view, status = scene.view, scene.status
    if view.phase is Phase.DEAL:
        return status.stage or _("The cards are being dealt.")
    if view.phase in (Phase.PASS, Phase.WAIT_PASS):
        return pass_sentence(scene)
    return trick_sentence(scene)


def pass_sentence(scene: TableScene) -> str:
    """Who passes to whom in this hand, from where the person sits."""
    view = scene.view
    if not view.offset:
        return _("Nothing is passed in this hand.")
    seats = view.rules.seats
    to, source = (view.seat + view.offset) % seats, (view.seat - view.offset) % seats
    arrow = pass_arrow(scene)
    if to == source:
        return _("You and {player} pass to each other {arrow}").format(
            player=scene.name(to), arrow=arrow
        )
    return _("You pass to {player} {arrow} and get cards from {other}.").format(
        player=scene.name(to), arrow=arrow, other=scene.name(source)
    )


def pass_arrow(scene: TableScene) -> str:
    """Return the arrow of the pass, pointing to where its receiver is drawn."""
    seats, offset, glyphs = scene.view.rules.seats, scene.view.offset, scene.glyphs
    if not offset:
        return ""
    if 2 * offset == seats:
        return glyphs.across
    return glyphs.left if 2 * offset < seats else glyphs.right


def pass_words(scene: TableScene) -> str:
    """Return the direction of the pass in a few words, with its arrow."""
    seats, offset = scene.view.rules.seats, scene.view.offset
    if not offset:
        return _("no pass")
    if 2 * offset == seats:
        way = _("pass across {arrow}")
    elif offset == 1:
        way = _("pass left {arrow}")
    elif offset == seats - 1:
        way = _("pass right {arrow}")
    elif 2 * offset < seats:
        way = _("pass {places} to the left {arrow}")
    else:
        way = _("pass {places} to the right {arrow}")
    return way.format(places=min(offset, seats - offset), arrow=pass_arrow(scene))


def _draw_played(
    canvas: Canvas, scene: TableScene, card: Card | None, column: int, row: int, size: CardSize
) -> None:
    if card is None:
        if scene.view.phase is Phase.PLAY:
            face = FACE_COLUMNS[size]
            canvas.put(column + face // 2, row + size // 2, scene.glyphs.dot, "class:faint")
        return
    finished = shown_trick(scene).finished
    if finished is None:
        draw_card(canvas, column, row, card, size)
        return
    won = finished.winner is not None and (finished.winner, card) in finished.cards
    edge = "class:card.edge.live" if won else "class:card.edge.dim"
    draw_card(canvas, column, row, card, size, edge=edge, face=None if won else "class:card.dim")


def _draw_list(canvas: Canvas, scene: TableScene, area: Area) -> None:
    """Everybody but the person, one line each, in as many columns as are needed."""
    view = scene.view
    seats = view.rules.seats
    others = [(view.south + step) % seats for step in range(1, seats)]
    plays = shown_trick(scene).cards
    cards = dict(plays)
    note = _note(scene)
    rows = max(1, area.rows - (1 if note else 0))
    halves = 1 if len(others) <= rows else 2
    each = -(-len(others) // halves)
    start = area.row + max(0, (rows - each) // 2)
    share = area.columns // halves
    for index, seat in enumerate(others):
        column = area.column + (index // each) * share + 1
        row = start + index % each
        end = column + share - 2
        name, facts, taken = seat_lines(scene, seat, share - 22)
        if halves > 1:
            facts = (("class:seat.fact", _short_facts(scene, seat)),)
        card = cards.get(seat)
        shown = card_text(card, scene.glyphs) if card is not None else scene.glyphs.dot
        alone = (seat, card) in uncancelled(plays) if view.rules.packs > 1 else True
        style = suit_style(card) if card is not None and alone else "class:faint"
        canvas.put(column, row, shown, style)
        line = (*_clipped(name, max(8, share - 22), scene), ("", "  "), *facts, ("", "  "), *taken)
        canvas.write(column + 4, row, line, end)
    if note:
        canvas.centre(area.column + area.columns // 2, area.row + area.rows - 1, note,
                      "class:faint", area.columns - 2)  # fmt: skip


def _short_facts(scene: TableScene, seat: int) -> str:
    """Return the number of cards, the total and the points of this hand, without words."""
    view = scene.view
    total = f"{view.match.totals[seat]} ({points_so_far(view)[seat]:+d})"
    return f"{view.counts[seat]} {scene.glyphs.dot} {total}"
