"""Names and printed forms outside graphs: variables and their writes, modules, gradients of tapes in functions."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def variables(tf: Any) -> Answers:
    """What a variable and its writes are printed as."""
    v = tf.Variable([1.0, 2.0], name="v")
    written = v.assign([3.0, 4.0])
    return {
        "variable": [repr(v), str(v), type(v).__name__, v.name],
        "assign": [repr(written), str(written), written.name, isinstance(written, tf.Variable)],
        "assign_add": repr(v.assign_add([1.0, 1.0])),
        "scatter": repr(v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])))),
        "not read": repr(v.assign([0.0, 0.0], read_value=False)),
        "of a write": repr(v.assign_add([1.0, 1.0]).assign_sub([0.5, 0.5])),
        "the variable meanwhile": repr(v),
        "gradient through a write": _through_a_write(tf),
    }


def _through_a_write(tf: Any) -> Any:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v.assign_add(1.0) * 2.0
    return tape.gradient(y, v)


def modules(tf: Any) -> Answers:
    """The variables of a module: its own by attribute, then those of its modules."""

    class Inner(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.k = tf.Variable(1.0, name="k")

    class Middle(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.w, self.b = tf.Variable(1.0, name="w"), tf.Variable(1.0, name="b", trainable=False)
            self.inner = [Inner(), Inner()]

    class Outer(tf.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.z, self.a = tf.Variable(1.0, name="z"), tf.Variable(2.0, name="a")
            self.items = [tf.Variable(3.0, name="l0"), tf.Variable(4.0, name="l1")]
            self.table = {"q": tf.Variable(5.0, name="q"), "b": tf.Variable(6.0, name="b2")}
            self.pair = (Middle(), tf.Variable(7.0, name="last"))

    module = Outer()
    with tf.name_scope("outside"):
        named = Middle()
    return {
        "variables": [v.name for v in module.variables],
        "trainable": [v.name for v in module.trainable_variables],
        "not trainable": [v.name for v in module.non_trainable_variables],
        "submodules": [type(m).__name__ for m in module.submodules],
        "in a scope": [v.name for v in named.variables],
        "module's name": [module.name, named.name],
    }


def tapes(tf: Any) -> Answers:
    """In a function, what a tape's gradients are made of stands in the scope `gradient_tape`, by the scope of the operation."""

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.name_scope("layer"):
                y = tf.sin(x)
            z = tf.exp(y)
        return tape.gradient(z, x)

    names = [op.name for op in f.get_concrete_function(tf.TensorSpec([])).graph.get_operations()]
    seeds = [n for n in names if n.startswith("ones")]
    return {"of a layer": [n for n in names if n.startswith("gradient_tape/layer")], "outermost": "gradient_tape/mul" in names, "seed": seeds}
