"""One module a command: each wires the layers together and holds no logic of the game."""
