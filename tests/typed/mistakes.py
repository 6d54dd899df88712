"""Mistakes that both type checkers refuse, each on a line marked so.  Nobody runs this."""

from collections.abc import Callable
from dataclasses import dataclass

import pullback as tf
import pullback.compat.v1 as tf1


@dataclass
class Line:
    slope: tf.Tensor
    start: tf.Tensor


x = tf.constant([1.0, 2.0])
w, b = tf.Variable(1.0), tf.Variable(0.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.reduce_sum(w * x + b)

# Wrong names.
tf.reduce_summ(x)  # refused
tf1.reduce_summ(x)  # refused
tf.nn.reluu(x)  # refused
tf.linalg.hessian(x)  # refused
tf.placeholder(tf.float32)  # refused
tf.reduce_sum(x, keep_dims=True)  # refused
tf.reduce_sum(x, dim=0)  # refused
x.nummpy()  # refused
x.reshape([2, 1])  # refused
w.asign(2.0)  # refused
w.trainables  # refused
tape.gradients(y, w)  # refused
tf.float23  # refused

# Wrong arguments.
tf.sin()  # refused
tf.sin(x, x, x)  # refused
tf.sin(None)  # refused
tf.sin(tf.cos)  # refused
tf.matmul(x)  # refused
tf.matmul(x, None)  # refused
tf.matmul(x, x, transpose_a="yes")  # refused
tf.reduce_sum(object())  # refused
tf.reduce_sum(x, axis="0")  # refused
tf.reduce_sum(x, axis=0.5)  # refused
tf.reshape(x, "ab")  # refused
tf.cast(x, 0.5)  # refused
tf.concat(x, axis="rows")  # refused
tf.zeros(None)  # refused
tf.constant(print)  # refused
tf.stack({"a": x})  # refused
w.assign(None)  # refused
w.assign_sub(tf.sin)  # refused
x + None  # refused
x @ tf.sin  # refused
tape.gradient(y, 3.0)  # refused
tape.gradient(y, "w")  # refused
tape.gradient(y)  # refused
tape.gradient(y, w, unconnected_gradients="zeros")  # refused
tape.gradient(y, [w, "b"])  # refused
tf.hessian(x, 3.0, 2.0)  # refused
tf.value_and_gradient(lambda p: 3, x)  # refused
tf.hvp(lambda p: tf.reduce_sum(p), x)  # refused

# Wrong results.
text: str = tf.sin(x)  # refused
number: int = tf.reduce_sum(x)  # refused
pair: tuple[tf.Tensor, tf.Tensor] = tf.linalg.svd(x)  # refused
triple: tuple[tf.Tensor, tf.Tensor, tf.Tensor] = tf.linalg.svd(x, compute_uv=False)  # refused
listed: list[tf.Tensor] = tf.stack([x, x])  # refused
single: tf.Tensor = tf.unstack(x)  # refused
variable: tf.Variable = w + 1.0  # refused
shape: list[int] = x.shape  # refused
dtype: str = x.dtype  # refused
gradient: str = tape.gradient(y, w)  # refused
lines: list[tf.Tensor] = tape.gradient(y, Line(x, x))  # refused
value: tf.Tensor = tf.value_and_gradient(tf.reduce_sum, x)  # refused
by_name: list[tf.Tensor] = tape.gradient(y, {"w": w, "b": b})  # refused
tf.sin(x).values  # refused
tf.math.top_k(x).value  # refused
tf.cast(x, tf.float64).indices  # refused

# Wrong numbers of gradients.
one, two, three = tape.gradient(y, (w, b))  # refused
(only,) = tape.gradient(y, (w, b))  # refused
loss, slope, more = tf.value_and_gradient(tf.reduce_sum, x)  # refused
q, r, s = tf.linalg.qr(x)  # refused


# Functions under decorators.
@tf.function
def scaled(x: tf.Tensor, by: float = 2.0) -> tf.Tensor:
    return by * x


@tf.custom_gradient
def clipped(x: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    return x, lambda g: tf.clip_by_value(g, -1.0, 1.0)


@tf.custom_gradient  # refused
def alone(x: tf.Tensor) -> tf.Tensor:
    return x


scaled()  # refused
scaled(x, "2")  # refused
scaled(x, times=2.0)  # refused
scaled(x).nummpy()  # refused
clipped()  # refused
clipped(x, x)  # refused
clipped("x")  # refused
pairs: tuple[tf.Tensor, tf.Tensor] = clipped(x)  # refused
tf.function(scaled, jitcompile=True)  # refused
tf.recompute_grad(scaled)()  # refused

# Graphs, variables and data.
tf1.Session().run()  # refused
tf1.gradients(x)  # refused
tf.GradientTape(persistant=True)  # refused
tf.Variable(1.0, trainable="no")  # refused
tf.data.Dataset.from_tensor_slices(x).bach(2)  # refused
tf.cond(True, x, x)  # refused
