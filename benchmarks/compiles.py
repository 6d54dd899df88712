"""What is compiled in the background, for works whose later calls are what is measured."""

import sys


def wait_for_compiles() -> None:
    """Return when all that Pullback compiles meanwhile is there; of a process without Pullback at once."""
    if "pullback.engine.background" in sys.modules:
        sys.modules["pullback.engine.background"].wait_for_compiles()
