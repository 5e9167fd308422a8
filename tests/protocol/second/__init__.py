"""A second peer: sits down at a table of the program and plays, from protocol/SPEC.md alone.

    python -m tests.protocol.second HOST:PORT#CODE FOLDER

Its arithmetic, proofs and encodings are those of protocol/verify.py, which is written from that
text as well, and not a line is the program's. It is made to be read beside SPEC.md, from which the
numbers of sections and checks come, and to show what a peer needs at least:

- `links`: from strangers to a table (6.7, 8.1, 8.2, 8.5);
- `contents`, `ballots`: a content, a round, the log; votes (6.2, 6.4, 7.4, 9.1);
- `history`: what is signed in which order, and what everybody has acknowledged (6);
- `dealing`, `hand`: one hand, round by round (4, 5, 7);
- `__main__`: the draw (8.3), and hands until the match is over.

It opens one round after the other: what belongs to later rounds waits. It goes on without a player
where the others do, but opens no ballot itself; where somebody breaks a rule it says so and ends.
It never comes back to a table (6.8), and knows neither watchers nor chat. Its arithmetic is not
constant-time: it is for tests and for reading, and not to play with.
"""
