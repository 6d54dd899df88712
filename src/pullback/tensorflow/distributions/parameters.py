"""Parameters of distributions: probabilities and their logits, checks, seeds."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ...api.names import name_scope
from ...base.dtypes import float16, float32, float64, int16, int32, int64
from ...ir.apply import convert_to_tensor
from ...ops.array.shape import broadcast_dynamic_shape, broadcast_static_shape, shape
from ...ops.math.functions import log, log1p, sigmoid
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_sum
from ...ops.special.gamma import lgamma
from ..legacy.asserts import assert_equal, assert_greater_equal, assert_less_equal, assert_near, assert_non_negative
from ..legacy.nn import softmax
from .base import assert_first

if TYPE_CHECKING:
    from ...ir.tensor import Tensor

_WHOLE = {float16: int16, float32: int32, float64: int64}


def another_seed(seed: object, salt: str) -> int | None:
    """A seed for a second draw, as TensorFlow makes it."""
    return None if seed is None else int(hashlib.md5((str(seed) + salt).encode()).hexdigest()[:8], 16) & 0x7FFFFFFF


def joined_shape(*parameters: Any) -> Any:
    """The shape that parameters broadcast to, as far as it is known."""
    found = parameters[0].shape
    for p in parameters[1:]:
        found = broadcast_static_shape(found, p.shape)
    return found


def joined_shape_tensor(*parameters: Any) -> Tensor:
    """The same, a vector."""
    found = shape(parameters[0])
    for p in parameters[1:]:
        found = broadcast_dynamic_shape(found, shape(p))
    return found


def repeat_shape(names: list[str], sample_shape: object) -> dict[str, Any]:
    """What `_param_shapes` gives where draws are single numbers."""
    return {name: convert_to_tensor(sample_shape, dtype=int32) for name in names}


def check_classes(parameter: Any) -> Tensor:
    """A parameter whose last axis is checked to have classes, at least two, as many as its dtype can count."""
    most = 2 ** (np.finfo(parameter.dtype.as_numpy_dtype).nmant + 1)
    known = parameter.shape
    if known.rank == 0:
        raise ValueError("A categorical-distribution parameter must have at least 1 dimension.")
    if known.rank is not None and known[-1] is not None:
        if known[-1] < 2:
            raise ValueError("A categorical-distribution parameter must have at least 2 events.")
        if known[-1] > most:
            text = f"{parameter.dtype.name} implies shape ({known[-1]}) cannot exceed {most}"
            raise ValueError(f"Number of classes exceeds `dtype` precision, i.e., {text}.")
        return parameter
    size = shape(parameter)[-1]
    few = assert_greater_equal(size, 2, message="A categorical-distribution parameter must have at least 2 events.")
    text = f"Number of classes exceeds `dtype` precision: {parameter.dtype.name} cannot exceed {most}."
    many = assert_less_equal(size, most, message=text)
    return assert_first([few, many], parameter)


def logits_and_probs(logits: object, probs: object, validate_args: bool, name: str, classes: bool = False) -> tuple[Any, Any]:
    """Both, of the one that is given.

    classes: whether the last axis has the classes of one distribution; else each number is a probability of its own.

    Raises:
        ValueError: both are given, or neither.
        TypeError: it is not floating.
    """
    with name_scope(name):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        given = "logits" if probs is None else "probs"
        x = convert_to_tensor(logits if probs is None else probs, name=given)
        if not x.dtype.is_floating:
            raise TypeError(f"{given} must having floating type.")
        if validate_args and classes:
            x = check_classes(x)
        if probs is None:
            return x, softmax(x, name="probs") if classes else sigmoid(x, name="probs")
        if validate_args:
            one = convert_to_tensor(1.0, dtype=x.dtype)
            if classes:
                within = assert_near(reduce_sum(x, -1), one, message="probs does not sum to 1.")
            else:
                within = assert_less_equal(x, one, message="probs has components greater than 1.")
            x = assert_first([assert_non_negative(x), within], x)
        return (log(x) if classes else log(x) - log1p(-x)), x


def _is_whole(x: Any, dtype: Any, message: str) -> Any:
    return assert_equal(x, cast(cast(x, dtype), x.dtype), message=message)


def counts(x: Any) -> Tensor:
    """Numbers that are checked to be whole and not negative."""
    found = [assert_non_negative(x, message=f"'{x}' must be non-negative.")]
    if not x.dtype.is_integer:
        found.append(_is_whole(x, _WHOLE[x.dtype], f"'{x}' cannot contain fractional components."))
    return assert_first(found, x)


def counts_of(total: Any, x: Any) -> Tensor:
    """Counts whose sum over the last axis is checked, too."""
    x = counts(x)
    return assert_first([assert_equal(total, reduce_sum(x, -1), message="counts must sum to `self.total_count`")], x)


def check_whole(x: Any, dtype: Any, most: int | None = None) -> Tensor:
    """Values that are checked to be whole numbers of a dtype, not negative, and at most `most`."""
    found = [assert_non_negative(x, message="Elements must be non-negative.")]
    if x.dtype.is_floating:
        found.append(_is_whole(x, dtype, f"Elements must be {dtype.name}-equivalent."))
    elif most is not None:
        found.append(assert_less_equal(x, convert_to_tensor(most, dtype=x.dtype), message=f"Elements cannot exceed {most}."))
    return assert_first(found, x)


def log_combinations(n: Tensor, found: Tensor) -> Tensor:
    """The logarithm of how many orders have these counts: n! over the product of their factorials."""
    return lgamma(n + 1) - reduce_sum(lgamma(found + 1), axis=[-1])
