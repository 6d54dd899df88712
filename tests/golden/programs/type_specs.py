"""Specs of values: what they say, what fits them, what they have in common; functions with them as signatures."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raises

FACE = "v2"


def _specs(tf: Any) -> dict[str, Any]:
    return {
        "tensor": tf.TensorSpec([2, 3]),
        "tensor of rows": tf.TensorSpec([None, 3], name="n"),
        "tensor of any shape": tf.TensorSpec(None),
        "integers": tf.TensorSpec([2, 3], tf.int32),
        "sparse": tf.SparseTensorSpec([2, 3]),
        "sparse rows": tf.SparseTensorSpec([None, 3]),
        "sparse of any shape": tf.SparseTensorSpec(None),
        "ragged": tf.RaggedTensorSpec([2, None]),
        "ragged of rank 3": tf.RaggedTensorSpec([None, None, 3]),
        "ragged with tensors": tf.RaggedTensorSpec([None, None, None], ragged_rank=1),
        "ragged int32": tf.RaggedTensorSpec([2, None], row_splits_dtype=tf.int32),
        "ragged without partitions": tf.RaggedTensorSpec([2, None], ragged_rank=0),
        "array": tf.TensorArraySpec([2]),
        "array that grows": tf.TensorArraySpec([2], dynamic_size=True),
        "array of integers": tf.TensorArraySpec([2], tf.int32, infer_shape=False),
        "slices": tf.IndexedSlicesSpec([3, 2]),
        "slices of any shape": tf.IndexedSlicesSpec(),
        "slices with a shape": tf.IndexedSlicesSpec([3, 2], dense_shape_dtype=tf.int32, indices_dtype=tf.int32),
        "one slice": tf.IndexedSlicesSpec([3, 2], indices_shape=[1]),
        "none": tf.NoneTensorSpec(),
    }


def _values(tf: Any) -> dict[str, Any]:
    return {
        "tensor": tf.ones([2, 3]),
        "number": 1.5,
        "text": "a",
        "list": [1, 2],
        "array": np.ones(3),
        "none": None,
        "sparse": tf.SparseTensor([[0, 1]], [1.0], [2, 3]),
        "sparse value": tf.compat.v1.SparseTensorValue([[0, 1]], [1.0], [2, 3]),
        "ragged": tf.ragged.constant([[1.0], [2.0, 3.0]]),
        "ragged value": tf.compat.v1.ragged.constant_value([[1], [2, 3]]),
        "slices": tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0])),
        "slices with a shape": tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2])),
        "tensor array": tf.TensorArray(tf.float32, size=2),
        "shape": tf.TensorShape([1]),
    }


def said(tf: Any) -> dict[str, Any]:
    return {name: [repr(spec), repr(spec.flatten())] for name, spec in _specs(tf).items()}


def of_values(tf: Any) -> dict[str, Any]:
    return {name: repr(tf.type_spec_from_value(value)) for name, value in _values(tf).items()}


def without_spec(tf: Any) -> dict[str, Any]:
    wrong = {"object": object(), "dict": {"a": 1}, "spec": tf.TensorSpec([2]), "ragged list": [[1], [2, 3]], "dtype": tf.float32}
    return {name: raises(lambda value=value: tf.type_spec_from_value(value), "Could not build a TypeSpec") for name, value in wrong.items()}


def compatible_specs(tf: Any) -> dict[str, Any]:
    specs = _specs(tf)
    return {name: [other for other, w in specs.items() if spec.is_compatible_with(w)] for name, spec in specs.items()}


def compatible_values(tf: Any) -> dict[str, Any]:
    specs, values = _specs(tf), _values(tf)
    return {name: [other for other, value in values.items() if spec.is_compatible_with(value)] for name, spec in specs.items()}


def subtypes(tf: Any) -> dict[str, Any]:
    specs = _specs(tf)
    return {name: [other for other, w in specs.items() if spec.is_subtype_of(w)] for name, spec in specs.items()}


def in_common(tf: Any) -> dict[str, Any]:
    specs = {name: spec for name, spec in _specs(tf).items() if "array" not in name}
    found = {}
    for name, spec in specs.items():
        pairs = {other: spec.most_specific_common_supertype([w]) for other, w in specs.items()}
        found[name] = {other: repr(common) for other, common in pairs.items() if common is not None}
    t = tf.TensorSpec
    found["three tensors"] = repr(t([2, 3]).most_specific_common_supertype([t([2, 4]), t([5, 4])]))
    found["no others"] = repr(t([2]).most_specific_common_supertype([]))
    # TensorFlow asks the other shapes twice, of an iterator that then has none left, and keeps this shape
    arrays = tf.TensorArraySpec([2, 3]), tf.TensorArraySpec([4, 3], infer_shape=False)
    common = "TensorArraySpec(TensorShape([None, 3]), tf.float32, False, False)"
    found["two arrays"] = ours(common, lambda: repr(arrays[0].most_specific_common_supertype(arrays[1:])))
    found["of a tensor and another"] = repr(t([2]).most_specific_compatible_type(t([3])))
    found["of a tensor and a sparse one"] = raises(lambda: t([2]).most_specific_compatible_type(tf.SparseTensorSpec([2])))
    return found


def classes(tf: Any) -> dict[str, Any]:
    specs, types = _specs(tf), tf.types.experimental
    function = tf.function(lambda x: (x, 2 * x))
    concrete = function.get_concrete_function(tf.TensorSpec([2]))
    return {
        "all are specs": all(isinstance(s, tf.TypeSpec) and isinstance(s, types.TraceType) for s in specs.values()),
        "all say what they are": all(isinstance(s, types.SupportsTracingProtocol) for s in specs.values()),
        "their values": [s.value_type.__name__ for name, s in specs.items() if name != "none"],
        "equal and hashable": all(s == t and hash(s) == hash(t) for s in specs.values() for t in [pickle.loads(pickle.dumps(s))]),
        "different": len(set(specs.values())) == len(specs),
        "no base": raises(tf.TypeSpec),
        "functions": [isinstance(function, types.GenericFunction), isinstance(function, types.Callable)],
        "concrete functions": [isinstance(concrete, types.ConcreteFunction), isinstance(concrete, types.GenericFunction)],
        "both are callable": [isinstance(concrete, types.Callable), isinstance(len, types.Callable)],
        "polymorphic": types.GenericFunction is types.PolymorphicFunction,
        "atomic": isinstance(concrete.inference_fn, types.AtomicFunction),
        "atomic is called": lambda: concrete.inference_fn.call_with_captures((tf.constant([1.0, 2.0]),), {}, []),
        "like a tensor": [isinstance(x, types.TensorLike) for x in (1, "a", [1], np.ones(2), tf.ones(2), tf.Variable(1.0), None, object())],
        "inputs": repr(concrete.function_type.flat_inputs),
        "outputs": repr(concrete.function_type.flat_outputs),
        "parameters": list(concrete.function_type.parameters),
        "of a function": str(function.function_type),
    }


def parts(tf: Any) -> dict[str, Any]:
    values = _values(tf)
    sparse, slices = tf.SparseTensorSpec([2, 3]), tf.IndexedSlicesSpec([3, 2], indices_dtype=tf.int32)
    return {
        "of a sparse tensor": lambda: sparse.to_tensors(values["sparse"]),
        "a sparse tensor of them": lambda: tf.sparse.to_dense(sparse.from_tensors(iter(sparse.to_tensors(values["sparse"])))),
        "of slices": lambda: slices.to_tensors(values["slices"]),
        "of none": [tf.NoneTensorSpec().to_tensors(None), tf.NoneTensorSpec().from_tensors(iter([]))],
        "of a tensor": lambda: tf.TensorSpec([2, None]).to_tensors(values["tensor"]),
        "a tensor that does not fit": raises(lambda: tf.TensorSpec([3]).to_tensors(values["tensor"]), "Can not cast"),
        "slices that do not fit": raises(lambda: tf.IndexedSlicesSpec().to_tensors(values["slices"])),
        "no array": raises(lambda: tf.TensorArraySpec(None).to_tensors(3), "Expected value to be a TensorArray"),
        "no array to begin with": raises(lambda: tf.TensorArraySpec.from_value(3)),
        "a matrix of indices": raises(lambda: tf.IndexedSlicesSpec([3], indices_shape=[1, 2]), "rank 1"),
        "of a number": raises(lambda: tf.TensorSpec.from_tensor(3), "should be a tf.Tensor"),
        "none and another": raises(lambda: tf.NoneTensorSpec().most_specific_compatible_shape(tf.TensorSpec([]))),
        "none and none": repr(tf.NoneTensorSpec().most_specific_compatible_shape(tf.NoneTensorSpec())),
        "flat values": repr(tf.RaggedTensorSpec([2, None], flat_values_spec=tf.TensorSpec([None]))),
        "flat values of another dtype": raises(lambda: tf.RaggedTensorSpec([2, None], flat_values_spec=tf.TensorSpec([None], tf.int32))),
    }


def tracing_types(tf: Any) -> dict[str, Any]:
    """A class whose values say for what a function is traced."""

    class FruitType(tf.types.experimental.TraceType):
        def __init__(self, weight: int) -> None:
            self.weight = weight

        def is_subtype_of(self, other: Any) -> bool:
            return self == other

        def most_specific_common_supertype(self, others: Any) -> Any:
            return self if all(self == other for other in others) else None

        def placeholder_value(self, placeholder_context: Any) -> Any:
            return Fruit(self.weight)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, FruitType) and other.weight == self.weight

        def __hash__(self) -> int:
            return hash(self.weight)

    class Fruit:
        def __init__(self, weight: int) -> None:
            self.weight = weight

        def __tf_tracing_type__(self, context: Any) -> Any:
            return FruitType(self.weight)

    traced = []

    @tf.function
    def weighed(fruit: Any, x: Any) -> Any:
        traced.append(1)
        return x * fruit.weight

    return {
        "weighed": [weighed(Fruit(2), 3.0), weighed(Fruit(2), 3.0), weighed(Fruit(3), 3.0)],
        "traces": len(traced),
        "it says so": isinstance(Fruit(1), tf.types.experimental.SupportsTracingProtocol),
        "nothing else does": isinstance(object(), tf.types.experimental.SupportsTracingProtocol),
        "in a structure": lambda: weighed({"a": [Fruit(5)]}["a"][0], 2.0),
    }


def signatures(tf: Any) -> dict[str, Any]:
    values, traced = _values(tf), []
    slices = tf.IndexedSlicesSpec([3, 2], indices_dtype=tf.int32)

    @tf.function(input_signature=[slices])
    def doubled(x: Any) -> Any:
        traced.append(1)
        return x.values * 2.0, x.indices

    @tf.function(input_signature=[tf.NoneTensorSpec(), tf.TensorSpec([])])
    def added(x: Any, y: Any) -> Any:
        return y if x is None else x + y

    def of(value: Any) -> Any:
        return repr(tf.function(lambda x: x.values).get_concrete_function(value).structured_input_signature)

    return {
        "slices": lambda: doubled(values["slices"]),
        "as many as there are": lambda: doubled(tf.IndexedSlices(tf.ones([4, 2]), tf.constant([0, 1, 1, 2]))),
        "one trace": lambda: len(traced),
        "a tensor for slices": raises(lambda: doubled(tf.ones([2, 2]))),
        "none": lambda: added(None, 3.0),
        "seen sparse": of(values["sparse"]),
        "seen ragged": of(values["ragged"]),
        "seen slices": of(values["slices"]),
    }
