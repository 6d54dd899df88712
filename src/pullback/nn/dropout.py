"""Dropout: elements set to zero at random, the rest scaled so that the sum stays the same on average (Srivastava et al., 2014)."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from ..base.dtypes import int32
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.apply import convert_to_tensor
from ..ir.composite import takes_composites, works_on_items
from ..ir.context import current, scope
from ..ir.convert import is_tensor_like
from ..ir.tensor import IntLike, NumberLike, ShapeLike, Tensor
from ..ops.array.basic import shape, shape_of
from ..ops.array.join import stack
from ..ops.array.where import where
from ..ops.math.arithmetic import multiply, subtract
from ..ops.math.division import divide
from ..ops.primitives.compare import greater_equal
from ..ops.random import functions as random
from ..ops.random.seed import get_seed
from ..ops.random.stateless_draws import stateless_uniform

Draw = Callable[..., Any]


@export(v2="nn.dropout")
@works_on_items
def dropout(x: NumberLike, rate: NumberLike, noise_shape: Any = None, seed: IntLike | None = None, name: str | None = None) -> Tensor:
    """`x` with each element zero with probability `rate`, else divided by 1 - rate.

    x: floating.  rate: a number in [0, 1), or a scalar tensor.  noise_shape: the shape in which to draw, broadcast to x; None among its
    sizes for that of x.  seed: see `tf.random.set_seed`.  Raises ValueError for another rate or dtype.

    >>> tf.nn.dropout([1.0, 2.0], rate=0).numpy().tolist()
    [1.0, 2.0]
    """
    return drop_elements(
        x, rate, noise_shape, lambda shape, dtype: random.uniform(shape, seed=seed, dtype=dtype), lambda: get_seed(seed), name, "dropout"
    )


@export("nn.experimental.stateless_dropout")
@works_on_items
def stateless_dropout(
    x: NumberLike,
    rate: NumberLike,
    seed: IntLike,
    rng_alg: object = "auto_select",
    noise_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`dropout` whose zeros are the same for the same `seed`, two integers.

    >>> tf.nn.experimental.stateless_dropout(tf.ones([2]), 0.5, seed=[1, 2]).shape
    TensorShape([2])
    """
    return drop_elements(
        x,
        rate,
        noise_shape,
        lambda shape, dtype: stateless_uniform(shape, seed, dtype=dtype, alg=rng_alg),
        lambda: None,
        name,
        "stateless_dropout",
    )


@export("nn.experimental.general_dropout")
@takes_composites
def general_dropout(
    x: NumberLike, rate: NumberLike, uniform_sampler: Draw, noise_shape: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """`dropout` with numbers that `uniform_sampler(shape, dtype)` draws from 0 to 1: an element stays where its number is at least `rate`.

    >>> tf.nn.experimental.general_dropout([1.0, 2.0], 0.5, lambda shape, dtype: tf.constant([0.9, 0.1])).numpy().tolist()
    [2.0, 0.0]
    """
    return drop_elements(x, rate, noise_shape, uniform_sampler, lambda: None, name, "dropout")


def drop_elements(
    x: NumberLike, rate: Any, noise_shape: Any, draw: Draw, skip: Callable[[], Any], name: str | None, default: str
) -> Tensor:
    """Dropout with the numbers that `draw` gives; `skip` stands for a draw that is not needed."""
    with scope(name, default):
        known = isinstance(rate, numbers.Real)
        if known and not 0 <= rate < 1:
            raise ValueError(f"dropout: `rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}")
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_floating:
            raise ValueError(f"dropout: `x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={x.dtype!r}")
        if known and rate == 0:
            skip()
            return x
        if known:
            scaled = multiply(x, convert_to_tensor(1 / (1 - rate), x.dtype))
        elif is_tensor_like(rate):
            rate = convert_to_tensor(rate)
            if not rate.dtype.is_compatible_with(x.dtype):
                dtypes = f"x.dtype={x.dtype!r} and rate.dtype={rate.dtype!r}"
                raise ValueError(f"dropout: `x.dtype` must be compatible with `rate.dtype`. Received: {dtypes}")
            TensorShape(rate.dims).assert_has_rank(0)
            scaled = divide(x, subtract(convert_to_tensor(1, x.dtype), rate))
        else:
            raise ValueError(f"dropout: `rate` must be a scalar or scalar tensor. Received: rate={rate}")
        keep = greater_equal(draw(shape=_noise_shape(x, noise_shape), dtype=x.dtype), rate)
        out = where(keep, scaled, convert_to_tensor(0, x.dtype))
        if current().graph is not None:
            out.set_shape(x.shape)
        return out


def _noise_shape(x: Tensor, noise_shape: Any) -> Any:
    if noise_shape is None:
        return shape_of(x) if current().graph is None else shape(x)
    if is_tensor_like(noise_shape) or isinstance(noise_shape, str) or not hasattr(noise_shape, "__iter__"):
        return noise_shape
    sizes = list(noise_shape.as_list() if hasattr(noise_shape, "as_list") else noise_shape)
    if x.dims is not None and len(sizes) == len(x.dims) and None in sizes:
        own = shape_of(x)
        sizes = [own[i] if size is None else size for i, size in enumerate(sizes)]
        if any(is_tensor_like(size) for size in sizes):
            return stack(sizes)
    return stack(sizes) if any(is_tensor_like(size) for size in sizes) else convert_to_tensor(sizes, dtype_hint=int32, name="noise_shape")
