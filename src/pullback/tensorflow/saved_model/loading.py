"""`tf.saved_model.load`."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ...api.variable import Variable
from ...base import nest
from ...base.dtypes import as_dtype
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.files import local_path
from ...ir.apply import convert_to_tensor
from ...ir.context import enter_graph
from ...ir.op import set_signature
from ...ir.tensor import HandleTensor, Tensor
from ...ir.type_spec import known_spec
from ...ops.constant import TensorSpec
from ...trace.arguments import Form, Parameters, fits
from ...trace.concrete import ConcreteFunction
from ...trace.function import Function, functions_run_eagerly
from ...train.atomic_files import read_whole
from ...train.packing import unpack
from ...train.trackable import KEY, paths_of
from ...train.wrappers import AutoTrackable, TrackableResource, wrap_value
from ..lookup_table import Table
from .encoding import DAMAGE, Decoder, Json, decode_signature, pack_results
from .parts import ASSETS_DIRECTORY, FILE, FOREIGN, Asset, LoadOptions, SignatureMap, file_in
from .saving import CONSTANT, DOCUMENT, VERSION


@export(v2="saved_model.load", v1="saved_model.load_v2")
def load(export_dir: Any, tags: Any = None, options: LoadOptions | None = None) -> Any:
    """Read what `save` wrote: an object with the variables, lists, dicts and functions of the one that was saved.

    Args:
        export_dir: the folder.
        tags: the tags it must have; any when None. options: a `LoadOptions`.

    Returns:
        An object with the attributes that were saved, and `signatures`. Its functions take arguments for which they were traced before,
        and are differentiated as those that were saved.

    Raises:
        OSError: there is none, or its file is damaged. ValueError: other tags.

    >>> tf.saved_model.load("/nowhere")
    Traceback (most recent call last):
    OSError: SavedModel file does not exist at: /nowhere/saved_model.safetensors
    """
    folder = local_path(os.fspath(export_dir))
    path = file_in(folder)
    if not os.path.isfile(path):
        foreign = any(os.path.exists(os.path.join(folder, name)) for name in FOREIGN)
        note = "; what is there was written by TensorFlow, whose SavedModels Pullback does not read" if foreign else ""
        raise OSError(f"SavedModel file does not exist at: {folder}/{FILE}{note}")
    try:
        arrays, nodes = unpack(read_whole(path))
        document = json.loads(arrays[DOCUMENT].tobytes())
        version, found = document["version"], document["tags"]
        if version != VERSION:
            raise OSError(f"{path} has version {version} of the format; this Pullback reads version {VERSION}")
        with enter_graph(None):
            reader = _Reader(document, arrays, folder)
            loaded = reader.read(nodes)
            if options is not None and options.experimental_load_function_aliases:
                loaded.function_aliases = reader.aliases()
    except DAMAGE as why:
        raise OSError(
            f"Cannot parse file {path!r}: it is damaged, or needs another version of Pullback ({type(why).__name__}: {why})"
        ) from why
    if tags is not None and found != sorted({tags} if isinstance(tags, str) else set(tags)):
        raise ValueError(
            f"Got an incompatible argument to `tags`: {tags}. The SavedModel at {folder} has one MetaGraph with tags {found}. You may omit "
            "the argument, pass 'None', or pass matching tags."
        )
    return loaded


class _UserObject(AutoTrackable):
    """What was loaded in the place of an object."""


class _CallableObject(_UserObject):
    """What was loaded in the place of an object with a function `__call__`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return vars(self)["__call__"](*args, **kwargs)


_CallableObject.__name__ = _CallableObject.__qualname__ = "_UserObject"


class _Table(TrackableResource):
    """What was loaded in the place of a table: functions read it."""

    def __init__(self, table: Table) -> None:
        self.resource_handle = HandleTensor(table)


class RestoredFunction(Function[..., Any]):
    """A function that was loaded: it has the traces that it was saved with, and gets no others."""

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces."""
        return self._concrete_functions()

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], key: Any = None, tensors: Sequence[Any] = ()) -> Any:
        if not self.concrete_functions:
            raise ValueError("Found zero restored functions for caller function.")
        form = self._form(args, kwargs)
        kinds = form.kinds if self._signature is None else self._parameters.declare_kinds(form.kinds)
        found = self._traces.find(form, kinds)
        if found is not None and functions_run_eagerly():  # there is no Python to run
            return found.call_on_tensors([leaf.value for leaf in form.leaves])
        for concrete in self.concrete_functions if found is None else ():
            given = _fit_arguments(concrete, form)
            if given is not None:
                return concrete.call_on_tensors(given)
        return super()._call(args, kwargs, key, tensors)

    def _trace(self, form: Form, kinds: Any, called: bool) -> ConcreteFunction:
        options = [f"Option {i}:\n{_show_call(*c.structured_input_signature)}" for i, c in enumerate(self.concrete_functions, 1)]
        raise ValueError(
            f"Could not find matching concrete function to call loaded from the SavedModel. Got:\n{_show_call(form.args, form.kwargs)}\n\n "
            f"Expected these arguments to match one of the following {len(options)} option(s):\n\n" + "\n\n".join(options)
        )


class RestoredConcreteFunction(ConcreteFunction):
    """A `ConcreteFunction` from a file, of which a program knows by specs what it gives."""

    @property
    def structured_outputs(self) -> Any:
        """The specs of the results, nested as they are; those in a dictionary have their keys as names."""
        if isinstance(self._returned, Mapping):
            named = {key: known_spec(t) for key, t in self._returned.items()}
            return {key: TensorSpec(s.shape, s.dtype, key) if isinstance(s, TensorSpec) else s for key, s in named.items()}
        return nest.map_structure(lambda t: known_spec(t) or t, self._returned)


def _fit_arguments(concrete: ConcreteFunction, form: Form) -> list[Any] | None:
    """The arguments of a call as tensors of the kinds that a trace takes; None where they cannot be."""
    if len(form.args) != len(concrete._form.args) or form.kwargs.keys() != concrete._form.kwargs.keys():
        return None
    try:
        given = concrete._bind_arguments(form.args, form.kwargs)
    except (TypeError, ValueError, InvalidArgumentError):
        return None
    kinds = tuple((t.dtype, t.dims) for t in given)
    return given if fits(kinds, tuple((t.dtype, t.dims) for t in concrete.body.inputs[: len(given)])) else None


def _show_call(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    positional = "".join(f"\n    * {arg!r}" for arg in args)
    return f"  Positional arguments ({len(args)} total):{positional}\n  Keyword arguments: {dict(kwargs)!r}"


class _Reader:
    """Makes objects and functions of a document."""

    def __init__(self, document: Mapping[str, Json], arrays: Mapping[str, np.ndarray], folder: str) -> None:
        self._document, self._arrays, self._folder = document, arrays, folder
        constants = [
            arrays[CONSTANT.format(i)]
            for i in range(sum(name.startswith(CONSTANT.format("")) for name in arrays if not name.endswith(KEY)))
        ]
        self._decoder = Decoder(document["graphs"], document["bodies"], constants, lambda number: self._handle(self._objects[number]))
        self._objects: list[Any] = []
        self._concretes: dict[int, ConcreteFunction] = {}

    def read(self, nodes: Any) -> Any:
        """The root."""
        written = self._document["objects"]
        paths = paths_of(nodes)
        functions = ("function", "concrete function")
        self._objects = [None] * len(written)
        for wants_functions in (False, True):  # which read the others
            for number, about in enumerate(written):
                if (about["is"] in functions) is wants_functions:
                    path = paths[number] if number < len(paths) else ""
                    self._objects[number] = self._makers[about["is"]](self, about, path)
        for about, thing in zip(written, self._objects, strict=True):
            self._fill(about, thing)
        root = self._objects[0]
        root.signatures = SignatureMap({key: self._concrete(number) for key, number in self._document["signatures"].items()})
        return root

    def aliases(self) -> dict[str, Any]:
        """The functions that were saved under names of their own."""
        return {alias: self._makers[about["is"]](self, about, "") for alias, about in self._document["aliases"].items()}

    def _fill(self, about: Mapping[str, Json], thing: Any) -> None:
        """Let an object hold what it held."""
        held = {name: self._objects[number] for name, number in about["children"].items()}
        if about["is"] == "list":
            thing.extend(held[name] for name in sorted(held, key=int))
        elif about["is"] == "dict":
            thing.update(held)
        elif about["is"] == "object":
            for name, child in held.items():
                if name.startswith("__") and name != "__call__":
                    raise ValueError(f"an object has an attribute {name}")
                setattr(thing, name, child)

    def _variable(self, about: Mapping[str, Json], path: str) -> Variable:
        array, dtype = self._arrays[path + KEY], as_dtype(about["dtype"])
        value = convert_to_tensor(array)
        if value.dtype is not dtype:
            raise ValueError(f"the variable {path} is {dtype.name}, its value {value.dtype.name}")
        return Variable(value, about["trainable"] is True, name=about["name"], shape=about["shape"])

    def _function(self, about: Mapping[str, Json], path: str) -> RestoredFunction:
        signature = decode_signature(self._decoder, about["parameters"])
        made = RestoredFunction(_stub(signature), about["name"], self._decoder.value(about["input_signature"]), False, False)
        names = made._parameters.names
        for number in about["traces"]:
            concrete = self._concrete(number)
            form = Form(concrete._form.args, concrete._form.kwargs, names)
            made._traces.add(form, form.kinds, concrete)
        return made

    def _concrete(self, number: int) -> ConcreteFunction:
        if number not in self._concretes:
            about = self._document["functions"][number]
            decoder = self._decoder
            body = decoder.body(about["body"])
            parameters = Parameters(_stub(decode_signature(decoder, about["parameters"])), None)
            args, kwargs = decoder.value(about["given"])
            form = Form(args, kwargs, parameters.names)
            outside = [self._handle(self._objects[capture]) for capture in about["captures"]]
            declared = [*form.kinds, *((t.dtype, t.dims) for t in outside)]
            if len(declared) != len(body.inputs) or any(t.dtype is not dtype for t, (dtype, _) in zip(body.inputs, declared, strict=True)):
                raise ValueError(f"{about['name']} takes other tensors than its graph")
            returned = pack_results(decoder.value(about["returned"]), body.outputs)
            made = RestoredConcreteFunction(parameters, form, body.graph, returned, body, outside)
            made.graph.jit = about["jit"]
            made.reads([self._objects[i] for i in about["variables"]])
            self._concretes[number] = made
        return self._concretes[number]

    def _handle(self, thing: Any) -> Any:
        """The tensor by which functions read an object."""
        if isinstance(thing, Variable):
            return thing.handle
        found = thing.resource_handle if isinstance(thing, _Table) else thing.asset_path if isinstance(thing, Asset) else thing
        if not isinstance(found, Tensor):
            raise ValueError(f"{thing!r} is read as if it were a tensor")
        return found

    def _table(self, about: Mapping[str, Json], path: str) -> _Table:
        keys, values = (np.asarray(self._decoder.value(about[part])) for part in ("keys", "values"))
        key_dtype, value_dtype = map(as_dtype, about["dtypes"])
        table = Table(key_dtype, value_dtype, values.shape[1:])
        table.key_dims = keys.shape[1:]
        table.insert(keys, values)
        return _Table(table)

    def _asset(self, about: Mapping[str, Json], path: str) -> Asset:
        name = about["file"]
        if os.path.basename(name) != name or name in ("", ".", ".."):
            raise ValueError(f"an asset lies outside of the folder: {name!r}")
        return Asset(os.path.join(self._folder, ASSETS_DIRECTORY, name))

    _makers: ClassVar[dict[str, Callable[[Any, Mapping[str, Json], str], Any]]] = {
        "object": lambda self, about, path: _CallableObject() if "__call__" in about["children"] else _UserObject(),
        "list": lambda self, about, path: wrap_value([]),
        "dict": lambda self, about, path: wrap_value({}),
        "variable": _variable,
        "function": _function,
        "concrete function": lambda self, about, path: self._concrete(about["trace"]),
        "asset": _asset,
        "table": _table,
        "constant": lambda self, about, path: convert_to_tensor(self._decoder.value(about["value"])),
    }


def _stub(signature: inspect.Signature) -> Callable[..., Any]:
    """A Python function of these parameters, which is never run."""

    def refuse_call(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("a function that was loaded has no Python: it cannot be run eagerly, or traced again")

    return set_signature(refuse_call, signature)
