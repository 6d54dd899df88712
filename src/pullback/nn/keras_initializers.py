"""The initializers of Keras 3 and of TensorFlow 2, which draw statelessly from a seed of their own.

A Keras initializer made without a seed picks one for good: it gives the same numbers each time it is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import float32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ops.constant import constant
from . import initializers as base


class _Keras:
    """Mixed in before a drawing initializer: draws from its own seed, always."""

    stateful = False
    seed: Any

    def _settle(self, seed: Any) -> None:
        self.seed = base.fresh_seed() if seed is None else seed


@export(v2=("keras.initializers.RandomNormal", "keras.initializers.random_normal"))
class RandomNormal(_Keras, base.RandomNormal):
    """Normal numbers.

    >>> import pullback as tf
    >>> tf.keras.initializers.RandomNormal(seed=3)([1]).numpy().round(4).tolist()
    [-0.03359999880194664]
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self._settle(seed)


@export(v2=("keras.initializers.TruncatedNormal", "keras.initializers.truncated_normal"))
class TruncatedNormal(_Keras, base.TruncatedNormal):
    """Normal numbers, none more than two deviations from the mean.

    >>> import pullback as tf
    >>> float(tf.reduce_max(tf.abs(tf.initializers.TruncatedNormal(stddev=0.5, seed=1)([1000])))) <= 1.0
    True
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self._settle(seed)


@export(v2=("keras.initializers.RandomUniform", "keras.initializers.random_uniform"))
class RandomUniform(_Keras, base.RandomUniform):
    """Uniform numbers in [minval, maxval).

    >>> import pullback as tf
    >>> drawn = tf.initializers.RandomUniform(2.0, 3.0, seed=1)([1000])
    >>> bool(tf.reduce_all((drawn >= 2.0) & (drawn < 3.0)))
    True
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)
        self._settle(seed)


@export(v2=("keras.initializers.VarianceScaling", "keras.initializers.variance_scaling"))
class VarianceScaling(_Keras, base.VarianceScaling):
    """Numbers whose variance is `scale` over the number of inputs, of outputs, or their mean.

    >>> import pullback as tf
    >>> drawn = tf.initializers.VarianceScaling(scale=3.0, mode="fan_in", distribution="uniform", seed=1)([9, 100])
    >>> float(tf.reduce_max(tf.abs(drawn))) <= 1.0  # sqrt(3 * scale / inputs)
    True
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal", seed: Any = None) -> None:
        super().__init__(scale, mode, distribution, seed)
        self._settle(seed)


@export(v2=("keras.initializers.Orthogonal", "keras.initializers.OrthogonalInitializer", "keras.initializers.orthogonal"))
class Orthogonal(_Keras, base.Orthogonal):
    """An orthogonal matrix times `gain`.

    >>> import pullback as tf
    >>> q = tf.initializers.Orthogonal(seed=1)([3, 2])
    >>> bool(tf.reduce_all(tf.abs(tf.transpose(q) @ q - tf.eye(2)) < 1e-5))
    True
    """

    def __init__(self, gain: float = 1.0, seed: Any = None) -> None:
        super().__init__(gain, seed)
        self._settle(seed)


class _Scaled(VarianceScaling):
    _shown: tuple[str, ...] = ("seed",)
    _arguments: tuple[float, str, str]

    def __init__(self, seed: Any = None) -> None:
        super().__init__(*self._arguments, seed)


@export(v2=("keras.initializers.GlorotUniform", "keras.initializers.glorot_uniform"))
class GlorotUniform(_Scaled):
    """Uniform numbers of variance 1 over the mean of inputs and outputs (Glorot and Bengio, 2010).

    >>> import pullback as tf
    >>> tf.keras.initializers.GlorotUniform(seed=3)([2, 3]).numpy().round(3)[0, 0].item()
    -0.6660000085830688
    """

    _arguments = (1.0, "fan_avg", "uniform")


@export(v2=("keras.initializers.GlorotNormal", "keras.initializers.glorot_normal"))
class GlorotNormal(_Scaled):
    """Truncated normal numbers of variance 1 over the mean of inputs and outputs (Glorot and Bengio, 2010).

    >>> import pullback as tf
    >>> tf.initializers.GlorotNormal(seed=1)([3, 2]).shape
    TensorShape([3, 2])
    """

    _arguments = (1.0, "fan_avg", "truncated_normal")


@export(v2=("keras.initializers.HeNormal", "keras.initializers.he_normal"))
class HeNormal(_Scaled):
    """Truncated normal numbers of variance 2 over the inputs (He et al., 2015).

    >>> import pullback as tf
    >>> drawn = tf.initializers.HeNormal(seed=1)([200, 200])
    >>> round(float(tf.math.reduce_std(drawn)), 2)  # sqrt(2 / inputs)
    0.1
    """

    _arguments = (2.0, "fan_in", "truncated_normal")


@export(v2=("keras.initializers.HeUniform", "keras.initializers.he_uniform"))
class HeUniform(_Scaled):
    """Uniform numbers of variance 2 over the inputs (He et al., 2015).

    >>> import pullback as tf
    >>> drawn = tf.initializers.HeUniform(seed=1)([6, 100])
    >>> float(tf.reduce_max(tf.abs(drawn))) <= 1.0  # sqrt(6 / inputs)
    True
    """

    _arguments = (2.0, "fan_in", "uniform")


@export(v2=("keras.initializers.LecunNormal", "keras.initializers.lecun_normal"))
class LecunNormal(_Scaled):
    """Truncated normal numbers of variance 1 over the inputs (LeCun et al., 1998).

    >>> import pullback as tf
    >>> drawn = tf.initializers.LecunNormal(seed=1)([100, 200])
    >>> round(float(tf.math.reduce_std(drawn)), 2)  # sqrt(1 / inputs)
    0.1
    """

    _arguments = (1.0, "fan_in", "truncated_normal")


@export(v2=("keras.initializers.LecunUniform", "keras.initializers.lecun_uniform"))
class LecunUniform(_Scaled):
    """Uniform numbers of variance 1 over the inputs (LeCun et al., 1998).

    >>> import pullback as tf
    >>> drawn = tf.initializers.LecunUniform(seed=1)([3, 100])
    >>> float(tf.reduce_max(tf.abs(drawn))) <= 1.0  # sqrt(3 / inputs)
    True
    """

    _arguments = (1.0, "fan_in", "uniform")


@export(v2=("keras.initializers.Zeros", "keras.initializers.zeros"))
class Zeros(base.Zeros):
    """Zeros.

    >>> import pullback as tf
    >>> tf.initializers.Zeros()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(self) -> None:
        super().__init__()


@export(v2=("keras.initializers.Ones", "keras.initializers.ones"))
class Ones(base.Ones):
    """Ones.

    >>> import pullback as tf
    >>> tf.initializers.Ones()([2], dtype=tf.int32).numpy()
    array([1, 1], dtype=int32)
    """

    def __init__(self) -> None:
        super().__init__()


@export(v2=("keras.initializers.Constant", "keras.initializers.constant"))
class Constant(base.Constant):
    """A number everywhere.

    >>> import pullback as tf
    >>> tf.initializers.Constant(7.0)([2]).numpy()
    array([7., 7.], dtype=float32)
    """

    def __init__(self, value: Any = 0.0) -> None:
        super().__init__(value)


@export(v2=("keras.initializers.Identity", "keras.initializers.IdentityInitializer", "keras.initializers.identity"))
class Identity(base.Identity):
    """The identity matrix times `gain`.

    >>> import pullback as tf
    >>> tf.initializers.Identity(gain=2.0)([2, 2]).numpy().tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain)


@export(v2=("keras.initializers.STFT", "keras.initializers.STFTInitializer", "keras.initializers.stft"))
class STFT(base.Initializer):
    """One part of a short-time Fourier transform as the kernel of a convolution, [frame_length, 1, fft_length / 2 + 1].

    Element [t, 0, k] is cos(2 pi k t / fft_length), or -sin of it, times the window.

    Args:
        side: "real" or "imag". window: the name of one in `scipy.signal.windows`, its values, or None for no window.
        scaling: "density" divides by the window's Euclidean norm, "spectrum" by the sum of its magnitudes, None by nothing.
        periodic: as SciPy's `get_window` takes it for a window's name.

    Raises:
        ValueError: another side, scaling or window; values of a window of another length than the frame's.

    >>> import pullback as tf
    >>> (tf.initializers.STFT(window=None)([4, 1, 3]).numpy().round(3) + 0.0).tolist()[1]
    [[1.0, 0.0, -1.0]]
    """

    _shown = ("side", "window", "periodic", "scaling")

    def __init__(self, side: str = "real", window: Any = "hann", scaling: str | None = "density", periodic: bool = False) -> None:
        if side not in ("real", "imag"):
            raise ValueError(f"side should be 'real' or 'imag', not {side}")
        if isinstance(window, str):
            _window(window, 1, periodic)
        if scaling not in (None, "density", "spectrum"):
            raise ValueError(f"Scaling is invalid, it must be `None`, 'density' or 'spectrum'. Received scaling={scaling}")
        self.side, self.window, self.scaling, self.periodic = side, window, scaling, periodic
        self.dtype = float32

    def _make(self, shape: tuple[int, ...], dtype: Any) -> Any:
        if len(shape) != 3:
            raise ValueError(f"STFT: the shape is [frame_length, 1, fft_length / 2 + 1]. Received shape={shape}")
        frame, _, bands = shape
        number = np.float32 if dtype.size < 4 else dtype.numpy.type
        frequency = np.arange(bands, dtype=number) / number((bands - 1) * 2)
        angle = number(-2) * np.arange(frame, dtype=number)[:, None, None] * frequency * number(np.pi)
        kernel = np.cos(angle) if self.side == "real" else np.sin(angle)
        if self.window is not None:
            named = isinstance(self.window, str)
            window = np.asarray(_window(self.window, frame, self.periodic) if named else self.window, number)
            if window.shape != (frame,):
                raise ValueError(f"The shape of `window` must be equal to [frame_length].Received: window shape={window.shape}")
            divisor = {None: 1.0, "density": np.sqrt(np.sum(window**2)), "spectrum": np.sum(np.abs(window))}[self.scaling]
            kernel = kernel * window[:, None, None] / number(divisor)
        return convert_to_tensor(kernel.astype(dtype.numpy))


def _window(name: str, length: int, periodic: bool) -> Any:
    from scipy.signal import get_window

    return get_window(name, length, periodic)


@export(v2="random_normal_initializer")
class RandomNormalV2(base.RandomNormal):
    """`tf.random_normal_initializer`: stateless with a seed, by the global seed without one.

    >>> import pullback as tf
    >>> initializer = tf.random_normal_initializer(stddev=2.0, seed=1)
    >>> bool(tf.reduce_all(initializer([2, 3]) == initializer([2, 3])))
    True
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> None:
        super().__init__(mean, stddev, seed)
        self.stateful = seed is None


@export(v2="random_uniform_initializer")
class RandomUniformV2(base.RandomUniform):
    """`tf.random_uniform_initializer`: stateless with a seed, by the global seed without one.

    >>> import pullback as tf
    >>> drawn = tf.random_uniform_initializer(2.0, 3.0, seed=1)([1000])
    >>> bool(tf.reduce_all((drawn >= 2.0) & (drawn < 3.0)))
    True
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> None:
        super().__init__(minval, maxval, seed)
        self.stateful = seed is None


@export(v2="constant_initializer")
class ConstantV2(base.Constant):
    """`tf.constant_initializer`: of the values' own dtype where none is asked for.

    >>> import pullback as tf
    >>> tf.constant_initializer([1.0, 2.0, 3.0, 4.0])([2, 2]).numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        super().__init__(value, None)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: Any = None, **kwargs: Any) -> Any:
        """The value: a tensor of `shape`, of `dtype` (that of the numbers when None)."""
        return constant(self.value, dtype, base.sizes(shape))


_BY_NAME = {
    name: kind
    for kind in (
        Constant, GlorotNormal, GlorotUniform, HeNormal, HeUniform, Identity, LecunNormal, LecunUniform, Ones, Orthogonal, RandomNormal,
        RandomUniform, TruncatedNormal, VarianceScaling, Zeros,
    )
    for name in (kind.__name__, "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__).lstrip("_"))
} | {"STFT": STFT, "stft": STFT}  # fmt: skip


@export(v2="keras.initializers.get")
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
