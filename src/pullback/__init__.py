"""Pullback: TensorFlow's gradients, `tf.gradients` and `GradientTape`, on NumPy kernels.

`import pullback as tf` is TensorFlow 2's face, `import pullback.compat.v1 as tf` is TensorFlow 1's, and `pullback run program.py`
runs a program that says `import tensorflow as tf`.

>>> import pullback as tf
>>> x = tf.constant(3.0)
>>> with tf.GradientTape() as tape:
...     tape.watch(x)
...     y = x * x
>>> tape.gradient(y, x)
<tf.Tensor: shape=(), dtype=float32, numpy=6.0>
"""

import warnings as _warnings
from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import nn as _nn
from . import train as _train
from .api import tape as _tape
from .api import variable as _variable
from .base import memory as _memory
from .base import version as _version
from .compat import v2 as _v2
from .compat.v2 import nn as nn
from .compat.v2 import train as train
from .compile import function as _function
from .interop.faces import missing as _missing
from .ops.linalg import products as _products
from .ops.math import functions as _functions
from .ops.reduce import reductions as _reductions

__version__ = _version.VERSION

#: What nearly every program uses is loaded here, so that no first call waits for it.  The packages `nn` and `train` come before the face's
#: namespaces: loaded later, they would take the place of these.
_LOADED = _nn, _train, _tape, _variable, _function, _products, _functions, _reductions

if _TYPE_CHECKING:  # these load when first asked for
    from . import optimize as optimize
    from .api.coloring import color_hessian, color_jacobian

    # What TensorFlow does not have.
    from .api.derivatives import hvp, jvp, linearize, value_and_gradient, vjp
    from .api.jacobians import batch_jacobian, hessian, hessian_diagonal, jacobian, jacobian_plan
    from .api.per_example import ExampleSlices, per_example_gradients
    from .api.sparse_derivatives import hessian_pattern, jacobian_pattern, sparse_hessian, sparse_jacobian
    from .compat.v2 import *
    from .control.checkpointed import checkpointed
    from .diagnose.nans import trace_nans
    from .diagnose.why import Why, why
    from .ops.reduce.scan_extremes import cumulative_max, cumulative_min
    from .testing.check import check_gradients

__all__ = [
    "ExampleSlices",
    "Why",
    "batch_jacobian",
    "check_gradients",
    "checkpointed",
    "color_hessian",
    "color_jacobian",
    "cumulative_max",
    "cumulative_min",
    "hessian",
    "hessian_diagonal",
    "hessian_pattern",
    "hvp",
    "jacobian",
    "jacobian_pattern",
    "jacobian_plan",
    "jvp",
    "linearize",
    "optimize",
    "per_example_gradients",
    "sparse_hessian",
    "sparse_jacobian",
    "trace_nans",
    "value_and_gradient",
    "vjp",
    "why",
]
__all__ += _v2.__all__

__getattr__ = _missing("tf", __all__, __name__)

# Kernels answer inf and nan as IEEE 754 says, as TensorFlow's do, without a word.
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"pullback\.")

_memory.keep_freed()
