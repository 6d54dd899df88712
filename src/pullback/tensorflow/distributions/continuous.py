"""Distributions of numbers by location and scale: normal, Laplace's, Student's, uniform.  Draws move with the parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...api.names import control_dependencies, name_scope
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import identity
from ...ops.array.create import ones, ones_like, zeros_like
from ...ops.array.join import concat
from ...ops.array.shape import broadcast_dynamic_shape, shape
from ...ops.array.where import where
from ...ops.effects.shapes import assert_same_float_dtype
from ...ops.math.arithmetic import maximum, minimum, square, squared_difference
from ...ops.math.functions import exp, log, log1p, rsqrt
from ...ops.math.magnitude import abs as absolute, sign
from ...ops.primitives.compare import is_nan, less, logical_or
from ...ops.random import functions as random
from ...ops.special.errors import erf, erfc, ndtri
from ...ops.special.functions import betainc, lbeta
from ...ops.special.gamma import digamma, lgamma
from ..legacy.asserts import assert_less, assert_positive
from .base import FULLY_REPARAMETERIZED, Distribution, assert_first
from .divergence import RegisterKL
from .parameters import another_seed, joined_shape, joined_shape_tensor, repeat_shape

_LOG_2 = math.log(2.0)
_HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)


class _OfNumbers(Distribution):
    """One whose draws are single numbers, and whose batch has the shape that its parameters broadcast to."""

    _names: tuple[str, ...]

    def _own(self, parameters: dict[str, Any], given: dict[str, Any], checks: Any, validate_args: bool) -> None:
        """Take the parameters in; checks: makes the assertions that they ask for."""
        allow_nan_stats, name = given["allow_nan_stats"], given["name"]
        with name_scope(name) as scope:
            with control_dependencies(checks() if validate_args else []):
                taken = [identity(p, name=k) for k, p in parameters.items()]
            assert_same_float_dtype(taken)
        for k, p in zip(parameters, taken, strict=True):
            setattr(self, f"_{k}", p)
        super().__init__(taken[-1].dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, given, taken, scope)

    def _list_parameters(self) -> list[Any]:
        return [getattr(self, f"_{k}") for k in self._names]

    def _batch_shape(self) -> Any:
        return joined_shape(*self._list_parameters())

    def _batch_shape_tensor(self) -> Tensor:
        return joined_shape_tensor(*self._list_parameters())

    def _event_shape(self) -> Any:
        return ()

    def _sizes(self, n: Tensor) -> Tensor:
        return concat([[n], self.batch_shape_tensor()], 0)


class _OfLocationAndScale(_OfNumbers):
    _names: tuple[str, ...] = ("loc", "scale")
    _loc: Any
    _scale: Any

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["loc", "scale"], sample_shape)

    @property
    def loc(self) -> Tensor:
        """The middle."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """How wide it is."""
        return self._scale

    def _standardise(self, x: Tensor) -> Any:
        return (x - self.loc) / self.scale

    def _mean(self) -> Any:
        return self.loc * ones_like(self.scale)

    def _mode(self) -> Any:
        return self._mean()


# ---- the normal distribution


def _ndtr(x: Tensor) -> Tensor:
    """The distribution function of the standard normal distribution."""
    w = x * (0.5 * math.sqrt(2.0))
    size = absolute(w)
    tail = erfc(size)
    return 0.5 * where(size < 0.5 * math.sqrt(2.0), 1.0 + erf(w), where(w > 0.0, 2.0 - tail, tail))


def _log_ndtr(x: Any) -> Tensor:
    """Its logarithm: far below by the asymptotic series, whose terms are 1, 3, 15 over powers of x^2."""
    x = convert_to_tensor(x)
    low, high = (-20.0, 8.0) if x.dtype.as_numpy_dtype is np.float64 else (-10.0, 5.0)
    far = minimum(x, low)
    over = 1.0 / square(far)
    series = 1.0 + 3.0 * over * over - (over + 15.0 * over * over * over)
    below = -0.5 * square(far) - log(-far) - _HALF_LOG_2_PI + log(series)
    return where(x > high, -_ndtr(-x), where(x > low, log(_ndtr(maximum(x, low))), below))


@export(v1="distributions.Normal")
class Normal(_OfLocationAndScale):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    Args:
        loc, scale: floating tensors of one dtype, broadcast with each other.
        validate_args: whether a scale that is not positive is an InvalidArgumentError.
        allow_nan_stats: taken; no statistic of it is undefined.
        name: the scope of what its methods make.

    Raises:
        ValueError: the dtypes differ or are not floating.

    >>> round(float(tf1.distributions.Normal(0.0, 1.0).log_prob(0.0)), 4)
    -0.9189
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Normal") -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        self._own({"loc": loc, "scale": scale}, given, lambda: [assert_positive(scale)], validate_args)

    def _standardise(self, x: Any) -> Any:
        with name_scope("standardize"):
            return super()._standardise(x)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return random.normal(self._sizes(n), dtype=self.dtype, seed=seed) * self.scale + self.loc

    def _log_prob(self, value: TensorLike) -> Any:
        return -0.5 * square(self._standardise(value)) - (_HALF_LOG_2_PI + log(self.scale))

    def _log_cdf(self, value: Any) -> Any:
        return _log_ndtr(self._standardise(value))

    def _cdf(self, value: TensorLike) -> Any:
        return _ndtr(self._standardise(value))

    def _log_survival_function(self, value: Any) -> Any:
        return _log_ndtr(-self._standardise(value))

    def _survival_function(self, value: Any) -> Any:
        return _ndtr(-self._standardise(value))

    def _quantile(self, value: Any) -> Any:
        return ndtri(value) * self.scale + self.loc

    def _entropy(self) -> Any:
        return 0.5 + _HALF_LOG_2_PI + log(self.scale * ones_like(self.loc))

    def _stddev(self) -> Any:
        return self.scale * ones_like(self.loc)


@RegisterKL(Normal, Normal)
def _kl_normal(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name or "kl_normal_normal"):
        own, other = square(a.scale), square(b.scale)
        ratio = own / other
        return squared_difference(a.loc, b.loc) / (2.0 * other) + 0.5 * (ratio - 1.0 - log(ratio))


@export(v1="distributions.Laplace")
class Laplace(_OfLocationAndScale):
    """Laplace's distribution, exp(-|x - loc| / scale) / (2 scale).

    Arguments and errors as `Normal`.

    >>> tf1.distributions.Laplace(0.0, 2.0).prob([0.0, 400.0]).numpy().tolist()
    [0.25, 0.0]
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Laplace") -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        self._own({"loc": loc, "scale": scale}, given, lambda: [assert_positive(scale)], validate_args)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        kind = self.dtype.as_numpy_dtype
        least = np.nextafter(kind(-1.0), kind(0.0))
        u = random.uniform(self._sizes(n), minval=least, maxval=1.0, dtype=self.dtype, seed=seed)
        return self.loc - self.scale * sign(u) * log1p(-absolute(u))

    def _log_prob(self, value: Any) -> Any:
        return -absolute(self._standardise(value)) - (_LOG_2 + log(self.scale))

    def _log_cdf(self, value: Any) -> Any:
        return self._log_below(self._standardise(value))

    def _log_survival_function(self, value: Any) -> Any:
        return self._log_below(-self._standardise(value))

    @staticmethod
    def _log_below(z: Any) -> Any:
        return where(z < 0.0, z - _LOG_2, log1p(-0.5 * exp(-absolute(z))))

    def _cdf(self, value: Any) -> Any:
        z = self._standardise(value)
        return 0.5 + 0.5 * sign(z) * (1.0 - exp(-absolute(z)))

    def _entropy(self) -> Any:
        return _LOG_2 + 1.0 + log(self.scale + zeros_like(self.loc))

    def _mean(self) -> Any:
        return self.loc + zeros_like(self.scale)

    def _stddev(self) -> Any:
        return math.sqrt(2.0) * self.scale + zeros_like(self.loc)


@export(v1="distributions.StudentT")
class StudentT(_OfLocationAndScale):
    """Student's distribution with `df` degrees of freedom.

    Args:
        df: positive.  loc, scale: as those of `Normal`; the scale's sign does not matter to the density.
        validate_args: whether `df` is checked.
        allow_nan_stats: whether a mean and a variance that do not exist are NaN rather than an InvalidArgumentError.

    Errors as `Normal`.

    >>> tf1.distributions.StudentT([1.5, 3.0], 0.0, 1.0).variance().numpy().tolist()
    [inf, 3.0]
    """

    _names = ("df", "loc", "scale")
    _df: Any

    def __init__(
        self, df: Any, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "StudentT"
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        self._own({"df": df, "loc": loc, "scale": scale}, given, lambda: [assert_positive(df)], validate_args)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["df", "loc", "scale"], sample_shape)

    @property
    def df(self) -> Tensor:
        """Degrees of freedom."""
        return self._df

    def _ones(self) -> Any:
        return ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        noise = random.normal(self._sizes(n), dtype=self.dtype, seed=seed)
        df = self.df * self._ones()
        chi_square = random.gamma([n], 0.5 * df, beta=0.5, dtype=self.dtype, seed=another_seed(seed, "student_t"))
        return noise * rsqrt(chi_square / df) * self.scale + self.loc

    def _log_prob(self, value: Any) -> Any:
        density = -0.5 * (self.df + 1.0) * log1p(square(self._standardise(value)) / self.df)
        gammas = lgamma(0.5 * self.df) - lgamma(0.5 * (self.df + 1.0))
        return density - (log(absolute(self.scale)) + 0.5 * log(self.df) + 0.5 * math.log(math.pi) + gammas)

    def _cdf(self, value: Any) -> Any:
        z = (value - self.loc) / absolute(self.scale)
        df = self.df * ones_like(z)
        tail = 0.5 * betainc(0.5 * df, convert_to_tensor(0.5, dtype=self.dtype), df / (square(z) + df))
        return where(less(z, 0.0), tail, 1.0 - tail)

    def _entropy(self) -> Any:
        one = self._ones()[..., None]
        halves = concat([one * self.df[..., None], one], -1) / 2.0
        slope = digamma(0.5 * (self.df + 1.0)) - digamma(0.5 * self.df)
        return log(absolute(self.scale)) + 0.5 * log(self.df) + lbeta(halves) + 0.5 * (self.df + 1.0) * slope

    def _where_defined(self, value: Any, what: str) -> Any:
        if self.allow_nan_stats:
            return where(self.df > self._ones(), value, convert_to_tensor(math.nan, dtype=self.dtype))
        one = ones([], dtype=self.dtype)
        return assert_first([assert_less(one, self.df, message=f"{what} not defined for components of df <= 1")], value)

    def _mean(self) -> Any:
        return self._where_defined(self.loc * self._ones(), "mean")

    def _mode(self) -> Any:
        return identity(self.loc)

    def _variance(self) -> Any:
        finite = self.df > 2.0
        found = self._ones() * square(self.scale) * self.df / where(finite, self.df - 2.0, ones_like(self.df))
        infinite = convert_to_tensor(math.inf, dtype=self.dtype)
        return self._where_defined(where(self.df > 2.0 * self._ones(), found, infinite), "variance")


@export(v1="distributions.Uniform")
class Uniform(_OfNumbers):
    """The uniform distribution from `low` up to, but not with, `high`.

    Args:
        low, high: floating tensors of one dtype, broadcast with each other.
        validate_args: whether a `low` that is not below `high` is an InvalidArgumentError.

    Other arguments and errors as `Normal`.

    >>> tf1.distributions.Uniform(1.0, 3.0).prob([1.0, 2.0, 3.0]).numpy().tolist()
    [0.5, 0.5, 0.0]
    """

    _names = ("low", "high")
    _low: Any
    _high: Any

    def __init__(
        self, low: Any = 0.0, high: Any = 1.0, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Uniform"
    ) -> None:
        given = {k: v for k, v in locals().items() if k not in ("self", "__class__")}
        text = "uniform not defined when low >= high."
        self._own({"low": low, "high": high}, given, lambda: [assert_less(low, high, message=text)], validate_args)

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return repeat_shape(["low", "high"], sample_shape)

    @property
    def low(self) -> Tensor:
        """Where it begins."""
        return self._low

    @property
    def high(self) -> Tensor:
        """Where it ends."""
        return self._high

    def range(self, name: str = "range") -> Tensor:
        """high - low."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return self.low + self.range() * random.uniform(self._sizes(n), dtype=self.dtype, seed=seed)

    def _prob(self, value: Any) -> Any:
        x = value * ones(self.batch_shape_tensor(), dtype=value.dtype)
        inside = where(logical_or(x < self.low, x >= self.high), zeros_like(x), ones_like(x) / self.range())
        return where(is_nan(x), x, inside)

    def _cdf(self, value: Any) -> Any:
        one = ones(broadcast_dynamic_shape(shape(value), self.batch_shape_tensor()), dtype=self.dtype)
        below = where(value < self.low, zeros_like(one), (value * one - self.low) / self.range())
        return where(value >= self.high, one, below)

    def _entropy(self) -> Any:
        return log(self.range())

    def _mean(self) -> Any:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Any:
        return square(self.range()) / 12.0

    def _stddev(self) -> Any:
        return self.range() / math.sqrt(12.0)
