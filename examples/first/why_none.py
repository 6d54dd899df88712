"""Why is my gradient None?"""
import pullback as tf

x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x

found = tf.why(y, x, tape)
print(found.code)
print(found.remedy)

# prints:
# not watched
# call tape.watch(x) before the first operation on it, or make it a tf.Variable
