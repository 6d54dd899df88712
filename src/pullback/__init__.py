"""Pullback: TensorFlow's gradients, `tf.gradients` and `GradientTape`, on NumPy kernels.

`import pullback as tf` is TensorFlow 2's face, `import pullback.compat.v1 as tf` is TensorFlow 1's, and `pullback run program.py`
runs a program that says `import tensorflow as tf`.

>>> x = tf.constant(3.0)
>>> with tf.GradientTape() as tape:
...     tape.watch(x)
...     y = x * x
>>> tape.gradient(y, x)
<tf.Tensor: shape=(), dtype=float32, numpy=6.0>
"""

import sys as _sys
import warnings as _warnings
from importlib import import_module as _import_module

from . import nn, train
from .api import tape as _tape, variable as _variable
from .base import version as _version
from .interop.faces import fill_namespace as _fill_namespace
from .interop.when_imported import run_before_import as _before_import, run_when_imported as _when_imported
from .ir import tracebacks as _tracebacks
from .kernels import memory as _memory
from .ops.linalg import products as _products
from .ops.math import functions as _functions
from .ops.reduce import reductions as _reductions
from .trace import function as _function

__version__ = _version.VERSION

#: What nearly every program uses is loaded here, so that no first call waits for it.
_LOADED = nn, train, _tape, _variable, _function, _products, _functions, _reductions

# These are packages of the source. Loaded later, they would take the place of the face's namespaces.
del nn, train
_fill_namespace(__name__, "tf", "pullback")

# `import keras` in a program finds Pullback as Keras finds TensorFlow.
_before_import("keras", lambda: _import_module("pullback.interop.keras").serve_to_program())

# Kernels answer inf and nan as IEEE 754 says, as TensorFlow's do, without a word.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"pullback\.")

_memory.keep_freed()
_tracebacks.install()

# `einops.rearrange(tensor, ...)` and its like take tensors.
_when_imported("einops._backends", lambda: _import_module("pullback.interop.einops"))

# Keras's optimizers say why a gradient is None.
_when_imported("keras.src.optimizers.base_optimizer", lambda: _import_module("pullback.interop.keras").explain_missing_gradients())

# In a notebook, structures of tensors show themselves, and errors end at the program's line.
if "IPython" in _sys.modules:
    _import_module("pullback.interop.notebook").show_structures()
    _import_module("pullback.interop.notebook").trim_errors()
