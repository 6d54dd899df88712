"""`tf.data.Options`: how datasets are gone through.

All of TensorFlow's options are taken.  What changes here is whether `shuffle` before `repeat` shuffles across the ends of the
repetitions; the others are about how fast TensorFlow works.  Elements always come in one order.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, ClassVar

from ...base.export import export
from .source import Pass, Source
from .structure import Element


@export("data.experimental.AutotuneAlgorithm")
class AutotuneAlgorithm(enum.Enum):
    """How TensorFlow tunes the sizes of buffers.

    >>> tf.data.experimental.AutotuneAlgorithm.HILL_CLIMB.value
    1
    """

    DEFAULT, HILL_CLIMB, GRADIENT_DESCENT, MAX_PARALLELISM, STAGE_BASED = range(5)


@export("data.experimental.AutoShardPolicy")
class AutoShardPolicy(enum.IntEnum):
    """How TensorFlow parts a dataset among workers.

    >>> int(tf.data.experimental.AutoShardPolicy.OFF)
    -1
    """

    OFF, AUTO, FILE, DATA, HINT = range(-1, 4)


@export("data.experimental.ExternalStatePolicy")
class ExternalStatePolicy(enum.Enum):
    """What TensorFlow says of functions with effects in datasets that are written down.

    >>> tf.data.experimental.ExternalStatePolicy.IGNORE.value
    1
    """

    WARN, IGNORE, FAIL = range(3)


class OptionsBase:
    """Named values; AttributeError for another name."""

    _defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        vars(self).update({name: value() if isinstance(value, type) else value for name, value in self._defaults.items()})

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._defaults and not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = object.__hash__

    def _merge_options(self, other: Any) -> Any:
        made = type(self)()
        for name, default in made._defaults.items():
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, OptionsBase):
                found = mine._merge_options(theirs)
            else:
                found = mine if theirs is None or theirs == default else theirs
            object.__setattr__(made, name, found)
        return made


@export("data.experimental.AutotuneOptions")
class AutotuneOptions(OptionsBase):
    """How TensorFlow tunes itself.

    >>> tf.data.Options().autotune.enabled is None
    True
    """

    _defaults: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("enabled", "cpu_budget", "ram_budget", "autotune_algorithm", "initial_parallelism", "min_parallelism")
    )


@export("data.experimental.DistributeOptions")
class DistributeOptions(OptionsBase):
    """How TensorFlow parts a dataset among machines.

    >>> tf.data.Options().experimental_distribute.num_devices is None
    True
    """

    _defaults: ClassVar[dict[str, Any]] = {"auto_shard_policy": AutoShardPolicy.AUTO, "num_devices": None}


@export("data.experimental.OptimizationOptions")
class OptimizationOptions(OptionsBase):
    """How TensorFlow rewrites datasets.

    >>> tf.data.Options().experimental_optimization.map_fusion is None
    True
    """

    _defaults: ClassVar[dict[str, Any]] = dict.fromkeys(
        (
            "apply_default_optimizations", "filter_fusion", "filter_parallelization", "inject_prefetch", "seq_interleave_prefetch",
            "map_and_batch_fusion", "map_and_filter_fusion", "map_fusion", "map_parallelization", "noop_elimination", "parallel_batch",
            "shuffle_and_repeat_fusion",
        )
    )  # fmt: skip

    def fuses_shuffles(self) -> bool:
        """Whether `shuffle` before `repeat` shuffles across the ends of the repetitions."""
        said = vars(self)["shuffle_and_repeat_fusion"]
        return bool(said) if said is not None else vars(self)["apply_default_optimizations"] is not False


@export("data.ThreadingOptions", "data.experimental.ThreadingOptions")
class ThreadingOptions(OptionsBase):
    """How many threads TensorFlow uses.

    >>> tf.data.Options().threading.private_threadpool_size is None
    True
    """

    _defaults: ClassVar[dict[str, Any]] = dict.fromkeys(("max_intra_op_parallelism", "private_threadpool_size"))


@export("data.experimental.ServiceOptions")
class ServiceOptions(OptionsBase):
    """How TensorFlow's data service works.

    >>> tf.data.Options().experimental_service.pinned is None
    True
    """

    _defaults: ClassVar[dict[str, Any]] = {"pinned": None}


@export("data.Options")
class Options(OptionsBase):
    """Options of a dataset, for `with_options`.

    >>> options = tf.data.Options()
    >>> options.experimental_optimization.shuffle_and_repeat_fusion = False
    >>> options.threading.private_threadpool_size = 2
    >>> dataset = tf.data.Dataset.range(3).with_options(options)
    """

    _defaults: ClassVar[dict[str, Any]] = {
        "autotune": AutotuneOptions, "dataset_name": None, "deterministic": None, "experimental_distribute": DistributeOptions,
        "experimental_external_state_policy": None, "experimental_optimization": OptimizationOptions,
        "experimental_service": ServiceOptions, "experimental_slack": None, "experimental_symbolic_checkpoint": None,
        "experimental_warm_start": None, "framework_type": None, "threading": ThreadingOptions,
    }  # fmt: skip
    experimental_distribute: Any
    experimental_optimization: Any

    @property
    def experimental_deterministic(self) -> Any:
        """The older name of `deterministic`."""
        return vars(self)["deterministic"]

    @experimental_deterministic.setter
    def experimental_deterministic(self, value: object) -> None:
        vars(self)["deterministic"] = value

    @property
    def experimental_threading(self) -> Any:
        """The older name of `threading`."""
        return vars(self)["threading"]

    @experimental_threading.setter
    def experimental_threading(self, value: object) -> None:
        vars(self)["threading"] = value

    def merge(self, options: Options) -> Options:
        """These options, with those that `options` sets in their place."""
        return self._merge_options(options)


def apply_fusing(source: Source, fuses: bool) -> Source:
    """The elements of a source, rewritten or not."""
    if fuses:
        return source

    def elements(run: Pass) -> Iterator[Element]:
        run.fuses = False
        return source.elements(run)

    return Source(elements, source.size)
