"""Products with Jacobians and Hessians, by their names: `value_and_gradient`, `jvp`, `vjp`, `linearize`, `hvp`.

Each takes a function and the point as one structure of tensors, variables and numbers, or tensors of a graph with what they were
computed from, and never forms a matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, Literal, Unpack, overload

from ..base import nest
from ..base.export import export
from ..base.shapes import num_elements
from ..ir.apply import convert_to_tensor
from ..ir.tensor import Gradient, IndexedSlices, Tensor
from ..ops.array.basic import ones_of, zeros_of
from ..transforms.reverse import find_between_graphs
from ..transforms.sparse import densify
from .endpoints import UnconnectedGradients, call_with
from .linearization import Linearization, dense, linearization, option_of

if TYPE_CHECKING:
    from .source_types import Asked, Aux, Key, Options, Part, Point, PointList, Record, Target, Unconnected, WholeOptions


@overload
def value_and_gradient(target: Target[Tensor], source: Point, /, **options: Unpack[WholeOptions]) -> tuple[Tensor, Gradient]: ...
@overload
def value_and_gradient(target: Target[Record], source: Record, /, **options: Unpack[WholeOptions]) -> tuple[Tensor, Record]: ...
@overload
def value_and_gradient(
    target: Target[tuple[Tensor, Tensor]], source: tuple[Point, Point], /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, tuple[Gradient, Gradient]]: ...
@overload
def value_and_gradient(
    target: Target[tuple[Tensor, ...]], source: tuple[Point, ...], /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, tuple[Gradient, ...]]: ...
@overload
def value_and_gradient(
    target: Target[list[Tensor]], source: PointList, /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, list[Gradient]]: ...
@overload
def value_and_gradient(
    target: Target[dict[Key, Tensor]], source: Mapping[Key, Point], /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, dict[Key, Gradient]]: ...
@overload
def value_and_gradient(
    target: Callable[..., Tensor] | Tensor, source: Sequence[Part] | Mapping[Any, Part], /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, Any]: ...
@overload
def value_and_gradient(
    target: Callable[[Tensor, Tensor], Tensor], x: Point, y: Point, /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, tuple[Gradient, Gradient]]: ...
@overload
def value_and_gradient(
    target: Callable[[Tensor, Tensor, Tensor], Tensor], x: Point, y: Point, z: Point, /, **options: Unpack[WholeOptions]
) -> tuple[Tensor, tuple[Gradient, Gradient, Gradient]]: ...
@overload
def value_and_gradient(target: Callable[[Any], Tensor], source: object, /, **options: Unpack[WholeOptions]) -> tuple[Tensor, Any]: ...
@overload
def value_and_gradient(
    target: Callable[Concatenate[Tensor, ...], Tensor],
    source: Point,
    /,
    *others: Any,
    argnums: Literal[0],
    has_aux: Literal[False] = ...,
    **options: Unpack[Options],
) -> tuple[Tensor, Gradient]: ...
@overload
def value_and_gradient(
    target: Callable[Concatenate[Record, ...], Tensor],
    source: Record,
    /,
    *others: Any,
    argnums: Literal[0],
    has_aux: Literal[False] = ...,
    **options: Unpack[Options],
) -> tuple[Tensor, Record]: ...
@overload
def value_and_gradient(
    target: Callable[..., Tensor], *sources: Any, argnums: int, has_aux: Literal[False] = ..., **options: Unpack[Options]
) -> tuple[Tensor, Any]: ...
@overload
def value_and_gradient(
    target: Callable[[Tensor], tuple[Tensor, Aux]], source: Point, /, *, argnums: None = ..., has_aux: Literal[True],
    **options: Unpack[Options],
) -> tuple[tuple[Tensor, Aux], Gradient]: ...  # fmt: skip
@overload
def value_and_gradient(
    target: Callable[[Tensor, Tensor], tuple[Tensor, Aux]], x: Point, y: Point, /, *, argnums: Sequence[int] | None = ...,
    has_aux: Literal[True], **options: Unpack[Options],
) -> tuple[tuple[Tensor, Aux], tuple[Gradient, ...]]: ...  # fmt: skip
@overload
def value_and_gradient(
    target: Callable[[Tensor, Tensor], Tensor], x: Point, y: Point, /, *, argnums: Sequence[int], has_aux: Literal[False] = ...,
    **options: Unpack[Options],
) -> tuple[Tensor, tuple[Gradient, ...]]: ...  # fmt: skip
@overload
def value_and_gradient(
    target: Callable[..., tuple[Tensor, Aux]],
    *sources: Any,
    argnums: int | Sequence[int] | None = ...,
    has_aux: Literal[True],
    **options: Unpack[Options],
) -> tuple[tuple[Tensor, Aux], Any]: ...
@overload
def value_and_gradient(
    target: Callable[..., Tensor] | Tensor,
    *sources: Any,
    argnums: Sequence[int] | None = ...,
    has_aux: Literal[False] = ...,
    **options: Unpack[Options],
) -> tuple[Tensor, tuple[Any, ...]]: ...
@export(ours="value_and_gradient")
def value_and_gradient(
    target: Any,
    *sources: Any,
    argnums: int | Sequence[int] | None = None,
    has_aux: bool = False,
    unconnected_gradients: Any = None,
) -> tuple[Any, Any]:
    """The value of a scalar and its gradient with respect to each of `sources`.

    target: a function of `sources` (or of no arguments, reading variables among them), or a tensor of a graph.  sources: each a tensor,
    variable or number, or a structure of them, floating or complex.  argnums: which of the function's arguments the gradient is with
    respect to, one place or several; all if None.  The others may be anything.  has_aux: whether the function returns a pair of the
    scalar and whatever else it wants to tell.
    Returns the value, with `has_aux` the pair; and a structure like the source, each gradient of the shape and dtype of its source (an
    `IndexedSlices` where it is sparse), or a tuple of these where there are several sources or `argnums` is a sequence.
    Raises ValueError where the target is no scalar (`vjp` and `jacobian` take any shape) or does not depend on a source (unless
    `unconnected_gradients` is 'none' or 'zero'), TypeError for integer sources.

    >>> value, gradient = tf.value_and_gradient(lambda p: p["a"] * p["b"], {"a": 2.0, "b": 3.0})
    >>> value.numpy(), gradient["a"].numpy(), gradient["b"].numpy()
    (np.float32(6.0), np.float32(3.0), np.float32(2.0))

    >>> (value, text), gradient = tf.value_and_gradient(lambda x, k: (x**k, f"power {k}"), 2.0, 3, argnums=0, has_aux=True)
    >>> value.numpy(), text, gradient.numpy()
    (np.float32(8.0), 'power 3', np.float32(12.0))
    """
    option = option_of(unconnected_gradients)
    call = _Call(target, sources, argnums, has_aux)
    way = linearization(call.target, call.chosen, forwards=False)
    (y,) = require_scalar(way, "value_and_gradient", "for a vector of values, jacobian has a row for each and vjp takes their weights")
    way.check_connected(option)
    with way.place():
        gradient = _pack_gradients(way, way.pull([ones_of(y)]), option)
    return ((way.target, call.aux) if has_aux else way.target), gradient


class _Call:
    """A call of a function of several arguments as one of those that it is differentiated by.

    Attributes:
        target: the function of `chosen` alone. chosen: these, one or a tuple. aux: what the call told beside its value.
    """

    def __init__(self, target: Any, sources: tuple[Any, ...], argnums: int | Sequence[int] | None, has_aux: bool) -> None:
        if not sources:
            raise TypeError("value_and_gradient takes the function and its arguments, or a tensor and its sources; there is no source")
        is_function = callable(target) and not isinstance(target, Tensor)
        if not is_function and (has_aux or argnums is not None):
            raise TypeError("argnums and has_aux are for functions; a tensor of a graph has sources")
        self.aux: Any = None
        self._sources = sources
        if argnums is None:
            self._places = list(range(len(sources)))
        else:
            self._places = [self._place(n) for n in ([argnums] if isinstance(argnums, int) else argnums)]
        one = isinstance(argnums, int) or (argnums is None and len(sources) == 1)
        self.chosen = sources[self._places[0]] if one else tuple(sources[i] for i in self._places)
        self._one, self._has_aux, self._function = one, has_aux, target
        self.target = self._value if is_function and (has_aux or len(sources) > 1 or not one) else target

    def _place(self, n: int) -> int:
        if not -len(self._sources) <= n < len(self._sources):
            raise ValueError(f"argnums has {n}, and the function is given {len(self._sources)} arguments")
        return n % len(self._sources)

    def _value(self, at: Any) -> Any:
        arguments = list(self._sources)
        for place, source in zip(self._places, [at] if self._one else at, strict=True):
            arguments[place] = source
        answer = call_with(self._function, *arguments)
        if not self._has_aux:
            return answer
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise ValueError(f"with has_aux=True a function returns a pair of its value and something else, not {answer!r}")
        value, self.aux = answer
        return value


@export(ours="jvp")
def jvp(target: Asked, sources: Part, tangents: Part, *, unconnected_gradients: Unconnected | None = None) -> tuple[Tensor, Tensor]:
    """The value and the Jacobian times a vector, by one sweep forwards.

    target: a function of `sources`, or tensors of a graph.  sources: a tensor, variable or number, or a structure of them.
    tangents: the direction, of the structure, shapes and dtypes of `sources`.  Returns the target and its tangent, of one structure.
    Raises ValueError where shapes differ or the target does not depend on a source (unless `unconnected_gradients` is 'none' or
    'zero'), TypeError for integer sources.

    >>> tf.jvp(lambda x: x * x, tf.constant([1.0, 2.0]), [1.0, 0.5])[1].numpy()
    array([2., 2.], dtype=float32)
    """
    way, push = _linearize(target, sources, unconnected_gradients)
    return way.target, push(tangents)


@export(ours="linearize")
def linearize(target: Asked, sources: Part, *, unconnected_gradients: Unconnected | None = None) -> tuple[Any, Callable[[Any], Any]]:
    """The value, and the function that multiplies the Jacobian with a vector; the target is computed once.

    Arguments and errors as for `jvp`.  The function takes tangents of the structure of `sources` and gives those of the target.

    >>> value, push = tf.linearize(tf.sin, tf.constant([0.0, 1.0]))
    >>> push([1.0, 0.0]).numpy(), push([2.0, 0.0]).numpy()
    (array([1., 0.], dtype=float32), array([2., 0.], dtype=float32))
    """
    way, push = _linearize(target, sources, unconnected_gradients)
    return way.target, push


def _linearize(target: Any, sources: Any, unconnected_gradients: Any) -> tuple[Linearization, Callable[[Any], Any]]:
    option = option_of(unconnected_gradients)
    way = linearization(target, sources)
    way.check_connected(option)

    def push(tangents: Any) -> Any:
        with way.place():
            found = way.push(directions(way.sources, way.flat_sources, tangents, "tangent"))
            if option is not UnconnectedGradients.NONE:
                found = [dense(t, y) for t, y in zip(found, way.ys, strict=True)]
        return nest.pack_sequence_as(way.target, found)

    return way, push


@export(ours="vjp")
def vjp(target: Asked, sources: Part, *, unconnected_gradients: Unconnected | None = None) -> tuple[Any, Callable[[Any], Any]]:
    """The value, and the function that multiplies a vector with the Jacobian, by one sweep backwards; the target is computed once.

    target: a function of `sources`, or tensors of a graph.  The function takes cotangents of the structure of the target (weights of
    its elements) and gives gradients of the structure of `sources`.  Errors as for `jvp`.

    >>> value, pull = tf.vjp(lambda x: tf.stack([x[0] * x[1], x[1]]), tf.constant([2.0, 3.0]))
    >>> pull([1.0, 0.0]).numpy(), pull([0.0, 1.0]).numpy()
    (array([3., 2.], dtype=float32), array([0., 1.], dtype=float32))
    """
    option = option_of(unconnected_gradients)
    way = linearization(target, sources, forwards=False)
    way.check_connected(option)

    def pull(cotangents: Any) -> Any:
        with way.place():
            return _pack_gradients(way, way.pull(directions(way.target, way.ys, cotangents, "cotangent")), option)

    return way.target, pull


@overload
def hvp(target: Target[Tensor], sources: Point, vectors: Part, **options: Unpack[Options]) -> Gradient: ...
@overload
def hvp(target: Target[Record], sources: Record, vectors: Part, **options: Unpack[Options]) -> Record: ...
@overload
def hvp(
    target: Target[tuple[Tensor, ...]], sources: tuple[Point, ...], vectors: Part, **options: Unpack[Options]
) -> tuple[Gradient, ...]: ...
@overload
def hvp(target: Target[list[Tensor]], sources: PointList, vectors: Part, **options: Unpack[Options]) -> list[Gradient]: ...
@overload
def hvp(
    target: Target[dict[Key, Tensor]], sources: Mapping[Key, Point], vectors: Part, **options: Unpack[Options]
) -> dict[Key, Gradient]: ...
@overload
def hvp(
    target: Callable[..., Tensor] | Tensor, sources: Sequence[Part] | Mapping[Any, Part], vectors: Part, **options: Unpack[Options]
) -> Any: ...
@export(ours="hvp")
def hvp(target: object, sources: object, vectors: object, *, unconnected_gradients: Unconnected | None = None) -> Any:
    """The Hessian of a scalar times a vector, forwards over backwards, without forming the Hessian.

    target: a function of `sources`, or a scalar of a graph.  vectors: of the structure, shapes and dtypes of `sources`, as is the result.
    Raises ValueError where the target is no scalar, else as `jvp`.

    >>> tf.hvp(lambda x: tf.reduce_sum(x * x * x), tf.constant([1.0, 2.0]), [1.0, 1.0]).numpy()
    array([ 6., 12.], dtype=float32)
    """
    way = gradient_way(target, sources, "hvp", unconnected_gradients)
    with way.place():
        found = way.push(directions(way.sources, way.flat_sources, vectors, "vector"))
        return nest.pack_sequence_as(way.sources, [dense(t, s) for t, s in zip(found, way.flat_sources, strict=True)])


def gradient_way(target: object, sources: object, asker: str, unconnected_gradients: Any = None) -> Linearization:
    """The way from `sources` to the gradient of a scalar with respect to them, dense and with zeros for what does not matter."""
    option = option_of(unconnected_gradients)

    def gradient(way: Linearization) -> list[Any]:
        (y,) = require_scalar(way, asker, "for several scalars, take their sum, or the jacobian of a function that returns their gradient")
        way.check_connected(option)
        return [densify(dense(g, s)) for g, s in zip(way.pull([ones_of(y)]), way.flat_sources, strict=True)]

    if callable(target) and not isinstance(target, Tensor):
        inner: list[Linearization] = []

        def evaluate_gradient(at: Any) -> list[Any]:
            inner.append(linearization(target, at, forwards=False))
            return gradient(inner[0])

        return linearization(evaluate_gradient, sources)
    way = linearization(target, sources)
    with way.place():
        gs = gradient(way)
        gs = [g if g.graph is way.ys[0].graph else way.ys[0].graph.own(g) for g in gs]
        return Linearization(find_between_graphs(gs, way.xs), sources, way.xs, gs, gs)


def require_scalar(way: Linearization, asker: str, instead: str) -> list[Any]:
    """The one target; a ValueError where there are several or it has several elements."""
    if len(way.ys) != 1 or (way.ys[0].dims is not None and num_elements(way.ys[0].dims) not in (1, None)):
        shapes = ", ".join(str(tuple(y.shape)) for y in way.ys)
        raise ValueError(f"{asker} needs a scalar, and the target has shape {shapes}: {instead}")
    if not way.ys[0].dtype.trainable:
        raise TypeError(f"{asker} needs a floating scalar, and the target is {way.ys[0].dtype.name}")
    return way.ys


def directions(structure: object, flat: Sequence[Any], given: object, kind: str) -> list[Any]:
    """`given` as flat tensors of the shapes and dtypes of `flat`; ValueError where they do not fit."""
    if len(flat) == 1 and not nest.is_nested(structure):
        values = [given]
    else:
        values = nest.flatten_up_to(structure, given, check_types=False)
    found: list[Any] = []
    for thing, value in zip(flat, values, strict=True):
        if not thing.dtype.base_dtype.trainable:
            found.append(None)
            continue
        tensor = densify(value) if isinstance(value, IndexedSlices) else convert_to_tensor(value, thing.dtype.base_dtype)
        if not tensor.shape.is_compatible_with(thing.shape):
            raise ValueError(f"a {kind} has shape {tuple(tensor.shape)}, and what it belongs to has shape {tuple(thing.shape)}")
        found.append(tensor)
    return found


def _pack_gradients(way: Linearization, found: Sequence[Any], option: UnconnectedGradients | None) -> Any:
    if option is not UnconnectedGradients.NONE:
        found = [zeros_of(x) if g is None else g for g, x in zip(found, way.xs, strict=True)]
    return nest.pack_sequence_as(way.sources, list(found))
