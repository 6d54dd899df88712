"""GradBench's `kmeans`: the squared distances of points from their nearest centroids, and a step of Newton's method on the centroids."""

from typing import Any

import pullback as tf

from .derivatives import gradient
from .protocol import Function, number, numbers, vector


@tf.function
def cost(points: Any, centroids: Any) -> Any:
    # Which centroid is nearest is piecewise constant in them. The squares of the points are the same for all, and are left out.
    scores = tf.reduce_sum(tf.square(centroids), axis=1) - 2.0 * tf.matmul(points, centroids, transpose_b=True)
    nearest = tf.gather(centroids, tf.argmin(tf.stop_gradient(scores), axis=1))
    return tf.reduce_sum(tf.square(points - nearest))


@tf.function
def direction(points: Any, centroids: Any) -> Any:
    """The gradient over the diagonal of the Hessian. It is diagonal, so its product with ones is that diagonal."""
    slope, push = tf.linearize(lambda c: gradient(lambda c: cost(points, c), c), centroids)
    return slope / push(tf.ones_like(centroids))


def prepare(given: Any) -> tuple[Any, ...]:
    return vector(given["points"]), vector(given["centroids"])


FUNCTIONS = {"cost": Function(prepare, cost, number), "dir": Function(prepare, direction, numbers)}
