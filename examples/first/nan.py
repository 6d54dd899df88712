"""Where does the NaN begin, and what to write instead."""
import pullback as tf

x = tf.Variable([0.0, 0.0])

try:
    with tf.trace_nans():
        with tf.GradientTape() as tape:
            length = tf.norm(x)
        tape.gradient(length, x)
except tf.errors.InvalidArgumentError as error:
    print(error.message.rpartition("Instead: ")[2])

with tf.GradientTape() as tape:
    length = tf.safe_norm(x)
print(tape.gradient(length, x).numpy().tolist())

# prints:
# the slope of a norm is not defined at 0: use pullback.safe_norm, or tf.sqrt(tf.reduce_sum(x * x) + 1e-12).
# [0.0, 0.0]
