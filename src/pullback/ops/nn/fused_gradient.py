"""Gradients of activations as operations of their own, of the cotangents and the input or the output: differentiable again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...ir.fast_dispatch import dispatch_binary
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels import blocked
from ..array.type_rules import Array, require_same, same_type
from ..batching import stack_rows
from ..families import push_symmetric


def check_pair(kernel: Callable[..., Array]) -> Callable[..., Array]:
    """A kernel of two arrays that must have one shape."""

    def call(gradients: Array, other: Array, **attributes: Any) -> Array:
        require_same(gradients, other)
        return kernel(gradients, other, **attributes)

    return call


def _pair_type(gradients: Any, other: Any) -> TensorType:
    return same_type(gradients, other)


def define_fused_gradient(
    name: str,
    second: str,
    kernel: Callable[..., Array],
    vjp: Mapping[str | tuple[str, ...], Callable[..., Any]],
    dtypes: Any,
    lower: Any,
    **more: Any,
) -> Op:
    """A fused gradient `name(gradients, second)`."""
    return define(
        name, f"gradients {second}", _pair_type, blocked.block_kernel(check_pair(kernel)), vjp,
        dtypes=dtypes, jvp=push_symmetric, batch=stack_rows(), lower=lower, call=dispatch_binary, **more,
    )  # fmt: skip
