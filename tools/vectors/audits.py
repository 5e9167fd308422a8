"""Vectors of section 9: the audit of whole matches, and of what a cheater or an accident leaves.

A rejected twin keeps the first ``keep`` records of the match, leaves out those in ``drop``, goes on
with the ``append``ed envelopes, and then has the byte ``flip`` changed and all after ``cut`` bytes
cut off. It is expected to be refused with the verdict, for a fault with rule and player.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from p2p_hearts.cards import claim as claiming
from p2p_hearts.cards import deal, play
from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Deck, decode_deck
from p2p_hearts.crypto.group import base_mul
from p2p_hearts.crypto.sigma import NonceSource
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.cards import Card, Suit, suit_of
from p2p_hearts.rules.play import PlayState, start_play
from p2p_hearts.rules.play import claim as claim_of
from p2p_hearts.wire.chain import place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, seal
from p2p_hearts.wire.messages import (
    Ack,
    Choice,
    Claim,
    Content,
    Draw,
    Key,
    Kind,
    Lost,
    Open,
    Pass,
    PassSelect,
    Play,
    Remask,
    Reveal,
    Shares,
    Shuffle,
    Vote,
)
from tools.vectors.match import Game, Script, hand_secret, play_match, resigned
from tools.vectors.messages import NICKS, identity
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import Plain, VectorFile, flipped, secret

MATCH: Final = "match"
_START_RECORDS: Final = 2


def match_file() -> VectorFile:
    """A match of four seats to the last card."""
    game = play_match(4, claims=False)
    file = file_of(game, "Section 9: a match of four seats, one hand, every card played")
    _accidents(file, game)
    _formation_faults(file, game)
    _history_faults(file, game)
    _deal_faults(file, game)
    _play_faults(file, game)
    _reveal_faults(file, game)
    return file


def claimed_match_file() -> VectorFile:
    """A match of three seats in which the rest is claimed, by a seat that shoots the moon."""
    game = play_match(3, claims=True, shoots=True)
    if not game.speeches(Kind.CLAIM):
        raise ValueError("nobody claimed the rest in the match that is to show it")
    file = file_of(game, "Section 9: a match of three seats, one hand, a moon, the rest claimed")
    (claimed,) = game.speeches(Kind.CLAIM)
    body = decode(claimed.content.body, Claim)
    fewer = replace(body, cards=body.cards[1:])
    fault(file, game, claimed, "V41", "claim-cards", "a claim without its first card", fewer)
    spoiled = replace(body, proof=flipped(body.proof))
    fault(file, game, claimed, "V44", "card", "a claim with another challenge", spoiled)
    longer = replace(body, proof=body.proof + bytes(32))
    fault(file, game, claimed, "V43", "body", "a claim with a longer proof", longer)
    (chosen,) = game.speeches(Kind.CHOICE)
    other = Choice("everybody-subtracts")
    fault(file, game, chosen, "V38", "choice", "a choice that is none", other)
    _evidence(file, game, game.speeches(Kind.REVEAL)[2])
    return file


def file_of(game: Game, title: str) -> VectorFile:
    """Return a file with the log of a match, which audits clean."""
    file = VectorFile(title, OPERATIONS)
    records: list[Plain] = [
        {"kind": int(kind), "base64": base64.b64encode(data).decode()}
        for kind, data in game.records()
    ]
    file.accept(
        MATCH,
        "audit",
        records=records,
        keep=len(records),
        drop=[],
        append=[],
        flip=None,
        cut=None,
    )
    return file


def reject(
    file: VectorFile,
    check: str,
    expect: str,
    why: str,
    kept: Sequence[Sealed] | None = None,
    append: Sequence[bytes] = (),
    **more: Plain,
) -> None:
    """Reject the log of the contents that are kept and the envelopes that are appended."""
    values: dict[str, Plain] = {"append": list(append), **more}
    if kept is not None:
        values["keep"] = _START_RECORDS + len(kept)
    file.reject(MATCH, check, expect, why, **values)


def records_of(game: Game) -> int:
    """Return how many records the log of a match has."""
    return _START_RECORDS + len(game.contents)


def fault(
    file: VectorFile,
    game: Game,
    said: Sealed,
    check: str,
    rule: str,
    why: str,
    body: Struct | bytes,
    **header: object,
) -> None:
    """Reject the log that ends with another body in the place of what was said."""
    data = body if isinstance(body, bytes) else encode(body)
    forged = resigned(game, said.content, body=data, **header)
    name = nick(game, said.content)
    kept = game.before(place_of(said.content))
    reject(file, check, f"fault {rule} by {name}", why, kept, [forged])


def nick(game: Game, content: Content) -> str:
    """Return the name of who signed a content."""
    return NICKS[game.place_of_seat(content)]


def ballot(game: Game, last: Sealed, there: Content, body: Struct) -> bytes:
    """Let the author of its last content vote in the round of another content."""
    return resigned(
        game,
        last.content,
        round=there.round,
        sequence=last.content.sequence + 1,
        last=last.hash,
        prev=there.prev,
        kind=Kind.VOTE,
        body=encode(body),
    )


def _accidents(file: VectorFile, game: Game) -> None:
    """Cuts, gaps, damage, and records that nobody writes."""
    last = records_of(game)
    reject(file, "V110", "incomplete", "the last acknowledgement is missing", keep=last - 1)
    reject(file, "V110", "incomplete", "cut in the middle of the play", keep=last - 100)
    reject(file, "V110", "incomplete", "only start and roster", keep=2)
    reject(file, "V95", "incomplete", "the last byte is missing", cut=-1)
    reject(file, "V112", "incomplete", "a key is missing", drop=[_START_RECORDS + 17])
    reject(file, "V93", "unreadable", "cut before the first line ends", cut=5)
    reject(file, "V96", "unreadable", "a bit of a content is flipped", flip=60000)
    reject(file, "V94", "unreadable", "a bit of the first length is flipped", flip=20)
    reject(file, "V99", "unreadable", "the start is missing", drop=[0])
    reject(file, "V100", "unreadable", "the roster is missing", drop=[1])
    reject(file, "V101", "unreadable", "the roster again", append=[game.roster.data])
    key = game.speeches(Kind.KEY)[0]
    unsigned = flipped(key.data, -1)
    kept = game.before(place_of(key.content))
    reject(file, "V101", "unreadable", "a signature is wrong", kept, [unsigned])
    for check, why, field, value in (
        ("V55", "a content of another table", "table", secret("another table")),
        ("V55", "a content of another attempt", "attempt", 3),
        ("V54", "a content for a seat that does not exist", "seat", 4),
        ("V56", "a content for somebody else's seat", "seat", 3 - key.content.seat),
        ("V54", "a content of another version", "version", 2),
        ("V102", "a content of the draw at the table that it draws", "hand", 0),
    ):
        content = replace(key.content, **{field: value})
        forged = _by_author(game, key.content, content)
        reject(file, check, "unreadable", why, kept, [forged])
    shown = game.speeches(Kind.DRAW)[0].content
    never = resigned(game, shown, round=shown.round + 1, sequence=1000)
    reject(file, "V104", "unreadable", "for a round that never was", kept, [never])
    kept = game.before(place_of(shown))
    formed = resigned(game, shown, attempt=shown.attempt + 1)
    reject(file, "V55", "unreadable", "a nonce of another formation", kept, [formed])
    ack = game.contents[-1].content
    upto = game.contents[:-1]
    skipped = resigned(game, ack, sequence=ack.sequence + 1)
    reject(file, "V111", "incomplete", "a number is left out", upto, [skipped])
    astray = resigned(game, ack, prev=secret("another head"))
    reject(file, "V105", "incomplete", "an ack on another history", upto, [astray])


def _by_author(game: Game, author: Content, content: Content) -> bytes:
    """Sign a content as the author of another one."""
    return seal(identity(game.place_of_seat(author)), content).data


def _formation_faults(file: VectorFile, game: Game) -> None:
    shown = game.speeches(Kind.DRAW)[1]
    body = decode(shown.content.body, Draw)
    other = replace(body, nonce=flipped(body.nonce))
    fault(file, game, shown, "V92", "commitment", "another nonce than committed to", other)
    kept = game.before(place_of(shown.content))
    last = [item for item in kept if item.content.author != shown.content.author][-1]
    seen = [secret("a nonce")] * len(game.seats)
    vote = ballot(game, last, shown.content, Vote(1, 1, last.content.seat, seen, b""))
    expect = f"fault ballot by {nick(game, last.content)}"
    reject(file, "V77", expect, "a vote in the draw", kept, [vote])
    why = "a secret lost in the draw"
    fault(file, game, shown, "V67", "kind", why, encode(Lost()), kind="lost")
    sit = game.speeches(Kind.SIT)[2]
    forged = resigned(game, sit.content, prev=secret("another head"))
    expect = f"fault previous by {nick(game, sit.content)}"
    kept = game.before(place_of(sit.content))
    reject(file, "V60", expect, "a first message on another history", kept, [forged])


def _history_faults(file: VectorFile, game: Game) -> None:
    """What contradicts other contents, or stands where nobody or something else should speak."""
    key = game.speeches(Kind.KEY)[1]
    content, name = key.content, nick(game, key.content)
    fault(file, game, key, "V65", "body", "a body that is nil", b"\xc0")
    fault(file, game, key, "V65", "body", "a body of another kind", Ack(secret("head")))
    fault(file, game, key, "V64", "kind", "another kind", content.body, kind="shuffle")
    last = _START_RECORDS + game.contents.index(key) + 1
    twin = resigned(game, content, body=encode(Ack(secret("head"))))
    expect = f"fault two-contents by {name}"
    reject(file, "V103", expect, "two contents for one place", keep=last, append=[twin])
    astray = resigned(game, content, prev=secret("another head"))
    kept = game.before(place_of(content))
    expect = f"fault previous by {name}"
    reject(file, "V109", expect, "on another history", kept, [astray])
    broken = resigned(game, content, last=secret("another content"))
    expect = f"fault chain by {name}"
    reject(file, "V108", expect, "after another content than its own last", kept, [broken])
    reused = resigned(game, content, sequence=content.sequence - 1)
    reject(file, "V103", expect, "a number used twice", kept, [reused])
    shown = game.speeches(Kind.DRAW)[1].content
    skipped = resigned(game, shown, sequence=shown.sequence + 2)
    expect = f"fault chain by {nick(game, shown)}"
    reject(file, "V106", expect, "numbers left out", game.before(place_of(shown)), [skipped])
    acks = [item for item in game.speeches(Kind.ACK) if place_of(item.content) == place_of(content)]
    nonsense = resigned(game, acks[1].content, body=b"\xc0")
    upto = [
        item for item in game.contents if game.contents.index(item) < game.contents.index(acks[1])
    ]
    name = nick(game, acks[1].content)
    reject(file, "V107", f"fault body by {name}", "an ack without a head", upto, [nonsense])
    _more_history_faults(file, game, acks[1])
    shuffle = game.speeches(Kind.SHUFFLE)[0]
    idle = next(
        item
        for item in game.speeches(Kind.ACK)
        if place_of(item.content) == place_of(shuffle.content)
        and item.content.seat != shuffle.content.seat
    )
    early = resigned(game, idle.content, kind="shuffle", body=b"")
    kept = game.before(place_of(shuffle.content))
    expect = f"fault turn by {nick(game, idle.content)}"
    reject(file, "V106", expect, "a shuffle by a seat that is not the dealer", kept, [early])


def _more_history_faults(file: VectorFile, game: Game, ack: Sealed) -> None:
    """The same rules, broken by an ack, a first content, and in the play."""
    name = nick(game, ack.content)
    upto = game.contents[: game.contents.index(ack)]
    second = resigned(
        game,
        ack.content,
        sequence=ack.content.sequence + 1,
        last=ack.hash,
        body=encode(Ack(secret("another head"))),
    )
    expect = f"fault two-contents by {name}"
    reject(file, "V59", expect, "two acks of one round", [*upto, ack], [second])
    unlike = resigned(game, ack.content, body=encode(Choice("others-add")))
    reject(file, "V63", f"fault body by {name}", "an ack of another form", upto, [unlike])
    sit = game.speeches(Kind.SIT)[1]
    after = resigned(game, sit.content, last=secret("another content"))
    kept = game.before(place_of(sit.content))
    expect = f"fault chain by {nick(game, sit.content)}"
    reject(file, "V62", expect, "a first content after another one", kept, [after])
    shown = game.speeches(Kind.DRAW)[1]
    elsewhere = resigned(game, shown.content, prev=secret("another head"))
    expect = f"fault previous by {nick(game, shown.content)}"
    kept = game.before(place_of(shown.content))
    reject(file, "V60", expect, "a nonce on another history", kept, [elsewhere])
    play = game.speeches(Kind.PLAY)[5]
    kept = game.before(place_of(play.content))
    elsewhere = resigned(game, play.content, prev=secret("another head"))
    reject(file, "V109", "incomplete", "a play on another history", kept, [elsewhere])
    other = next(
        item
        for item in game.speeches(Kind.ACK)
        if place_of(item.content) == place_of(play.content)
        and item.content.seat != play.content.seat
    )
    unasked = resigned(game, other.content, kind="play", body=play.content.body)
    expect = f"fault turn by {nick(game, other.content)}"
    reject(file, "V61", expect, "a play out of turn", kept, [unasked])
    passed = game.speeches(Kind.PASS)[0]
    body = decode(passed.content.body, Pass)
    spoiled = replace(body, proof=flipped(body.proof, 32))
    fault(file, game, passed, "V66", "pass", "a body that is no proof of its pass", spoiled)
    key = game.speeches(Kind.KEY)[0]
    lost = encode(Lost())
    fault(file, game, key, "V67", "kind", "a secret lost before it was used", lost, kind="lost")
    share = game.speeches(Kind.SHARES)[0]
    why = "a claim where no card is played"
    fault(file, game, share, "V64", "kind", why, Claim([], b""), kind="claim")
    fault(file, game, share, "V67", "body", "a lost secret that is nil", b"\xc0", kind="lost")


def _deal_faults(file: VectorFile, game: Game) -> None:
    """Wrong keys, shuffles, shares, passes and re-masks."""
    said = game.speeches(Kind.KEY)[2]
    key = decode(said.content.body, Key)
    fault(
        file,
        game,
        said,
        "V10",
        "key-proof",
        "a key without knowledge of its secret",
        replace(key, proof=flipped(key.proof)),
    )
    fault(
        file, game, said, "V9", "body", "a key that is the identity", replace(key, public=bytes(32))
    )
    said = game.speeches(Kind.SHUFFLE)[1]
    shuffle = decode(said.content.body, Shuffle)
    deck = shuffle.deck
    fault(
        file,
        game,
        said,
        "V17",
        "shuffle",
        "a card twice in a shuffled deck",
        replace(shuffle, deck=deck[:64] + deck[:64] + deck[128:]),
    )
    fault(
        file,
        game,
        said,
        "V12",
        "body",
        "a card less in a shuffled deck",
        replace(shuffle, deck=deck[:-64]),
    )
    said = game.speeches(Kind.SHARES)[0]
    shares = decode(said.content.body, Shares)
    swapped = shares.shares[32:64] + shares.shares[:32] + shares.shares[64:]
    fault(
        file, game, said, "V20", "shares", "two shares exchanged", replace(shares, shares=swapped)
    )
    fault(
        file, game, said, "V19", "body", "a share less", replace(shares, shares=shares.shares[:-32])
    )
    said = game.speeches(Kind.PASS_SELECT)[3]
    chosen = decode(said.content.body, PassSelect).positions
    for check, why, positions in (
        ("V21", "two cards selected", chosen[:2]),
        ("V22", "one card selected twice", [chosen[0], chosen[1], chosen[1]]),
        ("V22", "a card outside the hand selected", [chosen[0], chosen[1], 13]),
    ):
        fault(file, game, said, check, "pass-positions", why, PassSelect(positions))
    said = game.speeches(Kind.PASS)[1]
    passed = decode(said.content.body, Pass)
    foreign = decode(game.speeches(Kind.PASS)[2].content.body, Pass)
    fault(
        file,
        game,
        said,
        "V24",
        "pass",
        "another seat's passed cards",
        replace(passed, cards=foreign.cards),
    )
    fault(
        file,
        game,
        said,
        "V23",
        "body",
        "two cards passed",
        replace(passed, cards=passed.cards[:128]),
    )
    said = game.speeches(Kind.REMASK)[0]
    remask = decode(said.content.body, Remask)
    deck = remask.deck
    fault(
        file,
        game,
        said,
        "V26",
        "remask",
        "a card twice in a re-masked hand",
        replace(remask, deck=deck[:64] + deck[:64] + deck[128:]),
    )
    fewer = Remask(deck[:-64], b"")
    fault(file, game, said, "V25", "body", "a card less in a re-masked hand", fewer)


def _play_faults(file: VectorFile, game: Game) -> None:
    """Wrong openings and plays, each where the rules decide it."""
    without = next(
        item
        for item in game.speeches(Kind.OPEN)
        if decode(item.content.body, Open).position is None
    )
    opening = next(
        item
        for item in game.speeches(Kind.OPEN)
        if decode(item.content.body, Open).position is not None
    )
    denied = decode(without.content.body, Open)
    opened = decode(opening.content.body, Open)
    at = opened.position or 0
    fault(
        file,
        game,
        without,
        "V30",
        "opening-hidden",
        "the opening card is not disproven",
        replace(denied, proof=flipped(denied.proof, 32)),
    )
    fault(file, game, opening, "V30", "opening-hidden", "the opening card is denied", denied)
    fault(
        file,
        game,
        opening,
        "V27",
        "position",
        "opened from outside the hand",
        replace(opened, position=13),
    )
    fault(
        file,
        game,
        opening,
        "V28",
        "proof-form",
        "opened with room for a class proof",
        replace(opened, proof=opened.proof + bytes(64)),
    )
    longer = replace(opened, proof=opened.proof + bytes(1))
    fault(file, game, opening, "V28", "body", "opened with a longer proof", longer)
    fault(
        file,
        game,
        opening,
        "V29",
        "opening-proof",
        "opened from another position",
        replace(opened, position=(at + 1) % 13),
    )

    plays = game.speeches(Kind.PLAY)
    state = _opened(game, opening)
    seen: set[str] = set()
    for said in plays:
        body = decode(said.content.body, Play)
        for check, rule, why, forged in _forgeries(state, body):
            if why not in seen:
                seen.add(why)
                fault(file, game, said, check, rule, why, forged)
        state = state.play(Card(body.card))
    first, again = [item for item in plays if item.content.seat == plays[0].content.seat][:2]
    position = decode(first.content.body, Play).position
    forged = replace(decode(again.content.body, Play), position=position)
    fault(file, game, again, "V31", "position", "played from an empty place", forged)
    missing = {
        "a revoke",
        "a heart led too early",
        "a heart on trick one",
        "a discard on trick one",
        "a heart discarded later",
        "a card that was played, with room for a class proof",
    } - seen
    if missing:
        raise ValueError(f"this match has no place for {missing}")
    second = plays[0]
    claimed = _false_claim(game, second)
    why = "a claim that does not stand"
    fault(file, game, second, "V45", "claim", why, claimed, kind="claim")


def _forgeries(state: PlayState, body: Play) -> list[tuple[str, str, str, Play]]:
    """Return what could be said in the place of a play: check, rule, why, body."""
    outside = replace(body, position=13)
    found = [("V31", "position", "played from outside the hand", outside)]
    played = next(iter(state.trick), None)
    if played is not None:
        gone = replace(body, card=played[1], proof=bytes(64))
        found.append(("V32", "card", "a card that was played", gone))
    if len(body.proof) == 64:
        found.append(("V36", "card", "another challenge", replace(body, proof=flipped(body.proof))))
        longer = replace(body, proof=body.proof + bytes(64))
        found.append(("V34", "proof-form", "room for a class proof that is not due", longer))
        found.append(("V35", "body", "a play with a longer proof", replace(body, proof=bytes(65))))
    else:
        shorter = replace(body, proof=body.proof[:64])
        found.append(("V33", "proof-form", "a class proof is left out", shorter))
    led = state.trick[0][1] if state.trick else None
    is_first = not state.tricks
    for face in range(52):
        card = Card(face)
        due = claim_of(card, state)
        if due is None:
            continue
        forged = replace(body, card=face, proof=bytes(96 + 32 * due.bit_count()))
        if not state.unseen >> face & 1:
            why = "a card that was played, with room for a class proof"
            found.append(("V32", "card", why, forged))
            continue
        if led is None and suit_of(card) is Suit.HEARTS and not state.broken:
            found.append(("V37", "hearts-closed", "a heart led too early", forged))
        elif led is not None and is_first and suit_of(card) is Suit.HEARTS:
            found.append(("V37", "trick-one", "a heart on trick one", forged))
        elif led is not None and is_first and suit_of(card) not in (suit_of(led), Suit.SPADES):
            found.append(("V37", "revoke", "a discard on trick one", forged))
        elif led is not None and not is_first and suit_of(card) is Suit.HEARTS is not suit_of(led):
            found.append(("V37", "revoke", "a heart discarded later", forged))
        elif led is not None and suit_of(card) is not suit_of(led) and not is_first:
            found.append(("V37", "revoke", "a revoke", forged))
    return found


def _opened(game: Game, opening: Sealed) -> PlayState:
    rules = game.roster.rules
    card = rules.opening_card
    if card is None:
        raise ValueError("these rules have no opening card")
    # The dealer decides nothing of what follows: the seat with the opening card leads.
    return start_play(rules, 0, opening.content.seat).play(card)


def _hand_of(game: Game, content: Content) -> tuple[HandSecret, Deck]:
    """Return the hand secret of the signer of a content, and its re-masked hand."""
    place = game.place_of_seat(content)
    z = hand_secret(place, content.table, content.hand)
    own = HandSecret(z, content.table, content.hand, content.attempt, content.seat)
    said = next(
        item for item in game.speeches(Kind.REMASK) if item.content.author == content.author
    )
    deck = decode(said.content.body, Remask).deck
    return own, decode_deck(deck, len(deck) // 64)


def context_of(game: Game, content: Content) -> Context:
    """Return the context of the proofs in a content."""
    return Context(
        content.table,
        game.roster.rules_hash,
        content.hand,
        content.attempt,
        content.round,
        content.seat,
    )


def _false_claim(game: Game, said: Sealed) -> bytes:
    """Claim the rest on trick one, with every card proven."""
    own, hand = _hand_of(game, said.content)
    encoding = Encoding(game.roster.rules)
    cards = [deal.read_card(own, encoding, card) for card in hand]
    held = [card for card in cards if card is not None]
    public = base_mul(own.x())
    proof = claiming.make_claim(own, context_of(game, said.content), public, encoding, hand, held)
    return encode(Claim([int(card) for card in held], proof))


class _Careless(HandSecret):
    """The same keys, but nonces of its own making."""

    def nonce_source(self, round_: int, label: bytes) -> NonceSource:
        return super().nonce_source(round_, b"another " + label)


def _later_of(game: Game, said: Sealed) -> Sealed:
    """Return another speech of the author of one."""
    return next(
        item for item in game.speeches(Kind.SHARES) if item.content.author == said.content.author
    )


def _evidence(file: VectorFile, game: Game, said: Sealed) -> None:
    """What a reveal carries convicts its author, or who carries it."""
    body = decode(said.content.body, Reveal)
    key = next(
        item for item in game.speeches(Kind.KEY) if item.content.author != said.content.author
    )
    liar, number = key.content, key.content.sequence
    ack = next(
        item.content
        for item in game.contents
        if item.content.kind == Kind.ACK and item.content.author == liar.author
        if item.content.hand
    )
    shares = _later_of_author(game, Kind.SHARES, liar)
    turn = next(
        item.content for item in game.speeches(Kind.PLAY) if item.content.author != liar.author
    )
    stray = replace(turn, seat=liar.seat, author=liar.author)
    other = secret("another hash")

    def vote(ballot: int, lock: bytes, **header: object) -> bytes:
        content = Vote(ballot, (liar.seat + 1) % 3, liar.seat, [other] * 3, lock)
        return resigned(game, ack, kind=Kind.VOTE, body=encode(content), **header)

    def shown(check: str, expect: str, why: str, *carried: bytes) -> None:
        forged = resigned(game, said.content, body=encode(replace(body, evidence=list(carried))))
        kept = game.before(place_of(said.content))
        reject(file, check, f"fault {expect}", f"evidence of {why}", kept, [forged])

    def nil(ahead: int) -> bytes:
        return resigned(game, ack, kind=Kind.VOTE, body=b"\xc0", sequence=number + ahead)

    own_key = _later_of_author(game, Kind.KEY, said.content)
    own = resigned(game, own_key), resigned(game, own_key, last=other)
    name, accuser = nick(game, liar), f"evidence by {nick(game, said.content)}"
    twice, once = f"two-contents by {name}", f"chain by {name}"
    away = {"table": other}
    two_keys = key.data, resigned(game, liar, last=other)
    wrong_ack = resigned(game, ack, body=encode(Ack(other)))
    next_up = resigned(game, shares, sequence=number + 1, last=other)
    for check, expect, why, carried in (
        ("V59", twice, "two speeches of one place", two_keys),
        ("V59", twice, "two acks of one place", (resigned(game, ack), wrong_ack)),
        ("V78", twice, "two votes of one ballot", (vote(1, b""), vote(1, other))),
        ("V62", once, "one number used twice", (key.data, resigned(game, shares, sequence=number))),
        ("V62", once, "a number on top of another content", (key.data, next_up)),
        (
            "V62",
            once,
            "number 0 on top of a content",
            (resigned(game, liar, sequence=0, last=other),),
        ),
        ("V63", f"body by {name}", "an ack that is nil", (resigned(game, ack, body=b"\xc0"),)),
        ("V61", f"turn by {name}", "a play of another seat's turn", (resigned(game, stray),)),
        (
            "V84",
            accuser,
            "votes of one ballot on two histories",
            (vote(1, b""), vote(1, b"", prev=other, sequence=number + 100)),
        ),
        (
            "V84",
            accuser,
            "votes of two ballots",
            (vote(1, b""), vote(2, b"", sequence=number + 100)),
        ),
        ("V84", accuser, "a speech and an ack of one place", (key.data, resigned(game, ack))),
        ("V84", accuser, "two votes that are nil", (nil(100), nil(102))),
        ("V83", accuser, "its own contents that prove a fault", own),
        (
            "V84",
            accuser,
            "a number after the next one",
            (key.data, resigned(game, shares, sequence=number + 2, last=other)),
        ),
        (
            "V84",
            accuser,
            "a play of another seat's turn on another history",
            (resigned(game, stray, prev=other),),
        ),
        (
            "V84",
            accuser,
            "a play of the round of this reveal",
            (resigned(game, stray, round=said.content.round, prev=said.content.prev),),
        ),
        (
            "V83",
            accuser,
            "two contents of another table",
            (resigned(game, liar, **away), resigned(game, liar, last=other, **away)),
        ),
    ):
        shown(check, expect, why, *carried)


def _later_of_author(game: Game, kind: Kind, author: Content) -> Content:
    """Return what the author of a content said in the first round of a kind."""
    return next(
        item.content for item in game.speeches(kind) if item.content.author == author.author
    )


def _reveal_faults(file: VectorFile, game: Game) -> None:
    said = game.speeches(Kind.REVEAL)[2]
    body = decode(said.content.body, Reveal)
    other = replace(body, secret=flipped(body.secret))
    fault(file, game, said, "V39", "secret", "another secret than committed to", other)

    key, others = game.speeches(Kind.KEY)[0], game.speeches(Kind.SHARES)
    own_key = next(
        item for item in game.speeches(Kind.KEY) if item.content.author == said.content.author
    )
    two = [item for item in others if item.content.author != said.content.author][:2]
    for check, why, carried in (
        ("V83", "its own content as evidence", [own_key.data]),
        ("V83", "evidence of two seats", [item.data for item in two]),
        ("V83", "evidence that is not signed", [flipped(key.data, -1)]),
        ("V83", "evidence of the draw", [game.contents[0].data]),
        ("V84", "an honest content as evidence", [key.data]),
        ("V84", "two honest contents as evidence", [key.data, _later_of(game, key).data]),
    ):
        accused = replace(body, evidence=carried)
        fault(file, game, said, check, "evidence", why, accused)

    last = game.speeches(Kind.PLAY)[-1]
    own, hand = _hand_of(game, last.content)
    careless = _Careless(own.z, own.table, own.hand, own.attempt, own.seat)
    played = decode(last.content.body, Play)
    proof = play.make_play(
        careless,
        context_of(game, last.content),
        base_mul(own.x()),
        Encoding(game.roster.rules),
        hand[played.position],
        Card(played.card),
        (),
        (),
        None,
    )
    kept = game.before(place_of(last.content))
    script = Script(game, kept)
    script.speak([replace(last.content, body=encode(replace(played, proof=proof)))])
    script.speak([item.content for item in game.speeches(Kind.REVEAL)])
    expect = f"fault rerun by {nick(game, last.content)}"
    appended = [item.data for item in script.said]
    reject(file, "V40", expect, "a play whose nonces are not derived", kept, appended)
