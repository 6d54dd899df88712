"""The names of `tf.quantization`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.quantization.simulated import (
        fake_quant_with_min_max_args,
        fake_quant_with_min_max_args_gradient,
        fake_quant_with_min_max_vars,
        fake_quant_with_min_max_vars_gradient,
        fake_quant_with_min_max_vars_per_channel,
        fake_quant_with_min_max_vars_per_channel_gradient,
    )
    from ...ops.quantization.types import dequantize, quantize, quantize_and_dequantize, quantize_and_dequantize_v2, quantized_concat

__all__ = [
    "dequantize",
    "fake_quant_with_min_max_args",
    "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel_gradient",
    "quantize",
    "quantize_and_dequantize",
    "quantize_and_dequantize_v2",
    "quantized_concat",
]

__getattr__ = _missing("tf.quantization", __all__, __name__)
