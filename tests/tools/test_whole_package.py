"""A package has all that somebody needs who has no checkout, or it is not made."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from installed import build_wheel
from livejoin.checkout import checkout
from whole_package import INSTALLED_PAGE, JARS, PAGE


def test_the_wheel_has_the_page_and_the_java(tmp_path: Path) -> None:
    """Beside the lock by which everything else is fetched."""
    with zipfile.ZipFile(build_wheel(tmp_path)) as wheel:
        names = set(wheel.namelist())
    page = {name for name in names if name.startswith(f"{INSTALLED_PAGE}/")}
    assert f"{INSTALLED_PAGE}/index.html" in page
    assert any(name.endswith(".js") for name in page)
    assert {str(jar).removeprefix("src/") for jar in JARS} | {"livejoin/jvm/jars.lock"} <= names


def test_the_same_bytes_are_made_twice(tmp_path: Path) -> None:
    """So that who builds it can compare."""
    first, second = (build_wheel(tmp_path / name).read_bytes() for name in ("first", "second"))
    assert first == second


@pytest.mark.parametrize("missing", [PAGE / "index.html", *JARS])
@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_a_package_without_them_is_not_made(tmp_path: Path, target: str, missing: Path) -> None:
    """It says what is missing, and what to do."""
    root, copy = checkout(), tmp_path / "copy"
    assert root is not None
    for name in ("src", "tools", str(PAGE)):
        shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy / name)
    (copy / missing).unlink()
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(tmp_path / "made")]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode != 0
    assert f"{missing}: not built; `make release` builds what a package needs" in done.stderr
