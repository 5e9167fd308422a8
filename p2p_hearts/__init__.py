"""Hearts for friends on one LAN, with no server.

Layers, each importing only those below it: commands, node, net and record, table, agreement, wire,
cards, crypto, rules; beside them ``ui`` and ``bots``, which know the rules only.
``docs/architecture.md`` is a tour in the order data flows; ``protocol/SPEC.md`` is the protocol
itself.
"""

__version__ = "0.1.0"
