"""Biases and the L2 loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, NUMERIC
from ...base.export import export, is_hot
from ...base.shapes import show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.op import Op, Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ...ir.tracebacks import trim
from ...kernels import blocked, reductions
from ..array.basic import broadcast_to, ones_of, reshape, shape_of
from ..array.join import concat
from ..array.type_rules import Array, check_one_of, invalid_argument, require_equal, require_rank, require_rank_between
from ..lowering import nn as native_nn, reduce as native_reduce
from ..math.arithmetic import TERMS
from ..vmap_rules import nn as rows_nn

_LAYOUTS = ("NHWC", "NCHW")


def _channel_axis(rank: int, data_format: str) -> int:
    return 1 if data_format == "NCHW" else rank - 1


def _check(value: Any, bias: Any, data_format: str) -> None:
    check_one_of(data_format, _LAYOUTS, "data_format")
    require_rank(bias, 1, f"Biases must be 1D: {show(bias.dims)}")
    if value.dims is None:
        return
    rank = len(value.dims)
    if rank < 2:
        raise ShapeError(f"Shape must be at least rank 2 but is rank {rank}", f"Input tensor must be at least 2D: {show(value.dims)}")
    channels = value.dims[_channel_axis(rank, data_format)]
    if bias.dims is not None:
        which = "last" if data_format == "NHWC" else "channel"
        text = f"Must provide as many biases as the {which} dimension of the input tensor: {show(bias.dims)} vs. {show(value.dims)}"
        require_equal(channels, bias.dims[0], text)


def _bias_add_type(value: Any, bias: Any, *, data_format: str = "NHWC") -> TensorType:
    _check(value, bias, data_format)
    return TensorType(value.dims, value.dtype)


def _bias_add(value: Array, bias: Array, *, data_format: str = "NHWC") -> Array:
    if bias.ndim != 1 or value.ndim < 2 or value.shape[_channel_axis(value.ndim, data_format)] != len(bias):
        raise ValueError("one bias for each channel")
    if data_format == "NCHW":
        bias = bias.reshape(-1, *(1,) * (value.ndim - 2))
    if data_format == "NHWC" and len(bias) < 256 and value.size >= blocked.LARGE and value.flags.c_contiguous:
        wide, row = blocked.join_rows(value.reshape(-1, len(bias)), bias)
        return (wide + row).reshape(value.shape)
    return value + bias


def _bias_grad_type(out_backprop: Any, *, data_format: str = "NHWC") -> TensorType:
    check_one_of(data_format, _LAYOUTS, "data_format")
    dims = out_backprop.dims
    least = 3 if data_format == "NCHW" else 2
    require_rank_between(out_backprop, least, None, f"Input tensor must be at least 2D: {show(dims)}")
    return TensorType((None,) if dims is None else (dims[_channel_axis(len(dims), data_format)],), out_backprop.dtype)


def _bias_grad(out_backprop: Array, *, data_format: str = "NHWC") -> Array:
    check_one_of(data_format, _LAYOUTS, "data_format")
    rank = out_backprop.ndim
    if rank < 2:
        raise invalid_argument(f"Input tensor must be at least 2D: {show(out_backprop.shape)}")
    keep = _channel_axis(rank, data_format)
    axes = tuple(i for i in range(rank) if i != keep)
    found = reductions.total(out_backprop, axes, False)
    return np.asarray(out_backprop.sum(axis=axes, dtype=out_backprop.dtype)) if found is None else found


def _spread(g: Any, out_backprop_type: Any, data_format: str) -> Any:
    if data_format == "NCHW":
        dims = out_backprop_type.dims
        ones = ones_of(shape_of(out_backprop_type)[2:]) if dims is None else [1] * (len(dims) - 2)
        g = reshape(g, concat([[-1], ones], 0) if dims is None else [-1, *ones])
    return broadcast_to(g, shape_of(out_backprop_type))


BIAS_ADD: Op = define(
    "BiasAdd",
    "value bias",
    _bias_add_type,
    _bias_add,
    {"value": lambda g: g, "bias": lambda g, data_format: BIAS_ADD_GRAD(g, data_format=data_format)},
    dtypes=NUMERIC,
    holomorphic=False,
    batch=rows_nn.bias_add,
    lower=native_nn.bias_add,
    traits=Traits(remedies=TERMS, by_rows=True, opens_scope=True),
)
BIAS_ADD_GRAD: Op = define(
    "BiasAddGrad",
    "out_backprop",
    _bias_grad_type,
    _bias_grad,
    {"out_backprop": _spread},
    dtypes=NUMERIC,
    holomorphic=False,
    batch=rows_nn.bias_add_grad,
    lower=native_nn.bias_add_grad,
    gradient_names="Tile",
)


def _l2_loss(t: Array) -> Array:
    wide = t.astype(np.float32) if t.dtype.itemsize < 4 else t
    return np.asarray(np.vdot(wide, wide) / 2).astype(t.dtype)


L2_LOSS: Op = define(
    "L2Loss",
    "t",
    lambda t: TensorType((), t.dtype),
    _l2_loss,
    {"t": lambda g, t: g * t},
    dtypes=FLOATING,
    lower=native_reduce.l2_loss,
    batch=rows_nn.l2_loss,
)


@export("nn.bias_add")
@is_hot
def bias_add(value: NumberLike, bias: NumberLike, data_format: str | None = None, name: str | None = None) -> Tensor:
    """`value` with the vector `bias` added along its channels.

    value: rank 2 or more.  bias: one number for each channel, of value's dtype.  data_format: channels last unless it begins with
    "NC".  Raises ValueError for another layout, InvalidArgumentError (in graphs ValueError) for shapes that do not fit.

    >>> tf.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy().tolist()
    [[11.0, 22.0]]
    """
    try:
        layout = "NHWC"
        if data_format is not None:
            if not data_format.startswith("NC") and not (data_format.startswith("N") and data_format.endswith("C")):
                raise ValueError(f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}")
            layout = "NCHW" if data_format.startswith("NC") else "NHWC"
        if not executing_eagerly():
            value = convert_to_tensor(value)
            bias = convert_to_tensor(bias, value.dtype, name="bias")
        return BIAS_ADD(value, bias, data_format=layout, name=name)
    except Exception as error:
        trim(error)
        raise


@export("nn.l2_loss")
def l2_loss(t: NumberLike, name: str | None = None) -> Tensor:
    """Half the sum of the squares of `t`, a scalar; its gradient is `t`.

    t: floating, any shape.

    >>> tf.nn.l2_loss([3.0, 4.0]).numpy().item()
    12.5
    """
    return L2_LOSS(t, name=name)
