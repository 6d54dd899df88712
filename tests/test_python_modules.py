"""The modules inside TensorFlow that programs import, and what stands beside its public names in old ones."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import pullback
from pullback.interop.internal import find_internal, internal_names
from tests.programs import pullback_run

IMPORTS = [
    "from tensorflow.python.client import session; session.Session",
    "from tensorflow.python.eager import backprop, context, def_function; def_function.function, context.executing_eagerly",
    "from tensorflow.python.framework import constant_op, dtypes, ops, tensor_shape, tensor_util, sparse_tensor; tensor_shape.TensorShape",
    "from tensorflow.experimental import Optional, dtensor; Optional.from_value, dtensor",
    "from tensorflow.python.framework.function import Defun; Defun",
    "from tensorflow.python.ops.ragged.ragged_tensor import RaggedTensor; RaggedTensor.from_row_splits",
    "from tensorflow.python.data.ops import dataset_ops; dataset_ops.DatasetV2.range",
    "from tensorflow.python.data.ops.iterator_ops import OwnedIterator; OwnedIterator.get_next",
    "from tensorflow.python.util.object_identity import Reference; Reference.deref",
    "from tensorflow.python.keras import backend as K, layers; K.epsilon, layers.Dense",
    "from tensorflow.python.keras.layers import Layer; Layer",
    "from tensorflow.python.layers import base, core, convolutional as c; base.Layer, core.Dense, c.conv1d",
    "from tensorflow.python.ops import array_ops, lookup_ops, rnn, rnn_cell_impl; lookup_ops.StaticHashTable, rnn.dynamic_rnn",
    "from tensorflow.python.ops.rnn_cell_impl import LSTMStateTuple, RNNCell; RNNCell",
    "from tensorflow.python.ops import gen_sparse_ops, gen_data_flow_ops as g, data_flow_ops as d; d.FIFOQueue, g.dynamic_stitch",
    "from tensorflow.python.ops import image_ops, string_ops, sparse_ops, template; image_ops.resize_bilinear, sparse_ops.sparse_reorder",
    "from tensorflow.python.training import queue_runner_impl as q, coordinator; q.start_queue_runners, coordinator.Coordinator",
    "from tensorflow.python.training import checkpoint_utils, training_util; checkpoint_utils.load_variable",
    "from tensorflow.python.util import nest, compat, deprecation, tf_export, tf_inspect as i; nest.flatten, compat.as_bytes, i.signature",
    "from tensorflow.python.util.tf_inspect import getargspec; getargspec",
    "from tensorflow.python.util.tf_decorator import make_decorator; make_decorator",
    "from tensorflow.python.framework import composite_tensor as c, type_spec, type_spec_registry as r, tensor_spec; r.register",
    "from tensorflow.python.ops import control_flow_util as u; assert not u.GraphOrParentsInXlaContext(None)",
    "from tensorflow.python.ops.init_ops import Constant, Zeros; Zeros",
    "from tensorflow.python.ops.numpy_ops import np_config; np_config.enable_numpy_behavior",
    "from tensorflow.python.util import tf_inspect, nest; assert not tf_inspect.getfullargspec(tf.rank).annotations; nest._is_namedtuple",
    "from tensorflow.core.protobuf import cluster_pb2; from tensorflow.tools.docs import doc_controls as d; d.do_not_generate_docs",
    "from tensorflow.compat.v2.experimental import dtensor",
    "from tensorflow.python import tf2, pywrap_tfe; tf2.enabled, pywrap_tfe.TF_ListPluggablePhysicalDevices",
    "tf.__operators__.getitem(tf.constant([1, 2]), 0)",
]


@pytest.mark.parametrize("path", sorted(internal_names()))
def test_what_a_name_inside_stands_for_is_there(path: str) -> None:
    assert find_internal(path) is not None


def test_they_import(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import tensorflow as tf\n" + "".join(f"{line}\n" for line in IMPORTS) + "print('all')\n")
    done = pullback_run("--tf", "1", program)
    assert done.stdout == "all\n", done.stderr


def test_a_function_with_its_gradient(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("""
import tensorflow as tf
from tensorflow.python.framework import function

@function.Defun(tf.float32, tf.float32)
def slope(x, dy):
    return dy * x / tf.norm(x)

@function.Defun(tf.float32, grad_func=slope, shape_func=lambda op: [()])
def norm(x):
    return tf.norm(x)

x = tf.placeholder(tf.float32, [2])
print([v.tolist() for v in tf.Session().run([norm(x), tf.gradients(norm(x) * 5.0, x)[0]], {x: [3.0, 4.0]})])
""")
    done = pullback_run("--tf", "1", program)
    assert done.stdout == "[5.0, [3.0, 4.0]]\n", done.stderr


def test_marks_of_what_is_to_go(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("""
from tensorflow.python.util import deprecation

@deprecation.deprecated("2030-01-01", "Call g.")
@deprecation.deprecated_args(None, "Leave y out.", "y")
def f(x, y=None):
    "What it does."
    return x

print(f(1) + f(2), f.__doc__, deprecation.deprecated_argument_lookup("axis", 1, "dim", None))
""")
    done = pullback_run(program)
    assert done.stdout == "3 What it does. 1\n"
    assert done.stderr.count("f is deprecated and will be removed after 2030-01-01. Call g.") == 1


class TestQueueRunners:
    def test_a_pipeline_of_numbers(self) -> None:
        v1 = pullback.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            count = v1.Variable(0, name="count")
            queue = v1.FIFOQueue(4, v1.int32, [[]])
            v1.train.add_queue_runner(v1.train.QueueRunner(queue, [queue.enqueue(count.assign_add(1))]))
            session.run(count.initializer)
            coordinator = v1.train.Coordinator()
            threads = v1.train.start_queue_runners(session, coordinator)
            assert len(threads) == 2
            assert [session.run(queue.dequeue()) for _ in range(6)] == [1, 2, 3, 4, 5, 6]
            coordinator.request_stop()
            coordinator.join(threads)
            assert not any(thread.is_alive() for thread in threads)

    def test_an_error_reaches_the_coordinator(self) -> None:
        v1 = pullback.compat.v1
        with v1.Graph().as_default(), v1.Session() as session:
            queue = v1.FIFOQueue(1, v1.float32, [[]])
            wrong = queue.enqueue(v1.placeholder(v1.float32, []))
            coordinator = v1.train.Coordinator()
            threads = v1.train.QueueRunner(queue, [wrong]).create_threads(session, coordinator, daemon=True, start=True)
            with pytest.raises(v1.errors.InvalidArgumentError, match="placeholder"):
                coordinator.join(threads)

    def test_nothing_to_start(self) -> None:
        v1 = pullback.compat.v1
        with v1.Graph().as_default(), v1.Session():
            assert v1.train.start_queue_runners() == []
        with pytest.raises(ValueError, match="No default session is registered"):
            v1.train.start_queue_runners()


class TestMnist:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        for part, count in (("train", 12), ("t10k", 4)):
            images, labels = np.arange(count * 784) % 256, np.arange(count) % 10
            for name, shape, data in (("images-idx3", (count, 28, 28), images), ("labels-idx1", (count,), labels)):
                head = bytes([0, 0, 8, len(shape)]) + np.array(shape, ">i4").tobytes()
                (tmp_path / f"{part}-{name}-ubyte.gz").write_bytes(gzip.compress(head + data.astype(np.uint8).tobytes()))
        return tmp_path

    def test_files(self, folder: Path) -> None:
        data = pullback.compat.v1.examples.tutorials.mnist.input_data.read_data_sets(str(folder), one_hot=True, validation_size=2)
        assert [part.num_examples for part in data] == [10, 2, 4]
        assert data.train.images.shape == (10, 784) and data.train.images.max() == 1.0
        assert data.test.labels.tolist() == np.eye(10)[:4].tolist()
        seen = np.concatenate([data.train.next_batch(4)[1] for _ in range(5)])
        assert data.train.epochs_completed == 1 and (np.sort(seen[:10].argmax(1)) == np.sort(np.arange(2, 12) % 10)).all()

    def test_under_run(self, folder: Path) -> None:
        text = "from tensorflow.examples.tutorials.mnist import input_data\n"
        text += f"print(input_data.read_data_sets({str(folder)!r}, validation_size=0, reshape=False).train.images.shape)"
        assert pullback_run("--tf", "1", "-c", text).stdout == "(12, 28, 28, 1)\n"

    def test_wrong_files(self, folder: Path) -> None:
        (folder / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(b"\1\2\3\4"))
        with pytest.raises(ValueError, match="Invalid magic number"):
            pullback.compat.v1.examples.tutorials.mnist.input_data.read_data_sets(str(folder))
