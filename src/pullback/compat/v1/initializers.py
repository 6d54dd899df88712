"""The names of `tf.compat.v1.initializers`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...api.collections import global_variables, local_variables, tables_initializer
    from ...api.collections import variables_initializer as variables
    from ...nn.initializers import Constant as constant
    from ...nn.initializers import GlorotNormal as glorot_normal
    from ...nn.initializers import GlorotUniform as glorot_uniform
    from ...nn.initializers import Identity as identity
    from ...nn.initializers import Ones as ones
    from ...nn.initializers import Orthogonal as orthogonal
    from ...nn.initializers import RandomNormal as random_normal
    from ...nn.initializers import RandomUniform as random_uniform
    from ...nn.initializers import TruncatedNormal as truncated_normal
    from ...nn.initializers import UniformUnitScaling as uniform_unit_scaling
    from ...nn.initializers import VarianceScaling as variance_scaling
    from ...nn.initializers import Zeros as zeros
    from ...nn.initializers import he_normal, he_uniform, lecun_normal, lecun_uniform

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

__getattr__ = _missing("tf1.initializers", __all__, __name__)
