"""The programs: a function of `tf` and of tensors, told their shapes; its gradient is taken by those whose shape comes first.

Numbers are normal and in single precision, by seed; "d" stands for double precision, "<1000" for whole numbers below 1,000.
"""

from collections.abc import Callable
from functools import reduce
from typing import Any

Shape = tuple[Any, ...]
Program = Callable[..., Any]

PROGRAMS: dict[str, tuple[Program, tuple[Shape, ...]]] = {}


def program(*shapes: Shape) -> Callable[[Program], Program]:
    """Note a program and the shapes of what it is given, their kind last where that is not float32."""

    def note(function: Program) -> Program:
        PROGRAMS[function.__name__.replace("_", " ")] = function, shapes
        return function

    return note


# ---- points, rotations, states


@program((300, 3, "d"))
def distances_of_pairs(tf: Any, x: Any) -> Any:
    return tf.sqrt(tf.reduce_sum((x[:, None] - x[None]) ** 2, -1) + 1.0)


@program((200, 3, "d"))
def lennard_jones(tf: Any, x: Any) -> Any:
    squares = tf.reduce_sum((x[:, None] - x[None]) ** 2, -1) + 1.0
    return tf.linalg.band_part((1.0 / squares) ** 6 - (1.0 / squares) ** 3, 0, -1)


@program((4000, 3, "d"))
def lengths_of_rows(tf: Any, x: Any) -> Any:
    return tf.sqrt(x[:, 0] ** 2 + x[:, 1] ** 2 + x[:, 2] ** 2)


@program((4000, 3), (4000, 3))
def cross_product(tf: Any, a: Any, b: Any) -> Any:
    (x, y, z), (u, v, w) = tf.unstack(a, axis=1), tf.unstack(b, axis=1)
    return tf.stack([y * w - z * v, z * u - x * w, x * v - y * u], 1)


@program((3000, "d"), (3000, 2, "d"))
def rotations_of_points(tf: Any, angles: Any, points: Any) -> Any:
    sin, cos = tf.sin(angles), tf.cos(angles)
    return tf.einsum("nij,nj->ni", tf.stack([tf.stack([cos, -sin], 1), tf.stack([sin, cos], 1)], 1), points)


@program((1000, 2, "d"))
def lotka_volterra_by_runge_kutta(tf: Any, state: Any) -> Any:
    def rate(y: Any) -> Any:
        return tf.stack([y[:, 0] * (1.0 - y[:, 1]), y[:, 1] * (y[:, 0] - 1.0)], 1)

    def step(y: Any, _: int) -> Any:
        first = rate(y)
        second = rate(y + 0.025 * first)
        third = rate(y + 0.025 * second)
        return y + 0.05 / 6.0 * (first + 2.0 * (second + third) + rate(y + 0.05 * third))

    return reduce(step, range(8), state)


@program((1000, 3, "d"), (3000, 2, "<1000"))
def springs_between_points(tf: Any, x: Any, edges: Any) -> Any:
    apart = tf.gather(x, edges[:, 0]) - tf.gather(x, edges[:, 1])
    return (tf.sqrt(tf.reduce_sum(apart * apart, 1) + 0.01) - 1.0) ** 2


# ---- matrices


@program((2000, 3, 3, "d"))
def inverses_of_3_by_3(tf: Any, m: Any) -> Any:
    return tf.linalg.inv(m + 5.0 * tf.eye(3, dtype=m.dtype))


@program((5000, 4, 4, "d"), (5000, 4, 4, "d"))
def products_of_4_by_4(tf: Any, a: Any, b: Any) -> Any:
    return tf.sin(tf.matmul(a, b))


@program((64, 20), (20, 10, 20), (64, 20))
def bilinear_form(tf: Any, a: Any, w: Any, b: Any) -> Any:
    return tf.einsum("bi,ijk,bk->bj", a, w, b)


@program((600, 600))
def matrix_and_its_transpose(tf: Any, x: Any) -> Any:
    return tf.tanh(x + tf.transpose(x))


@program((100, 100))
def sinkhorn(tf: Any, cost: Any) -> Any:
    kernel = tf.exp(-cost * cost)

    def step(u: Any, _: int) -> Any:
        return 1.0 / (tf.linalg.matvec(kernel, 1.0 / (tf.linalg.matvec(kernel, u, transpose_a=True) + 1e-6)) + 1e-6)

    return reduce(step, range(10), tf.ones([100]))


@program((60, 60, "d"))
def log_determinant_by_cholesky(tf: Any, a: Any) -> Any:
    factor = tf.linalg.cholesky(tf.matmul(a, a, transpose_b=True) + 60.0 * tf.eye(60, dtype=a.dtype))
    return tf.math.log(tf.linalg.diag_part(factor))


# ---- statistics


@program((6, 5), (2000, 5))
def mixture_of_gaussians(tf: Any, means: Any, x: Any) -> Any:
    return tf.reduce_logsumexp(-0.5 * tf.reduce_sum((x[:, None] - means[None]) ** 2, -1), 1)


@program((8, 4), (2000, 4))
def nearest_centre(tf: Any, centres: Any, x: Any) -> Any:
    return tf.reduce_min(tf.reduce_sum((x[:, None] - centres[None]) ** 2, -1), 1)


@program((2000, 50))
def asian_option(tf: Any, draws: Any) -> Any:
    return tf.nn.relu(tf.reduce_mean(tf.exp(tf.cumsum(0.2 * draws - 0.02, 1)), 1) - 1.0)


@program((1000, 16), (16, 16), (3000, 2, "<1000"))
def message_passing(tf: Any, nodes: Any, w: Any, edges: Any) -> Any:
    sent = tf.nn.relu(tf.gather(nodes, edges[:, 0]) @ w)
    return tf.tanh(tf.math.unsorted_segment_sum(sent, edges[:, 1], 1000))


@program((1000, 32), (64, 20, "<1000"))
def mean_of_embeddings(tf: Any, table: Any, words: Any) -> Any:
    return tf.tanh(tf.reduce_mean(tf.gather(table, words), 1))


@program((1000, 100), (1000, 100))
def softmax_cross_entropy(tf: Any, logits: Any, labels: Any) -> Any:
    return tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(labels), logits=logits)


# ---- arrays and images


@program((100, 100))
def heat_equation_in_ten_steps(tf: Any, u: Any) -> Any:
    def step(v: Any, _: int) -> Any:
        around = tf.pad(v, [[1, 1], [1, 1]])
        return v + 0.1 * (around[2:, 1:-1] + around[:-2, 1:-1] + around[1:-1, 2:] + around[1:-1, :-2] - 4.0 * v)

    return reduce(step, range(10), u)


@program((4, 128, 128))
def total_variation(tf: Any, x: Any) -> Any:
    return tf.reduce_sum(tf.abs(x[:, 1:] - x[:, :-1])) + tf.reduce_sum(tf.abs(x[:, :, 1:] - x[:, :, :-1]))


@program((4, 64, 64, 3), (3, 3))
def colours_by_a_matrix(tf: Any, images: Any, m: Any) -> Any:
    return tf.tanh(tf.tensordot(images, m, 1))


@program((8, 48, 48, 3))
def images_normalised(tf: Any, images: Any) -> Any:
    mean, variance = tf.nn.moments(images, [1, 2], keepdims=True)
    return ((images - mean) * tf.math.rsqrt(variance + 1e-3)) ** 3


@program((3, 3, 3, 16), (4, 32, 32, 3))
def convolution(tf: Any, w: Any, images: Any) -> Any:
    return tf.nn.relu(tf.nn.conv2d(images, w, 1, "SAME"))


@program((64, 200))
def discounted_returns(tf: Any, rewards: Any) -> Any:
    return tf.cumsum(rewards * tf.pow(0.99, tf.range(200.0)), 1, reverse=True)


# ---- networks


@program((2, 64), (64, 64), (64, 1), (1000, 2))
def sine_network(tf: Any, a: Any, b: Any, c: Any, x: Any) -> Any:
    return tf.matmul(tf.sin(tf.matmul(tf.sin(tf.matmul(x, a)), b)), c)


@program((64, 192), (8, 32, 64))
def attention(tf: Any, w: Any, x: Any) -> Any:
    split = tf.reshape(x @ w, [8, 32, 3, 4, 16])
    queries, keys, values = (tf.transpose(split[:, :, i], [0, 2, 1, 3]) for i in range(3))
    return tf.matmul(tf.nn.softmax(tf.matmul(queries, keys, transpose_b=True)), values)


@program((128, 256), (32, 64), (32, 64), (32, 64))
def lstm_cell(tf: Any, w: Any, x: Any, h: Any, kept: Any) -> Any:
    enter, forget, leave, new = tf.split(tf.concat([x, h], 1) @ w, 4, 1)
    return tf.sigmoid(leave) * tf.tanh(tf.sigmoid(forget) * kept + tf.sigmoid(enter) * tf.tanh(new))


@program((128, 64), (128, 64))
def contrastive_loss(tf: Any, a: Any, b: Any) -> Any:
    logits = tf.matmul(tf.nn.l2_normalize(a, 1), tf.nn.l2_normalize(b, 1), transpose_b=True) / 0.1
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.range(128), logits=logits)


@program((512, 256))
def layer_normalisation(tf: Any, x: Any) -> Any:
    mean, variance = tf.nn.moments(x, [1], keepdims=True)
    return ((x - mean) * tf.math.rsqrt(variance + 1e-5)) ** 3
