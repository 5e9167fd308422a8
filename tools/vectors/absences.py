"""Vectors of section 7: escrow and complaints, openings, votes, dummies, matches that lose one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Final
from unittest.mock import patch

from msgspec.structs import replace

from p2p_hearts.cards import escrow
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.cards.tablekey import TableKey
from p2p_hearts.crypto.elgamal import encode_deck
from p2p_hearts.crypto.group import ORDER, Element, base_mul, encode_scalar
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire.chain import place_of
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.messages import Complaint, Escrow, Kind, Openings, Seals
from p2p_hearts.wire.messages import Confirm as ConfirmBody
from p2p_hearts.wire.messages import Vote as VoteBody
from tools.vectors import audits
from tools.vectors.basics import context, elsewhere, options
from tools.vectors.match import Game, Script, hand_secret, play_match, resigned
from tools.vectors.messages import INSTANCE
from tools.vectors.operations import OPERATIONS
from tools.vectors.proofs import FOUR, cards_of, public_of, under, z_of
from tools.vectors.reading import context_in, secret_in
from tools.vectors.values import In, Plain, VectorFile, flipped, secret, written

OWNER: Final = 1
OTHERS: Final = (0, 2, 3)
ESCROW_ROUND: Final = 5
SEALS_ROUND: Final = 6
OPENINGS_ROUND: Final = 8


def _table_key(place: int) -> TableKey:
    return TableKey(secret(f"table key {place}"), INSTANCE)


def _keys() -> list[Plain]:
    return [{"seat": seat, "key": base_mul(_table_key(seat).scalar()).data} for seat in OTHERS]


def escrow_file() -> VectorFile:
    """Section 7.3 and 7.5: a key split and sealed, complaints, openings."""
    file = VectorFile("Sections 7.3 and 7.5: escrow, complaints, openings", OPERATIONS)
    place = context(OWNER, ESCROW_ROUND)
    keys, public = _keys(), public_of(OWNER).data
    file.accept("an escrow", "make escrow", context=place, z=z_of(OWNER), keys=keys)
    made = file.result("an escrow")
    given: dict[str, Plain] = {
        "context": place,
        "public": public,
        "keys": keys,
        "publics": made.data("publics"),
        "seals": made.data("seals"),
    }
    file.accept("an escrow checked", "check escrow", **given)
    _spoil_escrow(file, made)
    for seat in OTHERS:
        file.accept(
            f"the seal of seat {seat}",
            "open seal",
            escrow=given,
            seat=seat,
            secret=_table_key(seat).secret,
            instance=INSTANCE,
        )
    own = In({"context": written(place), "z": z_of(OWNER).hex()})
    recipients = {seat: base_mul(_table_key(seat).scalar()) for seat in OTHERS}
    wrong = _wrongly_sealed(secret_in(own), context_in(own), 0, recipients)
    spoiled: dict[str, Plain] = {**given, "publics": wrong[0], "seals": wrong[1]}
    file.accept("an escrow with a wrong share in its first seal", "check escrow", **spoiled)
    holder: dict[str, Plain] = {"secret": _table_key(0).secret, "instance": INSTANCE}
    file.accept("its first seal", "open seal", escrow=spoiled, seat=0, **holder)
    _complaints(file, given, spoiled, holder)
    _openings(file)
    return file


def _spoil_escrow(file: VectorFile, made: In) -> None:
    twin = "an escrow checked"
    publics, seals = made.data("publics"), made.data("seals")
    for check, expect, why, changed in (
        ("V69", "malformed", "a share less", {"publics": publics[:-32]}),
        ("V69", "malformed", "a share that is the identity", {"publics": bytes(32) + publics[32:]}),
        ("V69", "malformed", "a seal less", {"seals": seals[:-128]}),
        ("V69", "malformed", "an E that is no element", {"seals": b"\xff" * 32 + seals[32:]}),
        (
            "V69",
            "malformed",
            "a c of the order of the group",
            {"seals": seals[:32] + ORDER.to_bytes(32, "little") + seals[64:]},
        ),
        ("V70", "escrow-sum", "a share twice", {"publics": publics[32:64] + publics[32:]}),
        ("V70", "escrow-sum", "another key", {"public": public_of(0).data}),
        ("V71", "seal-proof", "two shares exchanged", {"publics": _turned(publics, 32)}),
        ("V71", "seal-proof", "two seals exchanged", {"seals": _turned(seals, 128)}),
        ("V71", "seal-proof", "another c", {"seals": flipped(seals, 32)}),
        ("V71", "seal-proof", "another challenge", {"seals": flipped(seals, 64)}),
        ("V71", "seal-proof", "another challenge of the last seal", {"seals": flipped(seals, -64)}),
        ("V71", "seal-proof", "another response", {"seals": flipped(seals, 96)}),
    ):
        file.reject(twin, check, expect, why, **changed)
    for why, changed_place in elsewhere(OWNER, ESCROW_ROUND):
        if changed_place["seat"] != OWNER:
            continue  # Another seat is a recipient and no owner.
        file.reject(twin, "V71", "seal-proof", why, context=changed_place)


def _turned(data: bytes, size: int) -> bytes:
    """Exchange the first two pieces."""
    return data[size : 2 * size] + data[:size] + data[2 * size :]


def _wrongly_sealed(
    own: HandSecret, where: Context, first: int, recipients: dict[int, Element]
) -> tuple[bytes, bytes]:
    """Return an escrow whose proofs hold and whose seal for one seat opens to another share."""
    mask = escrow._mask

    def spoiled(here: Context, seat: int, *rest: Element) -> int:
        return (mask(here, seat, *rest) + (seat == first)) % ORDER

    with patch.object(escrow, "_mask", spoiled):
        return escrow.make_escrow(own, where, recipients)


def _complaints(
    file: VectorFile, good: dict[str, Plain], bad: dict[str, Plain], holder: dict[str, Plain]
) -> None:
    place = context(0, SEALS_ROUND)
    file.accept("a complaint", "make complaint", context=place, escrow=bad, **holder)
    made = file.result("a complaint")
    point, proof = made.data("point"), made.data("proof")
    twin = "a complaint that is right"
    file.accept(twin, "check complaint", context=place, escrow=bad, point=point, proof=proof)
    for check, flaw, why, changed in (
        ("V73", "malformed", "the identity", {"point": bytes(32)}),
        ("V74", "complaint-proof", "another point", {"point": base_mul(5).data}),
        ("V74", "complaint-proof", "another challenge", {"proof": flipped(proof)}),
        ("V74", "complaint-proof", "another response", {"proof": flipped(proof, 32)}),
        ("V74", "complaint-proof", "a longer proof", {"proof": proof + bytes(32)}),
        ("V74", "complaint-proof", "in another round", {"context": context(0, SEALS_ROUND + 1)}),
        ("V74", "complaint-proof", "of another seat's seal", {"context": context(2, SEALS_ROUND)}),
    ):
        file.reject(twin, check, flaw, why, **changed)
    false = file.make("make complaint", context=place, escrow=good, **holder)
    file.reject(
        twin,
        "V75",
        "complaint-false",
        "of a seal that is right",
        escrow=good,
        point=false.data("point"),
        proof=false.data("proof"),
    )


def _openings(file: VectorFile) -> None:
    place = context(0, OPENINGS_ROUND)
    share = int.from_bytes(file.data_of("the seal of seat 0"), "little")
    cards = encode_deck(under(public_of(OWNER), ("2C", "QS", "AH")))
    public = base_mul(share).data
    file.accept(
        "an opening",
        "make opening",
        context=place,
        z=z_of(0),
        owner=OWNER,
        share=encode_scalar(share),
        cards=cards,
    )
    made = file.result("an opening")
    points, proof = made.data("points"), made.data("proof")
    twin = "an opening checked"
    file.accept(
        twin,
        "check opening",
        context=place,
        owner=OWNER,
        public=public,
        cards=cards,
        points=points,
        proof=proof,
    )
    for check, flaw, why, changed in (
        ("V81", "malformed", "a part less", {"points": points[:-32]}),
        ("V81", "malformed", "a part that is the identity", {"points": points[:-32] + bytes(32)}),
        ("V82", "opening-proof", "two parts exchanged", {"points": _turned(points, 32)}),
        ("V82", "opening-proof", "another share", {"public": base_mul(share + 1).data}),
        ("V82", "opening-proof", "of another seat's cards", {"owner": 2}),
        ("V82", "opening-proof", "another challenge", {"proof": flipped(proof)}),
        ("V82", "opening-proof", "another response", {"proof": flipped(proof, 32)}),
        ("V82", "opening-proof", "other cards", {"cards": _turned(cards, 64)}),
    ):
        file.reject(twin, check, flaw, why, **changed)


# 7.4 Votes.

SEATS: Final = (0, 1, 2, 3)
ONE: Final = secret("a content")
TWO: Final = secret("another content")


def _vote(voter: int, ballot: int = 1, target: int = 3, **changed: Plain) -> dict[str, Plain]:
    made: dict[str, Plain] = {
        "name": secret(f"vote {voter} {ballot} {target}"),
        "voter": voter,
        "ballot": ballot,
        "target": target,
        "opener": 0,
        "view": [b""],
        "lock": b"",
    }
    return {**made, **changed}


def _confirm(
    voter: int, votes: Iterable[dict[str, Plain]], value: Plain, ballot: int = 1, target: int = 3
) -> dict[str, Plain]:
    return {
        "name": secret(f"confirm {voter} {ballot} {target}"),
        "voter": voter,
        "ballot": ballot,
        "target": target,
        "value": value,
        "votes": [vote["name"] for vote in votes],
    }


def votes_file() -> VectorFile:
    """Section 7.4: what votes decide, and what no seat may sign."""
    file = VectorFile("Section 7.4: votes and confirms", OPERATIONS)
    turn: dict[str, Plain] = {"seats": list(SEATS), "speakers": [3]}
    everybody: dict[str, Plain] = {"seats": list(SEATS), "speakers": list(SEATS)}
    ballot: dict[str, Plain] = {"ballot": 1, "target": 3}
    votes = [_vote(seat) for seat in (0, 1, 2)]
    seen = [_vote(0), _vote(1, view=[ONE]), _vote(2)]
    double = [_vote(0, view=[ONE]), _vote(1, view=[TWO]), _vote(2)]
    twice = {**_vote(1), "name": secret("a second vote")}
    confirm = _confirm(1, votes, [b""])
    second = [_vote(seat, 2, view=[ONE]) for seat in (0, 2)]
    locked = [second[0], _vote(1, 2, lock=confirm["name"]), second[1]]
    third = [_vote(seat, 2) for seat in (0, 1)]
    other = _confirm(2, votes, [b""])
    for name, shape, said in (
        ("nobody saw anything", turn, votes),
        ("somebody saw a content", turn, seen),
        ("two contents of the target were seen", turn, double),
        (
            "two contents of another seat were seen",
            everybody,
            [
                _vote(0, view=[ONE, ONE, ONE, b""]),
                _vote(1, view=[ONE, ONE, TWO, b""]),
                _vote(2, view=[ONE, ONE, ONE, b""]),
            ],
        ),
    ):
        file.accept(name, "decide", said=said, **shape, **ballot)
    again: dict[str, Plain] = {"ballot": 2, "target": 3}
    file.accept("a lock", "decide", said=[*votes, confirm, *locked], **turn, **again)
    file.accept(
        "the lock of a seat that voted twice",
        "decide",
        said=[
            *votes,
            twice,
            confirm,
            {
                **_confirm(2, votes, [b""]),
                "votes": [votes[0]["name"], secret("a second vote"), votes[2]["name"]],
            },
            third[0],
            _vote(1, 2, lock=confirm["name"]),
            _vote(2, 2, lock=other["name"]),
        ],
        **turn,
        **again,
    )
    _lock_decisions(file, votes)
    file.accept("a vote", "check vote", said=[_vote(0)], **turn)
    file.accept("a confirm", "check confirm", said=[*votes, confirm], **turn)
    for check, why, vote in (
        ("V77", "ballot 0", _vote(0, 0)),
        ("V77", "a ballot too high", _vote(0, 13)),
        ("V79", "against itself", _vote(3)),
        ("V79", "opened by the target", _vote(0, opener=3)),
        ("V79", "against nobody here", _vote(0, target=7, view=[ONE])),
        ("V79", "opened by nobody here", _vote(0, opener=7)),
        ("V79", "a view of two speakers", _vote(0, view=[ONE, TWO])),
    ):
        file.reject("a vote", check, "ballot", why, said=[vote])
    file.reject(
        "a vote",
        "V79",
        "ballot",
        "without another speaker's content",
        said=[_vote(0, view=[b"", ONE, ONE, ONE])],
        speakers=list(SEATS),
    )
    file.reject(
        "a vote",
        "V79",
        "ballot",
        "the lock of somebody else",
        said=[*votes, confirm, _vote(0, 2, lock=confirm["name"])],
    )
    file.reject(
        "a vote",
        "V79",
        "ballot",
        "a lock of the same ballot",
        said=[*votes, confirm, {**_vote(1, lock=confirm["name"]), "name": ONE}],
    )
    for why, changed in (
        ("another value", _confirm(1, votes, [ONE])),
        ("a vote left out", _confirm(1, votes[:2], [b""])),
        ("votes out of order", _confirm(1, [votes[1], votes[0], votes[2]], [b""])),
        ("votes of another ballot", _confirm(1, votes, [b""], ballot=2)),
        ("by the target", _confirm(3, votes, [b""])),
    ):
        file.reject("a confirm", "V80", "ballot", why, said=[*votes, changed])
    aside = _vote(0, target=1, view=[ONE])
    said = [aside, *votes[1:], _confirm(1, [aside, *votes[1:]], [ONE])]
    file.reject("a confirm", "V80", "ballot", "a vote against another seat", said=said)
    split = [_vote(seat, view=[ONE, (ONE, TWO, ONE)[seat], ONE, b""]) for seat in (0, 1, 2)]
    said = [*split, _confirm(1, split, [ONE, ONE, ONE, b""])]
    why = "a value where the votes decide none"
    file.reject("a confirm", "V80", "ballot", why, said=said, speakers=list(SEATS))
    return file


def _lock_decisions(file: VectorFile, votes: Sequence[dict[str, Plain]]) -> None:
    """Which locks count: the highest, if it has one value, and of nobody who is two-faced.

    The last votes see another content than the locks say, so that it shows which of them decide.
    """

    def again(
        number: int, *locks: Plain, view: Plain = ONE, target: int = 3
    ) -> list[dict[str, Plain]]:
        voters = [seat for seat in SEATS if seat != target]
        return [
            _vote(seat, number, target, view=[view], lock=lock, opener=voters[0])
            for seat, lock in zip(voters, locks, strict=True)
        ]

    def named(item: dict[str, Plain], name: str, **changed: Plain) -> dict[str, Plain]:
        return {**item, "name": secret(name), **changed}

    def decide(
        name: str, *said: dict[str, Plain], speakers: Sequence[int] = (3,), target: int = 3
    ) -> None:
        ballot = {"ballot": said[-1]["ballot"], "target": target}
        shape: dict[str, Plain] = {"seats": list(SEATS), "speakers": list(speakers)}
        file.accept(name, "decide", said=list(said), **shape, **ballot)

    without = _confirm(0, votes, [b""])
    seen = again(2, b"", b"", b"")
    higher = _confirm(1, seen, [ONE], 2)
    last = again(3, without["name"], higher["name"], b"", view=b"")
    decide("two locks, one of a higher ballot", *votes, without, *seen, higher, *last)

    twice = named(votes[1], "another vote of 1", view=[ONE])
    lied = _confirm(1, [votes[0], twice, votes[2]], [ONE])
    last = again(2, without["name"], lied["name"], b"")
    decide("two locks, one of a seat that voted twice", *votes, twice, without, lied, *last)

    other = named(_confirm(0, [votes[0], twice, votes[2]], [ONE]), "another confirm of 0")
    second = [_vote(0, 2, lock=other["name"]), *again(2, b"", b"", b"")[1:]]
    ahead = _confirm(1, second, [ONE], 2)
    last = again(3, without["name"], ahead["name"], b"", view=TWO)
    said = (*votes, twice, without, other, *second, ahead, *last)
    decide("two locks, of seats that confirmed and voted twice", *said)

    aside = [
        named(vote, f"a vote against 2, the {at}th")
        for at, vote in enumerate(again(1, b"", b"", b"", target=2))
    ]
    mine, theirs = _confirm(2, votes, [b""]), _confirm(3, aside, [ONE], target=2)
    last = again(2, b"", mine["name"], theirs["name"], target=0)
    decide("two locks of one ballot", *votes, *aside, mine, theirs, *last, target=0)

    whole: Plain = [ONE, ONE, ONE, b""]
    heard = [_vote(seat, view=whole) for seat in (0, 1, 2)]
    locked = _confirm(1, heard, whole)
    last = [
        _vote(0, 2, view=whole),
        _vote(1, 2, view=whole, lock=locked["name"]),
        _vote(2, 2, view=[ONE, TWO, ONE, b""]),
    ]
    name = "the lock of a seat of which two contents were seen"
    decide(name, *heard, locked, *last, speakers=SEATS)


# 7.6 Dummies.


def dummy_file() -> VectorFile:
    """Section 7.6: what is passed and played for a seat that is away."""
    file = VectorFile("Section 7.6: dummies", OPERATIONS)
    rules = options(FOUR)
    hand = ("2C", "9C", "AC", "4D", "AD", "KD", "3S", "QS", "KS", "2H", "9H", "AH", "KH")

    def faces(names: Iterable[str]) -> list[Plain]:
        return [int(card) for card in cards_of(tuple(names))]

    file.accept("the highest of four suits", "dummy pass", rule_set=rules, hand=faces(hand))
    more = options(RuleSet(pass_count=5))
    file.accept("equal ranks", "dummy pass", rule_set=more, hand=faces(hand))
    first = ("2C", "3C", "4C", "5C")
    for name, plays, held in (
        ("the opening card", (), ("9D", "2C", "AH")),
        ("a low lead", first, ("KD", "3D", "3S", "9H")),
        ("a heart is not led yet", first, ("2H", "9D")),
        ("only hearts", first, ("9H", "2H")),
        ("below the highest on the table", (*first, "9D"), ("2D", "8D", "TD", "QS")),
        ("above it", (*first, "9D"), ("TD", "JD")),
        ("the queen of spades goes first", (*first, "9D"), ("AH", "QS", "AC")),
        ("then the highest heart", (*first, "9D"), ("2H", "9H", "AC")),
        ("then the highest card", (*first, "9D"), ("AC", "AS", "KS")),
        ("no penalty card on trick one", ("2C",), ("QS", "AH", "3D", "AD")),
    ):
        file.accept(
            name,
            "dummy card",
            rule_set=rules,
            dealer=0,
            leader=0,
            plays=faces(plays),
            hand=faces(held),
        )
    few = faces(hand[:4])
    file.reject("equal ranks", "V21", "pass-positions", "fewer cards than are passed", hand=few)
    name, twice = "below the highest on the table", (*first, "9D", "9D")
    file.reject(name, "V32", "card", "a card on the table twice", plays=faces(twice))
    file.reject(name, "V32", "card", "only a card that was played", hand=faces(["5C"]))
    file.reject(name, "V32", "card", "no card", hand=[])
    return file


# Whole matches.


def absent_match_file() -> VectorFile:
    """Four seats; one leaves before it gives its shares, and its cards are opened and played."""
    game = play_match(4, claims=True, leaves_in=Kind.SHARES)
    title = "Section 7: a match of four seats, one of which leaves before it gives its shares"
    file = audits.file_of(game, title)
    _ballot_faults(file, game)
    _seal_faults(file, game)
    said = game.speeches(Kind.OPENINGS)[1]
    opened = decode(said.content.body, Openings)
    fewer = replace(opened, points=opened.points[:-32])
    audits.fault(file, game, said, "V81", "body", "a part less", fewer)
    spoiled = replace(opened, proof=flipped(opened.proof))
    audits.fault(file, game, said, "V82", "openings", "another challenge", spoiled)
    _vote_beside_a_dummy(file, game)
    _late_word(file, game)
    return file


def _late_word(file: VectorFile, game: Game) -> None:
    """A log beside it that is as clean, and holds what the seat said that was not waited for."""
    given = game.speeches(Kind.SHARES)
    there = given[0].content
    seats = {item.content.seat for item in given}
    here = game.before(place_of(there))
    last = [item for item in here if item.content.hand and item.content.seat not in seats][-1]
    word = replace(there, seat=last.content.seat, author=last.content.author)
    late = resigned(game, word, sequence=last.content.sequence + 1, last=last.hash)
    whole: dict[str, Plain] = {"keep": audits.records_of(game), "drop": [], "append": [late]}
    audits.reject(file, "V115", "incomplete", "a log that holds a late word", beside=[whole])


def anew_match_file() -> VectorFile:
    """Three seats; one leaves before it shuffles, and the hand begins anew with its cards open."""
    game = play_match(3, claims=True, leaves_in=Kind.SHUFFLE)
    title = "Section 7: a match of three seats, one of which leaves before it shuffles"
    file = audits.file_of(game, title)
    _vote_beside_a_dummy(file, game)
    _strays_beside_a_dummy(file, game)
    return file


def _strays_beside_a_dummy(file: VectorFile, game: Game) -> None:
    """Where nobody may vote, who goes on from another history than it acknowledged is convicted."""
    played = game.speeches(Kind.PLAY)[-1]
    here = [item for item in game.contents if place_of(item.content) == place_of(played.content)]
    kept = game.before(place_of(played.content))
    away = {"prev": secret("another head")}
    stray = resigned(game, played.content, **away)
    expect = f"fault previous by {audits.nick(game, played.content)}"
    audits.reject(file, "V60", expect, "a play on another history", kept, [stray])
    why = "the same, where an acknowledgement is missing"
    audits.reject(file, "V60", "incomplete", why, kept[:-1], [stray])
    ack = next(item for item in here if item.content.kind == Kind.ACK)
    acked = resigned(game, ack.content, **away)
    audits.reject(file, "V60", "incomplete", "an ack on another history", kept, [acked])
    seats = {item.content.seat for item in here}
    (dummy,) = set(range(len(game.seats))) - seats
    author = next(item.content for item in kept if item.content.hand and item.content.seat == dummy)
    aside = resigned(game, replace(played.content, seat=dummy, author=author.author), **away)
    why = "a play on another history by the seat that is away"
    audits.reject(file, "V60", "incomplete", why, kept, [aside])
    shuffle = game.speeches(Kind.SHUFFLE)[-1]
    ahead = resigned(game, shuffle.content, body=b"", **away)
    kept = game.before(place_of(shuffle.content))
    why = "a shuffle on another one than all acknowledged"
    audits.reject(file, "V60", "incomplete", why, kept, [ahead])


def _vote_beside_a_dummy(file: VectorFile, game: Game) -> None:
    """A vote against who is to play, where not every seat takes part."""
    played = game.speeches(Kind.PLAY)[-1]
    kept = game.before(place_of(played.content))
    voters = {item.content.seat for item in kept[-len(game.seats) :]} - {played.content.seat}
    last = [item for item in kept if item.content.hand and item.content.seat in voters][-1]
    body = VoteBody(1, played.content.seat, last.content.seat, [b""], b"")
    vote = audits.ballot(game, last, played.content, body)
    expect = f"fault ballot by {audits.nick(game, last.content)}"
    audits.reject(file, "V77", expect, "a vote beside a dummy", kept, [vote])


def _ballot_faults(file: VectorFile, game: Game) -> None:
    votes, confirms = game.speeches(Kind.VOTE), game.speeches(Kind.CONFIRM)
    said = votes[1]
    vote = decode(said.content.body, VoteBody)
    audits.fault(file, game, said, "V77", "body", "a vote that is nil", b"\xc0")
    high = replace(vote, ballot=13)
    audits.fault(file, game, said, "V77", "ballot", "a ballot too high", high)
    own = replace(vote, target=said.content.seat)
    audits.fault(file, game, said, "V79", "ballot", "a vote against itself", own)
    second = resigned(
        game, said.content, body=encode(replace(vote, view=[secret("one"), *vote.view[1:]]))
    )
    kept = game.contents[: game.contents.index(votes[-1]) + 1]
    expect = f"fault two-contents by {audits.nick(game, said.content)}"
    audits.reject(file, "V78", expect, "two votes of one ballot", kept, [second])
    said = confirms[0]
    confirm = decode(said.content.body, ConfirmBody)
    other = replace(confirm, value=[secret("one"), *confirm.value[1:]])
    forged = resigned(game, said.content, body=encode(other))
    expect = f"fault ballot by {audits.nick(game, said.content)}"
    kept = game.contents[: game.contents.index(said)]
    audits.reject(file, "V80", expect, "a confirm of another value", kept, [forged])
    again = resigned(game, said.content, sequence=said.content.sequence + 1, last=said.hash)
    expect = f"fault two-contents by {audits.nick(game, said.content)}"
    audits.reject(file, "V78", expect, "two confirms of one ballot", [*kept, said], [again])


def _seal_faults(file: VectorFile, game: Game) -> None:
    said = game.speeches(Kind.ESCROW)[1]
    escrow = decode(said.content.body, Escrow)
    other = replace(escrow, publics=escrow.publics[32:] + escrow.publics[:32])
    audits.fault(
        file, game, said, "V71", "escrow", "an escrow with its parts in another order", other
    )
    fewer = replace(escrow, seals=escrow.seals[:-1])
    audits.fault(file, game, said, "V69", "body", "an escrow a byte short", fewer)
    seals = game.speeches(Kind.SEALS)
    said = seals[2]
    complaint = Complaint(said.content.seat, bytes(32), bytes(64))
    itself = Seals([complaint])
    audits.fault(file, game, said, "V72", "complaint", "a complaint of the own escrow", itself)
    others = [seat for seat in range(4) if seat != said.content.seat]
    turned = Seals([replace(complaint, owner=seat) for seat in reversed(others)])
    audits.fault(file, game, said, "V72", "complaint", "owners that descend", turned)
    double = Seals([replace(complaint, owner=others[0])] * 2)
    audits.fault(file, game, said, "V72", "complaint", "an owner twice", double)
    nothing = Seals([replace(complaint, owner=others[0])])
    audits.fault(file, game, said, "V73", "body", "a complaint with the identity", nothing)
    unproven = Seals([replace(complaint, owner=others[0], point=base_mul(5).data)])
    audits.fault(file, game, said, "V74", "complaint", "a complaint without proof", unproven)
    _wrong_seal(file, game)


def _wrong_seal(file: VectorFile, game: Game) -> None:
    """An escrow with a wrong seal, and the complaint that proves it."""
    escrows = game.speeches(Kind.ESCROW)
    liar = escrows[1].content
    others = [item.content.seat for item in escrows if item.content.seat != liar.seat]
    holder = others[0]
    keys = {seat: base_mul(_table_key(game.seats[seat]).scalar()) for seat in others}
    where = audits.context_of(game, liar)
    z = hand_secret(game.seats[liar.seat], liar.table, liar.hand)
    own = HandSecret(z, liar.table, liar.hand, liar.attempt, liar.seat)
    publics, sealed = _wrongly_sealed(own, where, holder, keys)
    wrong = encode(Escrow(publics, sealed))
    script = Script(game, game.before(place_of(liar)))
    script.speak(
        [
            replace(item.content, body=wrong) if item.content is liar else item.content
            for item in escrows
        ]
    )
    split = escrow.check_escrow(where, base_mul(own.x()), keys, publics, sealed)
    if not isinstance(split, escrow.Escrow):
        raise ValueError("the wrong escrow is refused before anybody can complain")
    here = dataclasses.replace(where, round=where.round + 1, seat=holder)
    shown = Complaint(
        liar.seat, *escrow.make_complaint(_table_key(game.seats[holder]), here, split)
    )
    complaint = encode(Seals([shown]))
    script.speak(
        [
            replace(item.content, body=complaint) if item.content.seat == holder else item.content
            for item in game.speeches(Kind.SEALS)
        ]
    )
    expect = f"fault seal by {audits.nick(game, liar)}"
    kept = game.before(place_of(liar))
    why = "a wrong share under a seal, and a complaint"
    audits.reject(file, "V76", expect, why, kept, [item.data for item in script.said])
