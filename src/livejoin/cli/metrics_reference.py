"""docs/metrics.md, written from what is declared.

python -m livejoin.cli.metrics_reference > docs/metrics.md
"""

import sys
from collections.abc import Sequence

from livejoin.monitor import exposition
from livejoin.monitor.metric import Metric
from livejoin.pipeline import metrics as of_pipeline
from livejoin.pipeline.control import counts
from livejoin.pipeline.spark import watch as spark_watch
from livejoin.serve import metrics as of_serve

PIPELINE = (*of_pipeline.METRICS, *counts.METRICS, *spark_watch.METRICS)
SERVE = of_serve.METRICS
BOTH = (*exposition.METRICS, *(metric for metric in PIPELINE if metric in SERVE))

HEAD = """# Metrics

What `/metrics` says, to a Prometheus or to `curl`. Written by
`python -m livejoin.cli.metrics_reference > docs/metrics.md` from what the code declares;
[operations.md](operations.md) tells where to read them and what to do about them.

Counters and histograms begin at 0 when their process starts. Beside these, each process has the usual `process_*`
(memory, processor time, open files) of Prometheus's own library: of `livejoin serve` with its engine, of `livejoin
pipeline` without the JVM of Spark.
"""


def reference() -> str:
    """The whole page."""
    parts = [
        HEAD,
        _part("Of a pipeline and of a table server", BOTH),
        _part("Of a pipeline", [metric for metric in PIPELINE if metric not in BOTH]),
        _part("Of a table server", [metric for metric in SERVE if metric not in BOTH]),
    ]
    return "\n".join(parts)


def _part(title: str, metrics: Sequence[Metric]) -> str:
    rows = "\n".join(f"| `{m.name}` | {m.kind} | {', '.join(m.labels)} | {m.says} |" for m in metrics)
    return f"## {title}\n\n| name | kind | labels | says |\n| --- | --- | --- | --- |\n{rows}\n"


if __name__ == "__main__":
    sys.stdout.write(reference())
