"""`tf.xla.experimental`: functions compiled at their first call, by the engine that `tf.function(jit_compile=True)` has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..base.export import export
from ..ir.context import executing_eagerly
from ..trace.function import function


@export("xla.experimental.compile")
def compile(computation: Callable[..., Any], inputs: list[Any] | None = None) -> Any:
    """What `computation` gives for `inputs`, run as one compiled program.

    inputs: a list, one for each argument; a list that is nested is one argument with a structure.
    Returns a list of tensors, or what the function returns where that has a structure.  Raises TypeError where `inputs` is no list.

    >>> [x.numpy() for x in tf.xla.experimental.compile(lambda x: (x * 2.0, x + 1.0), [tf.constant(2.0)])]
    [np.float32(4.0), np.float32(3.0)]
    """
    if inputs is not None and not isinstance(inputs, (list, tuple)):
        raise TypeError("inputs must be a list")
    found = function(computation, jit_compile=True)(*(inputs or ()))
    if isinstance(found, Mapping):
        return found
    return list(found) if isinstance(found, (list, tuple)) else [found]


@export("xla.experimental.jit_scope")
@contextmanager
def jit_scope(compile_ops: bool | Callable[..., bool] = True, separate_compiled_gradients: bool = False) -> Iterator[None]:
    """A block whose operations may be compiled together: which are is the engine's to decide here.

    Raises RuntimeError when executing eagerly.

    >>> with tf.Graph().as_default(), tf.xla.experimental.jit_scope():
    ...     y = tf.constant(1.0) + 1.0
    """
    if executing_eagerly():
        raise RuntimeError("xla.experimental.jit_scope is not supported when eager execution is enabled. Try use it inside tf.function.")
    yield
