"""The names of `tf.compat.v1.logging`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.logging import (
        DEBUG,
        ERROR,
        FATAL,
        INFO,
        WARN,
        TaskLevelStatusMessage,
        debug,
        error,
        fatal,
        flush,
        get_verbosity,
        info,
        log,
        log_every_n,
        log_first_n,
        log_if,
        set_verbosity,
        vlog,
        warn,
        warning,
    )

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "WARN",
    "TaskLevelStatusMessage",
    "debug",
    "error",
    "fatal",
    "flush",
    "get_verbosity",
    "info",
    "log",
    "log_every_n",
    "log_first_n",
    "log_if",
    "set_verbosity",
    "vlog",
    "warn",
    "warning",
]

__getattr__ = _missing("tf1.logging", __all__, __name__)
