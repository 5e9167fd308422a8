"""The specification agrees with itself and with what the code says of it."""

from __future__ import annotations

import re
from base64 import b64decode
from itertools import pairwise
from pathlib import Path

from p2p_hearts.agreement.rounds import FORMATION, STAGES, stage_of
from p2p_hearts.cards.flaws import Flaw
from p2p_hearts.crypto.transcript import PROTOCOL_VERSION
from p2p_hearts.net.advert import Advert
from p2p_hearts.net.codes import SECRET_LENGTH, join_code
from p2p_hearts.net.discovery import SERVICE
from p2p_hearts.record.records import RecordKind
from p2p_hearts.wire.chain import Place, place_of
from p2p_hearts.wire.evidence import open_content
from p2p_hearts.wire.faults import FLAW_RULES, Rule
from p2p_hearts.wire.messages import VERSION, Kind
from tests.protocol.files import SPEC, VECTORS, accepted, checks, expanded, sections
from tools.spec_parts import PROVES

ROOT = SPEC.parent.parent
TEXT = SPEC.read_text(encoding="utf-8")
NUMBER = r"(\d+(?:\.\d+)?)"
CITATION = re.compile(rf"SPEC\.md sections? {NUMBER}(?:(?:,| to| and) {NUMBER})?(?: and {NUMBER})?")


def cited() -> list[tuple[Path, str]]:
    """Every section that a comment or docstring of the code cites."""
    found = []
    for folder in ("p2p_hearts", "tests", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = re.sub(r"\s*\n\s*#?\s*", " ", path.read_text(encoding="utf-8"))
            for match in CITATION.finditer(text):
                numbers = match.groups()
                found += [(path, number) for number in numbers if number]
    return found


def test_spec__checks_are_numbered_without_a_gap_in_the_order_of_the_text() -> None:
    assert list(checks()) == [f"V{number}" for number in range(1, len(checks()) + 1)]


def test_spec__every_number_that_is_mentioned_is_a_check() -> None:
    assert expanded(TEXT) == set(checks())


def test_spec__every_check_is_cited_where_the_program_makes_it() -> None:
    paths = sorted((ROOT / "p2p_hearts").rglob("*.py"))
    told = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    assert expanded(told) == set(checks())


TABLE = ("agreement", "cards", "crypto", "table", "wire")
"""The packages that a running table consists of: they make every check but these."""

READERS = {
    "V93 to V98": "the frames of a log: a table is given records, from whoever read the file",
    "V99 to V101": "which records a log has, and in which order: a table gets them one by one",
    "V102 to V107": "in which order a log may hold what V54 to V66 judge at a table as it comes",
    "V108 to V113": "whether all is there once a log has ended: a table waits for it instead",
    "V114 and V115": "what several logs say of one table: a seat has its own alone",
}
"""Checks that only a reader of logs makes, and why (sections 9.1 to 9.3)."""


def test_spec__every_check_is_cited_where_a_running_table_makes_it() -> None:
    paths = [path for name in TABLE for path in (ROOT / "p2p_hearts" / name).rglob("*.py")]
    told = expanded("\n".join(path.read_text(encoding="utf-8") for path in paths))
    assert told == set(checks()) - expanded(" ".join(READERS))


def test_spec__every_check_is_cited_where_the_second_verifier_makes_it() -> None:
    told = (ROOT / "protocol" / "verify.py").read_text(encoding="utf-8")
    assert expanded(told) == set(checks())


def test_spec__sections_are_numbered_from_1_to_9() -> None:
    tops = re.findall(r"^## (\d+)\. ", TEXT, re.MULTILINE)
    assert tops == [str(number) for number in range(1, 10)]


def test_spec__every_section_that_the_code_cites_is_there() -> None:
    found = cited()
    assert len(found) > 50
    assert [(path, number) for path, number in found if number not in sections()] == []


def test_spec__every_section_that_the_text_refers_to_is_there() -> None:
    referred = re.findall(r"\((\d\.\d)\)|\b(?:section|sections) (\d(?:\.\d)?)(?=[\s,.)])", TEXT)
    own = {number for pair in referred for number in pair if number} - {"4.3.1", "4.3"}
    assert own - sections() == set()


def test_spec__every_rule_stands_beside_a_check_that_proves_it() -> None:
    for rule in Rule:
        rows = [checks()[number] for number in expanded(PROVES[rule])]
        assert rows
        assert any(f"`{rule}`" in row or "drop" in row for row in rows), rule


def test_spec__every_flaw_stands_beside_its_rule() -> None:
    rows = list(checks().values())
    for flaw in Flaw:
        beside = [row for row in rows if re.search(rf"\b{flaw}\b", row)]
        assert beside, flaw
        if flaw in FLAW_RULES and flaw is not Flaw.MALFORMED:
            assert any(f"{flaw}: `{FLAW_RULES[flaw]}`" in row for row in beside) or any(
                f"{flaw}: `" in row for row in beside
            ), flaw


def test_spec__every_kind_of_message_is_explained() -> None:
    for kind in Kind:
        assert f"`{kind}`" in TEXT, kind


def test_spec__a_table_is_found_as_the_program_says_where_it_is() -> None:
    finding = TEXT.split("### 8.5 ")[1].split("\n## ")[0]
    assert f"32 zero bytes is `{join_code(bytes(32))}`" in finding
    assert "four letters follow" in finding
    assert SECRET_LENGTH == 4
    assert f"`{SERVICE}`" in finding
    advert = Advert("id", "name", "nick", VERSION, "custom", 4, 3)
    assert re.findall(r"^\| `([a-z]+)` \|", finding, re.MULTILINE) == [*advert.properties()]


def drawn() -> set[tuple[str, str]]:
    """The steps of the state diagram; [*] is where a table begins and where its match ends."""
    return set(re.findall(r"^    (\S+) --> (\S+?)(?:: .*)?$", TEXT, re.MULTILINE))


def rounds_of(name: str) -> list[str]:
    """The kinds of the rounds of the match in a file of vectors, one after the other."""
    found = dict[Place, str]()
    for entry in accepted(name, "audit"):
        for record in entry["input"]["records"]:
            if record["kind"] == RecordKind.CONTENT:
                content = open_content(b64decode(record["base64"])).content
                if content.kind in SPOKEN:
                    found.setdefault(place_of(content), stage_of(Kind(content.kind)).kind)
    return [found[place] for place in sorted(found)]


SPOKEN = {kind for stage in (*FORMATION, *STAGES) for kind in stage.kinds}


def test_spec__diagram_leads_to_every_kind_of_round_and_on() -> None:
    kinds = {str(stage.kind) for stage in (*FORMATION, *STAGES)}
    assert {before for before, _ in drawn()} == kinds | {"[*]"}
    assert {after for _, after in drawn()} == kinds | {"[*]"}


def test_spec__diagram_has_every_step_of_the_matches_of_the_vectors() -> None:
    matches = [path.name for path in VECTORS if path.stem.startswith("match")]
    found = {step for name in matches for step in pairwise(rounds_of(name))}
    assert found - drawn() == set()
    assert {"openings", "pass", "open", "reveal"} <= {after for _, after in found}


def test_spec__one_version_everywhere() -> None:
    assert PROTOCOL_VERSION == VERSION == 1
    assert TEXT.startswith(f"# The p2p-hearts protocol, version {VERSION}\n")
