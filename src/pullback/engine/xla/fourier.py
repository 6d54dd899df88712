"""Fourier transforms as XLA has them: of the last axes, three at most, cropped or padded to their lengths before."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...ir.node import Node
from ..lowering.builder import Unsupported
from ..lowering.index_expr import IndexExpr
from .builder import XlaBuilder
from .module import integers
from .views import pad, transpose

_NAME = re.compile(r"(I?R?FFT)(|2D|3D|ND)")
_RANKS = {"": 1, "2D": 2, "3D": 3}


def is_transform(node: Node) -> bool:
    """Whether a node is a Fourier transform."""
    return _NAME.fullmatch(node.primitive.name) is not None


def lower_transform(node: Node, builder: XlaBuilder, inputs: Sequence[IndexExpr]) -> list[IndexExpr]:
    """The transform; raises Unsupported where the kernel refuses it, or XLA has none."""
    named, x, w = _NAME.fullmatch(node.primitive.name), inputs[0], builder.writer
    assert named is not None
    kind, rank, dtype = named[1], len(x.dims), node.outputs[0].dtype.numpy_dtype
    axes = [int(a) % rank for a in builder.get_constant(inputs[2])] if named[2] == "ND" else [*range(rank - _RANKS[named[2]], rank)]
    lengths = [int(n) for n in builder.get_constant(inputs[1])] if len(inputs) > 1 else [x.dims[a] for a in axes]
    taken = [*lengths[:-1], lengths[-1] // 2 + 1] if kind == "IRFFT" else lengths
    given = [*lengths[:-1], lengths[-1] // 2 + 1] if kind == "RFFT" else lengths
    is_short = named[2] != "ND" and any(n > x.dims[a] for n, a in zip(taken, axes, strict=True))
    if not x.size or min(lengths) < 1 or len(axes) > 3 or len({*axes}) < len(axes) or is_short:
        raise Unsupported(f"{node.primitive.name} of {list(x.dims)} to {lengths}")
    if np.result_type(x.dtype, np.complex64) != np.result_type(dtype, np.complex64):
        raise Unsupported(f"{node.primitive.name} of {x.dtype.name} as {dtype.name}")
    order = [*(a for a in range(rank) if a not in axes), *axes]
    before = rank - len(axes)
    more = [n - x.dims[a] for n, a in zip(taken, axes, strict=True)]
    last = pad(w, transpose(w, builder.value(x), order), 0, [0] * rank, [0] * before + more, [0] * rank)
    said = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {integers(lengths)}"
    found = w.op("fft", (last,), (*last.dims[:before], *given), dtype, said)
    return [builder.define(transpose(w, found, [order.index(a) for a in range(rank)]))]
