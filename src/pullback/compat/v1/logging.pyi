"""The names of `pullback.compat.v1.logging`, written by docs/make_exports.py."""

from pullback.tensorflow.logging import DEBUG as DEBUG
from pullback.tensorflow.logging import ERROR as ERROR
from pullback.tensorflow.logging import FATAL as FATAL
from pullback.tensorflow.logging import INFO as INFO
from pullback.tensorflow.logging import TaskLevelStatusMessage as TaskLevelStatusMessage
from pullback.tensorflow.logging import WARN as WARN
from pullback.tensorflow.logging import debug as debug
from pullback.tensorflow.logging import error as error
from pullback.tensorflow.logging import fatal as fatal
from pullback.tensorflow.logging import flush as flush
from pullback.tensorflow.logging import get_verbosity as get_verbosity
from pullback.tensorflow.logging import info as info
from pullback.tensorflow.logging import log as log
from pullback.tensorflow.logging import log_every_n as log_every_n
from pullback.tensorflow.logging import log_first_n as log_first_n
from pullback.tensorflow.logging import log_if as log_if
from pullback.tensorflow.logging import set_verbosity as set_verbosity
from pullback.tensorflow.logging import vlog as vlog
from pullback.tensorflow.logging import warning as warn
from pullback.tensorflow.logging import warning as warning

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
