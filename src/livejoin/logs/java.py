"""How JVMs write their logs, so that these look like ours: Spark and the broker by Log4j, the engine by Logback."""

from xml.sax.saxutils import quoteattr

from livejoin.logs.configure import library_level
from livejoin.settings.operation import LogSettings

GENERATION = "mdc.generation"
"""What Spark's threads and tasks carry with them, as who starts a query has set it."""
WHOSE = f"%notEmpty{{, generation %X{{{GENERATION}}}}}"
WORDS = f"%d{{yyyy-MM-dd'T'HH:mm:ss.SSS'Z'}}{{UTC}} [%p] %m (%c{{1}}, %t{WHOSE})%n%ex"
LEVELS = "%p{TRACE=debug, DEBUG=debug, INFO=info, WARN=warning, ERROR=error, FATAL=critical}"
JAVA_LEVELS = {"WARNING": "WARN"}


def log4j(settings: LogSettings, process: str, *, as_json: bool) -> str:
    """A configuration for Log4j 2: everything to standard error, with the name of the process on each JSON line."""
    pattern = _json_pattern(process) if as_json else WORDS
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Configuration status="error">\n'
        '  <Appenders><Console name="err" target="SYSTEM_ERR">\n'
        f'    <PatternLayout alwaysWriteExceptions="false" pattern={quoteattr(pattern)}/>\n'
        "  </Console></Appenders>\n"
        f'  <Loggers><Root level="{_level(settings)}"><AppenderRef ref="err"/></Root></Loggers>\n'
        "</Configuration>\n"
    )


def logback(settings: LogSettings, *, as_json: bool) -> str:
    """A configuration for Logback, the same way; its JSON has other names, which `relay.py` knows."""
    words = "<pattern>%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} [%level] %msg \\(%logger{40}, %thread\\)%n%ex</pattern>"
    encoder = (
        '<encoder class="ch.qos.logback.classic.encoder.JsonEncoder">'
        "<withFormattedMessage>true</withFormattedMessage><withMessage>false</withMessage></encoder>"
        if as_json
        else f"<encoder>{words}</encoder>"
    )
    return (
        '<configuration debug="false">\n  <appender name="STDERR" class="ch.qos.logback.core.ConsoleAppender">\n'
        f"    <target>System.err</target>{encoder}\n  </appender>\n"
        f'  <root level="{_level(settings)}"><appender-ref ref="STDERR"/></root>\n</configuration>\n'
    )


def _json_pattern(process: str) -> str:
    fields = {
        "timestamp": "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z'}{UTC}",
        "level": LEVELS,
        "process": process,
        "logger": "%enc{%c}{JSON}",
        "thread": "%enc{%t}{JSON}",
        "event": "%enc{%m}{JSON}",
        "exception": "%enc{%ex}{JSON}",
    }
    told = ", ".join(f'"{name}": "{value}"' for name, value in fields.items())
    return f'{{{told}%notEmpty{{, "generation": %X{{{GENERATION}}}}}}}%n'


def _level(settings: LogSettings) -> str:
    return JAVA_LEVELS.get(library_level(settings), library_level(settings))
