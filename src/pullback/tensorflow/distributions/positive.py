"""Distributions made of gamma draws: gamma, exponential, beta.  Draws move with the parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...api.names import control_dependencies, name_scope
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...ops.array.basic import identity
from ...ops.array.create import ones, ones_like
from ...ops.array.join import concat
from ...ops.array.shape import shape
from ...ops.array.where import where
from ...ops.effects.shapes import assert_same_float_dtype
from ...ops.math.arithmetic import square
from ...ops.math.division import xlogy
from ...ops.math.functions import log, log1p, sqrt
from ...ops.primitives.compare import logical_and
from ...ops.random import functions as random
from ...ops.special.functions import betainc, igamma
from ...ops.special.gamma import digamma, lgamma
from ..legacy.asserts import assert_less, assert_positive
from .base import FULLY_REPARAMETERIZED, Distribution, assert_first
from .divergence import RegisterKL
from .parameters import another_seed, joined_shape, joined_shape_tensor, repeat_shape


@export(v1="distributions.Gamma")
class Gamma(Distribution):
    """The gamma distribution, x^(concentration - 1) exp(-rate x) rate^concentration / Gamma(concentration).

    Args:
        concentration, rate: positive floating tensors of one dtype, broadcast with each other.
        validate_args: whether parameters and values are checked to be positive; InvalidArgumentError where they are not.
        allow_nan_stats: whether a mode that does not exist is NaN rather than an InvalidArgumentError.
        name: the scope of what its methods make.

    Raises:
        ValueError: the dtypes differ or are not floating.

    >>> tf1.distributions.Gamma([0.5, 3.0], 2.0).mode().numpy().tolist()
    [nan, 1.0]
    """

    def __init__(
        self, concentration: Any, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Gamma"
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            with control_dependencies([assert_positive(concentration), assert_positive(rate)] if validate_args else []):
                self._concentration = identity(concentration, name="concentration")
                self._rate = identity(rate, name="rate")
            assert_same_float_dtype([self._concentration, self._rate])
        parents = [self._concentration, self._rate]
        super().__init__(self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, parents, scope)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["concentration", "rate"], sample_shape)

    @property
    def concentration(self) -> Tensor:
        """Its shape parameter."""
        return self._concentration

    @property
    def rate(self) -> Tensor:
        """Its inverse scale."""
        return self._rate

    def _batch_shape(self) -> Any:
        return joined_shape(self.concentration, self.rate)

    def _batch_shape_tensor(self) -> Any:
        return joined_shape_tensor(self.concentration, self.rate)

    def _event_shape(self) -> Any:
        return ()

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return random.gamma([n], self.concentration, beta=self.rate, dtype=self.dtype, seed=seed)

    def _check_positive(self, x: Any) -> Tensor:
        assert_same_float_dtype([x], self.dtype)
        return assert_first([assert_positive(x)], x) if self.validate_args else x

    def _log_prob(self, value: Any) -> Any:
        x = self._check_positive(value)
        density = xlogy(self.concentration - 1.0, x) - self.rate * x
        return density - (lgamma(self.concentration) - self.concentration * log(self.rate))

    def _cdf(self, value: Any) -> Any:
        return igamma(self.concentration, self.rate * self._check_positive(value))

    def _entropy(self) -> Any:
        a = self.concentration
        return a - log(self.rate) + lgamma(a) + (1.0 - a) * digamma(a)

    def _mean(self) -> Any:
        return self.concentration / self.rate

    def _variance(self) -> Any:
        return self.concentration / square(self.rate)

    def _stddev(self) -> Any:
        return sqrt(self.concentration) / self.rate

    def _mode(self) -> Any:
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            return where(self.concentration > 1.0, mode, convert_to_tensor(math.nan, dtype=self.dtype))
        text = "mode not defined when any concentration <= 1"
        return assert_first([assert_less(ones([], dtype=self.dtype), self.concentration, message=text)], mode)


@RegisterKL(Gamma, Gamma)
def _kl_gamma(a: Any, b: Any, name: str | None = None) -> Tensor:
    with name_scope(name or "kl_gamma_gamma"):
        found = (a.concentration - b.concentration) * digamma(a.concentration) + lgamma(b.concentration) - lgamma(a.concentration)
        found = found + b.concentration * log(a.rate) - b.concentration * log(b.rate)
        return found + a.concentration * (b.rate / a.rate - 1.0)


@export(v1="distributions.Exponential")
class Exponential(Gamma):
    """The exponential distribution, rate exp(-rate x): a gamma distribution of concentration 1.

    Arguments and errors as `Gamma`.

    >>> tf1.distributions.Exponential(2.0).prob(0.0).numpy().item()
    2.0
    """

    def __init__(self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Exponential") -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            rate = convert_to_tensor(rate, name="rate")
        super().__init__(ones([], dtype=rate.dtype), rate, validate_args, allow_nan_stats, scope)
        self._parameters = given

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["rate"], sample_shape)

    def _log_survival_function(self, value: Any) -> Any:
        return self._log_prob(value) - log(self.rate)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        least = np.finfo(self.dtype.as_numpy_dtype).tiny
        sizes = concat([[n], shape(self.rate)], 0)
        return -log(random.uniform(sizes, minval=least, maxval=1.0, seed=seed, dtype=self.dtype)) / self.rate


@export(v1="distributions.Beta")
class Beta(Distribution):
    """The beta distribution, x^(concentration1 - 1) (1 - x)^(concentration0 - 1) over the beta function.

    Args:
        concentration1, concentration0: positive floating tensors of one dtype, broadcast with each other.
        validate_args: whether parameters, and values from 0 to 1, are checked.

    Other arguments and errors as `Gamma`.

    >>> tf1.distributions.Beta(2.0, 2.0).prob(0.5).numpy().round(4).item()
    1.5
    """

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        with name_scope(name) as scope:
            self._concentration1, self._concentration0 = (
                assert_first([assert_positive(c, message="Concentration parameter must be positive.")], c) if validate_args else c
                for c in (
                    convert_to_tensor(concentration1, name="concentration1"),
                    convert_to_tensor(concentration0, name="concentration0"),
                )
            )
            assert_same_float_dtype([self._concentration1, self._concentration0])
            self._total = self._concentration1 + self._concentration0
        parents = [self._concentration1, self._concentration0, self._total]
        super().__init__(self._total.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, parents, scope)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["concentration1", "concentration0"], sample_shape)

    @property
    def concentration1(self) -> Tensor:
        """The exponent of x, and 1."""
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        """The exponent of 1 - x, and 1."""
        return self._concentration0

    @property
    def total_concentration(self) -> Tensor:
        """Their sum."""
        return self._total

    def _batch_shape(self) -> Any:
        return self._total.shape

    def _batch_shape_tensor(self) -> Any:
        return shape(self._total)

    def _event_shape(self) -> Any:
        return ()

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        one = ones_like(self._total)
        first = random.gamma([n], one * self.concentration1, dtype=self.dtype, seed=seed)
        second = random.gamma([n], one * self.concentration0, dtype=self.dtype, seed=another_seed(seed, "beta"))
        return first / (first + second)

    def _log_normalisation(self) -> Tensor:
        return lgamma(self.concentration1) + lgamma(self.concentration0) - lgamma(self._total)

    def _log_prob(self, value: Any) -> Any:
        if self.validate_args:
            below = assert_less(value, ones([], dtype=self.dtype), message="sample must be less than `1`.")
            value = assert_first([assert_positive(value, message="sample must be positive"), below], value)
        density = xlogy(self.concentration1 - 1.0, value) + (self.concentration0 - 1.0) * log1p(-value)
        return density - self._log_normalisation()

    def _cdf(self, value: Any) -> Any:
        return betainc(self.concentration1, self.concentration0, value)

    def _entropy(self) -> Any:
        a, b, total = self.concentration1, self.concentration0, self._total
        return self._log_normalisation() - (a - 1.0) * digamma(a) - (b - 1.0) * digamma(b) + (total - 2.0) * digamma(total)

    def _mean(self) -> Any:
        return self.concentration1 / self._total

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self._total)

    def _mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        mode = (a - 1.0) / (self._total - 2.0)
        if self.allow_nan_stats:
            return where(logical_and(a > 1.0, b > 1.0), mode, convert_to_tensor(math.nan, dtype=self.dtype))
        one = ones([], dtype=self.dtype)
        checks = [assert_less(one, c, message=f"Mode undefined for concentration{i} <= 1.") for i, c in ((1, a), (0, b))]
        return assert_first(checks, mode)


@RegisterKL(Beta, Beta)
def _kl_beta(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name or "kl_beta_beta"):
        found = b._log_normalisation() - a._log_normalisation()
        found = found - digamma(a.concentration1) * (b.concentration1 - a.concentration1)
        found = found - digamma(a.concentration0) * (b.concentration0 - a.concentration0)
        return found + digamma(a.total_concentration) * (b.total_concentration - a.total_concentration)
