"""A peer that dies at any instant comes back with the same words, and nothing is said twice.

What survives a death is what was synced: the log and the secrets. What was only in memory, such as
a decision that was not signed yet, is gone, and frames already on the network are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from p2p_hearts.rules.options import RuleSet
from p2p_hearts.table.effects import Store
from p2p_hearts.table.machine import Table
from p2p_hearts.wire.envelope import open_envelope
from p2p_hearts.wire.evidence import open_content
from tests.table.sim import Sim, Weather
from tests.table.test_match import check_ends_alike

Instant = Callable[[int, str, int], bool]
"""(place, ``store`` or ``send``, number of that effect of that place) -> die right after it."""


def nobody_dies(place: int, what: str, number: int) -> bool:
    """Let everybody live."""
    return False


class CrashSim(Sim):
    """Kills peers right after single effects and starts them again from their logs."""

    def __init__(
        self,
        rules: RuleSet,
        *,
        dies: Instant,
        away: float = 0.0,
        together: frozenset[int] = frozenset(),
        **options: object,
    ):
        """``away``: seconds until a peer comes back; ``together``: those that die at once."""
        super().__init__(rules, **options)  # type: ignore[arg-type]
        self._together = together
        self.deaths = 0
        self._dies = dies
        self._away = away
        self._numbers = Counter[tuple[int, str]]()
        self._starts = 0
        self._back: dict[int, float] = {}

    def step(self) -> None:
        for place, when in list(self._back.items()):
            if self.now >= when:
                del self._back[place]
                self.start_again(place)
        super().step()

    def _next_times(self) -> list[float]:
        return [*super()._next_times(), *self._back.values()]

    def settle(self, place: int) -> None:
        if place not in self.stopped:
            super().settle(place)

    def _flush(self, place: int) -> None:
        for effect in self.tables[place].drain():
            kind = "store" if isinstance(effect, Store) else "send"
            self._carry_out(place, effect)
            number = self._numbers[place, kind]
            self._numbers[place, kind] += 1
            if self._dies(place, kind, number):
                self.kill(place)
                return

    def kill(self, place: int) -> None:
        for each in {place} | (self._together if place in self._together else set()):
            self.deaths += 1
            if self._away:
                self.stopped.add(each)
                self._back[each] = self.now + self._away
            else:
                self.start_again(each)

    def start_again(self, place: int) -> None:
        """Start a peer from its log, by the same options."""
        self._starts += 1
        self.stopped.discard(place)
        auto_vote = self.tables[place].auto_vote
        self.tables[place] = Table.resume(
            self.identities[place],
            self.roster,
            self.secrets[place],
            list(self.logs[place]),
            self._starts,
        )
        self.tables[place].auto_vote = auto_vote
        self._ticks[place] = self.now


def own_words(sim: Sim, place: int) -> list[bytes]:
    """What a peer's log holds of its own messages."""
    own = sim.identities[place].public
    return [data for data in sim.logs[place] if open_envelope(data).content.author == own]


def check_said_once(sim: Sim) -> None:
    """No seat said two things, no log holds anything twice, all hold the same."""
    for secrets in sim.secrets:
        secrets.forgotten = sorted(set(secrets.forgotten), key=lambda item: item[1])
    check_ends_alike(sim)


@pytest.mark.parametrize("kind", ["store", "send"])
@pytest.mark.parametrize("offset", [0, 4])
def test_crash__at_many_instants_of_a_hand_loses_and_doubles_nothing(
    kind: str, offset: int
) -> None:
    sim = CrashSim(
        RuleSet(hands=1),
        seed="crash",
        dies=lambda place, what, number: place == 1 and what == kind and number % 9 == offset,
    )
    sim.run()
    assert sim.deaths > 10
    check_said_once(sim)


@pytest.mark.deep
@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("kind", ["store", "send"])
def test_crash__after_every_single_store_and_send_loses_and_doubles_nothing(
    place: int, kind: str
) -> None:
    sim = CrashSim(
        RuleSet(hands=2),
        seed="crash everywhere",
        dies=lambda who, what, number: who == place and what == kind,
    )
    sim.run()
    assert sim.deaths > 100
    check_said_once(sim)


@pytest.mark.deep
@pytest.mark.parametrize("place", [0, 3])
@pytest.mark.parametrize("kind", ["store", "send"])
def test_crash__of_two_peers_at_once_after_every_single_store_and_send_loses_nothing(
    place: int, kind: str
) -> None:
    """Whatever the one has just stored or sent, the other, too, forgets what it had not."""
    sim = CrashSim(
        RuleSet(hands=1),
        seed="both crash everywhere",
        dies=lambda who, what, number: who == place and what == kind,
        together=frozenset({0, 3}),
    )
    sim.run()
    assert sim.deaths > 200
    check_said_once(sim)


Branch = Callable[["Branching", int], None]
"""What becomes of a copy of the game, and after which effect it was made."""


class Branching(CrashSim):
    """A game in which nobody dies; after each effect of one peer a copy of it goes its own way."""

    def __init__(self, rules: RuleSet, *, place: int, branch: Branch, seed: object):
        super().__init__(rules, dies=nobody_dies, seed=seed)
        self.instants = 0
        self._place = place
        self._branch: Branch | None = branch

    def _flush(self, place: int) -> None:
        for effect in self.tables[place].drain():
            self._carry_out(place, effect)
            if self._branch is not None and place == self._place:
                branch, self._branch = self._branch, None
                branch(self.copy(), self.instants)
                self._branch = branch
                self.instants += 1
            number = self._numbers[place, "any"]
            self._numbers[place, "any"] += 1
            if self._dies(place, "any", number):
                self.kill(place)
                return

    def die_now(self, place: int, away: float) -> None:
        """Kill a peer; what it was about to store or send is gone."""
        self._away = away
        self.kill(place)

    def die_next(self, place: int) -> None:
        """Kill a peer after whatever it stores or sends next."""
        due = self._numbers[place, "any"]
        self._away = 0.0
        self._dies = lambda who, what, number: (who, number) == (place, due)

    def go_on(self, rounds: int) -> None:
        """Play until all are back, and have certified so many rounds more than are open."""
        target = rounds + max(len(table.history.rounds) for table in self.tables)

        def done() -> bool:
            return self.deaths == 2 and all(
                table.over or table.history.certified >= target for table in self.tables
            )

        self.run(done, limit=self.now + 600)

    def check(self) -> None:
        """No seat said two things, and nothing that a seat said is missing in its own log."""
        held = [Counter(log) for log in self.logs]
        assert all(set(log.values()) == {1} for log in held), "something is in a log twice"
        numbers = dict[tuple[bytes, int], bytes]()
        own = {
            identity.public: set(log) for identity, log in zip(self.identities, held, strict=True)
        }
        for data in {data for log in held for data in log}:
            content = open_content(data).content
            assert numbers.setdefault((content.author, content.sequence), data) == data
            assert data in own[content.author]
        assert all(table.fault is None for table in self.tables)
        heads = [[item.head for item in table.history.rounds] for table in self.tables]
        common = min(table.history.certified for table in self.tables)
        assert all(each[:common] == heads[0][:common] for each in heads)


@pytest.mark.deep
@pytest.mark.parametrize("place", range(4))
def test_crash__at_each_instant_of_one_peer_and_another_one_beside_it_loses_nothing(
    place: int,
) -> None:
    """After every effect of one peer it dies: at once with another one, or just before it does.

    Every other peer is the second one in turn; both orders of two deaths are met, since each peer
    is the first one in one of these tests.
    """

    def branch(game: Branching, instant: int) -> None:
        other = (place + 1 + instant % 3) % 4
        if instant // 3 % 2:
            game.die_now(place, away=0.0)
            game.die_now(other, away=0.0)
        else:
            game.die_now(place, away=1.0)
            game.die_next(other)
        game.go_on(rounds=1)
        game.check()

    sim = Branching(RuleSet(hands=1), place=place, branch=branch, seed="two beside each other")
    sim.run()
    print(f"{sim.instants} instants of place {place}")
    assert sim.instants > 400
    check_said_once(sim)


def test_crash__of_two_peers_at_once_the_founder_among_them_is_survived() -> None:
    sim = CrashSim(
        RuleSet(hands=1),
        seed="two crash",
        weather=Weather(delay=0.01, jitter=0.05, drop=0.05),
        away=1.5,
        dies=lambda place, what, number: place in (0, 3) and what == "store" and number % 120 == 60,
    )
    sim.run()
    assert sim.deaths >= 4
    check_said_once(sim)


def test_crash__of_all_peers_at_once_is_survived() -> None:
    sim = CrashSim(
        RuleSet(hands=1),
        seed="all crash",
        away=2.0,
        dies=lambda place, what, number: what == "store" and number == 150,
    )
    sim.run()
    assert sim.deaths == 4
    check_said_once(sim)


def test_crash__with_a_log_restored_from_a_backup_never_makes_a_seat_say_two_things() -> None:
    """The log lost its last hundred records, own messages among them; the others return them."""
    sim = CrashSim(RuleSet(hands=1), seed="backup", dies=lambda *_: False)
    sim.run(lambda: len(sim.logs[2]) > 250)
    del sim.logs[2][150:]
    sim.start_again(2)
    assert sim.tables[2].decision is None, "it may not speak before the others returned its words"
    sim.run()
    check_said_once(sim)


def test_crash__says_nothing_until_every_other_peer_has_returned_its_messages() -> None:
    sim = CrashSim(RuleSet(hands=1), seed="recall", dies=lambda *_: False)
    sim.run(lambda: len(sim.logs[1]) > 200)
    sim.isolate(1)
    sim.start_again(1)
    before = own_words(sim, 1)
    sim.wait(20.0)
    assert own_words(sim, 1) == before
    assert {item.item for item in sim.tables[1].waiting()} == {"own messages"}
    sim.cut.clear()
    sim.run()
    check_said_once(sim)


def test_crash__with_one_other_peer_away_goes_on_after_a_while() -> None:
    """Two of three returned all they hold and nothing in it was new: the third is not needed."""
    sim = CrashSim(RuleSet(hands=1), seed="one away", dies=lambda *_: False)
    sim.run(lambda: len(sim.logs[1]) > 200)
    sim.cut |= {(1, 3), (3, 1)}
    sim.start_again(1)
    sim.wait(5.0)
    assert sim.tables[1].waiting()[0].item == "own messages"
    sim.run(lambda: all(table.over for table in sim.tables))
    check_said_once(sim)


def test_crash__with_a_secret_lost_takes_no_other_secret_in_its_place() -> None:
    """What it does instead is in test_lost.py."""
    sim = CrashSim(RuleSet(hands=1), seed="lost", dies=lambda *_: False)
    sim.run(lambda: len(sim.logs[1]) > 100)
    draw = sim.tables[1].draw
    assert draw is not None
    sim.secrets[1].forgotten.append((draw.table, 1, 1))
    sim.start_again(1)
    hand = sim.tables[1].hand
    assert hand is not None
    assert hand.lost
    assert set(hand.secret.z) == {0}, "nothing is drawn anew"
