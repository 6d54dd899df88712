"""TensorFlow 1's functions of quantisation whose arguments differ."""

from __future__ import annotations

from typing import Any

from ...base.export import export
from ...ir.tensor import TensorLike
from ..quantization.quantize import Quantized, quantize


@export(v1="quantize_v2")
def quantize_v2(
    input: TensorLike,
    min_range: Any,
    max_range: Any,
    T: Any,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    narrow_range: bool = False,
    axis: int | None = None,
    ensure_minimum_range: float = 0.01,
) -> Quantized:
    """`quantize`, name before round_mode.

    >>> tf1.quantize_v2(tf1.zeros([3]), -1.0, 1.0, tf1.qint8)[0].shape.as_list()
    [3]
    """
    return quantize(input, min_range, max_range, T, mode, round_mode, name, narrow_range, axis, ensure_minimum_range)
