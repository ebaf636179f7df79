"""Kafka client properties in Java's dialect.

Settings speak librdkafka's, which every process but Spark uses. Most properties have one name in both; what differs is
how a client logs in, for which Java wants a line of JAAS.
"""

from collections.abc import Mapping

LOGIN_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}
_USERNAME, _PASSWORD = "sasl.username", "sasl.password"
_MECHANISM, _MECHANISMS = "sasl.mechanism", "sasl.mechanisms"


def java_properties(librdkafka: Mapping[str, str]) -> dict[str, str]:
    """The same client for Java. What has the same name there, or is unknown here, passes through."""
    java = dict(librdkafka)
    mechanism = java.pop(_MECHANISMS, None) or java.get(_MECHANISM)
    if mechanism is None:
        return java
    java[_MECHANISM] = mechanism
    module = LOGIN_MODULES.get(mechanism)
    if module is not None and _USERNAME in java and _PASSWORD in java:
        username, password = java.pop(_USERNAME), java.pop(_PASSWORD)
        java["sasl.jaas.config"] = login_line(module, username=username, password=password)
    return java


def login_line(module: str, **options: str) -> str:
    """A line of JAAS: the login module and its options, quoted."""
    quoted = " ".join(f'{name}="{_escaped(value)}"' for name, value in options.items())
    return f"{module} required {quoted};"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
