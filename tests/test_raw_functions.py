"""Raw operations that are functions of others: those that apply functions, and TensorArrays by a handle and a flow."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.interop.names import tensorflow_names
from pullback.ops.all_operations import load_operations
from pullback.tensorflow.out_of_scope import NAMES, OPERATIONS, explain_absence
from pullback.tensorflow.raw_ops.operations import composed_operations
from tests.test_faces import SPACES

raw = tf.raw_ops
SCALAR = tf.TensorSpec([], tf.float32)
TWICE = tf.function(lambda x: [2.0 * x]).get_concrete_function(SCALAR)
SQUARE = tf.function(lambda x: [x * x]).get_concrete_function(SCALAR)
SMALL = tf.function(lambda x: [x < 100.0]).get_concrete_function(SCALAR)
FACTOR = tf.Variable(5.0)
SCALED = tf.function(lambda x: [FACTOR * x]).get_concrete_function(SCALAR)
FLOATS: dict[str, Any] = {"dtype": tf.float32}
Function = Callable[[Any], Any]


def branch(x: Any) -> Any:
    return raw.If(cond=x > 2.0, input=[x], Tout=[tf.float32], then_branch=SCALED, else_branch=SQUARE)[0]


def chosen(x: Any) -> Any:
    return raw.StatelessCase(branch_index=tf.cast(x, tf.int32), input=[x], Tout=[tf.float32], branches=[TWICE, SQUARE])[0]


def loop(x: Any) -> Any:
    return raw.StatelessWhile(input=[x], cond=SMALL, body=SQUARE)[0]


def called(x: Any) -> Any:
    return raw.StatefulPartitionedCall(args=[x], Tout=[tf.float32], f=SQUARE)[0]


def values(f: Function, x: float) -> tuple[float, float, float]:
    """Value, first and second derivative."""
    at = tf.constant(x)
    with tf.GradientTape() as outer:
        outer.watch(at)
        with tf.GradientTape() as inner:
            inner.watch(at)
            y = f(at)
        slope = inner.gradient(y, at)
    curvature = outer.gradient(slope, at, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    return float(y), float(slope), float(curvature)


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize(
    ("f", "x", "wanted"),
    [
        (branch, 3.0, (15.0, 5.0, 0.0)), (branch, 1.5, (2.25, 3.0, 2.0)), (chosen, 0.5, (1.0, 2.0, 0.0)), (chosen, 7.5, (56.25, 15.0, 2.0)),
        (loop, 3.0, (6561.0, 17496.0, 40824.0)), (called, 3.0, (9.0, 6.0, 2.0)),
    ],
)  # fmt: skip
def test_functions(f: Function, x: float, wanted: tuple[float, float, float], graph: bool) -> None:
    assert values(tf.function(f) if graph else f, x) == pytest.approx(wanted, rel=1e-6)


def test_gradient_of_what_a_branch_reads_from_outside() -> None:
    with tf.GradientTape() as tape:
        y = branch(tf.constant(3.0))
    assert float(tape.gradient(y, FACTOR)) == 3.0


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize(
    ("pred", "wanted"), [(0.0, 9.0), (2, 6.0), ("a", 6.0), ("", 9.0), ([], 9.0), ([False], 6.0), ([[0.0]], 6.0), (False, 9.0)]
)
def test_what_counts_as_true(pred: Any, wanted: float, graph: bool) -> None:
    def f(pred: Any) -> Any:
        return raw.If(cond=pred, input=[3.0], Tout=[tf.float32], then_branch=TWICE, else_branch=SQUARE)[0]

    assert float((tf.function(f) if graph else f)(tf.constant(pred))) == wanted


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"then_branch": lambda x: [x]}, tf.errors.InvalidArgumentError, "is a concrete function"),
        ({"Tout": [tf.int32]}, tf.errors.InternalError, "Expect outputs of types"),
        ({"Tout": []}, tf.errors.InternalError, "Expect outputs of types"),
        ({"input": [1.0, 2.0]}, tf.errors.InvalidArgumentError, "expects 1 arguments, but 2 is provided"),
        ({"input": [tf.constant(1)]}, tf.errors.InvalidArgumentError, "float32, int32 is provided"),
    ],
)
def test_bad_functions(change: dict[str, Any], error: type[Exception], said: str) -> None:
    given = {"cond": True, "input": [1.0], "Tout": [tf.float32], "then_branch": TWICE, "else_branch": SQUARE}
    with pytest.raises(error, match=said):
        raw.If(**{**given, **change})


# ---- TensorArrays


def through_items(x: Any) -> Any:
    made = raw.TensorArrayV3(size=3, **FLOATS)
    flow = made.flow
    for i in range(3):
        flow = raw.TensorArrayWriteV3(handle=made.handle, index=i, value=x[i] * x[i], flow_in=flow)
    first = raw.TensorArrayReadV3(handle=made.handle, index=0, flow_in=flow, **FLOATS)
    rest = raw.TensorArrayGatherV3(handle=made.handle, indices=[2, 1], flow_in=flow, element_shape=[], **FLOATS)
    return first * rest[0] + rest[1]


def through_older_items(x: Any) -> Any:
    handle = raw.TensorArray(size=0, dynamic_size=True, **FLOATS)
    flow = raw.TensorArrayScatter(handle=handle, indices=[2, 0, 1], value=x * x, flow_in=0.0)
    packed = raw.TensorArrayPack(handle=handle, flow_in=flow, **FLOATS)
    return packed[2] * packed[1] + packed[0]


def through_pieces(x: Any) -> Any:
    made = raw.TensorArrayV3(size=2, clear_after_read=False, **FLOATS)
    flow = raw.TensorArraySplitV3(handle=made.handle, value=x * x, lengths=[1, 2], flow_in=made.flow)
    value, lengths = raw.TensorArrayConcatV3(handle=made.handle, flow_in=flow, element_shape_except0=[], **FLOATS)
    size = raw.TensorArraySizeV3(handle=made.handle, flow_in=flow)
    return value[0] * value[2] + value[1] + tf.cast(tf.reduce_sum(lengths), tf.float32) * tf.cast(size - 2, tf.float32)


def through_rows(x: Any) -> Any:
    handle = raw.TensorArrayV2(size=3, element_shape=[], **FLOATS)
    flow = raw.TensorArrayUnpack(handle=handle, value=x * x, flow_in=0.0)
    packed = raw.TensorArrayPack(handle=handle, flow_in=flow, element_shape=[], **FLOATS)
    return packed[0] * packed[2] + packed[1]


def through_loop(x: Any) -> Any:
    made = raw.TensorArrayV3(size=3, **FLOATS)

    def step(i: Any, flow: Any) -> Any:
        return i + 1, raw.TensorArrayWriteV3(handle=made.handle, index=i, value=x[i] ** 2.0, flow_in=flow)

    _, flow = tf.while_loop(lambda i, flow: i < 3, step, (0, made.flow))
    squares = [raw.TensorArrayReadV3(handle=made.handle, index=i, flow_in=flow, **FLOATS) for i in range(3)]
    return squares[0] * squares[2] + squares[1]


def through_gradients(x: Any) -> Any:
    made = raw.TensorArrayV3(size=2, element_shape=[], **FLOATS)
    sums, flow = raw.TensorArrayGradV3(handle=made.handle, flow_in=made.flow, source="test")
    flow = raw.TensorArrayWriteV3(handle=sums, index=1, value=x[0], flow_in=flow)
    flow = raw.TensorArrayScatterV3(handle=sums, indices=[1, 1, 0], value=x - x, flow_in=flow)
    flow = raw.TensorArrayWriteV3(handle=sums, index=1, value=x[2] - 1.0, flow_in=flow)
    total = raw.TensorArrayReadV3(handle=sums, index=1, flow_in=flow, **FLOATS)
    unwritten = raw.TensorArrayReadV3(handle=sums, index=0, flow_in=flow, **FLOATS)
    return (total - x[0] + 1.0) * x[2] * x[0] ** 2.0 + x[1] ** 2.0 + unwritten


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("f", [through_items, through_older_items, through_pieces, through_rows, through_loop, through_gradients])
def test_tensor_arrays(f: Function, graph: bool) -> None:
    """All are x0^2 x2^2 + x1^2."""
    x = tf.constant([2.0, 3.0, 5.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = (tf.function(f) if graph else f)(x)
        slopes = inner.gradient(y, x)
    assert float(y) == 109.0
    np.testing.assert_allclose(slopes, [100.0, 6.0, 40.0])
    np.testing.assert_allclose(outer.jacobian(slopes, x), [[50.0, 0.0, 40.0], [0.0, 2.0, 0.0], [40.0, 0.0, 8.0]])


def test_gradient_arrays_with_shape() -> None:
    made = raw.TensorArrayV3(size=2, element_shape=[3], **FLOATS)
    sums, flow = raw.TensorArrayGradWithShape(handle=made.handle, flow_in=made.flow, shape_to_prepend=[2], source="s")
    assert raw.TensorArrayReadV3(handle=sums, index=0, flow_in=flow, **FLOATS).shape == (2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="has a TensorArray of gradients"):
        raw.TensorArrayGradV3(handle=made.handle, flow_in=made.flow, source="s")
    with pytest.raises(tf.errors.InvalidArgumentError, match="past the end"):
        raw.TensorArrayWriteV3(handle=sums, index=2, value=tf.zeros([2, 3]), flow_in=flow)


class TestBadArrays:
    """TensorFlow's error for each, and for flows that are not handed on ours."""

    def written(self, **options: Any) -> tuple[Any, Any, Any]:
        made = raw.TensorArrayV3(size=3, **FLOATS, **options)
        return made.handle, made.flow, raw.TensorArrayWriteV3(handle=made.handle, index=0, value=1.0, flow_in=made.flow)

    def refused(self, said: str, op: str, **given: Any) -> None:
        with pytest.raises(tf.errors.InvalidArgumentError, match=said):
            getattr(raw, op)(**given)

    def test_writes(self) -> None:
        handle, old, flow = self.written(element_shape=[])
        write = "TensorArrayWriteV3"
        self.refused("already been written", write, handle=handle, index=0, value=1.0, flow_in=flow)
        handle, old, flow = self.written(element_shape=[])
        self.refused("before a write", write, handle=handle, index=1, value=1.0, flow_in=old)
        self.refused("but Op is trying to write dtype int32", write, handle=handle, index=1, value=tf.constant(1), flow_in=flow)
        self.refused(r"incompatible with the TensorArray's element shape \[\]", write, handle=handle, index=1, value=[1.0], flow_in=flow)
        self.refused("element 5 in a list with 3", write, handle=handle, index=5, value=1.0, flow_in=flow)

    def test_reads(self) -> None:
        handle, _, flow = self.written()
        read = "TensorArrayReadV3"
        self.refused("requested dtype int32", read, handle=handle, index=0, flow_in=flow, dtype=tf.int32)
        assert float(raw.TensorArrayReadV3(handle=handle, index=0, flow_in=flow, **FLOATS)) == 1.0
        self.refused("Could not read index 0 twice", read, handle=handle, index=0, flow_in=flow, **FLOATS)
        self.refused("element 3 in a list with 3", read, handle=handle, index=3, flow_in=flow, **FLOATS)
        empty = raw.TensorArrayV3(size=3, **FLOATS)
        self.refused("uninitialized", read, handle=empty.handle, index=1, flow_in=empty.flow, **FLOATS)

    def test_sizes(self) -> None:
        made = raw.TensorArrayV3(size=3, **FLOATS)
        self.refused("size is not equal", "TensorArrayUnpack", handle=made.handle, value=[1.0, 2.0], flow_in=made.flow)

    def test_shapes_that_are_one(self) -> None:
        handle, _, flow = self.written(identical_element_shapes=True)
        self.refused("incompatible", "TensorArrayWriteV3", handle=handle, index=1, value=[1.0], flow_in=flow)


# ---- what is elsewhere


def test_an_operation_is_here_or_elsewhere() -> None:
    names = {name for reason in OPERATIONS for name in reason.names.split()}
    assert not names & {*load_operations(), *composed_operations()}
    assert not [name for name in {*load_operations(), *composed_operations()} if explain_absence(name)]


def test_a_public_name_is_here_or_elsewhere() -> None:
    given = [name for reason in NAMES for name in reason.names.split()]
    assert len(given) == len(set(given))
    here = {f"{space}.{name}" for space, module in SPACES.items() for name in module.__all__}
    theirs = {f"{space}.{name}" for space, names in tensorflow_names().items() for name in names}
    # a protocol buffer of tf.train has the name, too
    named_alike = {f"{face}.autograph.experimental.Feature" for face in ("tf", "tf1")}
    both = [name for name in (here & theirs) - named_alike if {name, name.rpartition(".")[2]} & {*given}]
    assert not both, "named as elsewhere, and there"
    assert set(given) <= theirs | {name.rpartition(".")[2] for name in theirs}


def test_the_error_says_what_to_do_instead() -> None:
    with pytest.raises(AttributeError, match=r"tf\.raw_ops\.RefSwitch is not in Pullback: .* Instead: tf\.cond, tf\.while_loop"):
        _ = raw.RefSwitch


def test_listed() -> None:
    assert {"If", "TensorArrayV3", "MatMul"} <= set(dir(raw))


def test_segments_whose_number_is_given_are_as_xla_has_them() -> None:
    """The answers of TensorFlow's functions compiled by XLA, its only kernels for these."""
    least, most = np.finfo(np.float32).min, np.finfo(np.float32).max
    expected = {
        "Sum": [2.0, 0.0, 4.0, 0.0],
        "Max": [2.0, least, 3.0, least],
        "Min": [2.0, most, 1.0, most],
        "Prod": [2.0, 1.0, 3.0, 1.0],
    }
    for kind, answer in expected.items():
        op = getattr(raw, f"Segment{kind}V2")
        given = {"data": [1.0, 2.0, 3.0, 9.0, 9.0], "segment_ids": [2, 0, 2, -1, 7], "num_segments": 4}
        assert op(**given).numpy().tolist() == answer
        assert tf.function(lambda op=op, given=given: op(**given))().numpy().tolist() == answer
