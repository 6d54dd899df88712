"""The names of `pullback.compat.v1.logging`, written by docs/make_exports.py."""

from pullback.tensorflow.logging import DEBUG
from pullback.tensorflow.logging import ERROR
from pullback.tensorflow.logging import FATAL
from pullback.tensorflow.logging import INFO
from pullback.tensorflow.logging import TaskLevelStatusMessage
from pullback.tensorflow.logging import WARN
from pullback.tensorflow.logging import debug
from pullback.tensorflow.logging import error
from pullback.tensorflow.logging import fatal
from pullback.tensorflow.logging import flush
from pullback.tensorflow.logging import get_verbosity
from pullback.tensorflow.logging import info
from pullback.tensorflow.logging import log
from pullback.tensorflow.logging import log_every_n
from pullback.tensorflow.logging import log_first_n
from pullback.tensorflow.logging import log_if
from pullback.tensorflow.logging import set_verbosity
from pullback.tensorflow.logging import vlog
from pullback.tensorflow.logging import warning as warn
from pullback.tensorflow.logging import warning

__all__ = [
    "DEBUG",
    "ERROR",
    "FATAL",
    "INFO",
    "TaskLevelStatusMessage",
    "WARN",
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
