"""Ops that TensorFlow's debuggers put into graphs, which hand a tensor on, and the time of day."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import ANY, float64
from ...base.errors import UnimplementedError
from ...base.export import export
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType
from ..array.type_rules import Array
from ..batching import answer_once, stack_rows
from ..families import elementwise
from ..resources.operations import REF_IDENTITY

DEBUG_GRADIENT_IDENTITY = elementwise(
    "DebugGradientIdentity", "input", lambda input: input, {"input": 1}, dtypes=ANY, lower=lambda builder, input: input
)
DEBUG_GRADIENT_REF_IDENTITY = define(
    "DebugGradientRefIdentity", "input", REF_IDENTITY.infer, REF_IDENTITY.kernel, {"input": lambda g: g},
    dtypes=ANY, holomorphic=False, stateful=True,
)  # fmt: skip


def _infer_identity(
    input: Any, *, tfdbg_context_id: str = "", op_name: str = "", output_slot: int = -1, tensor_debug_mode: int = -1,
    debug_urls: Sequence[str] = (), circular_buffer_size: int = 1000, tfdbg_run_id: str = "",
) -> TensorType:  # fmt: skip
    if debug_urls:
        raise UnimplementedError(None, None, f"the debugger's files are not written here, so debug_urls is empty, not {list(debug_urls)}")
    return TensorType(input.dims, input.dtype)


def _hand_on(input: Array, **attrs: Any) -> Array:
    if attrs.get("debug_urls"):
        _infer_identity(None, **attrs)
    return input


DEBUG_IDENTITY_V2 = define(
    "DebugIdentityV2", "input", _infer_identity, _hand_on, {"input": lambda g: g}, dtypes=ANY, holomorphic=False, batch=stack_rows()
)  # fmt: skip


TIMESTAMP = define(
    "Timestamp", "", lambda: TensorType((), float64), lambda *, site: np.float64(time.time()), {}, stateful=True, effects=False,
    batch=answer_once,
)  # fmt: skip


@export("timestamp")
def timestamp(name: str | None = None) -> Tensor:
    """The seconds since 1970, a float64 scalar; in a graph, of the moment when it runs.

    >>> float(tf.timestamp()) > 1.7e9
    True
    """
    return TIMESTAMP(name=name)
