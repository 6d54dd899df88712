"""`tf.logging`: TensorFlow 1's logging functions over Python's logger "tensorflow"."""

from __future__ import annotations

import logging as _logging
import sys
from collections import Counter
from typing import Any

DEBUG = _logging.DEBUG
INFO = _logging.INFO
WARN = _logging.WARNING
ERROR = _logging.ERROR
FATAL = _logging.FATAL


class _Stderr(_logging.Handler):
    """Writes to whatever standard error is when a record comes."""

    def emit(self, record: _logging.LogRecord) -> None:
        sys.stderr.write(self.format(record) + "\n")


def get_logger() -> _logging.Logger:
    """The logger that messages go to; programs may give it handlers of their own."""
    logger = _logging.getLogger("tensorflow")
    if not logger.handlers and not _logging.getLogger().handlers:
        handler = _Stderr()
        handler.setFormatter(_logging.Formatter("%(levelname)s:%(name)s:%(message)s"))
        logger.addHandler(handler)
        logger.propagate = False
    return logger


def log(level: int, msg: Any, *args: Any) -> None:
    """Log a message at a level."""
    get_logger().log(level, msg, *args)


def debug(msg: Any, *args: Any) -> None:
    """Log a message that helps to find a mistake."""
    log(DEBUG, msg, *args)


def info(msg: Any, *args: Any) -> None:
    """Log what goes on."""
    log(INFO, msg, *args)


def warning(msg: Any, *args: Any) -> None:
    """Log what may be wrong."""
    log(WARN, msg, *args)


warn = warning


def error(msg: Any, *args: Any) -> None:
    """Log what is wrong."""
    log(ERROR, msg, *args)


def fatal(msg: Any, *args: Any) -> None:
    """Log what ends the program's use; it does not end the program."""
    log(FATAL, msg, *args)


def vlog(level: int, msg: Any, *args: Any) -> None:
    """Log at a level of Python's logging."""
    log(level, msg, *args)


_seen: Counter[Any] = Counter()


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log the 1st, (n+1)st, (2n+1)st time that this line is reached."""
    times = _count_caller()
    if times % n == 0:
        log(level, msg, *args)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log only the first `n` times that this line is reached."""
    if _count_caller() < n:
        log(level, msg, *args)


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Log where a condition holds."""
    if condition:
        log(level, msg, *args)


def _count_caller() -> int:
    frame = sys._getframe(2)
    key = (frame.f_code.co_filename, frame.f_lineno)
    _seen[key] += 1
    return _seen[key] - 1


def flush() -> None:
    """Write out what handlers hold back."""
    for handler in get_logger().handlers:
        handler.flush()


def get_verbosity() -> int:
    """The level below which nothing is shown."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Show messages of this level and above."""
    get_logger().setLevel(v)
