"""Computer players that see a `View` and nothing else (docs/players.md).

`player` says what a player is and names the levels: `easy`, `heuristic` (normal) and `search`
(hard); `budget` is how long one may think. Beside them stand what all decide alike (`careful`,
`claiming`), how cards are passed (`passing`), what a seat can work out (`reading`, `beliefs`,
`moon`) and what a search is made of: what is compared (`candidates`, `ideas`, `utility`), deals
that fit a view (`worlds`, `pool`), and how candidates are tried in them (`trials`, `simulation`,
`lockstep`, `lanes`, `policy`, `endgame`). `advice` and `explaining` put a choice into words, for a
hint.

A new level is a class with the four decisions of `player.Player` and a name in `player.LEVELS` and
`arguments.LEVELS`; `make ladder` measures it. Never: keeps anything from one decision to the next.
"""
