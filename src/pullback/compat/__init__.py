"""TensorFlow's two faces: `v2`, which `pullback` itself shows, and `v1`."""

from typing import TYPE_CHECKING

from ..interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ..interop.text import as_bytes, as_str, as_str_any, as_text, dimension_at_index, dimension_value, path_to_str
    from . import v1, v2

__all__ = ["as_bytes", "as_str", "as_str_any", "as_text", "dimension_at_index", "dimension_value", "path_to_str", "v1", "v2"]

__getattr__ = _missing("tf.compat", __all__, __name__)
