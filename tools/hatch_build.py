"""The step of the package's build that compiles the catalogues of the languages."""

from __future__ import annotations

import sys

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the .mo files before a wheel, an editable one too, is made."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Compile what is older than its source."""
        sys.path.insert(0, self.root)
        try:
            from tools.messages import compile_stale
        finally:
            sys.path.remove(self.root)
        compile_stale()
