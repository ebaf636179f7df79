"""What has to be on this machine: settings, Java, jars, free ports."""

from collections.abc import Iterator

import psutil

from livejoin.access.keys import visitor
from livejoin.access.roles import Role
from livejoin.doctor.case import Case
from livejoin.doctor.finding import Finding, ok, problem, warning
from livejoin.errors import LivejoinError
from livejoin.http.ports import Port, holder, ports_of, taken
from livejoin.jvm.jars import locked_jars, missing_jars, try_fetching
from livejoin.jvm.java import java_and_version
from livejoin.kafka.client import FILE
from livejoin.local.stack import noted_owner
from livejoin.model.table import Tables
from livejoin.settings.settings import Settings


def check_settings(case: Case) -> Iterator[Finding]:
    """Where they come from, and what somebody may not expect of them; mistakes were found before."""
    tried, kafka = "read the settings", case.settings.kafka
    from_file = f"from the file {kafka[FILE]}" if FILE in kafka else ""
    inline = len(kafka) - (FILE in kafka)
    given = " and ".join(filter(None, (f"{inline} given directly" if inline else "", from_file)))
    yield ok("", tried, f"read; data in {case.settings.data_dir}; Kafka's client properties: {given or 'none given'}")
    for remark in case.settings.file_remarks:
        looked = "look for secrets in the file of the settings, and who may read it"
        yield warning("", looked, remark, "let nobody else read the file, or keep secrets in others")
    for remark in case.settings.kafka_remarks:
        yield warning("", "compare the client properties with what each client knows", remark, "correct it")
    tables = Tables(case.settings.declaration).all
    for role in Role:
        in_vain = visitor(case.settings, "", role).rights.in_vain(tables)
        if in_vain:
            names, setting = ", ".join(sorted(in_vain)), f"access.{role.value}.hidden"
            tried = "look for what is to be hidden among the declared columns"
            yield warning(setting, tried, f"no table has {names}: it hides nothing", f"correct {setting}")


def check_java(_: Case) -> Iterator[Finding]:
    """Spark, the embedded broker and the table server run on it."""
    tried = "run `java -version`"
    try:
        program, version = java_and_version()
    except LivejoinError as error:
        yield problem("", tried, error.what, error.do)
    else:
        yield ok("", tried, f"Java {version}, {program}")


def check_jars(case: Case) -> Iterator[Finding]:
    """They are there as they were locked, or can be fetched."""
    missing, folder = missing_jars(case.settings), case.settings.jars.folder
    total = len(locked_jars())
    if not missing:
        yield ok("", "compare each jar's SHA-256 with jars.lock", f"all {total} are in {folder}, as they were locked")
        return
    one = missing[0]
    tried, found = f"fetch {one.coordinates}, and throw it away", f"{len(missing)} of {total} are not in {folder}"
    try:
        try_fetching(case.settings, one)
    except LivejoinError as error:
        yield problem("", tried, f"{found}, and {error.what}", error.do)
    else:
        yield ok("", tried, f"{found}; the first start fetches them, or `livejoin jars` does")


def check_ports(case: Case) -> Iterator[Finding]:
    """Where livejoin listens nobody else may."""
    ports = ports_of(case.settings)
    held = taken(ports)
    for port in ports:
        tried, about = f"listen at {port.host}:{port.number}", f"{port.setting} {port.number}"
        if port not in held:
            yield ok(about, tried, "free")
        elif _is_of_this_folder(held[port], case.settings):
            yield ok(about, tried, f"held by the livejoin that runs in {case.settings.data_dir}")
        else:
            yield _held(port, about, tried, held[port])


def _held(port: Port, about: str, tried: str, pid: int | None) -> Finding:
    found = f"taken by {holder(pid)}"
    return problem(about, tried, found, f"stop that process, or choose another port: --set {port.setting}=...")


def _is_of_this_folder(pid: int | None, settings: Settings) -> bool:
    """Whether a process is part of what runs with this data folder."""
    if pid is None:
        return False
    try:
        process = psutil.Process(pid)
        family = {process.pid, *(parent.pid for parent in process.parents())}
        command = process.cmdline()
    except psutil.Error:
        return False
    return str(settings.data_dir / "kafka" / "server.properties") in command or noted_owner(settings.data_dir) in family
