"""The names of `tf.random`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....nn.generator import Generator, create_rng_state, get_global_generator, set_global_generator
    from ....ops.random.algorithm import Algorithm
    from ....ops.random.binomial import stateless_binomial
    from ....ops.random.candidate import (
        all_candidate_sampler,
        fixed_unigram_candidate_sampler,
        learned_unigram_candidate_sampler,
        log_uniform_candidate_sampler,
        uniform_candidate_sampler,
    )
    from ....ops.random.functions import categorical, gamma, normal, poisson, shuffle, truncated_normal, uniform
    from ....ops.random.seed import set_seed
    from ....ops.random.stateless_draws import (
        fold_in,
        split,
        stateless_categorical,
        stateless_gamma,
        stateless_normal,
        stateless_poisson,
        stateless_truncated_normal,
        stateless_uniform,
    )
    from ....ops.random.truncated import stateless_parameterized_truncated_normal
    from . import experimental

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

__getattr__ = _missing("tf.random", __all__, __name__)
