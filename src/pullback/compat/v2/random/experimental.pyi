"""The names of `pullback.compat.v2.random.experimental`, written by docs/make_exports.py."""

from pullback.nn.generator import Generator as Generator
from pullback.nn.generator import create_rng_state as create_rng_state
from pullback.nn.generator import get_global_generator as get_global_generator
from pullback.nn.generator import set_global_generator as set_global_generator
from pullback.ops.random.algorithm import Algorithm as Algorithm
from pullback.ops.random.index_shuffle import index_shuffle as index_shuffle
from pullback.ops.random.stateless_draws import fold_in as stateless_fold_in
from pullback.ops.random.stateless_draws import split as stateless_split
from pullback.ops.random.stateless_draws import stateless_shuffle as stateless_shuffle

__all__ = [
    "Algorithm",
    "Generator",
    "create_rng_state",
    "get_global_generator",
    "index_shuffle",
    "set_global_generator",
    "stateless_fold_in",
    "stateless_shuffle",
    "stateless_split",
]
