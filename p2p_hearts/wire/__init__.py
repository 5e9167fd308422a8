"""Bytes between peers: limits, typed messages, signatures, faults (protocol/SPEC.md section 6)."""
