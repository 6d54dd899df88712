"""The names of `pullback.compat.v1.logging`, written by docs/make_exports.py."""

from pullback.interop.logging import DEBUG
from pullback.interop.logging import ERROR
from pullback.interop.logging import FATAL
from pullback.interop.logging import INFO
from pullback.interop.logging import TaskLevelStatusMessage
from pullback.interop.logging import WARN
from pullback.interop.logging import debug
from pullback.interop.logging import error
from pullback.interop.logging import fatal
from pullback.interop.logging import flush
from pullback.interop.logging import get_verbosity
from pullback.interop.logging import info
from pullback.interop.logging import log
from pullback.interop.logging import log_every_n
from pullback.interop.logging import log_first_n
from pullback.interop.logging import log_if
from pullback.interop.logging import set_verbosity
from pullback.interop.logging import vlog
from pullback.interop.logging import warning as warn
from pullback.interop.logging import warning

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
