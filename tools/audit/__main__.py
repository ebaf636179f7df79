"""The command: `make audit`, or `python -m audit` with this folder's parent on the path."""

import argparse
import sys
from importlib.metadata import version
from pathlib import Path

from audit.bill import bill_of_materials
from audit.inventory import Installation, inventory
from audit.report import Audit, as_json, as_text
from audit.vulnerabilities import OSV, NotLookedUp, look_up

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Make the report; 0 where no vulnerability is known, 1 where one is, 2 where that could not be found out."""
    options = _parser().parse_args(arguments)
    components = inventory(
        Installation(options.root, options.environment, options.jars or options.root / ".cache/jars")
    )
    if options.bill:
        sys.stdout.write(bill_of_materials(components, version("livejoin")))
        return 0
    try:
        audit = Audit(components, look_up(components, options.osv))
    except NotLookedUp as failure:
        audit = Audit(components, [], str(failure))
    sys.stdout.write(as_json(audit) if options.json else as_text(audit))
    return audit.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="audit", description="Licences and known vulnerabilities of what is installed"
    )
    parser.add_argument("--osv", default=OSV, metavar="ADDRESS", help="where OSV's API is; default: %(default)s")
    parser.add_argument("--json", action="store_true", help="everything, for machines")
    parser.add_argument("--bill", action="store_true", help="the bill of materials, as CycloneDX; nobody is asked")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout; default: the one of this tool")
    parser.add_argument("--environment", type=Path, default=Path(sys.prefix), help="the Python environment")
    parser.add_argument("--jars", type=Path, help="the folder of fetched jars; default: .cache/jars of the checkout")
    return parser


if __name__ == "__main__":
    sys.exit(main())
