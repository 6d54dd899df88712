"""SciPy's minimizers and solvers on structures of tensors, with the derivatives that they want filled in."""

from ..base.export import export
from .operators import hessian_operator, jacobian_operator
from .solvers import least_squares, minimize, root

export(ours="optimize")(__name__)

__all__ = ["hessian_operator", "jacobian_operator", "least_squares", "minimize", "root"]


def __dir__() -> list[str]:
    return __all__
