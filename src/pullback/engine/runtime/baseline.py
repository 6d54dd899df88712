"""A program that somebody waits for begins with baseline code, and takes optimised code as soon as there is some.

Both are made of the same text, so their results are the same bits, but for the signs of NaNs.  Baseline code is that of LLVM's level 0,
which takes a fourth or a fifth of the time of level 1.  Calls take as long, or half as long again, and three to four times as long where
many sums are held in registers from one turn of a loop to the next.  The code is compiled again on the thread of compiles that nobody
waits for (`background`), a moment later: a process that has ended by then has no use for it.

Nothing else of a program changes.  The disk keeps baseline code, with its text, until there is better: a process that finds it begins with
it, and does the rest.
"""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any

from ..background import COMPILER
from ..jit_policy import Settings
from .objects import load_cached
from .symbols import addresses

if TYPE_CHECKING:
    from .layout import Native
    from .loaded import Loaded

#: What baseline code saves: seconds for any text, and for each character; and the seconds it takes longer for a plain operation.
_SAVED, _SAVED_BY_CHARACTER, _SLOWER = 4e-3, 1.2e-7, 2e-11
#: Seconds after which a program is compiled again.
_MOMENT = 0.1
#: The segments that run baseline code.
_BEGUN: weakref.WeakKeyDictionary[Native, Loaded] = weakref.WeakKeyDictionary()


def is_worthwhile(text: str, work: int) -> bool:
    """Whether baseline code of a text gives the first answer sooner; work: how many plain operations a call takes in it."""
    return Settings.baseline and not COMPILER.is_current() and work * _SLOWER < _SAVED + len(text) * _SAVED_BY_CHARACTER


def order_optimised(native: Native, code: Loaded) -> None:
    """Have a segment that runs baseline code run optimised code as soon as there is some, which all segments of a program share."""
    known = weakref.ref(native)
    _BEGUN[native] = code

    def optimise() -> None:
        found = known()
        if found is None:
            return
        if code.optimised is None:
            assert code.source is not None
            code.optimised, code.source = load_cached(code.source, addresses), None
        found.take_code(code.optimised)
        del _BEGUN[found]

    COMPILER.submit(known, optimise, _MOMENT)


def is_begun(native: Any) -> bool:
    """Whether a segment still runs baseline code."""
    return native in _BEGUN


def _order_again() -> None:
    """In a child of a fork, which has none of its parent's threads."""
    for native, code in [*_BEGUN.items()]:
        order_optimised(native, code)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_order_again)
