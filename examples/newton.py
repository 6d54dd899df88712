"""Newton's method on Rosenbrock's valley in TensorFlow 1: tf.hessians, and the same Hessian times a vector by two gradients."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

x = tf.get_variable('x', initializer=np.array([1.4, 1.5, 2.6]))
head, tail = x[:-1], x[1:]
f = tf.reduce_sum(100.0 * tf.square(tail - tf.square(head)) + tf.square(1.0 - head))
gradient, = tf.gradients(f, x)
hessian, = tf.hessians(f, x)
newton = tf.reshape(tf.linalg.solve(hessian, gradient[:, tf.newaxis]), [-1])
rate = tf.placeholder(tf.float64, [])
update = tf.assign_sub(x, rate * newton)

vector = tf.constant([1.0, -2.0, 0.5], tf.float64)
product, = tf.gradients(tf.tensordot(gradient, tf.stop_gradient(vector), 1), x)
difference = tf.reduce_max(tf.abs(product - tf.linalg.matvec(hessian, vector)))
partial = tf.gradients(f, [head, tail], stop_gradients=[head, tail])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print('gradient', np.round(sess.run(gradient), 4))
    print('hessian', np.round(sess.run(hessian), 3).tolist())
    print('two ways to a product agree:', sess.run(difference) < 1e-9)
    print('partials', [np.round(p, 4).tolist() for p in sess.run(partial)])
    for step in range(12):
        sess.run(update, {rate: 0.5 if step < 3 else 1.0})
        if step % 3 == 2:
            value, position = sess.run([f, x])
            print('step %d f %.6f x %s' % (step + 1, value, np.round(position, 5)))
