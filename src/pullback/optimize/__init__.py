"""SciPy's minimizers and solvers on structures of tensors, with the derivatives that they want filled in."""

from .operators import hessian_operator, jacobian_operator
from .solvers import least_squares, minimize, root

__all__ = ["hessian_operator", "jacobian_operator", "least_squares", "minimize", "root"]
