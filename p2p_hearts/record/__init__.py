"""What happened at a table, on disk, and the verdict on it (protocol/SPEC.md sections 6 and 9)."""
