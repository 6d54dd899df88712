"""The names of `pullback.compat.v1.initializers`, written by docs/make_exports.py."""

from pullback.api.collections import global_variables as global_variables
from pullback.api.collections import local_variables as local_variables
from pullback.api.collections import tables_initializer as tables_initializer
from pullback.api.collections import variables_initializer as variables
from pullback.api.initializers import Constant as constant
from pullback.api.initializers import GlorotNormal as glorot_normal
from pullback.api.initializers import GlorotUniform as glorot_uniform
from pullback.api.initializers import Identity as identity
from pullback.api.initializers import Ones as ones
from pullback.api.initializers import Orthogonal as orthogonal
from pullback.api.initializers import RandomNormal as random_normal
from pullback.api.initializers import RandomUniform as random_uniform
from pullback.api.initializers import TruncatedNormal as truncated_normal
from pullback.api.initializers import UniformUnitScaling as uniform_unit_scaling
from pullback.api.initializers import VarianceScaling as variance_scaling
from pullback.api.initializers import Zeros as zeros
from pullback.api.initializers import he_normal as he_normal
from pullback.api.initializers import he_uniform as he_uniform
from pullback.api.initializers import lecun_normal as lecun_normal
from pullback.api.initializers import lecun_uniform as lecun_uniform

__all__ = [
    "constant",
    "global_variables",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "local_variables",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "tables_initializer",
    "truncated_normal",
    "uniform_unit_scaling",
    "variables",
    "variance_scaling",
    "zeros",
]
