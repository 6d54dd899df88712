"""TensorFlow's two faces: `v2`, which `pullback` itself shows, and `v1`.

`compat.v1` as an attribute is TensorFlow 1's names and no more, as in TensorFlow 2. To `import pullback.compat.v1` as a program's
face says that the program is one of TensorFlow 1, so that turns graph mode on.
"""

from ..interop.names import missing as _missing
from ..interop.text import as_bytes, as_str, as_str_any, as_text, dimension_at_index, dimension_value, path_to_str
from . import _v1 as v1
from . import v2 as v2

__all__ = ["as_bytes", "as_str", "as_str_any", "as_text", "dimension_at_index", "dimension_value", "path_to_str", "v1", "v2"]

__getattr__ = _missing("tf.compat", __all__)
