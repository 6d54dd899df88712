"""TensorFlow 1's meta graphs: a graph written beside a checkpoint, and trained on in another that has no Python of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v1"


def _in_folder(check: Callable[[str], Any]) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return check(folder)


def _build(tf: Any, ref: bool) -> None:
    with tf.variable_scope("net", use_resource=not ref):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=np.array([[1.0], [2.0]], np.float32))
        b = tf.get_variable("b", initializer=np.zeros(1, np.float32))
        count = tf.get_variable("count", initializer=np.int64(5), trainable=False)
        y = tf.nn.bias_add(tf.matmul(x, w), b, name="y")
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(tf.square(y), name="mean")
    tf.identity(tf.cond(loss > 1.0, lambda: loss * 2.0, lambda: -loss), name="branch")
    tf.identity(tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * w[0, 0] + tf.reduce_sum(b)), [0, 1.5])[1], name="loop")
    tf.identity(tf.map_fn(lambda row: row * row[0], x), name="mapped")
    tf.identity(tf.scan(lambda a, row: a + row, x), name="summed")
    tf.add_to_collection("inputs", x)
    tf.add_to_collection("outputs", y)
    tf.add_to_collection("step", tf.assign_add(count, 1, name="counted").op)
    tf.add_to_collection("losses", loss)
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, name="train")


_X = np.array([[1.0, 2.0], [3.0, -1.0]], np.float32)
_READ = ["net/y:0", "loss/mean:0", "branch:0", "loop:0", "mapped:0", "summed:0"]


def _train_and_save(tf: Any, folder: str, ref: bool) -> str:
    with tf.Graph().as_default(), tf.Session() as session:
        _build(tf, ref)
        saver = tf.train.Saver(max_to_keep=2)
        session.run(tf.global_variables_initializer())
        session.run("train", {"net/x:0": _X})
        path: str = saver.save(session, os.path.join(folder, "model"), global_step=1)
    return path


def _go_on(tf: Any, path: str) -> list[Any]:
    """What a program finds that has the file alone."""
    graph = tf.get_default_graph()
    with tf.Session() as session:
        saver = tf.train.import_meta_graph(path + ".meta")
        saver.restore(session, path)
        x, y = tf.get_collection("inputs")[0], tf.get_collection("outputs")[0]
        variables = tf.global_variables()
        found = [session.run([_READ, variables], {x: _X})]
        session.run(["train", tf.get_collection("step")[0]], {x: _X})
        found.append(session.run([_READ, variables], {x: _X}))
        slopes = tf.gradients([y, graph.get_tensor_by_name("loss/mean:0")], tf.trainable_variables())
        found.append(session.run(slopes, {x: _X}))
        found.append([os.path.basename(saver.save(session, path[: -len("-1")], global_step=step)) for step in (2, 3, 4)])
        session.run(tf.global_variables_initializer())
        found.append(session.run([_READ, variables], {x: _X}))
    kept = sorted(name for name in os.listdir(os.path.dirname(path)) if name.endswith(".meta"))
    listed = [[v.name, v.dtype.name, v.shape.as_list()] for v in tf.global_variables()]
    return [*found, kept, listed, [v.name for v in tf.trainable_variables()], tf.losses.get_losses()[0].name]


def restored(tf: Any) -> dict[str, Any]:
    return {
        "ref variables": lambda: _in_folder(lambda folder: _go_on(tf, _train_and_save(tf, folder, True))),
    }


def restored_resources(tf: Any) -> dict[str, Any]:
    return {
        "resource variables": lambda: _in_folder(lambda folder: _go_on(tf, _train_and_save(tf, folder, False))),
    }


def scopes(tf: Any) -> dict[str, Any]:
    def under_a_scope(folder: str) -> list[Any]:
        path = _train_and_save(tf, folder, True)
        with tf.Graph().as_default() as graph, tf.Session() as session:
            saver = tf.train.import_meta_graph(path + ".meta", clear_devices=True, import_scope="in")
            saver.restore(session, path)
            names = [v.name for v in tf.global_variables()]
            return [names, session.run(["in/net/w:0", "in/loop:0"]), tf.get_collection("inputs")[0].name, graph.get_operations()[0].name]

    def beside_others(folder: str) -> list[Any]:
        path = _train_and_save(tf, folder, True)
        with tf.Graph().as_default(), tf.Session() as session:
            with tf.variable_scope("net"):
                tf.get_variable("w", [3], use_resource=False)
            tf.train.import_meta_graph(path + ".meta").restore(session, path)
            return [[v.name for v in tf.global_variables()], session.run("net/w_1:0"), tf.constant(1.0, name="loop").name]

    return {"scope": lambda: _in_folder(under_a_scope), "taken": lambda: _in_folder(beside_others)}


def exported(tf: Any) -> dict[str, Any]:
    _build(tf, True)
    whole = tf.train.export_meta_graph()
    some = tf.train.export_meta_graph(collection_list=["inputs"])
    saver = tf.train.Saver({"other/w": tf.trainable_variables()[0]})

    def collections(meta_graph: Any, **options: Any) -> list[Any]:
        with tf.Graph().as_default() as graph:
            saver = tf.train.import_meta_graph(meta_graph, **options)
            keys = sorted(key for key in graph.get_all_collection_keys() if not key.endswith("_context"))
            return [keys, saver is None]

    def of_a_saver(folder: str) -> list[Any]:
        path = os.path.join(folder, "m")
        saver.export_meta_graph(path + ".meta")
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            saver.save(session, path, write_meta_graph=False)
        with tf.Graph().as_default(), tf.Session() as session:
            tf.train.import_meta_graph(path + ".meta").restore(session, path)
            return [session.run("net/w:0"), tf.train.list_variables(path)]

    def missing(folder: str) -> Any:
        return raises(lambda: tf.train.import_meta_graph(os.path.join(folder, "none.meta")), "File does not exist")()

    return {
        "all": lambda: collections(whole),
        "some": lambda: collections(some),
        "picked": lambda: collections(whole, restore_collections_predicate=lambda key: key == "outputs"),
        "of a saver": lambda: _in_folder(of_a_saver),
        "none": lambda: _in_folder(missing),
    }


def graphs_written(tf: Any) -> dict[str, Any]:
    x = tf.constant(2.0, name="x")
    tf.multiply(x, x, name="y")

    def written(as_text: bool) -> list[Any]:
        with tempfile.TemporaryDirectory() as folder:
            path = tf.train.write_graph(tf.get_default_graph(), os.path.join(folder, "new"), "graph.pb", as_text=as_text)
            with open(path, "rb") as file:
                content = file.read()
        return [os.path.relpath(path, folder), content.startswith(b'node {\n  name: "x"\n  op: "Const"\n'), b"y" in content]

    return {"text": lambda: written(True), "bytes": lambda: written(False), "consumers": [op.name for op in x.consumers()]}


def names_of_reads(tf: Any) -> dict[str, Any]:
    ref = tf.Variable(1.0, name="v", use_resource=False)
    return {
        "ref": [ref.read_value().name, ref.read_value().op.type, ref.value().name],
        "reuse": [str(tf.AUTO_REUSE), tf.identity(ref).name],
    }
