"""Logistic regression: the gradient of the losses of all samples is their sum, so it is N times the gradient of the mean."""
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
N = 8
x = tf.constant(rng.standard_normal((N, 3)).astype(np.float32))
labels = tf.constant((rng.uniform(size=(N, 1)) > 0.5).astype(np.float32))
w = tf.Variable(rng.standard_normal((3, 1)).astype(np.float32), name='w')
b = tf.Variable([0.1], name='b')

with tf.GradientTape(persistent=True) as tape:
    logits = tf.matmul(x, w) + b
    xentropy = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)  # one number a sample
    reduced_xentropy = tf.reduce_mean(xentropy)

grads = tape.gradient(xentropy, [w, b])
reduced_grads = tape.gradient(reduced_xentropy, [w, b])
print('per-sample loss:', xentropy.shape, 'reduced loss:', reduced_xentropy.shape)
for name, g, r in zip('wb', grads, reduced_grads):
    print(name, 'per-sample', np.round(g.numpy().ravel(), 5), 'reduced', np.round(r.numpy().ravel(), 5))
    print(name, 'ratio', np.round((g / r).numpy().ravel(), 3))

weighted = tape.gradient(xentropy, w, output_gradients=tf.constant(np.arange(N, dtype=np.float32)[:, None]))
print('weighted by 0, 1, 2, ...:', np.round(weighted.numpy().ravel(), 5))
each = [tape.gradient(xentropy, w, output_gradients=tf.one_hot([i], N, axis=0)) for i in range(N)]
print('the sum of the single ones:', np.round(tf.add_n(each).numpy().ravel(), 5))

lr = 0.5
for step in range(101):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=tf.matmul(x, w) + b))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(lr * dw)
    b.assign_sub(lr * db)
    if step % 25 == 0:
        print('step', step, 'loss %.5f' % loss)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.cast(tf.matmul(x, w) + b > 0, tf.float32), labels), tf.float32))
print('w', np.round(w.numpy().ravel(), 3), 'b', np.round(b.numpy(), 3), 'accuracy', accuracy.numpy())
