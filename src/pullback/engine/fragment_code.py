"""A function of arrays of fixed shapes, from a lowering alone: for kernels that do a part of their work natively.

A program stands for operations; this stands for a few steps inside one kernel, which calls it again and again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import llvm_ir as ir
from .emission.segment import Segment
from .lowering.builder import Builder
from .program import layout_of
from .runtime.layout import Native
from .runtime.machine import host
from .runtime.objects import load_cached
from .runtime.symbols import addresses


def fragment(lower: Callable[..., Any], kinds: tuple[tuple[tuple[int, ...], np.dtype[Any]], ...]) -> Native:
    """`lower(builder, *exprs)`, which gives one expression or several, for inputs of these dims and dtypes.

    Raises Unsupported or NativeError where there is no such code.
    """
    builder = Builder()
    made = lower(builder, *[builder.input(dims, dtype) for dims, dtype in kinds])
    for expr in made if isinstance(made, (tuple, list)) else (made,):
        builder.output(expr)
    machine = host()
    segment = Segment("fragment", builder, machine.vector_bits // 8)
    module = ir.Module("fragment")
    segment.emit(module)
    module.triple = machine.triple
    return Native(layout_of(segment), load_cached(str(module), addresses(module.globals)))
