"""Types for annotations and `isinstance`: what converts to a tensor, what says what it is to a trace."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..base.dtypes import TraceType
from ..base.export import export
from ..ir.tensor import Tensor
from .variable import Variable


@runtime_checkable
class TensorProtocol(Protocol):
    """What converts itself to a tensor."""

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """The tensor, of `dtype` where it is given."""


@export(v2="types.experimental.SupportsTracingProtocol")
@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """What says itself for which type of value a `tf.function` is traced when it is an argument.

    >>> [isinstance(x, tf.types.experimental.SupportsTracingProtocol) for x in (tf.TensorSpec([2]), 3.0)]
    [True, False]
    """

    def __tf_tracing_type__(self, context: Any) -> TraceType:
        """The type."""


#: What `tf.convert_to_tensor` takes, for annotations and `isinstance`.
TensorLike = (
    Tensor | Variable | TensorProtocol | int | float | bool | str | bytes | complex
    | tuple | list | np.ndarray | np.generic  # type: ignore[type-arg]  # `isinstance` takes no others
)  # fmt: skip
export("types.experimental.TensorLike")(TensorLike)
