"""StableHLO as text: values, operations in MLIR's generic form, constants, regions.

Text needs no library to be written, is what every version of jaxlib reads, and can be looked at; the dialect's Python bindings would save
no line here and need jaxlib to export a module.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

Dims = tuple[int, ...]
Kind = tuple[Dims, np.dtype[Any]]
BOOL = np.dtype(np.bool_)

_ELEMENTS = {
    np.dtype(np.bool_): "i1", np.dtype(np.float16): "f16", np.dtype(ml_dtypes.bfloat16): "bf16", np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64", np.dtype(np.complex64): "complex<f32>", np.dtype(np.complex128): "complex<f64>",
    **{np.dtype(f"i{n}"): f"i{8 * n}" for n in (1, 2, 4, 8)}, **{np.dtype(f"u{n}"): f"ui{8 * n}" for n in (1, 2, 4, 8)},
}  # fmt: skip


class Value(NamedTuple):
    """A tensor in a module, by name."""

    name: str
    dims: Dims
    dtype: np.dtype[Any]

    @property
    def type(self) -> str:
        """Its type, as the module's text has it."""
        return type_of(self.dims, self.dtype)


def type_of(dims: Dims, dtype: np.dtype[Any]) -> str:
    """A tensor type as text."""
    return f"tensor<{''.join(f'{n}x' for n in dims)}{_ELEMENTS[dtype]}>"


def is_known_dtype(dtype: np.dtype[Any]) -> bool:
    """Whether StableHLO has a dtype."""
    return dtype in _ELEMENTS


def integers(numbers: Sequence[int]) -> str:
    """Numbers as an attribute."""
    return f"array<i64: {', '.join(map(str, numbers))}>" if len(numbers) else "array<i64>"


class Writer:
    """The operations of a function or a region of one.

    Constants stand at the function's head, where all regions see them, one for all that are equal.
    """

    def __init__(self, outer: Writer | None = None) -> None:
        self.lines: list[str] = []
        self._root: Writer = self if outer is None else outer._root
        if outer is None:
            self.head: list[str] = []
            self._count = 0
            self._constants: dict[Any, Value] = {}

    def name(self) -> str:
        """A name that nothing else has."""
        self._root._count += 1
        return f"%v{self._root._count}"

    def op(self, op: str, args: Sequence[Value], dims: Dims, dtype: Any, attributes: str = "", regions: Sequence[str] = ()) -> Value:
        """An operation with one result."""
        return self.ops(op, args, [(dims, np.dtype(dtype))], attributes, regions)[0]

    def ops(
        self, op: str, args: Sequence[Value], results: Sequence[Kind], attributes: str = "", regions: Sequence[str] = ()
    ) -> list[Value]:
        """An operation with several results; op: with its dialect where that is not StableHLO."""
        name = self.name()
        full = op if "." in op else f"stablehlo.{op}"
        given, types = ", ".join(a.name for a in args), ", ".join(a.type for a in args)
        out = ", ".join(type_of(*kind) for kind in results)
        inside = f" ({', '.join(regions)})" if regions else ""
        said = f" {{{attributes}}}" if attributes else ""
        count = f":{len(results)}" if len(results) != 1 else ""
        self.lines.append(f'{name}{count} = "{full}"({given}){inside}{said} : ({types}) -> ({out})')
        names = [name] if len(results) == 1 else [f"{name}#{i}" for i in range(len(results))]
        return [Value(n, *kind) for n, kind in zip(names, results, strict=True)]

    def constant(self, value: Any, dtype: Any = None, dims: Dims | None = None) -> Value:
        """A known array; with dims, one number at every index."""
        array = np.asarray(value, dtype)
        shape = array.shape if dims is None else dims
        key = (array.tobytes(), array.dtype, array.shape, shape)
        root = self._root
        if key not in root._constants:
            made = Value(self.name(), shape, array.dtype)
            root.head.append(f"{made.name} = {self.write_constant(array, shape)}")
            root._constants[key] = made
        return root._constants[key]

    @staticmethod
    def write_constant(array: np.ndarray, dims: Dims | None = None) -> str:
        """An array, or one number under `dims`, as a constant's text."""
        shape = array.shape if dims is None else dims
        return f"stablehlo.constant dense<{_literal(array, math.prod(shape))}> : {type_of(shape, array.dtype)}"

    def region(self, types: Sequence[Kind], write: Callable[..., Sequence[Value]]) -> str:
        """A region of arguments of these types; `write` is given a writer for it and the arguments, and gives its results."""
        inner = Writer(self)
        args = [Value(self.name(), *kind) for kind in types]
        results = write(inner, *args)
        names, kinds = ", ".join(v.name for v in results), ", ".join(v.type for v in results)
        head = f"^bb0({', '.join(f'{a.name}: {a.type}' for a in args)}):" if args else "^bb0:"
        return "\n".join(["{", head, *inner.lines, f'"stablehlo.return"({names}) : ({kinds}) -> ()', "}"])

    def function(
        self, name: str, args: Sequence[Value], results: Sequence[Value], note: str = "", takes: Mapping[int, int] | None = None
    ) -> str:
        """The whole function as text; note: attributes of each argument and result.

        takes: by the number of a result that of the argument in whose place it may be written.
        """
        notes = {at: f" {{tf.aliasing_output = {number} : i32}}" for number, at in (takes or {}).items()}
        given = ", ".join(f"{a.name}: {a.type}{notes.get(at, note)}" for at, a in enumerate(args))
        types = ", ".join(v.type for v in results)
        noted = ", ".join(v.type + note for v in results)
        out = f"return {', '.join(v.name for v in results)} : {types}" if results else "return"
        return "\n".join([f"func.func public @{name}({given}) -> ({noted}) {{", *self.head, *self.lines, out, "}"])


def _literal(array: np.ndarray, size: int) -> str:
    """An array in the text of a constant: bytes, which are exact, one element where all are the same."""
    if not size:
        return ""
    flat = np.ascontiguousarray(array).reshape(-1)
    first = flat[:1].tobytes()
    if flat.size > 1 and flat.tobytes() == first * flat.size:
        flat = flat[:1]
    if array.dtype == BOOL:  # versions differ in how many bits of their text one has
        return str(array.tolist() if flat.size > 1 else bool(flat[0])).lower()
    return f'"0x{flat.tobytes().hex().upper()}"'
