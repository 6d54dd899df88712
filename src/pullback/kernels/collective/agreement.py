"""What processes agree on: seeds that nobody set, and what one of them does for all."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable

import numpy as np

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


def on_first_replica(action: Callable[[], object]) -> None:
    """Do something on replica 0, for which the others wait; what the system refuses there is an OSError on all of them."""
    failure = None
    current = world()
    if current.rank == 0:
        try:
            action()
        except OSError as error:
            failure = error
    text = b"" if failure is None else f"replica 0 of {current.size} failed: {failure}".encode()
    said = all_gather(np.frombuffer(text, np.uint8))
    if failure is not None:
        raise failure
    if said.size:
        raise OSError(said.tobytes().decode())
