"""The names of `tf.keras.initializers`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....nn.initializers import Initializer
    from ....nn.keras_configs import deserialize, serialize
    from ....nn.keras_initializers import (
        STFT,
        Constant,
        GlorotNormal,
        GlorotUniform,
        HeNormal,
        HeUniform,
        Identity,
        LecunNormal,
        LecunUniform,
        Ones,
        Orthogonal,
        RandomNormal,
        RandomUniform,
        TruncatedNormal,
        VarianceScaling,
        Zeros,
        get,
    )
    from ....nn.keras_initializers import STFT as STFTInitializer
    from ....nn.keras_initializers import STFT as stft
    from ....nn.keras_initializers import Constant as constant
    from ....nn.keras_initializers import GlorotNormal as glorot_normal
    from ....nn.keras_initializers import GlorotUniform as glorot_uniform
    from ....nn.keras_initializers import HeNormal as he_normal
    from ....nn.keras_initializers import HeUniform as he_uniform
    from ....nn.keras_initializers import Identity as IdentityInitializer
    from ....nn.keras_initializers import Identity as identity
    from ....nn.keras_initializers import LecunNormal as lecun_normal
    from ....nn.keras_initializers import LecunUniform as lecun_uniform
    from ....nn.keras_initializers import Ones as ones
    from ....nn.keras_initializers import Orthogonal as OrthogonalInitializer
    from ....nn.keras_initializers import Orthogonal as orthogonal
    from ....nn.keras_initializers import RandomNormal as random_normal
    from ....nn.keras_initializers import RandomUniform as random_uniform
    from ....nn.keras_initializers import TruncatedNormal as truncated_normal
    from ....nn.keras_initializers import VarianceScaling as variance_scaling
    from ....nn.keras_initializers import Zeros as zeros

__all__ = [
    "STFT",
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "Identity",
    "IdentityInitializer",
    "Initializer",
    "LecunNormal",
    "LecunUniform",
    "Ones",
    "Orthogonal",
    "OrthogonalInitializer",
    "RandomNormal",
    "RandomUniform",
    "STFTInitializer",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "constant",
    "deserialize",
    "get",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "serialize",
    "stft",
    "truncated_normal",
    "variance_scaling",
    "zeros",
]

__getattr__ = _missing("tf.keras.initializers", __all__, __name__)
