"""Meta graphs that no file can hold, that are damaged, or were written by TensorFlow; what a saver does then."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback.compat.v1 as tf
from pullback.train.packing import pack, unpack


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def save(folder: Path, step: int = 1) -> str:
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    tf.reduce_sum(v * v, name="y")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path: str = tf.train.Saver().save(session, str(folder / "m"), global_step=step)
    return path


def test_a_graph_that_holds_python_is_not_written_and_the_old_file_goes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = save(tmp_path)
    assert (tmp_path / "m-1.meta").exists()
    with tf.Graph().as_default(), caplog.at_level(logging.WARNING, logger="tensorflow"):
        tf.py_func(np.sin, [1.0], tf.float64, name="mine")
        assert save(tmp_path) == path
        assert not (tmp_path / "m-1.meta").exists()
        assert (tmp_path / "m-1.safetensors").exists()
        assert "mine" in caplog.text
        with pytest.raises(ValueError, match="mine"):
            tf.train.export_meta_graph()


def test_what_no_file_can_hold_is_left_out_of_its_collection_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    tf.add_to_collection("things", object())
    tf.add_to_collection("things", 3)
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        found = tf.train.export_meta_graph()
    assert "'things'" in caplog.text
    with tf.Graph().as_default():
        tf.train.import_meta_graph(found)
        assert tf.get_collection("things") == [3]


def test_savers_in_collections_restore_what_they_did(tmp_path: Path) -> None:
    v = tf.get_variable("v", initializer=2.0)
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver({"other": v}))
    found = tf.train.export_meta_graph()
    with tf.Session() as session:
        session.run(v.initializer)
        path = tf.get_collection(tf.GraphKeys.SAVERS)[0].save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(found)
        (saver,) = tf.get_collection(tf.GraphKeys.SAVERS)
        saver.restore(session, path)
        assert session.run("v:0") == 2.0


def test_parts_of_a_variable_stay_parts(tmp_path: Path) -> None:
    whole = np.arange(8, dtype=np.float32).reshape(4, 2)
    tf.get_variable("v", initializer=tf.constant(whole), partitioner=tf.fixed_size_partitioner(2))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "m"))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(path + ".meta").restore(session, path)
        assert np.array_equal(np.concatenate(session.run(tf.global_variables())), whole)
        again = tf.train.Saver().save(session, str(tmp_path / "again"))
    assert tf.train.list_variables(again) == [("v", [4, 2])]


def test_a_function_and_a_gradient_of_its_own_are_written() -> None:
    @tf.custom_gradient
    def doubled(x: Any) -> Any:
        return x * 1.0, lambda g: g * 2.0

    x = tf.placeholder(tf.float32, [], name="x")
    tf.identity(doubled(x) * tf.function(lambda a: tf.cos(a))(x), name="y")  # type: ignore[attr-defined]  # v1 has it too
    found = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.constant(0.0)  # so that operations have other places
        tf.train.import_meta_graph(found)
        x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("y:0")
        value, slope = session.run([y, tf.gradients(y, x)[0]], {x: 0.5})
    assert value == pytest.approx(0.5 * np.cos(0.5), rel=1e-6)
    assert slope == pytest.approx(2 * np.cos(0.5) - 0.5 * np.sin(0.5), rel=1e-6)


def test_files_that_are_damaged_or_foreign_are_refused_and_change_nothing(tmp_path: Path) -> None:
    path = save(tmp_path) + ".meta"
    whole = Path(path).read_bytes()
    foreign = tmp_path / "foreign.meta"
    arrays, _ = unpack(whole)
    document = json.loads(arrays["meta_graph.json"].tobytes())
    document["graphs"][0]["nodes"][1][0] = "NoSuchOperation"
    wrong = pack({**arrays, "meta_graph.json": np.frombuffer(json.dumps(document).encode(), np.uint8)})
    for content in (b"\n\x0c\x12\x04Const", whole[:-3], whole.replace(b"ReadVariable", b"DeadVariable", 1), b"", wrong):
        foreign.write_bytes(content)
        with tf.Graph().as_default() as graph:
            with pytest.raises(OSError, match="Cannot parse"):
                tf.train.import_meta_graph(str(foreign))
            assert graph.get_operations() == []


def test_what_is_not_there_is_refused() -> None:
    for given in ({"graph_def": 1}, {"export_scope": "a"}, {"as_text": True}):
        with pytest.raises(NotImplementedError, match=next(iter(given))):
            tf.train.export_meta_graph(**given)
    found = tf.train.export_meta_graph()
    with pytest.raises(NotImplementedError, match="input_map"):
        tf.train.import_meta_graph(found, input_map={"a": tf.constant(1.0)})
