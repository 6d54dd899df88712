"""A program in TensorFlow 1: a placeholder, a graph, a session."""
import pullback.compat.v1 as tf

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", initializer=2.0)
loss = tf.reduce_sum(w * x ** 2)
gradients = tf.gradients(loss, [x, w])
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    of_x, of_w = session.run(gradients, {x: [1.0, 3.0]})
    print(of_x.tolist(), of_w)
    session.run(step, {x: [1.0, 3.0]})
    print(session.run(w))

# prints:
# [4.0, 12.0] 10.0
# 1.0
