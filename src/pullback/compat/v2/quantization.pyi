"""The names of `pullback.compat.v2.quantization`, written by docs/make_exports.py."""

from pullback.tensorflow.quantization.quantize import dequantize as dequantize
from pullback.tensorflow.quantization.quantize import quantize as quantize
from pullback.tensorflow.quantization.quantize import quantize_and_dequantize as quantize_and_dequantize
from pullback.tensorflow.quantization.quantize import quantize_and_dequantize_v2 as quantize_and_dequantize_v2
from pullback.tensorflow.quantization.quantize import quantized_concat as quantized_concat
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from pullback.tensorflow.quantization.simulated import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient

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
