from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.table.sharing import shared_proofs


@pytest.fixture(autouse=True)
def sharing() -> Iterator[None]:
    """Share proofs among peers and tests; a module may override this to do without."""
    with shared_proofs():
        yield
