"""What libraries use of TensorFlow's inside for tests, weights, convolutions and sums of operators."""

import subprocess
import sys
import textwrap
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.interop.internal import find_internal, internal_module
from pullback.tensorflow.legacy.nn_convolutions import Convolution
from pullback.tensorflow.linear_operators.addition import add_operators
from pullback.tensorflow.losses.weights import assert_broadcastable, broadcast_weights
from tests.programs import pullback_run

L = tf.linalg
test_util = internal_module("python.framework.test_util")


def test_weights_take_the_shape_and_dtype_of_values() -> None:
    given = find_internal("__internal__.ops.broadcast_weights")
    assert given([[1], [2]], tf.zeros([2, 3])).numpy().tolist() == [[1.0] * 3, [2.0] * 3]
    assert given(3, tf.zeros([2])).dtype is tf.float32


@pytest.mark.parametrize(
    "weights, where", [([1.0, 2.0, 3.0], "values.rank=2. weights.rank=1"), ([[1.0], [2.0], [3.0]], "Mismatch at dim 0")]
)
def test_weights_of_another_shape_are_refused(weights: Any, where: str) -> None:
    with pytest.raises(ValueError, match=where):
        broadcast_weights(weights, tf.zeros([2, 3]))


@pytest.mark.parametrize("shape", [None, [None, None]])
def test_weights_of_unknown_shapes_are_checked_when_they_run(shape: Any) -> None:
    @tf.function(input_signature=[tf.TensorSpec(shape), tf.TensorSpec(shape)])
    def weigh(weights: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
        return broadcast_weights(weights, values)

    assert weigh([[1.0], [2.0]], tf.zeros([2, 3])).numpy().tolist() == [[1.0] * 3, [2.0] * 3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="can not be broadcast"):
        weigh([[1.0], [2.0], [3.0]], tf.zeros([2, 3]))


def test_losses_of_tensorflow_1_refuse_the_same_weights() -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Mismatch at dim 0"):
        tf.compat.v1.losses.compute_weighted_loss(tf.zeros([2, 3]), tf.ones([3, 1]))
    assert assert_broadcastable(1.0, tf.zeros([2, 3])) is None


def test_a_convolution_is_called_with_tensors() -> None:
    known = Convolution(tf.TensorShape([1, 5, 5, 2]), tf.TensorShape([3, 3, 2, 4]), "SAME", dilation_rate=(2, 2), data_format="NHWC")
    image, filters = tf.random.stateless_normal([1, 5, 5, 2], [1, 2]), tf.random.stateless_normal([3, 3, 2, 4], [3, 4])
    wanted = tf.nn.conv2d(image, filters, 1, "SAME", dilations=2)
    assert np.array_equal(known(image, filters).numpy(), wanted.numpy())
    assert (known.num_spatial_dims, known.num_batch_dims, known.strides.tolist()) == (2, 1, [1, 1])


@pytest.mark.parametrize(
    "shape, filters, more, why",
    [
        ([1, 5, 5, 2], [3, 3, 3, 4], {}, "not divisible"),
        ([1, 5, 2], [3, 3, 2, 4], {}, "rank 3 and num_spatial_dims=2"),
        ([1, 5, 5, 2], [3, 3, 2, 4], {"strides": 2, "dilation_rate": 2}, "in conjunction"),
    ],
)
def test_a_convolution_refuses_shapes_that_do_not_fit(shape: Any, filters: Any, more: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Convolution(tf.TensorShape(shape), tf.TensorShape(filters), "SAME", **more)


def _operators() -> dict[str, Any]:
    return {
        "D": L.LinearOperatorDiag([1.0, 2.0], is_positive_definite=True), "I": L.LinearOperatorIdentity(2),
        "S": L.LinearOperatorScaledIdentity(2, 3.0), "F": L.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]]),
        "T": L.LinearOperatorLowerTriangular([[1.0, 2.0], [3.0, 4.0]]), "B": L.LinearOperatorDiag([[1.0, 2.0], [5.0, 6.0]]),
    }  # fmt: skip


@pytest.mark.parametrize(
    "parts, kind, name, positive, value",  # as TensorFlow 2.21 answers
    [
        ("D", "Diag", "LinearOperatorDiag", True, [[1, 0], [0, 2]]),
        ("DI", "Diag", "Add/LinearOperatorIdentity__LinearOperatorDiag/", True, [[2, 0], [0, 3]]),
        ("IS", "ScaledIdentity", "Add/LinearOperatorIdentity__LinearOperatorScaledIdentity/", None, [[4, 0], [0, 4]]),
        ("II", "ScaledIdentity", "Add/LinearOperatorIdentity__LinearOperatorIdentity/", True, [[2, 0], [0, 2]]),
        ("TF", "FullMatrix", "Add/LinearOperatorFullMatrix__LinearOperatorLowerTriangular/", None, [[2, 2], [6, 8]]),
        ("TT", "LowerTriangular", "Add/LinearOperatorLowerTriangular__LinearOperatorLowerTriangular/", None, [[2, 0], [6, 8]]),
        ("DFT", "FullMatrix", "Add/LinearOperatorFullMatrix__Add/LinearOperatorDiag__LinearOperatorLowerTriangular//", None,
         [[3, 2], [6, 10]]),
        ("BD", "Diag", "Add/LinearOperatorDiag__LinearOperatorDiag/", None, [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]),
        ("ISD", "Diag", "Add/LinearOperatorDiag__Add/LinearOperatorIdentity__LinearOperatorScaledIdentity//", None, [[5, 0], [0, 6]]),
        ("SSI", "ScaledIdentity", "Add/Add/LinearOperatorScaledIdentity__LinearOperatorScaledIdentity/__LinearOperatorIdentity/", None,
         [[7, 0], [0, 7]]),
    ],
)  # fmt: skip
def test_operators_add_up_to_the_simplest_kind(parts: str, kind: str, name: str, positive: bool | None, value: Any) -> None:
    (total,) = add_operators([_operators()[part] for part in parts])
    assert (type(total).__name__, total.name, total.is_positive_definite) == (f"LinearOperator{kind}", name, positive)
    assert total.to_dense().numpy().tolist() == value


def test_operators_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        add_operators([])
    with pytest.raises(ValueError, match="same `range_dimension`"):
        add_operators([L.LinearOperatorIdentity(2), L.LinearOperatorIdentity(3)])
    with pytest.raises(TypeError, match="to_dense"):
        add_operators([L.LinearOperatorCirculant([1.0, 2.0]), L.LinearOperatorIdentity(2)])


def test_marks_say_where_tests_run() -> None:
    seen: list[tuple[str, bool]] = []

    class Cases(tf.test.TestCase):
        @test_util.run_deprecated_v1
        def test_graph(self) -> None:
            seen.append(("graph", tf.executing_eagerly()))

        @test_util.run_in_graph_and_eager_modes
        def test_both(self) -> None:
            seen.append(("both", tf.executing_eagerly()))
            self.assertAllClose(self.evaluate(tf.square(3.0)), 9.0)

        @test_util.run_v1_only("old")
        def test_old(self) -> None:
            seen.append(("old", True))

        @test_util.run_v2_only
        @test_util.enable_control_flow_v2
        @test_util.disable_xla("why")
        def test_new(self) -> None:
            seen.append(("new", tf.executing_eagerly()))

    @test_util.run_all_in_graph_and_eager_modes
    class All(tf.test.TestCase):
        def test_each(self) -> None:
            seen.append(("each", tf.executing_eagerly()))

    result = unittest.TestResult()
    for case in (Cases, All):
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.wasSuccessful() and "old" in str(result.skipped)
    assert sorted(seen) == [("both", False), ("both", True), ("each", False), ("each", True), ("graph", False), ("new", True)]


def test_strategies_of_several_processes_are_classes_that_nothing_is_of() -> None:
    absent = tf.distribute.experimental.ParameterServerStrategy
    assert not isinstance(tf.distribute.get_strategy(), absent)
    with pytest.raises(NotImplementedError, match="ParameterServerStrategy spreads work over"):
        absent()
    with pytest.raises(AttributeError, match="SomeStrategy is not in Pullback"):
        getattr(tf.distribute.experimental, "SomeStrategy")  # noqa: B009, the name is none that a type checker knows


def test_a_library_asks_whether_a_tape_follows_tensors() -> None:
    asked = find_internal("python.eager.record.should_record_backprop")
    x, whole = tf.constant(1.0), tf.constant(1)
    assert not asked([x])
    with tf.GradientTape() as tape:
        assert not asked([x]) and not asked([]) and asked([tf.convert_to_tensor(tf.Variable(2.0))])
        tape.watch(x)
        assert asked([x]) and asked([x, whole]) and asked([x * 2.0])
        assert not asked([whole]) and not asked([tf.stop_gradient(x)])
        with tape.stop_recording():
            assert not asked([x])
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)):
        assert not asked([x])


def test_modules_inside_are_attributes_of_those_around() -> None:
    program = "import tensorflow.python as inside; print(inside.eager.tape.__name__, inside.framework.ops.EagerTensor.__name__)"
    command = [sys.executable, "-m", "pullback", "run", "-c", program]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout == "tensorflow.python.eager.tape EagerTensor\n"


def test_static_values_of_graphs_are_those_that_tensorflow_knows() -> None:
    with tf.Graph().as_default():
        whole, part, unknown = tf.constant(3), tf.constant(2.5), tf.compat.v1.placeholder(tf.float32, [2])
        assert tf.get_static_value(tf.equal(whole, 3)) and not tf.get_static_value(tf.not_equal(part, 2.5))
        assert tf.get_static_value(tf.fill([2], 3.0)).tolist() == [3.0, 3.0]
        for value in (part * 2.0, tf.equal(unknown, 2.0), tf.fill([2], unknown[0])):
            assert tf.get_static_value(value) is None


ASKS = """
import pullback
pullback.gather  # a name that is there before TensorFlow is imported
import tensorflow as tf

class Later:
    'Stands for a tensor that is not there yet.'

class Notes(tf.__internal__.dispatch.GlobalOpDispatcher):
    def handle(self, op, args, kwargs):
        if any(isinstance(v, Later) for v in tf.nest.flatten([args, kwargs])):
            return f"{op.__name__} of {len(args)}"
        return self.NOT_SUPPORTED

class OfRows(tf.__internal__.dispatch.OpDispatcher):
    def handle(self, args, kwargs):
        return "a part" if isinstance(args[0], Later) else self.NOT_SUPPORTED

x = Later()
tf.reshape(tf.zeros([2]), [1, 2])
Notes().register()
OfRows().register(tf.__operators__.getitem)
T = tf.Tensor
print(tf.gather(x, [0]), tf.reshape(x, [1]), tf.concat([x, x], 0), tf.nn.relu(x), tf.reduce_sum(x, axis=0), tf.math.add(1.0, x), sep="; ")
print(T.__add__(x, 1), T.__rsub__(x, 1), T.__neg__(x), T.__matmul__(x, x), T.__lt__(x, 1), T.__getitem__(x, 0), sep="; ")
print(float(tf.reduce_sum(tf.constant([1.0, 2.0]) + 1.0)), tf.add is tf.math.add, tf.gather is pullback.gather)
print(tf.constant([1, 2])[1].numpy())
try:
    tf.concat([object()], 0)
except ValueError as error:
    print(str(error)[:27])
"""


def test_dispatchers_are_asked_by_all_functions_and_operators(tmp_path: Path) -> None:
    """tf_keras makes layers of functions of TensorFlow's by it."""
    program = tmp_path / "asks.py"
    program.write_text(ASKS)
    done = pullback_run(program)
    assert done.stdout.splitlines() == [
        "gather of 2; reshape of 2; concat of 2; relu of 1; reduce_sum of 1; add of 2",
        "add of 2; subtract of 2; negative of 1; matmul of 2; less of 2; a part",
        "5.0 True True",
        "2",
        "Attempt to convert a value ",
    ], done.stderr


@pytest.mark.parametrize("name, rank, phrase", [("", 0, ""), ("_at_least", 3, " at least"), ("_in", [0, 3], " in")])
def test_ranks_that_are_wrong_at_run_time_are_said_with_the_message(name: str, rank: Any, phrase: str) -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, None, name="x")
        check = getattr(tf.debugging, f"assert_rank{name}")(x, rank, message="why")
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(check, {x: [1.0]})
    shown = "".join(f" [{r}]" for r in (rank if isinstance(rank, list) else [rank]))
    assert f"[why.  ] [Tensor x:0 must have rank{phrase}]{shown} [Received shape: ] [1]" in str(caught.value)


def test_classes_that_are_to_go_stay_classes() -> None:
    """tf_keras's `DeviceWrapper` is one; it looks for layers among the classes of its modules."""
    text = """
        import inspect
        from tensorflow.python.util import deprecation
        from tensorflow.python.util.tf_export import keras_export

        @keras_export("keras.layers.A", v1=["keras.old.A"])
        @deprecation.deprecated(None, "Use B.")
        class A:
            def __init__(self, x):
                self.x = x

        @deprecation.deprecated(None, "Use B.")
        class New:
            def __new__(cls, x):
                return super().__new__(cls)

        class Sub(A):
            def __init__(self):
                super().__init__(3)

        print(inspect.isclass(A), A(1).x, Sub().x, isinstance(A(2), A), A.__name__, type(New(1)).__name__)
        print(A._keras_api_names[0], *A._keras_api_names_v1)
    """
    ran = pullback_run("-c", textwrap.dedent(text))
    assert ran.stdout.splitlines() == ["True 1 3 True A New", "keras.layers.A keras.old.A"], ran.stderr
    assert ran.stderr.count("A.__init__ is deprecated") == ran.stderr.count("New.__new__ is deprecated") == 1


def test_a_library_loads_a_model_in_a_context() -> None:
    text = """
        import tensorflow as tf
        with tf.__internal__.load_context(None):
            print(isinstance(tf.function(lambda: 1), tf.__internal__.function.Function))
        print(tf.distribute.get_strategy().extended._global_batch_size)
    """
    ran = pullback_run("-c", textwrap.dedent(text))
    assert ran.stdout.split() == ["True", "True"], ran.stderr
