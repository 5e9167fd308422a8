"""The network: tables found on the LAN, and opaque frames between authenticated peers.

    door        a table's card, for anybody who asks
    links       frames between holders of CURVE keys (``keys``): ``dialling``, the lines it opens;
                ``curve``, one of these; ``terms``, what it is told and tells
    discovery   who may be out there; ``advert`` is what they say
    doctor      why nobody is; ``addresses``, this machine's and what others say are theirs
    codes       join codes and typed addresses; ``names`` of others, made harmless
    sockets     the only place that makes one of ZeroMQ; ``zap`` says who may come in
    guard       what a line may make us hold; ``buckets``, how much one may send
    errors      what of all this is said to a person

Nothing here knows a card, a seat or a message. Names, addresses and records of others are hints,
never proof: identity is a key, and a frame belongs to the key that its connection was made with.
"""
