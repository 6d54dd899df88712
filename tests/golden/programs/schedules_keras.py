"""Keras 3's learning-rate schedules."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import raises

FACE = "v2"

STEPS = (0, 1, 4, 10, 13, 27)


def schedules(tf: Any) -> dict[str, Any]:
    s = tf.keras.optimizers.schedules

    def at(schedule: Any) -> Any:
        return [np.asarray(schedule(step)) for step in STEPS]

    def config(schedule: Any) -> Any:
        again = type(schedule).from_config(schedule.get_config())
        return [np.asarray(again(4)), schedule.get_config()]

    return {
        "exponential": at(s.ExponentialDecay(0.1, 10, 0.96)),
        "exponential, stairs": at(s.ExponentialDecay(0.1, 4, 0.5, staircase=True)),
        "exponential, of a tensor": np.asarray(s.ExponentialDecay(0.1, 10, 0.96)(tf.constant(3))),
        "inverse": at(s.InverseTimeDecay(0.1, 10, 0.5)),
        "inverse, stairs": at(s.InverseTimeDecay(0.1, 10, 0.5, staircase=True)),
        "polynomial": at(s.PolynomialDecay(0.1, 10)),
        "polynomial, squared": at(s.PolynomialDecay(0.1, 10, 0.01, power=2.0)),
        "polynomial, cycle": at(s.PolynomialDecay(0.1, 10, 0.01, power=0.5, cycle=True)),
        "piecewise": at(s.PiecewiseConstantDecay([1, 10], [0.5, 0.25, 0.125])),
        "cosine": at(s.CosineDecay(0.1, 10)),
        "cosine, alpha": at(s.CosineDecay(0.1, 20, alpha=0.2)),
        "cosine, warm": at(s.CosineDecay(0.0, 20, warmup_target=0.1, warmup_steps=5)),
        "restarts": at(s.CosineDecayRestarts(0.1, 5)),
        "restarts of one length": at(s.CosineDecayRestarts(0.1, 5, t_mul=1.0, m_mul=0.5, alpha=0.1)),
        "config exponential": config(s.ExponentialDecay(0.1, 10, 0.96)),
        "config piecewise": config(s.PiecewiseConstantDecay([1, 10], [0.5, 0.25, 0.125])),
        "config polynomial": config(s.PolynomialDecay(0.1, 10)),
        "config inverse": config(s.InverseTimeDecay(0.1, 10, 0.5)),
        "config cosine": config(s.CosineDecay(0.1, 10)),
        "config restarts": config(s.CosineDecayRestarts(0.1, 5)),
        "no steps": raises(lambda: s.ExponentialDecay(0.1, 0, 0.5), "decay_steps"),
        "wrong count": raises(lambda: s.PiecewiseConstantDecay([1, 2], [1.0, 2.0])),
    }
