"""What a graph keeps: containers, its version, threads that do not see each other's blocks; and gradients of products of CSR matrices."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v1"


def containers(tf: Any) -> Answers:
    graph = tf.get_default_graph()
    with graph.container("a") as given:
        v = tf.Variable(1.0, use_resource=False)
    with tf.container("b"):
        w = tf.Variable(1.0, use_resource=True)
        with tf.container("c"):
            inner = tf.Variable(1.0, use_resource=False)
    outside = tf.Variable(1.0, use_resource=False)
    return {"given": given, "containers": [x.op.get_attr("container") for x in (v, w, inner, outside)]}


def versions(tf: Any) -> Answers:
    graph = tf.Graph()
    versions = [graph.version]
    with graph.as_default():
        for _ in range(3):
            tf.constant(1.0)
            versions.append(graph.version)
    return {"versions": versions}


def threads(tf: Any) -> Answers:
    graph = tf.Graph()
    graph.switch_to_thread_local()
    names: list[str] = []

    def make() -> None:
        with graph.as_default():
            x = tf.constant(1.0)
            names.extend([x.name, str(len(x.op.control_inputs)), x.op.device])
            with tf.name_scope("other"):
                names.append(tf.constant(1.0).name)

    with graph.as_default(), tf.name_scope("outer"), tf.device("/cpu:0"), tf.control_dependencies([tf.constant(3.0)]):
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        names += [tf.constant(2.0).name, graph.get_name_scope()]
    graph.switch_to_thread_local()
    return {"names": names}


def products_of_csr_matrices(tf: Any) -> Answers:
    raw = tf.raw_ops
    a, b = np.array([[1.0, 0, 2], [0, 3, 0], [4, 0, 5]]), np.array([[0, 1.0, 0], [2, 0, 3], [0, 4, 0]])

    def csr(t: Any) -> Any:
        return raw.DenseToCSRSparseMatrix(dense_input=t, indices=tf.where(tf.not_equal(tf.stop_gradient(t), 0)))

    def gradients(sparse: bool, x: Any, y: Any, flags: dict[str, bool]) -> Any:
        kind = tf.as_dtype(x.dtype)
        x, y = tf.constant(x), tf.constant(y)
        if sparse:
            product = raw.SparseMatrixSparseMatMul(a=csr(x), b=csr(y), type=kind, **flags)
            found = raw.CSRSparseMatrixToDense(sparse_input=product, type=kind)
        else:
            found = raw.SparseMatrixMatMul(a=csr(x), b=y, **flags)
        weights = tf.reshape(tf.range(1.0, 10.0, dtype=tf.float64), [3, 3])
        total = tf.reduce_sum(found * (weights if kind is tf.float64 else tf.complex(weights, tf.ones([3, 3], tf.float64))))
        with tf.Session() as session:
            return session.run(tf.gradients(tf.real(total), [x, y]))

    answers: Answers = {}
    for name, x, y in (("real", a, b), ("complex", a + 1j * b, a * (1 + 1j))):
        for flags in ((), ("transpose_a",), ("transpose_b",), ("adjoint_a",), ("adjoint_b",), ("transpose_a", "transpose_b")):
            for sparse in (True, False):
                given = dict.fromkeys(flags, True)
                answers[f"{name} {flags} {sparse}"] = lambda x=x, y=y, given=given, sparse=sparse: gradients(sparse, x, y, given)
    return answers


def logical_devices(tf: Any) -> Answers:
    (cpu,) = tf.config.list_physical_devices("CPU")
    limit = tf.config.LogicalDeviceConfiguration(memory_limit=10)
    return {
        "nothing told": tf.config.get_logical_device_configuration(cpu),
        "limit": raises(lambda: tf.config.set_logical_device_configuration(cpu, [limit]), otherwise=("ValueError",)),
        "another": raises(lambda: tf.config.get_logical_device_configuration("x")),
        "configuration": [limit.memory_limit, limit.experimental_priority],
        "listed": [d.name for d in tf.config.list_logical_devices("CPU")],
    }
