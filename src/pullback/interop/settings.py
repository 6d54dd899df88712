"""Settings of TensorFlow's runtime that there is one answer to here: they are taken, and told back.

There is one device, operations run in order, floats are computed in their own precision and the same program gives the same
numbers each time, whatever is set.
"""

from __future__ import annotations

from typing import Any

from ..base.export import export
from ..engine.jit_policy import Settings
from ..ir.tracebacks import filtering

_set: dict[str, Any] = {"soft placement": True, "tensor float 32": True, "synchronous": True, "log placement": False}


@export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Whether a device that is not there may be another, as it was set; the CPU runs everything.

    >>> tf.config.get_soft_device_placement()
    True
    """
    return bool(_set["soft placement"])


@export("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Say whether a device that is not there may be another.

    >>> tf.config.set_soft_device_placement(True)
    >>> tf.config.get_soft_device_placement()
    True
    """
    _set["soft placement"] = bool(enabled)


@export("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """Whether products may be computed in TensorFloat-32, as it was set; no CPU does.

    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    return bool(_set["tensor float 32"])


@export("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Say whether products may be computed in TensorFloat-32.

    >>> tf.config.experimental.enable_tensor_float_32_execution(True)
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    _set["tensor float 32"] = bool(enabled)


@export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """Whether each operation is done before the next begins, as it was set; it always is.

    >>> tf.config.experimental.get_synchronous_execution()
    True
    """
    return bool(_set["synchronous"])


@export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool) -> None:
    """Say whether each operation has to be done before the next begins.

    >>> tf.config.experimental.set_synchronous_execution(True)
    >>> tf.config.experimental.get_synchronous_execution()
    True
    """
    _set["synchronous"] = bool(enable)


@export("config.experimental.enable_op_determinism")
def enable_op_determinism() -> None:
    """Have programs give the same bits each time they run.

    Operations do so anyway.  Functions, sessions and large eager kernels are compiled at their first call from now on, which waits for it:
    otherwise the clock decides at which call native code takes over, whose results may differ from the kernels' by rounding.

    >>> tf.config.experimental.enable_op_determinism()
    """
    Settings.repeats_bits = True


def disable_op_determinism() -> None:
    """Let the clock decide again at which call native code takes over.

    >>> disable_op_determinism()
    >>> is_op_determinism_enabled()
    False
    """
    Settings.repeats_bits = False


def is_op_determinism_enabled() -> bool:
    """Whether programs give the same bits each time they run."""
    return Settings.repeats_bits


@export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """Whether the devices of operations are to be logged, as it was set; there is one, so nothing is.

    >>> tf.debugging.get_log_device_placement()
    False
    """
    return bool(_set["log placement"])


@export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Say whether the devices of operations are to be logged.

    >>> tf.debugging.set_log_device_placement(False)
    >>> tf.debugging.get_log_device_placement()
    False
    """
    _set["log placement"] = bool(enabled)


@export("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """Whether errors of this thread leave out the library's own frames, so that they end at the program's line; they do at first.

    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    return filtering.enabled


@export("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Let errors of this thread leave out the library's own frames.

    >>> tf.debugging.enable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    filtering.enabled = True


@export("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Let errors of this thread have all frames, those of the library too.

    >>> tf.debugging.disable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    >>> tf.debugging.enable_traceback_filtering()
    """
    filtering.enabled = False
