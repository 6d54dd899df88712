"""The initializers of Keras 3 and of TensorFlow 2, which draw statelessly from a seed of their own.

A Keras initializer made without a seed picks one for good: it gives the same numbers each time it is called.
"""

from __future__ import annotations

from typing import Any

from . import initializers as base


class _Keras:
    """Mixed in before a drawing initializer: draws from its own seed, always."""

    stateful = False
    seed: Any

    def _settle(self, seed: Any) -> None:
        self.seed = base.fresh_seed() if seed is None else seed


class RandomNormal(_Keras, base.RandomNormal):
    """Normal numbers.

    >>> import pullback as tf
    >>> tf.keras.initializers.RandomNormal(seed=3)([1]).numpy().round(4).tolist()
    [-0.03359999880194664]
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self._settle(seed)


class TruncatedNormal(_Keras, base.TruncatedNormal):
    """Normal numbers, none more than two deviations from the mean."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self._settle(seed)


class RandomUniform(_Keras, base.RandomUniform):
    """Uniform numbers in [minval, maxval)."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)
        self._settle(seed)


class VarianceScaling(_Keras, base.VarianceScaling):
    """Numbers whose variance is `scale` over the number of inputs, of outputs, or their mean."""

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: Any = None) -> None:
        super().__init__(scale, mode, distribution, seed)
        self._settle(seed)


class Orthogonal(_Keras, base.Orthogonal):
    """An orthogonal matrix times `gain`."""

    def __init__(self, gain: float = 1.0, seed: Any = None) -> None:
        super().__init__(gain, seed)
        self._settle(seed)


class _Scaled(VarianceScaling):
    _shown: tuple[str, ...] = ("seed",)
    _arguments: tuple[float, str, str]

    def __init__(self, seed: Any = None) -> None:
        super().__init__(*self._arguments, seed)


class GlorotUniform(_Scaled):
    """Uniform numbers of variance 1 over the mean of inputs and outputs (Glorot and Bengio, 2010).

    >>> import pullback as tf
    >>> tf.keras.initializers.GlorotUniform(seed=3)([2, 3]).numpy().round(3)[0, 0].item()
    -0.6660000085830688
    """

    _arguments = (1.0, "fan_avg", "uniform")


class GlorotNormal(_Scaled):
    """Truncated normal numbers of variance 1 over the mean of inputs and outputs (Glorot and Bengio, 2010)."""

    _arguments = (1.0, "fan_avg", "truncated_normal")


class HeNormal(_Scaled):
    """Truncated normal numbers of variance 2 over the inputs (He et al., 2015)."""

    _arguments = (2.0, "fan_in", "truncated_normal")


class HeUniform(_Scaled):
    """Uniform numbers of variance 2 over the inputs (He et al., 2015)."""

    _arguments = (2.0, "fan_in", "uniform")


class LecunNormal(_Scaled):
    """Truncated normal numbers of variance 1 over the inputs (LeCun et al., 1998)."""

    _arguments = (1.0, "fan_in", "truncated_normal")


class LecunUniform(_Scaled):
    """Uniform numbers of variance 1 over the inputs (LeCun et al., 1998)."""

    _arguments = (1.0, "fan_in", "uniform")


class Zeros(base.Zeros):
    """Zeros."""

    def __init__(self) -> None:
        super().__init__()


class Ones(base.Ones):
    """Ones."""

    def __init__(self) -> None:
        super().__init__()


class Constant(base.Constant):
    """A number everywhere."""

    def __init__(self, value: Any = 0.0) -> None:
        super().__init__(value)


class Identity(base.Identity):
    """The identity matrix times `gain`."""

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain)


class RandomNormalV2(base.RandomNormal):
    """`tf.random_normal_initializer`: stateless with a seed, by the global seed without one."""

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self.stateful = seed is None


class RandomUniformV2(base.RandomUniform):
    """`tf.random_uniform_initializer`: stateless with a seed, by the global seed without one."""

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)
        self.stateful = seed is None


class ConstantV2(base.Constant):
    """`tf.constant_initializer`."""

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        super().__init__(value)


_BY_NAME = {
    name: kind
    for kind in (
        Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity, LecunNormal, LecunUniform, Ones, Orthogonal, RandomNormal,
        RandomUniform, TruncatedNormal, VarianceScaling, Zeros,
    )
    for name in (kind.__name__, "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__).lstrip("_"))
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The initializer of a name such as "glorot_uniform", of a config, or the one given; None for None.

    >>> import pullback as tf
    >>> type(tf.keras.initializers.get("zeros")).__name__
    'Zeros'
    """
    if identifier is None or isinstance(identifier, base.Initializer):
        return identifier
    if isinstance(identifier, dict):
        return _BY_NAME[identifier["class_name"]].from_config(identifier.get("config", {}))
    if isinstance(identifier, str) and identifier in _BY_NAME:
        return _BY_NAME[identifier]()
    if callable(identifier):
        return identifier() if isinstance(identifier, type) else identifier
    raise ValueError(f"Could not interpret initializer identifier: {identifier}; the names are {sorted(_BY_NAME)}")
