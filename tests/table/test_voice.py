"""What a seat signs and when, at real tables that were told to hold their tongue in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from p2p_hearts.agreement import absence
from p2p_hearts.agreement.rounds import STAGES
from p2p_hearts.rules.cards import cards_in
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Secrets, Send, Store
from p2p_hearts.table.hand import Job
from p2p_hearts.table.history import Outcome
from p2p_hearts.table.machine import Table
from p2p_hearts.table.round import Round
from p2p_hearts.table.tasks import Task
from p2p_hearts.table.voice import Voice
from p2p_hearts.wire.chain import Place
from p2p_hearts.wire.codec import decode, encode
from p2p_hearts.wire.envelope import Sealed, Signer, open_envelope, seal
from p2p_hearts.wire.faults import Rule, fault_of
from p2p_hearts.wire.lobby import SealedRoster
from p2p_hearts.wire.messages import Ack, Content, Frame, Kind, Vote
from tests.table.sharing import shared_proofs
from tests.table.sim import Sim

RULES = RuleSet(seats=3, hands=1, grace=15)
ELSEWHERE = bytes(32)
"""The head of a history that nobody follows."""


class HeldVoice(Voice):
    """A voice that holds; what it would say is asked of ``Voice`` itself."""

    silent: frozenset[Kind] = frozenset()
    """In rounds of these kinds it does not speak."""
    keeps_acks: frozenset[Kind] = frozenset()
    """While a round of one of these is open it acknowledges nothing."""
    keeps_votes = False
    meant: list[Content] | None = None
    """Where it is a list: what it would sign, and does not."""

    def sign(self, content: Content) -> None:
        if self.meant is None:
            super().sign(content)
        else:
            self.meant.append(content)

    def speak(self) -> bool:
        return self.history.current.kind not in self.silent and super().speak()

    def acknowledge(self) -> None:
        if not any(item.kind in self.keeps_acks for item in open_rounds(self)):
            super().acknowledge()

    def ballot(self) -> bool:
        return not self.keeps_votes and super().ballot()


class Held(Table):
    """A table with such a voice."""

    voice_type = HeldVoice
    voice: HeldVoice


def hold(place: int, signer: Signer, roster: SealedRoster, secrets: Secrets) -> Table:
    """Seat such a table at every place."""
    return Held(signer, roster, secrets)


def open_rounds(voice: Voice) -> list[Round]:
    return voice.history.rounds[voice.history.certified :]


def held(sim: Sim) -> list[HeldVoice]:
    """The voices of a table, by place."""
    return [table.voice for table in sim.tables if isinstance(table, Held)]


Scene = Callable[[], HeldVoice]
"""Makes a voice in a table that rests, each time another one in the same state."""


def scene_of(sim: Sim, place: int) -> Scene:
    """Return the voice at a place, in a copy of a table."""
    for table in sim.tables:
        table.drain()
    return lambda: held(sim.copy())[place]


@pytest.fixture(scope="module")
def turn() -> Iterator[Scene]:
    """Its turn to play, the card is chosen, and nothing forbids it to speak."""
    with shared_proofs():
        sim = Sim(RULES, seed="voice", seating=hold)
        for voice in held(sim):
            voice.silent = frozenset({Kind.PLAY})
        sim.run(lambda: any(at_its_turn(voice) for voice in held(sim)))
        yield scene_of(sim, next(n for n, voice in enumerate(held(sim)) if at_its_turn(voice)))


def at_its_turn(voice: HeldVoice) -> bool:
    """Whether it would play a card now, if it did not hold."""
    hand = voice.course.hand
    return voice.is_due() and hand is not None and hand.chosen_card is not None


@pytest.fixture(scope="module")
def shuffle() -> Iterator[Scene]:
    """The first shuffle is due."""
    with shared_proofs():
        sim = Sim(RULES, seed="voice", seating=hold)
        for voice in held(sim):
            voice.silent = frozenset({Kind.SHUFFLE})
        sim.run(lambda: voice_due(sim) is not None)
        yield scene_of(sim, voice_due(sim) or 0)


def voice_due(sim: Sim) -> int | None:
    """The place whose shuffle is due, if one is."""
    for place, voice in enumerate(held(sim)):
        if voice.history.current.kind is Kind.SHUFFLE and voice.is_due():
            return place
    return None


def is_dealer(table: Table) -> bool:
    return table.draw is not None and table.seat == table.draw.dealer


@pytest.fixture(scope="module")
def acks() -> Iterator[Scene]:
    """All have shuffled, ahead of the acks of the seat that shuffled first."""
    with shared_proofs():
        sim = Sim(RULES, seed="voice", seating=hold)
        sim.run(lambda: all(table.draw for table in sim.tables))
        place = next(table.place for table in sim.tables if is_dealer(table))
        voice = held(sim)[place]
        voice.keeps_acks = frozenset({Kind.SHUFFLE})
        sim.run(lambda: len([item for item in open_rounds(voice) if item.head is not None]) == 3)
        yield scene_of(sim, place)


@pytest.fixture(scope="module")
def vote() -> Iterator[Scene]:
    """A seat is silent, its time is over, the third has voted, and this one would do so, too."""
    with shared_proofs():
        sim = Sim(RULES, seed="voice", seating=hold, auto_vote=True)
        voice = held(sim)[1]
        sim.run(lambda: voice.history.current.kind is Kind.PLAY)
        sim.isolate(2)
        voice.keeps_votes = True
        sim.run(lambda: (item := voice.consent.open_round()) is not None and bool(item.ballots))
        assert voice.consent.open_round() is not None
        yield scene_of(sim, 1)


# What it is about to say.


def meant(voice: HeldVoice, asked: Callable[[HeldVoice], object] = Voice.speak) -> list[Content]:
    """What it would sign if it was asked so; it signs nothing."""
    found: list[Content] = []
    voice.meant = found
    asked(voice)
    voice.meant = None
    return found


def said(voice: HeldVoice) -> list[Kind]:
    """What it has stored and sent since the last look, in this order."""
    stored, sent = list[bytes](), list[bytes]()
    for effect in voice.post.drain():
        if isinstance(effect, Store):
            stored.append(effect.envelope)
        elif isinstance(effect, Send):
            sent += decode(effect.frame, Frame).envelopes
            assert {*sent} <= {*stored}, "sent before it was stored"
    return [Kind(open_envelope(data).content.kind) for data in sent]


def fill(voice: HeldVoice, content: Content) -> Sealed:
    """Let a seat have signed something that its history does not hold."""
    sealed = seal(voice.signer, content)
    voice.hearing.spoken.note(sealed)
    return sealed


def stop(voice: HeldVoice) -> None:
    """Let a fault of this seat stand: then it is stopped, whatever its player has decided."""
    own = [
        sealed
        for item in voice.history.rounds
        for sealed in item.contents()
        if item.place.hand and sealed.content.seat == voice.course.seat
    ]
    voice.history.convictions.add(fault_of(Rule.BODY, own[0]))
    assert voice.consent.is_stopped


def wait(voice: HeldVoice) -> None:
    """Let a seat be started again, so that it first hears what it has said."""
    voice.recall.begin(7, {0})


# Speeches.


def is_behind(voice: HeldVoice) -> None:
    """Follow the hand again from its start."""
    hand = voice.course.hand
    assert hand is not None
    first = Place(hand.number, hand.attempt, 0)
    key = voice.history.find(first)
    assert key is not None
    seat = next(iter(key.speeches))
    key.speeches[seat] = key.speeches.pop(seat)
    voice.course.rewind(first)
    assert not voice.course.is_up_to_date


def has_voted(voice: HeldVoice) -> None:
    """Let a vote of this seat stand in the round."""
    (content,) = meant(voice)
    ballot = replace(content, kind=Kind.VOTE, body=encode(Vote(1, 2, 0, [b""], b"")))
    sealed = seal(voice.signer, ballot)
    voice.history.current.ballots[sealed.hash] = sealed


def has_spoken_elsewhere(voice: HeldVoice) -> None:
    (content,) = meant(voice)
    fill(voice, replace(content, prev=ELSEWHERE))


def is_closed(voice: HeldVoice) -> None:
    voice.history.current.closing = ()


def is_not_its_turn(voice: HeldVoice) -> None:
    voice.history.current.speakers = ()


FORBIDDEN = (wait, is_behind, is_closed, is_not_its_turn, has_spoken_elsewhere, has_voted)


@pytest.mark.parametrize("forbid", FORBIDDEN, ids=lambda item: item.__name__)
def test_voice__neither_speaks_nor_asks_its_player_where_something_forbids_it(
    forbid: Callable[[HeldVoice], None], turn: Scene
) -> None:
    voice = turn()
    forbid(voice)
    assert not voice.is_due()
    assert not Voice.speak(voice)
    assert said(voice) == []


def test_voice__speaks_once_its_player_has_decided(turn: Scene) -> None:
    voice = turn()
    hand = voice.course.hand
    assert hand is not None
    chosen, hand.chosen_card = hand.chosen_card, None
    assert voice.is_due()
    assert not Voice.speak(voice)
    hand.chosen_card = chosen
    assert Voice.speak(voice)
    assert said(voice) == [Kind.PLAY, Kind.ACK]
    assert not Voice.speak(voice)


def test_voice__speaks_on_nothing_that_has_no_certificate() -> None:
    """The round is there as soon as the one before is complete, and its certificate comes later."""
    sim = Sim(RULES, seed="voice", seating=hold)
    for voice in held(sim):
        voice.silent = frozenset({Kind.SHARES})
    voice = held(sim)[0]
    held(sim)[1].keeps_acks = frozenset({Kind.SEALS})
    sim.run(lambda: voice.history.current.kind is Kind.SHARES)
    assert not voice.history.may_speak()
    assert not voice.is_due()
    held(sim)[1].keeps_acks = frozenset()
    sim.run(voice.history.may_speak)
    assert voice.is_due()


def test_voice__is_ahead_of_its_own_checks_in_a_shuffle_alone(turn: Scene, shuffle: Scene) -> None:
    for scene, kind in ((turn, Kind.PLAY), (shuffle, Kind.SHUFFLE)):
        voice = scene()
        hand = voice.course.hand
        assert hand is not None
        hand.jobs.append(Job(1, 0, Task(lambda: None)))
        assert Voice.speak(voice) is (kind is Kind.SHUFFLE)
        hand.jobs.clear()
        Voice.speak(voice)
        assert kind in said(voice)


@pytest.mark.parametrize("kind", [stage.kind for stage in STAGES])
def test_voice__whose_secret_is_lost_says_so_only_where_that_may_be_said(
    kind: Kind, turn: Scene
) -> None:
    voice = turn()
    hand = voice.course.hand
    assert hand is not None
    hand.lost = True
    voice.history.current.kind = kind
    assert [item.kind for item in meant(voice)] == [Kind.LOST] * (kind is not Kind.KEY)


def test_voice__forms_a_table_with_a_commitment_and_then_its_nonce() -> None:
    sim = Sim(RULES, seed="voice")
    sim.run(lambda: sim.tables[0].hand is not None)
    kinds = [open_envelope(data).content for data in sim.logs[0]]
    own = [item.kind for item in kinds if item.author == sim.identities[0].public]
    assert own[:4] == [Kind.SIT, Kind.ACK, Kind.DRAW, Kind.ACK]


# Acks.


def acked(voice: HeldVoice) -> list[Place]:
    """Which rounds a seat acknowledges now, where it does not hold any longer."""
    voice.keeps_acks = frozenset()
    me = voice.course.seat
    before = [item.place for item in voice.history.rounds if me in item.acks]
    voice.acknowledge()
    return [item.place for item in voice.history.rounds if me in item.acks][len(before) :]


def ack_of(voice: HeldVoice, at: int) -> Content:
    """What its ack in the round ``at`` after the certified ones would be."""
    item = open_rounds(voice)[at]
    (content,) = meant(voice, lambda asked: asked.say(item, Kind.ACK, Ack(item.head or b"")))
    return content


def test_voice__acknowledges_complete_rounds_in_order(acks: Scene) -> None:
    voice = acks()
    complete = [item.place for item in open_rounds(voice) if item.head is not None]
    assert acked(voice) == complete
    assert said(voice) == [Kind.ACK] * 3
    assert acked(voice) == []


@pytest.mark.parametrize("forbid", [wait, stop], ids=lambda item: item.__name__)
def test_voice__neither_acknowledges_nor_votes_while_it_is_stopped_or_waits_for_its_own_words(
    forbid: Callable[[HeldVoice], None], acks: Scene, vote: Scene
) -> None:
    voice = acks()
    forbid(voice)
    assert acked(voice) == []
    voice = vote()
    forbid(voice)
    assert not Voice.ballot(voice)
    assert said(voice) == []


def test_voice__acknowledges_no_round_that_was_closed_by_votes_and_none_after_it(
    acks: Scene,
) -> None:
    voice = acks()
    first, second, *_ = open_rounds(voice)
    other = next(seat for seat in first.seats if seat != voice.course.seat)
    del first.acks[other], first.heads[other]
    second.closing = ()
    assert acked(voice) == [first.place]


def test_voice__acknowledges_nothing_where_it_has_voted_whether_that_counts_or_not(
    acks: Scene,
) -> None:
    voice = acks()
    content = ack_of(voice, 0)
    fill(voice, replace(content, kind=Kind.VOTE, body=encode(Vote(1, 2, 0, [b""], b""))))
    assert acked(voice) == []
    voice = acks()
    first, me = open_rounds(voice)[0], voice.course.seat
    assert me is not None
    first.votes[b"name"] = absence.Vote(b"name", me, 1, (me + 1) % 3, me, first.first, None)
    assert acked(voice) == []


def test_voice__acknowledges_nothing_where_it_has_acknowledged_another_history(
    acks: Scene,
) -> None:
    """A round that was closed otherwise is opened again on another head: nobody signs twice."""
    voice = acks()
    fill(voice, replace(ack_of(voice, 1), prev=ELSEWHERE))
    first = open_rounds(voice)[0].place
    assert acked(voice) == [first]
    assert said(voice) == [Kind.ACK]


def test_voice__acknowledges_nothing_on_top_of_a_round_without_its_certificate() -> None:
    """Else who goes on without its own ack could not be voted out of that round."""
    sim = Sim(RULES, seed="voice", seating=hold)
    held(sim)[1].keeps_acks = frozenset({Kind.KEY})
    voice = held(sim)[0]
    sim.wait(3.0)
    (key,) = open_rounds(voice)[:1]
    assert key.kind is Kind.KEY
    assert voice.course.seat in key.acks
    later = open_rounds(voice)[1]
    later.head = b"a head, though nobody could speak"
    assert acked(voice) == []
    del key.acks[voice.course.seat or 0]
    assert not key.certified


@pytest.mark.parametrize("refuses", [True, False])
def test_voice__whose_ack_its_history_refuses_goes_no_further(refuses: bool, acks: Scene) -> None:
    voice = acks()
    accept, tried = voice.history.accept, list[Place]()

    def refuse(sealed: Sealed) -> Outcome:
        tried.append(Place(*open_rounds(voice)[0].place[:2], sealed.content.round))
        return Outcome.DROPPED if refuses else accept(sealed)

    complete = [item.place for item in open_rounds(voice) if item.head is not None]
    voice.history.accept = refuse  # type: ignore[method-assign]
    assert len(acked(voice)) == (0 if refuses else 3)
    assert tried == (complete[:1] if refuses else complete)
    assert said(voice) == [Kind.ACK] * (0 if refuses else 3)


def test_voice__that_is_stopped_by_what_it_hears_acknowledges_no_further_round(
    acks: Scene,
) -> None:
    voice = acks()
    accept = voice.history.accept

    def convict(sealed: Sealed) -> Outcome:
        stop(voice)
        return accept(sealed)

    first = open_rounds(voice)[0].place
    voice.history.accept = convict  # type: ignore[method-assign]
    assert acked(voice) == [first]


# Votes.


def test_voice__votes_once_all_that_it_has_said_in_ballots_counts(vote: Scene) -> None:
    voice = vote()
    (content,) = meant(voice, Voice.ballot)
    assert content.kind == Kind.VOTE
    body = decode(content.body, Vote)
    other = replace(content, body=encode(replace(body, ballot=body.ballot + 1)))
    for uncounted in (content, other):
        sealed = fill(voice, uncounted)
        assert not meant(voice, Voice.ballot)
        assert not Voice.ballot(voice)
        voice.hearing.spoken.forget(sealed)
    assert Voice.ballot(voice)
    assert said(voice) == [Kind.VOTE]


def test_voice__votes_where_no_round_may_be_closed_without_a_seat_for_nobody(turn: Scene) -> None:
    voice = turn()
    assert not Voice.ballot(voice), "nobody is late"
    voice.history.current.votable = False
    assert voice.consent.open_round() is None
    assert not Voice.ballot(voice)


# Signing.


@pytest.mark.parametrize("taken", [True, False])
def test_voice__says_again_what_its_history_could_not_take_before(taken: bool, turn: Scene) -> None:
    voice = turn()
    (content,) = meant(voice)
    sealed = fill(voice, content if taken else replace(content, prev=ELSEWHERE))
    assert voice.say_again() is taken
    assert voice.history.keeps(sealed) is taken
    assert said(voice) == [Kind.PLAY] * taken
    assert not voice.say_again(), "what is held is not said again"


def test_voice__says_nothing_again_before_others_have_returned_what_it_said(turn: Scene) -> None:
    voice = turn()
    (content,) = meant(voice)
    fill(voice, content)
    wait(voice)
    assert not voice.say_again()
    assert said(voice) == []


def test_voice__has_not_said_what_its_own_history_refuses(turn: Scene) -> None:
    voice = turn()
    spoken = voice.hearing.spoken
    before = spoken.count, spoken.last
    accept = voice.history.accept
    voice.history.accept = lambda sealed: Outcome.DROPPED  # type: ignore[method-assign]
    assert not Voice.speak(voice)
    assert (spoken.count, spoken.last) == before
    assert said(voice) == []
    voice.history.accept = accept  # type: ignore[method-assign]
    assert Voice.speak(voice)
    assert said(voice) == [Kind.PLAY, Kind.ACK]


def test_voice__never_unsays_what_is_in_its_log_for_what_it_proves(turn: Scene) -> None:
    voice = turn()
    (content,) = meant(voice)
    voice.hearing.note_log([seal(voice.signer, content)])
    voice.history.accept = lambda sealed: Outcome.DROPPED  # type: ignore[method-assign]
    Voice.speak(voice)
    assert not voice.is_due(), "its slot is filled for good"
    assert said(voice) == []


def test_voice__signs_nothing_into_a_slot_that_is_filled(turn: Scene) -> None:
    voice = turn()
    (content,) = meant(voice)
    fill(voice, content)
    hand: Any = voice.course.hand
    other = next(card for card in cards_in(hand.own_cards) if card != hand.chosen_card)
    hand.chosen_card = other
    body = hand.speak(Kind.PLAY, content.round)
    assert not voice.say(voice.history.current, Kind.PLAY, body)
    assert said(voice) == []
