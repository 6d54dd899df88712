"""Functions of TensorFlow's that programs answer themselves for classes of their own: `tf.experimental.dispatch_for_*`."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"


def _kind(tf: Any, name: str = "Masked") -> Any:
    base = tf.experimental.ExtensionType
    fields = {"values": tf.Tensor, "mask": tf.Tensor}
    return type(base)(name, (base,), {"__annotations__": fields, "__module__": __name__, "__qualname__": name})


def _while(tf: Any, decorator: Any, target: Any, call: Callable[[], Any]) -> Callable[[], Any]:
    """The answer of a call while the target is registered."""

    def answer() -> Any:
        registered = decorator(target)
        try:
            return call()
        finally:
            tf.experimental.unregister_dispatch_for(registered)

    return answer


def one_function(tf: Any) -> dict[str, Any]:
    made, other, ex = _kind(tf), _kind(tf, "Other"), tf.experimental
    x, y = made([1, 2], [True, False]), made([10, 20], [True, True])

    def both(x: Any, y: Any, name: Any = None) -> Any:
        return made(x.values + y.values, x.mask & y.mask)

    def either(x: Any, y: Any) -> Any:
        a, b = (v.values if isinstance(v, made) else v for v in (x, y))
        return made(a + b, (x if isinstance(x, made) else y).mask)

    def joined(values: Any, axis: Any) -> Any:
        return made(tf.concat([v.values for v in values], axis), tf.concat([v.mask for v in values], axis))

    def annotated(x: Any, name: Any = None) -> Any:
        return "annotated"

    annotated.__annotations__ = {"x": made}

    def summed(input_tensor: Any, axis: Any = None, keepdims: Any = False) -> Any:
        return f"{axis} {keepdims}"

    add = ex.dispatch_for_api(tf.add, {"x": made, "y": made})
    any_add = ex.dispatch_for_api(tf.math.add, {"x": made}, {"y": made})
    unions = ex.dispatch_for_api(tf.add, {"x": typing.Union[made, tf.Tensor], 1: typing.Union[made, tf.Tensor]})  # noqa: UP007
    lists = ex.dispatch_for_api(tf.concat, {"values": typing.List[made]})  # noqa: UP006
    reduced = ex.dispatch_for_api(tf.reduce_sum, {"input_tensor": made})
    return {
        "both": _while(tf, add, both, lambda: repr(tf.add(x, y))),
        "by keyword": _while(tf, add, both, lambda: repr(tf.math.add(y=y, x=x, name="n"))),
        "not both": raises(_while(tf, add, both, lambda: tf.add(x, 3)), "Masked"),
        "another class": raises(_while(tf, add, both, lambda: tf.add(other([1], [True]), x)), "Other"),
        "either": _while(tf, any_add, either, lambda: [repr(tf.add(x, 5)), repr(tf.add(5, x, name="n"))]),
        "plain ones are as before": _while(tf, any_add, either, lambda: [tf.add(1, 2), tf.constant(1) + 2]),
        "unions": _while(tf, unions, either, lambda: [repr(tf.add(x, tf.constant(1))), tf.add(tf.constant(1), tf.constant(2))]),
        "unions, a number": raises(_while(tf, unions, either, lambda: tf.add(x, 1)), "Masked"),
        "lists": _while(tf, lists, joined, lambda: repr(tf.concat([x, y], 0))),
        "lists, mixed": raises(_while(tf, lists, joined, lambda: tf.concat([x, tf.constant([1])], 0))),
        "annotations": _while(tf, ex.dispatch_for_api(tf.abs), annotated, lambda: tf.abs(x)),
        "options": _while(tf, reduced, summed, lambda: [tf.reduce_sum(x), tf.reduce_sum(x, 1), tf.reduce_sum(x, keepdims=True, axis=2)]),
        "within a function": _while(tf, any_add, either, lambda: repr(tf.function(lambda x: tf.add(x, 1))(x))),
        "afterwards": raises(lambda: tf.add(x, y), "Masked"),
    }  # fmt: skip


def refused(tf: Any) -> dict[str, Any]:
    made, ex = _kind(tf), tf.experimental

    def target(x: Any, name: Any = None) -> Any:
        return x

    def again(x: Any, name: Any = None) -> Any:
        return x

    def twice() -> Any:
        one = ex.dispatch_for_api(tf.abs, {"x": made})(target)
        two = ex.dispatch_for_api(tf.abs, {"x": made})(again)
        try:
            return tf.abs(made([1], [True]))
        finally:
            for registered in (one, two):
                ex.unregister_dispatch_for(registered)

    return {
        "no function of TensorFlow's": raises(lambda: ex.dispatch_for_api(len, {"x": made}), "does not support dispatch"),
        "other parameters": raises(lambda: ex.dispatch_for_api(tf.abs, {"x": made})(lambda y: y), "does not match"),
        "no annotations": raises(lambda: ex.dispatch_for_api(tf.abs)(target), "annotations"),
        "no such parameter": raises(lambda: ex.dispatch_for_api(tf.abs, {"z": made}), "unknown parameter 'z'"),
        "no annotation": raises(lambda: ex.dispatch_for_api(tf.abs, {"x": 3}), "not currently supported"),
        "no dictionary": raises(lambda: ex.dispatch_for_api(tf.abs, made), "dictionaries"),
        "not callable": raises(lambda: ex.dispatch_for_api(tf.abs, {"x": made})(3), "callable"),
        "two that match": raises(twice, "Multiple dispatch targets"),
        "not registered": raises(lambda: ex.unregister_dispatch_for(target), "not registered"),
    }


def element_wise(tf: Any) -> dict[str, Any]:
    made, ex = _kind(tf), tf.experimental
    x, y = made([1.0, -2.0], [True, False]), made([10.0, 20.0], [True, True])

    def one(function: Any, x: Any) -> Any:
        return made(function(x.values), x.mask)

    def two(function: Any, x: Any, y: Any) -> Any:
        a, b = (v.values if isinstance(v, made) else v for v in (x, y))
        return made(function(a, b), x.mask if isinstance(x, made) else y.mask)

    def held(function: Any, x: Any, y: Any) -> Any:
        function(tf.boolean_mask(x.values, x.mask & y.mask), tf.boolean_mask(y.values, x.mask & y.mask))

    unary, asserts = ex.dispatch_for_unary_elementwise_apis(made), ex.dispatch_for_binary_elementwise_assert_apis(made, made)
    either = typing.Union[made, tf.Tensor]  # noqa: UP007
    binary, mixed = ex.dispatch_for_binary_elementwise_apis(made, made), ex.dispatch_for_binary_elementwise_apis(either, either)

    def again() -> Any:
        registered = unary(one)
        try:
            return ex.dispatch_for_unary_elementwise_apis(made)(lambda f, x: x)
        finally:
            ex.unregister_dispatch_for(registered)

    ones = ("abs", "square", "exp", "negative", "sign", "zeros_like", "math.softplus", "nn.relu", "math.is_nan", "math.round")
    twos = ("add", "multiply", "subtract", "maximum", "math.divide", "math.pow", "less", "equal", "math.floormod", "math.atan2")

    def named(name: str) -> Any:
        found = tf
        for part in name.split("."):
            found = getattr(found, part)
        return found

    return {
        **{name: _while(tf, unary, one, lambda name=name: named(name)(x).values) for name in ones},
        **{name: _while(tf, binary, two, lambda name=name: named(name)(x, y).values) for name in twos},
        "with options": _while(tf, unary, one, lambda: [tf.cast(x, tf.int32).values, tf.clip_by_value(x, 0.0, 0.5).values]),
        "by keyword": _while(tf, unary, one, lambda: tf.abs(x=x, name="n").values),
        "with tensors": _while(tf, mixed, two, lambda: [tf.add(x, tf.constant(1.0)).values, tf.maximum(tf.constant(0.0), x).values]),
        "operators": _while(tf, mixed, two, lambda: [(tf.constant(1.0) - x).values, (tf.constant(2.0) * x).values]),
        # TensorFlow cannot forget a handler of assertions: a KeyError
        "asserts": ours(None, lambda: _while(tf, asserts, held, lambda: tf.debugging.assert_less(x, y))()),
        "asserts that fail": ours(
            raised("InvalidArgumentError"), raises(_while(tf, asserts, held, lambda: tf.debugging.assert_equal(x, y)))
        ),
        "in a function": _while(tf, unary, one, lambda: tf.function(lambda x: tf.exp(x))(x).values),
        "registered twice": raises(again, "already been registered"),
        "afterwards": raises(lambda: tf.square(x), "Masked"),
    }
