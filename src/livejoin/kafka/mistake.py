"""What is wrong with a client property, in words."""


class PropertyMistake(ValueError):
    """A client property that cannot be used: which one, and why. Settings that are loaded name it as theirs."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"kafka.{name}: {why}")
        self.name = name
        self.why = why
