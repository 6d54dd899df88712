"""What processes agree on: seeds that nobody set, and what one of them does for all."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import OpError, exception_type_from_error_code
from .arrays import all_gather, broadcast
from .world import world

_agreed: list[random.Random] = []


def agree_on_seed() -> None:
    """From now on `random_bits` gives all processes the same bits, as long as they ask equally often."""
    if not _agreed and world().size > 1:
        _agreed.append(random.Random(int(broadcast(np.array(secrets.randbits(63)), root=0))))


def random_bits() -> int:
    """63 bits for a seed that the program leaves open."""
    return _agreed[0].getrandbits(63) if _agreed else secrets.randbits(63)


def run_on_first_replica(action: Callable[[], object]) -> None:
    """Do something on replica 0, for which the others wait; an OpError there is one of the same class on all of them."""
    failure, said = None, ""
    current = world()
    if current.rank == 0:
        try:
            action()
        except OpError as error:
            failure, said = error, f"{error.error_code} {error.message}"
    code, _, text = all_gather(np.frombuffer(said.encode(), np.uint8)).tobytes().decode().partition(" ")
    if code:
        text = f"replica 0 of {current.size}, which writes for all, failed: {text}. What was saved before is as it was, and all can go on"
        kind: Any = exception_type_from_error_code(int(code))
        raise kind(None, None, text) from failure
