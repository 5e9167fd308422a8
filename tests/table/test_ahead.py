"""The next deal, made while a hand is played: what it saves, and that nothing hangs on it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from msgspec import Struct
from msgspec.structs import replace

from p2p_hearts.cards import deal, keys
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Ciphertext, Deck, decode_deck, encode_deck
from p2p_hearts.crypto.group import BASE, Element, base_mul, encode_scalar
from p2p_hearts.crypto.transcript import Context
from p2p_hearts.record.audit import Verdict
from p2p_hearts.rules.options import PRESETS, RuleSet
from p2p_hearts.table.ahead import SHOWN, NextDeal
from p2p_hearts.table.effects import Show
from p2p_hearts.table.hand.shuffles import KEPT, Shuffles
from p2p_hearts.table.machine import Table
from p2p_hearts.table.watching import watch_table
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Identity, open_envelope
from p2p_hearts.wire.faults import Rule
from p2p_hearts.wire.messages import BODIES, Ahead, Frame, Key, Kind, Shuffle
from tests.record.test_audit_table import audit_sim
from tests.table.cheats import Cheat, saying
from tests.table.sim import Sim, TestSecrets, seeded
from tests.table.test_absence import finish, others, rules_of
from tests.table.test_match import check_ends_alike

TWO_HANDS = RuleSet(seats=3, hands=2)
LIAR = 1


@dataclass
class Work:
    """How many shuffles were made and checked by anybody."""

    made: int = 0
    checked: int = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Count shuffles."""
    count, make, check = Work(), deal.make_shuffle, deal.check_shuffle

    def made(
        secret: HandSecret, context: Context, key: Element, deck: Deck
    ) -> tuple[bytes, bytes, Deck]:
        count.made += 1
        return make(secret, context, key, deck)

    def checked(
        context: Context, key: Element, deck: Deck, data: bytes, proof: bytes
    ) -> Deck | Flaw:
        count.checked += 1
        return check(context, key, deck, data, proof)

    monkeypatch.setattr(deal, "make_shuffle", made)
    monkeypatch.setattr(deal, "check_shuffle", checked)
    return count


@dataclass
class Shown:
    """What was shown, by whom, in the order in which it was sent; each is sent to all others."""

    parts: list[tuple[int, Ahead]] = field(default_factory=list)

    def of(self, place: int, kind: Kind) -> list[Ahead]:
        """What a place has shown of one kind."""
        is_key = kind is Kind.KEY
        return [part for who, part in self.parts if who == place and (part.round == 0) == is_key]


class Watched(Sim):
    """A table of which everything that is shown is noted, and perhaps changed by a liar."""

    lies: Callable[[int, Ahead], list[bytes]] | None = None
    """What really leaves a place instead of a part; nothing noted."""

    def __init__(self, rules: RuleSet, **options: object) -> None:
        super().__init__(rules, **options)  # type: ignore[arg-type]
        self.shown = Shown()

    def show(self, sender: int, to: int, ahead: bytes) -> None:
        part = decode(ahead, Ahead)
        if to == (sender + 1) % len(self.tables):
            self.shown.parts.append((sender, part))
        told = [ahead] if self.lies is None else self.lies(sender, part)
        for data in told:
            super().show(sender, to, data)


def at(kind: Kind, hand: int) -> Callable[[Table], bool]:
    """Whether a table is in a round of this kind in a hand."""

    def is_there(table: Table) -> bool:
        current = table.history.current
        return current.kind is kind and current.place.hand == hand

    return is_there


def until(sim: Sim, kind: Kind, hand: int) -> None:
    """Run until every seat has reached a round of this kind in a hand."""
    is_there, reached = at(kind, hand), set[int]()

    def all_there() -> bool:
        reached.update(place for place, table in enumerate(sim.tables) if is_there(table))
        return len(reached) == len(sim.tables)

    sim.run(all_there)


def said(sim: Sim, place: int, kind: Kind, hand: int) -> list[bytes]:
    """The bodies that a place has said in a hand, as its own log has them."""
    contents = [open_envelope(data).content for data in sim.logs[place]]
    own = sim.identities[place].public
    return [
        item.body
        for item in contents
        if item.author == own and item.hand == hand and item.kind == kind
    ]


def seat_of(sim: Sim, place: int) -> int:
    seat = sim.tables[place].seat
    assert seat is not None
    return seat


@pytest.mark.parametrize(
    "rules",
    [
        TWO_HANDS,
        RuleSet(seats=6, hands=2),
        PRESETS["cancellation"].with_options({"seats": "6", "hands": "2"}),
    ],
    ids=["three", "six", "two packs"],
)
def test_next_deal__leaves_no_shuffle_to_make_or_to_check_once_the_hand_is_over(
    rules: RuleSet, work: Work
) -> None:
    sim = Watched(rules)
    until(sim, Kind.REVEAL, 1)
    seats = rules.seats
    assert (work.made, work.checked) == (2 * seats, 2 * seats * (seats - 1)), "of both hands"
    until(sim, Kind.KEY, 2)
    rerun = work.made - 2 * seats
    assert rerun == seats * (seats - 1), "every other seat's, from its revealed secret"
    until(sim, Kind.SHARES, 2)
    assert (work.made, work.checked) == (2 * seats + rerun, 2 * seats * (seats - 1))


def check_ends_alike_at_the_end(sim: Sim) -> None:
    sim.run()
    check_ends_alike(sim)
    assert audit_sim(sim, list(range(len(sim.tables)))).verdict is Verdict.CLEAN


def test_next_deal__is_what_its_seats_say_when_the_hand_begins() -> None:
    sim = Watched(TWO_HANDS)
    sim.run()
    for place in range(3):
        for kind in SHOWN:
            (part,) = sim.shown.of(place, kind)
            assert part.hand == 2
            assert said(sim, place, kind, 2) == [part.body]


def test_next_deal__is_made_from_the_first_trick_on_and_not_for_a_hand_that_will_not_be() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: any(table.hand and table.hand.play for table in sim.tables))
    sim.run(lambda: bool(sim.shown.parts))
    plays = [table.hand.play for table in sim.tables if table.hand and table.hand.play]
    assert max(len(play.tricks) for play in plays) == 1
    sim.run()
    assert {part.hand for _, part in sim.shown.parts} == {2}, "nothing of a third hand"
    assert all(max(hand for _, hand, _ in seat.drawn) == 2 for seat in sim.secrets)


def test_secrecy__nothing_but_keys_and_shuffles_is_shown_ahead_and_no_secret_is_in_them() -> None:
    sim = Watched(RuleSet(seats=4, hands=3))
    sim.run()
    assert Counter(who for who, _ in sim.shown.parts) == dict.fromkeys(range(4), 4)
    draw = sim.tables[0].draw
    assert draw is not None
    secrets = list[bytes]()
    for place, store in enumerate(sim.secrets):
        store.forgotten.clear()
        for hand in (2, 3):
            z = store.hand(draw.table, hand, 1, fresh=False)
            secret = HandSecret(z, draw.table, hand, 1, seat_of(sim, place))
            secrets += [z, encode_scalar(secret.x())]
    for _, part in sim.shown.parts:
        kind = Kind.SHUFFLE if part.round else Kind.KEY
        decode(part.body, BODIES[kind])
        assert not any(secret in part.body for secret in secrets)


def test_secrecy__a_seat_shuffles_otherwise_on_another_key_than_on_what_it_was_shown() -> None:
    """The liar says another key than it has shown: who shuffled ahead shuffles anew, and unlike."""
    sim = Watched(TWO_HANDS)

    def another_key(sim: Watched, part: Ahead) -> list[bytes]:
        if part.round:
            return []
        draw, seat = sim.tables[LIAR].draw, seat_of(sim, LIAR)
        assert draw is not None
        secret = HandSecret(bytes(32), draw.table, 2, 1, seat)
        context = Context(draw.table, sim.roster.rules_hash, 2, 1, 0, seat)
        return [encode(replace(part, body=encode(Key(*keys.make_key(secret, context)))))]

    _lie(another_key, sim)
    check_ends_alike_at_the_end(sim)
    compared = 0
    for place in (0, 2):
        for part in sim.shown.of(place, Kind.SHUFFLE):
            (dealt,) = (decode(body, Shuffle) for body in said(sim, place, Kind.SHUFFLE, 2))
            shown = decode(part.body, Shuffle)
            firsts = [
                {card.a for card in decode_deck(shuffle.deck, len(shuffle.deck) // 64)}
                for shuffle in (shown, dealt)
            ]
            assert not firsts[0] & firsts[1]
            assert shown.proof != dealt.proof
            compared += 1
    assert compared, "nobody has shuffled on the key that was shown"


def _lie(change: Callable[[Watched, Ahead], list[bytes]], sim: Watched) -> None:
    sim.lies = lambda place, part: change(sim, part) if place == LIAR else [encode(part)]


def _spoiled(sim: Watched, part: Ahead) -> list[bytes]:
    """The last byte of the proof is another one: no scalar, or the wrong one."""
    return [encode(replace(part, body=part.body[:-1] + bytes([part.body[-1] ^ 1])))]


def _twice(sim: Watched, part: Ahead) -> list[bytes]:
    return [*_spoiled(sim, part), encode(part), encode(part)]


def _of_another(sim: Watched, part: Ahead) -> list[bytes]:
    """What somebody else has shown, as its own."""
    kind = Kind.SHUFFLE if part.round else Kind.KEY
    found = [item for place in (0, 2) for item in sim.shown.of(place, kind)]
    return [encode(replace(part, body=found[0].body))] if found else []


LIES: dict[str, Callable[[Watched, Ahead], list[bytes]]] = {
    "nothing": lambda sim, part: [],
    "noise": lambda sim, part: [b"noise", b"", encode(part)[:-1]],
    "no body": lambda sim, part: [encode(replace(part, body=b""))],
    "a body that is none": lambda sim, part: [encode(replace(part, body=bytes(24 * 1024)))],
    "a false proof": _spoiled,
    "a false proof first": _twice,
    "another seat's": _of_another,
    "the wrong kind": lambda sim, part: [encode(replace(part, round=1 if part.round == 0 else 0))],
    "a later round": lambda sim, part: [encode(replace(part, round=part.round + 1))],
    "a far round": lambda sim, part: [encode(replace(part, round=2**31 - 1))],
    "this hand": lambda sim, part: [encode(replace(part, hand=1))],
    "a later hand": lambda sim, part: [encode(replace(part, hand=3))],
    "another table": lambda sim, part: [encode(replace(part, table=bytes(32)))],
}


@pytest.fixture(scope="module")
def dealt() -> bytes:
    """The head of the history when hand 2 of a table without a liar is dealt."""
    sim = Sim(TWO_HANDS)
    until(sim, Kind.SHARES, 2)
    assert audit_sim(sim, [0, 1, 2]).verdict is Verdict.INCOMPLETE
    return sim.tables[0].history.current.prev


@pytest.mark.parametrize("name", LIES)
def test_ahead__that_is_a_lie_convicts_nobody_and_the_hand_is_dealt(
    name: str, work: Work, dealt: bytes
) -> None:
    sim = Watched(TWO_HANDS)
    _lie(LIES[name], sim)
    until(sim, Kind.SHARES, 2)
    assert all(table.fault is None for table in sim.tables)
    assert sim.tables[0].history.current.prev == dealt, "as if nothing had been shown"
    assert not [who for who, part in sim.shown.parts if part.round and who != LIAR]
    # Each of the two others checks at most one lie more than what it would have checked anyway.
    assert 12 <= work.checked <= 12 + 2


def _false_proof(hand: int) -> Callable[[object, Context, object], Struct | None]:
    """Say a shuffle with a wrong last scalar in this hand; what was shown was right."""

    def trick(own: object, context: Context, body: object) -> Struct | None:
        assert isinstance(body, Shuffle)
        if context.hand != hand:
            return None
        return replace(body, proof=body.proof[:-32] + body.proof[-64:-32])

    return trick


def test_ahead__that_holds_covers_no_false_shuffle_that_is_said_later() -> None:
    cheat: Cheat = saying(Kind.SHUFFLE, _false_proof(2))
    sim = Sim(rules_of(hands=2), seed="ahead", seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    table = finish(sim, others(sim, cheat.place))
    assert table.fault is not None
    assert (table.fault.rule, table.fault.hand) == (Rule.SHUFFLE, 2)
    assert table.player_at(table.fault.seat) == cheat.place


def test_ahead__as_much_as_a_liar_sends_two_parts_of_a_hand_are_kept() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: any(table.hand and table.hand.play for table in sim.tables))
    table = sim.tables[0]
    for number in range(200):
        part = Ahead(sim.roster.hash, 2, number, bytes([number]))
        table.receive_ahead(LIAR, encode(replace(part, table=bytes(32), body=b"of another")))
        table.receive_ahead(LIAR, encode(part))
        table.receive_ahead(LIAR, encode(replace(part, hand=number + 3)))
    assert sorted(_heard(table.ahead)) == [
        (Kind.KEY, seat_of(sim, LIAR)),
        (Kind.SHUFFLE, seat_of(sim, LIAR)),
    ]
    assert list(_heard(table.ahead).values()) == [b"\0", b"\1"]
    check_ends_alike_at_the_end(sim)


def _heard(ahead: NextDeal) -> dict[tuple[Kind, int], bytes]:
    return ahead._heard


def test_ahead__before_the_draw_is_forgotten() -> None:
    sim = Sim(TWO_HANDS)
    sim.tables[0].receive_ahead(LIAR, encode(Ahead(sim.roster.hash, 1, 0, b"")))
    assert not _heard(sim.tables[0].ahead)


def test_next_deal__goes_no_further_on_a_shuffle_that_does_not_hold() -> None:
    """Who follows next may have shuffled before it was checked; the last one has checked it."""
    sim = Watched(TWO_HANDS)
    sim.run(lambda: bool(sim.shown.parts))
    table = sim.tables[0]
    terms = table.course.next_terms()
    assert terms is not None
    first, _, last = (table.player_at((terms[1] + offset) % 3) for offset in range(3))

    def spoil(place: int, part: Ahead) -> list[bytes]:
        return _spoiled(sim, part) if (place, part.round) == (first, 1) else [encode(part)]

    sim.lies = spoil
    until(sim, Kind.REVEAL, 1)
    assert [part.round for part in sim.shown.of(first, Kind.SHUFFLE)] == [1]
    assert not sim.shown.of(last, Kind.SHUFFLE)


def test_next_deal__is_left_to_its_hand_once_the_play_is_over() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: all(table.hand and table.hand.play for table in sim.tables))
    table = sim.tables[0]
    table.leaves_tasks = True
    sim.run(lambda: bool(table.ahead.tasks()))
    until(sim, Kind.REVEAL, 1)
    assert not table.ahead.tasks()
    assert not sim.shown.of(0, Kind.KEY), "nobody has made it"


def test_next_deal__whose_own_secret_is_lost_is_not_made() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: sim.tables[LIAR].draw is not None)
    draw = sim.tables[LIAR].draw
    assert draw is not None
    sim.secrets[LIAR].forgotten.append((draw.table, 2, 1))
    table = sim.tables[LIAR]
    sim.run(lambda: bool(table.hand and table.hand.play and table.hand.play.tricks))
    assert not table.ahead.tasks()
    until(sim, Kind.REVEAL, 1)
    assert {who for who, _ in sim.shown.parts} == {0, 2}


def test_next_deal__of_a_seat_that_was_started_again_is_the_same(work: Work) -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: all(sim.shown.of(place, Kind.SHUFFLE) for place in range(3)))
    before, made = {kind: sim.shown.of(LIAR, kind) for kind in SHOWN}, work.made
    sim.secrets[LIAR].drawn.clear()
    again = Table.resume(
        sim.identities[LIAR], sim.roster, sim.secrets[LIAR], list(sim.logs[LIAR]), 7
    )
    sim.tables[LIAR] = again
    while again.work():
        pass
    assert {hand for _, hand, _ in sim.secrets[LIAR].drawn} == {1}
    assert work.made == made
    assert not again.drain(), "nothing is begun before the others have answered"
    check_ends_alike_at_the_end(sim)
    for kind in SHOWN:
        assert {part.body for part in sim.shown.of(LIAR, kind)} == {before[kind][0].body}


class OtherSecrets(TestSecrets):
    """Those of a folder that came back from a backup: what was drawn since is drawn anew."""

    def hand(self, table: bytes, hand: int, attempt: int, *, fresh: bool) -> bytes:
        z = super().hand(table, hand, attempt, fresh=fresh)
        return seeded("drawn anew", z) if hand == 2 else z


def test_next_deal__of_a_seat_that_lost_what_it_had_drawn_is_dealt_with_another_secret() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: all(sim.shown.of(place, Kind.SHUFFLE) for place in range(3)))
    sim.secrets[LIAR] = OtherSecrets(sim.secrets[LIAR].seed, sim.secrets[LIAR].forgotten)
    sim.tables[LIAR] = Table.resume(
        sim.identities[LIAR], sim.roster, sim.secrets[LIAR], list(sim.logs[LIAR]), 7
    )
    check_ends_alike_at_the_end(sim)
    assert not any(said(sim, place, Kind.LOST, 2) for place in range(3))
    first = sim.shown.of(LIAR, Kind.KEY)[0].body
    assert said(sim, LIAR, Kind.KEY, 2) not in ([], [first])


def test_next_deal__is_shown_again_to_a_peer_whose_link_comes_up() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: all(sim.shown.of(place, Kind.SHUFFLE) for place in range(3)))
    table = sim.tables[0]
    table.drain()
    table.greet(2)
    shown = [effect for effect in table.drain() if isinstance(effect, Show)]
    assert [effect.to for effect in shown] == [2, 2]
    bodies = [decode(effect.ahead, Ahead).body for effect in shown]
    assert bodies == [sim.shown.of(0, kind)[0].body for kind in (Kind.KEY, Kind.SHUFFLE)]
    until(sim, Kind.PLAY, 2)
    table.drain()
    table.greet(2)
    assert not [effect for effect in table.drain() if isinstance(effect, Show)], "it is dealt"


def test_next_deal__leaves_out_who_has_broken_a_rule_in_an_earlier_hand(work: Work) -> None:
    cheat: Cheat = saying(Kind.SHUFFLE, _false_proof(1))
    sim = Watched(rules_of(hands=2), seed="ahead", seating=cheat.seat_down, auto_vote=True)
    sim.run(lambda: cheat.place is not None)
    assert cheat.place is not None
    rest = others(sim, cheat.place)
    tables = [sim.tables[place] for place in rest]
    sim.run(lambda: all(at(Kind.KEY, 2)(table) for table in tables))
    made = work.made
    sim.run(lambda: all(table.hand and table.hand.facts.shared for table in tables))
    assert {table.hand and table.hand.keyless for table in tables} == {seat_of(sim, cheat.place)}
    assert work.made == made
    finish(sim, rest)


def test_next_deal__with_somebody_away_is_left_to_the_deal() -> None:
    sim = Watched(rules_of(hands=2), auto_vote=True)
    sim.run(lambda: bool(sim.tables[0].hand and sim.tables[0].hand.facts.shared))
    sim.isolate(3)
    sim.run(lambda: bool(sim.tables[0].hand and sim.tables[0].hand.facts.play_over))
    assert {who for who, part in sim.shown.parts if part.round} == set(), "a key is lacking"
    sim.cut.clear()
    check_ends_alike_at_the_end(sim)


def test_next_deal__is_no_affair_of_somebody_who_watches() -> None:
    sim = Watched(TWO_HANDS)
    sim.run(lambda: all(sim.shown.of(place, Kind.KEY) for place in range(3)))
    table = watch_table(Identity.from_private_bytes(bytes(32)), sim.roster)
    for data in sim.logs[0]:
        table.receive(0, encode(Frame(sim.roster.hash, [data], None)))
        while table.work():
            pass
    assert table.hand is not None
    assert table.hand.play is not None
    assert table.hand.play.tricks
    for who, part in sim.shown.parts:
        table.receive_ahead(who, encode(part))
    assert not table.work()
    assert not table.take_tasks()


def test_shuffles__are_made_and_checked_once_for_all_that_they_depend_on(work: Work) -> None:
    shuffles, table = Shuffles(), bytes(32)
    deck = tuple(Ciphertext(base_mul(number), base_mul(number + 9)) for number in (1, 2, 3))
    secrets = [HandSecret(bytes([z]) * 32, table, 1, 1, 0) for z in (1, 2)]
    context = Context(table, table, 1, 1, 1, 0)
    made = shuffles.make(secrets[0], context, BASE, deck)
    assert shuffles.make(secrets[0], context, BASE, deck) == made
    assert work.made == 1
    others_made = [
        shuffles.make(secrets[1], context, BASE, deck),
        shuffles.make(secrets[0], dataclasses.replace(context, round=2), BASE, deck),
        shuffles.make(secrets[0], context, base_mul(2), deck),
        shuffles.make(secrets[0], context, BASE, deck[::-1]),
    ]
    assert made not in others_made
    assert work.made == 5
    good = shuffles.check(context, BASE, deck, *made)
    assert not isinstance(good, Flaw)
    assert shuffles.check(context, BASE, deck, *made) == good
    assert work.checked == 1
    flawed = [
        shuffles.check(dataclasses.replace(context, round=2), BASE, deck, *made),
        shuffles.check(context, base_mul(2), deck, *made),
        shuffles.check(context, BASE, deck[::-1], *made),
        shuffles.check(context, BASE, deck, encode_deck(good[::-1]), made[1]),
        shuffles.check(context, BASE, deck, made[0], others_made[0][1]),
    ]
    assert flawed == [Flaw.SHUFFLE_PROOF] * 5
    assert work.checked == 6
    shuffles.forget(before=1)
    shuffles.make(secrets[0], context, BASE, deck)
    shuffles.check(context, BASE, deck, *made)
    assert (work.made, work.checked) == (5, 6)
    shuffles.forget(before=2)
    shuffles.make(secrets[0], context, BASE, deck)
    shuffles.check(context, BASE, deck, *made)
    assert (work.made, work.checked) == (6, 7)


def test_shuffles__keep_no_more_than_so_many(work: Work) -> None:
    shuffles, table = Shuffles(), bytes(32)
    deck = (Ciphertext(BASE, BASE),)
    for number in range(KEPT + 1):
        shuffles.check(Context(table, table, 1, 1, number, 0), BASE, deck, b"", b"")
    shuffles.forget()
    shuffles.check(Context(table, table, 1, 1, KEPT, 0), BASE, deck, b"", b"")
    assert work.checked == KEPT + 1, "the latest is kept"
    shuffles.check(Context(table, table, 1, 1, 0, 0), BASE, deck, b"", b"")
    assert work.checked == KEPT + 2, "the oldest is not"
