"""Settings that are taken and told back, what is told of files, what checking numbers leaves behind, windows by name."""

from __future__ import annotations

import linecache
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.ir.context import current
from pullback.ir.graph import Graph

v1 = tf.compat.v1


@pytest.mark.parametrize(
    ("space", "getter", "setter"),
    [
        (tf.config, "get_soft_device_placement", "set_soft_device_placement"),
        (v1.config, "get_soft_device_placement", "set_soft_device_placement"),
        (tf.config.experimental, "tensor_float_32_execution_enabled", "enable_tensor_float_32_execution"),
        (tf.config.experimental, "get_synchronous_execution", "set_synchronous_execution"),
        (tf.debugging, "get_log_device_placement", "set_log_device_placement"),
    ],
)
def test_settings_are_told_back(space: object, getter: str, setter: str) -> None:
    before = getattr(space, getter)()
    for value in (not before, before):
        getattr(space, setter)(value)
        assert getattr(space, getter)() is value


def test_filtering_of_tracebacks() -> None:
    tf.debugging.disable_traceback_filtering()
    assert not tf.debugging.is_traceback_filtering_enabled()
    tf.debugging.enable_traceback_filtering()
    assert v1.debugging.is_traceback_filtering_enabled()


def test_statistics_of_files(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"hello")
    os.utime(file, ns=(5, 1_700_000_000_000_000_000))
    assert tf.io.gfile.stat(file) == v1.gfile.Stat(str(file)) == (5, 1_700_000_000_000_000_000, False)
    assert tf.io.gfile.stat(tmp_path).is_directory
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        tf.io.gfile.stat(tmp_path / "none")


def test_general_dropout() -> None:
    def draw(shape: object, dtype: object) -> object:
        return tf.constant([[0.2, 0.3], [0.9, 0.1]], dtype)

    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.experimental.general_dropout(x, 0.3, draw)
    np.testing.assert_allclose(y, np.array([[0, 2], [3, 0]]) / 0.7, rtol=1e-6)
    np.testing.assert_allclose(tape.gradient(y, x), np.array([[0, 1], [1, 0]]) / 0.7, rtol=1e-6)


def test_checking_numbers_leaves_nothing_behind() -> None:
    add, recorders = Graph.add, current().recorders
    for _ in range(2):
        tf.debugging.enable_check_numerics()
    assert Graph.add is not add and len(current().recorders) == len(recorders) + 1
    for _ in range(2):
        tf.debugging.disable_check_numerics()
    assert Graph.add is add and current().recorders == recorders


def test_a_check_says_what_came_in() -> None:
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            tf.divide([1.0, -1.0, 0.0, 5.0], [0.0, 0.0, 0.0, 1.0])
    finally:
        tf.debugging.disable_check_numerics()
    for text in ("# of +Inf elements: 1", "# of -Inf elements: 1", "# of NaN elements: 1", "shape: (4,)", "Input 1: tf.Tensor([0."):
        assert text in str(caught.value)


def slope_of_root(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(x)  # the root
    return tape.gradient(y, x)


def slope_under_another_tape(x: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        return slope_of_root(x)


def slope_inside(x: Any) -> Any:
    return tf.gradients(tf.sqrt(x), x)[0]  # the root


def slope_of_session(x: Any) -> Any:
    with v1.Graph().as_default(), v1.Session() as session:
        y = v1.placeholder(tf.float32, [2])
        return session.run(slope_inside(y), {y: x.numpy()})


def logarithm(x: Any) -> Any:
    return tf.math.log(x)  # the logarithm


def slope_of_slope(x: Any) -> Any:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.pow(x, 1.5))  # the power
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


CHECKED = {
    "eager": (logarithm, "Log", "the logarithm", "tf.maximum"),
    "function": (tf.function(logarithm), "Log", "the logarithm", "tf.maximum"),
    "gradient of a tape": (slope_of_root, "the gradient of Sqrt", "the root", "x + 1e-12"),
    "gradient of a tape in a function": (tf.function(slope_of_root), "the gradient of Sqrt", "the root", "x + 1e-12"),
    "gradient of a graph": (tf.function(slope_inside), "the gradient of Sqrt", "the root", "x + 1e-12"),
    "gradient in a session": (slope_of_session, "the gradient of Sqrt", "the root", "x + 1e-12"),
    "second derivative": (slope_of_slope, "the gradient of Pow", "the power", "tf.pow(tf.maximum(x, 1e-12), p)"),
    "second derivative of a graph": (tf.function(slope_of_slope), "the gradient of Pow", "the power", "tf.pow(tf.maximum(x, 1e-12), p)"),
    "gradient under another tape": (slope_under_another_tape, "the gradient of Sqrt", "the root", "x + 1e-12"),
}


@pytest.mark.parametrize("name", CHECKED)
def test_a_check_says_the_operation_of_the_program_the_element_and_the_remedy(name: str) -> None:
    """As `trace_nans` does."""
    f, operation, comment, remedy = CHECKED[name]
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            f(tf.constant([1.0, 0.0]))
    finally:
        tf.debugging.disable_check_numerics()
    told = rf"\n{operation} at (.*):(\d+) gave the first .*, the first at \[1\], from 0.0(?:, 1.5)?\. Instead: (.*)"
    found = re.search(told, caught.value.message)
    assert found is not None and found[1] == __file__ and remedy in found[3], caught.value.message
    assert linecache.getline(__file__, int(found[2])).rstrip().endswith(f"# {comment}")


def test_after_a_sweep_a_check_tells_of_operations_again() -> None:
    tf.debugging.enable_check_numerics()
    try:
        slope_of_root(tf.constant([1.0, 4.0]))
        with pytest.raises(tf.errors.InvalidArgumentError, match="\nLog at"):
            logarithm(tf.constant([1.0, 0.0]))
    finally:
        tf.debugging.disable_check_numerics()


def test_quantized_dtypes() -> None:
    assert {tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32} == tf.dtypes.QUANTIZED_DTYPES == v1.dtypes.QUANTIZED_DTYPES


def test_raw_crosses_want_what_belongs_together() -> None:
    words = tf.sparse.from_dense([["a", ""], ["", "b"]])
    given = {"indices": [words.indices], "values": [words.values], "shapes": [words.dense_shape], "dense_inputs": []}
    with pytest.raises(ValueError, match="as many"):
        tf.raw_ops.SparseCrossV2(**{**given, "shapes": []}, sep="-")
    with pytest.raises(ValueError, match="out_type is string"):
        tf.raw_ops.SparseCross(**given, hashed_output=False, num_buckets=0, hash_key=1, out_type=tf.int64, internal_type=tf.string)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="sep has to be known"):
        tf.raw_ops.SparseCrossV2(indices=[], values=[], shapes=[], dense_inputs=[[["a"]]], sep=v1.placeholder(tf.string, []))


def test_writers_of_nothing_and_by_directory(tmp_path: Path) -> None:
    noop = tf.summary.create_noop_writer()
    noop.init()
    noop.set_as_default()
    assert not tf.summary.should_record_summaries()
    with tf.summary.create_file_writer(str(tmp_path)).as_default(), noop.as_default():
        assert tf.summary.should_record_summaries()
    noop.flush()
    noop.close()
    cache = v1.summary.FileWriterCache
    with v1.Graph().as_default():
        first = cache.get(tmp_path)
        assert cache.get(str(tmp_path)) is first and first.get_logdir() == str(tmp_path)
        cache.clear()
        assert cache.get(tmp_path) is not first
        cache.clear()


def test_scopes_of_summaries() -> None:
    scope = tf.summary.experimental.summary_scope
    with scope("x", "default") as found:
        assert found == ("x", "x/")
    with tf.name_scope("n"), scope("x/y") as found:
        assert found == ("n/x/y", "n/x/y/")
    with scope(None, "default") as found:
        assert found == ("default", "default/")
    with scope("a b$") as found:
        assert found == ("a b$", "ab/")


def test_features_of_autograph() -> None:
    feature = tf.autograph.experimental.Feature
    assert len(feature.all()) == 7 and len(feature.all_but([feature.LISTS, feature.NAME_SCOPES])) == 4
    assert v1.autograph.experimental.Feature is feature


def test_what_is_elsewhere_says_why() -> None:
    with pytest.raises(AttributeError, match=r"tensors kept by a session.*Instead: a tf.Variable"):
        _ = v1.get_session_handle
    with pytest.raises(AttributeError, match="serving, tables"):
        _ = tf.quantization.experimental
