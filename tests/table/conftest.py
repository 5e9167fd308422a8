from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.table.sharing import shared_proofs


@pytest.fixture
def alone() -> None:
    """Every peer makes and checks every proof by itself."""


@pytest.fixture(autouse=True)
def sharing(request: pytest.FixtureRequest) -> Iterator[None]:
    """Share proofs among peers and tests, unless the test asks for ``alone``."""
    if "alone" in request.fixturenames:
        yield
    else:
        with shared_proofs():
            yield
