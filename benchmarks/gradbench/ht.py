"""GradBench's `ht`: how far a posed hand is from measured points, and the Jacobian of the differences.

A pose has 26 parameters and thousands of differences, so the Jacobian is taken forwards. Poses are batched: what depends on the pose has
an axis for it, first while bones are posed, last from then on, so that the skin of all poses is one matrix product and the columns of the
Jacobian lie as they are sent.
"""

from typing import Any, NamedTuple

import numpy as np

import pullback as tf

from .protocol import Function, vector

PARAMETERS = 26
FINGERS = 5
JOINTS = 4  # bones of a finger; the first of them is not turned


class Hand(NamedTuple):
    """relatives, inverses [bones, 4, 4]; vertices [v, 4], homogeneous; weights [v, bones]; points [p, 3].

    corners: the indices [p] of each point's vertex, or of the three of its triangle.
    """

    relatives: Any
    inverses: Any
    vertices: Any
    weights: Any
    points: Any
    corners: tuple[Any, ...]


def _angles(bones: int) -> Any:
    """For each bone, which parameters bend and spread it; one past the last where none does."""
    table = np.full((2, bones), PARAMETERS, np.int32)
    for finger in range(FINGERS):
        bone, parameter = 2 + JOINTS * finger, 6 + 4 * finger
        table[0, bone : bone + 3] = parameter, parameter + 2, parameter + 3
        table[1, bone] = parameter + 1
    return table


def _matrix(rows: list[list[Any]]) -> Any:
    """Tensors of one shape, as matrices along two more axes."""
    return tf.stack([tf.stack(row, -1) for row in rows], -2)


def _turned(theta: Any, bones: int) -> Any:
    """Each bone's own turn [poses, bones, 4, 4]: bent about x, then spread about z."""
    padded = tf.pad(theta, [[0, 0], [0, 1]])
    bend, spread = (tf.gather(padded, table, axis=1) for table in _angles(bones))
    (sx, cx), (sz, cz) = ((tf.sin(angle), tf.cos(angle)) for angle in (bend, spread))
    nought, one = tf.zeros_like(sx), tf.ones_like(sx)
    return _matrix([[cz, -sz * cx, sz * sx, nought], [sz, cz * cx, -cz * sx, nought], [nought, sx, cx, nought], [nought] * 3 + [one]])


def _chained(relatives: Any, parents: tuple[int, ...]) -> Any:
    """From each bone to the hand [poses, bones, 4, 4], by generations: all bones with as many ancestors at once."""
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    generation = [b for b, depth in enumerate(depths) if depth == 0]
    order, done = list(generation), [tf.gather(relatives, generation, axis=1)]
    for depth in range(1, max(depths) + 1):
        children = [b for b, own in enumerate(depths) if own == depth]
        above = tf.gather(done[-1], [generation.index(parents[b]) for b in children], axis=1)
        done.append(tf.matmul(above, tf.gather(relatives, children, axis=1)))
        generation = children
        order += children
    return tf.gather(tf.concat(done, 1), np.argsort(order), axis=1)


def _rotation(axis: Any) -> Any:
    """The rotation about each `axis` [poses, 3] by as much as that is long; none where it is very short."""
    squares = tf.reduce_sum(tf.square(axis), axis=1)
    turns = squares >= 1e-8
    angle = tf.sqrt(tf.where(turns, squares, 1.0))
    x, y, z = tf.unstack(axis / angle[:, tf.newaxis], axis=1)
    s, c = tf.sin(angle), tf.cos(angle)
    xy, xz, yz = x * y * (1.0 - c), x * z * (1.0 - c), y * z * (1.0 - c)
    rotation = _matrix(
        [
            [x * x + (1.0 - x * x) * c, xy - z * s, xz + y * s],
            [xy + z * s, y * y + (1.0 - y * y) * c, yz - x * s],
            [xz - y * s, yz + x * s, z * z + (1.0 - z * z) * c],
        ]
    )
    return tf.where(turns[:, tf.newaxis, tf.newaxis], rotation, tf.eye(3, dtype=axis.dtype))


def _transforms(theta: Any, hand: Hand, parents: tuple[int, ...], mirrored: bool) -> Any:
    """How each bone moves a homogeneous vertex: [bones * 4, 3 * poses]."""
    relatives = tf.matmul(hand.relatives, _turned(theta, len(parents)))
    moved = tf.matmul(_chained(relatives, parents), hand.inverses)[:, :, :3]
    world = _rotation(theta[:, :3])
    if mirrored:
        world *= tf.constant([-1.0, 1.0, 1.0], theta.dtype)
    return tf.reshape(tf.transpose(tf.matmul(world[:, tf.newaxis], moved), [1, 3, 2, 0]), [4 * len(parents), -1])


def _skin(vertices: Any, weights: Any, transforms: Any) -> Any:
    """Where vertices are in each pose: [v, 3, poses]."""
    count, bones = weights.shape
    spread = tf.reshape(weights[:, :, tf.newaxis] * vertices[:, tf.newaxis], [count, bones * 4])
    return tf.reshape(tf.matmul(spread, transforms), [count, 3, -1])


def differences(theta: Any, us: Any, hand: Hand, parents: tuple[int, ...], mirrored: bool) -> Any:
    """From the hand to each point: [p, 3, poses].  theta [poses, 26]; us [p, 2, poses], or None where a point belongs to a vertex."""
    transforms = _transforms(theta, hand, parents, mirrored)
    count, used = hand.vertices.shape[0], len(hand.corners) * hand.points.shape[0]
    if used < count:
        corners = [_skin(tf.gather(hand.vertices, c), tf.gather(hand.weights, c), transforms) for c in hand.corners]
    else:
        skin = _skin(hand.vertices, hand.weights, transforms)
        corners = [tf.gather(skin, c) for c in hand.corners]
    if us is None:
        (place,) = corners
    else:
        u, v = us[:, 0:1], us[:, 1:2]
        place = u * corners[0] + v * corners[1] + (1.0 - u - v) * corners[2]
    return hand.points[:, :, tf.newaxis] - (place + tf.transpose(theta[:, 3:6]))


def _arguments(tensors: Any) -> Hand:
    relatives, inverses, vertices, weights, points, *corners = tensors
    return Hand(relatives, inverses, vertices, weights, points, tuple(corners))


@tf.function
def objective(theta: Any, us: Any, parents: tuple[int, ...], mirrored: bool, *hand: Any) -> Any:
    pose, place = theta[tf.newaxis], None if us is None else us[:, :, tf.newaxis]
    return tf.reshape(differences(pose, place, _arguments(hand), parents, mirrored), [-1])


@tf.function
def jacobian(theta: Any, us: Any, parents: tuple[int, ...], mirrored: bool, *hand: Any) -> Any:
    """Three rows for each point. Columns: where on its triangle the point is, if that varies, then the pose."""
    arguments, pose, place = _arguments(hand), theta[tf.newaxis], None if us is None else us[:, :, tf.newaxis]
    every = tf.eye(PARAMETERS, dtype=theta.dtype)
    columns = [tf.jvp(lambda t: differences(t, place, arguments, parents, mirrored), pose + tf.zeros_like(every), every)[1]]
    if place is not None:
        either = tf.eye(2, dtype=theta.dtype)
        along = tf.zeros_like(place) + either
        columns.insert(0, tf.jvp(lambda u: differences(pose, u, arguments, parents, mirrored), tf.zeros_like(along) + place, along)[1])
    found = tf.concat(columns, 2)
    return tf.reshape(found, [-1, found.shape[2]])


def prepare(given: Any) -> tuple[Any, ...]:
    data, model = given["data"], given["data"]["model"]
    us = vector(given["us"]) if given["us"] else None
    chosen = np.array(data["correspondences"], np.int32)
    corners = np.array(model["triangles"], np.int32)[chosen].T if given["us"] else [chosen]
    tables = [model["base_relatives"], model["inverse_base_absolutes"], model["base_positions"], model["weights"], data["points"]]
    return (
        vector(given["theta"]),
        us,
        tuple(model["parents"]),
        bool(model["is_mirrored"]),
        *(vector(table) for table in tables),
        *(tf.constant(corner) for corner in corners),
    )


FUNCTIONS = {
    "objective": Function(prepare, objective, lambda found: found.numpy().tolist()),
    "jacobian": Function(prepare, jacobian, lambda found: found.numpy().tolist()),
}
