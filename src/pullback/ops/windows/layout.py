"""The attributes that convolutions and pools share: strides, paddings and layouts, checked and turned into windows.

An operation's lists have one entry for each axis in the order of `data_format`; kernels and type rules work on windows, one for each
spatial axis.  Sizes that a type rule does not know yet stay None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import InvalidArgumentError, UnimplementedError
from ...ir.apply import ShapeError
from ...ir.attributes import as_whole_numbers, as_word, read_text
from ...ir.convert import is_tensor_like
from ...ir.tensor import Dims, Tensor
from ..array.type_rules import Array, check_one_of
from .windows import Window, place

PADDINGS = ("SAME", "VALID", "EXPLICIT")
LAYOUTS = ("NHWC", "NCHW")


def spatial_positions(data_format: str) -> range:
    """The positions of height and width, of volumes of depth too."""
    first = 2 if data_format.startswith("NC") else 1
    return range(first, first + len(data_format) - 2)


def channels(data_format: str) -> int:
    """The position of the channels, of images or of volumes."""
    return (data_format or LAYOUTS[0]).find("C")


def channels_last(x: Array, data_format: str) -> Array:
    """A batch of images or volumes with its channels last."""
    return x.transpose(0, *range(2, x.ndim), 1) if data_format.startswith("NC") else x


def channels_back(x: Array, data_format: str) -> Array:
    """The inverse of `channels_last`."""
    return x.transpose(0, x.ndim - 1, *range(1, x.ndim - 1)) if data_format.startswith("NC") else x


def require_rank_4(dims: Dims, what: str) -> None:
    """Refuse what is no batch of images, or no bank of filters."""
    if dims is not None and len(dims) != 4:
        raise ShapeError(f"Shape must be rank 4 but is rank {len(dims)}", f"{what} must be 4-dimensional: {list(dims)}")


def check_words(padding: str, data_format: str) -> None:
    """Refuse unknown paddings and layouts."""
    check_one_of(padding, PADDINGS, "padding")
    check_one_of(data_format, LAYOUTS, "data_format")


def check_attributes(strides: Sequence[int], padding: str, data_format: str, dilations: Sequence[int] = (1, 1, 1, 1)) -> None:
    """Refuse unknown words and steps in an image that are not positive."""
    check_words(padding, data_format)
    for name, steps in (("Stride", strides), ("Dilation rate", dilations)):
        if len(steps) != 4:
            text = f"{name}s must have one entry for each of the 4 dimensions, got {list(steps)}"
            raise ShapeError(text, text)
        for axis in spatial_positions(data_format):
            if steps[axis] <= 0:
                text = f"{name} must be > 0, but got {steps[axis]}"
                raise ShapeError(text, text)


def check_margins(explicit_paddings: Sequence[int], data_format: str) -> None:
    """Refuse paddings below 0, and of images or channels."""
    others = (*margins(explicit_paddings, 0), *margins(explicit_paddings, channels(data_format)))
    text = "Nonzero explicit padding in the batch or depth dimensions is not supported" if any(others) else None
    if any(n < 0 for n in explicit_paddings):
        text = f"All elements of explicit_paddings must be nonnegative, got {list(explicit_paddings)}"
    if text is not None:
        raise ShapeError(text, text)


def require_spatial(steps: Sequence[int], data_format: str, what: str, depthwise: bool = False) -> None:
    """Refuse windows that reach over images or channels; for kernels."""
    if steps[0] != 1 or steps[channels(data_format)] != 1:
        text = f"Current implementation does not yet support {what} in the batch and depth dimensions."
        raise InvalidArgumentError(None, None, text) if depthwise else UnimplementedError(None, None, text)


def axis_window(length: int, size: int, stride: int, dilation: int, padding: str, explicit: tuple[int, int] = (0, 0)) -> Window:
    """The window on one axis; refused where it does not fit."""
    window = place(length, size, stride, dilation, padding, explicit)
    if window.out < 0:
        raise no_room_error(window, length)
    return window


def no_room_error(window: Window, length: int) -> ShapeError:
    """What a window says that an axis of `length` is too short for."""
    text = f"Negative dimension size caused by subtracting {window.reach} from {length + window.before + window.after}"
    return ShapeError(text, text)


def margins(explicit_paddings: Sequence[int], axis: int) -> tuple[int, int]:
    """The explicit padding of one axis."""
    return (explicit_paddings[2 * axis], explicit_paddings[2 * axis + 1]) if len(explicit_paddings) else (0, 0)


def image_windows(
    sizes: Sequence[int],
    filter_sizes: Sequence[int],
    strides: Sequence[int],
    padding: str,
    explicit_paddings: Sequence[int],
    data_format: str,
    dilations: Sequence[int],
) -> tuple[Window, Window]:
    """The windows of a filter of height and width `filter_sizes` on an image of height and width `sizes`."""
    height, width = (
        axis_window(n, size, strides[axis], dilations[axis], padding, margins(explicit_paddings, axis))
        for n, size, axis in zip(sizes, filter_sizes, spatial_positions(data_format), strict=True)
    )
    return height, width


def window_count(length: int | None, size: int | None, *rest: Any, strict: bool = True) -> int | None:
    """The number of positions on an axis, where that can be known.

    strict: refuse, as TensorFlow does while it builds a graph, every window that reaches beyond its axis; kernels find no position for one
    that reaches less than a stride beyond.
    """
    if length is None or size is None:
        return None
    window = axis_window(length, size, *rest)
    if strict and "SAME" not in rest and 1 < window.reach > length + window.before + window.after:
        raise no_room_error(window, length)
    return window.out


# ---------------------------------------------------------------------- what users write


def expand_steps(value: Any, count: int, channel_index: int, name: str) -> list[int]:
    """A stride, window or rate as users write it (one number, one for each spatial axis, or one for each axis) for every axis."""
    given = [1] if value is None else list(value) if isinstance(value, (list, tuple)) or _has_items(value) else [value]
    if len(given) == count + 2:
        return as_whole_numbers(name, given)
    if len(given) == 1:
        given = given * count
    elif len(given) != count:
        raise ValueError(f"{name} should be of length 1, {count} or {count + 2}. Received: {name}={value} of length {len(given)}")
    inner = as_whole_numbers(name, given)
    return [1, 1, *inner] if channel_index == 1 else [1, *inner, 1]


def _has_items(value: Any) -> bool:
    """Whether a value is a list; a variable of one number is none."""
    is_variable = is_tensor_like(value) and not isinstance(value, Tensor)
    return hasattr(value, "__len__") and not (is_variable and value.shape.rank == 0)


def padding_of(padding: object) -> tuple[str, list[int]]:
    """A padding as users write it (a word, or a pair for each axis) as the two attributes of an operation."""
    if isinstance(padding, bytes):
        padding = padding.decode()
    if isinstance(padding, str):
        if padding.upper() == "EXPLICIT":
            raise ValueError('`"EXPLICIT"` is no value for `padding`: give the paddings themselves, as a list of pairs.')
        return padding.upper(), []
    pairs = list(padding) if isinstance(padding, (list, tuple, np.ndarray)) else [as_word("padding", padding)]
    if len(pairs) != 4 or any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"When padding is a list, it must have a pair for each of the 4 dimensions. Received: padding={padding}")
    return "EXPLICIT", [int(n) for pair in pairs for n in pair]


def padding_word(padding: object) -> Any:
    """The padding of an operation that takes words only; what is no word is left to the operation to refuse."""
    return read_text(padding).upper() if isinstance(padding, (str, bytes)) else padding
