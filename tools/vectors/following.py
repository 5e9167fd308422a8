"""Vectors of section 9.2: which of two messages a reader follows, whatever the order of the log.

Nearly every log here convicts somebody, and all stop early; what is asked is how far a reader
follows the game all the same. They end with the first round of the hand, that of the keys, or with
the first shuffle. One seat says two things; where there are votes, the others vote about it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import replace as with_fields
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from p2p_hearts.cards.keys import make_key
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.group import ORDER
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.audit.state import MAX_WAITING
from p2p_hearts.record.records import RecordKind
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.chain import next_head, place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, open_envelope
from p2p_hearts.wire.lobby import open_roster, sign_lobby
from p2p_hearts.wire.messages import Ack, Confirm, Content, Draw, Key, Kind, Lost, Sit, Vote
from tools.vectors.audits import context_of
from tools.vectors.match import Game, hand_secret, play_match, resigned
from tools.vectors.messages import NICKS, identity, roster
from tools.vectors.operations import OPERATIONS
from tools.vectors.values import Plain, VectorFile, flipped, secret

SEATS: Final = 3
LIAR: Final = 2
VOTERS: Final = (0, 1)
NUMBER: Final = 50
"""A ballot that no table has, and the number of a content."""


def follow_file() -> VectorFile:
    """What was said first, what all acknowledged, what confirms closed the round with."""
    file = VectorFile("Section 9.2: which of two messages a reader follows", OPERATIONS)
    keys = _Keys(play_match(SEATS, claims=True, shoots=True))

    def add(name: str, *contents: Sealed, early: Sequence[Sealed] = ()) -> None:
        file.accept(name, "follow", records=keys.records(contents, early))

    first, second, key = keys.said
    said, acks, other = keys.said, keys.acks, keys.other
    add("all keys and all acks", *said, *acks)
    add("another key, then the one that all acknowledged", other, *said, *acks)
    add("the key that all acknowledged last of all", other, first, second, *acks, key)
    add("another key last of all", *said, *acks, other)
    add("another nonce, numbered otherwise", *said, *acks, keys.nonce)
    add("a key on another history, then the one on this", keys.astray, *said, *acks)
    add("the same before the draw is over", *acks, early=[keys.astray, *said])
    waits = "a key before the draw is over, as often as contents may wait"
    add(waits, first, second, *acks, early=[key] * MAX_WAITING)
    add(f"{waits}, and once more", first, second, *acks, early=[key] * (MAX_WAITING + 1))
    shuffle, *certificate = keys.shuffled
    elsewhere = keys.sign(shuffle.content, prev=secret("another head"))
    ahead = [elsewhere, shuffle, *certificate]
    add("the same of a shuffle, before the last key", first, second, *ahead, key, *acks)
    add(
        "a secret that is lost in place of a shuffle, and the next attempt",
        *said,
        *acks,
        *keys.lost(),
    )
    ballot = keys.ballot(key.hash, said)
    add("a key that confirms closed the round with, last", other, first, second, *ballot, key)
    add("such a key that is missing", other, first, second, *ballot)
    ballot = keys.ballot(b"", said)
    add("confirms without a seat", first, second, *ballot)
    add("the same, the other way round", first, second, *reversed(ballot))
    add("one of these confirms alone", first, second, *ballot[:-1])
    late = keys.acks_of(key, [*ballot[-2:], key])
    add("the same, then its key and acks of it by all", first, second, *ballot, key, *late)
    add("acks by all, then confirms without a seat", *said, *acks, *keys.ballot(b"", acks))
    late = keys.acks_of(other, acks)
    add("acks of one key by all, then of another", *said, *acks, other, *late)
    add("a vote, and one that does not decode, numbered like its ballot", *said, *keys.misread)
    add("votes of one ballot on two histories", *said, *keys.of_two_histories)
    nothing = keys.adding_up_to_nothing()
    add("keys that add up to nothing", first, second, nothing)
    ballot = keys.ballot(b"", said)
    add("the same, then confirms without one of them", first, second, nothing, *ballot)
    _reached(file, keys)
    return file


def follow_draw_file() -> VectorFile:
    """In hand 0, too, what all acknowledged stands; no hand begins before that is certain."""
    file = VectorFile("Section 9.2: which of two messages of the draw a reader follows", OPERATIONS)
    keys = _Keys(play_match(SEATS, claims=True, shoots=True))
    draw, said = keys.draw, [*keys.said, *keys.acks]
    last_ack = next(item for item in reversed(draw) if item.content.kind == Kind.ACK)

    def add(name: str, draw: Sequence[Sealed]) -> None:
        file.accept(name, "follow", records=keys.log([*draw, *said]))

    for what, kind, body in (
        ("commitment", Kind.SIT, Sit(secret("another commitment"))),
        ("nonce", Kind.DRAW, Draw(secret("another nonce"))),
    ):
        own = next(item for item in draw if (item.content.kind, item.content.seat) == (kind, LIAR))
        other = keys.sign(own.content, body=encode(body))
        at = draw.index(own)
        add(f"another {what}, then the one that all acknowledged", [*draw[:at], other, *draw[at:]])
        add(f"the {what} that all acknowledged last of all", _moved(draw, own, other))
        add(f"another {what} alone", [*draw[:at], other, *draw[at + 1 :]])
    elsewhere = keys.sign(own.content, last=secret("another ack"))
    add(
        "the same nonce after another ack, then the one that all acknowledged",
        [*draw[:at], elsewhere, *draw[at:]],
    )
    add("a draw that one has not acknowledged", [item for item in draw if item != last_ack])
    _many_waiting(file, keys)
    name, records, fault = "to the end of the draw", keys.log(draw), f"by {keys.nick(own)}"
    file.accept(name, "follow to", records=records, drop=[], round=list(place_of(own.content)))
    last = len(records) - 1
    file.reject(name, "V110", "incomplete", "an ack is missing", drop=[last])
    file.reject(name, "V110", "incomplete", "a nonce is missing", drop=[last - SEATS])
    two = keys.log([*draw[:at], other, *draw[at:]])
    file.reject(name, "V59", f"fault two-contents {fault}", "a second nonce", records=two)
    return file


def compare_file() -> VectorFile:
    """Logs of one table that agree, that disagree, or that convict somebody together."""
    file = VectorFile("Section 9.3: several logs", OPERATIONS)
    keys = _Keys(play_match(SEATS, claims=True, shoots=True))
    said, acks = keys.said, keys.acks
    first, second, key = said
    ballot = keys.ballot(b"", acks)
    ack = acks[LIAR]
    later = keys.sign(ack.content, round=1, sequence=ack.content.sequence + 1)
    reused = keys.sign(later.content, sequence=ack.content.sequence, last=key.hash)
    other_table = open_roster(sign_lobby(identity(0), roster(RuleSet(seats=SEATS), formation=2)))
    contents = [*said, *acks, *ballot, keys.other, later, reused]
    records = keys.records(contents, ())
    start = len(records) - len(contents)
    records.append(_record(RecordKind.ROSTER, other_table.data, 1))

    def less(*kept: Sealed) -> list[int]:
        """Return what a log leaves out that goes on after the draw with these."""
        return [start + at for at, item in enumerate(contents) if item not in kept] + [
            len(records) - 1
        ]

    whole, place = less(*said, *acks), list(place_of(key.content))
    alone: list[Plain] = [{"drop": whole}]
    name, liar = "two logs that hold the same", keys.nick(key)
    file.accept(name, "follow to", records=records, drop=whole, beside=alone, round=place)

    def reject(check: str, expect: str, why: str, *kept: Sealed) -> None:
        file.reject(name, check, expect, why, beside=[{"drop": less(*kept)}])

    confirmed = (*said, *ballot)
    why = "confirms have closed the round without a seat"
    reject("V114", "disagree", why, *confirmed)
    accused = f"fault two-contents by {liar}"
    reject("V103", accused, "another key", first, second, keys.other)
    accused = f"fault chain by {liar}"
    reject("V103", accused, "a number of the first log used again", *said, reused)
    why = "a content that follows another one than the first log has"
    reject("V108", accused, why, *said, later)

    def follow(name: str, *drops: Sequence[int]) -> None:
        others: list[Plain] = [{"drop": list(drop)} for drop in drops]
        file.accept(name, "follow", records=records, drop=whole, beside=others)

    follow("a log that ends earlier", less(*said))
    follow("two that agree, and one that does not", whole, less(*confirmed))
    of_other = list(range(1, len(records) - 1))
    follow("a log of another table", of_other)
    follow("a log of another table, and one that tells none", of_other, range(1, len(records)))
    follow("a log that tells no table", range(1, len(records)))
    return file


def _many_waiting(file: VectorFile, keys: _Keys) -> None:
    """As many contents as may wait, and a commitment that came last of all, or second."""
    draw, early = keys.draw, keys.said[0]
    own = next(item for item in draw if (item.content.kind, item.content.seat) == (Kind.SIT, LIAR))
    other = keys.sign(own.content, body=encode(Sit(secret("another commitment"))))
    shown = [item for item in draw if item.content.kind == Kind.DRAW]
    acks = [item for item in draw[-SEATS:] if item.content.kind == Kind.ACK]
    before = [item for item in draw if item not in (own, *shown, *acks)]

    def add(name: str, *contents: Sealed) -> None:
        file.accept(name, "follow", records=keys.log([*contents, *keys.acks, *keys.said]))

    rest = [*shown, *acks]
    copies = MAX_WAITING - len(rest)
    name = "a key as often as it may wait beside the draw, before a commitment"
    add(name, *before, *rest, *[early] * copies, own)
    add(f"{name}, and once more", *before, *rest, *[early] * (copies + 1), own)
    copies = MAX_WAITING + 1 - len(shown)
    add(
        "too many that wait, then what nonces wait for",
        *before,
        *shown,
        *[early] * copies,
        own,
        *acks,
    )
    copies = MAX_WAITING
    add(
        "a key as often as it may wait, before a second commitment that all acknowledged",
        *(other, *before, *rest, *[early] * copies, own),
    )


def _moved(draw: Sequence[Sealed], own: Sealed, other: Sealed) -> list[Sealed]:
    """Return the draw with another content in the place of one, and that one at the end."""
    return [*(other if item == own else item for item in draw), own]


def _reached(file: VectorFile, keys: _Keys) -> None:
    """Logs that lead to the end of a round, and what keeps a reader from it."""
    said, acks = keys.said, keys.acks

    def add(name: str, item: Sealed, *contents: Sealed) -> int:
        """Add a log that leads to the end of the round of a content; return its last number."""
        records = keys.records(contents, ())
        place = list(place_of(item.content))
        file.accept(name, "follow to", records=records, drop=[], round=place)
        return len(records) - 1

    def lacks(why: str, *numbers: int) -> None:
        file.reject(name, "V110", "incomplete", why, drop=list(numbers))

    name, key = "to the end of the keys", said[LIAR]
    last = add(name, key, *said, *acks)
    lacks("an ack is missing", last)
    lacks("a key is missing", last - SEATS)
    lacks("a nonce is missing", last - 3 * SEATS)
    lacks("all after the draw is missing", *range(last - 2 * SEATS + 1, last + 1))
    two = keys.records([*said, keys.other, *acks], ())
    liar = keys.nick(key)
    file.reject(name, "V59", f"fault two-contents by {liar}", "a second key", records=two)
    name = "to the end of the keys, by confirms without a seat"
    last = add(name, key, *said[:LIAR], *keys.ballot(b"", said))
    lacks("a confirm is missing", last)
    lacks("a vote is missing", last - len(VOTERS))
    name, shuffle = "to the end of a shuffle, whose seat has lost its secret", keys.shuffled[0]
    before = [*said, *acks]
    last = add(name, shuffle, *before, *keys.instead(shuffle, encode(Lost())))
    lacks("an ack is missing", last)
    lacks("the word of it is missing", last - SEATS)
    nil = keys.records([*before, *keys.instead(shuffle, b"\xc0")], ())
    fault = f"fault body by {keys.nick(shuffle)}"
    file.reject(name, "V67", fault, "a body that is nil", records=nil)


def _record(kind: RecordKind, data: bytes, times: int) -> Plain:
    """Return a record that stands so many times, one after the other."""
    record: dict[str, Plain] = {"kind": int(kind), "base64": base64.b64encode(data).decode()}
    return record if times == 1 else {**record, "times": times}


class _Keys:
    """The round of the keys of a match: what was said in it, and what else may be."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.said = game.speeches(Kind.KEY)
        place = place_of(self.said[0].content)
        self.acks = [item for item in game.speeches(Kind.ACK) if place_of(item.content) == place]
        shuffle = place_of(game.speeches(Kind.SHUFFLE)[0].content)
        self.shuffled = [item for item in game.contents if place_of(item.content) == shuffle]
        """The first shuffle, and its acks."""
        self.draw = game.before(place)
        content = self.said[LIAR].content
        key = decode(content.body, Key)
        self.other = self.sign(content, body=encode(replace(key, proof=flipped(key.proof))))
        self.astray = self.sign(content, prev=secret("another head"))
        shown = game.speeches(Kind.DRAW)[0].content
        self.nonce = self.sign(shown, sequence=1000, body=encode(Draw(secret("another nonce"))))

        vote = Vote(NUMBER, VOTERS[1], LIAR, [item.hash for item in self.said], b"")
        misread = self._next(self.said[LIAR], Kind.VOTE, encode(vote))
        broken = self._next(self.said[LIAR], Kind.VOTE, b"\xc0", sequence=NUMBER)
        self.misread = (misread, broken)
        body = encode(replace(vote, ballot=1))
        here = self._next(self.said[LIAR], Kind.VOTE, body)
        elsewhere = self._next(here, Kind.VOTE, body, prev=secret("another head"))
        self.of_two_histories = (here, elsewhere)

    def adding_up_to_nothing(self) -> Sealed:
        """Return a key of the liar, proven, that takes the others' keys away."""
        content = self.said[LIAR].content

        def secret_of(seat: int) -> HandSecret:
            z = hand_secret(self._game.seats[seat], content.table, content.hand)
            return HandSecret(z, content.table, content.hand, content.attempt, seat)

        class Negative(HandSecret):
            """A secret whose key is not derived from it."""

            def x(self) -> int:
                return -sum(secret_of(seat).x() for seat in VOTERS) % ORDER

        own = secret_of(LIAR)
        rules = self._game.roster.rules_hash
        context = Context(content.table, rules, *place_of(content), LIAR)
        false = Negative(own.z, own.table, own.hand, own.attempt, own.seat)
        return self.sign(content, body=encode(Key(*make_key(false, context))))

    def records(self, contents: Iterable[Sealed], early: Sequence[Sealed]) -> list[Plain]:
        """Return the log of the draw, some contents before its last nonce, and of the others."""
        draw = self.draw
        last = draw.index(self._game.speeches(Kind.DRAW)[-1])
        return self.log((*draw[:last], *early, *draw[last:], *contents))

    def log(self, said: Iterable[Sealed]) -> list[Plain]:
        """Return the log of these contents."""
        said = tuple(said)
        records = with_fields(self._game, contents=said).records()
        return [_record(kind, data, len(list(same))) for (kind, data), same in groupby(records)]

    def sign(self, content: Content, **changed: object) -> Sealed:
        """Sign a content with other fields, as its author."""
        return open_envelope(resigned(self._game, content, **changed))

    def ballot(self, name: bytes, after: Sequence[Sealed]) -> list[Sealed]:
        """Return the votes and confirms that close the round with this key of the liar, or none.

        Their signers number them after what they said last, which is in ``after``.
        """
        view = [*(self.said[seat].hash for seat in VOTERS), name]
        body = encode(Vote(1, LIAR, VOTERS[0], view, b""))
        votes = [self._next(after[seat], Kind.VOTE, body) for seat in VOTERS]
        body = encode(Confirm(1, LIAR, view, [vote.hash for vote in votes]))
        return [*votes, *(self._next(votes[seat], Kind.CONFIRM, body) for seat in VOTERS)]

    def nick(self, said: Sealed) -> str:
        """Return the name of who signed a content."""
        return NICKS[self._game.place_of_seat(said.content)]

    def instead(self, shuffle: Sealed, body: bytes) -> list[Sealed]:
        """Return what is said in the place of the first shuffle, and acks of it by all."""
        content = shuffle.content
        word = self.sign(content, kind=Kind.LOST, body=body)
        head = next_head(content.prev, place_of(content), [(content.seat, word.hash)])
        acks = [item.content for item in self.shuffled[1:]]
        lasts = {ack.seat: ack.last for ack in acks} | {content.seat: word.hash}
        body = encode(Ack(head))
        return [word, *(self.sign(ack, last=lasts[ack.seat], body=body) for ack in acks)]

    def acks_of(self, key: Sealed, after: Sequence[Sealed]) -> list[Sealed]:
        """Return acks by all of the head with this key of the liar, numbered like a ballot."""
        content = key.content
        hashes = [*((seat, self.said[seat].hash) for seat in VOTERS), (LIAR, key.hash)]
        body = encode(Ack(next_head(content.prev, place_of(content), hashes)))
        return [self._next(item, Kind.ACK, body) for item in after]

    def lost(self) -> list[Sealed]:
        """Return the first shuffle's round with a lost secret, and the keys of attempt 2."""
        shuffle, *acks = self.shuffled
        content = shuffle.content
        lost = self.sign(content, kind=Kind.LOST, body=encode(Lost()))
        head = next_head(content.prev, place_of(content), [(content.seat, lost.hash)])
        said, keys = [lost], []
        for item in acks:
            is_lost = item.content.seat == content.seat
            last = lost.hash if is_lost else item.content.last
            ack = self.sign(item.content, body=encode(Ack(head)), last=last)
            said.append(ack)
            if not is_lost:
                keys.append(self._key_after(ack, head))
        place = place_of(keys[0].content)
        hashes = [(item.content.seat, item.hash) for item in keys]
        body = encode(Ack(next_head(head, place, hashes)))
        return [*said, *keys, *(self._next(item, Kind.ACK, body) for item in keys)]

    def _key_after(self, ack: Sealed, head: bytes) -> Sealed:
        number = ack.content.sequence + 1
        content = replace(
            ack.content,
            attempt=2,
            round=0,
            sequence=number,
            last=ack.hash,
            prev=head,
            kind=Kind.KEY,
        )
        z = hand_secret(self._game.place_of_seat(content), content.table, content.hand)
        own = HandSecret(z, content.table, content.hand, content.attempt, content.seat)
        return self.sign(content, body=encode(Key(*make_key(own, context_of(self._game, content)))))

    def _next(self, after: Sealed, kind: Kind, body: bytes, **changed: object) -> Sealed:
        number = after.content.sequence + 1
        header: dict[str, object] = {"sequence": number, "last": after.hash, **changed}
        return self.sign(after.content, kind=kind, body=body, **header)
