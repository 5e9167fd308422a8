"""One table, sans-IO: rounds, history, seating, hands (protocol/SPEC.md sections 4, 6 and 8)."""
