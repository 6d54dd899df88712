"""The names of `tf.compat.v1.initializers`."""

from ...api.collections import global_variables, local_variables, tables_initializer
from ...interop.names import missing as _missing
from ...ops.array_basic import identity
from ...ops.constant import constant
from ...ops.random import normal as random_normal
from ...ops.random import truncated_normal
from ...ops.random import uniform as random_uniform

__all__ = [
    "constant",
    "global_variables",
    "identity",
    "local_variables",
    "random_normal",
    "random_uniform",
    "tables_initializer",
    "truncated_normal",
]

__getattr__ = _missing("tf1.initializers", __all__)
