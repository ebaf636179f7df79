"""The packed packages as somebody finds them who installs them: what is in them, how large they are, what they need."""

import gzip
import json
import re
import tarfile
from typing import Any

import pytest

from hub_application import PACKAGES, WEB, Application, examples

BUDGET = {
    "livejoin-client": 23_800,
    "livejoin-client-testing": 4_600,
    "livejoin-angular": 50_900,
    "livejoin-angular-ag-grid": 5_100,
    "livejoin-angular-cdk": 1_000,
    "livejoin-angular-testing": 700,
}
"""Bytes of each entry point, compressed and not yet minified."""


def unpacked(name: str) -> dict[str, bytes]:
    """The files of a packed package by their paths."""
    [packed] = PACKAGES.glob(f"{name}-*.tgz")
    with tarfile.open(packed) as archive:
        return {
            member.name.removeprefix("package/"): content.read()
            for member in archive.getmembers()
            if (content := archive.extractfile(member))
        }


@pytest.fixture(scope="module", params=["livejoin-client", "livejoin-angular"])
def package(request: pytest.FixtureRequest) -> dict[str, bytes]:
    """One of the two."""
    return unpacked(request.param)


def manifest(package: dict[str, bytes]) -> dict[str, Any]:
    """Its package.json."""
    found: dict[str, Any] = json.loads(package["package.json"])
    return found


def test_every_entry_point_keeps_its_budget(package: dict[str, bytes]) -> None:
    """Whoever makes an entry point larger says so here."""
    sizes = {
        path.removeprefix("fesm2022/").removesuffix(".mjs"): len(gzip.compress(content))
        for path, content in package.items()
        if path.endswith(".mjs")
    }
    assert sizes
    assert {name: size for name, size in sizes.items() if size > BUDGET[name]} == {}


def test_an_application_has_one_hub_whoever_brings_it() -> None:
    """The client is a peer of the library, not a copy in it; what the library does not import it does not ask for."""
    asked = manifest(unpacked("livejoin-angular"))
    assert "livejoin-client" not in asked.get("dependencies", {})
    assert set(asked["peerDependencies"]) == {
        "@angular/cdk",
        "@angular/core",
        "ag-grid-community",
        "livejoin-client",
        "rxjs",
    }
    assert manifest(unpacked("livejoin-client")).get("dependencies", {}).keys() <= {"tslib"}


def test_what_is_not_used_is_not_bundled(package: dict[str, bytes]) -> None:
    """The packages have no side effects, and say so."""
    assert manifest(package)["sideEffects"] is False


def test_each_entry_point_has_code_and_types(package: dict[str, bytes]) -> None:
    """Every path in `exports` is in the package."""
    for entry in manifest(package)["exports"].values():
        for path in entry.values():
            assert path.removeprefix("./") in package


def test_the_core_needs_nothing_and_the_library_what_it_says() -> None:
    """The core imports no framework; the main entry point of the library neither the CDK nor AG Grid."""

    def imports(package: str, entry: str) -> set[str]:
        code = unpacked(package)[f"fesm2022/{entry}.mjs"].decode()
        return set(re.findall(r"^(?:import|export) .*?from '([^']+)';", code, re.MULTILINE))

    assert imports("livejoin-client", "livejoin-client") == set()
    assert imports("livejoin-angular", "livejoin-angular") <= {
        "@angular/core",
        "@angular/core/rxjs-interop",
        "livejoin-client",
    }
    assert "ag-grid-community" not in imports("livejoin-angular", "livejoin-angular-ag-grid")


def test_the_documented_test_passes() -> None:
    """The example of a test in the documentation runs with the packed library."""
    application = Application(WEB / "dist/tested-application")
    assert "src/rich-users.spec.ts" in examples()
    application.run_tests()
