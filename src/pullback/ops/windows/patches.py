"""Patches of images and volumes: every position of a window, its points side by side in the channels; and the adjoints, which add them up.

The adjoints (`ExtractImagePatchesGrad`, `ExtractVolumePatchesGrad`) are ours: TensorFlow composes them of gathers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import COMPLEX, REAL, bool
from ...base.errors import OutOfRangeError, UnimplementedError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.attributes import as_word
from ...ir.op import Op, define
from ...ir.tensor import Dims, IntLike, Tensor, TensorLike, TensorType
from ..array.basic import shape_of
from ..array.type_rules import Array, check_one_of, dims_in, times, unknown_dims
from ..batching import fold_rows
from ..vmap_rules import nn as rows_nn
from . import patches_lowering
from .layout import no_room_error
from .windows import Window, offsets, pad_windows, place, unpad_windows


def _check_patches(rank: int, ksizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str) -> None:
    check_one_of(padding, ("SAME", "VALID"), "padding")
    for name, steps in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        if len(steps) != rank:
            text = f"Sliding window {name} must have {rank} entries, got {list(steps)}"
            raise ShapeError(text, text)


def _windows(shape: Any, ksizes: Any, strides: Any, rates: Any, padding: str) -> list[Window]:
    """One window for each spatial axis."""
    rank = len(ksizes)
    if len(shape) != rank:
        raise ShapeError(f"Shape must be rank {rank} but is rank {len(shape)}", f"input must be {rank}-dimensional{show(tuple(shape))}")
    found = []
    for axis in range(1, rank - 1):
        window = place(shape[axis], ksizes[axis], strides[axis], rates[axis], padding)
        if window.out < 0:
            raise no_room_error(window, shape[axis])
        found.append(window)
    return found


def _patched_dims(dims: Dims, ksizes: Any, strides: Any, rates: Any, padding: str) -> Dims:
    rank = len(ksizes)
    if dims is None:
        return (None,) * rank
    if len(dims) != rank:
        raise ShapeError(f"Shape must be rank {rank} but is rank {len(dims)}", f"input must be {rank}-dimensional{show(dims)}")
    sizes = [1 if n is None else n for n in dims]
    known = [n is not None for n in dims]
    counts = []
    for axis in range(1, rank - 1):
        one_axis = [sizes[axis] if i == axis else 10**9 for i in range(rank)]
        counts.append(_windows(one_axis, ksizes, strides, rates, padding)[axis - 1].out if known[axis] else None)
    return (dims[0], *counts, times(dims[-1], math.prod(ksizes)))


def _patches(input: Array, windows: list[Window]) -> Array:
    around = [Window(1, 1, 1, 0, 0, input.shape[0]), *windows, Window(1, 1, 1, 0, 0, input.shape[-1])]
    wide = pad_windows(input, around)
    base = wide.strides
    shape = (len(input), *(w.out for w in windows), *(w.size for w in windows), input.shape[-1])
    steps = [base[i + 1] * w.stride for i, w in enumerate(windows)]
    inner = [base[i + 1] * w.dilation for i, w in enumerate(windows)]
    view = np.lib.stride_tricks.as_strided(wide, shape, (base[0], *steps, *inner, base[-1]), writeable=False)
    out = np.ascontiguousarray(view).reshape(*shape[: 1 + len(windows)], math.prod(shape[1 + len(windows) :]))
    return out.copy() if np.shares_memory(out, input) else out


def _add_patches(grads: Array, shape: tuple[int, ...], windows: list[Window]) -> Array:
    around = [Window(1, 1, 1, 0, 0, shape[0]), *windows, Window(1, 1, 1, 0, 0, shape[-1])]
    dtype = np.float32 if grads.dtype.itemsize == 2 and grads.dtype.kind not in "iu" else grads.dtype
    wide = np.zeros([n + w.before + w.after for n, w in zip(shape, around, strict=True)], dtype)
    points = grads.reshape(*grads.shape[:-1], math.prod(w.size for w in windows), shape[-1])
    for k, at in enumerate(offsets(windows)):
        wide[(slice(None), *at)] += points[..., k, :]
    return unpad_windows(wide, around).astype(grads.dtype)


def _type(input: Any, ksizes: Any, strides: Any, rates: Any, padding: str) -> TensorType:
    _check_patches(len(rates), ksizes, strides, rates, padding)
    if not patches_lowering.are_spatial(ksizes, strides, rates):
        return TensorType(unknown_dims(len(rates)), input.dtype)  # refused when it runs
    return TensorType(_patched_dims(input.dims, ksizes, strides, rates, padding), input.dtype)


def _forward(input: Array, ksizes: Any, strides: Any, rates: Any, padding: str) -> Array:
    for name, steps in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        if len(steps) == len(rates) and (steps[0] != 1 or steps[-1] != 1):
            raise UnimplementedError(None, None, f"Only support {name} across space, got {list(steps)}")
        if min(steps, default=1) <= 0:
            raise OutOfRangeError(None, None, f"{name} is out of range: {list(steps)}")
    _check_patches(len(rates), ksizes, strides, rates, padding)
    return _patches(input, _windows(input.shape, ksizes, strides, rates, padding))


def _backward(grads: Array, shape: Array, ksizes: Any, strides: Any, rates: Any, padding: str) -> Array:
    sizes = tuple(int(n) for n in shape)
    return _add_patches(grads, sizes, _windows(sizes, ksizes, strides, rates, padding))


def _sizes_type(grads: Any, shape: Any) -> TensorType:
    return TensorType(dims_in(shape) or (None,) * len(grads.dims or (None,) * 4), grads.dtype)


_DTYPES = REAL | COMPLEX | {bool}
_NO_RATES = (1, 1, 1, 1, 1)
EXTRACT_IMAGE_PATCHES: Op = define(
    "ExtractImagePatches",
    "images",
    lambda images, *, ksizes, strides, rates, padding: _type(images, ksizes, strides, rates, padding),
    lambda images, *, ksizes, strides, rates, padding: _forward(images, ksizes, strides, rates, padding),
    {"images": lambda g, images_type, attrs: IMAGE_PATCHES_GRAD(g, shape_of(images_type), **attrs)},
    dtypes=_DTYPES,
    holomorphic=False,
    gradient_names="transpose_1",
    batch=fold_rows("images"),
    lower=patches_lowering.extract,
)
IMAGE_PATCHES_GRAD: Op = define(
    "ExtractImagePatchesGrad",
    "grads shape:int32",
    lambda grads, shape, *, ksizes, strides, rates, padding: _sizes_type(grads, shape),
    lambda grads, shape, *, ksizes, strides, rates, padding: _backward(grads, shape, ksizes, strides, rates, padding),
    {"grads": lambda g, attrs: EXTRACT_IMAGE_PATCHES(g, **attrs)},
    dtypes=REAL | COMPLEX,
    holomorphic=False,
    batch=rows_nn.windows_grad,
    lower=patches_lowering.extract_grad,
)
EXTRACT_VOLUME_PATCHES: Op = define(
    "ExtractVolumePatches",
    "input",
    lambda input, *, ksizes, strides, padding: _type(input, ksizes, strides, _NO_RATES, padding),
    lambda input, *, ksizes, strides, padding: _forward(input, ksizes, strides, _NO_RATES, padding),
    {"input": lambda g, input_type, attrs: VOLUME_PATCHES_GRAD(g, shape_of(input_type), **attrs)},
    dtypes=REAL,
    batch=fold_rows("input"),
    lower=patches_lowering.extract,
    gradient_names="transpose_1",
)
VOLUME_PATCHES_GRAD: Op = define(
    "ExtractVolumePatchesGrad",
    "grads shape:int32",
    lambda grads, shape, *, ksizes, strides, padding: _sizes_type(grads, shape),
    lambda grads, shape, *, ksizes, strides, padding: _backward(grads, shape, ksizes, strides, _NO_RATES, padding),
    {"grads": lambda g, attrs: EXTRACT_VOLUME_PATCHES(g, **attrs)},
    dtypes=REAL,
    batch=rows_nn.windows_grad,
    lower=patches_lowering.extract_grad,
)


@export("image.extract_patches")
def extract_patches(images: TensorLike, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor:
    """The patches of images that a window sees at every position.

    images: [batch, height, width, depth], any numbers or truth values.  sizes, strides, rates: [1, rows, columns, 1]: the window, the
    steps between windows, those between its points.  padding: "VALID" (windows inside the image) or "SAME" (zeros around it).  Returns
    [batch, out rows, out columns, rows * columns * depth].  Raises InvalidArgumentError (in graphs ValueError) for other lists and ranks.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.extract_patches(image, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID").numpy()[0, 0].tolist()
    [[0.0, 1.0, 3.0, 4.0], [1.0, 2.0, 4.0, 5.0]]
    """
    options = {"ksizes": sizes, "strides": strides, "rates": rates, "padding": as_word("padding", padding).upper()}
    return EXTRACT_IMAGE_PATCHES(images, name=name, **options)


@export("extract_volume_patches")
def extract_volume_patches(input: TensorLike, ksizes: IntLike, strides: IntLike, padding: str, name: str | None = None) -> Tensor:
    """The patches of volumes that a window sees at every position.

    input: [batch, planes, rows, columns, depth], real.  ksizes, strides: [1, planes, rows, columns, 1].  padding: "VALID" or "SAME".
    Returns [batch, out planes, out rows, out columns, window * depth].  Raises InvalidArgumentError (in graphs ValueError) for other lists
    and ranks.

    >>> volume = tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])
    >>> tf.extract_volume_patches(volume, [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "VALID").shape
    TensorShape([1, 1, 1, 1, 8])
    """
    options = {"ksizes": ksizes, "strides": strides, "padding": as_word("padding", padding).upper()}
    return EXTRACT_VOLUME_PATCHES(input, name=name, **options)
