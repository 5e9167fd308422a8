"""The network: tables found on the LAN, and opaque frames between authenticated peers.

Nothing here knows a card, a seat or a message. ``door`` shows a table's card to anybody who asks,
``links`` moves frames between holders of CURVE keys, ``discovery`` tells who may be out there, and
``doctor`` says why nobody is. Names, addresses and records of others are hints, never proof:
identity is a key, and a frame belongs to the key that its connection was made with.
"""
