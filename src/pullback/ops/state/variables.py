"""Variables' storage and the ops that read and write it.

A variable's handle is a tensor of dtype resource; its run-time value is a `Storage`, which eager variables own and a session
keeps by name.  An array is replaced, or changed where nobody else holds it, so whoever holds an old value keeps it.  Who reads a
value and writes another that depends on it has the variable `run_alone` meanwhile, so that threads lose no update; reading needs no lock.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from functools import partial
from threading import RLock
from typing import Any

import numpy as np

from ...base import dtypes
from ...base.dtypes import ANY, INDEX, DType, resource
from ...base.errors import FailedPreconditionError, InvalidArgumentError
from ...base.shapes import Shape, merge, show
from ...ir.apply import ShapeError, Site
from ...ir.function_graph import PLACEHOLDER
from ...ir.node import Node
from ...ir.op import Op, Traits, define
from ...ir.references import READ
from ...ir.tensor import Dims, EagerTensor, TensorType
from ...kernels import blocked
from ...kernels.memory import copy_array
from ...kernels.native_loops import LEAST_ENTRIES, run_natively
from ..batching import answer_once, batches, write_once
from ..lowering import array as native_array
from . import entry_loops
from .locks import run_alone


class Storage:
    """What a variable holds: an array, or None before it is initialised; its dims and dtype are those it was declared with."""

    __slots__ = ("dims", "dtype", "is_ref", "lock", "name", "value")
    tensor_dtype = resource

    def __init__(self, name: str, dtype: DType, dims: Dims, value: np.ndarray | None = None, is_ref: bool = False) -> None:
        self.name, self.dtype, self.dims, self.value, self.is_ref = name, dtype, dims, value, is_ref
        self.lock = RLock()

    def read(self) -> np.ndarray:
        """The array; a FailedPreconditionError before the variable is initialised."""
        if self.value is None:
            if self.is_ref:
                raise FailedPreconditionError(None, None, f"Attempting to use uninitialized value {self.name}")
            raise FailedPreconditionError(
                None, None,
                f"Could not find variable {self.name}. This could mean that the variable has been deleted. "
                "In TF1, it can also mean the variable is uninitialized: run its initializer (tf.global_variables_initializer()) first.",
            )  # fmt: skip
        return self.value

    def exchange(self, expected: object, value: Any) -> None:
        """Give it a value where the one that is `expected` is still there."""

        def exchange_value() -> None:
            if self.value is expected:
                self.value = value

        run_alone(self, exchange_value)


class Repeating:
    """A resource that hands out one thing after another: what it did in a block of `remembering` comes again in one of `repeating`."""

    def remembering(self) -> AbstractContextManager[None]:
        """A block in which it is remembered what was handed out."""
        raise NotImplementedError(f"{type(self).__name__} does not remember")

    def repeating(self) -> AbstractContextManager[None]:
        """A block in which what was remembered comes again; after it the resource goes on where it was."""
        raise NotImplementedError(f"{type(self).__name__} does not repeat")


def is_held_once(storage: Storage) -> bool:
    """Whether nobody but a variable holds its array."""
    array = storage.value
    return array is not None and sys.getrefcount(array) == _OWN


def is_own(storage: Storage) -> bool:
    """Whether a variable's array can be changed where it is: nobody else holds it."""
    array = storage.value
    return array is not None and sys.getrefcount(array) == _OWN and array.base is None and array.flags.writeable


def make_own(storage: Storage) -> np.ndarray:
    """A variable's array, which is going to be changed: a copy is made where somebody else holds it."""
    if not is_own(storage):
        storage.value = copy_array(storage.read())
    return storage.read()


class _Holder:
    def __init__(self) -> None:
        self.value = object()


def _count(holder: _Holder) -> int:
    value = holder.value
    return sys.getrefcount(value)


#: What `is_own` counts for an array that the storage alone holds.
_OWN = _count(_Holder())


def _handle_type(*, shared_name: str = "", dtype: DType, shape: Dims, is_ref: bool = False) -> TensorType:
    return TensorType(() if not is_ref else shape, resource if not is_ref else dtype._as_ref)


def _variable_in(memory: dict[str, Any], shared_name: str, dtype: DType, shape: Dims, is_ref: bool) -> Storage:
    variables = memory.setdefault("variables", {})
    if shared_name not in variables:
        variables.setdefault(shared_name, Storage(shared_name, dtype, shape, None, is_ref))
    found: Storage = variables[shared_name]
    return found


def variable_in(memory: dict[str, Any], node: Node) -> Storage:
    """The variable of a session's memory that a `VarHandleOp` names, made where it is asked for first."""
    attrs = node.attrs
    return _variable_in(memory, attrs.get("shared_name", ""), attrs["dtype"], attrs["shape"], attrs.get("is_ref", False))


def _handle(*, site: Site, dtype: DType, shape: Dims, shared_name: str = "", is_ref: bool = False) -> Storage:
    return _variable_in(site.memory, shared_name, dtype, shape, is_ref)


VAR_HANDLE = define(
    "VarHandleOp",
    "",
    _handle_type,
    _handle,
    {},
    stateful=True,
    batch=answer_once,
    types=("VariableV2", "VarHandleOp"),
    traits=Traits(raw_hints={"container": "", "debug_name": "", "allowed_devices": []}, repeatable=True, internal=("is_ref",)),
)
IS_INITIALIZED = define(
    "VarIsInitializedOp",
    "resource:R",
    lambda resource: TensorType((), dtypes.bool),
    lambda resource, *, site: np.asarray(resource.value is not None),
    {},
    stateful=True,
    batch=answer_once,
    types=("IsVariableInitialized", "VarIsInitializedOp"),
)


def _written_type(resource: Any, value: Any) -> TensorType:
    return TensorType(value.dims, value.dtype)


#: TensorFlow's older name of a variable that is written, and whether others wait meanwhile.
_REF = {"resource": "ref"}
_LOCK = {"use_locking": False}


def _writer(name: str, change: Any, lower: Any, raw_hints: Mapping[str, bool] = _LOCK) -> Op:
    def kernel(resource: Storage, value: np.ndarray, *, site: Site) -> np.ndarray:
        if value.dtype != resource.dtype.numpy_dtype:
            raise InvalidArgumentError(None, None, f"variable {resource.name} is {resource.dtype.name}, the value assigned {value.dtype}")
        return run_alone(resource, write, resource, value, site)

    def write(resource: Storage, value: np.ndarray, site: Site) -> np.ndarray:
        new = change(resource, value)
        check_fits(resource, new.shape)
        site.write(resource, new)
        return new

    def lower_write(builder: Any, resource: Any, value: Any) -> Any:
        if resource.dims != value.dims or resource.dtype != value.dtype:
            raise builder.Unsupported("the value is not of the variable's type")
        return lower(resource, value)

    return define(
        name,
        "resource:R value",
        _written_type,
        kernel,
        {},
        dtypes={"T": ANY},
        stateful=True,
        effects=True,
        lower=lower_write,
        batch=write_once,
        types=(name, f"{name}VariableOp"),
        traits=Traits(shares=True, raw_names=_REF, raw_hints=raw_hints),
    )


def check_fits(storage: Storage, shape: tuple[int, ...]) -> None:
    """An InvalidArgumentError where a value of `shape` cannot be the variable's."""
    dims = storage.dims
    if dims is not None and (len(dims) != len(shape) or any(m is not None and m != n for m, n in zip(dims, shape, strict=True))):
        raise InvalidArgumentError(None, None, f"variable {storage.name} has shape {list(dims)}, the value assigned to it {list(shape)}")


def _require_same_shape(resource: Storage, value: np.ndarray) -> np.ndarray:
    old = resource.read()
    if old.shape != value.shape:
        raise InvalidArgumentError(
            None, None, f"variable {resource.name} has shape {list(old.shape)}, the value added or subtracted {list(value.shape)}"
        )
    return old


def _copy_shared(value: np.ndarray) -> np.ndarray:
    return value if value.base is None else copy_array(value)


ASSIGN = _writer(
    "Assign", lambda resource, value: _copy_shared(value), lambda resource, value: value, {"validate_shape": True, "use_locking": True}
)
ASSIGN_ADD = _writer(
    "AssignAdd", lambda resource, value: np.asarray(_require_same_shape(resource, value) + value), lambda resource, value: resource + value
)
ASSIGN_SUB = _writer(
    "AssignSub", lambda resource, value: np.asarray(_require_same_shape(resource, value) - value), lambda resource, value: resource - value
)


def _scatter_type(resource: Any, indices: Any, updates: Any, *, shape: Dims) -> TensorType:
    return TensorType(shape, updates.dtype)


def change_rows_natively(how: int, target: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> bool:
    """Whether rows have been changed natively; if not, nothing has been, as where an index is none of a row."""
    width = math.prod(target.shape[1:])
    if updates.size < LEAST_ENTRIES or updates.shape != (*indices.shape, *target.shape[1:]) or not target.flags.c_contiguous:
        return False
    if target.dtype.char not in _COMBINED[how]:
        return False
    arrays = [target.reshape(-1), np.ascontiguousarray(indices).reshape(-1), np.ascontiguousarray(updates).reshape(-1)]
    if how == entry_loops.UPDATE:
        size = target.itemsize
        arrays[::2] = (x.view(f"u{min(size, 8)}") for x in arrays[::2])
        width *= max(size // 8, 1)
    few = width if width <= _FEW else 0
    return run_natively(entry_loops.change_rows, updates.size, *arrays, indices.size, len(target), width, how=how, width=few) == 0


#: Up to how many numbers of a row there is native code for each count.
_FEW = 32
_FLOATS = "fd"
#: The dtypes that rows of can be changed natively, by how.
_COMBINED = ("?bBhHiIlLqQefdFD", *["bBhHiIlLqQ" + _FLOATS] * 3, _FLOATS, *["bBhHiIlq" + _FLOATS] * 2)


def _scatterer(name: str, combine: str, how: int, change: Any) -> Op:
    def kernel(resource: Storage, indices: np.ndarray, updates: np.ndarray, *, site: Site, shape: Dims) -> np.ndarray:
        return run_alone(resource, write, resource, indices, updates, site)

    def write(resource: Storage, indices: np.ndarray, updates: np.ndarray, site: Site) -> np.ndarray:
        rows = len(resource.read())
        new: np.ndarray = make_own(resource) if site.run is None else resource.read().copy()  # a run may have to take it back
        if not change_rows_natively(how, new, indices, updates):
            if indices.size and (indices.min() < 0 or indices.max() >= rows):
                at = int(np.argmax((indices.ravel() < 0) | (indices.ravel() >= rows)))
                raise InvalidArgumentError(None, None, f"indices[{at}] = {indices.ravel()[at]} is not in [0, {rows})")
            change(new, indices, updates)
        site.write(resource, new)
        return new

    return define(
        name,
        "resource:R indices:Tindices updates",
        _scatter_type,
        kernel,
        None if combine in ("put", "min", "max") else {},  # as TensorFlow has it for ref variables
        dtypes={"T": ANY, "Tindices": INDEX},
        stateful=True,
        effects=True,
        lower=lambda builder, resource, indices, updates, *, shape: native_array.scatter_rows(builder, resource, indices, updates, combine),
        batch=write_once,
        types=(name, f"Resource{name}"),
        traits=Traits(shares=True, raw_names=_REF, raw_hints=_LOCK),
    )


def _put_rows(target: np.ndarray, indices: np.ndarray, updates: np.ndarray) -> None:
    bytes_of_row = math.prod(target.shape[1:]) * target.itemsize
    plain = all(x.flags.c_contiguous and x.dtype == target.dtype and x.dtype.kind in "fiub" for x in (target, updates))
    if plain and target.ndim > 1 and 0 < bytes_of_row <= _MOVED and updates.shape == (*indices.shape, *target.shape[1:]):
        row = np.dtype((np.void, bytes_of_row))
        target.reshape(len(target), -1).view(row)[:, 0][indices.reshape(-1)] = updates.reshape(indices.size, -1).view(row)[:, 0]
    else:
        target[indices] = updates


_MOVED = 256  # bytes of a row that is quicker moved as one thing than as so many numbers


SCATTER = {
    "update": _scatterer("ScatterUpdate", "put", entry_loops.UPDATE, _put_rows),
    "add": _scatterer("ScatterAdd", "add", entry_loops.ADD, partial(blocked.change, np.add)),
    "sub": _scatterer("ScatterSub", "sub", entry_loops.SUB, partial(blocked.change, np.subtract)),
    "mul": _scatterer("ScatterMul", "mul", entry_loops.MUL, partial(blocked.change, np.multiply)),
    "div": _scatterer("ScatterDiv", "div", entry_loops.DIV, np.divide.at),
    "min": _scatterer("ScatterMin", "min", entry_loops.MIN, partial(blocked.change, np.minimum)),
    "max": _scatterer("ScatterMax", "max", entry_loops.MAX, partial(blocked.change, np.maximum)),
}


def _default_type(input: Any, *, shape: Shape) -> TensorType:
    try:
        merge(input.dims, shape)
    except ValueError:
        raise ShapeError(f"Shapes must be equal, but are {show(input.dims)} and {show(shape)}", None) from None
    return TensorType(shape, input.dtype)


PLACEHOLDER_WITH_DEFAULT = define(
    "PlaceholderWithDefault", "input", _default_type, lambda input, *, shape: input,
    {"input": lambda g: g}, dtypes=ANY, holomorphic=False,
    traits=Traits(copies=True, may_be_fed=True),
)  # fmt: skip
NO_OP = define("NoOp", "", lambda: (), lambda *, site: None, {}, outputs="", stateful=True, batch=answer_once)
batches(READ, PLACEHOLDER)(answer_once)

__all__ = [
    "ASSIGN",
    "ASSIGN_ADD",
    "ASSIGN_SUB",
    "IS_INITIALIZED",
    "NO_OP",
    "SCATTER",
    "VAR_HANDLE",
    "EagerTensor",
    "Storage",
    "change_rows_natively",
]
