"""Pooling as users call it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base.export import export
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.attributes import as_word, refused_value
from ..ir.context import executing_eagerly, scope
from ..ir.tensor import IntLike, NumberLike, Padding, Tensor
from ..ops.array.shape import expand_dims, squeeze
from ..ops.windows.layout import expand_steps, padding_of, padding_word
from ..ops.windows.pool import AVG_POOL, MAX_POOL
from .layout import layout_of
from .space_to_batch import with_space_to_batch

if TYPE_CHECKING:
    from ..ops.windows import pool3d
else:
    pool3d = LazyModule("pullback.ops.windows.pool3d")


def _pool(op: Any, value: Any, ksize: Any, strides: Any, padding: Any, layout: str, name: str | None) -> Tensor:
    channel = 1 if layout.startswith("NC") else 3
    options: dict[str, Any] = {
        "ksize": expand_steps(ksize, 2, channel, "ksize"),
        "strides": expand_steps(strides, 2, channel, "strides"),
        "data_format": layout,
    }
    if op is not MAX_POOL:
        return op(value, **options, padding=padding_word(padding), name=name)
    word, explicit = padding_of(padding)
    return op(value, **options, padding=word, explicit_paddings=explicit, name=name)


@export("nn.max_pool2d")
def max_pool2d(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The largest number of each window of a batch of images.

    input: [batch, height, width, channels], or channels first when data_format is "NCHW".  ksize, strides: one number, two, or one for
    each dimension.  padding: "VALID", "SAME", or a pair for each dimension.  Where several numbers are largest, the first gets the
    gradient.  Raises InvalidArgumentError (in graphs ValueError) for shapes that do not fit, ValueError for lists of another length.

    >>> tf.nn.max_pool2d(tf.reshape(tf.range(4.0), [1, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    3.0
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, layout_of(data_format, "NHWC"), name or "MaxPool2d")


@export(v2="nn.avg_pool2d")
def avg_pool2d(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of a batch of images, padding not counted; arguments and errors as `max_pool2d`.

    >>> tf.nn.avg_pool2d(tf.reshape(tf.range(4.0), [1, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    1.5
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, layout_of(data_format, "NHWC"), name or "AvgPool2D")


@export("nn.max_pool1d")
def max_pool1d(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str = "NWC", name: str | None = None
) -> Tensor:
    """The largest number of each window of a batch of sequences, [batch, width, channels]; the rest as `max_pool2d`.

    >>> tf.nn.max_pool1d(tf.reshape(tf.range(4.0), [1, 4, 1]), 2, 2, "VALID").numpy().ravel().tolist()
    [1.0, 3.0]
    """
    return _sequence(max_pool2d, input, ksize, strides, padding, data_format, name or "MaxPool1d")


@export("nn.avg_pool1d")
def avg_pool1d(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window of a batch of sequences, [batch, width, channels]; the rest as `avg_pool2d`.

    >>> tf.nn.avg_pool1d(tf.reshape(tf.range(4.0), [1, 4, 1]), 2, 2, "VALID").numpy().ravel().tolist()
    [0.5, 2.5]
    """
    return _sequence(avg_pool2d, input, ksize, strides, padding, data_format, name or "AvgPool1D")


def _sequence(pool: Any, input: Any, ksize: Any, strides: Any, padding: Any, data_format: str, name: str) -> Any:
    layout = layout_of(data_format, "NWC")
    if layout not in ("NWC", "NCW"):
        raise refused_value(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    first = layout == "NCW"
    axis, channel = (2, 1) if first else (1, 2)
    with scope(name, name) as full:
        sizes, strides = expand_steps(ksize, 1, channel, "ksize"), expand_steps(strides, 1, channel, "strides")
        sizes, strides = [1, *sizes], [1, *strides]  # the first falls on the new axis, as in TensorFlow
        if isinstance(padding, (list, tuple)) and pool is max_pool2d:
            padding = [*padding[:axis], [0, 0], *padding[axis:]]
        out = pool(expand_dims(convert_to_tensor(input), axis), sizes, strides, padding, "NCHW" if first else "NHWC", full)
        return squeeze(out, [axis])


def _pool_by_rank(
    on_images: Any, on_sequences: Any, what: str, input: Any, ksize: Any, strides: Any, padding: Any, layout: Any, name: str | None
) -> Any:
    x = convert_to_tensor(input)
    if layout is not None:
        layout_of(layout, "")  # refuses what is no text
    rank = len(layout) if layout is not None else None if x.dims is None else len(x.dims)
    if rank == 3:
        return on_sequences(input, ksize, strides, padding, layout or "NWC", name)
    if rank == 4:
        return on_images(input, ksize, strides, padding, layout or "NHWC", name or ("AvgPool" if what == "avg_pool" else None))
    if rank == 5:
        return _volumes(what, input, ksize, strides, padding, layout or "NDHWC", name)
    raise ValueError(f"{what} is there for one, two and three spatial dimensions: the input must be of rank 3, 4 or 5, not {rank}")


def _volumes(what: str, x: Any, ksize: Any, strides: Any, padding: Any, layout: str, name: str | None) -> Any:
    op = pool3d.MAX_POOL3D if what == "max_pool" else pool3d.AVG_POOL3D
    channel = 1 if layout.startswith("NC") else 4
    sizes, step = expand_steps(ksize, 3, channel, "ksize"), expand_steps(strides, 3, channel, "strides")
    return op(x, ksize=sizes, strides=step, padding=padding, data_format=layout, name=name)


@export(v2="nn.max_pool")
def max_pool(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, by the rank of `input`.

    >>> tf.nn.max_pool(tf.reshape(tf.range(4.0), [1, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    3.0
    """
    return _pool_by_rank(max_pool2d, max_pool1d, "max_pool", input, ksize, strides, padding, data_format, name)


@export(v2="nn.avg_pool", v1="nn.avg_pool_v2")
def avg_pool(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, by the rank of `input`.

    >>> tf.nn.avg_pool(tf.reshape(tf.range(4.0), [1, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    1.5
    """
    return _pool_by_rank(avg_pool2d, avg_pool1d, "avg_pool", input, ksize, strides, padding, data_format, name)


@export(v2="nn.pool")
def pool(
    input: NumberLike,
    window_shape: Any,
    pooling_type: str,
    strides: IntLike | None = None,
    padding: Padding = "VALID",
    data_format: str | None = None,
    dilations: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The pool named by `pooling_type`, "MAX" or "AVG", of sequences, images or volumes, by the length of `window_shape`.

    strides: 1 when None, and no larger than the window.  dilations: how far apart the points of a window lie, for padding "VALID" and
    strides of 1.  Raises ValueError for another name and for arguments that do not go together.

    >>> tf.nn.pool(tf.reshape(tf.range(4.0), [1, 2, 2, 1]), [2, 2], "MAX").numpy().item()
    3.0
    """
    pools = {"MAX": max_pool, "AVG": avg_pool}
    if pooling_type not in pools:
        raise ValueError(f"`pooling_type` must be either 'MAX' or 'AVG'. Received: pooling_type={pooling_type}")
    window, count = list(window_shape), len(window_shape)
    if not 1 <= count <= 3:
        raise ValueError(f"`len(window_shape)` must be 1, 2, or 3. Received: window_shape={window_shape} of length {count}")
    step = _check_positive("strides", strides, count)
    rates = _check_positive("dilations", dilations, count)
    has_numbers = pooling_type == "MAX" and isinstance(padding, (list, tuple)) and count < 3
    word = padding if max(rates) > 1 or has_numbers else as_word("padding", padding)
    if not has_numbers and word not in ("SAME", "VALID") and (max(rates) > 1 or not executing_eagerly()):
        raise ValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    if padding == "SAME" and max(rates) > 1:
        raise ValueError(
            f"pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. Received: padding={padding} and dilation_rate={rates}"
        )
    if max(step) > 1 and max(rates) > 1:
        raise ValueError(
            f"`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: strides={step} and dilation_rate={rates}"
        )
    if any(s > w for s, w in zip(step, window, strict=True)):
        raise ValueError(f"`strides` > `window_shape` not supported. Received: strides={step} and window_shape={window}")
    of = pools[pooling_type]
    if data_format is None and isinstance(input, Tensor) and input.dims is None:
        data_format = {1: "NWC", 2: "NHWC", 3: "NDHWC"}[count]
    if max(rates) == 1:
        return of(input, window, step, padding, data_format, name)
    axes = range(2, count + 2) if (layout_of(data_format, "")).startswith("NC") else range(1, count + 1)
    return with_space_to_batch(
        input, rates, padding, lambda x, _, word: of(x, window, step, word, data_format, name), window, axes, data_format
    )


def _check_positive(name: str, given: Any, count: int) -> list[int]:
    found = [1] * count if given is None else [int(n) for n in given]
    if len(found) != count:
        raise ValueError(f"`len({name})` should be {count}. Received: {name}={given} of length {len(found)}")
    if min(found) < 1:
        raise ValueError(f"all values of `{name}` must be positive. Received: {name}={given}")
    return found
