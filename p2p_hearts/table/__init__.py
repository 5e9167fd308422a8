"""One table, sans-IO: rounds, history, seating, hands (protocol/SPEC.md sections 4, 6 and 8).

    machine     the whole table of a seat, frames in, effects out: begin here
    lobby       before it: from an open table to a roster
    effects     what a table asks of its surroundings; nothing leaves it otherwise
    hearing     what comes in: signatures, seats, what is recorded; ``counts``, who said which
                number; ``early``, what was said for later rounds; ``budget``, what a peer may cost
    history     one history for everybody, made of rounds (``round``): slots, heads, acks, evidence;
                ``convictions``, who is proven to have broken a rule, and which fault stands
    course      what the history means: the draw, the hands, the match
    hand        one hand: what was said in it, what it means, what this seat says
    voice       what this seat signs, and when; ``spoken``, what it has signed
    post        what goes out: records, frames, heartbeats; ``serving``, what others lack
    tasks       proofs that may be made or checked anywhere; ``ahead``, the next hand's deal
    patience    how long a seat is waited for; ``consent``, whether to go on without it
    voting      when a seat votes, and against whom; ``ballots``, what it says then
    recall      coming back after a start: whom to hear before speaking
    views       what one seat may know of a hand
    watching    a table without a seat; ``gallery``, who watches

Time and chance arrive as arguments, frames as bytes with the seat whose line they came on. What
every program must compute alike stands below, in ``agreement``.

Never: opens a socket, reads a clock, writes a file, decides a card. Errors: what a peer did is a
``Fault`` or is dropped; an exception is a bug of ours.
"""
