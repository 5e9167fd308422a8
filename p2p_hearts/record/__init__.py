"""What happened at a table, on disk, and the verdict on it (protocol/SPEC.md sections 6 and 9).

    records     the form of a log; ``log`` is the file
    audit       the verdict, from records alone
    moments     a hand as a row of moments, for whoever shows it step by step
    report      one game, or many, as an HTML file
    stats       what many games say together

Nothing of a log is shown or counted before ``audit`` has gone through it.
"""
