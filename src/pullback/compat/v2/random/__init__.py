"""The names of `tf.random`."""

from ....interop.names import missing as _missing
from ....nn.generator import Generator, create_rng_state, get_global_generator, set_global_generator
from ....ops.random import categorical, gamma, normal, poisson, shuffle, truncated_normal, uniform
from ....ops.random_seed import set_seed
from ....ops.random_stateless_draws import (
    fold_in,
    split,
    stateless_categorical,
    stateless_gamma,
    stateless_normal,
    stateless_poisson,
    stateless_truncated_normal,
    stateless_uniform,
)
from . import experimental

__all__ = [
    "Generator",
    "categorical",
    "create_rng_state",
    "experimental",
    "fold_in",
    "gamma",
    "get_global_generator",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]

__getattr__ = _missing("tf.random", __all__)
