"""What of `tf.contrib` no golden program can hold: scopes of arguments, collections, hyper-parameters, messages, and that it loads late."""

from pathlib import Path

import numpy as np
import pytest

import pullback
from tests.programs import pullback_run, python


@pytest.fixture
def tf():
    with pullback.Graph().as_default():
        yield pullback.compat.v1


class TestArgScope:
    def test_inner_scopes_add_to_outer_ones(self, tf) -> None:
        slim = tf.contrib.slim
        with slim.arg_scope([slim.conv2d, slim.fully_connected], activation_fn=None, normalizer_fn=slim.batch_norm) as outer:
            with slim.arg_scope([slim.conv2d], padding="VALID"), slim.arg_scope([slim.batch_norm], decay=0.5):
                y = slim.conv2d(tf.zeros([1, 4, 4, 2]), 3, 3)
            z = slim.fully_connected(tf.zeros([1, 2]), 3, activation_fn=tf.nn.relu, normalizer_fn=None)
        assert y.shape == [1, 2, 2, 3] and z.op.type == "Relu"
        names = [v.op.name for v in tf.global_variables()]
        assert names == [
            "Conv/weights", "Conv/BatchNorm/beta", "Conv/BatchNorm/moving_mean", "Conv/BatchNorm/moving_variance",
            "fully_connected/weights", "fully_connected/biases",
        ]  # fmt: skip
        with slim.arg_scope(outer):
            assert slim.current_arg_scope() == outer
        assert slim.current_arg_scope() == {}

    def test_of_ones_own(self, tf) -> None:
        class Net:
            @tf.contrib.framework.add_arg_scope
            def scaled(self, x: float, factor: float = 1.0) -> float:
                return x * factor

        with tf.contrib.framework.arg_scope([Net.scaled], factor=3.0):
            assert Net().scaled(2.0) == 6.0
        assert Net().scaled(2.0) == 2.0 and Net.scaled.__name__ == "scaled"

    def test_refused(self, tf) -> None:
        arg_scope = tf.contrib.framework.arg_scope
        with pytest.raises(ValueError, match="matmul is not decorated with @add_arg_scope"), arg_scope([tf.matmul], name="a"):
            pass
        with pytest.raises(TypeError, match="must either be a list/tuple or reused scope"), arg_scope(tf.contrib.layers.conv2d):
            pass
        with pytest.raises(ValueError, match="kwargs must be empty"), arg_scope({}, name="a"):
            pass


class TestLayers:
    def test_collections_and_reuse(self, tf) -> None:
        slim = tf.contrib.slim

        def net(x, reuse=None):
            with tf.variable_scope("net", reuse=reuse):
                return slim.stack(x, slim.fully_connected, [4, 3], outputs_collections="points", scope="fc")

        one, two = net(tf.ones([1, 2])), net(tf.ones([1, 2]), reuse=True)
        assert [v.op.name for v in slim.get_model_variables()] == [f"net/fc/fc_{i}/{n}" for i in (1, 2) for n in ("weights", "biases")]
        points = slim.utils.convert_collection_to_dict("points")
        assert set(points) == {"net/fc/fc_1", "net/fc/fc_2"} and points["net/fc/fc_2"] is two
        assert slim.get_variables_by_suffix("weights", "net/fc/fc_2")[0].op.name == "net/fc/fc_2/weights"
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(*sess.run([one, two]))

    def test_dropout_and_training_by_a_tensor(self, tf) -> None:
        training = tf.placeholder(tf.bool, [])
        x = tf.constant(np.arange(8.0).reshape(4, 2))
        x = tf.contrib.layers.dropout(x, 0.5, is_training=False)
        y = tf.contrib.layers.batch_norm(x, 0.5, is_training=training, updates_collections=None)
        mean = tf.contrib.framework.get_variables_by_name("moving_mean")[0]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            still = sess.run(y, {training: False})
            assert sess.run(mean).tolist() == [0.0, 0.0]
            moved = sess.run(y, {training: True})
            assert sess.run(mean).tolist() == [1.5, 2.0]
        np.testing.assert_allclose(still, np.arange(8.0).reshape(4, 2), rtol=1e-3)
        np.testing.assert_allclose(moved.mean(0), 0.0, atol=1e-12)

    def test_training_step_moves_averages(self, tf) -> None:
        slim = tf.contrib.slim
        with slim.arg_scope([slim.fully_connected], activation_fn=None, weights_initializer=tf.constant_initializer(0.5)):
            y = slim.fully_connected(tf.constant([[1.0], [3.0]]), 1, normalizer_fn=slim.batch_norm)
        slim.losses.mean_squared_error(y, [[0.0], [1.0]])
        step = slim.learning.create_train_op(slim.losses.get_total_loss(), tf.train.GradientDescentOptimizer(0.1))
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            before = sess.run(step)
            assert sess.run(step) < before
            assert sess.run(slim.get_variables_by_name("moving_variance")[0]) < 1.0  # 0.25 in each batch
            assert sess.run(slim.get_global_step()) == 2

    def test_initializer_of_variance_scaling(self, tf) -> None:
        """Its arguments are contrib's, not those of `tf.variance_scaling_initializer`."""
        with tf.Session() as sess:
            value = sess.run(tf.contrib.layers.variance_scaling_initializer(factor=1.0, mode="FAN_AVG", uniform=True)([300, 100]))
        assert np.abs(value).max() <= np.sqrt(3 / 200) and abs(value.std() - np.sqrt(1 / 200)) < 1e-3

    @pytest.mark.parametrize(
        ("call", "says"),
        [
            (lambda c, x: c.conv2d(x, 2, 3, stride=2, rate=2), "stride > 1 not supported in conjunction with rate > 1"),
            (lambda c, x: c.conv1d(x, 2, 3), "Convolution expects input with rank 3, got 4"),
            (lambda c, x: c.conv2d(x, 2, 3, data_format="NWC"), "Invalid data_format"),
            (lambda c, x: c.optimize_loss(x, None, 0.1, "Lion"), "Optimizer name should be one of"),
            (lambda c, x: c.embed_sequence(x), "Must specify vocab size and embedding dimension"),
        ],
    )
    def test_refused(self, tf, call, says: str) -> None:
        with pytest.raises(ValueError, match=says):
            call(tf.contrib.layers, tf.zeros([1, 4, 4, 3]))


class TestHParams:
    def test_values(self, tf) -> None:
        hparams = tf.contrib.training.HParams(rate=0.1, steps=10, deep=False, sizes=[64, 32], name="net")
        hparams.parse("rate=1e-3, sizes[1]=16,deep=true,name=a b").parse_json('{"steps": 20}')
        assert hparams.values() == {"rate": 1e-3, "steps": 20, "deep": True, "sizes": [64, 16], "name": "a b"}
        hparams.add_hparam("extra", 1)
        hparams.set_hparam("extra", 2)
        assert hparams.get("extra") == 2 and "extra" in hparams and hparams.get("none", 5) == 5
        assert str(hparams).startswith("[('deep', True), ('extra', 2)")

    @pytest.mark.parametrize(
        ("text", "says"), [("rate=x", "Could not parse"), ("none=1", "Unknown"), ("rate=[1,2]", "Must not pass"), ("rate:1", "Malformed")]
    )
    def test_refused(self, tf, text: str, says: str) -> None:
        with pytest.raises(ValueError, match=says):
            tf.contrib.training.HParams(rate=0.1).parse(text)


class TestNames:
    def test_modules_inside_contrib(self, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(
            "import tensorflow.contrib.slim as slim\n"
            "from tensorflow.contrib import layers, rnn\n"
            "from tensorflow.contrib.layers.python.layers import utils\n"
            "from tensorflow.contrib.framework.python.ops import add_arg_scope, arg_scope\n"
            "from tensorflow.contrib.rnn.python.ops import core_rnn_cell\n"
            "print(slim.conv2d is layers.conv2d, arg_scope is slim.arg_scope, core_rnn_cell.GRUCell is rnn.GRUCell)\n"
        )
        assert pullback_run(program).stdout == "True True True\n"

    @pytest.mark.parametrize(
        ("path", "says"),
        [
            ("contrib.kfac", "tf.contrib.kfac is not in Pullback; tf.contrib ended with TensorFlow 1. Instead: the package kfac"),
            ("contrib.slim.nets", "Instead: the networks of the package tf-slim"),
            ("contrib.layers.con2d", "The nearest name here: tf.contrib.layers.conv2d"),
            ("mul", "tf.mul was in TensorFlow before 1.0. It is tf.multiply now"),
            ("nn.seq2seq", "tf.nn.seq2seq was in TensorFlow before 1.0. It is tf.contrib.legacy_seq2seq now"),
        ],
    )
    def test_what_is_not_here(self, path: str, says: str) -> None:
        *spaces, name = path.split(".")
        space = pullback.compat.v1
        for inner in spaces:
            space = getattr(space, inner)
        with pytest.raises(AttributeError, match=says):
            getattr(space, name)

    def test_in_tensorflow_2_it_says_where_it_is(self) -> None:
        with pytest.raises(AttributeError, match=r"write tf.compat.v1.contrib, or run the program with `pullback run --tf 1`"):
            _ = pullback.contrib

    def test_loaded_when_it_is_touched(self) -> None:
        text = "import sys, pullback.compat.v1 as tf\ntf.contrib\nloaded = lambda: sum('tensorflow.contrib.' in m for m in sys.modules)\n"
        assert python("-c", f"{text}print(loaded())\ntf.contrib.layers.conv2d\nprint(loaded() > 3)").stdout == "0\nTrue\n"


class TestLearning:
    def test_goes_on_from_the_last_checkpoint(self, tmp_path) -> None:
        """The losses are those of the package tf-slim on TensorFlow 2.21."""
        tf, slim, seen = pullback.compat.v1, pullback.compat.v1.contrib.slim, []

        def step(sess, train_op, global_step, kwargs):
            loss, stops = slim.learning.train_step(sess, train_op, global_step, kwargs)
            seen.append((int(sess.run(global_step)), float(loss)))
            return loss, stops

        def train(steps, logdir=str(tmp_path), **options):
            with tf.Graph().as_default():
                x = tf.constant(np.linspace(-1, 1, 24).reshape(8, 3).astype(np.float32))
                y = tf.constant((np.arange(8) % 2).astype(np.float32)[:, None])
                loss = tf.reduce_mean((x @ tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.3)) - y) ** 2)
                tf.summary.scalar("loss", loss)
                op = slim.learning.create_train_op(loss, tf.train.MomentumOptimizer(0.1, 0.9))
                return slim.learning.train(op, logdir, number_of_steps=steps, **options)

        train(3, train_step_fn=step)
        assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-3") and list(tmp_path.glob("events*"))
        train(6, train_step_fn=step)
        wanted = [0.672004, 0.600097, 0.516841, 0.479717, 0.499587, 0.541256]
        assert [number for number, _ in seen] == [1, 2, 3, 4, 5, 6]
        np.testing.assert_allclose([loss for _, loss in seen], wanted, rtol=2e-6)
        called = []
        np.testing.assert_allclose(train(2, None, init_fn=called.append), wanted[1], rtol=2e-6)
        assert len(called) == 1
        with pytest.raises(ValueError, match="positive number"):
            train(0)
        with pytest.raises(ValueError, match="because logdir=None"):
            train(1, None, saver=object())

    def test_ends_with_its_data(self, tf) -> None:
        """What a dataset has no more of ends the training."""
        numbers = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next()
        assert tf.contrib.slim.learning.train(tf.cast(numbers, tf.float32), None) == 2.0

    def test_starts_its_queues(self, tf) -> None:
        queue = tf.FIFOQueue(8, tf.float32, [[]])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
        counted = tf.train.get_or_create_global_step().assign_add(1)
        with tf.control_dependencies([counted]):
            assert tf.contrib.slim.learning.train(queue.dequeue(), None, number_of_steps=4) == 1.0


class TestEager:
    def test_gradients_of_functions(self) -> None:
        """As `tensorflow.python.eager.backprop` of TensorFlow 2.21 has them."""
        tfe, w = pullback.compat.v1.contrib.eager, pullback.Variable(2.0)
        both = lambda x, y: x * x * y * w
        assert [g.numpy() for g in tfe.gradients_function(both, params=["y", "x"])(3.0, 2.0)] == [18.0, 24.0]
        assert tfe.gradients_function(both)(3.0, 2.0, dy=2.0)[0].numpy() == 48.0
        value, pairs = tfe.implicit_value_and_gradients(both)(3.0, 2.0)
        assert value.numpy() == 36.0 and pairs[0][0].numpy() == 18.0 and pairs[0][1] is w
        for function, message in ((lambda x: x, "No trainable variables"), (lambda x: None, "forget to return a value")):
            with pytest.raises(ValueError, match=message):
                tfe.implicit_gradients(function)(1.0)
        with pytest.raises(ValueError, match="all numbers or all names of the 2 arguments"):
            tfe.gradients_function(both, params=["z"])(3.0, 2.0)
        with pytest.raises(ValueError, match="cannot receive keyword arguments"):
            tfe.gradients_function(both)(3.0, y=2.0)

    def test_metrics(self) -> None:
        metrics = pullback.compat.v1.contrib.eager.metrics
        mean, accuracy = metrics.Mean(), metrics.Accuracy()
        mean([1.0, 5.0], weights=[3.0, 1.0])
        accuracy([1, 2, 3], [1, 2, 4], weights=[1.0, 0.0, 1.0])
        assert mean.result().numpy() == 2.0 and accuracy.result().numpy() == 0.5
        mean.init_variables()
        assert np.isnan(mean.result().numpy())
