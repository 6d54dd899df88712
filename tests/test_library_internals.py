"""What libraries built on TensorFlow use of its inside: composite values of their own, dispatchers, registries, nests with paths."""

import dataclasses
import importlib
import importlib.util
import os
import textwrap
import weakref
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import optree
import pytest

import pullback as tf
from pullback.interop import nest_paths
from pullback.interop.decorators import make_decorator, unwrap
from pullback.interop.dispatchers import GlobalOpDispatcher, add_dispatch_support
from pullback.interop.internal import find_internal, internal_module
from pullback.interop.python_util import getfullargspec
from pullback.interop.specs import VariableSpec, convert_variables_to_tensors
from pullback.interop.tf_export import get_canonical_name_for_symbol, keras_export
from pullback.ir.type_spec import BatchableTypeSpec
from pullback.ops.array.conversion import constant_value_as_shape, convert_to_tensor_or_composite
from pullback.ops.random.truncated import parameterized_truncated_normal
from tests.programs import ROOT, pullback_run


class Line(tf.Module, internal_module("__internal__").CompositeTensor):  # type: ignore[misc]
    """A composite value as a library makes one: by a spec that takes it apart."""

    def __init__(self, slope: Any, offset: Any, label: str = "line") -> None:
        super().__init__()
        self.slope, self.offset, self.label = tf.convert_to_tensor(slope), tf.convert_to_tensor(offset), label

    @property
    def _type_spec(self) -> "LineSpec":
        return LineSpec(tf.type_spec_from_value(self.slope), tf.type_spec_from_value(self.offset), self.label)

    def __call__(self, x: Any) -> Any:
        return self.slope * x + self.offset


class LineSpec(BatchableTypeSpec):
    """What is known of a line."""

    def __init__(self, slope: Any, offset: Any, label: str) -> None:
        self._parts, self._label = {"slope": slope, "offset": offset}, label

    @property
    def value_type(self) -> type:
        return Line

    @property
    def _component_specs(self) -> Any:
        return self._parts

    def _to_components(self, value: Any) -> Any:
        return {"slope": value.slope, "offset": value.offset}

    def _from_components(self, components: Any) -> Any:
        return Line(components["slope"], components["offset"], self._label)

    def _serialize(self) -> tuple[Any, ...]:
        return *self._parts.values(), self._label


def test_a_value_with_a_spec_is_taken_apart_and_made_again() -> None:
    line = Line(2.0, 1.0, "mine")
    offset, slope = tf.nest.flatten(line, expand_composites=True)
    assert (slope.numpy(), offset.numpy()) == (2.0, 1.0)
    again = tf.nest.map_structure(lambda t: t + 1, line, expand_composites=True)
    assert (again.slope.numpy(), again.offset.numpy(), again.label) == (3.0, 2.0, "mine")
    assert tf.type_spec_from_value(line) == line._type_spec


def test_it_goes_through_functions_and_loops() -> None:
    traces = []

    @tf.function
    def apply(line: Any, x: Any) -> Any:
        traces.append(line.label)
        return line(x), Line(line.slope * 2, line.offset)

    for slope in (1.0, 3.0):
        y, steeper = apply(Line(slope, 0.5), tf.constant(2.0))
        assert (y.numpy(), steeper.slope.numpy()) == (slope * 2 + 0.5, slope * 2)
    assert traces == ["line"]

    @tf.function
    def repeat(line: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 3, lambda i, line: (i + 1, Line(line.slope * 2, line.offset + 1)), (0, line))[1]

    found = repeat(Line(1.0, 0.0))
    assert (found.slope.numpy(), found.offset.numpy()) == (8.0, 3.0)


def test_variables_become_tensors() -> None:
    variable = tf.Variable([1.0, 2.0])
    found = convert_variables_to_tensors({"a": variable, "b": 3})
    assert isinstance(found["a"], tf.Tensor) and found["b"] == 3
    assert VariableSpec.from_value(variable) == VariableSpec([2], tf.float32)
    assert VariableSpec.from_value(variable) != VariableSpec([2], tf.float32, trainable=False)


def test_what_is_not_here_can_be_derived_from_but_not_made() -> None:
    kind = find_internal("__internal__.tracking.DelegatingTrackableMixin")
    assert find_internal("__internal__.tracking.DelegatingTrackableMixin") is kind

    class Own(kind):  # type: ignore[misc, valid-type]
        pass

    assert not isinstance(1, kind)
    with pytest.raises(NotImplementedError, match=r"Own needs tensorflow.__internal__.tracking.DelegatingTrackableMixin, which is not"):
        Own()


def test_dispatchers_are_asked_where_a_function_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    class Strings(GlobalOpDispatcher):
        def handle(self, op: Any, args: Any, kwargs: Any) -> Any:
            return f"{op.__name__} of {args[0]}" if isinstance(args[0], str) else self.NOT_SUPPORTED

    @add_dispatch_support
    def half(x: Any) -> Any:
        return x / 2

    monkeypatch.setattr(GlobalOpDispatcher, "_registered", [Strings()])  # `register` has all functions ask for good
    assert (half(3.0), half("x")) == (1.5, "half of x")
    with pytest.raises(TypeError, match="unsupported operand"):
        half([])


def test_a_name_given_to_keras_goes_to_no_class_below() -> None:
    @keras_export("keras.test.Base")
    class Base:
        pass

    class Below(Base):
        pass

    assert get_canonical_name_for_symbol(Base, "keras") == "keras.test.Base"
    assert get_canonical_name_for_symbol(Base) is get_canonical_name_for_symbol(Below, "keras") is None


Pair = namedtuple("Pair", "a b")
NESTED = {"x": [1, (2, 3)], "a": Pair(4, [])}


def test_paths() -> None:  # the answers are TensorFlow 2.21's
    assert nest_paths.flatten_with_tuple_paths(NESTED) == [(("a", "a"), 4), (("x", 0), 1), (("x", 1, 0), 2), (("x", 1, 1), 3)]
    assert nest_paths.flatten_with_joined_string_paths(NESTED) == [("a/a", 4), ("x/0", 1), ("x/1/0", 2), ("x/1/1", 3)]
    named = nest_paths.map_structure_with_paths(lambda path, x: (path, x), NESTED)
    assert named == {"x": [("x/0", 1), (("x/1/0", 2), ("x/1/1", 3))], "a": Pair(("a/a", 4), [])}
    upper = nest_paths.map_structure_with_tuple_paths_up_to({"x": 0, "a": 0}, lambda path, x: (path, x), NESTED)
    assert upper == {"x": (("x",), [1, (2, 3)]), "a": (("a",), Pair(4, []))}
    assert nest_paths.get_traverse_shallow_structure(lambda s: not isinstance(s, tuple), NESTED) == {"x": [True, False], "a": False}
    assert nest_paths.list_to_tuple(NESTED) == {"x": (1, (2, 3)), "a": Pair(4, ())}
    assert nest_paths.flatten_with_tuple_paths(3) == [((), 3)]


@pytest.mark.parametrize(
    ("shallow", "deep", "error", "said"),
    [
        ([1, 2], [1], ValueError, "same sequence length. Input structure has length 1, while shallow structure has length 2"),
        ([1], (1,), TypeError, "Input structure has type <class 'tuple'>, while shallow structure has type <class 'list'>"),
        ({"a": (1, 2)}, {"a": [3, 4], "b": 5}, ValueError, "Input structure has length 2, while shallow structure has length 1"),
        ({"a": 1}, {"b": 1}, ValueError, r"not in the input_tree: \['a'\]"),
        ([[1]], [2], TypeError, "input must also be a sequence. Input has type: <class 'int'>"),
    ],
)
def test_a_structure_that_begins_otherwise(shallow: Any, deep: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        nest_paths.assert_shallow_structure(shallow, deep)


def test_modules_pass_over_what_their_class_says() -> None:
    class Apart(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = frozenset({"hidden"})

        def __init__(self) -> None:
            super().__init__()
            self.hidden, self.shown = tf.Variable(1.0), tf.Variable(2.0)
            self.bare = self._no_dependency([tf.Variable(3.0)])

    apart = Apart()
    assert [v.numpy() for v in apart.variables] == [3.0, 2.0]
    assert type(apart.bare) is list
    assert set(apart._trackable_children()) == {"hidden", "shown"}


def test_python_2s_division() -> None:
    divided = tf.Tensor.__div__(tf.constant([7, -7]), 2)
    assert divided.numpy().tolist() == [3, -4]
    assert tf.Tensor.__rdiv__(tf.constant(2.0), 7.0).numpy() == 3.5


def test_truncated_normal_of_parameters_is_the_raw_operation() -> None:
    found = parameterized_truncated_normal([50], 1.0, 2.0, 0.5, 4.0, seed=3)
    assert ((found.numpy() >= 0.5) & (found.numpy() <= 4.0)).all()
    tf.random.set_seed(5)
    one = parameterized_truncated_normal([8], minvals=1.0, seed=3)
    tf.random.set_seed(5)
    two = tf.raw_ops.ParameterizedTruncatedNormal(
        shape=[8], means=0.0, stdevs=1.0, minvals=1.0, maxvals=2.0, seed=5, seed2=3
    )  # fmt: skip
    np.testing.assert_array_equal(one, two)


def test_functions_and_scopes_take_what_libraries_say_to_graphs() -> None:
    concrete = tf.function(lambda x: x + 1).get_concrete_function(tf.TensorSpec([], tf.float32))
    concrete.add_to_graph()
    concrete.add_gradient_functions_to_graph()
    assert concrete(tf.constant(1.0)).numpy() == 2.0
    with tf.Graph().as_default(), tf.compat.v1.variable_scope("s") as scope:
        assert scope.caching_device is None
        scope.set_caching_device(lambda op: op.device)
        assert tf.compat.v1.get_variable("w", [2]).name == "s/w:0"


def test_structures_end_at_dataclasses_that_are_leaves() -> None:
    @dataclasses.dataclass
    class Named:
        dtype: Any

    structure = [Named(1), None]
    assert nest_paths.flatten_up_to(structure, structure) == structure
    nest_paths.assert_shallow_structure((1, 2), Pair(3, 4))  # what begins as a tuple may be of a class below it


def test_wrappers_say_what_they_wrap_and_the_signature_they_have() -> None:
    def add(x: Any, y: Any) -> Any:
        return x + y

    told = getfullargspec(lambda *args: None)
    outer = make_decorator(make_decorator(add, lambda *args: add(*args)), lambda *args: add(*args), "outer", decorator_argspec=told)
    wrappers, inner = unwrap(outer)
    assert inner is add and outer(1, 2) == 3
    assert [w.decorator_argspec for w in wrappers] == [told, None] and wrappers[0].decorator_name == "outer"
    assert wrappers[1].decorated_target is add


def test_what_is_to_go_can_be_told_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    deprecation: Any = importlib.import_module("pullback.interop.python_util")
    old = deprecation.deprecated(None, "Use new.", warn_once=False)(lambda: 1)
    with deprecation.silence():
        assert old() == 1
    assert not caplog.records
    old()
    assert "Use new." in caplog.text


def test_shapes_are_read_from_what_is_known_of_tensors() -> None:
    @tf.function
    def f(x: Any) -> Any:
        shape = constant_value_as_shape(tf.stack([tf.shape(x)[0], 3, -1]))
        assert (shape.as_list(), constant_value_as_shape(tf.constant(-1)).rank) == ([None, 3, None], None)
        with pytest.raises(ValueError, match="scalar value '2' as shape"):
            constant_value_as_shape(tf.constant(2))
        with pytest.raises(ValueError, match="scalar with unknown value"):
            constant_value_as_shape(tf.reduce_sum(x))
        return x

    f.get_concrete_function(tf.TensorSpec([None], tf.int32))


def test_composite_values_are_no_tensors_but_stay_whole() -> None:
    line = Line(2.0, 1.0)
    assert convert_to_tensor_or_composite(line) is line
    assert convert_to_tensor_or_composite(2, dtype=tf.float32).dtype == tf.float32
    ragged = tf.ragged.constant([[1.0], []])

    class Slope:
        pass

    tf.register_tensor_conversion_function(Slope, lambda value, **options: line)
    assert convert_to_tensor_or_composite(Slope()) is line
    with pytest.raises(ValueError, match="requested dtype int32 for a composite value of dtype float32"):
        convert_to_tensor_or_composite(ragged, tf.int32)
    with tf.GradientTape() as tape:
        tape.watch(line.slope)
        kept, stopped = tf.identity(line), tf.stop_gradient(line)
        y, z = kept.slope ** 2, stopped.slope ** 2
    assert (type(kept), kept.label, y.numpy(), z.numpy()) == (Line, "line", 4.0, 4.0)
    assert tape.gradient([y, z], line.slope).numpy() == 4.0  # of the kept one alone


class Held(find_internal("__internal__.tracking.AutoTrackable")):  # type: ignore[misc]
    """A library's layer, which makes its variables by a getter and says itself how attributes are assigned."""

    def __setattr__(self, name: str, value: Any) -> None:
        assign = find_internal("__internal__.tracking.sticky_attribute_assignment")
        object.__setattr__(self, name, assign(trackable=self, name=name, value=value))

    def build(self) -> Any:
        return self._add_variable_with_custom_getter("w", [2], getter=lambda shape, **options: tf.Variable(tf.zeros(shape)))


def test_variables_made_by_a_getter_are_restored(tmp_path: Path) -> None:
    held, again = Held(), Held()
    held.build().assign([1.0, 2.0])
    held.parts = [tf.Variable(3.0)]
    held.apart = find_internal("python.trackable.data_structures.NoDependency")([4])
    assert isinstance(held.parts, find_internal("__internal__.tracking.TrackableDataStructure")) and type(held.apart) is list
    path = tf.train.Checkpoint(root=weakref.ref(held)).save(str(tmp_path / "held"))
    again.parts = [tf.Variable(0.0)]
    tf.train.Checkpoint(root=again).restore(path)
    assert (again.build().numpy().tolist(), again.parts[0].numpy()) == ([1.0, 2.0], 3.0)


def test_variables_take_whether_they_are_lifted() -> None:
    assert tf.Variable(1.0, experimental_enable_variable_lifting=False).numpy() == 1.0
    with pytest.raises(NotImplementedError, match="made once, outside its graph"):
        tf.function(lambda: tf.Variable(1.0, experimental_enable_variable_lifting=False))()


def test_graphs_are_entered_as_libraries_do() -> None:
    graph_mode, eager_mode = (find_internal(f"python.eager.context.{name}") for name in ("graph_mode", "eager_mode"))
    with tf.Graph().as_default() as graph, graph_mode():
        assert tf.compat.v1.get_default_graph() is graph and not tf.executing_eagerly()
        with eager_mode():
            assert tf.executing_eagerly()
    with graph_mode():
        assert not tf.executing_eagerly()


class TestsOfTensors(tf.test.TestCase):
    """Tests as a library has them: run by name below."""

    def _GetNdArray(self, a: Any) -> Any:
        return super()._GetNdArray([1, 2] if a == "one and two" else a)

    def values(self) -> None:
        self.assertEqual(self.evaluate([None, {"a": tf.constant(1.0)}]), [None, {"a": 1.0}])
        self.assertAllClose("one and two", [1.0, 2.0])
        line = self.evaluate(Line(2.0, 1.0))
        self.assertEqual((type(line), line.label), (Line, "line"))
        with self.cached_session() as session:
            self.assertAllEqual(session.run([tf.constant([1, 2])], feed_dict={}), [[1, 2]])
            with self.assertRaisesRegex(RuntimeError, "feed_dict is not supported"):
                session.run(tf.constant(1), feed_dict={1: 2})


def test_test_cases_evaluate_what_tensorflows_do() -> None:
    TestsOfTensors("values").debug()


def test_dictionaries_are_alike_to_others_where_somebody_has_registered_theirs() -> None:  # as Keras registers those of modules
    class Own(dict[str, Any]):
        pass

    make = lambda keys, parts: Own(zip(keys, parts, strict=True))
    optree.register_pytree_node(Own, lambda own: ([*own.values()], [*own]), make, namespace="test")
    assert tf.nest.map_structure(lambda x, y: x + y, {"a": 2}, Own(a=1)) == {"a": 3}


def test_cases_take_what_is_known_already() -> None:
    choose = find_internal("python.ops.control_flow_case._case_helper")
    assert choose(tf.cond, [(True, lambda: tf.constant(1.0))], None, False, "c").numpy() == 1.0
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        found = choose(tf.cond, [(False, lambda: tf.constant(1.0)), (tf.constant(True), lambda: tf.constant(2.0))], None, True, "c")
        assert session.run(found) == 2.0


def test_modules_are_walked_by_the_name_that_libraries_call() -> None:
    inner, outer = tf.Module(), tf.Module()
    inner.weight, outer.scale, outer.parts = tf.Variable(2.0), tf.Variable(3.0), [inner, inner]
    is_variable = find_internal("__internal__.ops.is_resource_variable")
    assert list(outer._flatten(predicate=is_variable)) == [outer.scale, inner.weight]
    assert list(outer._flatten(recursive=False, predicate=is_variable)) == [outer.scale]
    assert any(held is inner for held in outer._flatten())


def test_what_is_trained_is_set_by_the_name_that_libraries_set() -> None:
    v = tf.Variable(3.0)
    with pytest.raises(AttributeError, match="no setter"):
        v.trainable = False  # type: ignore[misc]  # it is read-only: the error is asked for
    v._trainable = False
    with tf.GradientTape() as tape:
        y = v * v
    assert not v.trainable and tape.gradient(y, v) is None


def test_an_eager_loop_takes_composite_values_for_tensors_and_back() -> None:
    sparse, dense = tf.sparse.from_dense([[1.0, 0.0]]), tf.ones([2])
    for before, after in ((sparse, dense), (dense, sparse)):
        found = tf.while_loop(lambda i, _: i < 2, lambda i, _, after=after: (i + 1, after), [0, before])[1]
        assert tf.nest.flatten(found, expand_composites=True)[-1].shape == [2] and type(found) is type(after)
    with pytest.raises(ValueError, match="same nested structure"):
        tf.while_loop(lambda i, _: i < 2, lambda i, x: (i + 1, [x]), [0, dense])


def test_layers_of_keras_that_are_built_after_a_restore_begin_with_its_values() -> None:
    text = """
        import os, tempfile
        import numpy as np
        import tensorflow as tf

        class Net(tf.keras.Model):  # its first call makes variables in a scope where Keras only promises them
            def __init__(self):
                super().__init__()
                self.l1 = tf.keras.layers.Dense(5)

            def call(self, x):
                return self.l1(x)

        first = Net()
        first(tf.ones([1, 2]))
        first.l1.bias.assign(tf.range(5.0))
        path = tf.train.Checkpoint(net=first).save(os.path.join(tempfile.mkdtemp(), "c"))
        second = Net()
        status = tf.train.Checkpoint(net=second).restore(path)
        second(tf.ones([1, 2]))
        status.assert_consumed()
        assert all(np.array_equal(a, b) for a, b in zip(first.weights, second.weights, strict=True))
        third = Net()
        third.l1.units = 4
        tf.train.Checkpoint(net=third).restore(path).expect_partial()
        try:
            third(tf.ones([1, 2]))
        except ValueError as error:
            assert "Received incompatible tensor with shape (2, 5)" in str(error), error
        else:
            raise AssertionError("a shape that does not fit was taken")
    """
    ran = pullback_run("-c", textwrap.dedent(text))
    assert ran.returncode == 0, ran.stderr


def test_variables_of_keras_are_sources() -> None:
    variable = tf.keras.Variable([1.0, 2.0])

    def loss() -> Any:
        return tf.reduce_sum(tf.square(variable.value - 3.0))

    value, (gradient,) = tf.value_and_gradient(loss, [variable])
    assert value.numpy() == 5.0 and gradient.numpy().tolist() == [-4.0, -2.0]
    assert tf.check_gradients(loss, variable)
    assert tf.optimize.minimize(loss, variable).success
    np.testing.assert_allclose(variable.numpy(), [3.0, 3.0], atol=1e-5)


def test_why_is_asked_for_variables_of_keras() -> None:
    variable, other = tf.keras.Variable([1.0, 2.0]), tf.keras.Variable([1.0, 2.0], trainable=False)
    with tf.GradientTape() as tape:
        stopped = tf.stop_gradient(variable.value) + other.value
    whys = tf.why(stopped, [variable, other], tape)
    assert [found.code for found in whys] == ["stop_gradient", "not trainable"]
    assert whys[0].message.startswith(f"stopped is computed from the variable {variable.name!r} through tf.stop_gradient")
    with tf.GradientTape() as tape:
        product = tf.constant(2.0) * other.value
    assert tf.why(product, variable, tape).code == "no path"


def test_a_tape_watches_no_variable_of_keras() -> None:
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=r"Passed in object .*, not tf.Tensor or tf.Variable or ExtensionType"):
        tape.watch(tf.keras.Variable(1.0))


def test_importing_keras_draws_nothing_from_a_programs_seed() -> None:
    program = "import random; random.seed(1); import tensorflow as tf; {}tf.keras.layers.Dense(2); print(random.random())"
    first, second = (pullback_run("-c", program.format(words)) for words in ("", "tf.keras.layers.Dense(2); random.seed(1); "))
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert first.stdout == second.stdout


def test_the_environment_may_ask_for_keras_2(tmp_path: Path) -> None:
    package = tmp_path / "tf_keras/api/_v2/keras"
    (package / "losses").mkdir(parents=True)
    for folder in (tmp_path / "tf_keras", package.parent.parent, package.parent):
        (folder / "__init__.py").touch()
    (package / "__init__.py").write_text("generation = 2\n")
    (package / "losses/__init__.py").write_text("kind = 'losses of Keras 2'\n")
    program = "import tensorflow as tf; print(tf.keras.generation, tf.losses.kind)"
    ran = pullback_run("-c", program, TF_USE_LEGACY_KERAS="1", PYTHONPATH=os.pathsep.join([str(ROOT / "src"), str(tmp_path)]))
    assert ran.stdout.split() == ["2", "losses", "of", "Keras", "2"], ran.stderr
    missing = pullback_run("-c", program, TF_USE_LEGACY_KERAS="1")
    assert "pip install tf_keras" in missing.stderr or importlib.util.find_spec("tf_keras") is not None
