"""A history takes what fits, keeps what is early, and finds what contradicts itself."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2p_hearts.agreement.absence import OPENINGS
from p2p_hearts.table import round as round_module
from p2p_hearts.table.early import ROUNDS_AHEAD
from p2p_hearts.table.history import History, Outcome
from p2p_hearts.table.serving import missing_for, report
from p2p_hearts.wire.chain import NO_HASH, Place, first_head, next_head
from p2p_hearts.wire.codec import encode
from p2p_hearts.wire.envelope import Sealed, seal
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.messages import Ack, Beat, Confirm, Content, Kind, Vote
from tests.table.sim import make_identities

TABLE = bytes(32)
FIRST = first_head(TABLE)
PEOPLE = make_identities(3)
NEXT = (Place(1, 1, 1), TABLE, Kind.SHARES, (0, 1, 2), False)


class Author:
    """One seat that counts what it signs."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.count = 0
        self.last = NO_HASH

    def content(self, body: bytes = b"", **fields: object) -> Content:
        content = Content(
            version=1,
            table=TABLE,
            hand=1,
            attempt=1,
            round=0,
            seat=self.seat,
            author=PEOPLE[self.seat].public,
            sequence=self.count,
            last=self.last,
            prev=FIRST,
            kind="key",
            body=body,
        )
        return replace(content, **fields)

    def says(self, body: bytes = b"", **fields: object) -> Sealed:
        sealed = seal(PEOPLE[self.seat], self.content(body, **fields))
        self.count += 1
        self.last = sealed.hash
        return sealed

    def acks(self, head: bytes | None, **fields: object) -> Sealed:
        assert head is not None
        return self.says(encode(Ack(head)), kind="ack", **fields)


def begin() -> tuple[History, list[Author]]:
    history = History(3, FIRST)
    history.open_round(Place(1, 1, 0), TABLE, Kind.KEY, (0, 1, 2), False)
    return history, [Author(seat) for seat in range(3)]


def test_history__certifies_a_round_by_equal_acks_of_all_seats_alone() -> None:
    history, authors = begin()
    for author in authors:
        assert history.current.head is None
        assert history.accept(author.says()) is Outcome.ACCEPTED
    head = history.current.head
    assert head is not None
    for author in authors[:2]:
        assert history.accept(author.acks(head)) is Outcome.ACCEPTED
        assert (history.certified, history.head) == (0, FIRST)
    assert history.missing() == [(2, "ack")]
    other = authors[2]
    assert history.accept(other.acks(bytes(32))) is Outcome.ACCEPTED
    assert (history.certified, history.fault) == (0, None)
    assert history.missing() == [(2, "ack")]


def test_history__lets_nobody_speak_before_the_certificate_of_what_it_builds_on() -> None:
    history, authors = begin()
    assert history.may_speak()
    for author in authors:
        history.accept(author.says())
    head = history.current.head
    history.open_round(*NEXT)
    for author in authors:
        assert not history.may_speak()
        history.accept(author.acks(head))
    assert history.may_speak()


def test_history__lets_shuffles_run_ahead_of_shuffles_and_of_nothing_else() -> None:
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    key_head = history.current.head
    for number in (1, 2, 3):
        place = Place(1, 1, number)
        history.open_round(place, TABLE, Kind.SHUFFLE, (0,), True)
        if number == 1:
            assert not history.may_speak()
            for author in authors:
                history.accept(author.acks(key_head))
        assert history.may_speak()
        prev = history.current.prev
        history.accept(authors[0].says(kind="shuffle", round=number, prev=prev))
        history.accept(authors[0].acks(history.current.head, round=number, prev=prev))
    history.open_round(Place(1, 1, 4), TABLE, Kind.SHARES, (0, 1, 2), False)
    assert not history.may_speak()


def test_history__keeps_early_words_until_their_round_and_far_ones_never() -> None:
    history, authors = begin()
    near = authors[0].says(round=1, kind="shares")
    assert history.accept(near) is Outcome.EARLY
    edge = authors[0].says(round=ROUNDS_AHEAD, kind="play")
    assert history.accept(edge) is Outcome.EARLY
    for hand, number in ((1, ROUNDS_AHEAD + 1), (2, ROUNDS_AHEAD), (3, 0)):
        assert history.accept(authors[0].says(hand=hand, round=number)) is Outcome.DROPPED
    assert history.accept(authors[0].says(hand=2, round=3)) is Outcome.EARLY
    for author in (Author(0), *authors[1:]):
        history.accept(author.says())
    history.open_round(*NEXT)
    assert history.take_due() == [near]
    assert not history.take_due()
    assert history.early_of(PEOPLE[0].public)[0] == edge.data


def test_history__knows_what_it_holds_already() -> None:
    history, authors = begin()
    sealed = authors[0].says()
    assert history.accept(sealed) is Outcome.ACCEPTED
    assert history.accept(sealed) is Outcome.KNOWN
    assert history.holds(sealed.data)
    assert not history.holds(authors[1].says().data)
    assert history.fault is None


def test_history__drops_acks_on_another_history_and_accuses_nobody() -> None:
    """Whoever acknowledges something else may have been fooled by a third seat."""
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    ack = authors[0].acks(bytes(32), prev=bytes(32))
    assert history.accept(ack) is Outcome.DROPPED
    assert history.fault is None


def test_history__accuses_of_a_second_ack_on_another_history() -> None:
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    assert history.accept(authors[0].acks(history.current.head)) is Outcome.ACCEPTED
    twin = authors[0].acks(bytes(32), prev=bytes(32))
    assert history.accept(twin) is Outcome.FAULT
    assert history.fault is not None
    assert (history.fault.seat, history.fault.rule) == (0, Rule.TWO_CONTENTS)


def builds_elsewhere(seats: tuple[int, ...], liar: int) -> tuple[History, list[Outcome]]:
    """What becomes of a speech on another history, before and with the certificate of ``seats``."""
    history = History(3, FIRST)
    history.open_round(Place(1, 1, 0), TABLE, Kind.KEY, seats, False, seats)
    authors = [Author(seat) for seat in range(3)]
    for seat in seats:
        history.accept(authors[seat].says())
    head = history.current.head
    history.open_round(*NEXT)
    wrong = seal(PEOPLE[liar], authors[liar].content(kind="shares", round=1, prev=bytes(32)))
    outcomes = [history.accept(wrong)]
    for seat in seats:
        history.accept(authors[seat].acks(head))
    return history, [*outcomes, history.accept(wrong)]


def test_history__accuses_a_speech_on_another_history_beside_a_certificate_only() -> None:
    history, outcomes = builds_elsewhere((0, 1), 0)
    assert outcomes == [Outcome.DROPPED, Outcome.FAULT]
    assert history.fault is not None
    assert (history.fault.seat, history.fault.rule) == (0, Rule.PREVIOUS)


@pytest.mark.parametrize(("seats", "author"), [((0, 1, 2), 0), ((0, 1), 2)])
def test_history__accuses_nobody_whose_history_may_have_another_certificate(
    seats: tuple[int, ...], author: int
) -> None:
    """Where votes may close a round, two liars make two; and a dummy has certified nothing."""
    history, outcomes = builds_elsewhere(seats, author)
    assert outcomes == [Outcome.DROPPED, Outcome.DROPPED]
    assert history.fault is None


def test_history__accuses_who_signs_one_number_of_its_count_twice() -> None:
    history, authors = begin()
    history.accept(authors[0].says())
    twin = seal(PEOPLE[0], Author(0).content(encode(Ack(bytes(32))), kind="ack"))
    assert history.accept(twin) is Outcome.FAULT
    assert history.fault is not None
    assert (history.fault.seat, history.fault.rule) == (0, Rule.CHAIN)
    assert len(history.fault.evidence) == 2


def test_history__takes_nothing_on_top_of_a_number_that_is_left_out() -> None:
    """A vote may be on its way that has it: no fault, and nothing that would leave a gap."""
    for skipped in (1, 2**31 - 1):
        history, authors = begin()
        authors[0].count = skipped
        assert history.accept(authors[0].says()) is Outcome.DROPPED
        assert history.fault is None
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    authors[1].count += 1
    assert history.accept(authors[1].acks(history.current.head)) is Outcome.DROPPED
    assert history.fault is None
    assert not history.current.acks


def test_history__accuses_who_hides_a_message_also_if_the_later_one_came_first() -> None:
    history, authors = begin()
    hidden, shown = authors[0].content(b"hidden"), authors[0].content(b"shown")
    authors[0].last, authors[0].count = seal(PEOPLE[0], hidden).hash, 1
    assert history.accept(authors[0].acks(bytes(32))) is Outcome.ACCEPTED
    assert history.accept(seal(PEOPLE[0], shown)) is Outcome.FAULT
    assert history.fault is not None
    assert (history.fault.seat, history.fault.rule) == (0, Rule.CHAIN)
    assert len(history.fault.evidence) == 2


def test_history__drops_what_names_another_table_on_an_open_round() -> None:
    history, authors = begin()
    assert history.accept(authors[0].says(table=b"x" * 32)) is Outcome.DROPPED
    assert history.current.speeches == {}


def test_history__serves_what_a_heartbeat_lacks_or_holds_differently_and_nothing_else() -> None:
    history, authors = begin()
    said = [author.says() for author in authors]
    for sealed in said:
        history.accept(sealed)
    ack = authors[0].acks(history.current.head)
    history.accept(ack)
    told = report(history)[0]

    def served(**fields: list[bytes]) -> list[bytes]:
        beat = Beat(
            table=TABLE,
            hand=1,
            attempt=1,
            round=0,
            open=[replace(told, **fields)],
            fault=b"",
            finished=False,
            recall=0,
            recalled=[],
        )
        return missing_for(history, beat)

    assert served() == []
    assert served(speeches=[said[0].hash, b"", b"x"]) == [said[1].data, said[2].data]
    assert served(acks=[]) == [ack.data]
    assert served(acks=[b"another ack", b"", b""]) == [ack.data]
    assert served(speeches=[], acks=[]) == [*(item.data for item in said), ack.data]


def test_history__lets_nobody_fill_the_early_place_of_another_seat() -> None:
    """Before the draw an early word may name any seat; it must not push out the true one."""
    history, authors = begin()
    forged = authors[1].says(round=1, seat=0, kind="shares")
    true = authors[0].says(round=1, kind="shares")
    assert history.accept(forged) is Outcome.EARLY
    assert history.accept(true) is Outcome.EARLY
    for author in authors:
        author.count, author.last = 0, NO_HASH
        history.accept(author.says())
    history.open_round(*NEXT)
    assert true in history.take_due()


def test_history__knows_a_second_content_for_one_place_as_well_as_the_first() -> None:
    history, authors = begin()
    first, twin = (seal(PEOPLE[0], authors[0].content(body)) for body in (b"first", b"second"))
    assert history.accept(first) is Outcome.ACCEPTED
    assert history.accept(twin) is Outcome.FAULT
    assert [history.accept(sealed) for sealed in (first, twin)] == [Outcome.KNOWN] * 2


def test_history__takes_no_second_ack_of_a_seat_but_that_of_the_right_head() -> None:
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    head = history.current.head
    assert history.accept(authors[0].acks(head)) is Outcome.ACCEPTED
    authors[0].count -= 1
    assert history.accept(authors[0].acks(bytes(32))) is Outcome.FAULT
    assert history.current.heads[0] == head
    assert history.accept(authors[1].acks(bytes(32))) is Outcome.ACCEPTED
    authors[1].count -= 1
    authors[1].last = history.current.acks[1].content.last
    assert history.accept(authors[1].acks(head)) is Outcome.ACCEPTED
    assert history.current.heads[1] == head


def test_history__before_its_first_round_and_for_one_that_is_past_keeps_nothing() -> None:
    history, author = History(3, FIRST), Author(0)
    assert history.accept(author.says()) is Outcome.DROPPED
    history.open_round(Place(1, 1, 3), TABLE, Kind.KEY, (0, 1, 2), False)
    assert history.accept(author.says(round=1)) is Outcome.DROPPED
    assert history.accept(author.says(round=4)) is Outcome.EARLY


def test_history__lets_a_seat_that_missed_a_round_count_on_from_where_it_was() -> None:
    history = History(4, FIRST)
    history.open_round(Place(1, 1, 0), TABLE, Kind.KEY, (0, 1, 2), False, seats=(0, 1, 2))
    people = [*PEOPLE, make_identities(4)[3]]
    for author in map(Author, range(3)):
        assert history.accept(author.says()) is Outcome.ACCEPTED
    history.open_round(Place(1, 1, 1), TABLE, Kind.SHARES, (0, 1, 2, 3), False)
    numbers = [
        history.next_number(history.current, person.public, seat, Kind.SHARES)
        for seat, person in enumerate(people)
    ]
    assert numbers == [2, 2, 2, 0]


def test_history__sets_one_shuffle_on_another_history_aside_and_convicts_of_a_second() -> None:
    """Its author may have followed a shuffle that another seat has told differently."""
    ahead, authors = History(3, FIRST), [Author(seat) for seat in range(3)]
    ahead.open_round(Place(1, 1, 0), TABLE, Kind.SHUFFLE, (0,), True)
    assert ahead.accept(authors[0].says(kind="shuffle")) is Outcome.ACCEPTED
    ahead.open_round(Place(1, 1, 1), TABLE, Kind.SHUFFLE, (1,), True)
    other = {"kind": "shuffle", "round": 1, "prev": bytes(32), "sequence": 1}
    ack = authors[1].acks(bytes(32))
    assert ahead.accept(ack) is Outcome.ACCEPTED
    aside = seal(PEOPLE[1], authors[1].content(b"one", **other))
    assert ahead.accept(aside) is Outcome.ACCEPTED
    assert ahead.accept(aside) is Outcome.KNOWN
    assert not ahead.current.speeches
    second = seal(PEOPLE[1], authors[1].content(b"two", **other))
    assert ahead.accept(second) is Outcome.FAULT
    assert ahead.fault is not None
    assert (ahead.fault.seat, ahead.fault.rule) == (1, Rule.TWO_CONTENTS)


def vote_of(author: Author, *view: Sealed | None, lock: bytes = b"", **fields: object) -> Sealed:
    names = [b"" if item is None else item.hash for item in (*view, None, None, None)][:3]
    body = Vote(ballot=1, target=2, opener=author.seat, view=names, lock=lock)
    return author.says(encode(body), kind="vote", **fields)


def begin_without_the_last() -> tuple[History, list[Author], list[Sealed]]:
    """The first two have spoken, the third has not."""
    history, authors = begin()
    keys = [author.says() for author in authors[:2]]
    for key in keys:
        assert history.accept(key) is Outcome.ACCEPTED
    return history, authors, keys


def test_ballot__is_known_the_second_time() -> None:
    history, authors, keys = begin_without_the_last()
    vote = vote_of(authors[0], *keys)
    assert history.accept(vote) is Outcome.ACCEPTED
    assert history.accept(vote) is Outcome.KNOWN
    assert history.fault is None


def test_ballot__on_another_history_is_dropped() -> None:
    history, authors, keys = begin_without_the_last()
    assert history.accept(vote_of(authors[0], *keys, prev=bytes(32))) is Outcome.DROPPED
    assert history.fault is None


def test_ballot__about_a_round_in_which_a_seat_is_missing_already_is_dropped() -> None:
    history = History(4, FIRST)
    history.open_round(Place(1, 1, 0), TABLE, Kind.KEY, (0, 1, 2), False, seats=(0, 1, 2))
    author = Author(0)
    key = author.says()
    assert history.accept(key) is Outcome.ACCEPTED
    assert history.accept(vote_of(author, key)) is Outcome.DROPPED


@pytest.mark.parametrize(("most", "outcome"), [(512, Outcome.ACCEPTED), (4, Outcome.DROPPED)])
def test_ballot__beyond_two_of_a_seat_is_kept_only_if_named_and_while_there_are_few(
    monkeypatch: pytest.MonkeyPatch, most: int, outcome: Outcome
) -> None:
    monkeypatch.setattr(round_module, "MAX_BALLOTS", most)
    history, authors, keys = begin_without_the_last()
    votes = [vote_of(authors[0], *keys, lock=bytes([number]) * 32) for number in range(1, 4)]
    assert [history.accept(vote) for vote in votes[:2]] == [Outcome.ACCEPTED] * 2
    assert history.accept(votes[2]) is Outcome.DROPPED
    assert history.accept(vote_of(authors[1], *keys)) is Outcome.ACCEPTED
    body = Confirm(ballot=1, target=2, value=[b""] * 3, votes=[votes[2].hash])
    assert history.accept(authors[1].says(encode(body), kind="confirm")) is Outcome.ACCEPTED
    assert history.accept(votes[2]) is outcome


def test_ballot__is_counted_only_once_what_it_names_is_here() -> None:
    history, authors = begin()
    keys = [author.says() for author in authors[:2]]
    assert history.accept(keys[0]) is Outcome.ACCEPTED
    assert history.accept(vote_of(authors[0], *keys)) is Outcome.ACCEPTED
    assert not history.current.votes
    assert history.accept(keys[1]) is Outcome.ACCEPTED
    assert len(history.current.votes) == 1


def test_ballot__that_holds_to_an_unknown_confirm_is_not_counted() -> None:
    history, authors, keys = begin_without_the_last()
    assert history.accept(vote_of(authors[0], *keys, lock=bytes(32))) is Outcome.ACCEPTED
    assert not history.current.votes


@pytest.mark.parametrize(
    ("ballot", "outcome"),
    [
        (1, Outcome.ACCEPTED),
        (OPENINGS * 3, Outcome.ACCEPTED),
        (0, Outcome.DROPPED),
        (OPENINGS * 3 + 1, Outcome.FAULT),
    ],
)
def test_ballot__has_a_number_that_can_be_reached(ballot: int, outcome: Outcome) -> None:
    history, authors, keys = begin_without_the_last()
    body = Vote(ballot, 2, 0, [*(key.hash for key in keys), b""], b"")
    assert history.accept(authors[0].says(encode(body), kind="vote")) is outcome
    assert (history.fault is None) is (outcome is not Outcome.FAULT)


def test_ballot__closes_a_round_without_a_seat_whose_late_message_is_kept_and_then_known() -> None:
    history, authors, keys = begin_without_the_last()
    votes = [
        author.says(encode(Vote(1, 2, 0, [*(key.hash for key in keys), b""], b"")), kind="vote")
        for author in authors[:2]
    ]
    body = Confirm(1, 2, [*(key.hash for key in keys), b""], [vote.hash for vote in votes])
    confirms = [author.says(encode(body), kind="confirm") for author in authors[:2]]
    for sealed in (*votes, *confirms):
        assert history.accept(sealed) is Outcome.ACCEPTED
    assert history.current.absent == 2
    late = authors[2].says()
    assert history.accept(late) is Outcome.ACCEPTED
    assert history.accept(late) is Outcome.KNOWN
    assert history.current.late == {2: late}


@pytest.mark.parametrize("follows", [True, False])
def test_ballot__admits_what_its_author_said_ahead_only_on_top_of_what_is_held(
    follows: bool,
) -> None:
    history, author = History(3, FIRST), Author(1)
    history.open_round(Place(1, 1, 0), TABLE, Kind.SHUFFLE, (0,), True)
    assert history.accept(author.acks(bytes(32))) is Outcome.ACCEPTED
    author.last = author.last if follows else bytes(31) + b"\1"
    ahead = author.acks(bytes(32), round=1, prev=bytes(32))
    assert history.accept(ahead) is Outcome.EARLY
    vote = author.says(encode(Vote(1, 2, 1, [b""], b"")), kind="vote")
    assert history.accept(vote) is (Outcome.ACCEPTED if follows else Outcome.DROPPED)
    assert history.take_admitted() == ([ahead] if follows else [])


def test_ballot__that_no_seat_may_sign_convicts_its_signer_and_does_not_count() -> None:
    history, authors, keys = begin_without_the_last()
    names = [*(key.hash for key in keys), b""]
    for wrong in (
        Vote(1, 2, 0, names[:2], b""),  # of another number of speakers
        Vote(1, 0, 0, names, b""),  # against itself
    ):
        other, author = begin_without_the_last()[0], Author(0)
        author.says()
        assert other.accept(author.says(encode(wrong), kind="vote")) is Outcome.ACCEPTED
        assert other.fault is not None
        assert (other.fault.seat, other.fault.rule) == (0, Rule.BALLOT)
        assert not other.current.votes
    votes = [author.says(encode(Vote(1, 2, 0, names, b"")), kind="vote") for author in authors[:2]]
    for vote in votes:
        history.accept(vote)
    lie = Confirm(1, 2, [names[0], b"", b""], [vote.hash for vote in votes])
    assert history.accept(authors[1].says(encode(lie), kind="confirm")) is Outcome.ACCEPTED
    assert history.fault is not None
    assert (history.fault.seat, history.fault.rule) == (1, Rule.BALLOT)
    assert not history.current.confirms


@pytest.mark.parametrize("last", ["an ack", "the content", "the second ack"])
def test_history__what_all_have_acknowledged_stands_whatever_was_heard_first(last: str) -> None:
    history, authors = begin()
    liar, item = authors[2], history.current
    whispered = seal(PEOPLE[2], liar.content(b"another"))
    said = [author.says() for author in authors]
    head = item.head_of(tuple(sealed.hash for sealed in said))
    assert history.accept(whispered) is Outcome.ACCEPTED
    for sealed in said[:2]:
        history.accept(sealed)
    assert item.head not in (None, head)
    if last == "the second ack":
        history.accept(seal(PEOPLE[2], liar.content(encode(Ack(item.head or b"")), kind="ack")))
    acks = [author.acks(head) for author in authors]
    first = {
        "an ack": [said[2], *acks[:2]],
        "the content": [*acks, acks[2]],
        "the second ack": [said[2], *acks],
    }
    for sealed in first[last]:
        history.accept(sealed)
    if last != "the second ack":
        assert (history.certified, history.take_rewound()) == (0, None)
    history.accept(said[2] if last == "the content" else acks[2])
    assert item.speeches[2] == said[2]
    assert (item.head, history.certified, history.head) == (head, 1, head)
    assert history.take_rewound() == item.place
    assert set(history.convictions.proven) == {2}


LIAR = 2


def test_history__follows_what_all_acknowledged_whatever_a_liar_has_said_first_and_how_much() -> (
    None
):
    """A seat with an old log, or somebody who watches, may be told anything before it."""
    history, authors = begin()
    told = [authors[LIAR].content(bytes([number])) for number in range(9)]
    for content in told[:-1]:
        history.accept(seal(PEOPLE[LIAR], content))
    stands = authors[LIAR].says(told[-1].body)
    for author in authors[:LIAR]:
        history.accept(author.says())
    speeches = {**{seat: item.hash for seat, item in history.current.speeches.items()}}
    said = sorted({**speeches, LIAR: stands.hash}.items())
    head = next_head(FIRST, history.current.place, said)
    for author in authors:
        history.accept(author.acks(head))
    assert history.certified == 0
    history.accept(stands)
    assert (history.certified, history.head) == (1, head)
    assert stands in history.take_admitted(), "it belongs into the log"


def test_history__takes_the_confirm_that_a_certificate_lacks_whatever_its_author_said_before() -> (
    None
):
    """Nor what it stands on: a liar tells one seat other confirms, and the others go on."""
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    view = [history.current.speeches[seat].hash for seat in range(3)]
    voters = (authors[0], authors[LIAR])
    votes = [author.says(encode(Vote(1, 1, 0, view, b"")), kind="vote") for author in voters]
    for vote in votes:
        assert history.accept(vote) is Outcome.ACCEPTED
    names = [vote.hash for vote in votes]
    for number in range(3):
        other = Confirm(1, 1, view, [bytes([number]) * 32, names[1]])
        history.accept(authors[LIAR].says(encode(other), kind="confirm"))
    confirms = [
        author.says(encode(Confirm(1, 1, view, names)), kind="confirm") for author in voters
    ]
    assert history.accept(confirms[0]) is Outcome.ACCEPTED
    again = history.accept(authors[LIAR].says(encode(other), kind="confirm"))
    assert (again, history.certified) == (Outcome.DROPPED, 0)
    unsound = Confirm(1, 1, view, names[::-1])
    crooked = history.accept(authors[LIAR].says(encode(unsound), kind="confirm"))
    assert (crooked, history.certified) == (Outcome.DROPPED, 0)
    assert history.accept(confirms[1]) is Outcome.ACCEPTED
    assert history.certified == 1
    more = authors[LIAR].says(encode(Confirm(1, 1, view, names)), kind="confirm")
    assert history.accept(more) is Outcome.DROPPED, "the round has its certificate"


@pytest.mark.parametrize("is_ack", [False, True])
def test_history__takes_what_stands_on_it_from_who_said_something_on_another_one_first(
    is_ack: bool,
) -> None:
    """It is set aside after a shuffle; a liar could else keep one seat from what the rest has."""
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    for author in authors:
        history.accept(author.acks(history.current.head))
    key = history.current.head
    assert key is not None
    history.open_round(Place(1, 1, 1), TABLE, Kind.SHUFFLE, (0,), True)
    history.accept(authors[0].says(round=1, kind="shuffle", prev=key))
    shuffle = history.current.head
    assert shuffle is not None
    for author in authors:
        history.accept(author.acks(shuffle, round=1, prev=key))
    history.open_round(Place(1, 1, 2), TABLE, Kind.SHARES, (0, 1, 2), False)
    liar = authors[LIAR]
    if is_ack:
        for author in authors:
            history.accept(author.says(round=2, kind="shares", prev=shuffle))
    said = {"round": 2, "kind": "ack" if is_ack else "shares"}
    body = encode(Ack(bytes(32) if history.current.head is None else history.current.head))
    aside = seal(PEOPLE[LIAR], liar.content(body, **{**said, "prev": bytes(32)}))
    assert history.accept(aside) is Outcome.ACCEPTED
    stands = liar.says(body, **{**said, "prev": shuffle})
    assert history.accept(stands) is Outcome.ACCEPTED
    assert history.fault == fault_of(Rule.TWO_CONTENTS, aside, stands)
    assert stands in (history.current.acks if is_ack else history.current.speeches).values()


def test_history__keeps_one_speech_of_who_a_round_was_closed_without() -> None:
    """And evidence: a proven liar would else fill the others' logs with what means nothing."""
    history, authors = begin()
    keys = [author.says() for author in authors[:LIAR]]
    for key in keys:
        history.accept(key)
    view = [*(key.hash for key in keys), b""]
    votes = [
        author.says(encode(Vote(1, LIAR, 0, view, b"")), kind="vote") for author in authors[:LIAR]
    ]
    confirm = Confirm(1, LIAR, view, [vote.hash for vote in votes])
    for sealed in votes:
        history.accept(sealed)
    for author in authors[:LIAR]:
        history.accept(author.says(encode(confirm), kind="confirm"))
    assert history.current.absent == LIAR
    said = [
        seal(PEOPLE[LIAR], authors[LIAR].content(bytes([number]), sequence=number % 2))
        for number in range(9)
    ]
    outcomes = [history.accept(sealed) for sealed in said]
    assert outcomes.count(Outcome.ACCEPTED) == 1
    assert history.fault == fault_of(Rule.TWO_CONTENTS, *said[:2])


def test_history__takes_a_second_ack_of_one_head_once() -> None:
    """The others may have gone on with it; a third and a fourth mean nothing."""
    history, authors = begin()
    for author in authors:
        history.accept(author.says())
    head = history.current.head
    for author in authors[:LIAR]:
        history.accept(author.acks(head))
    liar = authors[LIAR]
    assert history.accept(liar.acks(bytes(32))) is Outcome.ACCEPTED
    outcomes = [history.accept(liar.acks(name)) for name in [head, bytes(32)] * 4]
    assert outcomes == [Outcome.ACCEPTED] + [Outcome.FAULT] * 7
    assert history.certified == 1


@pytest.mark.parametrize("is_named_first", [False, True])
def test_history__has_what_votes_name_kept_in_the_log(is_named_first: bool) -> None:
    """The votes, and what they close the round with, could else not be counted from the log."""
    history, authors = begin()
    said = [author.says() for author in authors]
    for sealed in said:
        history.accept(sealed)
    twin = seal(PEOPLE[LIAR], Author(LIAR).content(b"twin"))
    vote = Vote(1, LIAR, 0, [said[0].hash, said[1].hash, twin.hash], b"")
    votes = [authors[0].says(encode(vote), kind="vote")]
    for sealed in [*votes, twin] if is_named_first else [twin, *votes]:
        history.accept(sealed)
    assert history.take_admitted() == [twin]
