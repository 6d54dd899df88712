"""Kullback and Leibler's divergence, by a function for each pair of classes that programs can add to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.names import control_dependencies, name_scope
from ...base.export import export
from ...ir.tensor import Tensor
from ...ops.array.basic import identity
from ...ops.effects.operations import Assert
from ...ops.primitives.compare import is_nan, logical_not
from ...ops.reduce.reductions import reduce_any

_KNOWN: dict[tuple[type, type], Callable[..., Any]] = {}


def _function(a: type, b: type) -> Callable[..., Any] | None:
    """The one for the classes that are the nearest to these among their bases."""
    pairs = [(i + j, i, _KNOWN[p, q]) for i, p in enumerate(a.__mro__) for j, q in enumerate(b.__mro__) if (p, q) in _KNOWN]
    return min(pairs, key=lambda pair: pair[:2])[2] if pairs else None


@export(v1="distributions.kl_divergence")
def kl_divergence(distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None) -> Tensor:
    """Kullback and Leibler's divergence from one distribution to another, the mean of log(a / b) under a.

    Args:
        allow_nan_stats: whether a divergence that is NaN is given rather than an InvalidArgumentError.

    Raises:
        NotImplementedError: nobody registered a function for their classes.

    >>> a, b = tf1.distributions.Normal(0.0, 1.0), tf1.distributions.Normal([0.0, 2.0], 1.0)
    >>> tf1.distributions.kl_divergence(a, b).numpy().tolist()
    [0.0, 2.0]
    """
    function = _function(type(distribution_a), type(distribution_b))
    if function is None:
        kinds = f"distribution_a type {type(distribution_a).__name__} and distribution_b type {type(distribution_b).__name__}"
        raise NotImplementedError(f"No KL(distribution_a || distribution_b) registered for {kinds}")
    with name_scope("KullbackLeibler"):
        found = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return found
        found = identity(found, name="kl")
        text = f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN values"
        message = f"{text} (and was called with allow_nan_stats=False). Values:"
        with control_dependencies([Assert(logical_not(reduce_any(is_nan(found))), [message, found])]):
            return identity(found, name="checked_kl")


def cross_entropy(ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None) -> Tensor:
    """The entropy of the first, and the divergence from it to the other."""
    with name_scope(name or "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


@export(v1="distributions.RegisterKL")
class RegisterKL:
    """A decorator that makes a function known as the divergence from one class of distributions to another, and their subclasses.

    The function takes two distributions and `name`.

    Raises:
        TypeError: what is decorated cannot be called.
        ValueError: the pair has a function already.

    >>> class Mine(tf1.distributions.Normal):
    ...     pass
    >>> @tf1.distributions.RegisterKL(Mine, Mine)
    ... def difference(a, b, name=None):
    ...     return a.loc - b.loc
    >>> float(tf1.distributions.kl_divergence(Mine(3.0, 1.0), Mine(1.0, 1.0)))
    2.0
    """

    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Any) -> Callable[..., Any]:
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _KNOWN:
            one, other = (kind.__name__ for kind in self._key)
            raise ValueError(f"KL({one} || {other}) has already been registered to: {_KNOWN[self._key]}")
        _KNOWN[self._key] = kl_fn
        return kl_fn
