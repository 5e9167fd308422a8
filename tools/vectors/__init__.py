"""The vectors of protocol/vectors: how they are made, and what they ask of an implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tools.vectors import (
    absences,
    audits,
    basics,
    codes,
    ends,
    following,
    messages,
    proofs,
    structs,
)
from tools.vectors.values import VectorFile

FILES: Mapping[str, Callable[[], VectorFile]] = {
    "group.json": basics.group_file,
    "transcript.json": basics.transcript_file,
    "secret.json": basics.secret_file,
    "deal.json": proofs.deal_file,
    "shuffle.json": proofs.shuffle_file,
    "pass.json": proofs.pass_file,
    "play.json": proofs.play_file,
    "rules.json": proofs.rules_file,
    "ends.json": ends.ends_file,
    "codec.json": messages.codec_file,
    "structs.json": structs.structs_file,
    "content.json": messages.content_file,
    "draw.json": messages.draw_file,
    "lobby.json": messages.lobby_file,
    "code.json": codes.code_file,
    "log.json": messages.log_file,
    "escrow.json": absences.escrow_file,
    "votes.json": absences.votes_file,
    "dummy.json": absences.dummy_file,
    "match-four.json": audits.match_file,
    "match-three.json": audits.claimed_match_file,
    "match-absent.json": absences.absent_match_file,
    "match-anew.json": absences.anew_match_file,
    "follow.json": following.follow_file,
    "follow-draw.json": following.follow_draw_file,
    "compare.json": following.compare_file,
}
"""What makes each file."""


def all_files() -> dict[str, str]:
    """Return the text of every file of vectors by name."""
    return {name: make().text() for name, make in FILES.items()}
