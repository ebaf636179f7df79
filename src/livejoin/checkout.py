"""Whether livejoin runs from a checkout of its project, and where that is."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """The root of the project's checkout, or None where livejoin was installed without one."""
    root = _PACKAGE.parent.parent
    return root if (root / "pyproject.toml").is_file() and _PACKAGE.parent.name == "src" else None
