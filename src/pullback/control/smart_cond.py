"""`tf.__internal__.smart_cond`: a branch that is decided while a graph is built, where it can be."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..ir.apply import convert_to_tensor
from ..ir.tensor import Tensor
from ..ops.array.conversion import get_static_value
from .cond import case, cond


def smart_cond(
    pred: object, true_fn: Callable[[], Any] | None = None, false_fn: Callable[[], Any] | None = None, name: str | None = None
) -> Any:  # fmt: skip
    """`tf.cond` where the value of `pred` is not known yet; the call of one of the functions where it is.

    pred: a tensor, a Python bool, 0 or 1.  TypeError for anything else.

    >>> smart_cond(True, lambda: "yes", lambda: "no")
    'yes'
    """
    if not callable(true_fn):
        raise TypeError(f"Argument `true_fn` must be callable. Received {true_fn}")
    if not callable(false_fn):
        raise TypeError(f"Argument `false_fn` must be callable. Received {false_fn}")
    known = get_static_value(pred) if isinstance(pred, Tensor) else pred
    if known is None and isinstance(pred, Tensor):
        return cond(pred, true_fn, false_fn, name=name)
    if not isinstance(pred, Tensor) and pred not in (0, 1):
        kind = type(pred).__name__
        raise TypeError(f"Argument `pred` must be a Tensor, or a Python bool, or 1 or 0. Received: pred={pred} of type {kind}")
    return true_fn() if known else false_fn()


def case_of(
    choose: Callable[..., Any], pred_fn_pairs: Any, default: Callable[[], Any] | None, exclusive: bool, name: str | None, **kwargs: Any
) -> Any:  # fmt: skip
    """`tf.case`, with a library's own function in the place of `tf.cond` where one of several may hold and there is a default."""
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if exclusive or default is None:
        pairs = [(convert_to_tensor(pred) if isinstance(pred, bool) else pred, function) for pred, function in pairs]
        return case(pairs, default, exclusive, name=name or "case")
    result = default
    for pred, function in reversed(pairs):
        result = partial(choose, pred, function, result)
    return result()
