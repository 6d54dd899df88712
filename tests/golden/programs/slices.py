"""IndexedSlices in graphs: where gradients are sparse, and what keeps them so."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import raises, run_all

FACE = "v1"


def _kinds(gs: list[Any]) -> list[str]:
    return [type(g).__name__ if "Slices" in type(g).__name__ else "None" if g is None else "Tensor" for g in gs]


def sparse_or_dense(tf: Any) -> dict[str, Any]:
    t = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    ids = tf.constant([2, 0, 2])
    made = {
        "gather": tf.gather(t, ids),
        "gather of a scalar index": tf.gather(t, 1),
        "gather of a matrix of indices": tf.gather(t, [[0, 1], [2, 0]]),
        "gather on axis 1": tf.gather(t, [1, 0], axis=1),
        "gather on a negative axis": tf.gather(t, [1], axis=-1),
        "gather with batch_dims": tf.gather(t, [[0], [1], [1]], batch_dims=1, axis=1),
        "gather_nd of rows": tf.gather_nd(t, [[0], [2]]),
        "gather_nd of elements": tf.gather_nd(t, [[0, 1], [2, 0]]),
        "embedding_lookup": tf.nn.embedding_lookup(t, ids),
        "index": t[1],
        "boolean_mask": tf.boolean_mask(t, [True, False, True]),
        "of no indices": tf.gather(t, tf.zeros([0], tf.int32)),
        "through identity": tf.gather(tf.identity(t), ids),
        "through a product": tf.gather(t * 2.0, ids),
        "through a reshape": tf.gather(tf.reshape(t, [2, 3]), [0, 0]),
        "through a cast": tf.gather(tf.cast(t, tf.float64), ids),
        "through a sum of the same shape": tf.gather(t + t, ids),
        "through a concat": tf.gather(tf.concat([t, t], 0), [0, 5]),
        "through stop_gradient": tf.gather(tf.stop_gradient(t), ids),
        "twice": tf.gather(t, ids) + tf.gather(t, [0, 1, 1]),
        "sparse and dense": tf.gather(t, ids) * 1.0 + t,
    }
    found: dict[str, Any] = {}
    for name, y in made.items():
        gs = tf.gradients(y, t)
        found[f"{name}: kind"] = _kinds(gs)
        found[f"{name}: value"] = lambda gs=gs: run_all(tf, gs)
    return found


def parts(tf: Any) -> dict[str, Any]:
    t = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="t")
    g = tf.gradients(tf.gather(t, [2, 0, 2]), t)[0]
    values, indices, dense_shape = run_all(tf, [g.values, g.indices, g.dense_shape])
    long = tf.gradients(tf.gather(t, tf.constant([1], tf.int64)), t)[0]
    both = tf.gradients([tf.gather(t, [1]), tf.gather(t, [1, 2])], t)[0]
    return {
        "kind": _kinds([g]),
        "values": values,
        "indices": indices,
        "dense_shape": dense_shape,
        "values dtype": g.values.dtype,
        "indices dtype": g.indices.dtype,
        "int64 indices": long.indices.dtype,
        "dtype": g.dtype,
        "shape": str(g.shape),
        "made dense": lambda: run_all(tf, [tf.convert_to_tensor(g)]),
        "duplicates are kept": lambda: sorted(run_all(tf, [both.indices])[0].tolist()),
        "sum of a sparse gradient": lambda: run_all(tf, [tf.reduce_sum(tf.convert_to_tensor(g) ** 2.0)]),
        "negated": lambda: run_all(tf, [-g]),
        "graph": g.graph is tf.get_default_graph(),
        "name": g.name == g.values.name,
        "times a number": raises(lambda: g * 2.0),
    }


def mixed(tf: Any) -> dict[str, Any]:
    t = tf.constant([1.0, 2.0, 3.0, 4.0])
    a = tf.gather(t, tf.constant([0, 1]))
    b = tf.gather(t, tf.constant([1, 3], tf.int64))
    g = tf.gradients([a, b], t)[0]
    found: dict[str, Any] = {
        "int32 and int64 indices": g.indices.dtype,
        "their sum": run_all(tf, [tf.convert_to_tensor(g)]),
        "grad_ys weigh rows": run_all(tf, tf.gradients(a, t, grad_ys=[tf.constant([10.0, 20.0])])),
        "second order": lambda: run_all(tf, tf.gradients(tf.gradients(tf.gather(t * t * t, [1, 1]), t)[0], t)),
        "square of gathered": lambda: run_all(tf, tf.gradients(a * a, t)),
    }
    for method in (0, 1, 2):
        gs = tf.gradients([a, a * 2.0, t], t, aggregation_method=method)
        found[f"aggregated {method}"] = lambda gs=gs: run_all(tf, gs)
    return found


def making(tf: Any) -> dict[str, Any]:
    s = tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0, 0]), tf.constant([2, 2]))
    loose = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    return {
        "as a tensor": run_all(tf, [tf.convert_to_tensor(s)]),
        "an op takes them": run_all(tf, [tf.add(s, 1.0)]),
        "reduce_sum takes them": run_all(tf, [tf.reduce_sum(s)]),
        "dtype": s.dtype,
        "shape": str(s.shape),
        "no dense_shape": loose.dense_shape,
        "without dense_shape": raises(lambda: tf.convert_to_tensor(loose), "dense_shape"),
        "clip_by_norm keeps them": lambda: run_all(tf, [tf.clip_by_norm(s, 1.0)]),
        "global_norm": lambda: run_all(tf, [tf.global_norm([s, None])]),
        "clip_by_global_norm": lambda: run_all(tf, tf.clip_by_global_norm([s, None], 1.0)[0]),
        "add_n": lambda: run_all(tf, [tf.add_n([tf.convert_to_tensor(s), tf.ones([2, 2])])]),
    }
