"""The names of `pullback.compat.v2.keras.initializers`, written by docs/make_exports.py."""

from pullback.nn.initializers import Initializer
from pullback.nn.keras_configs import deserialize
from pullback.nn.keras_configs import serialize
from pullback.nn.keras_initializers import Constant
from pullback.nn.keras_initializers import Constant as constant
from pullback.nn.keras_initializers import GlorotNormal
from pullback.nn.keras_initializers import GlorotNormal as glorot_normal
from pullback.nn.keras_initializers import GlorotUniform
from pullback.nn.keras_initializers import GlorotUniform as glorot_uniform
from pullback.nn.keras_initializers import HeNormal
from pullback.nn.keras_initializers import HeNormal as he_normal
from pullback.nn.keras_initializers import HeUniform
from pullback.nn.keras_initializers import HeUniform as he_uniform
from pullback.nn.keras_initializers import Identity
from pullback.nn.keras_initializers import Identity as IdentityInitializer
from pullback.nn.keras_initializers import Identity as identity
from pullback.nn.keras_initializers import LecunNormal
from pullback.nn.keras_initializers import LecunNormal as lecun_normal
from pullback.nn.keras_initializers import LecunUniform
from pullback.nn.keras_initializers import LecunUniform as lecun_uniform
from pullback.nn.keras_initializers import Ones
from pullback.nn.keras_initializers import Ones as ones
from pullback.nn.keras_initializers import Orthogonal
from pullback.nn.keras_initializers import Orthogonal as OrthogonalInitializer
from pullback.nn.keras_initializers import Orthogonal as orthogonal
from pullback.nn.keras_initializers import RandomNormal
from pullback.nn.keras_initializers import RandomNormal as random_normal
from pullback.nn.keras_initializers import RandomUniform
from pullback.nn.keras_initializers import RandomUniform as random_uniform
from pullback.nn.keras_initializers import STFT
from pullback.nn.keras_initializers import STFT as STFTInitializer
from pullback.nn.keras_initializers import STFT as stft
from pullback.nn.keras_initializers import TruncatedNormal
from pullback.nn.keras_initializers import TruncatedNormal as truncated_normal
from pullback.nn.keras_initializers import VarianceScaling
from pullback.nn.keras_initializers import VarianceScaling as variance_scaling
from pullback.nn.keras_initializers import Zeros
from pullback.nn.keras_initializers import Zeros as zeros
from pullback.nn.keras_initializers import get

__all__ = [
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
    "STFT",
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
