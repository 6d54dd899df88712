"""Optional values, and composite ones as one tensor: lists of tensors.

An optional value and an encoded composite one are tensors of dtype variant that hold several tensors of any dtypes and shapes: here,
lists of them.  Cotangents of their parts are read with zeros where nothing came (`TensorListTakeOrZeros`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import bool as bool_, variant
from ...base.shapes import as_dims
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..array.basic import shape_of
from ..array.type_rules import check_lengths, invalid_argument
from .items import LIST, TAKE
from .value import ListValue

Array = np.ndarray[Any, Any]


def _types(dtypes: Any, shapes: Any) -> tuple[TensorType, ...]:
    dims = [None] * len(dtypes) if shapes is None else [as_dims(s) for s in shapes]
    return tuple(TensorType(d, t) for d, t in zip(dims, dtypes, strict=True))


def _open_value(value: ListValue, dtypes: Any) -> list[Any]:
    items = value.items()
    if len(items) != len(dtypes):
        raise invalid_argument(f"The value has {len(items)} components, {len(dtypes)} are asked for")
    for item, dtype in zip(items, dtypes, strict=True):
        if not hasattr(item, "tensor_dtype") and np.asarray(item).dtype != dtype.numpy_dtype:
            raise invalid_argument(f"A component has dtype {np.asarray(item).dtype}, {dtype.name} is asked for")
    return items


def _parts_back(g: Any, components: Any) -> Any:
    return [TAKE(g, i, shape_of(c), element_dtype=c.dtype.base_dtype) for i, c in enumerate(components)]


ENCODED: Op = define(
    "CompositeTensorVariantFromComponents",
    "*components:any",
    lambda components, *, metadata: LIST,
    lambda components, *, metadata: ListValue(list(components)),
    {"components": lambda g, components_type: _parts_back(g, components_type)},
    holomorphic=False,
    batch="one value that is no tensor",
)
define(
    "CompositeTensorVariantToComponents",
    "encoded:variant",
    lambda encoded, *, metadata="", Tcomponents: _types(Tcomponents, None),
    lambda encoded, *, metadata="", Tcomponents: _open_value(encoded, Tcomponents),
    {"encoded": lambda gs: ENCODED(list(gs), metadata="")},
    outputs="*components",
    holomorphic=False,
    batch="one value that is no tensor",
)


class Nothing:
    """The value of an optional that has none."""

    tensor_dtype = variant


def _value(optional: Any, *, output_types: Any, output_shapes: Any = None) -> list[Any]:
    if isinstance(optional, Nothing):
        raise invalid_argument("The given optional does not have a value.")
    return _open_value(optional, output_types)


def _optional_type(components: Any) -> TensorType:
    check_lengths("OptionalFromValue", 1, Toutput_types=components)
    return LIST


def _optional(components: Sequence[Any]) -> ListValue:
    if not components:
        raise invalid_argument("Length for attr 'Toutput_types' of 0 must be at least minimum 1")
    return ListValue(list(components))


OPTIONAL: Op = define(
    "OptionalFromValue",
    "*components:any",
    _optional_type,
    _optional,
    {"components": lambda g, components_type: _parts_back(g, components_type)},
    holomorphic=False,
    batch="one value that is no tensor",
)
OPTIONAL_VALUE: Op = define(
    "OptionalGetValue",
    "optional:variant",
    lambda optional, *, output_types, output_shapes=None: _types(output_types, output_shapes),
    _value,
    {"optional": lambda gs: OPTIONAL(list(gs))},
    outputs="*components",
    holomorphic=False,
    batch="one value that is no tensor",
)
OPTIONAL_HAS_VALUE: Op = define(
    "OptionalHasValue",
    "optional:variant",
    lambda optional: TensorType((), bool_),
    lambda optional: np.array(not isinstance(optional, Nothing)),
    {},
    batch="one value that is no tensor",
)
OPTIONAL_NONE: Op = define("OptionalNone", "", lambda: LIST, Nothing, {})
