"""What the engine's virtual machine tells of itself."""

from collections.abc import Iterator
from typing import Any

from livejoin.monitor import jvm
from livejoin.monitor.metric import Sample


def engine_figures() -> Iterator[Sample]:
    """The virtual machine of the engine, which is in this process."""
    import jpy  # type: ignore[import-not-found]  # a C module without stubs; it is there when the engine runs

    def ask(interface: str, bean: Any, method: str) -> Any:
        return getattr(jpy.cast(bean, jpy.get_type(interface)), method)()

    yield from jvm.jvm_figures(jpy.get_type("java.lang.management.ManagementFactory"), ask)
