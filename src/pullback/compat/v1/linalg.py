"""The names of `tf.compat.v1.linalg`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import linalg as _linalg

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.linalg.products import matrix_transpose as transpose
    from ..common.linalg import *
    from ..legacy.nn import l2_normalize
    from ..legacy.reduce import norm
    from . import linalg_experimental as experimental

__all__ = ["experimental", "l2_normalize", "norm", "transpose"]
__all__ += _linalg.__all__

__getattr__ = _missing("tf1.linalg", __all__, __name__)
