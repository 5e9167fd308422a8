"""The step of the package's build that makes what is made of other files.

The catalogues of the languages are compiled; the completion scripts of the shells come from the
parser, and lie where the shells, and pipx, look for those of installed programs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPLETIONS = {
    "bash": "share/bash-completion/completions/p2p-hearts",
    "zsh": "share/zsh/site-functions/_p2p-hearts",
    "fish": "share/fish/vendor_completions.d/p2p-hearts.fish",
}
"""By shell, where its script lies below the folder that the package is installed to."""


class MakeFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Makes the .mo files before a package, an editable one too, and the scripts of a wheel."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Compile what is older than its source; add a script for each shell to a wheel."""
        sys.path.insert(0, self.root)
        try:
            from tools.messages import compile_stale

            compile_stale()
            if self.target_name == "wheel" and version == "standard":
                build_data["shared_data"] = self._scripts()
        finally:
            sys.path.remove(self.root)

    def _scripts(self) -> dict[str, str]:
        """Write the scripts; return where each is to be installed."""
        from p2p_hearts.commands.completion import script

        folder = Path(self.root) / "build" / "completions"
        folder.mkdir(parents=True, exist_ok=True)
        for shell in COMPLETIONS:
            (folder / shell).write_text(script(shell) + "\n", encoding="utf-8")
        return {str(folder / shell): place for shell, place in COMPLETIONS.items()}
