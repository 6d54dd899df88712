"""Extension types where they go beyond TensorFlow, or inside this library: annotations as text, pickled specs, names they leave alone."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pullback as tf
from pullback.tensorflow.saved_model.spec_names import class_of_spec, name_of_spec


class Scaled(tf.experimental.ExtensionType):
    value: tf.Tensor
    unit: str = "m"


def test_annotations_as_text_may_name_what_is_local() -> None:
    class Inner(tf.experimental.ExtensionType):
        x: tf.Tensor

    class Outer(tf.experimental.ExtensionType):
        inner: Inner
        several: tuple[Inner, ...] = ()

    found = Outer(Inner(1.0), [Inner(2.0)])
    assert [t.numpy().item() for t in tf.nest.flatten(found, expand_composites=True)] == [1.0, 2.0]
    with pytest.raises(TypeError, match="inner: expected 'Inner', got 'float'"):
        Outer(1.0)


def test_a_class_may_name_itself() -> None:
    assert Chain(1.0, Chain(2.0)).rest.first.numpy() == 2.0


class Chain(tf.experimental.ExtensionType):
    first: tf.Tensor
    rest: Chain | None = None


def test_specs_are_pickled() -> None:
    spec = Scaled.Spec(tf.TensorSpec([2]), "km")
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_a_constructor_may_call_that_of_the_class_above() -> None:
    class Twice(Scaled):
        factor: int = 2

        def __init__(self, value: object) -> None:
            super().__init__(value, "2m")
            self.factor = 3

    found = Twice(1.0)
    assert (found.value.numpy(), found.unit, found.factor) == (1.0, "2m", 3)


def test_names_that_this_library_needs_are_refused() -> None:
    with pytest.raises(ValueError, match="'_components' is reserved"):
        type("Made", (tf.experimental.ExtensionType,), {"__annotations__": {"_components": int}})


def test_gradients_flow_through_a_value_in_a_compiled_loop() -> None:
    @tf.function(jit_compile=True)
    def powers(x: Scaled) -> Scaled:
        for _ in tf.range(3):
            x = Scaled(x.value * x.value, x.unit)
        return x

    x = Scaled([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = powers(x).value
    assert tape.gradient(y, x.value).numpy().tolist() == [8.0, 1024.0]


class Masked(tf.experimental.ExtensionType):
    __name__ = "tests.Masked"
    values: tf.Tensor
    units: Mapping[str, tuple[str, ...]]


def test_a_class_with_a_name_of_its_own_registers_its_specs() -> None:
    spec = tf.type_spec_from_value(Masked([1.0], {"a": ["m", "s"]}))
    assert name_of_spec(Masked.Spec) == "tests.Masked.Spec" and class_of_spec("tests.Masked.Spec") is Masked.Spec
    again = type(spec)._deserialize(spec._serialize())
    assert again == spec and hash(again) == hash(spec)
    assert type(spec)._deserialize([["values", spec.values], ["units", {"a": ["m", "s"]}]]) == spec, "as JSON gives it"
    with pytest.raises(ValueError, match=r"Name tests.Masked.Spec has already been registered for class"):
        type("Other", (tf.experimental.ExtensionType,), {"__name__": "tests.Masked", "__annotations__": {"x": tf.Tensor}})
    with pytest.raises(ValueError, match="has not been registered"):
        name_of_spec(Scaled.Spec)


class Network(tf.experimental.BatchableExtensionType):
    shape: tf.TensorShape
    work: tf.Tensor

    def __init__(self, work: Any) -> None:
        self.work = tf.convert_to_tensor(work)
        self.shape = self.work.shape[:-1]


def test_the_rows_of_a_mapped_value_keep_their_number_in_fields_that_are_shapes() -> None:
    many = Network([[1.0, 2.0], [5.0, 2.0]])

    def doubled(networks: Any) -> Any:
        found = tf.map_fn(lambda one: Network(one.work * 2.0), networks)
        assert found.shape == (2,) and found.work.shape == (2, 2)
        return found

    assert doubled(many).work.numpy().tolist() == tf.function(doubled)(many).work.numpy().tolist() == [[2.0, 4.0], [10.0, 4.0]]


def test_a_function_of_extension_types_is_saved_and_loaded(tmp_path: Path) -> None:
    class Module(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.v = tf.Variable(100.0)

        @tf.function
        def grow(self, x: Grown) -> Any:
            return Grown(x.values * self.v)

    module = Module()
    module.grow.get_concrete_function(Grown.Spec(None))
    tf.saved_model.save(module, str(tmp_path))
    restored = tf.saved_model.load(str(tmp_path)).grow(Grown([1.0, 2.0]))
    assert isinstance(restored, Grown) and restored.values.numpy().tolist() == [100.0, 200.0]


class Grown(tf.experimental.ExtensionType):
    __name__ = "tests.Grown"
    values: tf.Tensor

    class Spec:
        """A constructor of its own, whose arguments are not the fields: files must not need it."""

        def __init__(self, shape: Any) -> None:
            self.values = tf.TensorSpec(shape, tf.float32)
