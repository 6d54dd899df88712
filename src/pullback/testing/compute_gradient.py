"""TensorFlow's `tf.test.compute_gradient`, of both versions: the whole Jacobian, by rules and by differences, side by side.

Complex numbers count as pairs: a tensor of n of them has 2 n components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, overload

import numpy as np

from ..api.gradients import gradients_v1
from ..api.linearization import linearization
from ..api.names import placeholder
from ..api.session import get_default_session
from ..base.dtypes import FROM_NUMPY
from ..base.export import export
from ..base.progress import show_progress
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..ir.tensor import EagerTensor, Tensor, TensorLike
from ..transforms.sparse import densify

Array = np.ndarray
_SUPPORTED = ("bfloat16", "float16", "float32", "float64", "complex64", "complex128")


@overload
def compute_gradient(f: Callable[[Tensor], Any], x: TensorLike, delta: float | None = None) -> tuple[tuple[Array, ...], ...]: ...
@overload
def compute_gradient(f: Callable[[Tensor, Tensor], Any], x: TensorLike, delta: float | None = None) -> tuple[tuple[Array, ...], ...]: ...
@overload
def compute_gradient(f: Callable[..., Any], x: TensorLike, delta: float | None = None) -> tuple[tuple[Array, ...], ...]: ...
@export(v2="test.compute_gradient")
def compute_gradient(f: Callable[..., Any], x: TensorLike, delta: float | None = None) -> tuple[tuple[Array, ...], ...]:
    """The Jacobians of `f(*x)` with respect to each argument, by gradient rules and by central differences.

    f: a function of as many tensors as `x` has, whose result is one floating or complex tensor.  x: a list or tuple of what converts to
    floating or complex tensors.  delta: the step of the differences, 1/1024 when None.  Returns two tuples of matrices with a row for
    each component of the result and a column for each component of the argument.
    In a graph `f` is called on placeholders and evaluated in the default session.
    Raises ValueError where `x` is no list or tuple, AssertionError for integers, AttributeError where `f` gives no tensor and in a graph
    without a default session, TypeError where in a graph `f` gives no tensor or what does not depend on `x`.

    >>> by_rules, by_differences = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 2.0])])
    >>> by_rules[0].tolist(), by_differences[0].tolist()
    ([[2.0, 0.0], [0.0, 4.0]], [[2.0, 0.0], [0.0, 4.0]])
    """
    if not isinstance(x, (list, tuple)):
        raise ValueError(f"`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not a {type(x)}")
    step = 1.0 / 1024 if delta is None else delta
    given = [convert_to_tensor(v) for v in x]
    points = [np.array(v) for v in (given if executing_eagerly() or not given else _session().run(given))]
    for i, point in enumerate(points):
        _as_supported(point, f"argument {i}")
    ways = _Eager(f, points) if executing_eagerly() else _InGraph(f, points)
    pairs = [_pair(ways, points, i, step) for i in range(len(points))]
    return (tuple(rules for rules, _ in pairs), tuple(differences for _, differences in pairs)) if pairs else ()


class _Eager:
    """A function's values, and its cotangents by gradient rules, when executing eagerly."""

    def __init__(self, f: Callable[..., Any], points: list[Array]) -> None:
        self.f, self.points = f, points

    def value(self, which: int, at: Any) -> Any:
        """The result with `at` in place of one argument."""
        return self.f(*[at if i == which else EagerTensor(point) for i, point in enumerate(self.points)])

    def array(self, which: int, at: Array) -> Array:
        """The result with `at` in place of one argument, an array."""
        return np.asarray(self.value(which, EagerTensor(at)))

    def rules(self, which: int) -> tuple[Array, list[Array]]:
        """The result, and the cotangent of one argument for each component of the result."""

        def evaluate_tensor(tensor: Any) -> Any:
            result = self.value(which, tensor)
            result.shape  # noqa: B018  # what is no tensor is an AttributeError, as TensorFlow's
            return result

        x = self.points[which]
        way = linearization(evaluate_tensor, EagerTensor(x), forwards=False)
        y = np.asarray(way.ys[0])
        _as_supported(y, "y")
        pulled = [way.pull([EagerTensor(unit)])[0] for unit in _units(y)]
        return y, [np.zeros(x.shape, x.dtype) if g is None else np.asarray(densify(g)) for g in pulled]


class _InGraph:
    """The same in a graph, with the default session."""

    def __init__(self, f: Callable[..., Any], points: list[Array]) -> None:
        self.session, self.points = _session(), points
        self.xs = [placeholder(point.dtype, point.shape) for point in points]
        self.y = f(*self.xs)

    def _run(self, fetch: Any, which: int, at: Array, more: dict[Any, Array]) -> Array:
        fed = [at if i == which else point for i, point in enumerate(self.points)]
        return np.asarray(self.session.run(fetch, {**dict(zip(self.xs, fed, strict=True)), **more}))

    def array(self, which: int, at: Array) -> Array:
        """The result with `at` in place of one argument."""
        return self._run(self.y, which, at, {})

    def rules(self, which: int) -> tuple[Array, list[Array]]:
        """The result, and the cotangent of one argument for each component of the result."""
        x = self.points[which]
        y = self.array(which, x)
        _as_supported(y, "y")
        weights = placeholder(y.dtype, y.shape, name="dy")
        (dx,) = gradients_v1(self.y, self.xs[which], grad_ys=weights)
        total = None if dx is None else densify(dx)
        return y, [self._run(total, which, x, {weights: unit}) for unit in _units(y)]


def _session() -> Any:
    session = get_default_session()
    if session is None:
        raise AttributeError("'NoneType' object has no attribute 'run': compute_gradient needs a default session, `with tf.Session():`")
    return session


def _pair(ways: _Eager | _InGraph, points: list[Array], which: int, step: float) -> tuple[Array, Array]:
    x = points[which]
    y, rows = ways.rules(which)
    rules = np.array([_components(row) for row in rows], _real_dtype(y.dtype)).reshape(len(rows), _count(x))
    columns = [
        _components(
            (ways.array(which, _move_element(x, step, unit)) - ways.array(which, _move_element(x, -step, unit)))
            / _scalar(2.0 * step, x.dtype)
        )
        for unit in _units(x)
    ]
    differences = np.array(columns, _real_dtype(x.dtype)).reshape(_count(x), _count(y)).T
    return rules, differences


@export(v1="test.compute_gradient")
def compute_gradient_v1(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The Jacobian of `y` with respect to `x`, by gradient rules and by central differences, in the default session.

    x: a tensor of the graph, or a list of them.  x_shape, y_shape: shapes, for `x` a list of them where it is a list.  x_init_value: where
    to differentiate, random when None.  delta: the step of the differences.  init_targets: operations to run first.  extra_feed_dict:
    what else to feed.  Returns two matrices with a row for each component of `x` and a column for each component of `y`, for a list
    of tensors a list of such pairs.
    Raises AssertionError for integers and where `y` does not depend on `x`, AttributeError without a default session.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.placeholder(tf1.float32, [2])
    ...     tf1.test.compute_gradient(x, [2], x * x, [2], x_init_value=np.array([1.0, 2.0], np.float32))[0].tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    session = _session()
    if isinstance(x, list):
        values = [None] * len(x) if x_init_value is None else x_init_value
        every = zip(x, x_shape, values, strict=True)
        return [compute_gradient_v1(one, shape, y, y_shape, value, delta, init_targets, extra_feed_dict) for one, shape, value in every]
    _check_dtype(x, "x")
    _check_dtype(y, "y")
    for target in [] if init_targets is None else init_targets if isinstance(init_targets, (list, tuple)) else [init_targets]:
        session.run(target)
    feeds = dict(extra_feed_dict or {})
    kind = x.dtype.base_dtype.as_numpy_dtype
    point = _draw_random(x_shape, np.dtype(kind)) if x_init_value is None else np.asarray(x_init_value, kind)
    if tuple(point.shape) != tuple(int(n) for n in x_shape):
        raise AssertionError(f"x_init_value has shape {tuple(point.shape)}, x_shape says {tuple(x_shape)}")

    def value(at: Array) -> Array:
        return np.asarray(session.run(y, {**feeds, x: at}))

    with y.graph.as_default():
        weights = y.graph.constant(np.zeros(tuple(int(n) for n in y_shape), y.dtype.base_dtype.as_numpy_dtype), "dy")
        (dx,) = gradients_v1(y, x, grad_ys=weights)
    assert dx is not None, f"dx = {dx}"
    zeros = np.zeros(tuple(int(n) for n in y_shape), y.dtype.base_dtype.as_numpy_dtype)
    columns = [_components(np.asarray(session.run(densify(dx), {**feeds, x: point, weights: unit}))) for unit in _units(zeros)]
    rules = np.array(columns, _real_dtype(point.dtype)).reshape(_count(zeros), _count(point)).T
    rows = [_components((value(point + unit * delta) - value(point - unit * delta)) / (2.0 * delta)) for unit in _units(point)]
    return rules, np.array(rows, _real_dtype(point.dtype)).reshape(_count(point), _count(zeros))


@export(v1="test.compute_gradient_error")
def compute_gradient_error(
    x: TensorLike,
    x_shape: object,
    y: TensorLike,
    y_shape: object,
    x_init_value: object = None,
    delta: float = 1e-3,
    init_targets: object = None,
    extra_feed_dict: object = None,
) -> float:
    """The largest difference between the two Jacobians of `compute_gradient`, whose arguments these are.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.placeholder(tf1.float32, [2])
    ...     tf1.test.compute_gradient_error(x, [2], tf1.sin(x), [2]) < 1e-3
    True
    """
    found = compute_gradient_v1(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    pairs: Sequence[Any] = found if isinstance(found, list) else [found]
    return max((float(np.max(np.abs(rules - differences), initial=0.0)) for rules, differences in pairs), default=0.0)


def _as_supported(array: Array, what: str) -> None:
    dtype = FROM_NUMPY[array.dtype]
    assert dtype.name in _SUPPORTED, f"Cannot compute gradient for unsupported type {dtype.name} of {what}"


def _check_dtype(tensor: Any, what: str) -> None:
    dtype = tensor.dtype.base_dtype
    assert dtype.name in _SUPPORTED, f"Don't support type {dtype.name} for {what}"


def _draw_random(shape: Any, dtype: np.dtype[Any]) -> Array:
    random = np.random.random_sample(tuple(int(n) for n in shape))
    if dtype.kind == "c":
        return np.asarray(random + 1j * np.random.random_sample(random.shape)).astype(dtype)
    return np.asarray(random).astype(dtype)


def _units(like: Array) -> Iterable[Array]:
    """The unit vectors of a tensor's components: each element, for complex numbers its real and its imaginary part."""
    found = []
    for at in range(like.size):
        for part in (1.0, 1j) if like.dtype.kind == "c" else (1.0,):
            unit = np.zeros(like.shape, like.dtype)
            unit.reshape(-1)[at] = part
            found.append(unit)
    return show_progress(found, "compute_gradient", "components")


def _components(array: Array) -> Array:
    flat = np.ravel(array)
    return np.stack([flat.real, flat.imag], -1).ravel() if flat.dtype.kind == "c" else flat


def _count(array: Array) -> int:
    return array.size * (2 if array.dtype.kind == "c" else 1)


def _real_dtype(dtype: np.dtype[Any]) -> Any:
    return {"complex64": np.float32, "complex128": np.float64}.get(dtype.name, dtype)


def _move_element(x: Array, step: float, unit: Array) -> Array:
    return np.asarray(x + unit * _scalar(step, x.dtype), x.dtype)


def _scalar(value: float, dtype: np.dtype[Any]) -> np.ndarray:
    return np.asarray(value, _real_dtype(dtype))
