"""What a work hands to the host that runs it, and what a host hands to the clock."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass
class Program:
    """A function of `arguments`, which are NumPy arrays.

    What it changes at every call is its `state`: TensorFlow's variables and PyTorch's tensors, which it changes in place, or JAX's first
    argument, which it answers anew as the first of two. `wrt` says which arguments the gradients that follow the first output belong to;
    `layout` brings outputs and state to the order and the axes that all libraries have in common. What is not `traced` is called as it
    is, for it compiles within.
    """

    function: Callable[..., Any]
    arguments: Sequence[Array] = ()
    state: Any = None
    wrt: tuple[int, ...] = ()
    layout: Callable[[list[Array]], list[Array]] = lambda found: found
    traced: bool = True


@dataclass
class Running:
    """A program that is ready to be called: `step` ends when the outputs are there, `read` brings them and the state to NumPy."""

    step: Callable[[], Any]
    read: Callable[[Any], list[Array]]
