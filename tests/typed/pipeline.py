"""A pipeline of data into linear algebra: least squares by batches, and by a decomposition."""

import pullback as tf


def batches(features: tf.Tensor, targets: tf.Tensor, size: int) -> tf.data.Dataset:
    whole = tf.data.Dataset.from_tensor_slices((features, targets))
    return whole.shuffle(64, seed=1).batch(size, drop_remainder=True).repeat(2)


def normal_equations(data: tf.data.Dataset, width: int) -> tf.Tensor:
    gram, moment = tf.zeros([width, width]), tf.zeros([width, 1])
    for x, y in data:
        gram += tf.matmul(x, x, transpose_a=True)
        moment += tf.matmul(x, y[:, tf.newaxis], transpose_a=True)
    return tf.linalg.cholesky_solve(tf.linalg.cholesky(gram), moment)[:, 0]


def main() -> None:
    features = tf.random.stateless_normal([64, 3], seed=[3, 4])
    weights = tf.constant([1.0, -2.0, 0.5])
    targets = tf.linalg.matvec(features, weights)
    print(normal_equations(batches(features, targets, 16), 3).numpy().round(3).tolist())
    s, u, v = tf.linalg.svd(features)
    again = tf.linalg.matvec(v, tf.linalg.matvec(u, targets, transpose_a=True) / s)
    print(again.numpy().round(3).tolist(), float(tf.linalg.svd(features, compute_uv=False)[0]) > 1.0)
    q, r = tf.linalg.qr(features)
    values, indices = tf.math.top_k(tf.abs(tf.linalg.diag_part(r)), k=2)
    print(q.shape.as_list(), values.shape.as_list(), indices.dtype.name)
    parts = tf.split(features, 4, axis=0)
    total = tf.add_n([tf.reduce_sum(part) for part in parts])
    print(bool(abs(total - tf.reduce_sum(features)) < 1e-4), tf.unstack(weights)[1].numpy().item())


if __name__ == "__main__":
    main()
