"""Bytes between peers: limits, typed messages, signatures, faults (protocol/SPEC.md section 6).

    codec       values to bytes and back, one form only, with limits
    messages    what is said at a table; ``lobby``, what is said before one sits
    envelope    who said these bytes; ``chain``, on which history
    faults      which rule was broken; ``evidence``, what proves it to everybody

A new message is a struct here and its place in ``agreement.rounds``; ``make docs`` brings SPEC.md
and messages.json up to date. Never: what a message means.
"""
