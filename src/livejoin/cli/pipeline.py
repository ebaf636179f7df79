"""`livejoin pipeline`: the Spark driver with the orchestrator in it."""

from livejoin.cli.options import Config, Set, settings_from, tell_remarks
from livejoin.logs.configure import configure_logs
from livejoin.secrecy.data_folder import own_data_folder


def pipeline(config: Config = None, set_: Set = None) -> None:
    """Run the Spark pipeline until it is told to stop."""
    settings = settings_from(config, set_)
    own_data_folder(settings.data_dir)
    configure_logs("pipeline", settings.logs)
    tell_remarks(settings)
    # Here and not above: the other commands start in a moment only because they do not import Spark.
    from livejoin.pipeline.process import run

    run(settings)
