# %% [markdown]
"""
# Run TensorFlow 1

Graphs, placeholders and sessions are in `pullback.compat.v1`. A program that says `import tensorflow as tf` runs unchanged with
`pullback run program.py`.
"""

# %%
import pullback.compat.v1 as tf

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [None])
w = tf.get_variable("w", initializer=2.0)
loss = tf.reduce_sum(w * x**2)
gradients = tf.gradients(loss, [x, w])
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

# %% [markdown]
"""
So far there is a graph and no number. A session runs it, with a value for the placeholder.
"""

# %%
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    of_x, of_w = session.run(gradients, {x: [1.0, 3.0]})
    session.run(step, {x: [1.0, 3.0]})
    after = session.run(w)
print(of_x, of_w)
print("w after a step:", after)

# %% tags=["check"]
assert of_x.tolist() == [4.0, 12.0] and of_w == 10.0 and after == 1.0
