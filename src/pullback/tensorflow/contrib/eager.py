"""`tf.contrib.eager`: gradients of functions, iterators and metrics of the time before `tf.GradientTape` and Keras."""

from __future__ import annotations

import collections.abc
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...api.tape import GradientTape
from ...api.variable import ResourceVariable
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.create import ones_like
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal
from ...ops.reduce.reductions import reduce_sum


def _result_of(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    found = function(*args, **kwargs)
    if found is None:
        name = getattr(function, "__name__", function)
        raise ValueError(f"Cannot differentiate a function that returns None; did you forget to return a value from {name}?")
    return found


@export(v1="contrib.eager.implicit_value_and_gradients")
def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., tuple[Any, list[tuple[Any, Any]]]]:
    """A function that gives what `f` gives, and its gradients with respect to the variables that it reads, as pairs with them.

    Raises:
        ValueError: when called, `f` reads no variable, or gives nothing.

    >>> tfe, w = tf.compat.v1.contrib.eager, tf.Variable(3.0)
    >>> value, ((gradient, variable),) = tfe.implicit_value_and_gradients(lambda x: x * w * w)(2.0)
    >>> value.numpy().item(), gradient.numpy().item(), variable is w
    (18.0, 12.0, True)
    """

    def differentiate(*args: Any, **kwargs: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        with GradientTape() as tape:
            found = _result_of(f, args, kwargs)
        variables = tape.watched_variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return found, list(zip(tape.gradient(found, list(variables)), variables, strict=True))

    return differentiate


@export(v1="contrib.eager.implicit_gradients")
def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Any]]]:
    """`implicit_value_and_gradients` without the value.

    >>> w = tf.Variable(3.0)
    >>> tf.compat.v1.contrib.eager.implicit_gradients(lambda x: x * w)(2.0)[0][0].numpy().item()
    2.0
    """
    differentiate = implicit_value_and_gradients(f)
    return lambda *args, **kwargs: differentiate(*args, **kwargs)[1]


@export(v1="contrib.eager.value_and_gradients_function")
def value_and_gradients_function(f: Callable[..., Any], params: Sequence[int | str] | None = None) -> Callable[..., tuple[Any, list[Any]]]:
    """A function that gives what `f` gives, and a list of its gradients with respect to its arguments.

    Args:
        params: which arguments, by number or name; all of them when None.

    Raises:
        ValueError: when called, `f` gives nothing; an argument is no argument of it, or named twice.

    >>> value, gradients = tf.compat.v1.contrib.eager.value_and_gradients_function(lambda x, y: x * x * y)(3.0, 2.0)
    >>> value.numpy().item(), [g.numpy().item() for g in gradients]
    (18.0, [12.0, 9.0])
    """

    def differentiate(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        upstream = kwargs.pop("dy", None)
        if kwargs:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        points = [convert_to_tensor(arg) for arg in args]
        chosen = [points[i] for i in _places(f, params, len(points))]
        with GradientTape() as tape:
            tape.watch(chosen)
            found = _result_of(f, points, {})
        return found, tape.gradient(found, chosen, output_gradients=upstream)

    return differentiate


def _places(function: Callable[..., Any], params: Sequence[int | str] | None, count: int) -> list[int]:
    """The numbers of arguments that are named or numbered."""
    if params is None:
        return list(range(count))
    named = bool(params) and isinstance(params[0], str)
    names: list[Any] = list(inspect.signature(function).parameters)[:count] if named else list(range(count))
    if not all(one in names for one in params):
        raise ValueError(f"params must be all numbers or all names of the {count} arguments, and not {list(params)}")
    if len(set(params)) < len(params):
        raise ValueError(f"params must not name an argument twice: {list(params)}")
    return [names.index(one) for one in params]


@export(v1="contrib.eager.gradients_function")
def gradients_function(f: Callable[..., Any], params: Sequence[int | str] | None = None) -> Callable[..., list[Any]]:
    """`value_and_gradients_function` without the value.

    >>> tf.compat.v1.contrib.eager.gradients_function(lambda x: x * x)(3.0)[0].numpy().item()
    6.0
    """
    differentiate = value_and_gradients_function(f, params)
    return lambda *args, **kwargs: differentiate(*args, **kwargs)[1]


@export(v1="contrib.eager.Iterator")
def Iterator(dataset: Any) -> collections.abc.Iterator[Any]:
    """What goes through the elements of a dataset.

    >>> [int(x) for x in tf.compat.v1.contrib.eager.Iterator(tf.data.Dataset.range(3))]
    [0, 1, 2]
    """
    return iter(dataset)


@export(v1="contrib.eager.num_gpus")
def num_gpus() -> int:
    """How many GPUs there are: none.

    >>> tf.compat.v1.contrib.eager.num_gpus()
    0
    """
    return 0


class _Share:
    """A sum of values over a sum of weights."""

    def __init__(self, name: str | None = None, dtype: Any = "float64") -> None:
        self.name = name or type(self).__name__.lower()
        self.numer, self.denom = (ResourceVariable(0.0, dtype=dtype, trainable=False, name=part) for part in ("numer", "denom"))

    @property
    def variables(self) -> list[Any]:
        """The sums of values and of weights."""
        return [self.numer, self.denom]

    def _add(self, values: Any, weights: Any) -> None:
        given = cast(values, self.numer.dtype)
        shares = ones_like(given) if weights is None else cast(weights, given.dtype) * ones_like(given)
        self.numer.assign_add(reduce_sum(given * shares))
        self.denom.assign_add(reduce_sum(shares))

    def result(self) -> Tensor:
        """The mean so far."""
        return self.numer / self.denom

    def init_variables(self) -> None:
        """Begin anew."""
        for variable in self.variables:
            variable.assign(0.0)


@export(v1="contrib.eager.metrics.Mean")
class Mean(_Share):
    """The mean of all values, weighted or not, since the start.

    >>> mean = tf.compat.v1.contrib.eager.metrics.Mean()
    >>> _ = mean([1.0, 3.0]), mean(8.0)
    >>> mean.result().numpy().item()
    4.0
    """

    def __call__(self, values: TensorLike, weights: TensorLike | None = None) -> Any:
        self._add(values, weights)
        return values if weights is None else (values, weights)


@export(v1="contrib.eager.metrics.Accuracy")
class Accuracy(_Share):
    """The share of predictions that are their labels.

    >>> accuracy = tf.compat.v1.contrib.eager.metrics.Accuracy()
    >>> _ = accuracy([1, 2], [1, 3])
    >>> accuracy.result().numpy().item()
    0.5
    """

    def __call__(self, labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None) -> Any:
        self._add(equal(labels, predictions), weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)
