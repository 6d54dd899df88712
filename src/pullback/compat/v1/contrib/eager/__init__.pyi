"""The names of `pullback.compat.v1.contrib.eager`, written by docs/make_exports.py."""

from pullback.api.tape import GradientTape as GradientTape
from pullback.api.templates import make_template as make_template
from pullback.api.variable import ResourceVariable as Variable
from pullback.compat.v1.contrib.eager import metrics as metrics
from pullback.control.custom import custom_gradient as custom_gradient
from pullback.control.py_function import py_function as py_func
from pullback.interop.behavior import enable_eager_execution as enable_eager_execution
from pullback.ir.context import executing_eagerly as executing_eagerly
from pullback.ir.context import executing_eagerly as in_eager_mode
from pullback.ops.constant import TensorSpec as TensorSpec
from pullback.tensorflow.contrib.eager import Iterator as Iterator
from pullback.tensorflow.contrib.eager import gradients_function as gradients_function
from pullback.tensorflow.contrib.eager import implicit_gradients as implicit_gradients
from pullback.tensorflow.contrib.eager import implicit_value_and_gradients as implicit_value_and_gradients
from pullback.tensorflow.contrib.eager import num_gpus as num_gpus
from pullback.tensorflow.contrib.eager import value_and_gradients_function as value_and_gradients_function
from pullback.trace.function import function as defun
from pullback.trace.function import function as function
from pullback.train.checkpoint import Checkpoint as Checkpoint

__all__ = [
    "Checkpoint",
    "GradientTape",
    "Iterator",
    "TensorSpec",
    "Variable",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "executing_eagerly",
    "function",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "make_template",
    "metrics",
    "num_gpus",
    "py_func",
    "value_and_gradients_function",
]
