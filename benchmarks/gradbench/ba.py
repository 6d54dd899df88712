"""GradBench's `ba`: the errors of observed points in cameras, and their Jacobian, a sparse matrix.

An observation's two errors depend on 15 numbers: its camera's 11, its point's 3 and its weight. They are gathered once, to a row each, and
one pullback for each error gives the blocks of all observations.
"""

from typing import Any

import pullback as tf

from .protocol import Function, vector

CAMERA = 11
BLOCK = CAMERA + 3 + 1


def _dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Any, b: Any) -> tuple[Any, Any, Any]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _rotated(rotation: Any, x: Any) -> list[Any]:
    """x turned about `rotation` by as much as that is long (Rodrigues); to first order where it is nought."""
    squares = _dot(rotation, rotation)
    turns = squares > 0.0
    angle = tf.sqrt(tf.where(turns, squares, 1.0))
    cos, sin = tf.cos(angle), tf.sin(angle)
    axis = [r / angle for r in rotation]
    along = _dot(axis, x) * (1.0 - cos)
    exact = [p * cos + c * sin + a * along for p, c, a in zip(x, _cross(axis, x), axis, strict=True)]
    near = [p + c for p, c in zip(x, _cross(rotation, x), strict=True)]
    return [tf.where(turns, e, n) for e, n in zip(exact, near, strict=True)]


def _errors(parameters: Any, seen: Any) -> tuple[Any, Any]:
    """The two errors of each observation from its row of `parameters` and where it was seen."""
    r1, r2, r3, c1, c2, c3, focal, u0, v0, k1, k2, x1, x2, x3, w = tf.unstack(parameters, axis=1)
    y1, y2, y3 = _rotated([r1, r2, r3], [x1 - c1, x2 - c2, x3 - c3])
    p1, p2 = y1 / y3, y2 / y3
    squares = p1 * p1 + p2 * p2
    distorted = focal * (1.0 + squares * (k1 + k2 * squares))
    return w * (p1 * distorted + u0 - seen[:, 0]), w * (p2 * distorted + v0 - seen[:, 1])


def _gathered(cameras: Any, points: Any, weights: Any, observed: Any) -> Any:
    return tf.concat([tf.gather(cameras, observed[0]), tf.gather(points, observed[1]), weights[:, tf.newaxis]], 1)


@tf.function
def errors(cameras: Any, points: Any, weights: Any, observed: Any, seen: Any) -> tuple[Any, Any]:
    """cameras [n, 11]; points [m, 3]; weights [p]; observed [2, p]: cameras' and points' indices; seen [p, 2]."""
    return tf.stack(_errors(_gathered(cameras, points, weights, observed), seen), 1), 1.0 - tf.square(weights)


@tf.function
def jacobian(
    cameras: Any, points: Any, weights: Any, observed: Any, seen: Any
) -> tuple[Any, Any, Any]:
    """Rows' starts, columns and values of a matrix of 3 p rows: two for each observation, then one for each weight's own error."""
    n, m, p = cameras.shape[0], points.shape[0], weights.shape[0]
    parameters = _gathered(cameras, points, weights, observed)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([parameters, weights])
        found = _errors(parameters, seen)
        own = 1.0 - tf.square(weights)
    blocks = tf.stack([tape.gradient(error, parameters) for error in found], 1)
    values = tf.concat([tf.reshape(blocks, [-1]), tape.gradient(own, weights)], 0)

    places = tf.range(CAMERA * n + 3 * m, CAMERA * n + 3 * m + p)[:, tf.newaxis]
    block = tf.concat(
        [
            CAMERA * observed[0][:, tf.newaxis] + tf.range(CAMERA),
            CAMERA * n + 3 * observed[1][:, tf.newaxis] + tf.range(3),
            places,
        ],
        1,
    )
    columns = tf.concat([tf.reshape(tf.stack([block, block], 1), [-1]), places[:, 0]], 0)
    rows = tf.concat([BLOCK * tf.range(2 * p + 1), 2 * BLOCK * p + 1 + tf.range(p)], 0)
    return rows, columns, values


def prepare(given: Any) -> tuple[Any, ...]:
    n, m, p = given["n"], given["m"], given["p"]
    i = tf.range(p)
    return (
        tf.repeat(vector([given["cam"]]), n, axis=0),
        tf.repeat(vector([given["x"]]), m, axis=0),
        tf.fill([p], vector(given["w"])),
        tf.stack([i % n, i % m]),
        tf.repeat(vector([given["feat"]]), p, axis=0),
    )


def _errors_output(found: Any) -> dict[str, Any]:
    reprojection, own = (tensor.numpy() for tensor in found)
    return {
        "reproj_error": {"elements": reprojection[0].tolist(), "repeated": len(reprojection)},
        "w_err": {"element": float(own[0]), "repeated": len(own)},
    }


def _jacobian_output(found: Any) -> dict[str, Any]:
    """All observations are alike, so the first two rows and the last element are sent."""
    sent = {}
    for name, tensor in zip(("rows", "cols", "vals"), found, strict=True):
        sent[name] = tensor[: 2 * BLOCK].numpy().tolist() + tensor[-1:].numpy().tolist()
    return sent


FUNCTIONS = {"objective": Function(prepare, errors, _errors_output), "jacobian": Function(prepare, jacobian, _jacobian_output)}
