"""TensorFlow 1's learning-rate decays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import raises, run_all

FACE = "v1"


def decays(tf: Any) -> dict[str, Any]:
    t = tf.train

    def at(make: Any) -> Any:
        return [run_all(tf, [make(tf.constant(step))])[0] for step in (0, 1, 4, 10, 13, 27)]

    def at_int64(make: Any) -> Any:
        return [run_all(tf, [make(tf.constant(step, tf.int64))])[0] for step in (0, 5, 11)]

    return {
        "exponential": at(lambda s: t.exponential_decay(0.1, s, 10, 0.96)),
        "exponential, stairs": at(lambda s: t.exponential_decay(0.1, s, 4, 0.5, staircase=True)),
        "exponential, int64": at_int64(lambda s: t.exponential_decay(0.1, s, 10, 0.96)),
        "exponential, float64": at(lambda s: t.exponential_decay(np.float64(0.1), s, 10, 0.5)),
        "exponential, tensor": at(lambda s: t.exponential_decay(tf.constant(0.1), s, tf.constant(10), tf.constant(0.5))),
        "natural": at(lambda s: t.natural_exp_decay(0.1, s, 10, 0.5)),
        "natural, stairs": at(lambda s: t.natural_exp_decay(0.1, s, 10, 0.5, staircase=True)),
        "inverse": at(lambda s: t.inverse_time_decay(0.1, s, 10, 0.5)),
        "inverse, stairs": at(lambda s: t.inverse_time_decay(0.1, s, 10, 0.5, staircase=True)),
        "polynomial": at(lambda s: t.polynomial_decay(0.1, s, 10)),
        "polynomial, squared": at(lambda s: t.polynomial_decay(0.1, s, 10, 0.01, power=2.0)),
        "polynomial, cycle": at(lambda s: t.polynomial_decay(0.1, s, 10, 0.01, power=0.5, cycle=True)),
        "piecewise": at(lambda s: t.piecewise_constant(s, [1, 10], [0.5, 0.25, 0.125])),
        "piecewise, by its other name": at(lambda s: t.piecewise_constant_decay(s, [4], [1.0, 2.0])),
        "piecewise, float": [
            run_all(tf, [t.piecewise_constant(tf.constant(x), [1.0, 2.0], [1.0, 2.0, 3.0])])[0] for x in (0.5, 1.0, 1.5, 2.0, 9.0)
        ],
        "cosine": at(lambda s: t.cosine_decay(0.1, s, 10)),
        "cosine, alpha": at(lambda s: t.cosine_decay(0.1, s, 20, alpha=0.2)),
        "cosine, restarts": at(lambda s: t.cosine_decay_restarts(0.1, s, 5)),
        "cosine, restarts of one length": at(lambda s: t.cosine_decay_restarts(0.1, s, 5, t_mul=1.0, m_mul=0.5, alpha=0.1)),
        "linear cosine": at(lambda s: t.linear_cosine_decay(0.1, s, 10)),
        "linear cosine, own": at(lambda s: t.linear_cosine_decay(0.1, s, 20, num_periods=1.5, alpha=0.1, beta=0.01)),
        "names": [
            t.exponential_decay(0.1, tf.constant(1), 10, 0.5).name,
            t.exponential_decay(0.1, tf.constant(1), 10, 0.5, name="mine").name,
            t.polynomial_decay(0.1, tf.constant(1), 10).name,
        ],
        "no step": raises(lambda: t.exponential_decay(0.1, None, 10, 0.5)),
        "piecewise, wrong count": raises(lambda: t.piecewise_constant(tf.constant(1), [1, 2], [1.0, 2.0])),
    }
