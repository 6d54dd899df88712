# %% [markdown]
"""
# The NaN hunt

A loss becomes NaN, and nobody knows where it began. This page takes five programs that do so, lets Pullback find the place, and mends them.

## One call

`tf.trace_nans` looks at every operation in its block, forward and backward. It stops at the first one whose inputs are finite and whose
result is not. With `raises=False` the program goes on, and `found` says what there was.
"""

# %%
import pullback as tf


def hunt(function, *point):
    x = [tf.Variable(part) for part in point]
    with tf.trace_nans(raises=False) as trace:
        with tf.GradientTape() as tape:
            y = function(*x)
        gradient = tape.gradient(y, x)
    print("gradient", [g.numpy().tolist() for g in gradient])
    if trace.found:
        print("forward" if not trace.found.backward else "backward", trace.found.operation, trace.found.kind)
        print("Instead:", trace.found.remedy)
    return trace.found, gradient


found, _ = hunt(lambda x: tf.reduce_sum(tf.sqrt(x)), [4.0, 0.0])
# %% [markdown]
"""
The value is fine: the square root of 0 is 0. The *slope* there is infinite.

## `tf.where` does not protect

Only one branch is chosen, but both are computed, and the gradient visits both. The other one gets a zero, and zero times infinity is NaN.
"""

# %%


def guarded_too_late(x):
    return tf.reduce_sum(tf.where(x > 0.0, tf.math.log(x), 0.0))


def guarded_before(x):
    positive = x > 0.0
    return tf.reduce_sum(tf.where(positive, tf.math.log(tf.where(positive, x, 1.0)), 0.0))


late, gradient_late = hunt(guarded_too_late, [4.0, 0.0])
before, gradient_before = hunt(guarded_before, [4.0, 0.0])

# %% [markdown]
"""
The remedy is a second `tf.where`, around what goes *in*.

## Norms

A norm has a corner at zero. `tf.safe_norm` takes the slope zero there.
"""

# %%
of_norm, _ = hunt(lambda x: tf.norm(x), [0.0, 0.0])
_, safe = hunt(lambda x: tf.safe_norm(x), [0.0, 0.0])

# %% [markdown]
"""
## A softmax by hand

The exponential of a hundred is infinite in float32. Libraries subtract the largest element first.
"""

# %%


def by_hand(x):
    return tf.math.log(tf.exp(x[0]) / tf.reduce_sum(tf.exp(x)))


of_softmax, _ = hunt(by_hand, [100.0, 0.0])
_, good = hunt(lambda x: tf.nn.log_softmax(x)[0], [100.0, 0.0])

# %% [markdown]
"""
## Zero over zero

`tf.math.divide_no_nan` is zero where the denominator is, and so is its gradient.
"""

# %%
of_quotient, _ = hunt(lambda a, b: tf.reduce_sum(a / b), [1.0, 0.0], [2.0, 0.0])
_, quotient = hunt(lambda a, b: tf.reduce_sum(tf.math.divide_no_nan(a, b)), [1.0, 0.0], [2.0, 0.0])

# %% [markdown]
"""
## After the fact

There is a NaN in a gradient that you have already, and no block around the program. Ask the tape, which knows how it was computed. In a
notebook the answer draws itself: forward from left to right, the gradient back below it, in red where it ends.
"""

# %%
x = tf.Variable([4.0, 0.0])
with tf.GradientTape(persistent=True) as tape:
    y = guarded_too_late(x)
answer = tf.why(y, x, tape)
print(answer)

# %%
answer

# %% [markdown]
"""
## A whole program

`pullback run --trace-nans program.py` needs no change to it, whichever version of TensorFlow it was written for.
"""

# %% tags=["check"]
import math

assert found.operation == "Sqrt" and found.backward and late is not None and of_norm.backward
assert before is None and [float(g) for g in gradient_before[0]] == [0.25, 0.0]
assert math.isnan(float(gradient_late[0][1]))
assert safe[0].numpy().tolist() == [0.0, 0.0]
assert not of_softmax.backward and of_softmax.operation == "Exp"
assert quotient[0].numpy().tolist() == [0.5, 0.0]
assert answer.code == "not finite"
