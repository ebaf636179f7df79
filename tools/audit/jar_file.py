"""One jar: which Maven components are in it, and what it says of their licences."""

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

LICENCE_FILE = re.compile(r"(META-INF/)?(LICEN[CS]E|COPYING)(\.txt|\.md)?", re.IGNORECASE)
_CLASS = re.compile(r"(?:[a-z][a-z0-9_]*/)+[A-Za-z0-9_]+\.class")
_FILE_NAME = re.compile(r"(.+?)-(v?\d[\w.+-]*)")
BEGINNING = 600
"""How much of a licence file is read: enough for its title."""
TOO_WIDE = {"org.apache", "com.google", "com.github", "org.eclipse", "software.amazon"}
"""Namespaces of many projects, which are no Maven group by themselves."""

FAMILIES = (
    (r"asm(-\w+)?", "org.ow2.asm"),
    (r"dagger", "com.google.dagger"),
    (r"deephaven-.+", "io.deephaven"),
    (r"groovy(-\w+)?", "org.codehaus.groovy"),
    (r"grpc-.+", "io.grpc"),
    (r"jdom2", "org.jdom"),
    (r"kotlin-.+", "org.jetbrains.kotlin"),
    (
        r"(ammonite|fansi|fastparse|geny|mainargs|os-|pprint|requests|scalaparse|sourcecode|u(json|pack|pickle)).*",
        "com.lihaoyi",
    ),
)
"""Artifacts of projects that name neither their jars' insides nor their packages after their Maven group."""


@dataclass(frozen=True, slots=True)
class Pom:
    """The coordinates of one component inside a jar and the licences of its pom.xml."""

    group: str
    artifact: str
    version: str
    licences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JarFile:
    """What a jar says of itself."""

    stem: str
    poms: tuple[Pom, ...]
    licences: tuple[str, ...]
    """By its manifest, or else by the beginning of a licence file at its root or in META-INF."""
    groups: tuple[str, ...]
    """Maven groups that the manifest or the packages of the classes suggest, the most probable first."""

    @property
    def own(self) -> Pom | None:
        """The component that the file is named after; the others are shaded into it."""
        named = [pom for pom in self.poms if f"{self.stem}-".startswith(f"{pom.artifact}-{pom.version}-")]
        return named[0] if named else None

    @property
    def by_file_name(self) -> tuple[str, str]:
        """Artifact and version as the file name has them; the version is empty where there is none."""
        parts = _FILE_NAME.fullmatch(self.stem)
        return (parts[1], parts[2]) if parts else (self.stem, "")

    @property
    def probable_groups(self) -> tuple[str, ...]:
        """Every Maven group that is worth a try, the most probable first."""
        artifact, _version = self.by_file_name
        return tuple(group for pattern, group in FAMILIES if re.fullmatch(pattern, artifact)) + self.groups


def read_jar(file: Path) -> JarFile:
    """Look into a jar; nothing in it is run."""
    with zipfile.ZipFile(file) as jar:
        names = jar.namelist()
        manifest = _manifest(jar, names)
        poms = [_pom(jar, name, names) for name in names if re.fullmatch(r"META-INF/maven/.+/pom\.properties", name)]
        licences = _bundle_licences(manifest.get("bundle-license", "")) or _licence_file(jar, names)
        return JarFile(file.stem, tuple(pom for pom in poms if pom), licences, _groups(manifest, names))


def _manifest(jar: zipfile.ZipFile, names: list[str]) -> dict[str, str]:
    if "META-INF/MANIFEST.MF" not in names:
        return {}
    text = jar.read("META-INF/MANIFEST.MF").decode("utf-8", "replace").replace("\r\n", "\n")
    pairs = (line.partition(":") for line in text.replace("\n ", "").splitlines())
    return {key.lower(): value.strip() for key, _, value in pairs}


def _pom(jar: zipfile.ZipFile, name: str, names: list[str]) -> Pom | None:
    lines = (line.partition("=") for line in jar.read(name).decode("utf-8", "replace").splitlines())
    fields = {key.strip(): value.strip() for key, _, value in lines}
    group, artifact, version = (fields.get(key, "") for key in ("groupId", "artifactId", "version"))
    if not (group and artifact and version) or "$" in version:
        return None
    xml = name.replace("pom.properties", "pom.xml")
    return Pom(group, artifact, version, _pom_licences(jar.read(xml)) if xml in names else ())


def _pom_licences(xml: bytes) -> tuple[str, ...]:
    try:
        project = ET.fromstring(xml)  # noqa: S314 - a pom is read from a jar whose hash is locked
    except ET.ParseError:
        return ()
    said = (
        each.findtext("{*}name") or each.findtext("{*}url") or "" for each in project.iterfind("{*}licenses/{*}license")
    )
    return tuple(" ".join(text.split()) for text in said if text.strip())


def _bundle_licences(header: str) -> tuple[str, ...]:
    """The names or addresses of an OSGi header, without what describes them."""
    quoted = re.sub(r'"([^"]*)"', lambda text: text[1].replace(",", " ").replace(";", " "), header)
    return tuple(name for clause in quoted.split(",") if (name := clause.partition(";")[0].strip()))


def _licence_file(jar: zipfile.ZipFile, names: list[str]) -> tuple[str, ...]:
    for name in names:
        if LICENCE_FILE.fullmatch(name):
            with jar.open(name) as text:
                return (" ".join(text.read(BEGINNING).decode("utf-8", "replace").split()),)
    return ()


def _groups(manifest: dict[str, str], names: list[str]) -> tuple[str, ...]:
    """A group is nearly always a beginning of the package names, and some manifests even name it."""
    keys = ("bundle-symbolicname", "automatic-module-name")
    dotted = [manifest[key].partition(";")[0].strip() for key in keys if key in manifest]
    packages = [name.split("/")[:-1] for name in names if _CLASS.fullmatch(name)]
    if packages:
        first, last = min(packages), max(packages)
        common = next((i for i, part in enumerate(first) if i >= len(last) or last[i] != part), len(first))
        dotted.append(".".join(first[:common]))
    prefixes = [parts[:length] for each in dotted for parts in [each.split(".")] for length in range(2, len(parts) + 1)]
    ordered = sorted({".".join(prefix) for prefix in prefixes} - TOO_WIDE, key=lambda each: (each.count("."), each))
    vendor = manifest.get("implementation-vendor-id", "")
    return tuple(dict.fromkeys([vendor, *ordered] if "." in vendor else ordered))
