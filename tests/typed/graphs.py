"""A TensorFlow 1 program: placeholders, variables, an optimizer and a session."""

import numpy as np

import pullback.compat.v1 as tf

tf.disable_v2_behavior()


def build(graph: tf.Graph) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Operation]:
    with graph.as_default():
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.placeholder(tf.float32, [None], name="y")
        w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [], initializer=tf.zeros_initializer())
        loss = tf.losses.mean_squared_error(y, tf.squeeze(tf.matmul(x, w), axis=1) + b)
        slopes = tf.gradients(loss, [w, b])
        train = tf.group(w.assign_sub(0.1 * slopes[0]), b.assign_sub(0.1 * slopes[1]))
        assert train is not None
        return x, y, loss, train


def main() -> None:
    graph = tf.Graph()
    x, y, loss, train = build(graph)
    rng = np.random.default_rng(0)
    features = rng.normal(size=(100, 3)).astype(np.float32)
    targets = features @ np.array([1.0, -2.0, 0.5], np.float32) + 3.0
    with tf.Session(graph=graph) as session:
        session.run(graph.get_operation_by_name("init") if "init" in names(graph) else initializer(graph))
        for _ in range(200):
            session.run(train, feed_dict={x: features, y: targets})
        last = session.run(loss, {x: features, y: targets})
        print(float(last) < 1e-3, session.run([loss, x], {x: features, y: targets})[1].shape)


def names(graph: tf.Graph) -> list[str]:
    return [operation.name for operation in graph.get_operations()]


def initializer(graph: tf.Graph) -> tf.Operation:
    with graph.as_default():
        return tf.global_variables_initializer()


if __name__ == "__main__":
    main()
