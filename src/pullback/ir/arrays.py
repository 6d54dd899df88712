"""The few things a sweep does with arrays when nobody listens: add them, wrap them, keep NumPy quiet.

`transforms` never imports NumPy: rules are written in ops.  This is all it may do below them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..base.dtypes import FLOAT_OR_COMPLEX
from .tensor import EagerTensor

ndarray = np.ndarray
add_arrays = np.add
_ARRAYS = frozenset({np.ndarray, *(dtype.as_numpy_dtype for dtype in FLOAT_OR_COMPLEX)})


def is_array(value: object) -> bool:
    """Whether `value` is an array or a NumPy scalar of a dtype that gradients have."""
    return type(value) in _ARRAYS


def wrap_array(value: object) -> Any:
    """An array as an eager tensor; anything else as it is."""
    return EagerTensor(np.asarray(value)) if type(value) in _ARRAYS else value


def copy_array(value: object) -> Any:
    """An array, or a number as one, that is nobody else's."""
    return np.array(value)


def _hushers() -> tuple[Callable[[], Any], Callable[[Any], None]]:
    """What turns floating-point warnings off, and what turns them back to what the first returned.

    `numpy.errstate` does no more, but makes its settings anew each time, which costs as much as a small program.
    """
    try:
        from numpy._core import umath

        settings: Any = umath._extobj_contextvar  # where errstate keeps them
        nothing = umath._make_extobj(all="ignore")
    except (ImportError, AttributeError, TypeError):  # this NumPy keeps them elsewhere
        return lambda: np.seterr(all="ignore"), _set_back
    return partial(settings.set, nothing), settings.reset


def _set_back(before: Any) -> None:
    np.seterr(**before)


hush, unhush = _hushers()
