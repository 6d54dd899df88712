"""`tf.saved_model.save`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...api.variable import Variable
from ...base import nest
from ...base.export import export
from ...base.files import file_errors, local_path, make_folders
from ...ir.context import current
from ...ir.function_graph import FunctionGraph
from ...ir.node import Node
from ...ir.tensor import EagerTensor, HandleTensor
from ...ir.type_spec import known_spec
from ...trace.concrete import ConcreteFunction
from ...trace.function import Function
from ...train.atomic_files import write_atomically
from ...train.packing import pack
from ...train.trackable import KEY, ObjectGraph
from ...train.wrappers import Wrapper
from ...train.written_once import write_once
from ..lookup import Lookup
from .encoding import Encoder, Json, NotEncodable, encode_signature
from .parts import ASSETS_DIRECTORY, SERVING, Asset, SaveOptions, SignatureMap, array_of, file_in
from .signatures import find_default, make_signatures

#: What the file has beside the variables: this text, and arrays by number.
DOCUMENT, CONSTANT = "saved_model.json", "constants/{}"
VERSION = 1


@export("saved_model.save", v1="saved_model.experimental.save")
def save(obj: object, export_dir: Any, signatures: object = None, options: SaveOptions | None = None) -> None:
    """Write an object with what it holds: variables, lists and dicts, traced functions, tables, assets.

    Args:
        obj: a `tf.Module`, a Keras model, or any other object that says what it holds.
        export_dir: the folder, made if it is not there. What it had is replaced in one step, so that nobody reads half of it.
        signatures: a function with an input signature, a concrete function, or a dict of such; the only function of `obj` when None.
        options: a `SaveOptions`.

    Raises:
        ValueError: what is no such object; a signature that is no function of tensors; an operation that holds Python.
        AssertionError: a function reads a variable that `obj` does not hold; a call inside of a function.

    The file, `saved_model.safetensors`, is Pullback's own: variables and constants as arrays, graphs and objects as JSON, no code.

    >>> import tempfile, pullback as tf
    >>> module = tf.Module()
    >>> module.v = tf.Variable(2.0)
    >>> module.f = tf.function(lambda x: x * module.v, input_signature=[tf.TensorSpec([])])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.saved_model.save(module, folder)
    ...     loaded = tf.saved_model.load(folder)
    >>> loaded.f(3.0).numpy().item(), list(loaded.signatures)
    (6.0, ['serving_default'])
    """
    if isinstance(current().graph, FunctionGraph):
        raise AssertionError(
            "`tf.saved_model.save` is not supported inside a traced @tf.function. Move the call to the outer eagerly-executed context."
        )
    if isinstance(obj, (Wrapper, type)) or not hasattr(obj, "_trackable_children"):
        raise ValueError(
            "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` class, for export. "
            f"Got {obj!r} with type {type(obj)}."
        )
    options = options or SaveOptions()
    custom_gradients, tags = options.experimental_custom_gradients, sorted({SERVING, *(options.extra_tags or ())})
    if signatures is None:
        signatures = find_default(obj, obj._trackable_children(save_type="savedmodel"))
    writer = _Writer(make_signatures(signatures), custom_gradients)
    document, arrays, nodes = writer.write(obj, tags, options.function_aliases)
    folder = local_path(os.fspath(export_dir))

    def write_files() -> None:
        for source, name in writer.assets.items():
            make_folders(os.path.join(folder, ASSETS_DIRECTORY))
            target = os.path.join(folder, ASSETS_DIRECTORY, name)
            if not (os.path.exists(target) and os.path.samefile(source, target)):
                with file_errors(target):
                    shutil.copyfile(source, target + ".part")
                    os.replace(target + ".part", target)
        text = json.dumps(document, separators=(",", ":")).encode()
        write_atomically(file_in(folder), pack({**arrays, DOCUMENT: np.frombuffer(text, np.uint8)}, nodes))

    write_once(writer.graph.objects, write_files)


class _Writer:
    """What of an object goes into the file."""

    def __init__(self, signatures: Mapping[str, ConcreteFunction], custom_gradients: bool) -> None:
        self._signatures = signatures
        self._encoder = Encoder(custom_gradients)
        #: The names of assets in their folder, by the paths they have now.
        self.assets: dict[str, str] = {}
        self._objects: list[Json] = []
        self._by_uid = self._encoder.objects
        self._concretes: list[Json] = []
        self._numbers: dict[int, int | None] = {}
        self._kept: list[Any] = []

    def write(self, root: Any, tags: list[str], aliases: Mapping[str, Any]) -> tuple[Json, dict[str, np.ndarray], list[dict[str, int]]]:
        """The document, the arrays by name, and which objects hold which."""
        self.graph = graph = ObjectGraph(root, "savedmodel")
        for thing, node in zip(graph.objects, graph.nodes, strict=True):
            if isinstance(thing, Wrapper):
                thing.check_saveable()
            for name in [name for name, number in node.items() if isinstance(graph.objects[number], SignatureMap)]:
                del node[name]
        variables = {number: v for number, v in enumerate(graph.objects) if isinstance(v, Variable)}
        for number, thing in enumerate(graph.objects):
            handle = thing.handle if isinstance(thing, Variable) else getattr(thing, "resource_handle", getattr(thing, "asset_path", None))
            if handle is not None:
                self._by_uid[handle.uid] = number
        self._objects = [None] * len(graph.objects)
        for number, thing in enumerate(graph.objects):
            self._objects[number] = {**self._object(thing), "children": graph.nodes[number]}
        signatures = {key: self._concrete(found, needed=True) for key, found in self._signatures.items()}
        named = {alias: self._object(function) for alias, function in aliases.items()}
        document = {
            "version": VERSION, "tags": tags, "objects": self._objects, "functions": self._concretes, "signatures": signatures,
            "aliases": named,
            "graphs": self._encoder.graphs, "bodies": self._encoder.bodies,
        }  # fmt: skip
        arrays = {graph.names[number] + KEY: array_of(v) for number, v in variables.items()}
        arrays |= {CONSTANT.format(i): array for i, array in enumerate(self._encoder.arrays)}
        return document, arrays, graph.nodes

    def _object(self, thing: Any) -> dict[str, Json]:
        encode = self._encoder.value
        if isinstance(thing, Variable):
            if thing._graph is not None:
                raise ValueError(f"{thing!r} belongs to a graph: tf.compat.v1.saved_model saves graphs and their sessions")
            dims = None if thing.dims is None else list(thing.dims)
            name = thing.name.removesuffix(":0")
            return {"is": "variable", "name": name, "dtype": thing.dtype.name, "shape": dims, "trainable": thing.trainable}
        if isinstance(thing, Function):
            numbers = [self._concrete(concrete) for concrete in thing._list_all_concrete_functions_for_serialization()]
            return {
                "is": "function", "name": thing.name, "parameters": encode_signature(self._encoder, thing._parameters.signature),
                "input_signature": encode(thing.input_signature), "traces": [n for n in numbers if n is not None],
            }  # fmt: skip
        if isinstance(thing, ConcreteFunction):
            return {"is": "concrete function", "trace": self._concrete(thing, needed=True)}
        if isinstance(thing, Asset):
            return {"is": "asset", "file": self._asset(thing.asset_path.numpy().decode())}
        if isinstance(thing, Lookup):
            keys, values = thing.export()
            dtypes = [thing.key_dtype.name, thing.value_dtype.name]
            return {"is": "table", "dtypes": dtypes, "keys": encode(array_of(keys)), "values": encode(array_of(values))}
        return {"is": "list" if isinstance(thing, (list, tuple)) else "dict" if isinstance(thing, Mapping) else "object"}

    def _asset(self, path: str) -> str:
        if path not in self.assets:
            name, taken = os.path.basename(path), set(self.assets.values())
            stem, ending = os.path.splitext(name)
            count = 0
            while name in taken:
                count += 1
                name = f"{stem}_{count}{ending}"
            self.assets[path] = name
        return self.assets[path]

    def _concrete(self, concrete: ConcreteFunction, needed: bool = False) -> int | None:
        """The number of a trace; None for one with arguments that no file can hold."""
        if id(concrete) not in self._numbers:
            self._kept.append(concrete)
            try:
                self._numbers[id(concrete)] = self._write_function(concrete)
            except NotEncodable as why:
                if needed:
                    raise ValueError(f"{concrete.name} cannot be saved: among its arguments or results is {why}") from None
                self._numbers[id(concrete)] = None
        return self._numbers[id(concrete)]

    def _write_function(self, concrete: ConcreteFunction) -> int:
        encoder = self._encoder
        if any(leaf.variable is not None for leaf in concrete._form.leaves):
            raise NotEncodable("a variable that is passed")
        given = encoder.value(concrete.structured_input_signature)
        returned = encoder.value(nest.map_structure(_spec_of, concrete._returned))
        number = len(self._concretes)
        self._concretes.append({
            "name": concrete.name, "parameters": encode_signature(encoder, concrete._parameters.signature), "given": given,
            "returned": returned, "body": encoder.body(concrete.body)["body"], "jit": concrete.graph.jit,
            "captures": [self._capture(concrete, t) for t in concrete.captured_inputs],
            "variables": [self._by_uid[v.handle.uid] for v in concrete.variables if v.handle.uid in self._by_uid],
        })  # fmt: skip
        return number

    def _capture(self, concrete: ConcreteFunction, tensor: Any) -> int:
        """The object that a function reads from outside: a variable, table or asset, or a constant."""
        if tensor.uid not in self._by_uid:
            if isinstance(tensor, HandleTensor):
                trackable = next((v for v in concrete.variables if v.handle is tensor), tensor)
                raise AssertionError(
                    "Tried to export a function which references an 'untracked' resource. TensorFlow objects (e.g. tf.Variable) captured "
                    "by functions must be 'tracked' by assigning them to an attribute of a tracked object or assigned to an attribute of "
                    f"the main object directly. See the information below:\n\tFunction name = {concrete.name}\n\tCaptured Tensor = "
                    f"{tensor!r}\n\tTrackable referencing this tensor = {trackable!r}"
                )
            if not isinstance(tensor, EagerTensor):
                raise ValueError(f"{concrete.name} reads {tensor!r}, a tensor of a graph, and can be saved only without it")
            self._by_uid[tensor.uid] = len(self._objects)
            self._objects.append({"is": "constant", "value": self._encoder.value(array_of(tensor)), "children": {}})
        return self._by_uid[tensor.uid]


def _spec_of(result: Any) -> Any:
    found = result if result is None or isinstance(result, Node) else known_spec(result)
    return result if found is None else found
