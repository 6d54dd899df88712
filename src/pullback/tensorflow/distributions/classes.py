"""Distributions of outcomes: one of two (Bernoulli's), one of several.  Draws do not move with the parameters."""

from __future__ import annotations

from typing import Any

from ...api.names import name_scope
from ...base.dtypes import int32, int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...ops.array.basic import identity, reshape
from ...ops.array.create import ones, ones_like, zeros_like
from ...ops.array.join import concat
from ...ops.array.shape import shape
from ...ops.array.where import where
from ...ops.math.functions import sigmoid
from ...ops.nn.softplus import softplus
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import less
from ...ops.random import functions as random
from ...ops.reduce.reductions import reduce_sum
from ...ops.search.composed import sequence_mask
from ..legacy.array import transpose
from ..legacy.nn import log_softmax, sigmoid_cross_entropy_with_logits, softmax, sparse_softmax_cross_entropy_with_logits
from ..legacy.random import multinomial
from ..legacy.reduce import argmax
from .base import NOT_REPARAMETERIZED, Distribution
from .divergence import RegisterKL
from .parameters import check_whole, logits_and_probs, repeat_shape


class _OfOutcomes(Distribution):
    """One whose draws are single numbers, by probabilities."""

    _logits: Any
    _probs: Any

    @property
    def logits(self) -> Tensor:
        """Logarithms of the probabilities, or of odds."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self._probs

    def _event_shape(self) -> Any:
        return ()


@export(v1="distributions.Bernoulli")
class Bernoulli(_OfOutcomes):
    """1 with the probability `probs`, else 0.

    Args:
        logits: log(probs / (1 - probs)), floating.  probs: floating.  One of the two is given.
        dtype: of the draws.
        validate_args: whether probabilities and values are checked; InvalidArgumentError where they are wrong.
        allow_nan_stats: taken; no statistic of it is undefined.
        name: the scope of what its methods make.

    Raises:
        ValueError: both are given, or neither.
        TypeError: it is not floating.

    >>> tf1.distributions.Bernoulli(probs=[0.25, 0.5]).prob([1, 1]).numpy().round(4).tolist()
    [0.25, 0.5]
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, [self._logits, self._probs], scope)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["logits"], sample_shape)

    def _batch_shape(self) -> Any:
        return self.logits.shape

    def _batch_shape_tensor(self) -> Any:
        return shape(self.logits)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        drawn = random.uniform(concat([[n], self.batch_shape_tensor()], 0), seed=seed, dtype=self.probs.dtype)
        return cast(less(drawn, self.probs), self.dtype)

    def _log_prob(self, value: Any) -> Any:
        if self.validate_args:
            value = check_whole(value, int32, most=1)
        event = cast(value, self.logits.dtype)
        return -sigmoid_cross_entropy_with_logits(labels=ones_like(self.logits) * event, logits=ones_like(event) * self.logits)

    def _entropy(self) -> Any:
        return -self.logits * (sigmoid(self.logits) - 1.0) + softplus(-self.logits)

    def _mean(self) -> Any:
        return identity(self.probs)

    def _variance(self) -> Any:
        return self.probs * (1.0 - self.probs)

    def _mode(self) -> Any:
        return cast(self.probs > 0.5, self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _kl_bernoulli(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name or "kl_bernoulli_bernoulli"):
        nothing, something = softplus(-b.logits) - softplus(-a.logits), softplus(b.logits) - softplus(a.logits)
        return sigmoid(a.logits) * nothing + sigmoid(-a.logits) * something


@export(v1="distributions.Categorical")
class Categorical(_OfOutcomes):
    """One of k classes, 0 to k - 1.

    Args:
        logits, probs: floating, of shape batch + [k]; one of the two.  Logits are logarithms of weights: they need not be normalised.

    Other arguments and errors as `Bernoulli`; a scalar, or with `validate_args` less than two classes, is a ValueError.

    >>> d = tf1.distributions.Categorical(probs=[0.125, 0.375, 0.5])
    >>> int(d.mode()), d.prob([0, 1]).numpy().round(4).tolist()
    (2, [0.125, 0.375])
    """

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Categorical",
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name, classes=True)
            known = self._logits.shape.with_rank_at_least(1)
            size = None if known.rank is None else known[-1]
            self._event_size = shape(self._logits)[-1] if size is None else convert_to_tensor(size, dtype=int32)
        super().__init__(dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, given, [self._logits, self._probs], scope)

    @property
    def event_size(self) -> Tensor:
        """The number of classes, an int32."""
        return self._event_size

    def _batch_shape(self) -> Any:
        return self.logits.shape[:-1]

    def _batch_shape_tensor(self) -> Any:
        return shape(self.logits)[:-1]

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        flat = self.logits if self.logits.shape.rank == 2 else reshape(self.logits, [-1, self.event_size])
        drawn = multinomial(flat, n, seed=seed, output_dtype=int64 if self.dtype.size > 4 else int32)
        return cast(reshape(transpose(drawn), concat([[n], self.batch_shape_tensor()], 0)), self.dtype)

    def _join_batches(self, value: Any, parameter: Any) -> tuple[Any, Any]:
        """Classes and a parameter, of one batch."""
        if self.validate_args:
            value = check_whole(value, int32)
        if value.dtype.is_floating:
            value = cast(value, int32)
        elif not value.dtype.is_integer:
            raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({self.dtype.base_dtype})")
        parameter = parameter * ones_like(value[..., None], dtype=parameter.dtype)
        return value * ones(shape(parameter)[:-1], dtype=value.dtype), parameter

    def _cdf(self, value: Any) -> Tensor:
        k, probs = self._join_batches(value, self.probs)
        return reduce_sum(where(sequence_mask(k, self.event_size), probs, zeros_like(probs)), axis=-1)

    def _log_prob(self, value: Any) -> Any:
        k, logits = self._join_batches(value, self.logits)
        return -sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self) -> Any:
        return -reduce_sum(log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Any:
        return cast(argmax(self.logits, axis=-1), self.dtype)


@RegisterKL(Categorical, Categorical)
def _kl_categorical(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name or "kl_categorical_categorical"):
        return reduce_sum(softmax(a.logits) * (log_softmax(a.logits) - log_softmax(b.logits)), axis=-1)
