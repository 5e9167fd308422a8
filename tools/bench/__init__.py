"""``make bench``: figures beside the cost of one primitive of the group library, as ratios.

primitives   one multiplication, one addition: the floor of everything else
costs        how many of them a computation takes
proofs       prove and verify, against the multiplications they need
engine       random hands a second, against OpenSpiel driven from Python
hand         CPU of one seat in a whole hand in memory, bytes on the wire
peers        real processes: wall time of a deal, delay of a card, memory; the audit
"""
