"""An audit in haste says the same as one that checks everything at once (SPEC.md section 9.2)."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import Any, cast

import pytest

from p2p_hearts.cards.encoding import Encoding
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.cards.secret import HandSecret
from p2p_hearts.crypto.elgamal import Deck, encrypt
from p2p_hearts.crypto.group import base_mul
from p2p_hearts.record.audit import Verdict, audit, audit_tables, memo
from p2p_hearts.record.audit.hand import again
from p2p_hearts.record.audit.hand.again import Owner, Remade
from p2p_hearts.record.audit.memo import AT_ONCE, Batch, FlawedError, Haste, Memo, Said
from p2p_hearts.record.log import read_log
from p2p_hearts.record.records import Record
from p2p_hearts.rules.cards import Card, ClassSet
from p2p_hearts.rules.options import RuleSet
from p2p_hearts.wire import evidence
from p2p_hearts.wire.envelope import Sealed
from p2p_hearts.wire.messages import Kind
from tests.record.cheats import flip, with_other_nonces
from tests.record.games import ONE_HAND, audit_bytes, cancellation_game, honest_game
from tests.record.maker import Game, Records, write
from tests.record.test_audit_faults import CHEATS, GoesOn
from tools.vectors import match


class Log:
    """A log that can be read twice."""

    def __init__(self, log: bytes) -> None:
        self.log = log

    def __iter__(self) -> Iterator[Record]:
        return read_log(self.log)


def at_once(work: Callable[[], bool]) -> Callable[[], bool]:
    result = work()
    return lambda: result


def never(work: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: True


def test_haste__tells_the_same_of_an_honest_log_with_threads() -> None:
    log = honest_game().log()
    with ThreadPoolExecutor(2) as pool:
        together = audit_tables([Log(log)] * 2, start=lambda work: pool.submit(work).result)
    (found,) = together.tables
    assert found.verdict is Verdict.CLEAN
    assert found.reports[0].to_dict() == audit_bytes(log).to_dict()


def test_haste__leaves_out_what_the_revealed_secrets_prove_anyway() -> None:
    game = honest_game()
    ran = Counter(name_of(check) for check in checks_of(game.log()))
    assert ran == {"verify_bytes": len(game.contents), "rerun": 4}, "and no proof of anything"


def test_haste__verifies_a_signature_once_for_all_logs() -> None:
    game = honest_game()
    ran = Counter(name_of(check) for check in checks_of(game.log(), game.log()))
    assert ran["verify_bytes"] == len(game.contents)


def test_memo__opens_what_it_kept_no_more_and_keeps_a_bounded_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memo, "OPENED", 2)
    opened: list[bytes] = []

    def open_content(data: bytes) -> Sealed:
        opened.append(data)
        return evidence.open_content(data)

    monkeypatch.setattr(memo, "open_content", open_content)
    first, second, third = (item.data for item in honest_game().contents[:3])
    kept = Memo()
    for data in (first, second, second, third, third, first):
        assert kept.open(data).data == data
    assert opened == [first, second, third, first]
    kept.forget(1)
    kept.open(first)
    assert opened[4:] == [first], "it is of hand 0"


def name_of(check: Callable[[], object]) -> str:
    assert isinstance(check, partial)
    name: str = check.func.__name__
    return name


def checks_of(*logs: bytes) -> list[Callable[[], object]]:
    """All checks that an audit in haste begins."""
    ran: list[Callable[[], object]] = []

    def start(work: Callable[[], bool]) -> Callable[[], bool]:
        assert isinstance(work, Batch)
        ran.extend(work.checks)
        return lambda: True

    haste = Haste(start)
    for log in logs:
        audit(read_log(log), memo=haste)
    haste.finish()
    return ran


@pytest.mark.parametrize("game", [honest_game, cancellation_game, lambda: left_game()])
def test_haste__has_checks_that_another_process_can_run(game: Callable[[], Any]) -> None:
    for check in checks_of(write(game().records())):
        again = pickle.loads(pickle.dumps(check))
        assert pickle.dumps(again) == pickle.dumps(check)


def left_game() -> Any:
    """Somebody leaves with cards in hand, and the rest is claimed."""
    return match.play_match(4, True, Kind.SHARES)


@pytest.mark.parametrize("name", ["a duplicated card", "a wrong share", "a bad pass", "a revoke"])
def test_haste__finds_that_something_is_wrong(name: str) -> None:
    assert_flawed(Game(ONE_HAND, tamper=CHEATS[name][1]).run())


@pytest.mark.parametrize("kind", [Kind.SHARES, Kind.PLAY])
def test_haste__finds_that_a_secret_does_not_make_the_messages(kind: Kind) -> None:
    assert_flawed(GoesOn(ONE_HAND, tamper=with_other_nonces(kind)).run())


def test_haste__finds_a_signature_that_is_not_its_authors() -> None:
    log = write(with_other_signature(honest_game().records()[:30]))
    audited(log, Haste(never))
    with pytest.raises(FlawedError):
        audited(log, Haste(at_once))
    (found,) = audit_tables([Log(log)], start=at_once).tables
    assert found.verdict is Verdict.UNREADABLE
    assert found.reports[0].to_dict() == audit_bytes(log).to_dict()


def with_other_signature(records: Records) -> Records:
    """The last content, with one bit of its signature another one."""
    kind, data = records[-1]
    return [*records[:-1], (kind, flip(data, len(data) - 1))]


# Plays, openings and claims are made again whether or not they are true; so they are read as well.


@cache
def reruns(hand: Kind) -> list[tuple[HandSecret, Encoding, tuple[Remade, ...]]]:
    """What the re-run of each seat is given, in a game that is played out, or claimed."""
    claimed = Game(RuleSet(hands=2), seed="claims 1", claims=True)
    log = (claimed.run() if hand is Kind.CLAIM else honest_game()).log()
    checks = [check for check in checks_of(log) if name_of(check) == "rerun"]
    return [check.args for check in checks if isinstance(check, partial)]


def is_play_of_two(step: Remade) -> bool:
    """A play with one card left at least, which is another one than it."""
    return step.make is again.play and bool(shown_in(step).rest)


def shown_in(step: Remade) -> again.Shown:
    return cast(again.Shown, step.of[-1])


def showing(step: Remade, **fields: Any) -> tuple[object, ...]:
    """What a play is made of, with some of what it shows otherwise."""
    return (*step.of[:-1], replace(shown_in(step), **fields))


def other_card(owner: Owner, step: Remade) -> tuple[object, ...]:
    """A play of a card that lies at another place of the hand."""
    (other, *_) = owner.cards(shown_in(step).rest)
    return showing(step, card=other)


def no_card(owner: Owner, step: Remade) -> tuple[object, ...]:
    """A play from a place that holds no card."""
    return showing(step, source=encrypt(base_mul(7), base_mul(owner.secret.x()), 5))


def too_few_classes(owner: Owner, step: Remade) -> tuple[object, ...]:
    """A play that says that nothing is left of any class."""
    return showing(step, due=ClassSet(0))


def swapped(owner: Owner, step: Remade) -> tuple[object, ...]:
    """A claim of cards that lie at other places."""
    context, public, held, cards = step.of
    return (context, public, held, tuple(cast(Sequence[Card], cards)[::-1]))


def opening_held(owner: Owner, step: Remade) -> tuple[object, ...]:
    """A hand without opening card, and one card in it that is."""
    context, public, hand = step.of
    secret = owner.secret
    opening = owner.encoding.rules.opening_card
    assert opening is not None
    held = encrypt(owner.encoding.point(opening), base_mul(secret.x()), 7)
    return (context, public, (*cast(Deck, hand)[1:], held))


FALSE: dict[str, tuple[Kind, Callable[[Remade], bool], Callable[[Owner, Remade], Any]]] = {
    "a card of another place": (Kind.PLAY, is_play_of_two, other_card),
    "a place without a card": (Kind.PLAY, is_play_of_two, no_card),
    "classes that are held": (Kind.PLAY, is_play_of_two, too_few_classes),
    "a hidden opening card": (
        Kind.PLAY,
        lambda step: step.make is again.no_opening,
        opening_held,
    ),
    "claimed in another order": (Kind.CLAIM, lambda step: step.make is again.claim, swapped),
}


@pytest.mark.parametrize("name", FALSE)
def test_haste__takes_nothing_that_is_made_again_and_not_so(name: str) -> None:
    kind, is_meant, change = FALSE[name]
    secret, encoding, step = next(
        (secret, encoding, step)
        for secret, encoding, steps in reruns(kind)
        for step in steps
        if is_meant(step)
    )
    assert again.rerun(secret, encoding, [step], proves=True) is None
    owner = Owner(secret, encoding)
    of = change(owner, step)
    lie = Remade(step.make(owner, *of), step.make, of)
    made = again.rerun(secret, encoding, [lie], proves=False)
    assert made is None, "it is what an honest seat would make"
    assert again.rerun(secret, encoding, [lie], proves=True) is Flaw.CARD_PROOF


def audited(log: bytes, haste: Haste) -> None:
    audit(read_log(log), memo=haste)
    haste.finish()


def assert_flawed(game: Game) -> None:
    log = game.log()
    audited(log, Haste(never))
    with pytest.raises(FlawedError):
        audited(log, Haste(at_once))


def test_haste__is_given_up_for_a_log_with_a_fault() -> None:
    log = Game(ONE_HAND, tamper=CHEATS["a wrong share"][1]).run().log()
    (found,) = audit_tables([Log(log)], start=at_once).tables
    assert [item.to_dict() for item in found.faults] == [
        item.to_dict() for item in audit_bytes(log).faults
    ]


def test_haste__has_a_bounded_number_of_checks_under_way() -> None:
    waiting: list[int] = []

    def start(work: Callable[[], bool]) -> Callable[[], bool]:
        waiting.append(1)

        def end() -> bool:
            waiting.pop()
            return True

        return end

    haste = Haste(start)
    for number in range(3 * AT_ONCE):
        said = Said(0, number, bytes(32), number.to_bytes(32, "big"))
        haste.again(said, lambda *, proves: None)
        assert len(waiting) <= AT_ONCE + 1
    assert waiting
