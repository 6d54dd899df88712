"""The `assert_*` functions as TensorFlow 1 has them: with `data`, the tensors to show instead of the operands, as a third argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ...base.export import export
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike
from ...ops.effects import asserts as effects_asserts, shapes as effects_shapes
from ...ops.effects.shapes import checked_scalar

if TYPE_CHECKING:
    from ...ir.node import Node


C = TypeVar("C", bound=Callable[..., Any])


class _Unary(Protocol):
    def __call__(
        self, x: NumberLike, data: object = ..., summarize: int | None = ..., message: str | None = ..., name: str | None = ...
    ) -> Any: ...


class _Binary(Protocol):
    def __call__(
        self, x: TensorLike, y: TensorLike, data: object = ..., summarize: int | None = ..., message: str | None = ...,
        name: str | None = ...,
    ) -> Any: ...  # fmt: skip


class _Ranked(Protocol):
    def __call__(
        self, x: TensorLike, rank: IntLike, data: object = ..., summarize: int | None = ..., message: str | None = ...,
        name: str | None = ...,
    ) -> Any: ...  # fmt: skip


def _binary(check: Callable[..., Any]) -> _Binary:
    def call(x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None) -> Any:
        return check(x, y, data=data, summarize=summarize, message=message, name=name)

    return _document_like(call, check)


def _unary(check: Callable[..., Any]) -> _Unary:
    def call(x: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None) -> Any:
        return check(x, data=data, summarize=summarize, message=message, name=name)

    return _document_like(call, check)


def _define_rank_check(check: Callable[..., Any]) -> _Ranked:
    def call(x: Any, rank: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None) -> Any:
        return check(x, rank, data=data, summarize=summarize, message=message, name=name)

    return _document_like(call, check)


def _document_like(call: C, check: Callable[..., Any]) -> C:
    """`call` under the name, the description and the example of the function it stands for."""
    call.__name__ = call.__qualname__ = check.__name__
    call.__doc__ = (check.__doc__ or "").replace("tf.debugging.", "tf.compat.v1.debugging.")
    return call


assert_equal = export(v1=("assert_equal", "debugging.assert_equal"))(_binary(effects_asserts.assert_equal))
assert_none_equal = export(v1=("assert_none_equal", "debugging.assert_none_equal"))(_binary(effects_asserts.assert_none_equal))
assert_less = export(v1=("assert_less", "debugging.assert_less"))(_binary(effects_asserts.assert_less))
assert_less_equal = export(v1=("assert_less_equal", "debugging.assert_less_equal"))(_binary(effects_asserts.assert_less_equal))
assert_greater = export(v1=("assert_greater", "debugging.assert_greater"))(_binary(effects_asserts.assert_greater))
assert_greater_equal = export(v1=("assert_greater_equal", "debugging.assert_greater_equal"))(_binary(effects_asserts.assert_greater_equal))
assert_positive = export(v1=("assert_positive", "debugging.assert_positive"))(_unary(effects_asserts.assert_positive))
assert_negative = export(v1=("assert_negative", "debugging.assert_negative"))(_unary(effects_asserts.assert_negative))
assert_non_positive = export(v1=("assert_non_positive", "debugging.assert_non_positive"))(_unary(effects_asserts.assert_non_positive))
assert_non_negative = export(v1=("assert_non_negative", "debugging.assert_non_negative"))(_unary(effects_asserts.assert_non_negative))
assert_rank = export(v1=("assert_rank", "debugging.assert_rank"))(_define_rank_check(effects_shapes.assert_rank))
assert_rank_at_least = export(v1=("assert_rank_at_least", "debugging.assert_rank_at_least"))(
    _define_rank_check(effects_shapes.assert_rank_at_least)
)
assert_type = export(v1=("assert_type", "debugging.assert_type"))(
    _document_like(effects_shapes.check_type, effects_shapes.assert_type)
)
assert_integer = export(v1=("assert_integer", "debugging.assert_integer"))(
    _document_like(effects_shapes.check_integer, effects_shapes.assert_integer)
)
assert_shapes = export(v1="debugging.assert_shapes")(_document_like(effects_shapes.check_shapes, effects_shapes.assert_shapes))


@export(v1=("assert_rank_in", "debugging.assert_rank_in"))
def assert_rank_in(
    x: TensorLike,
    ranks: Any,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Node | None:
    """`tf.debugging.assert_rank_in` of TensorFlow 2, which can show `data`.

    >>> tf.compat.v1.assert_rank_in([[1, 2]], [1, 2], data=["shown where it fails"])
    """
    return effects_shapes.assert_rank_in(x, ranks, data=data, summarize=summarize, message=message, name=name)


@export(v1=("assert_near", "debugging.assert_near"))
def assert_near(
    x: NumberLike,
    y: NumberLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Node | None:
    """`tf.debugging.assert_near` of TensorFlow 2, which can show `data`.

    >>> tf.compat.v1.assert_near([1.0], [1.1], atol=0.2, data=["shown where it fails"])
    """
    return effects_asserts.assert_near(x, y, rtol, atol, message, summarize, name, data=data)


@export(v1=("assert_scalar", "debugging.assert_scalar"))
def assert_scalar(tensor: TensorLike, name: str | None = None, message: str | None = None) -> Tensor:
    """`tensor` itself; a ValueError where it is no scalar.

    >>> tf.compat.v1.assert_scalar(1.0)
    <tf.Tensor: shape=(), dtype=float32, numpy=1.0>
    """
    return checked_scalar(tensor, message, name)
