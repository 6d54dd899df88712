"""Distributions whose draws are vectors: Dirichlet's of probabilities, multinomial ones of counts."""

from __future__ import annotations

import math
from typing import Any

from ...api.names import name_scope
from ...base.dtypes import int32
from ...base.export import export
from ...control.functional import map_fn
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...ops.array.basic import identity, reshape
from ...ops.array.create import one_hot, ones, ones_like
from ...ops.array.join import concat
from ...ops.array.shape import shape
from ...ops.array.where import where
from ...ops.linalg.diag import set_diag
from ...ops.linalg.products import matmul
from ...ops.math.division import xlogy
from ...ops.math.functions import log, rsqrt, sqrt
from ...ops.primitives.cast import cast
from ...ops.random import functions as random
from ...ops.reduce.reductions import reduce_all, reduce_sum
from ...ops.special.functions import lbeta
from ...ops.special.gamma import digamma
from ..legacy.array import transpose
from ..legacy.asserts import assert_less, assert_near, assert_positive
from ..legacy.nn import log_softmax
from ..legacy.random import multinomial
from .base import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution, assert_first
from .divergence import RegisterKL
from .parameters import another_seed, check_classes, counts, counts_of, log_combinations, logits_and_probs

_POSITIVE = "Concentration parameter must be positive."


def _covariance(x: Any, y: Any, variance: Any) -> Any:
    """-x y^T with the variances on the diagonal."""
    return set_diag(-matmul(x[..., None], y[..., None, :]), variance)


class _OfConcentrations(Distribution):
    """One whose parameters are the concentrations of k classes."""

    _concentration: Any
    _total: Any

    @property
    def concentration(self) -> Tensor:
        """Of shape batch + [k]."""
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """Their sum over the last axis."""
        return self._total

    def _batch_shape(self) -> Any:
        return self._total.shape

    def _batch_shape_tensor(self) -> Any:
        return shape(self._total)

    def _event_shape(self) -> Any:
        return self.concentration.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self.concentration)[-1:]

    def _shares(self) -> Any:
        return self.concentration / self._total[..., None]


@export(v1="distributions.Dirichlet")
class Dirichlet(_OfConcentrations):
    """Dirichlet's distribution of k probabilities whose sum is 1.

    Args:
        concentration: positive, floating, of shape batch + [k].
        validate_args: whether parameters and values are checked; InvalidArgumentError where they are wrong.
        allow_nan_stats: whether a mode that does not exist is NaN rather than an InvalidArgumentError.
        name: the scope of what its methods make.

    >>> tf1.distributions.Dirichlet([1.0, 2.0, 5.0]).mean().numpy().tolist()
    [0.125, 0.25, 0.625]
    """

    def __init__(self, concentration: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Dirichlet") -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            taken = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                if taken.shape.rank == 0:
                    raise ValueError("Concentration parameter must have >=1 dimensions.")
                several = assert_less(1, shape(taken)[-1], message="Concentration parameter must have event_size >= 2.")
                taken = assert_first([assert_positive(taken, message=_POSITIVE), several], taken)
            self._concentration, self._total = taken, reduce_sum(taken, -1)
        super().__init__(taken.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, [taken, self._total], scope)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        drawn = random.gamma([n], self.concentration, dtype=self.dtype, seed=seed)
        return drawn / reduce_sum(drawn, -1, keepdims=True)

    def _log_prob(self, value: Any) -> Any:
        if self.validate_args:
            text = "sample last-dimension must sum to `1`"
            whole = assert_near(ones([], dtype=self.dtype), reduce_sum(value, -1), message=text)
            value = assert_first([assert_positive(value, message="samples must be positive"), whole], value)
        return reduce_sum(xlogy(self.concentration - 1.0, value), -1) - lbeta(self.concentration)

    def _size(self) -> Tensor:
        return cast(self.event_shape_tensor()[0], self.dtype)

    def _entropy(self) -> Any:
        found = lbeta(self.concentration) + (self._total - self._size()) * digamma(self._total)
        return found - reduce_sum((self.concentration - 1.0) * digamma(self.concentration), -1)

    def _mean(self) -> Any:
        return self._shares()

    def _scale(self) -> Any:
        return rsqrt(1.0 + self._total[..., None])

    def _variance(self) -> Any:
        x = self._scale() * self._mean()
        return x * (self._scale() - x)

    def _covariance(self) -> Any:
        x = self._scale() * self._mean()
        return _covariance(x, x, self._variance())

    def _mode(self) -> Any:
        mode = (self.concentration - 1.0) / (self._total[..., None] - self._size())
        if self.allow_nan_stats:
            defined = reduce_all(self.concentration > 1.0, axis=-1, keepdims=True)
            return where(defined, mode, convert_to_tensor(math.nan, dtype=self.dtype))
        text = "Mode undefined when any concentration <= 1"
        return assert_first([assert_less(ones([], dtype=self.dtype), self.concentration, message=text)], mode)


@RegisterKL(Dirichlet, Dirichlet)
def _kl_dirichlet(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name or "kl_dirichlet_dirichlet"):
        slopes = digamma(a.concentration) - digamma(reduce_sum(a.concentration, axis=-1, keepdims=True))
        found = reduce_sum((a.concentration - b.concentration) * slopes, axis=-1)
        return found - lbeta(a.concentration) + lbeta(b.concentration)


@export(v1="distributions.DirichletMultinomial")
class DirichletMultinomial(_OfConcentrations):
    """Counts of `total_count` draws of k classes, whose probabilities are drawn from Dirichlet's distribution first.

    Args:
        total_count: whole numbers of the concentration's dtype, of the shape of the batch.
        concentration: positive, floating, of shape batch + [k].

    Other arguments as `Dirichlet`; with `validate_args`, less than two classes are a ValueError.

    >>> round(float(tf1.distributions.DirichletMultinomial(4.0, [1.0, 1.0]).prob([1.0, 3.0])), 4)
    0.2
    """

    def __init__(
        self,
        total_count: Any,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            total = convert_to_tensor(total_count, name="total_count")
            taken = convert_to_tensor(concentration, name="concentration")
            if validate_args:
                total, taken = counts(total), check_classes(taken)
                taken = assert_first([assert_positive(taken, message=_POSITIVE)], taken)
            self._total_count, self._concentration, self._total = total, taken, reduce_sum(taken, -1)
        super().__init__(taken.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, [total, taken], scope)

    @property
    def total_count(self) -> Tensor:
        """How many draws are counted."""
        return self._total_count

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        k = self.event_shape_tensor()[0]
        logits = reshape(log(random.gamma([n], self.concentration, dtype=self.dtype, seed=seed)), [-1, k])
        drawn = multinomial(logits, cast(self.total_count, int32), seed=another_seed(seed, "dirichlet_multinomial"))
        found = reduce_sum(one_hot(drawn, depth=k), -2)
        return cast(reshape(found, concat([[n], self.batch_shape_tensor(), [k]], 0)), self.dtype)

    def _log_prob(self, value: Any) -> Any:
        value = counts_of(self.total_count, value) if self.validate_args else value
        return lbeta(self.concentration + value) - lbeta(self.concentration) + log_combinations(self.total_count, value)

    def _mean(self) -> Any:
        return self.total_count * self._shares()

    def _scale(self) -> Any:
        total = self._total[..., None]
        return sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _variance(self) -> Any:
        x = self._scale() * self._mean()
        return x * (self.total_count * self._scale() - x)

    def _covariance(self) -> Any:
        x = self._scale() * self._mean()
        return _covariance(x, x, self._variance())


@export(v1="distributions.Multinomial")
class Multinomial(Distribution):
    """Counts of `total_count` draws of k classes.

    Args:
        total_count: whole numbers of the dtype of the probabilities, of the shape of the batch.
        logits, probs: floating, of shape batch + [k]; one of the two.

    Other arguments and errors as `Categorical`.

    >>> tf1.distributions.Multinomial(4.0, probs=[0.25, 0.75]).mean().numpy().tolist()
    [1.0, 3.0]
    """

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            total = convert_to_tensor(total_count, name="total_count")
            self._total_count = counts(total) if validate_args else total
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name, classes=True)
            self._expected = self._total_count[..., None] * self._probs
        parents = [self._total_count, self._logits, self._probs]
        super().__init__(self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, parents, scope)

    @property
    def total_count(self) -> Tensor:
        """How many draws are counted."""
        return self._total_count

    @property
    def logits(self) -> Tensor:
        """Logarithms of weights."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self._probs

    def _batch_shape(self) -> Any:
        return self._expected.shape.with_rank_at_least(1)[:-1]

    def _batch_shape_tensor(self) -> Any:
        return shape(self._expected)[:-1]

    def _event_shape(self) -> Any:
        return self._expected.shape.with_rank_at_least(1)[-1:]

    def _event_shape_tensor(self) -> Any:
        return shape(self._expected)[-1:]

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        k = self.event_shape_tensor()[0]
        numbers = ones_like(self.logits[..., 0], dtype=int32) * cast(self.total_count, int32)
        logits = ones_like(numbers[..., None], dtype=self.logits.dtype) * self.logits

        def draw_one(args: Any) -> Any:
            drawn = multinomial(args[0][None], args[1], seed)
            return reduce_sum(one_hot(reshape(drawn, [n, -1]), depth=k), axis=-2)

        found = map_fn(draw_one, [reshape(logits, [-1, k]), n * reshape(numbers, [-1])], dtype=self.dtype)
        return reshape(transpose(found, perm=[1, 0, 2]), concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _log_prob(self, value: Any) -> Any:
        value = counts_of(self.total_count, value) if self.validate_args else value
        return reduce_sum(value * log_softmax(self.logits), -1) + log_combinations(self.total_count, value)

    def _mean(self) -> Any:
        return identity(self._expected)

    def _shares(self) -> Any:
        return self.probs * ones_like(self.total_count)[..., None]

    def _variance(self) -> Any:
        return self._expected - self._expected * self._shares()

    def _covariance(self) -> Any:
        return _covariance(self._expected, self._shares(), self._variance())
