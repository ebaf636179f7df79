"""A package of livejoin has the page and the lines of Java in it, or is not made: who installs it has no checkout."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = Path("web/dist/page/browser")
INSTALLED_PAGE = "livejoin/serve/http/browser"
JARS = (Path("src/livejoin/serve/engine/java/lookout.jar"), Path("src/livejoin/pipeline/spark/java/renewal.jar"))


class WholePackage(BuildHookInterface[Any]):
    """Called by hatchling before it makes a wheel or an sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Put the page into the wheel. An editable installation has the checkout, and is made before anything else."""
        if version == "editable":
            return
        root = Path(self.root)
        missing = [str(file) for file in (PAGE / "index.html", *JARS) if not (root / file).is_file()]
        if missing:
            raise FileNotFoundError(f"{', '.join(missing)}: not built; `make release` builds what a package needs")
        if self.target_name == "wheel":
            build_data["force_include"][str(root / PAGE)] = INSTALLED_PAGE
