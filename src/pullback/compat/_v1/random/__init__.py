"""The names of `tf.compat.v1.random`."""

from ....compat.legacy.random import multinomial, set_random_seed, stateless_multinomial
from ....compat.legacy.random import random_poisson as poisson
from ....interop.names import missing as _missing
from ....nn.generator import Generator, create_rng_state, get_global_generator, set_global_generator
from ....ops.random import categorical, gamma, normal, shuffle, truncated_normal, uniform
from ....ops.random_seed import get_seed
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
    "get_seed",
    "multinomial",
    "normal",
    "poisson",
    "set_global_generator",
    "set_random_seed",
    "shuffle",
    "split",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_multinomial",
    "stateless_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
]

__getattr__ = _missing("tf1.random", __all__)
