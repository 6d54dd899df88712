"""The names of `tf.random.experimental`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....nn.generator import Generator, create_rng_state, get_global_generator, set_global_generator
    from ....ops.random.algorithm import Algorithm
    from ....ops.random.index_shuffle import index_shuffle
    from ....ops.random.stateless_draws import fold_in as stateless_fold_in
    from ....ops.random.stateless_draws import split as stateless_split
    from ....ops.random.stateless_draws import stateless_shuffle

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

__getattr__ = _missing("tf.random.experimental", __all__, __name__)
