"""`tf.distributions`: the normal distribution, which TensorFlow 1's programs draw continuous actions and latent codes from.

Draws are loc + scale * noise, so gradients reach the parameters through them (reparametrisation).
"""

from __future__ import annotations

import math
from typing import Any

from ..api.names import control_dependencies, name_scope
from ..base.dtypes import as_dtype, float32
from ..base.shapes import TensorShape
from ..ir.apply import convert_to_tensor
from ..ops.array.basic import identity
from ..ops.array.create import ones_like
from ..ops.array.join import concat
from ..ops.array.shape import shape
from ..ops.effects.asserts import assert_positive
from ..ops.math.arithmetic import multiply, square
from ..ops.math.functions import exp, log
from ..ops.random import functions as random
from ..ops.special.functions import erfc

_HALF_LOG_TWO_PI = 0.5 * math.log(2.0 * math.pi)


class Normal:
    """The normal distribution with mean `loc` and standard deviation `scale`, a batch of them where those are not scalars.

    Args:
        loc, scale: floating tensors of one dtype, broadcast with each other.
        validate_args: whether a scale that is not positive is an InvalidArgumentError.
        allow_nan_stats: taken; no statistic of it is undefined.
        name: the name scope of what its methods make.

    Raises:
        ValueError: the dtypes differ or are not floating.

    >>> import pullback
    >>> tf = pullback.compat.v1
    >>> round(float(tf.distributions.Normal(0.0, 1.0).log_prob(0.0)), 4)
    -0.9189
    """

    def __init__(self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Normal") -> None:
        self.name = name
        with name_scope(name):
            hint = next((as_dtype(v.dtype) for v in (loc, scale) if hasattr(v, "dtype")), float32)
            self.loc = convert_to_tensor(loc, dtype_hint=hint, name="loc")
            self.scale = convert_to_tensor(scale, dtype_hint=hint, name="scale")
            for parameter in (self.loc, self.scale):
                if not parameter.dtype.is_floating:
                    raise ValueError(f"Expected floating point type, got {parameter.dtype!r}.")
            if self.loc.dtype.base_dtype is not self.scale.dtype.base_dtype:
                raise ValueError(f"{self.scale}, type={self.scale.dtype!r}, must be of the same type ({self.loc.dtype!r}) as {self.loc}.")
            if validate_args:
                with control_dependencies([assert_positive(self.scale)]):
                    self.scale = identity(self.scale)
        self.dtype = self.loc.dtype.base_dtype

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the batch of distributions."""
        return TensorShape((self.loc + self.scale).shape)

    @property
    def event_shape(self) -> TensorShape:
        """The shape of one draw of one of them: a scalar's."""
        return TensorShape([])

    def __repr__(self) -> str:
        return f"<tf.distributions.Normal {self.name!r} batch_shape={self.batch_shape} event_shape=() dtype={self.dtype.name}>"

    def sample(self, sample_shape: Any = (), seed: Any = None, name: str = "sample") -> Any:
        """Draws of the shape `sample_shape` (a number or several) + the batch's; gradients reach loc and scale."""
        with name_scope(f"{self.name}/{name}"):
            wanted = [sample_shape] if isinstance(sample_shape, int) else sample_shape
            batch = shape(self.loc + self.scale)
            sizes = batch if isinstance(wanted, (tuple, list)) and not wanted else concat([wanted, batch], 0)
            return random.normal(sizes, seed=seed, dtype=self.dtype) * self.scale + self.loc

    def _standardised(self, value: Any) -> Any:
        return (convert_to_tensor(value, dtype_hint=self.dtype) - self.loc) / self.scale

    def log_prob(self, value: Any, name: str = "log_prob") -> Any:
        """The logarithm of the density at `value`."""
        with name_scope(f"{self.name}/{name}"):
            return -0.5 * square(self._standardised(value)) - (_HALF_LOG_TWO_PI + log(self.scale))

    def prob(self, value: Any, name: str = "prob") -> Any:
        """The density at `value`."""
        with name_scope(f"{self.name}/{name}"):
            return exp(self.log_prob(value))

    def cdf(self, value: Any, name: str = "cdf") -> Any:
        """The probability of a draw of at most `value`."""
        with name_scope(f"{self.name}/{name}"):
            return 0.5 * erfc(self._standardised(value) * -math.sqrt(0.5))

    def entropy(self, name: str = "entropy") -> Any:
        """log(scale) + (1 + log(2 pi)) / 2."""
        with name_scope(f"{self.name}/{name}"):
            return multiply(ones_like(self.loc + self.scale), 0.5 + _HALF_LOG_TWO_PI + log(self.scale))

    def mean(self, name: str = "mean") -> Any:
        """loc, in the shape of the batch."""
        with name_scope(f"{self.name}/{name}"):
            return self.loc * ones_like(self.scale)

    mode = mean

    def stddev(self, name: str = "stddev") -> Any:
        """scale, in the shape of the batch."""
        with name_scope(f"{self.name}/{name}"):
            return self.scale * ones_like(self.loc)

    def variance(self, name: str = "variance") -> Any:
        """scale ** 2, in the shape of the batch."""
        with name_scope(f"{self.name}/{name}"):
            return square(self.stddev())

    def kl_divergence(self, other: Normal, name: str = "kl_divergence") -> Any:
        """The Kullback-Leibler divergence from this distribution to `other`."""
        return kl_divergence(self, other, name=name)


def kl_divergence(distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None) -> Any:
    """The Kullback-Leibler divergence of two normal distributions, KL(a || b).

    Args:
        allow_nan_stats: taken; it is always defined.

    Raises:
        NotImplementedError: one of them is not a `Normal`.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     a, b = tf.distributions.Normal(0.0, 1.0), tf.distributions.Normal([0.0, 2.0], 1.0)
    ...     print(sess.run(tf.distributions.kl_divergence(a, b)))
    [0. 2.]
    """
    a, b = distribution_a, distribution_b
    if not isinstance(a, Normal) or not isinstance(b, Normal):
        raise NotImplementedError(f"No KL(distribution_a || distribution_b) registered for {type(a).__name__} and {type(b).__name__}")
    with name_scope(name or "KullbackLeibler"):
        ratio = square(a.scale / b.scale)
        return square(a.loc - b.loc) / (2.0 * square(b.scale)) + 0.5 * (ratio - 1.0 - log(ratio))
