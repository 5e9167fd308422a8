"""``python -m p2p_hearts``."""

from __future__ import annotations

import sys

from p2p_hearts.cli import main

if __name__ == "__main__":
    sys.exit(main())
