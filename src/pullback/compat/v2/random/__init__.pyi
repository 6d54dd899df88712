"""The names of `pullback.compat.v2.random`, written by docs/make_exports.py."""

from pullback.compat.v2.random import experimental as experimental
from pullback.nn.generator import Generator as Generator
from pullback.nn.generator import create_rng_state as create_rng_state
from pullback.nn.generator import get_global_generator as get_global_generator
from pullback.nn.generator import set_global_generator as set_global_generator
from pullback.ops.random.algorithm import Algorithm as Algorithm
from pullback.ops.random.binomial import stateless_binomial as stateless_binomial
from pullback.ops.random.candidate import all_candidate_sampler as all_candidate_sampler
from pullback.ops.random.candidate import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from pullback.ops.random.candidate import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from pullback.ops.random.candidate import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from pullback.ops.random.candidate import uniform_candidate_sampler as uniform_candidate_sampler
from pullback.ops.random.functions import categorical as categorical
from pullback.ops.random.functions import gamma as gamma
from pullback.ops.random.functions import normal as normal
from pullback.ops.random.functions import poisson as poisson
from pullback.ops.random.functions import shuffle as shuffle
from pullback.ops.random.functions import truncated_normal as truncated_normal
from pullback.ops.random.functions import uniform as uniform
from pullback.ops.random.seed import set_seed as set_seed
from pullback.ops.random.stateless_draws import fold_in as fold_in
from pullback.ops.random.stateless_draws import split as split
from pullback.ops.random.stateless_draws import stateless_categorical as stateless_categorical
from pullback.ops.random.stateless_draws import stateless_gamma as stateless_gamma
from pullback.ops.random.stateless_draws import stateless_normal as stateless_normal
from pullback.ops.random.stateless_draws import stateless_poisson as stateless_poisson
from pullback.ops.random.stateless_draws import stateless_truncated_normal as stateless_truncated_normal
from pullback.ops.random.stateless_draws import stateless_uniform as stateless_uniform
from pullback.ops.random.truncated import stateless_parameterized_truncated_normal as stateless_parameterized_truncated_normal

__all__ = [
    "Algorithm",
    "Generator",
    "all_candidate_sampler",
    "categorical",
    "create_rng_state",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fold_in",
    "gamma",
    "get_global_generator",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_gamma",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    "uniform_candidate_sampler",
]
