"""The audit: what is installed, under which licences, and what a database of vulnerabilities knows about it."""

import importlib.util
import json
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from audit.__main__ import main
from audit.bill import bill_of_materials
from audit.component import Component, Ecosystem
from audit.inventory import Installation, inventory
from audit.jar_file import read_jar
from audit.licences import licence, named, needs_a_look
from audit.vulnerabilities import NotLookedUp, look_up

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Osv:
    """A database that speaks OSV's API and knows what a test tells it: for each purl some vulnerabilities."""

    known: dict[str, list[str]] = field(default_factory=dict)
    details: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    address: str = ""


@pytest.fixture
def osv() -> Iterator[Osv]:
    """The database, served on this machine; more than one vulnerability of a purl comes page by page."""
    database = Osv()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/v1/querybatch" or len(body["queries"]) > 1000:
                return self._answer({"message": "refused"}, 400)
            return self._answer({"results": [self._result(query) for query in body["queries"]]})

        def do_GET(self) -> None:
            identifier = self.path.removeprefix("/v1/vulns/")
            self._answer(database.details.get(identifier), 200 if identifier in database.details else 404)

        def _result(self, query: dict[str, Any]) -> dict[str, Any]:
            purl, page = query["package"]["purl"], int(query.get("page_token", 0))
            database.asked.append(purl)
            found = database.known.get(purl, [])
            result = {"vulns": [{"id": found[page]}]} if page < len(found) else {}
            return {**result, "next_page_token": str(page + 1)} if page + 1 < len(found) else result

        def _answer(self, content: object, status: int = 200) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *_: object) -> None:
            """A test's output is no place for it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        database.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield database
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def components() -> list[Component]:
    """Everything that this checkout and this Python environment have."""
    return inventory(Installation(ROOT, Path(sys.prefix), ROOT / ".cache" / "jars"))


def one(components: list[Component], name: str) -> Component:
    """The only component of a name."""
    (found,) = [component for component in components if component.name == name]
    return found


def advisory(ecosystem: str, name: str, fixed: str, **more: object) -> dict[str, Any]:
    """What OSV tells of a vulnerability."""
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": fixed}]}]
    return {"affected": [{"package": {"ecosystem": ecosystem, "name": name}, "ranges": ranges}], **more}


def make_jar(file: Path, **entries: str) -> Path:
    """A jar with some text files."""
    with zipfile.ZipFile(file, "w") as jar:
        for name, text in entries.items():
            jar.writestr(name, text)
    return file


def test_each_ecosystem_is_in_the_inventory_with_who_wanted_it(components: list[Component]) -> None:
    """Packages of both lock files and jars of lock, PySpark and Deephaven are there, each with its way in."""
    assert one(components, "pyspark").origins == ("direct",)
    assert one(components, "pytest").origins == ("direct, for development",)
    assert one(components, "deephaven-core").origins == ("through deephaven-server",)
    assert one(components, "@angular/core").origins == ("direct",)
    assert one(components, "less").origins == ("through @angular/build",)
    assert one(components, "org.apache.kafka:kafka-raft").origins[0].startswith("direct: jars.lock, broker")
    packages = {each.name for each in components if each.ecosystem is not Ecosystem.MAVEN}
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {place.rpartition("node_modules/")[2] for place in locked if place} <= packages


def test_jars_inside_of_python_packages_are_counted(components: list[Component]) -> None:
    """Every jar that PySpark and Deephaven's server bring is the origin of some component."""
    origins = {origin.removesuffix(" (shaded)") for each in components for origin in each.origins}
    for package in ("pyspark", "deephaven_server"):
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        jars = list(Path(spec.origin).parent.rglob("*.jar"))
        assert len(jars) > 200
        for jar in jars:
            assert f"through {package.replace('_', '-')} > {jar.name}" in origins


def test_what_is_shaded_into_a_jar_counts_by_itself(components: list[Component]) -> None:
    """Hadoop's runtime jar has dozens of libraries inside, each with its own name and version."""
    inside = [each for each in components if any("hadoop-client-runtime" in origin for origin in each.origins)]
    assert len(inside) > 30
    assert any(each.name == "org.apache.commons:commons-compress" for each in inside)
    assert any("(shaded)" in origin for each in inside for origin in each.origins)


def test_a_name_that_no_jar_says_is_marked_as_a_guess(components: list[Component]) -> None:
    """A jar without coordinates is named by its file, says so, and is asked for under every probable group."""
    guessed = one(components, "io.grpc:grpc-netty")
    assert guessed.guess
    assert guessed.label == "io.grpc:grpc-netty (guess)"
    assert f"pkg:maven/io.grpc.netty/grpc-netty@{guessed.version}" in guessed.purls
    assert not one(components, "org.apache.spark:spark-core_2.13").guess
    assert not one(components, "org.rocksdb:rocksdbjni").guess, "Spark's own list of what it bundles names it"


def test_a_jar_tells_its_coordinates_and_licences(tmp_path: Path) -> None:
    """Coordinates come from pom.properties, the licence from pom.xml, and the file's own component is told apart."""
    entries = {
        "META-INF/MANIFEST.MF": 'Bundle-License: "Apache-2.0";link="https://a.example/,b",MIT\r\n',
        "META-INF/maven/a/own/pom.properties": "groupId=org.a\nartifactId=own\nversion=1.2\n",
        "META-INF/maven/a/own/pom.xml": "<project xmlns='urn:m'><licenses><license><name>EPL 2.0</name></license>"
        "</licenses></project>",
        "META-INF/maven/b/other/pom.properties": "groupId=org.b\nartifactId=other\nversion=3\n",
    }
    jar = read_jar(make_jar(tmp_path / "own-1.2-linux.jar", **entries))
    assert jar.own is not None
    assert (jar.own.group, jar.own.version, jar.own.licences) == ("org.a", "1.2", ("EPL 2.0",))
    assert [pom.artifact for pom in jar.poms] == ["own", "other"]
    assert jar.licences == ("Apache-2.0", "MIT")


def test_deephavens_licence_is_among_those_that_need_a_look(components: list[Component]) -> None:
    """Deephaven's packages and jars are shown for their licence, those of well-known licences are not."""
    look = {each.name for each in components if needs_a_look(each)}
    assert {"deephaven-core", "deephaven-server", "pydeephaven", "io.deephaven:deephaven-engine-table"} <= look
    assert licence(one(components, "deephaven-core")) == "Deephaven Community License"
    assert "caniuse-lite" in look, "Creative Commons is no licence for software"
    assert not look & {"pyspark", "pandas", "orjson", "rxjs", "org.apache.spark:spark-core_2.13"}


@pytest.mark.parametrize(
    ("text", "name", "look"),
    [
        ("The Apache Software License, Version 2.0", "Apache-2.0", False),
        ("https://www.apache.org/licenses/LICENSE-2.0.txt", "Apache-2.0", False),
        ("http://www.eclipse.org/org/documents/edl-v10.php", "BSD-3-Clause", False),
        ("GPL2 w/ CPE", "GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("MIT OR CC0-1.0", "MIT OR CC0-1.0", False),
        ("MIT AND CC0-1.0", "MIT AND CC0-1.0", True),
        ("MPL-2.0 AND (Apache-2.0 OR LicenseRef-x)", "MPL-2.0 AND (Apache-2.0 OR LicenseRef-x)", False),
        ("Confluent Community License", "Confluent Community License", True),
        ("SEE LICENSE IN terms.txt", "SEE LICENSE IN terms.txt", True),
        ("Commercial", "Commercial", True),
    ],
)
def test_wordings_of_a_licence_come_to_one_name(text: str, name: str, look: bool) -> None:  # noqa: FBT001
    """Many wordings are one licence; what is not approved, or nothing, needs a look."""
    assert named(text) == name
    assert needs_a_look(Component(Ecosystem.NPM, "x", "1", (text,))) is look
    assert needs_a_look(Component(Ecosystem.NPM, "x", "1"))


def test_a_known_vulnerability_of_each_ecosystem_is_reported(
    osv: Osv, components: list[Component], capsys: pytest.CaptureFixture[str]
) -> None:
    """A finding has component, version, severity, the corrected version and the way in; the exit code is 1."""
    orjson, angular = one(components, "orjson"), one(components, "@angular/core")
    raft = one(components, "org.apache.kafka:kafka-raft")
    osv.known = {
        f"pkg:pypi/orjson@{orjson.version}": ["GHSA-py", "PYSEC-1"],
        f"pkg:npm/%40angular/core@{angular.version}": ["GHSA-npm"],
        f"pkg:maven/org.apache.kafka/kafka-raft@{raft.version}": ["GHSA-jar"],
    }
    osv.details = {
        "GHSA-py": advisory(
            "PyPI", "orjson", "999.1", aliases=["CVE-1"], summary="It breaks.", database_specific={"severity": "HIGH"}
        ),
        "PYSEC-1": advisory("PyPI", "orjson", "999.1", aliases=["CVE-1"]),
        "GHSA-npm": advisory("npm", "@angular/core", "998.0", severity=[{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N"}]),
    }
    assert main(["--osv", osv.address]) == 1
    told = capsys.readouterr().out
    assert "KNOWN VULNERABILITIES: 3" in told, "the same one from two databases counts once"
    rows = [line.split() for line in told.splitlines()]
    assert ["orjson", orjson.version, "GHSA-py", "HIGH", "999.1", "direct"] in rows
    assert ["@angular/core", angular.version, "GHSA-npm", "CVSS:3.1/AV:N", "998.0", "direct"] in rows
    (jar,) = [row for row in rows if row[2:3] == ["GHSA-jar"]]
    assert jar[:2] == ["org.apache.kafka:kafka-raft", raft.version]
    assert "jars.lock," in jar
    assert "its details could not be fetched" in told
    assert main(["--osv", osv.address, "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["vulnerabilities"]["findings"]
    assert {each["id"]: each["also"] for each in findings}["GHSA-py"] == ["CVE-1", "PYSEC-1"]


def test_withdrawn_and_older_corrections_do_not_count(osv: Osv) -> None:
    """A withdrawn vulnerability is none, and a correction of an older line is no help."""
    component = Component(Ecosystem.MAVEN, "org.a:b", "2.5")
    osv.known = {"pkg:maven/org.a/b@2.5": ["A", "B"]}
    osv.details = {"A": {"withdrawn": "2024-01-01"}, "B": advisory("Maven", "org.a:b", "1.9")}
    osv.details["B"]["affected"][0]["ranges"][0]["events"].append({"fixed": "2.10"})
    (finding,) = look_up([component], osv.address)
    assert (finding.identifier, finding.fixed_in) == ("B", ("2.10",))


def test_without_a_finding_the_exit_code_is_zero(
    osv: Osv, components: list[Component], capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything is asked for, and what needs a look for its licence comes first."""
    assert main(["--osv", osv.address]) == 0
    told = capsys.readouterr().out
    assert "NO KNOWN VULNERABILITIES" in told
    assert told.index("LICENCES THAT NEED A LOOK") < told.index("Deephaven Community License") < told.index("ALL LIC")
    assert set(osv.asked) == {purl for component in components for purl in component.purls}


def test_the_bill_of_materials_has_everything_and_asks_nobody(
    components: list[Component], capsys: pytest.CaptureFixture[str]
) -> None:
    """As CycloneDX names it, with the same bytes each time."""
    assert main(["--bill", "--osv", "http://127.0.0.1:1"]) == 0
    told = capsys.readouterr().out
    assert told == bill_of_materials(components, version("livejoin"))
    bill = json.loads(told)
    assert (bill["bomFormat"], len(bill["components"])) == ("CycloneDX", len(components))
    spark = next(each for each in bill["components"] if each["name"] == "pyspark")
    assert spark["purl"] == f"pkg:pypi/pyspark@{spark['version']}"
    assert spark["licenses"] == [{"license": {"name": "Apache-2.0"}}]


def test_a_database_that_is_gone_is_no_clean_bill() -> None:
    """Without the database the command says so, and what to do, still shows licences, and its exit code is 2."""
    command = [sys.executable, "-m", "audit", "--osv", "http://127.0.0.1:1"]
    done = subprocess.run(command, cwd=ROOT / "tools", capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "VULNERABILITIES WERE NOT LOOKED UP: http://127.0.0.1:1/v1/querybatch cannot be reached" in done.stdout
    assert "What to do: run this where that address can be reached" in done.stdout
    assert "Deephaven Community License" in done.stdout
    assert "NO KNOWN" not in done.stdout


@pytest.mark.parametrize("address", ["{osv}/elsewhere", "file:///etc/hostname"])
def test_an_answer_that_is_not_osvs_is_no_clean_bill(osv: Osv, address: str) -> None:
    """A wrong address, or one that is none of the web, is not taken for an empty answer."""
    with pytest.raises(NotLookedUp):
        look_up([Component(Ecosystem.NPM, "x", "1")], address.format(osv=osv.address))
