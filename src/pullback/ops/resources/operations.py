"""What TensorFlow's ops do with a variable's handle beyond reading and assigning: its shape, rows gathered from it, parts of it written.

Those whose names begin with Resource return nothing when they write; the others return the variable's new value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import ANY, INDEX, DType, int16, int32
from ...base.errors import InvalidArgumentError, OutOfRangeError
from ...base.export import export
from ...ir.apply import Site
from ...ir.op import Op, Traits, define
from ...ir.references import READ, variable_type
from ...ir.tensor import Tensor, TensorType
from ...kernels.native_loops import LEAST_ENTRIES
from ..array import gather_nd, scatter
from ..array.bad_indices import are_within, ignores
from ..array.basic import shape_of
from ..array.gather import GATHER, GATHER_ADJOINT, rows_of
from ..array.gather_nd import GATHER_ND
from ..array.strided_slice import TENSOR_STRIDED_SLICE_UPDATE
from ..batching import answer_once, write_once
from ..state import entry_loops
from ..state.locks import run_alone
from ..state.variables import SCATTER, Storage, change_rows_natively, check_fits, make_own

if TYPE_CHECKING:
    from ...api.variable import Variable

Array = np.ndarray[Any, Any]
_INDICES = {"Tindices": frozenset({int16, *INDEX})}


def _content_type(resource: Any) -> TensorType:
    """The type of what a handle's variable holds; where not known, nothing."""
    dtype, dims = variable_type(resource)
    return TensorType(dims, dtype)


def _table(resource: Any) -> Any:
    """What a gradient formula needs of the table: its type, or where that is not known the table itself."""
    found = _content_type(resource)
    return found if found.dims is not None and None not in found.dims else READ.call(resource, dtype=found.dtype, shape=found.dims)


# ---- reading


def _shape_type(input: Any, *, out_type: DType = int32) -> TensorType:
    dims = _content_type(input).dims
    known = None if dims is None or None in dims else np.array(dims, out_type.numpy_dtype)
    return TensorType((None if dims is None else len(dims),), out_type, known)


def _shape(input: Storage, *, site: Site, out_type: DType = int32) -> Array:
    return np.array(input.read().shape, out_type.numpy_dtype)


def _gather_type(resource: Any, indices: Any, *, dtype: DType, batch_dims: int = 0, **_: Any) -> TensorType:
    found = _content_type(resource)
    _require_same_dtype(found.dtype, dtype)
    return GATHER.infer(found, indices, _axis_type(batch_dims), batch_dims=batch_dims)  # type: ignore[return-value]  # one output


def _axis_type(axis: int) -> TensorType:
    return TensorType((), int32, np.array(axis, np.int32))


def _require_same_dtype(held: DType, asked: DType) -> None:
    if held is not asked:
        raise InvalidArgumentError(None, None, f"Trying to read variable with wrong dtype. Expected {asked.name} got {held.name}")


def _gather(
    resource: Storage, indices: Array, *, site: Site, dtype: DType, batch_dims: int = 0, validate_indices: bool = True
) -> Array:  # fmt: skip
    _require_same_dtype(resource.dtype, dtype)
    return GATHER.kernel(resource.read(), indices, np.array(batch_dims, np.int32), batch_dims=batch_dims)


def _gather_back(g: Any, resource: Any, indices: Any, batch_dims: int) -> Any:
    if not batch_dims:
        return rows_of(g, _table(resource), indices)
    return GATHER_ADJOINT(g, indices, np.int32(batch_dims), shape_of(_table(resource)), batch_dims=batch_dims)


def _gather_nd_type(resource: Any, indices: Any, *, dtype: DType) -> TensorType:
    found = _content_type(resource)
    _require_same_dtype(found.dtype, dtype)
    return GATHER_ND.infer(found, indices)  # type: ignore[return-value]  # one output


def _gather_nd(resource: Storage, indices: Array, *, site: Site, dtype: DType) -> Array:
    _require_same_dtype(resource.dtype, dtype)
    return GATHER_ND.kernel(resource.read(), indices)


def _read_storage(input: Any, *, site: Site) -> Array:
    return input.read() if isinstance(input, Storage) else input


(_ENTRIES_BACK,) = (rule.formula for rule in GATHER_ND.rules or ())
REF_IDENTITY = define(
    "RefIdentity", "input", lambda input: TensorType(input.dims, input.dtype.base_dtype), _read_storage, {"input": lambda g: g},
    dtypes=ANY, holomorphic=False, stateful=True,
)  # fmt: skip
VARIABLE_SHAPE = define("VariableShape", "input:R", _shape_type, _shape, {}, stateful=True, batch=answer_once)
RESOURCE_GATHER = define(
    "ResourceGather", "resource:R indices:Tindices", _gather_type, _gather, {"resource": _gather_back},
    dtypes=_INDICES, holomorphic=False, stateful=True, batch=answer_once,
    traits=Traits(copies=True, chooses="the indices chose"),
)  # fmt: skip
RESOURCE_GATHER_ND = define(
    "ResourceGatherNd", "resource:R indices:Tindices", _gather_nd_type, _gather_nd,
    {"resource": lambda g, resource, indices: _ENTRIES_BACK(g, _table(resource), indices)},
    dtypes=_INDICES, holomorphic=False, stateful=True, batch=answer_once,
)  # fmt: skip


# ---- writing

Change = Callable[..., Array]


def _define(name: str, inputs: str, kernel: Change, infer: Callable[..., Any], silent: bool) -> Op:
    """An op that replaces a variable's value by `kernel(old value, the other inputs)`; not silent, it gives it and has no gradient."""
    dtypes = {"T": ANY, "Tindices": INDEX, "Index": INDEX}

    def write(resource: Storage, *given: Array, site: Site, **attrs: Any) -> Array | None:
        _check_written(resource, given[-1])
        new = run_alone(resource, replace, resource, given, site, attrs)
        return None if silent else new

    def replace(resource: Storage, given: tuple[Array, ...], site: Site, attrs: dict[str, Any]) -> Array:
        new = kernel(resource.read(), *given, **attrs)
        check_fits(resource, new.shape)
        site.write(resource, new)
        return new

    return define(
        name, inputs, infer, write, {} if silent else None, outputs="" if silent else "out",
        dtypes={v: dtypes[v] for v in dtypes if v == "T" or f":{v}" in inputs}, stateful=True, effects=True, batch=write_once,
        types=None if silent else (name, f"Resource{name}"), traits=Traits(shares=not silent),
    )  # fmt: skip


def _check_written(resource: Any, value: Array) -> None:
    if not isinstance(resource, Storage):
        raise InvalidArgumentError(None, None, "a variable's handle is needed, not its value: give its `handle`, or `_ref()`")
    if value.dtype != resource.dtype.numpy_dtype:
        raise InvalidArgumentError(None, None, f"variable {resource.name} is {resource.dtype.name}, the value written to it {value.dtype}")


def _rows(how: str) -> Op:
    """An op that changes rows of a variable as `SCATTER` does, and gives nothing."""
    kernel = SCATTER[how].kernel

    def write(resource: Storage, indices: Array, updates: Array, *, site: Site) -> None:
        _check_written(resource, updates)
        kernel(resource, indices, updates, site=site, shape=None)

    return define(
        f"ResourceScatter{how.title()}", "resource:R indices:Tindices updates", _infer_nothing, write, {}, outputs="",
        dtypes={"T": ANY, "Tindices": INDEX}, stateful=True, effects=True, batch=write_once,
    )  # fmt: skip


def _change_entries(kernel: Change) -> Change:

    def change(old: Array, indices: Array, updates: Array, *, use_locking: bool = False, bad_indices_policy: str = "") -> Array:
        if ignores(bad_indices_policy):
            kept = are_within(indices, old.shape)
            indices, updates = indices[kept], updates[kept]
        return kernel(old, indices, updates)

    return change


def _entries(name: str, how: str, silent: bool) -> Op:
    """An op that changes parts of a variable that index vectors name; whole rows where the variable's array is."""
    number, of_tensors = _ENTRIES[how]
    kernel = _change_entries(of_tensors.kernel)

    def write(ref: Storage, indices: Array, updates: Array, *, site: Site, **attrs: Any) -> Array | None:
        _check_written(ref, updates)
        array = run_alone(ref, change, ref, indices, updates, site, attrs)
        return None if silent else array

    def change(ref: Storage, indices: Array, updates: Array, site: Site, attrs: dict[str, Any]) -> Array:
        rows = indices.ndim and indices.shape[-1] == 1 and updates.shape == (*indices.shape[:-1], *ref.read().shape[1:])
        if rows and updates.size >= LEAST_ENTRIES:
            array = make_own(ref) if site.run is None else ref.read().copy()  # a run may have to take it back
            if not change_rows_natively(number, array, indices[..., 0], updates):
                array = kernel(array, indices, updates, **attrs)
        else:
            array = kernel(ref.read(), indices, updates, **attrs)
        check_fits(ref, array.shape)
        site.write(ref, array)
        return array

    def lower(builder: Any, ref: Any, indices: Any, updates: Any, *, use_locking: bool = False, bad_indices_policy: str = "") -> Any:
        if ref.dtype != updates.dtype or ignores(bad_indices_policy):
            raise builder.Unsupported("updates of another dtype, or indices that are to be ignored")
        return of_tensors.lower(builder, ref, indices, updates)

    return define(
        name, "ref:R indices:Tindices updates", _nd_type(silent), write, None if how in ("Max", "Min") and not silent else {},
        outputs="" if silent else "out",
        dtypes={"T": ANY, "Tindices": INDEX}, stateful=True, effects=True, lower=lower, batch=write_once,
        types=None if silent else (name, f"Resource{name}"), traits=Traits(shares=not silent),
    )  # fmt: skip


_ENTRIES = {
    "Update": (entry_loops.UPDATE, scatter.UPDATE), "Add": (entry_loops.ADD, gather_nd.ADD), "Sub": (entry_loops.SUB, scatter.SUB),
    "Max": (entry_loops.MAX, scatter.MAX), "Min": (entry_loops.MIN, scatter.MIN),
}  # fmt: skip


def _change_slice(old: Array, begin: Array, end: Array, strides: Array, value: Array, **masks: int) -> Array:
    return TENSOR_STRIDED_SLICE_UPDATE.kernel(old, begin, end, strides, value, **masks)


def _infer_nothing(resource: Any, indices: Any, updates: Any) -> tuple[()]:
    return ()


def _nd_type(silent: bool) -> Callable[..., Any]:
    def infer(ref: Any, indices: Any, updates: Any, *, use_locking: bool = False, bad_indices_policy: str = "") -> Any:
        return () if silent else _content_type(ref)

    return infer


def _slice_type(silent: bool) -> Callable[..., Any]:
    def infer(
        ref: Any, begin: Any, end: Any, strides: Any, value: Any, *,
        begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
    ) -> Any:  # fmt: skip
        return () if silent else _content_type(ref)

    return infer


RESOURCE_SCATTER = {how: _rows(how) for how in SCATTER}
SCATTER_ND = {
    f"{prefix}{how}": _entries(f"{prefix}{how}", how, silent)
    for prefix, silent in (("ScatterNd", False), ("ResourceScatterNd", True))
    for how in _ENTRIES
}
STRIDED_SLICE_ASSIGN, RESOURCE_STRIDED_SLICE_ASSIGN = (
    _define(name, "ref:R begin:Index end:Index strides:Index value", _change_slice, _slice_type(silent), silent)
    for name, silent in (("StridedSliceAssign", False), ("ResourceStridedSliceAssign", True))
)


# ---- whole values


def _assign(resource: Storage, value: Array, *, site: Site, validate_shape: bool = False) -> None:
    if value.dtype != resource.dtype.numpy_dtype:
        raise InvalidArgumentError(None, None, f"variable {resource.name} is {resource.dtype.name}, the value assigned {value.dtype}")
    check_fits(resource, value.shape)
    run_alone(resource, site.write, resource, value.copy())


def _assigned_type(resource: Any, value: Any, *, validate_shape: bool = False) -> tuple[()]:
    return ()


def _define_change(name: str, combine: Callable[[Array, Array], Array]) -> Op:
    def kernel(old: Array, value: Array) -> Array:
        if old.shape != value.shape:
            raise InvalidArgumentError(None, None, f"the variable has shape {list(old.shape)}, the value {list(value.shape)}")
        return combine(old, value)

    return _define(name, "resource:R value", kernel, lambda resource, value: (), True)


ASSIGN_VARIABLE = define(
    "AssignVariableOp", "resource:R value", _assigned_type, _assign, {}, outputs="", dtypes={"T": ANY}, stateful=True, effects=True,
    batch=write_once,
)  # fmt: skip
ASSIGN_ADD_VARIABLE = _define_change("AssignAddVariableOp", lambda old, value: np.asarray(old + value))
ASSIGN_SUB_VARIABLE = _define_change("AssignSubVariableOp", lambda old, value: np.asarray(old - value))


def _count(ref: Storage, *, site: Site, limit: int) -> Array:
    return run_alone(ref, _count_alone, ref, site, limit)


def _count_alone(ref: Storage, site: Site, limit: int) -> Array:
    old = ref.read()
    if old >= limit:
        raise OutOfRangeError(None, None, f"Reached limit of {limit}")
    site.write(ref, np.asarray(old + old.dtype.type(1)))
    return old


COUNT_UP_TO = define(
    "CountUpTo", "ref:R", lambda ref, *, limit: _content_type(ref), _count, {}, stateful=True, effects=True, batch=answer_once,
    types=("CountUpTo", "ResourceCountUpTo"),
)  # fmt: skip


@export(v1="count_up_to")
def count_up_to(ref: Variable, limit: int, name: str | None = None) -> Tensor:
    """The value of an integer variable, which then grows by one.

    Raises OutOfRangeError where the variable has reached `limit`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     v = tf1.Variable(0)
    ...     step = tf1.count_up_to(v, 2)
    ...     session.run(v.initializer)
    ...     print(session.run(step), session.run(step))
    0 1
    """
    return COUNT_UP_TO(ref.handle, limit=limit, name=name)
