"""The names of `tf.compat.v1.errors`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing
from ..common import errors as _errors

if TYPE_CHECKING:  # these load when first asked for
    from ...base.errors import error_code_from_exception_type, exception_type_from_error_code
    from ..common.errors import *

__all__ = ["error_code_from_exception_type", "exception_type_from_error_code"]
__all__ += _errors.__all__

__getattr__ = _missing("tf1.errors", __all__, __name__)
