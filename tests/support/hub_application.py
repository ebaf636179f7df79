"""An Angular application of somebody else: the packed library in it, and the examples of docs/angular.md.

It is built in `web/dist/application`, where it finds Angular beside the page's, and has its own `node_modules` with
the two packed packages.
"""

import http.server
import json
import re
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from await_that import await_that

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
PACKAGES = WEB / "dist/packages"
TEMPLATE = Path(__file__).with_suffix("")
MAJORS = Path(__file__).parent / "angular_majors"
"""The locked dependencies of an application, by the major of Angular; 20 is the page's own."""
_FENCE = re.compile(r"^```ts (src/\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> dict[str, str]:
    """The files that docs/angular.md tells people to write."""
    return dict(_FENCE.findall((ROOT / "docs/angular.md").read_text(encoding="utf-8")))


class Application:
    """The sources and the packed packages in a folder of their own, with the page's Angular."""

    _node = "node"
    _tools = WEB / "node_modules"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(TEMPLATE, folder)
        for path, text in examples().items():
            (folder / path).write_text(text, encoding="utf-8")
        self._install()

    def replace(self, path: str, **texts: str) -> None:
        """Write other texts where the documentation has an example value."""
        file = self.folder / path
        source = file.read_text(encoding="utf-8")
        for name, text in texts.items():
            source, count = re.subn(rf"{name}: '[^']*'", f"{name}: {json.dumps(text)}", source)
            assert count == 1, f"{path} names {name} {count} times"
        file.write_text(source, encoding="utf-8")

    def build(self, project: str) -> Path:
        """Build it as `ng build` does; the folder to serve."""
        self._run(self._node, str(self._tools / "@angular/cli/bin/ng.js"), "build", project)
        return self.folder / "dist" / project / "browser"

    @contextmanager
    def develop(self, project: str, port: int) -> Iterator[str]:
        """Serve it as `ng serve` does, which exchanges what is edited in the open page; the address."""
        command = [self._node, str(self._tools / "@angular/cli/bin/ng.js"), "serve", project, "--port", str(port)]
        log = self.folder / f"{project}.log"
        with log.open("w") as output:
            process = subprocess.Popen(command, cwd=self.folder, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        try:
            await_that(lambda: "Local:" in log.read_text(encoding="utf-8"), timeout=120)
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait(30)

    def run_tests(self) -> None:
        """Run its tests, as its developers would."""
        self._run(self._node, str(self._tools / "vitest/vitest.mjs"), "run")

    def _install(self) -> None:
        for packed in PACKAGES.glob("*.tgz"):
            name = packed.name.rpartition("-")[0]
            with tarfile.open(packed) as archive:
                archive.extractall(self.folder / "unpacked", filter="data")
            (self.folder / "node_modules").mkdir(exist_ok=True)
            (self.folder / "unpacked/package").rename(self.folder / "node_modules" / name)

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=240)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


class ApplicationOfMajor(Application):
    """One with another major of Angular, which npm installs from a lock file, and our packages as people install them.

    Its folder must not lie below another `node_modules`, or what is missing in its own would be found there.
    """

    def __init__(self, folder: Path, major: int) -> None:
        self._locked = MAJORS / str(major)
        super().__init__(folder)

    def _install(self) -> None:
        for file in self._locked.iterdir():
            shutil.copy(file, self.folder)
        packed = sorted(str(file) for file in PACKAGES.glob("*.tgz"))
        # With our packages, npm refuses what is not in the ranges that they say they work with. (Not `npm ci`, which
        # wants the packages of other platforms in the lock file too, and not every registry has all of them.)
        self._run("npm", "install", "--no-save", "--no-audit", "--no-fund", *packed)
        self._tools = self.folder / "node_modules"
        # Angular 22 needs a newer Node than Angular 20, so it is one of its packages.
        self._node = next((str(found) for found in self._tools.glob("node-*/bin/node")), "node")


class Builds:
    """Builds an application's projects in the background, one after the other. A context manager."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._begun: dict[str, Future[Path]] = {}

    def begin(self, project: str) -> Future[Path]:
        """Build it, unless somebody has begun to."""
        if project not in self._begun:
            self._begun[project] = self._worker.submit(self._application.build, project)
        return self._begun[project]

    def folder(self, project: str) -> Path:
        """The folder to serve, when it is built."""
        return self.begin(project).result()

    def __enter__(self) -> "Builds":
        """Nothing is built yet."""
        self._worker = ThreadPoolExecutor(1)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Wait for what is being built, and build nothing more."""
        self._worker.shutdown(cancel_futures=True)


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, port: int) -> Iterator[str]:
    """The address at which a folder is served, while the context lasts."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
