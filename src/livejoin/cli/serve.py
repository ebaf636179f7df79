"""`livejoin serve`: the table server and the page."""

from livejoin.cli.options import Config, Set, settings_from, tell_remarks
from livejoin.logs.configure import configure_logs
from livejoin.secrecy.data_folder import own_data_folder


def serve(config: Config = None, set_: Set = None) -> None:
    """Serve the joined tables and the page until told to stop."""
    from livejoin.serve.server import end_process, run

    settings = settings_from(config, set_)
    own_data_folder(settings.data_dir)
    configure_logs("serve", settings.logs)
    tell_remarks(settings)
    end_process(run(settings))
