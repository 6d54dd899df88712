"""`tf.conv`: one convolution for images and volumes, with any number of batch axes; made of `Conv2D` and `Conv3D`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtypes import float64, int32
from ..base.export import export
from ..ir.apply import ShapeError, convert_to_tensor
from ..ir.attributes import as_word, fit
from ..ir.context import current, scope
from ..ir.tensor import SymbolicTensor, Tensor, TensorLike
from ..ops.array.basic import reshape, shape_of
from ..ops.array.join import concat
from ..ops.array.pad import pad
from ..ops.array.shape import expand_dims, squeeze
from ..ops.array.type_rules import invalid_argument
from ..ops.primitives.cast import cast
from ..ops.windows.conv import CONV2D
from ..ops.windows.conv3d import CONV3D
from .layout import convert_beside

_LAYOUTS = {"CHANNELS_LAST": {2: "NHWC", 3: "NDHWC"}, "CHANNELS_FIRST": {2: "NCHW", 3: "NCDHW"}}
_DEFAULTS = {"explicit_paddings": (), "data_format": "CHANNELS_LAST", "dilations": (), "batch_dims": 1, "groups": 1}


@export("conv")
def conv(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "CHANNELS_LAST",
    dilations: Any = (),
    batch_dims: int = 1,
    groups: int = 1,
    name: str | None = None,
) -> Tensor:
    """Correlate images or volumes with filters.

    input: `batch_dims` axes of a batch, two or three of space, and the channels, which are before space with data_format "CHANNELS_FIRST".
    filter: the axes of space, the input channels of a group, the output channels.  strides, dilations: a number for each of the axes of
    one example in a batch.  padding: "SAME", "VALID", or "EXPLICIT" with two of `explicit_paddings` for each of these axes.
    float16 to float64, bfloat16, int32.  Gradients are those of `tf.nn.conv2d` and `tf.nn.conv3d`; TensorFlow's has none.
    Raises InvalidArgumentError (in graphs ValueError) for shapes and attributes that do not fit.

    >>> x = tf.ones([2, 3, 4, 4, 1])
    >>> tf.conv(x, tf.ones([2, 2, 1, 5]), [1, 2, 2, 1], "VALID", batch_dims=2).shape
    TensorShape([2, 3, 2, 2, 5])
    """
    options = {
        "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations,
        "batch_dims": batch_dims, "groups": groups,
    }  # fmt: skip
    explicit_paddings, data_format, dilations, batch_dims, groups = fit("conv", _DEFAULTS, options).values()
    with scope(name, "Conv"):
        x = convert_beside(input, filter, "input")
        w = convert_to_tensor(filter, x.dtype if not hasattr(filter, "dtype") else None, name="filter")
        space = _check_arguments(x.dims, w.dims, strides, padding, data_format, batch_dims, groups)
        _check_channels(x, w, data_format, batch_dims, groups)
        layout = _LAYOUTS[data_format][space]
        rates = list(dilations) or [1] * (space + 2)
        given: dict[str, Any] = {"strides": list(strides), "padding": padding, "data_format": layout, "dilations": rates}
        _check_steps(given["strides"], padding, explicit_paddings, layout)
        if space == 2:
            return _merge_batch(x, batch_dims, lambda flat: CONV2D(flat, w, explicit_paddings=list(explicit_paddings), **given))
        return _merge_batch(x, batch_dims, lambda flat: _volumes(flat, w, list(explicit_paddings), given))


def _unfit_error(message: str) -> Exception:
    return invalid_argument(f"{message} [Op:Conv] name: ") if current().graph is None else ShapeError(message, message)


def _check_arguments(dims: Any, filters: Any, strides: Any, padding: str, data_format: str, batch_dims: int, groups: int) -> int:
    """The number of axes of space."""
    for value, allowed, what in ((padding, ("SAME", "VALID", "EXPLICIT"), "padding"), (data_format, tuple(_LAYOUTS), "data_format")):
        if as_word(what, value) not in allowed:
            listed = ", ".join(f'"{a}"' for a in allowed)
            raise _unfit_error(f"Value for attr '{what}' of \"{value}\" is not in the list of allowed values: {listed}")
    if groups < 1:
        raise _unfit_error(f"groups must be at least 1, got {groups}")
    if filters is not None and len(filters) not in (4, 5):
        raise _unfit_error(f"The filter must be rank 4 or 5 but got {len(filters)}")
    if isinstance(strides, SymbolicTensor):
        raise TypeError(f"Expected list for 'strides' argument to 'Conv' Op, not {strides}")
    space: int = len(dims) - 1 - batch_dims if dims is not None else len(strides if filters is None else filters) - 2
    if batch_dims < 0 or space not in (2, 3):
        raise _unfit_error(f"The input must have 2 or 3 spatial dimensions but got {space}")
    if filters is not None and len(filters) != space + 2:
        raise _unfit_error(f"The filter must be rank {space + 2} for {space} spatial dimensions but got {len(filters)}")
    return space


def _check_steps(strides: list[Any], padding: str, explicit: Sequence[int], layout: str) -> None:
    if len(strides) != len(layout):
        raise _unfit_error(f"Sliding window strides field must specify {len(layout)} dimensions")
    if strides[0] != 1 or strides[layout.index("C")] != 1:
        raise _unfit_error("Current implementation does not support strides in the batch and depth dimensions.")
    if padding != "EXPLICIT" and len(explicit):
        raise _unfit_error("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT")
    if padding == "EXPLICIT" and len(explicit) != 2 * len(layout):
        raise _unfit_error(f"explicit_paddings attribute must contain {2 * len(layout)} values, but got: {len(explicit)}")


def _check_channels(x: Any, w: Any, data_format: str, batch_dims: int, groups: int) -> None:
    if x.dims is None or w.dims is None:
        return
    depth, each = x.dims[-1 if data_format == "CHANNELS_LAST" else batch_dims], w.dims[-2]
    if depth is not None and each is not None and depth != each * groups:
        of_groups = f" in each of {groups} groups" if groups != 1 else ""
        raise _unfit_error(f"Input depth must be equal to filter depth: {depth} vs {each}{of_groups}")


def _merge_batch(x: Any, batch_dims: int, call: Any) -> Tensor:
    """`call` on one batch axis instead of several, or none."""
    if batch_dims == 1:
        return call(x)
    if batch_dims == 0:
        return squeeze(call(expand_dims(x, 0)), [0])
    sizes = shape_of(x)
    out = call(reshape(x, concat([[-1], sizes[batch_dims:]], 0)))
    inner = shape_of(out)
    if isinstance(sizes, np.ndarray) and isinstance(inner, np.ndarray):
        return reshape(out, np.concatenate([sizes[:batch_dims], inner[1:]]))
    return reshape(out, concat([sizes[:batch_dims], inner[1:]], 0))


def _volumes(x: Any, w: Any, explicit: Sequence[int], options: dict[str, Any]) -> Tensor:
    if options["padding"] == "EXPLICIT":
        x, options = pad(x, np.reshape(explicit, (5, 2))), {**options, "padding": "VALID"}
    if x.dtype is int32:  # exact: a float64 holds what int32 does, and sums of many
        return cast(CONV3D.call(cast(x, float64), cast(w, float64), **options), int32)
    return CONV3D.call(x, w, **options)
