"""Whether the state in a checkpoint is what this version would keep: if not, Spark could only fail on it, for ever."""

import pyspark

FORMAT = 2
"""Of what the aggregation keeps (pipeline/sql/kept.py and join.py): it changes with every change of those columns."""


def state_format() -> str:
    """How this version keeps state: what is kept is ours, how it is laid out is Spark's."""
    return f"{FORMAT} of Spark {pyspark.__version__}"
