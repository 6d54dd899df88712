"""How far the engine's code may differ from the eager kernel that it takes the place of, and after how many calls: said on an operation's
record.  Without it, code takes the kernel's place only if it gives the same bits.

`Units` are for kernels that go element by element: units in the last place of the result's dtype, of complex numbers that of their
modulus.  `Sums` are for kernels that add or multiply up many numbers, whose order is another in native code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

#: Units in the last place: where two ways both round well; and where NumPy's or SciPy's may itself be wrong by as much (tests hold native
#: code to what is true).
ROUNDED, WRONG = 4, 1 << 10


class Units(NamedTuple):
    """Of an element-wise kernel, by kind of dtype: units by which code that is made at the first call with a large array may differ.

    real: for float32 and float64.  narrow: for float16 and bfloat16, where native code rounds once, after float32; it may give the other
    zero.  of_complex: for complex numbers.  later: for floats, once the kernel has been called often enough.  amplitude: of the arguments,
    what takes the place of the result in the size of a unit, beside whose roots digits are lost that it has.  costly: whether an element
    takes so long that small blocks pay.  block: of how many numbers those are, where NumPy's way takes so long that smaller ones pay still.
    """

    real: int = 0
    narrow: int = 0
    of_complex: int = 0
    later: int = 0
    amplitude: Callable[..., Any] | None = None
    costly: bool = False
    block: int = 0

    def at_once(self, dtype: np.dtype[Any]) -> int:
        """Units by which code that is made at the first call may differ."""
        if dtype.kind == "c":
            return self.of_complex
        return self.narrow if dtype.itemsize == 2 and self.narrow else self.real

    def in_time(self, dtype: np.dtype[Any]) -> int:
        """Units by which code that is made after some calls may differ."""
        return self.later if self.later and dtype.kind == "f" else self.at_once(dtype)


class Sums(NamedTuple):
    """Of a kernel that adds up or multiplies up: its program may differ by the rounding of that.

    calls: how many with arrays of these shapes come before it is made, and is used without a look at what the kernel gives; None for as
    many as of any kernel, and a look.  large: only where an array is large do those few calls do.
    """

    calls: int | None = None
    large: bool = False


EXACT = Units()
#: Special functions, SciPy's: a loop of calls there.
SPECIAL = Units(real=WRONG, costly=True)
#: Those that are hundreds of NumPy's passes.
LONG = Units(real=WRONG, costly=True, block=64)
#: Complex functions, which NumPy computes one by one.
OF_COMPLEX = Units(of_complex=ROUNDED)
#: Functions of floats and complex numbers, for which NumPy takes up to thirty times as long where it has no vectors of 512 bits for them.
FUNCTION = Units(of_complex=ROUNDED, later=ROUNDED, costly=True)
#: The same, of which NumPy's complex ones are not so good beside a pole or a branch point.
FUNCTION_NEAR = FUNCTION._replace(of_complex=WRONG)
#: Kernels of several passes: of narrow floats, of all floats, and where it pays only in the long run.
NARROW = Units(narrow=ROUNDED)
SLOW = Units(real=ROUNDED, narrow=ROUNDED)
LATER = Units(later=ROUNDED)
#: Sums, those for which NumPy takes three to ten times as long, and sums of products.
SUMS = Sums()
SUMS_SOON = Sums(calls=0)
PRODUCTS = Sums(calls=1, large=True)


def with_amplitude(amplitude: Callable[..., Any]) -> Units:
    """A special function with roots, whose unit there is that of its amplitude."""
    return SPECIAL._replace(amplitude=amplitude)


Tolerance = Units | Sums
