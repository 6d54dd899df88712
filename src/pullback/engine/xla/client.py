"""jaxlib's client, which compiles StableHLO and runs it: the one module that knows jaxlib's interface.

jax's Python is not needed.  Arrays are handed over and taken back without a copy on CPUs; what is on another device comes back with one.

A module may write a variable's new value where the old one was.  XLA sees to it that nobody else reads that memory, and copies it where
somebody does.  It counts NumPy's arrays too, so the array of a variable is one that it does not know of (`_Lent`), and whether others
hold that is asked here (`give_away`).
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from ...base.errors import UnimplementedError
from ...base.export import export
from ...ops.state.variables import Storage, is_held_once
from .module import Kind

#: The versions of jaxlib that the tests have run with.
TESTED = "0.10.2"


class MissingJaxlibError(ImportError):
    """XLA was asked for and jaxlib is not installed."""


def _library(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"jaxlib.{name}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".", maxsplit=1)[0] != "jaxlib":
            raise
        raise MissingJaxlibError("XLA needs jaxlib, which is not installed: pip install 'pullback[xla]'") from None


class _Type:
    """What jaxlib asks an array's type for."""

    weak_type = False

    def __init__(self, dims: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape, self.dtype, self.ndim = dims, dtype, len(dims)


class _Lent:
    """Memory on the device as NumPy sees it, without counting as one who reads it; what is written there later is seen too."""

    def __init__(self, result: Any, dtype: np.dtype[Any]) -> None:
        self.obj, self.address = result.block_until_ready(), result.unsafe_buffer_pointer()
        self.__array_interface__ = {"data": (self.address, True), "shape": result.aval.shape, "typestr": dtype.str, "version": 3}


def _lend(result: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """A result as the array of a variable."""
    return _copy_result(result) if dtype.kind == "V" else np.asarray(_Lent(result, dtype))


def _move(result: Any, before: Any, dtype: np.dtype[Any]) -> np.ndarray:
    """A new value as the array of its variable: the one that there was, where the result lies in its place."""
    base = before.base
    if type(base) is _Lent and base.obj.is_deleted() and base.address == result.unsafe_buffer_pointer():
        base.obj = result.block_until_ready()
        there: np.ndarray = before
        return there
    return _lend(result, dtype)


def _pass_result(result: Any) -> Any:
    """A result that is looked at later."""
    return result


_SHOWN = frozenset({memoryview, _Lent})


class Client:
    """The devices of one platform."""

    def __init__(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        library, self._jax, self._hlo = _library("xla_client"), _library("_jax"), _library("_hlo")
        try:
            self._client = library.make_cpu_client()
            self.devices = self._client.local_devices()
            self._list = self._jax.DeviceList
            self._at = self._placement()
            self._library = library
            self._array = self._jax.ArrayImpl
            self.put(np.zeros(()), _Type((), np.dtype(np.float64)), self.devices[:1])
        except (AttributeError, TypeError) as error:
            raise UnimplementedError(
                None, None, f"this version of jaxlib has another interface ({error}); pullback is tested with {TESTED}"
            ) from error
        self.failures = (self._jax.JaxRuntimeError,)

    def _placement(self) -> Callable[[Any], Any]:
        """What says that devices have the whole of an array; jax's own class, which has more, needs jax."""
        whole = self._hlo.HloSharding.replicate()

        class Everywhere(self._jax.GSPMDSharding):  # type: ignore[misc, name-defined]  # jaxlib is imported when XLA is first used
            is_fully_replicated = True
            memory_kind = None

            def __init__(self, devices: tuple[Any, ...]) -> None:
                super().__init__(devices, whole)
                self._device_assignment = devices

            def _to_xla_hlo_sharding(self, rank: int) -> Any:
                return whole

            def shard_shape(self, dims: tuple[int, ...]) -> tuple[int, ...]:
                return dims

        return cache(Everywhere)

    def put(self, array: np.ndarray, kind: _Type, devices: Sequence[Any]) -> Any:
        """An array on devices, on each the whole of it; what lies there already is found again."""
        if len(devices) == 1 and self.is_kept(array):
            kept: Any = array.base
            return kept.obj
        array = np.asarray(array, order="C")
        at = self._at(tuple(devices))
        return self._jax.batched_device_put(kind, at, [array] * len(devices), list(devices), True, False, enable_x64=True)

    def is_kept(self, array: np.ndarray) -> bool:
        """Whether an array is a view of the whole of one on the device, as results are."""
        base: Any = array.base
        on_device: Any = base.obj if type(base) in _SHOWN else None
        return type(on_device) is self._array and on_device.aval.shape == array.shape

    def keep(self, array: np.ndarray) -> np.ndarray:
        """An array's values on the device, as an array that `put` finds there; bfloat16 comes back as a copy, which it does not."""
        return _lend(self.put(array, _Type(array.shape, array.dtype), self.devices[:1]), array.dtype)

    def give_away(self, storage: Storage) -> None:
        """Let a module write where a variable's value is: where somebody else holds that, the variable gets a copy."""
        if not is_held_once(storage) and storage.value is not None:
            base: Any = storage.value.base
            if type(base) is _Lent:
                storage.value = self.keep(storage.value.copy())

    @cache  # noqa: B019 - there is one client
    def add_lapack(self) -> None:
        """Give modules the routines of LAPACK, which are SciPy's."""
        lapack = _library("lapack")
        for platform, targets in lapack.registrations().items():
            for name, target, version in targets:
                self._library.register_custom_call_target(name, target, platform, api_version=version)
        lapack.prepare_lapack_call("getrf", np.float64)

    def compile_module(
        self, text: str, given: Sequence[Kind], gives: Sequence[Kind], everywhere: bool = False, takes: Mapping[int, int] | None = None
    ) -> Callable[..., list[np.ndarray] | None]:
        """A module ready to run on one device, or on all of them, each a part of it; what it is given and gives, in dims and dtypes.

        It gives None for arrays that are others.  On one device, with `stays`, for each of them whether it must lie there already.
        takes: by the number of a result that of the array in whose place it may be written, with `stays`; without, that array is kept.
        """
        devices = tuple(self.devices if everywhere else self.devices[:1])
        options = self._library.CompileOptions()
        options.env_option_overrides = [("xla_allow_excess_precision", "False")]
        build = options.executable_build_options
        options.num_partitions = build.num_partitions = len(devices)
        build.use_spmd_partitioning = everywhere
        build.device_assignment = self._library.DeviceAssignment.create(np.array([[device.id for device in devices]]))
        program = self._client.compile_and_load(text, self._list(devices), options)

        types = [_Type(*kind) for kind in given]
        put = self.put
        on_device = self._array
        if everywhere:

            def run(arrays: Sequence[np.ndarray | None]) -> list[np.ndarray] | None:
                there = []
                for array, kind in zip(arrays, types, strict=True):
                    if array is None or array.shape != kind.shape or array.dtype != kind.dtype:
                        return None
                    there.append(put(array, kind, devices))
                return [_copy_result(shards[0]) for shards in program.execute_sharded(there).disassemble_into_single_device_arrays()]

            return run
        handlers = [self._jax.array_result_handler(_Type(*kind), self._at(devices), True, True) for kind in gives]
        taken = [_view_type(dtype) for _, dtype in gives]
        places = takes or {}
        for number in places:
            taken[number] = _pass_result

        def run_arrays(arrays: Sequence[np.ndarray | None], stays: Sequence[bool] | None = None) -> list[np.ndarray] | None:
            there = []
            for at, (array, kind) in enumerate(zip(arrays, types, strict=True)):
                if array is None or array.shape != kind.shape or array.dtype != kind.dtype:
                    return None
                base: Any = array.base
                kept: Any = base.obj if type(base) in _SHOWN else None
                if type(kept) is on_device and kept.aval.shape == kind.shape:
                    there.append(kept)
                elif stays is not None and stays[at]:
                    return None
                else:
                    there.append(put(array, kind, devices))
            held = [np.asarray(there[at]) for at in places.values()] if stays is None else []
            results = program.execute_sharded(there).consume_with_handlers(handlers)
            held.clear()
            given = [take(result) for take, result in zip(taken, results, strict=True)]
            for number, at in places.items():
                given[number] = _move(results[number], arrays[at], gives[number][1])
            return given

        return run_arrays


def _view_type(dtype: np.dtype[Any]) -> Callable[[Any], np.ndarray]:
    """How a result on this processor becomes an array."""
    return _copy_result if dtype.kind == "V" else np.asarray


def _copy_result(result: Any) -> np.ndarray:
    """A result as an array, where NumPy cannot look at its memory by itself: bfloat16, or one that several devices have."""
    found: np.ndarray = result._single_device_array_to_np_array_did_copy()[0]
    return found


def make_portable(text: str) -> bytes:
    """A module in the form that StableHLO of the last twelve weeks reads too; without CHLO, which has no such form."""
    ir, passes, extension = (_library(f"mlir.{name}") for name in ("ir", "passmanager", "_mlir_libs._jax_mlir_ext"))
    dialect, chlo = (_library(f"mlir.dialects.{name}") for name in ("stablehlo", "chlo"))
    version = dialect.get_version_from_compatibility_requirement(dialect.StablehloCompatibilityRequirement.WEEK_12)
    registry = ir.DialectRegistry()
    extension.register_dialects(registry)
    with ir.Context() as context:
        context.append_dialect_registry(registry)
        for each in (dialect, chlo):
            each.register_dialect(context)
        dialect.register_stablehlo_passes()
        module = ir.Module.parse(text)
        passes.PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(module.operation)
        return bytes(dialect.serialize_portable_artifact(module, version))


@cache
def client() -> Client:
    """The client of this process."""
    return Client()


@export(ours="distribute.xla_devices")
def xla_devices() -> int:
    """How many devices XLA has here; XLA_FLAGS=--xla_force_host_platform_device_count=8 before the first use makes 8 of a processor.

    ImportError where jaxlib is not installed.
    """
    return len(client().devices)
