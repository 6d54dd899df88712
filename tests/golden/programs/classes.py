"""What classes are to Python: metaclasses, abstract methods, names of types, and what objects are printed as."""

from __future__ import annotations

import abc
import collections.abc
import inspect
import os
import tempfile
import types
import typing
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"
#: What a type of traces has to have; between these words and the class, Python's versions say it otherwise.
METHODS = ("is_subtype_of", "most_specific_common_supertype", "placeholder_value")


class Named(abc.ABC):
    """A class of a program, with a metaclass of Python's."""

    @abc.abstractmethod
    def describe(self) -> str: ...


class Sized(typing.Protocol):
    def __len__(self) -> int: ...


def _classes(tf: Any) -> dict[str, Any]:
    names = """
        Variable Module RaggedTensor SparseTensor IndexedSlices TypeSpec TensorSpec RaggedTensorSpec TensorArray Graph Operation
        GradientTape data.Dataset data.Iterator experimental.ExtensionType experimental.BatchableExtensionType experimental.Optional
        linalg.LinearOperator linalg.LinearOperatorDiag random.Generator train.Checkpoint types.experimental.Callable
        types.experimental.ConcreteFunction types.experimental.TraceType experimental.RowPartition experimental.DynamicRaggedShape
        compat.v1.Session compat.v1.Variable compat.v1.data.Dataset compat.v1.train.Optimizer compat.v1.train.AdamOptimizer
    """
    return {name: _at(tf, name) for name in names.split()}


def _at(tf: Any, name: str) -> Any:
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


def metaclasses(tf: Any) -> Answers:
    """Which classes are abstract base classes of Python."""
    return {name: lambda c=c: isinstance(c, abc.ABCMeta) for name, c in _classes(tf).items()}


def names_of_metaclasses(tf: Any) -> Answers:
    """What the classes of classes are called, and which classes count as types of traces."""

    class Pair(tf.experimental.ExtensionType):  # type: ignore[misc]  # of either library
        __annotations__ = {"left": tf.Tensor}

    class Like:
        """What counts as a shape or dtype."""

    classes = {
        "variable": tf.Variable, "variable of TensorFlow 1": tf.compat.v1.Variable, "extension type": tf.experimental.ExtensionType,
        "a program's": Pair, "its spec": Pair.Spec, "batchable": tf.experimental.BatchableExtensionType, "dtype": tf.DType,
        "shape": tf.TensorShape, "derived shape": type("Derived", (tf.TensorShape,), {}), "spec": tf.TypeSpec, "array": tf.TensorArray,
    }  # fmt: skip
    trace = tf.types.experimental.TraceType
    found: Answers = {name: [type(c).__name__, isinstance(c, abc.ABCMeta), issubclass(c, trace)] for name, c in classes.items()}
    shape, dtype = tf.TensorShape([1, None]), tf.float32
    for c in (tf.TensorShape, tf.DType):
        c.register(Like)
    return found | {
        "types of traces": [isinstance(x, trace) for x in (shape, dtype, tf.TensorSpec([1]), tf.constant(1.0))],
        "registered": [isinstance(Like(), tf.TensorShape), isinstance(Like(), tf.DType), isinstance([], tf.TensorShape)],
        "with an abstract class": [issubclass(types.new_class("Own", (c, Named)), Named) for c in (tf.TensorShape, tf.DType)],
        "abstract shape": raises(lambda: types.new_class("Own", (tf.TensorShape, Named))([1]), "abstract"),
        "subtypes of a dtype": [dtype.is_subtype_of(tf.float32), dtype.is_subtype_of(tf.int32)],
        "what dtypes have in common": [
            dtype.most_specific_common_supertype([tf.float32]),
            dtype.most_specific_common_supertype([tf.int32]),
        ],
        "tensors in it": [
            dtype.flatten(),
            dtype.to_tensors(tf.float32),
            shape.flatten(),
            dtype.placeholder_value(None),
            shape.placeholder_value(None),
        ],
        "abstract type": raises(lambda: trace(), "Can't instantiate abstract class TraceType with", "abstract methods", *METHODS),
        "arguments": lambda: tf.function(lambda d, s: tf.zeros(s, d))(tf.int32, tf.TensorShape([2])),
    }


def combined(tf: Any) -> Answers:
    """Classes of a program that are of a public class and of another one."""

    def combine(bases: tuple[Any, ...], metaclass: type | None = None) -> bool:
        made = types.new_class("Own", bases, {} if metaclass is None else {"metaclass": metaclass})
        return all(issubclass(made, base) for base in bases)

    ways: dict[str, Any] = {
        "before": lambda c: combine((Named, c)),
        "behind": lambda c: combine((c, Named)),
        "metaclass": lambda c: combine((c,), abc.ABCMeta),
        "mapping": lambda c: combine((c, collections.abc.Mapping)),
        "a module": lambda c: combine((c, tf.Module)) if c is not tf.Module else None,
    }
    without = ("experimental.ExtensionType", "experimental.BatchableExtensionType", "linalg.LinearOperator", "linalg.LinearOperatorDiag")
    classes = {name: c for name, c in _classes(tf).items() if name not in without}
    return {name: lambda c=c: {way: make(c) for way, make in ways.items()} for name, c in classes.items()}


def abstract(tf: Any) -> Answers:
    """A class with an abstract method has no objects, one that defines it has."""

    class Rows(tf.experimental.ExtensionType):  # type: ignore[misc]  # of either library
        __annotations__ = {"rows": tf.Tensor}  # the class itself: text could not be read inside of a function

        @abc.abstractmethod
        def total(self) -> Any: ...

    class Sums(Rows):
        def total(self) -> Any:
            return tf.reduce_sum(self.rows)

    class Operator(tf.linalg.LinearOperator):  # type: ignore[misc]  # of either library
        @abc.abstractmethod
        def scale(self) -> Any: ...

    class Layer(tf.Module, abc.ABC):  # type: ignore[misc]  # of either library
        @abc.abstractmethod
        def call(self, x: Any) -> Any: ...

    class Double(Layer):
        def __init__(self) -> None:
            super().__init__(name="double")
            self.w = tf.Variable(2.0)

        def call(self, x: Any) -> Any:
            return self.w * x

    class Weight(tf.Variable, Named):  # type: ignore[misc]  # of either library
        def describe(self) -> str:
            return "a weight"

    class Like:
        """What counts as some of TensorFlow's."""

    for kind in (tf.linalg.LinearOperator, tf.RaggedTensor, tf.Variable):
        kind.register(Like)
    return {
        "extension type": raises(lambda: Rows(tf.constant([1.0])), "abstract"),
        "its subclass": lambda: Sums(tf.constant([1.0, 2.0])).total(),
        "operator": raises(lambda: Operator(tf.float32), "abstract"),
        "module": raises(lambda: Layer(), "abstract"),
        "its own": lambda: [Double().call(3.0), [v.shape for v in Double().trainable_variables]],
        "variable": lambda: [issubclass(Weight, tf.Variable), issubclass(Weight, Named)],
        "registered": lambda: [
            isinstance(Like(), kind) for kind in (tf.linalg.LinearOperator, tf.RaggedTensor, tf.Variable, tf.SparseTensor)
        ],
        "not registered": lambda: [
            isinstance([], tf.linalg.LinearOperator),
            isinstance(3.0, tf.RaggedTensor),
            isinstance(tf.constant(1), tf.Variable),
        ],
    }


def datasets(tf: Any) -> Answers:
    """The classes of datasets and of what goes through them, by the names that programs print."""
    numbers = tf.data.Dataset.range(4)
    same = lambda x: x
    one = lambda x: tf.data.Dataset.from_tensors(x)
    made: dict[str, Any] = {
        "range": lambda: numbers,
        "tensors": lambda: tf.data.Dataset.from_tensors(1),
        "slices": lambda: tf.data.Dataset.from_tensor_slices([1, 2]),
        "slices of sparse": lambda: tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0]])),
        "generator": lambda: tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32)),
        "map": lambda: numbers.map(same),
        "parallel map": lambda: numbers.map(same, num_parallel_calls=2),
        "batch": lambda: numbers.batch(2),
        "filter": lambda: numbers.filter(lambda x: x > 1),
        "flat map": lambda: numbers.flat_map(one),
        "interleave": lambda: numbers.interleave(one),
        "parallel interleave": lambda: numbers.interleave(one, num_parallel_calls=2),
        "zip": lambda: tf.data.Dataset.zip((numbers, numbers)),
        "concatenate": lambda: numbers.concatenate(numbers),
        "shuffle": lambda: numbers.shuffle(4),
        "repeat": lambda: numbers.repeat(),
        "take": lambda: numbers.take(1),
        "cache": lambda: numbers.cache(),
        "prefetch": lambda: numbers.prefetch(1),
        "window": lambda: numbers.window(2),
        "scan": lambda: numbers.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s)),
        "unbatch": lambda: numbers.batch(2).unbatch(),
        "options": lambda: numbers.with_options(tf.data.Options()),
        "counter": lambda: tf.data.Dataset.counter(),
        "random": lambda: tf.data.Dataset.random(1),
        "apply": lambda: numbers.apply(lambda d: d.take(2).map(same)),
    }
    in_v1: dict[str, Any] = {
        "range": lambda d: d.range(3),
        "map": lambda d: d.range(3).map(same),
    }

    def in_graph(make: Any) -> Any:
        with tf.Graph().as_default():
            return type(make(tf.compat.v1.data.Dataset)).__name__

    found: Answers = {name: lambda make=make: [type(make()).__name__, str(make()).split()[0]] for name, make in made.items()}
    found |= {f"v1 {name}": lambda make=make: in_graph(make) for name, make in in_v1.items()}
    whole = numbers.batch(2).map(same)
    return found | {
        "iterator": lambda: type(iter(numbers)).__name__,
        "instances": lambda: [isinstance(d, tf.data.Dataset) for d in (numbers, whole, whole.take(1))],
        "one class": lambda: [type(numbers) is type(tf.data.Dataset.range(2)), type(whole) is type(numbers)],
        "in a function": lambda: [
            int(tf.function(lambda d: d.reduce(tf.constant(0, tf.int64), lambda s, x: s + x))(numbers)),
            type(whole._inputs()[0]).__name__,
        ],
    }


def functions(tf: Any) -> Answers:
    """What the graphs of functions are called, and what is asked of a function's parameters."""
    seen: dict[str, Any] = {}

    @tf.function
    def scaled(x: Any, factor: float = 2.0, *, shift: float = 0.0) -> Any:
        """What it gives."""
        seen["graph"] = tf.compat.v1.get_default_graph()
        return x * factor + shift

    class Layer:
        @tf.function
        def call(self, x: Any, training: bool = False) -> Any:
            return x

    concrete = scaled.get_concrete_function(tf.TensorSpec([2]))
    spec = inspect.getfullargspec(scaled)
    method = inspect.getfullargspec(Layer.call)
    return {
        "graph": lambda: [
            type(concrete.graph).__name__,
            concrete.graph.name,
            str(concrete.graph).split(",")[0],
            isinstance(concrete.graph, tf.Graph),
        ],
        "while it is traced": lambda: [type(seen["graph"]).__name__, seen["graph"].name],
        "parameters": lambda: [spec.args, [repr(d) for d in spec.defaults or ()], spec.kwonlyargs, spec.varargs, spec.varkw],
        "a method's": lambda: [method.args, [repr(d) for d in method.defaults or ()]],
        "signature": lambda: list(inspect.signature(scaled).parameters),
        "bound": lambda: [list(inspect.signature(Layer().call).parameters), inspect.getfullargspec(Layer().call).args],
        "name": lambda: [scaled.__name__, scaled.__doc__],
    }


def numbers(tf: Any) -> Answers:
    """Data types and shapes as Python sees them."""
    return {
        "as_numpy_dtype": lambda: [
            tf.float32.as_numpy_dtype is np.float32,
            tf.string.as_numpy_dtype is np.object_,
            tf.bool.as_numpy_dtype is np.bool_,
        ],
        "of true": lambda: [tf.TensorShape([True]) == tf.TensorShape([1]), tf.TensorShape([True, 2]).num_elements()],
        "a float": raises(lambda: tf.TensorShape(1.0), "must be integer or None"),
        "floats": raises(lambda: tf.TensorShape([1.0]), "must be integer or None"),
        "is_tensor": lambda: [tf.is_tensor(x) for x in _objects(tf)],
        "words": raises(lambda: tf.TensorShape("3"), "could not be converted to a dimension"),
        "operation": lambda: _in_graph(tf, lambda: [type(tf.no_op()).__name__, type(tf.no_op()).__qualname__]),
        "variables": lambda: [type(tf.Variable(1.0).assign(2.0)).__qualname__, type(tf.Variable(1.0).assign_add(2.0)).__qualname__],
    }


def _objects(tf: Any) -> list[Any]:
    one, numbers, ragged = tf.constant([1.0]), tf.data.Dataset.range(2), tf.ragged.constant([[1]])
    tensors = [one, tf.Variable(1.0), tf.sparse.from_dense([1, 0]), ragged, tf.IndexedSlices(one, tf.constant([0])), tf.constant("a")]
    others = [
        tf.TensorArray(tf.float32, 1),
        numbers,
        iter(numbers),
        tf.experimental.Optional.from_value(1),
        tf.random.Generator.from_seed(1),
    ]
    shapes = [tf.TensorSpec([2]), tf.TensorShape([1]), tf.float32, ragged.shape, tf.experimental.RowPartition.from_row_lengths([1])]
    return [*tensors, *others, *shapes, tf.linalg.LinearOperatorDiag([1.0]), np.ones(2), [1], 3, None]


def _in_graph(tf: Any, make: Any) -> Any:
    with tf.Graph().as_default():
        return make()


def keywords(tf: Any) -> Answers:
    """Arguments by the names that TensorFlow gives them, and the defaults of raw operations."""
    raw = tf.raw_ops

    def fetched() -> Any:
        with tf.Graph().as_default() as graph, graph.device(device_name_or_function="/cpu:0"):
            x = tf.compat.v1.placeholder(tf.float32)
            before = graph.is_fetchable(tensor_or_op=x)
            graph.prevent_fetching(op=x.op)
            return [before, graph.is_fetchable(x), graph.is_fetchable(x.op)]

    def placeholder() -> Any:
        with tf.Graph().as_default():
            return str(raw.Placeholder(dtype=tf.float32).shape)

    return {
        "of graphs": fetched,
        "StringFormat": lambda: raw.StringFormat(inputs=[tf.constant([1, 2])]),
        "StringFormat with a template": lambda: raw.StringFormat(inputs=[tf.constant([1, 2]), 3], template="a %s b %s"),
        "full integers": lambda: raw.StatelessRandomUniformFullIntV2(shape=[2], key=[1], counter=[0, 0], alg=1),
        "Placeholder": placeholder,
    }


def writers(tf: Any) -> Answers:
    """A whole dataset written to a file of records."""
    write = tf.data.experimental.TFRecordWriter
    words = tf.data.Dataset.from_tensor_slices(["a", "b"])

    def written(**options: Any) -> Any:
        path = os.path.join(tempfile.mkdtemp(), "records")
        write(filename=path, **options).write(dataset=words)
        return list(tf.data.TFRecordDataset(path, options.get("compression_type")).as_numpy_iterator())

    return {
        "strings": written,
        "compressed": lambda: written(compression_type="GZIP"),
        "numbers": raises(lambda: write("none").write(tf.data.Dataset.range(2)), "produces scalar `tf.string` elements"),
        "no dataset": raises(lambda: write("none").write([b"a"]), "Expected a `tf.data.Dataset` object"),
    }
