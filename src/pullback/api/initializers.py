"""Initializers: objects that make the first value of a variable from its shape and dtype.

Those of TensorFlow 1, and what TensorFlow 2's own (initializers_v2.py) share with them.  `_Drawn.stateful` says how one draws: by the
remembering operations (TensorFlow 1), or by stateless ones from its seed (TensorFlow 2, where it has one).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype, float32, string
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.tensor import DTypeLike, ShapeLike, Tensor
from ..ops.array.basic import reshape
from ..ops.array.create import ones, zeros
from ..ops.array.transpose import transpose
from ..ops.constant import constant_v1
from ..ops.linalg.diag import diag_part
from ..ops.linalg.spectral import qr
from ..ops.math.magnitude import sign
from ..ops.random import functions as random
from ..ops.random.stateless_draws import stateless_normal, stateless_truncated_normal, stateless_uniform

_STATEFUL = {"uniform": random.uniform, "normal": random.normal, "truncated_normal": random.truncated_normal}
_STATELESS = {"uniform": stateless_uniform, "normal": stateless_normal, "truncated_normal": stateless_truncated_normal}
# The deviation of a standard normal number cut off at 2, by which truncated draws are scaled up again.
_TRUNCATED_DEVIATION = 0.87962566103423978
_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("normal", "uniform", "truncated_normal", "untruncated_normal")


def sizes(shape: Any) -> tuple[int, ...]:
    """A shape as users and variables give it, as a tuple of integers; ValueError where one is unknown."""
    if hasattr(shape, "as_list"):
        if not shape.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {shape} to a Tensor.")
        return tuple(shape.as_list())
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    return tuple(int(n) for n in (shape.numpy() if hasattr(shape, "numpy") else shape))


class Initializer:
    """What makes a first value: call it with a shape and a dtype.

    >>> class Countdown(tf.initializers.Initializer):
    ...     def __call__(self, shape, dtype=tf.float32):
    ...         return tf.cast(tf.range(shape[0], 0, -1), dtype)
    >>> Countdown()([3]).numpy()
    array([3., 2., 1.], dtype=float32)
    """

    dtype: Any = float32
    _shown: tuple[str, ...] = ()

    def _require_float(self, dtype: DType) -> None:
        if not dtype.is_floating:
            raise ValueError(f"{type(self).__name__}: Argument `dtype` is expected to be floating point. Received: {dtype!r}.")

    def __call__(self, shape: ShapeLike, dtype: DType | None = None, partition_info: Any = None, **kwargs: Any) -> Tensor:
        """The value: a tensor of `shape`, of `dtype` (that of the initializer when None)."""
        return self._make(shape, as_dtype(dtype) if dtype is not None else as_dtype(self.dtype))

    def _make(self, shape: Any, dtype: Any) -> Any:
        raise NotImplementedError("an initializer says in `__call__` what it makes")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make this initializer again."""
        return {name: getattr(self, name) for name in self._shown}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The initializer that `get_config` described."""
        return cls(**{k: v for k, v in config.items() if k != "dtype"})


class _Filled(Initializer):
    def __init__(self, dtype: Any = float32) -> None:
        self.dtype = as_dtype(dtype)


@export("zeros_initializer", v1="initializers.zeros")
class Zeros(_Filled):
    """Zeros.

    >>> tf.zeros_initializer()([2]).numpy().tolist()
    [0.0, 0.0]
    """

    def _make(self, shape: Any, dtype: Any) -> Any:
        return zeros(shape, dtype)


@export("ones_initializer", v1="initializers.ones")
class Ones(_Filled):
    """Ones.

    >>> tf.ones_initializer()([2]).numpy().tolist()
    [1.0, 1.0]
    """

    def _make(self, shape: Any, dtype: Any) -> Any:
        return ones(shape, dtype)


@export(v1=("constant_initializer", "initializers.constant"))
class Constant(Initializer):
    """A number everywhere, or the numbers of a list in the shape asked for.

    verify_shape: refuse values of another shape.  In a graph too few numbers are filled up with the last one.

    >>> tf.constant_initializer(7.0)([2]).numpy().tolist()
    [7.0, 7.0]
    """

    _shown: tuple[str, ...] = ("value",)

    def __init__(self, value: Any = 0, dtype: Any = float32, verify_shape: bool = False, support_partition: bool = False) -> None:
        if not np.isscalar(value) and not isinstance(value, (list, tuple, np.ndarray)):
            raise TypeError(
                f"constant_initializer: Invalid type for initial value: {type(value).__name__}. "
                "Expected Python scalar, list or tuple of values, or numpy.ndarray."
            )
        self.value: Any = value
        self.dtype, self.verify_shape = None if dtype is None else as_dtype(dtype), verify_shape

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, partition_info: Any = None, verify_shape: Any = None, **kwargs: Any
    ) -> Tensor:
        """The value: a tensor of `shape`, of `dtype` (that of the initializer when None)."""
        checked = self.verify_shape if verify_shape is None else verify_shape
        return constant_v1(self.value, self.dtype if dtype is None else dtype, sizes(shape), verify_shape=checked)


class _Drawn(Initializer):
    """An initializer that draws numbers."""

    stateful = True

    def __init__(self, seed: Any, dtype: Any) -> None:
        self.seed = seed
        self.dtype = as_dtype(dtype)
        self._require_float(self.dtype)

    def _draw(self, kind: str, shape: Any, a: Any, b: Any, dtype: Any) -> Tensor:
        if self.stateful:
            return _STATEFUL[kind](shape, a, b, dtype=dtype, seed=self.seed)
        return _STATELESS[kind](shape, [self.seed, 0], a, b, dtype)


@export(v1=("random_uniform_initializer", "initializers.random_uniform"))
class RandomUniform(_Drawn):
    """Uniform numbers in [minval, maxval).

    >>> tf.random_uniform_initializer(0.0, 1.0)([2]).shape
    TensorShape([2])
    """

    _shown: tuple[str, ...] = ("minval", "maxval", "seed")

    def __init__(self, minval: Any = 0.0, maxval: Any = None, seed: Any = None, dtype: Any = float32) -> None:
        self.minval, self.maxval = minval, maxval
        super().__init__(seed, dtype)

    def _require_float(self, dtype: Any) -> None:
        """Integers can be drawn uniformly too."""

    def _make(self, shape: Any, dtype: Any) -> Any:
        return self._draw("uniform", shape, self.minval, self.maxval, dtype)


@export(v1=("random_normal_initializer", "initializers.random_normal"))
class RandomNormal(_Drawn):
    """Normal numbers.

    >>> tf.random_normal_initializer(stddev=2.0)([2]).shape
    TensorShape([2])
    """

    _shown: tuple[str, ...] = ("mean", "stddev", "seed")
    _kind = "normal"

    def __init__(self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = float32) -> None:
        self.mean, self.stddev = mean, stddev
        super().__init__(seed, dtype)

    def _make(self, shape: Any, dtype: Any) -> Any:
        self._require_float(dtype)
        return self._draw(self._kind, shape, self.mean, self.stddev, dtype)


@export(v1=("truncated_normal_initializer", "initializers.truncated_normal"))
class TruncatedNormal(RandomNormal):
    """Normal numbers, none more than two deviations from the mean.

    >>> float(tf.reduce_max(tf.abs(tf.compat.v1.truncated_normal_initializer(stddev=0.5, seed=1)([1000])))) <= 1.0
    True
    """

    _kind = "truncated_normal"


@export(v1=("uniform_unit_scaling_initializer", "initializers.uniform_unit_scaling"))
class UniformUnitScaling(_Drawn):
    """Uniform numbers that keep the variance of a matrix product: within factor * sqrt(3 / inputs).

    >>> drawn = tf.compat.v1.uniform_unit_scaling_initializer(seed=1)([300, 10])
    >>> float(tf.reduce_max(tf.abs(drawn))) <= 0.1
    True
    """

    _shown: tuple[str, ...] = ("factor", "seed")

    def __init__(self, factor: float = 1.0, seed: Any = None, dtype: Any = float32) -> None:
        self.factor = factor
        super().__init__(seed, dtype)

    def _make(self, shape: Any, dtype: Any) -> Any:
        limit = math.sqrt(3 / max(1.0, math.prod(float(n) for n in sizes(shape)[:-1]))) * self.factor
        return self._draw("uniform", shape, -limit, limit, dtype)


@export(v1=("variance_scaling_initializer", "initializers.variance_scaling"))
class VarianceScaling(_Drawn):
    """Numbers whose variance is `scale` over the number of inputs, of outputs, or their mean (Glorot and Bengio, 2010; He et al., 2015).

    Raises ValueError for a scale that is not positive, an unknown mode or distribution.

    >>> tf.initializers.VarianceScaling(scale=2.0)([3, 2]).shape
    TensorShape([3, 2])
    """

    _shown: tuple[str, ...] = ("scale", "mode", "distribution", "seed")

    def __init__(
        self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: Any = None, dtype: Any = float32
    ) -> None:
        if scale <= 0:
            raise ValueError(f"VarianceScaling: Argument `scale` must be a positive float. Received: {scale}")
        if mode not in _MODES:
            raise ValueError(f"VarianceScaling: Argument `mode` should be one of {_MODES}. Received: {mode}")
        if distribution.lower() not in _DISTRIBUTIONS:
            raise ValueError(f"VarianceScaling: Argument `distribution` should be one of {_DISTRIBUTIONS}. Received: {distribution}")
        self.scale, self.mode, self.distribution = scale, mode, distribution.lower()
        super().__init__(seed, dtype)

    def _make(self, shape: Any, dtype: Any) -> Any:
        fan_in, fan_out = fans(sizes(shape))
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        if self.distribution == "uniform":
            limit = math.sqrt(3 * variance)
            return self._draw("uniform", shape, -limit, limit, dtype)
        if self.distribution == "untruncated_normal":
            return self._draw("normal", shape, 0.0, math.sqrt(variance), dtype)
        return self._draw("truncated_normal", shape, 0.0, math.sqrt(variance) / _TRUNCATED_DEVIATION, dtype)


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many inputs and outputs a weight of `shape` connects; leading dimensions are those of a filter."""
    if len(shape) < 2:
        return (1, 1) if not shape else (shape[0], shape[0])
    field = math.prod(shape[:-2])
    return shape[-2] * field, shape[-1] * field


@export(v1=("orthogonal_initializer", "initializers.orthogonal"))
class Orthogonal(_Drawn):
    """An orthogonal matrix times `gain`, from the QR factorisation of a normal one (Saxe, McClelland and Ganguli, 2014).

    shape: at least two dimensions, all but the last taken as one.

    >>> q = tf.compat.v1.orthogonal_initializer(seed=1)([3, 2])
    >>> (tf.transpose(q) @ q).numpy().round(4).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    True
    """

    _shown: tuple[str, ...] = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: Any = None, dtype: Any = float32) -> None:
        self.gain = gain
        super().__init__(seed, dtype)

    def _make(self, shape: Any, dtype: Any) -> Any:
        shape = sizes(shape)
        if len(shape) < 2:
            raise ValueError(f"Orthogonal: the tensor to initialize must be at least two-dimensional. Received shape={shape}")
        rows, columns = math.prod(shape[:-1]), shape[-1]
        q, r = qr(self._draw("normal", (max(rows, columns), min(rows, columns)), 0.0, 1.0, dtype))
        q = q * sign(diag_part(r))
        return self.gain * reshape(transpose(q) if rows < columns else q, list(shape))


@export(v1="initializers.identity")
class Identity(Initializer):
    """The identity matrix times `gain`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.initializers.identity()([2, 2])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    _shown: tuple[str, ...] = ("gain",)

    def __init__(self, gain: float = 1.0, dtype: Any = float32) -> None:
        self.gain, self.dtype = gain, as_dtype(dtype)
        self._require_float(self.dtype)

    def _make(self, shape: Any, dtype: Any) -> Any:
        shape = sizes(shape)
        if len(shape) != 2:
            raise ValueError(f"Identity: the tensor to initialize must be two-dimensional. Received shape={shape}")
        return convert_to_tensor((self.gain * np.eye(*shape)).astype(dtype.numpy_dtype))


def _define_scaled(name: str, scale: float, mode: str, distribution: str) -> Any:
    def make(seed: Any = None, dtype: Any = float32) -> VarianceScaling:
        return VarianceScaling(scale, mode, distribution, seed, dtype)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""`VarianceScaling` of scale {scale:g} over {mode} with a {distribution} distribution.

    >>> tf.compat.v1.initializers.{name}(seed=1)([300, 2]).shape
    TensorShape([300, 2])
    """
    return make


he_normal, he_uniform = (
    _define_scaled("he_normal", 2.0, "fan_in", "truncated_normal"),
    _define_scaled("he_uniform", 2.0, "fan_in", "uniform"),
)
export(v1="initializers.he_normal")(he_normal)
export(v1="initializers.he_uniform")(he_uniform)
lecun_normal = export(v1="initializers.lecun_normal")(_define_scaled("lecun_normal", 1.0, "fan_in", "truncated_normal"))
lecun_uniform = export(v1="initializers.lecun_uniform")(_define_scaled("lecun_uniform", 1.0, "fan_in", "uniform"))


@export(v1=("glorot_uniform_initializer", "initializers.glorot_uniform"))
class GlorotUniform(VarianceScaling):
    """Uniform numbers of variance 1 over the mean of inputs and outputs (Glorot and Bengio, 2010): the default of `get_variable`.

    >>> drawn = tf.compat.v1.glorot_uniform_initializer(seed=1)([300, 300])
    >>> float(tf.reduce_max(tf.abs(drawn))) <= 0.1
    True
    """

    _shown: tuple[str, ...] = ("seed",)

    def __init__(self, seed: Any = None, dtype: Any = float32) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


@export(v1=("glorot_normal_initializer", "initializers.glorot_normal"))
class GlorotNormal(VarianceScaling):
    """Truncated normal numbers of variance 1 over the mean of inputs and outputs (Glorot and Bengio, 2010).

    >>> drawn = tf.compat.v1.glorot_normal_initializer(seed=1)([50, 50])
    >>> round(float(tf.math.reduce_std(drawn)), 1) == round((2 / 100) ** 0.5, 1)
    True
    """

    _shown: tuple[str, ...] = ("seed",)

    def __init__(self, seed: Any = None, dtype: Any = float32) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


def default_initializer(name: str, dtype: DType) -> Initializer:
    """What `get_variable` takes when told nothing: Glorot's uniform numbers for floats, zeros for the rest, which are empty strings.

    Raises ValueError, which names the variable, for complex and quantized numbers and the like.
    """
    kind = as_dtype(dtype)
    if kind.is_floating:
        return GlorotUniform()
    if kind.is_integer or kind.is_bool or kind is string:
        return Zeros(kind)
    raise ValueError(f"An initializer for variable {name} of {kind} is required")
