"""What Python sees of the API: iterators as arguments, signatures, metaclasses, the class of tensors; composite values in Python functions."""

from __future__ import annotations

import abc
import inspect
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"


def plain(value: Any) -> Any:
    """Ragged tensors as lists, also inside of lists."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.to_list() if hasattr(value, "to_list") else value


def python_functions(tf: Any) -> Answers:
    ragged = tf.ragged.constant([[1, 2], [3]])
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    floats = tf.ragged.constant([[1.0, 2.0], [3.0]])
    seen: list[Any] = []

    @tf.function
    def in_function(r: Any) -> Any:
        y = tf.py_function(lambda r: r * 2, [r], spec)
        seen.append([y.shape.as_list(), y.dtype])
        return y

    with tf.GradientTape() as tape:
        tape.watch(floats)
        y = tf.py_function(lambda r: r * r, [floats], tf.RaggedTensorSpec([None, None], tf.float32))

    def of_tensors() -> Any:
        tf1 = tf.compat.v1
        with tf.Graph().as_default():
            one = tf1.py_func(lambda x: tf.square(x) + 1.0, [tf.constant(3.0)], tf.float32)
            two = tf1.py_func(lambda x: tf.convert_to_tensor([x, x]), [tf.constant(3.0)], [tf.float32])
            three = tf1.py_func(lambda x: tf.executing_eagerly(), [tf.constant(3.0)], tf.bool)
            return tf1.Session().run([one, two, three])

    return {
        "ragged to ragged": lambda: plain(tf.py_function(lambda r: r + 1, [ragged], spec)),
        "ragged to tensor": lambda: tf.py_function(lambda r: tf.reduce_sum(r), [ragged], tf.int32),
        "several": lambda: plain(tf.py_function(lambda a, r: (r, a), [tf.constant(2), ragged], [spec, tf.int32])),
        "from nothing": lambda: plain(tf.py_function(lambda: ragged, [], spec)),
        "sparse": lambda: tf.py_function(lambda s: s, [tf.sparse.from_dense([[1, 0]])], tf.SparseTensorSpec([None, None], tf.int32)).values,
        "in a function": lambda: plain([in_function(ragged), seen]),
        "gradient": lambda: plain(tape.gradient(y, floats)),
        "no ragged": raises(lambda: tf.py_function(lambda r: 1, [ragged], spec), "which did not match Tout"),
        "no tensors": raises(lambda: tf.numpy_function(lambda r: r, [ragged], tf.int32)),
        "tensors in py_func": of_tensors,
        "tensors in numpy_function": lambda: tf.function(lambda: tf.numpy_function(lambda x: tf.square(x), [3.0], tf.float32))(),
    }


def arguments(tf: Any) -> Answers:
    """What can only be gone through once is an argument like any object: one trace for each."""
    numbers, traces = iter([1, 2, 3]), []

    @tf.function
    def first(i: Any) -> Any:
        traces.append(1)
        return next(i)

    return {
        "iterator": lambda: [first(numbers), first(numbers), len(traces)],
        "another": lambda: [first(iter([5])), len(traces)],
        "map": lambda: tf.function(lambda m: list(m))(map(float, [1, 2])),
        "zip": lambda: tf.function(lambda m: list(m))(zip([1], [2], strict=True)),
        "set": raises(lambda: tf.function(lambda m: 1)({1})),
        "slice": raises(lambda: tf.function(lambda m: 1)(slice([1], 3))),  # from Python 3.12 on one of numbers has a hash
    }


def operators(tf: Any) -> Answers:
    ragged, sparse = tf.ragged.constant([[1, 2], [3]]), tf.sparse.from_dense([[1, 0], [0, 2]])
    answers: Answers = {
        "equal": lambda: plain([tf.constant(1) == ragged, tf.constant(1) != ragged]),
        "not of one shape": lambda: [tf.constant([1, 2, 3]) == ragged, tf.constant([1, 2, 3]) != ragged],
        "not of one dtype": lambda: [tf.constant(1.0) == ragged, tf.constant(1.0) != ragged],
        "in a function": lambda: plain(tf.function(lambda r: tf.constant(1) == r)(ragged)),
        "divided": lambda: plain([tf.constant(2) / ragged, ragged / 2, 2 / ragged, tf.divide(tf.constant(2), ragged), tf.Variable(2) / ragged]),
    }
    for name, value in (("sparse", sparse), ("ragged", ragged), ("tensor", tf.constant(1)), ("array", np.array(1, np.int32))):
        answers[f"type of {name}"] = lambda value=value: tf.debugging.assert_type(value, tf.int32)
        answers[f"other type of {name}"] = raises(lambda value=value: tf.debugging.assert_type(value, tf.float32, message="so"), "so.  tensor must")
        answers[f"other type of {name}, 1"] = raises(lambda value=value: tf.compat.v1.assert_type(value, tf.float32))
    return answers


def classes(tf: Any) -> Answers:
    specs = "TypeSpec TensorSpec RaggedTensorSpec SparseTensorSpec TensorArraySpec IndexedSlicesSpec".split()
    names = "__bool__ __array__ __iter__ __len__ __round__ __tf_tensor__ consumers eval name set_shape ref shape dtype graph op".split()

    class Abstract(tf.TypeSpec):
        @abc.abstractmethod
        def more(self) -> None: ...

    def spec(function: Any) -> Any:
        found = inspect.getfullargspec(function)
        return found.args, list(map(str, found.defaults or ())), found.varargs, found.varkw, found.kwonlyargs

    functions = {
        "rank": tf.rank, "reduce_sum": tf.reduce_sum, "add": tf.add, "concat": tf.concat, "softmax": tf.nn.softmax, "matmul": tf.matmul,
        "argmax": tf.argmax, "expand_dims": tf.expand_dims, "old reduce_sum": tf.compat.v1.reduce_sum, "det": tf.linalg.det,
    }  # fmt: skip
    methods = {
        "assign": tf.Variable.assign, "variable": tf.Variable.__init__, "set_shape": tf.Tensor.set_shape, "module": tf.Module.__init__,
        "gradient": tf.GradientTape.gradient, "write": tf.TensorArray.write, "rows": tf.RaggedTensor.from_row_splits,
        "sparse": tf.SparseTensor.__init__, "slices": tf.IndexedSlices.__init__, "spec": tf.TensorSpec.__init__,
        "restore": tf.train.Checkpoint.restore, "normal": tf.random.Generator.normal, "batch": tf.data.Dataset.batch,
        "adam": tf.compat.v1.train.AdamOptimizer.__init__, "run": tf.compat.v1.Session.run, "session": tf.compat.v1.Session.__init__,
        "saver": tf.compat.v1.train.Saver.__init__, "save": tf.compat.v1.train.Saver.save, "by name": tf.Graph.get_tensor_by_name,
        "scope": tf.compat.v1.variable_scope.__init__, "operator": tf.linalg.LinearOperatorDiag.__init__,
    }  # fmt: skip
    bound = {"write": tf.TensorArray(tf.float32, 1).write, "rows": tf.RaggedTensor.from_row_splits, "assign": tf.Variable(1.0).assign}
    x = tf.constant(1.0)
    return {
        "signatures of methods": {name: [spec(method)[0], len(spec(method)[1]), *spec(method)[2:4]] for name, method in methods.items()},
        "signatures, bound": {name: list(inspect.signature(method).parameters) for name, method in bound.items()},
        "metaclasses": [type(getattr(tf, name)).__name__ for name in specs],
        "abstract": raises(Abstract),
        "of a tensor": [name for name in names if not hasattr(tf.Tensor, name)],
        "operators": sorted(tf.Tensor.OVERLOADABLE_OPERATORS),
        "__tf_tensor__": lambda: [x.__tf_tensor__(), x.__tf_tensor__(tf.float32)],
        "__tf_tensor__ of another dtype": raises(lambda: x.__tf_tensor__(tf.int32)),
        "eval": raises(x.eval),
        "consumers": raises(lambda: x.consumers()),
        "signatures": {name: spec(function) for name, function in functions.items()},
    }


def truth(tf: Any) -> Answers:
    """Which tensors are true: those of one element that is, words among them; none without elements."""
    values: dict[str, Any] = {
        "a word": "a", "no word": "", "a row of one word": ["a"], "nothing": [], "no rows": np.zeros((0, 3)), "zero": [[0.0]], "NaN": np.nan,
        "a complex number": 1j, "False": False,
    }  # fmt: skip
    return {
        **{name: lambda value=value: bool(tf.constant(value)) for name, value in values.items()},
        "two words": raises(lambda: bool(tf.constant(["a", "b"])), "truth value of an array with more than one element"),
        "a variable": lambda: [bool(tf.Variable("a")), bool(tf.Variable("")), not tf.Variable([0.0])],
        "two of a variable": raises(lambda: bool(tf.Variable([0.0, 1.0])), "truth value of an array with more than one element"),
        "in a condition": lambda: 1 if tf.constant("x") else 2,
    }


def modules(tf: Any) -> Answers:
    class Holder(tf.Module):
        def __init__(self, operator: Any) -> None:
            super().__init__()
            self.operator = operator

    v = tf.Variable([1.0, 2.0])
    diagonal = tf.linalg.LinearOperatorDiag(v)
    product = tf.linalg.LinearOperatorComposition([diagonal, tf.linalg.LinearOperatorIdentity(2)])
    holder = Holder(product)
    return {
        "operator": [isinstance(diagonal, tf.Module), len(diagonal.variables), len(diagonal.trainable_variables), diagonal.submodules == ()],
        "of operators": [len(product.variables), [m.name for m in product.submodules]],
        "in a module": [len(holder.variables), [m.name for m in holder.submodules]],
        "any name": tf.linalg.LinearOperatorDiag(v, name="a b").name,
    }


def rows_of_extension_types(tf: Any) -> Answers:
    base = tf.experimental.BatchableExtensionType
    Pair = type(base)("Pair", (base,), {"__annotations__": {"x": tf.Tensor, "y": tf.Tensor}, "__module__": __name__})
    shapes: list[Any] = []
    row = Pair.Spec(tf.TensorSpec([2]), tf.TensorSpec([]))

    def changed(pair: Any) -> Any:
        shapes.append([pair.x.shape.as_list(), pair.y.shape.as_list()])
        return Pair(pair.x * 2.0, pair.y + 1.0)

    @tf.function
    def mapped(pairs: Any) -> Any:
        out = tf.map_fn(changed, pairs, fn_output_signature=row)
        shapes.append([out.x.shape.as_list(), out.y.shape.as_list()])
        return out.x, out.y

    @tf.function
    def made(x: Any) -> Any:
        out = tf.map_fn(lambda t: Pair(t, t), x, fn_output_signature=Pair.Spec(tf.TensorSpec([]), tf.TensorSpec([])))
        shapes.append([out.x.shape.as_list(), out.y.shape.as_list()])
        return out.x

    def seen(call: Any) -> Any:
        shapes.clear()
        return call(), list(shapes)

    return {
        "rows": lambda: seen(lambda: mapped(Pair(tf.ones([3, 2]), tf.zeros([3])))),
        "rows of unknown number": lambda: seen(
            lambda: mapped.get_concrete_function(Pair.Spec(tf.TensorSpec([None, 2]), tf.TensorSpec([None]))) and None
        ),
        "made": lambda: seen(lambda: made(tf.ones([3]))),
    }
