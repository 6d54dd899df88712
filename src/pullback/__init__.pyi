"""The names of `pullback`, written by docs/make_exports.py."""

from pullback import distribute
from pullback import optimize
from pullback.api.coloring import color_hessian
from pullback.api.coloring import color_jacobian
from pullback.api.derivatives import hvp
from pullback.api.derivatives import jvp
from pullback.api.derivatives import linearize
from pullback.api.derivatives import value_and_gradient
from pullback.api.derivatives import vjp
from pullback.api.jacobians import batch_jacobian
from pullback.api.jacobians import hessian
from pullback.api.jacobians import hessian_diagonal
from pullback.api.jacobians import jacobian
from pullback.api.jacobians import jacobian_plan
from pullback.api.per_example import ExampleSlices
from pullback.api.per_example import per_example_gradients
from pullback.api.sparse_derivatives import hessian_pattern
from pullback.api.sparse_derivatives import jacobian_pattern
from pullback.api.sparse_derivatives import sparse_hessian
from pullback.api.sparse_derivatives import sparse_jacobian
from pullback.base.structures import register_structure
from pullback.control.checkpointed import checkpointed
from pullback.diagnose.nans import trace_nans
from pullback.diagnose.why import Why
from pullback.diagnose.why import why
from pullback.interop.hook import serve_tensorflow
from pullback.ops.linalg.safe_norm import safe_norm
from pullback.ops.reduce.scan_extremes import cumulative_max
from pullback.ops.reduce.scan_extremes import cumulative_min
from pullback.testing.check import check_gradients

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
    "distribute",
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
    "register_structure",
    "safe_norm",
    "serve_tensorflow",
    "sparse_hessian",
    "sparse_jacobian",
    "trace_nans",
    "value_and_gradient",
    "vjp",
    "why",
]
from pullback.compat import v2
from pullback.compat.v2 import *  # type: ignore[no-redef]  # `distribute` has names of ours too

__all__ += v2.__all__
__version__: str
