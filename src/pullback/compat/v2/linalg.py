"""The names of `tf.linalg`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import linalg as _linalg

if TYPE_CHECKING:  # these load when first asked for
    from ...nn.normalization import l2_normalize
    from ...ops.linalg.eig import eig, eigvals
    from ...ops.linalg.tridiagonal_functions import banded_triangular_solve
    from ...ops.reduce.composed import norm
    from ..common.linalg import *
    from . import linalg_experimental as experimental

__all__ = ["banded_triangular_solve", "eig", "eigvals", "experimental", "l2_normalize", "norm"]
__all__ += _linalg.__all__

__getattr__ = _missing("tf.linalg", __all__, __name__)
