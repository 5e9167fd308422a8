"""What all at a table, and who audits it, compute alike (protocol/SPEC.md sections 4, 7.4 and 8.3).

    draw       from everybody's nonces to table id, seats, dealer and table phrase; ``words`` has
               the words of the phrase
    rounds     who may say what, and when: the rounds of a hand as data
    absence    how a round closes without a silent seat: what a vote may say, what votes decide

Two honest programs that answered otherwise here would go on apart, so it is written once: the table
and the audit both read it, and share nothing else above messages, proofs and rules.

Never: knows a history, a hand or a seat of its own; handles a message; reads a clock.
Errors: none; what a peer said is sound or it is not.
"""
