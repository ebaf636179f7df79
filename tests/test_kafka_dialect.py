"""Client properties in Java's dialect."""

import pytest

from livejoin.kafka.dialect import java_properties


@pytest.mark.parametrize("name", ["sasl.mechanism", "sasl.mechanisms"])
@pytest.mark.parametrize(
    ("mechanism", "module"),
    [
        ("PLAIN", "plain.PlainLoginModule"),
        ("SCRAM-SHA-256", "scram.ScramLoginModule"),
        ("SCRAM-SHA-512", "scram.ScramLoginModule"),
    ],
)
def test_a_user_and_a_password_become_a_line_of_jaas(name: str, mechanism: str, module: str) -> None:
    """Java knows neither of the two names, nor the plural of the mechanism."""
    given = {"security.protocol": "SASL_SSL", name: mechanism, "sasl.username": "U", "sasl.password": "P"}
    assert java_properties(given) == {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": f'org.apache.kafka.common.security.{module} required username="U" password="P";',
    }


def test_quotes_and_backslashes_stay_what_they_are() -> None:
    """A password cannot end its quotes."""
    given = {"sasl.mechanism": "PLAIN", "sasl.username": "U", "sasl.password": 'a"; debug="true\\'}
    assert java_properties(given)["sasl.jaas.config"].endswith('password="a\\"; debug=\\"true\\\\";')


@pytest.mark.parametrize(
    "given",
    [
        {"bootstrap.servers": "b:9092"},
        {"sasl.mechanism": "OAUTHBEARER", "sasl.oauthbearer.method": "oidc"},
        {"sasl.mechanism": "SCRAM-SHA-256", "sasl.jaas.config": "of the user"},
    ],
)
def test_everything_else_passes_through(given: dict[str, str]) -> None:
    """What needs no translation, or has been translated, is left as it is."""
    assert java_properties(given) == given
