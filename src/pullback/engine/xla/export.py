"""Functions as portable StableHLO modules in files, with their signature and a loader that needs jaxlib alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..exported import Exported
from ..lowering.builder import Unsupported
from ..lowering.index_expr import Buffer
from . import routines
from .builder import XlaBuilder
from .client import make_portable
from .module import Value
from .program import XlaProgram
from .scalars import compare

LOADER = '''\
"""load(folder) gives the function that was exported to the folder: of NumPy arrays, a list of them. It needs jaxlib and NumPy."""
import json, numpy as np
from jaxlib import _jax, xla_client
from jaxlib.mlir.dialects import stablehlo

def load(folder):
    signature, module = json.load(open(f"{folder}/signature.json")), open(f"{folder}/module.stablehlo", "rb").read()
    client = xla_client.make_cpu_client()
    device, = client.local_devices()[:1]
    text = stablehlo.deserialize_portable_artifact_str(module)
    program = client.compile_and_load(text, _jax.DeviceList((device,)), xla_client.CompileOptions())
    def call(*arrays):
        arrays = [np.array(x, spec["dtype"]) for x, spec in zip(arrays, signature["inputs"], strict=True)]
        given = [_jax.dlpack_managed_tensor_to_buffer(x.__dlpack__(), device, None) for x in arrays]
        results = program.execute_sharded(given).disassemble_into_single_device_arrays()
        found = [r[0]._single_device_array_to_np_array_did_copy()[0] for r in results]
        if signature["checked"] and found.pop():
            raise ValueError("an index is out of range, or the like")
        return found
    return call
'''


class PortableBuilder(XlaBuilder):
    """A module for every client: it calls nothing that jaxlib registers for processors alone."""

    def factorise(self, routine: str, *, lower: bool = True, adjoint: bool = False, vectors: bool = True, **buffers: Buffer) -> None:
        """A factorisation of each matrix of a stack, where StableHLO has it."""
        w, a = self.writer, self._at(buffers["a"])
        if routine == "cholesky":
            found = w.op("cholesky", (a,), a.dims, a.dtype, "lower = true")
            bad = compare(w, "NE", found, found)
            odd = routines.reduce_axes(w, "any", bad, (len(a.dims) - 2, len(a.dims) - 1))
            self._put(buffers["info"], w.op("convert", (odd,), odd.dims, np.int64))
            self._put(buffers["out"], found)
        elif routine == "triangular":
            right = self._at(buffers["right"])
            said = (
                f"left_side = true, lower = {str(lower).lower()}, unit_diagonal = false, "
                f"transpose_a = #stablehlo<transpose {'ADJOINT' if adjoint else 'NO_TRANSPOSE'}>"
            )
            self._put(buffers["out"], w.op("triangular_solve", (a, right), right.dims, right.dtype, said))
        else:
            raise Unsupported("StableHLO has no such factorisation, and a portable module calls no LAPACK")


class ModuleProgram(XlaProgram):
    """A program of one module that is not compiled."""

    builder_type = PortableBuilder

    def _compile(self) -> dict[int, Callable[..., list[np.ndarray]]]:
        self.layouts = {}
        return {}

    def write_files(self, name: str, names: Sequence[str], held: Mapping[int, np.ndarray]) -> Exported:
        """The module in files; names: of the arguments, held: the values of inputs that are none, by tensor."""
        stage = self._stage(0)
        builder = stage.builder
        assert isinstance(builder, XlaBuilder)
        if builder.is_cut:
            raise Unsupported("it is cut over devices")
        inner = {uid: builder.value(b) for uid, b in zip(stage.given, builder.inputs, strict=True)}
        known = [f"{v.name} = {builder.writer.write_constant(held[uid])}" for uid, v in inner.items() if uid in held]
        builder.writer.head[:0] = known
        given = [t for t in self.spec.inputs if t.uid not in held]
        args = [inner.get(t.uid, Value(f"%unused{i}", t.dims or (), t.dtype.numpy_dtype)) for i, t in enumerate(given)]
        own = dict(zip([t.uid for t in given], args, strict=True))
        results = []
        for t in self.spec.outputs:
            if t is not None:
                expr = self._exprs.get(0, {}).get(t.uid)
                constant = t.node.attrs["value"] if t.node.primitive.name == "Const" else held.get(t.uid)
                results.append(own[t.uid] if t.uid in own else builder.value(expr) if expr else builder.writer.constant(constant))
        said = {
            "inputs": [{"name": name, "shape": v.dims, "dtype": v.dtype.name} for name, v in zip(names, args, strict=True)],
            "outputs": [{"shape": v.dims, "dtype": v.dtype.name} for v in results],
            "checked": bool(builder.checks),
        }
        if builder.checks:
            results.append(builder.fault())
        text = f"module @pullback {{\n{builder.writer.function('main', args, results)}\n}}\n"
        return Exported({"module.stablehlo": make_portable(text), "load.py": LOADER.encode()}, said)
