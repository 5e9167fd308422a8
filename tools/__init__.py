"""Programs for the developers of p2p-hearts: benchmark, generated texts, vectors."""
