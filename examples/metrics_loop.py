"""A training loop of one's own: a tape in a tf.function, an optimizer with a schedule, metrics, weight decay by hand, early stopping."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(11)
rng = np.random.default_rng(1)
x = rng.uniform(-2, 2, (320, 2)).astype("float32")
y = (x[:, 0] * x[:, 1] > 0).astype("float32")[:, None]
train = tf.data.Dataset.from_tensor_slices((x[:256], y[:256])).batch(32)
check = tf.data.Dataset.from_tensor_slices((x[256:], y[256:])).batch(32)

hidden = [keras.layers.Dense(16, activation="swish") for _ in range(2)]
model = keras.Sequential([keras.Input((2,)), *hidden, keras.layers.Dense(1)])
loss_of = keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam(keras.optimizers.schedules.CosineDecay(0.03, 120))
loss_mean, accuracy, auc = keras.metrics.Mean(), keras.metrics.BinaryAccuracy(threshold=0.0), keras.metrics.AUC(from_logits=True)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_of(y, logits) + 1e-3 * tf.add_n([tf.nn.l2_loss(v) for v in model.trainable_variables if len(v.shape) == 2])
    gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    loss_mean.update_state(loss)
    accuracy.update_state(y, logits)
    return norm


best, waited = np.inf, 0
for epoch in range(15):
    for metric in (loss_mean, accuracy, auc):
        metric.reset_state()
    for xs, ys in train:
        norm = step(xs, ys)
    total = 0.0
    for xs, ys in check:
        logits = model(xs, training=False)
        auc.update_state(ys, logits)
        total += float(loss_of(ys, logits)) / 2
    if epoch % 3 == 0:
        print(f"epoch {epoch}: loss {loss_mean.result():.3f}, accuracy {accuracy.result():.2f}, norm {norm:.2f}")
        print(f"    check {total:.3f}, AUC {auc.result():.2f}")
    best, waited = (total, 0) if total < best else (best, waited + 1)
    if waited == 3:
        break
print(f"best {best:.3f} after {int(optimizer.iterations)} steps")
