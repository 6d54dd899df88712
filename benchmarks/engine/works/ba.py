"""Bundle adjustment as GradBench (ADBench) defines it: for every observation the error of reprojection and its 2 x 15 Jacobian block,
with the error of its weight and that one's derivative.

A row holds 11 camera parameters (rotation, centre, focal length, principal point, distortion), the point, and the weight.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"observations": 4, "cameras": 2, "points": 3}
PARAMETERS = 15


def data(observations: int, cameras: int, points: int) -> Any:
    draw = np.random.default_rng(0)
    one = np.array([0.1, -0.2, 0.3, 0.1, 0.2, -5.0, 500.0, 10.0, -10.0, 1e-2, 1e-3])
    return SimpleNamespace(
        cameras=one * draw.uniform(0.9, 1.1, (cameras, 11)),
        points=draw.uniform(-1, 1, (points, 3)),
        weights=draw.uniform(0.5, 1.5, observations),
        camera=draw.integers(0, cameras, observations).astype(np.int32),
        point=draw.integers(0, points, observations).astype(np.int32),
        features=draw.uniform(-50, 50, (observations, 2)),
    )


def arguments(d: Any) -> list[Any]:
    return [d.cameras, d.points, d.weights, d.camera, d.point, d.features]


def cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def errors(lib: Any, row: Sequence[Any], u: Any, v: Any) -> tuple[Any, Any]:
    """Both errors from the 15 parameters, scalars or columns, in a library's `sqrt`, `sin` and `cos`."""
    rotation, centre, focal, x0, y0, k1, k2, point, weight = row[:3], row[3:6], row[6], row[7], row[8], row[9], row[10], row[11:14], row[14]
    offset = [p - c for p, c in zip(point, centre, strict=True)]
    theta = lib.sqrt(dot(rotation, rotation))
    axis = [r / theta for r in rotation]
    cos, sin = lib.cos(theta), lib.sin(theta)
    along, turned = dot(axis, offset) * (1.0 - cos), cross(axis, offset)
    x, y, z = (o * cos + t * sin + a * along for o, t, a in zip(offset, turned, axis, strict=True))
    x, y = x / z, y / z
    square = x * x + y * y
    scale = focal * (1.0 + square * (k1 + square * k2))
    return weight * (x * scale + x0 - u), weight * (y * scale + y0 - v)


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(cameras: Any, points: Any, weights: Any, camera: Any, point: Any, features: Any) -> Any:
        rows = tf.concat([tf.gather(cameras, camera), tf.gather(points, point), weights[:, None]], 1)
        columns = tf.unstack(rows, axis=1)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(columns)
            both = errors(tf, columns, features[:, 0], features[:, 1])
        blocks = tf.stack([tf.stack(tape.gradient(e, columns, unconnected_gradients="zero"), 1) for e in both], 1)
        return tf.stack(both, 1), blocks, 1.0 - weights * weights, -2.0 * weights

    return Program(step, arguments(d))


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def one(row: Any, feature: Any) -> Any:
        found = jnp.stack(errors(jnp, [row[i] for i in range(PARAMETERS)], feature[0], feature[1]))
        return found, found

    def step(cameras: Any, points: Any, weights: Any, camera: Any, point: Any, features: Any) -> Any:
        rows = jnp.concatenate([cameras[camera], points[point], weights[:, None]], axis=1)
        blocks, found = jax.vmap(jax.jacrev(one, has_aux=True))(rows, features)
        return found, blocks, 1.0 - weights * weights, -2.0 * weights

    return Program(step, arguments(d))


def in_torch(d: Any, compiled: bool) -> Program:
    """Column by column, which is quicker than `vmap` of `jacrev`. Compiled, intermediates are kept early, as in the chain."""
    import torch

    def step(cameras: Any, points: Any, weights: Any, camera: Any, point: Any, features: Any) -> Any:
        rows = torch.cat([cameras[camera], points[point], weights[:, None]], 1)
        both, pull = torch.func.vjp(lambda *columns: errors(torch, columns, features[:, 0], features[:, 1]), *rows.unbind(1))
        one, zero = torch.ones_like(weights), torch.zeros_like(weights)
        blocks = torch.stack([torch.stack(pull(seed), 1) for seed in ((one, zero), (zero, one))], 1)
        return torch.stack(both, 1), blocks, 1.0 - weights * weights, -2.0 * weights

    early = {"realize_opcount_threshold": 10, "realize_reads_threshold": 2}
    return Program(torch.compile(step, options=early) if compiled else step, arguments(d))


def in_casadi(d: Any) -> Program:
    import casadi

    count = len(d.weights)

    def build() -> Any:
        row, feature = casadi.SX.sym("row", PARAMETERS), casadi.SX.sym("feature", 2)
        both = casadi.vertcat(*errors(casadi, casadi.vertsplit(row), feature[0], feature[1]))
        blocks = casadi.densify(casadi.jacobian(both, row).T)
        w = row[PARAMETERS - 1]
        return casadi.Function("ba", [row, feature], [both, blocks, 1 - w * w, -2 * w]).map(count)

    rows = np.concatenate([d.cameras[d.camera], d.points[d.point], d.weights[:, None]], 1)

    def layout(found: Any) -> Any:
        return [found[0].reshape(count, 2), found[1].reshape(count, 2, PARAMETERS), found[2], found[3]]

    return Program(build, [rows.T, d.features.T], layout=layout)
