"""A second peer: sits down at a table of the program and plays, from protocol/SPEC.md alone.

    python -m tests.protocol.second HOST:PORT#CODE FOLDER

Its arithmetic, proofs and encodings are those of protocol/verify.py, which is written from that
text as well, and not a line is the program's. It is made to be read beside SPEC.md, from which the
numbers of sections and checks come, and to show what a peer needs at least:

- `links`: from strangers to a table (6.7, 8.1, 8.2);
- `history`: what is signed, in which order, and what everybody has acknowledged (6);
- `hand`: one hand, round by round (4, 5, 7.3);
- `__main__`: the draw (8.3), and hands until the match is over.

It opens one round after the other: what belongs to later rounds waits. It knows nothing of section
7 but the escrow: where somebody is missing or breaks a rule, it says so and ends. Its arithmetic is
not constant-time, so it is for tests and for reading, and not to play with.
"""
