"""`tf.logging`: TensorFlow 1's logging functions over Python's logger "tensorflow"."""

from __future__ import annotations

import logging as _logging
import sys
from collections import Counter
from typing import Any

from ..base.export import export
from ..ir.node import user_caller
from ..ir.tensor import TensorLike

DEBUG = export(v1="logging.DEBUG")(_logging.DEBUG)
INFO = export(v1="logging.INFO")(_logging.INFO)
WARN = export(v1="logging.WARN")(_logging.WARNING)
ERROR = export(v1="logging.ERROR")(_logging.ERROR)
FATAL = export(v1="logging.FATAL")(_logging.FATAL)


class _Stderr(_logging.Handler):
    """Writes to whatever standard error is when a record comes."""

    def emit(self, record: _logging.LogRecord) -> None:
        sys.stderr.write(self.format(record) + "\n")


@export("get_logger")
def get_logger() -> _logging.Logger:
    """The logger that messages go to; programs may give it handlers of their own.

    >>> tf.get_logger().name
    'tensorflow'
    """
    logger = _logging.getLogger("tensorflow")
    if not logger.handlers and not _logging.getLogger().handlers:
        handler = _Stderr()
        handler.setFormatter(_logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
        logger.addHandler(handler)
        logger.propagate = False
    return logger


@export(v1="logging.log")
def log(level: int, msg: object, *args: Any) -> None:
    """Log a message at a level.

    >>> tf.compat.v1.logging.log(tf.compat.v1.logging.DEBUG, "%d steps", 3)
    """
    get_logger().log(level, msg, *args)


@export(v1="logging.debug")
def debug(msg: object, *args: Any) -> None:
    """Log a message that helps to find a mistake.

    >>> tf.compat.v1.logging.debug("the gradient is %s", [1.0, 2.0])
    """
    log(DEBUG, msg, *args)


@export(v1="logging.info")
def info(msg: object, *args: Any) -> None:
    """Log what goes on.

    >>> tf.compat.v1.logging.info("step %d of %d", 3, 10)  # where shown: INFO:tensorflow:step 3 of 10
    """
    log(INFO, msg, *args)


@export(v1=("logging.warn", "logging.warning"))
def warning(msg: object, *args: Any) -> None:
    """Log what may be wrong.

    >>> tf.compat.v1.logging.warning("the loss is %f", 1e30)  # on standard error: WARNING:tensorflow:the loss is ...
    """
    log(WARN, msg, *args)


@export(v1="logging.error")
def error(msg: object, *args: Any) -> None:
    """Log what is wrong.

    >>> tf.compat.v1.logging.error("no file %s", "data")  # on standard error: ERROR:tensorflow:no file data
    """
    log(ERROR, msg, *args)


@export(v1="logging.fatal")
def fatal(msg: object, *args: Any) -> None:
    """Log what ends the program's use; it does not end the program.

    >>> tf.compat.v1.logging.fatal("the loss is not a number")  # on standard error: CRITICAL:tensorflow:the loss is not a number
    """
    log(FATAL, msg, *args)


@export(v1="logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg: object) -> None:
    """Log the state of a task, as an error.

    >>> tf.compat.v1.logging.TaskLevelStatusMessage("diverged")  # on standard error: ERROR:tensorflow:diverged
    """
    error(msg)


@export(v1="logging.vlog")
def vlog(level: int, msg: object, *args: Any) -> None:
    """Log at a level of Python's logging.

    >>> tf.compat.v1.logging.vlog(1, "seen only at the lowest levels")
    """
    log(level, msg, *args)


_seen: Counter[Any] = Counter()


@export(v1="logging.log_every_n")
def log_every_n(level: int, msg: object, n: int, *args: Any) -> None:
    """Log the 1st, (n+1)st, (2n+1)st time that this line is reached.

    >>> for step in range(6):
    ...     tf.compat.v1.logging.log_every_n(tf.compat.v1.logging.INFO, "step %d", 3, step)  # steps 0 and 3
    """
    times = _count_caller()
    if times % n == 0:
        log(level, msg, *args)


@export(v1="logging.log_first_n")
def log_first_n(level: int, msg: object, n: int, *args: Any) -> None:
    """Log only the first `n` times that this line is reached.

    >>> for step in range(6):
    ...     tf.compat.v1.logging.log_first_n(tf.compat.v1.logging.INFO, "step %d", 2, step)  # steps 0 and 1
    """
    if _count_caller() < n:
        log(level, msg, *args)


@export(v1="logging.log_if")
def log_if(level: int, msg: object, condition: TensorLike, *args: Any) -> None:
    """Log where a condition holds.

    >>> for step in range(6):
    ...     tf.compat.v1.logging.log_if(tf.compat.v1.logging.INFO, "step %d", step == 5, step)  # step 5
    """
    if condition:
        log(level, msg, *args)


def _count_caller() -> int:
    frame = user_caller()
    key = ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    _seen[key] += 1
    return _seen[key] - 1


@export(v1="logging.flush")
def flush() -> None:
    """Write out what handlers hold back.

    >>> tf.compat.v1.logging.flush()
    """
    for handler in get_logger().handlers:
        handler.flush()


@export(v1="logging.get_verbosity")
def get_verbosity() -> int:
    """The level below which nothing is shown.

    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    >>> tf.compat.v1.logging.get_verbosity() == tf.compat.v1.logging.ERROR
    True
    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.WARN)
    """
    return get_logger().getEffectiveLevel()


@export(v1="logging.set_verbosity")
def set_verbosity(v: int) -> None:
    """Show messages of this level and above.

    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    >>> tf.compat.v1.logging.warning("nobody sees this")
    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.WARN)
    """
    get_logger().setLevel(v)
