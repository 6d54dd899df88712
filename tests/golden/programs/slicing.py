"""Every form of indexing a tensor or a variable, with the gradient of each, and what is refused."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tests.cases.case import floats
from tests.golden.programs.kit import raises

FACE = "v2"

FORMS: dict[str, Any] = {
    "an integer": lambda tf, x: x[1],
    "a negative integer": lambda tf, x: x[-1],
    "two integers": lambda tf, x: x[1, 2],
    "all integers": lambda tf, x: x[1, 2, 0],
    "a slice": lambda tf, x: x[0:1],
    "an open slice": lambda tf, x: x[1:],
    "to the end": lambda tf, x: x[:1],
    "all": lambda tf, x: x[:],
    "a negative bound": lambda tf, x: x[:, :-1],
    "two negative bounds": lambda tf, x: x[:, -2:-1],
    "a step": lambda tf, x: x[:, ::2],
    "a negative step": lambda tf, x: x[:, ::-1],
    "a negative step with bounds": lambda tf, x: x[:, 2:0:-1],
    "every axis reversed": lambda tf, x: x[::-1, ::-1, ::-1],
    "beyond the end": lambda tf, x: x[0:100],
    "an empty slice": lambda tf, x: x[:, 2:1],
    "ellipsis": lambda tf, x: x[..., 0],
    "ellipsis at the end": lambda tf, x: x[0, ...],
    "ellipsis in the middle": lambda tf, x: x[0, ..., 1],
    "only an ellipsis": lambda tf, x: x[...],
    "ellipsis of no axis": lambda tf, x: x[0, :, ..., 1],
    "a new axis": lambda tf, x: x[tf.newaxis],
    "a new axis at the end": lambda tf, x: x[..., tf.newaxis],
    "a new axis in the middle": lambda tf, x: x[:, tf.newaxis, 1],
    "None": lambda tf, x: x[None, :, None],
    "two new axes": lambda tf, x: x[tf.newaxis, ..., tf.newaxis],
    "an integer and a new axis": lambda tf, x: x[0, tf.newaxis, 1:],
    "a tensor": lambda tf, x: x[tf.constant(1)],
    "a tensor in a slice": lambda tf, x: x[:, tf.constant(1) :],
    "two tensors": lambda tf, x: x[tf.constant(0), tf.constant(1)],
    "a tensor step": lambda tf, x: x[:, :: tf.constant(2)],
    "an int64 tensor": lambda tf, x: x[tf.constant(1, tf.int64)],
    "a NumPy integer": lambda tf, x: x[np.int64(1)],
    "a NumPy array of one number": lambda tf, x: x[np.array(1)],
    "a list is read as a tuple": lambda tf, x: x[[1, 0]],
    "slices of slices": lambda tf, x: x[0][1:][0],
    "a Boolean tensor": lambda tf, x: x[x > 0.0],
    "a Boolean array": lambda tf, x: tf.boolean_mask(x, np.array([True, False])),
    "a Boolean tensor of the first axis": lambda tf, x: x[tf.constant([False, True])],
    "tf.slice": lambda tf, x: tf.slice(x, [0, 1, 0], [1, 2, -1]),
    "tf.strided_slice": lambda tf, x: tf.strided_slice(x, [0, 0, 0], [2, 3, 2], [1, 2, 1]),
    "tf.strided_slice with masks": lambda tf, x: tf.strided_slice(x, [0, 1, 0], [0, 0, 0], begin_mask=1, end_mask=7, shrink_axis_mask=0),
    "tf.gather": lambda tf, x: tf.gather(x, [2, 0], axis=1),
}


def values(tf: Any) -> dict[str, Any]:
    x = tf.constant(floats(2, 3, 2))
    return {name: lambda form=form: form(tf, x) for name, form in FORMS.items()}


def gradients(tf: Any) -> dict[str, Any]:
    x = tf.constant(floats(2, 3, 2))

    def of(form: Any) -> Any:
        with tf.GradientTape() as t:
            t.watch(x)
            y = form(tf, x)
            loss = tf.reduce_sum(y * y)
        return t.gradient(loss, x)

    return {name: lambda form=form: of(form) for name, form in FORMS.items()}


def second_order(tf: Any) -> dict[str, Any]:
    x = tf.constant(floats(2, 3, 2))

    def of(form: Any) -> Any:
        with tf.GradientTape() as u:
            u.watch(x)
            with tf.GradientTape() as t:
                t.watch(x)
                loss = tf.reduce_sum(form(tf, x) ** 3)
            g = t.gradient(loss, x)
            again = tf.reduce_sum(g * g)
        return u.gradient(again, x)

    some = ("an integer", "a step", "a negative step", "ellipsis", "a new axis in the middle", "an integer and a new axis")
    return {name: lambda name=name: of(FORMS[name]) for name in some}


def graph_shapes(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1
    found: dict[str, Any] = {}
    with v1.Graph().as_default():
        known = v1.placeholder(tf.float32, [2, 3, 2])
        unknown = v1.placeholder(tf.float32, [None, 3, None])
        skip = {"a NumPy array of one number", "a Boolean array"}
        for name, form in FORMS.items():
            if name in skip:
                continue
            found[f"known, {name}"] = lambda form=form: _shape(v1, known, form, tf)
            found[f"unknown, {name}"] = lambda form=form: _shape(v1, unknown, form, tf)
    return found


def _shape(v1: Any, x: Any, form: Any, tf: Any) -> str:
    with x.graph.as_default():
        return str(form(tf, x).shape)


def variables(tf: Any) -> dict[str, Any]:
    def changed(f: Any) -> Any:
        v = tf.Variable(floats(3, 2))
        f(v)
        return v.numpy()

    v = tf.Variable(floats(3, 2))
    return {
        "an integer": lambda: v[1],
        "a slice": lambda: v[1:, 0],
        "a new axis": lambda: v[..., None],
        "assign to a row": lambda: changed(lambda v: v[1].assign([9.0, 8.0])),
        "assign to a slice": lambda: changed(lambda v: v[:, 0].assign([7.0, 8.0, 9.0])),
        "assign to an element": lambda: changed(lambda v: v[2, 1].assign(5.0)),
        "assign with a step": lambda: changed(lambda v: v[::2].assign([[1.0, 2.0], [3.0, 4.0]])),
        "assign a wrong shape": raises(lambda: changed(lambda v: v[1].assign([1.0, 2.0, 3.0]))),
    }


def iteration(tf: Any) -> dict[str, Any]:
    x = tf.constant(floats(3, 2))
    return {
        "rows": lambda: list(x),
        "length": lambda: len(x),
        "unpacking": lambda: (lambda a, b, c: c)(*x),
        "unpacking one row": lambda: (lambda a, b: b)(*x[0]),
        "zip": lambda: [a for a, _ in zip(x, range(2), strict=False)],
        "enumerate": lambda: [i for i, _ in enumerate(x)],
        "empty": lambda: list(tf.zeros([0, 2])),
        "a column": lambda: [float(t) for t in x[:, 0]],
        "a scalar": raises(lambda: list(tf.constant(1.0))),
        "length of a scalar": raises(lambda: len(tf.constant(1.0))),
        "gradient through rows": lambda: _by_rows(tf, x),
    }


def _by_rows(tf: Any, x: Any) -> Any:
    with tf.GradientTape() as t:
        t.watch(x)
        y = tf.add_n([row * float(i + 1) for i, row in enumerate(x)])
    return t.gradient(y, x)


def refusals(tf: Any) -> dict[str, Any]:
    x = tf.constant(floats(2, 3))
    v1 = tf.compat.v1

    def in_graph(form: Any) -> Any:
        with v1.Graph().as_default():
            return form(v1.placeholder(tf.float32, [2, 3]))

    return {
        "beyond": raises(lambda: x[5], "5"),
        "beyond, negative": raises(lambda: x[-3], "-"),
        "too many indices": raises(lambda: x[0, 0, 0]),
        "a float": raises(lambda: x[1.5]),
        "a float in a slice": raises(lambda: x[0.5:]),
        "a float tensor": raises(lambda: x[tf.constant(1.0)]),
        "text": raises(lambda: x["a"]),
        "two ellipses": raises(lambda: x[..., ...]),
        "step zero": raises(lambda: x[::0]),
        "assignment": raises(lambda: operator.setitem(x, 0, 1.0)),
        "in a graph, beyond": raises(lambda: in_graph(lambda p: p[5]), "5"),
        "in a graph, too many": raises(lambda: in_graph(lambda p: p[0, 0, 0])),
        "in a graph, step zero": raises(lambda: in_graph(lambda p: p[::0])),
        "a mask of the wrong shape": raises(lambda: x[tf.constant([True, False, True])]),
    }
