"""A training loop with an optimizer, metrics and a dataset, after the guide."""

import numpy as np

import pullback as tf


def make(n: int) -> tf.data.Dataset[tuple[tf.Tensor, tf.Tensor]]:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 4)).astype(np.float32)
    y = (x.sum(axis=1) > 0).astype(np.int32)
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(buffer_size=n).batch(8, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class MLP(tf.Module):
    def __init__(self, units: tuple[int, ...]) -> None:
        super().__init__()
        self.weights = [tf.Variable(tf.random.stateless_normal([a, b], seed=[a, b]) / np.sqrt(a)) for a, b in zip(units, units[1:])]
        self.biases = [tf.Variable(tf.zeros([b])) for b in units[1:]]

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        for i, (w, b) in enumerate(zip(self.weights, self.biases)):
            x = tf.matmul(x, w) + b
            if i < len(self.weights) - 1:
                x = tf.nn.gelu(x)
        return x


model = MLP((4, 8, 2))
opt = tf.compat.v1.train.AdamOptimizer(0.01)
losses: list[float] = []
train, val = make(64), make(16)


@tf.function(jit_compile=True)
def step(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    with tf.GradientTape() as tape:
        logits = model(x)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        loss = tf.reduce_mean(ce) + 1e-4 * tf.add_n([tf.nn.l2_loss(w) for w in model.weights])
    grads = tape.gradient(loss, model.trainable_variables)
    clipped, _ = tf.clip_by_global_norm(grads, 5.0)
    opt.apply_gradients(zip(clipped, model.trainable_variables))
    return loss


for epoch in range(2):
    for i, (x, y) in enumerate(train):
        loss = step(x, y)
        if i % 4 == 0:
            print(f"{epoch} {i} {loss:.3f} {loss.numpy():.3f} {float(loss)}")
        losses.append(float(loss))
    correct = [tf.equal(tf.argmax(model(x), -1, output_type=tf.int32), y) for x, y in val]
    acc = tf.reduce_mean(tf.cast(tf.concat(correct, 0), tf.float32))
    tf.debugging.assert_all_finite(acc, "accuracy")
    tf.debugging.assert_greater(acc, -1.0)
print(np.mean(losses), max(losses), tf.constant(losses))
