"""Classes of a program's own where tensors are taken: functions registered for them, and `__tf_tensor__`."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import raises

FACE = "v2"


def _boxes(tf: Any) -> tuple[Any, Any, list[Any]]:
    """Two classes of boxes, one derived from the other, and what their conversion was asked for."""

    class Box:
        def __init__(self, content: Any) -> None:
            self.content = content

    class Other(Box):
        pass

    asked: list[Any] = []

    def convert(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        asked.append([None if dtype is None else dtype.name, as_ref])
        return tf.constant(value.content, dtype, name=name or "box")

    tf.register_tensor_conversion_function(Box, convert)
    return Box, Other, asked


def taken(tf: Any) -> dict[str, Any]:
    box, _, _ = _boxes(tf)
    x = tf.constant([1.0, 1.0])
    v = tf.Variable([1.0])
    calls = {
        "converted": lambda: tf.convert_to_tensor(box([1.0, 2.0])),
        "an op": lambda: tf.add(box([1.0, 2.0]), [1.0, 1.0]),
        "second in an op": lambda: tf.add(x, box([1.0, 2.0])),
        "of the other's dtype": lambda: tf.add(tf.constant([1.0], tf.float64), box([2.0])),
        "an operator": lambda: x + box([1.0, 2.0]),
        "an operator from the right": lambda: box([1.0, 2.0]) * x,
        "stacked": lambda: tf.stack([box([1.0, 2.0]), x]),
        "stacked alone": lambda: tf.stack([box([1.0]), box([2.0])]),
        "joined": lambda: tf.concat([box([1.0]), x], 0),
        "a reduction": lambda: tf.reduce_sum(box([1.0, 2.0])),
        "a product": lambda: tf.matmul(box([[1.0]]), box([[2.0]])),
        "gathered": lambda: tf.gather(box([1.0, 2.0]), [1]),
        "cast": lambda: tf.cast(box([1.5]), tf.int32),
        "shape": lambda: tf.shape(box([1.5])),
        "wanted dtype": lambda: tf.convert_to_tensor(box([1.0]), tf.float64),
        "hint": lambda: tf.convert_to_tensor(box([1, 2]), dtype_hint=tf.float32),
        "hint that does not fit": lambda: tf.convert_to_tensor(box([1.5]), dtype_hint=tf.int32),
        "a variable": lambda: tf.Variable(box([1.0])).numpy(),
        "assigned": lambda: v.assign(box([3.0])).numpy(),
        "no tensor": tf.is_tensor(box([1.0])),
        "its spec": lambda: repr(tf.type_spec_from_value(box([1.0]))),
        "in a function": lambda: tf.function(lambda b: tf.convert_to_tensor(b) * 2.0)(box([1.0])),
        "for a signature": lambda: tf.function(lambda b: b * 2.0, input_signature=[tf.TensorSpec([1])])(box([1.0])),
        "returned by a function": lambda: tf.function(lambda: box([1.0, 2.0]))(),
        "a dtype that does not fit": raises(lambda: tf.convert_to_tensor(box([1.5]), tf.int32)),
        "among numbers": raises(lambda: tf.convert_to_tensor([box(1.0), 2.0])),
        "a constant": raises(lambda: tf.constant(box(1.0))),
    }
    return {name: lambda call=call: call() if callable(call) else call for name, call in calls.items()}


def asked(tf: Any) -> dict[str, Any]:
    box, other, seen = _boxes(tf)
    tf.convert_to_tensor(box([1.0]))
    tf.convert_to_tensor(other([1.0]), tf.float64)
    tf.add(tf.constant([1.0]), box([1.0]))
    return {"dtypes": list(seen)}


def priorities(tf: Any) -> dict[str, Any]:
    box, other, _ = _boxes(tf)

    def negative(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return tf.constant(-value.content, dtype)

    def never(value: Any, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return NotImplemented

    found = {"of the base": tf.convert_to_tensor(other(3.0))}
    tf.register_tensor_conversion_function(other, negative)
    found["registered first"] = tf.convert_to_tensor(other(3.0))
    tf.register_tensor_conversion_function(other, negative, priority=50)
    found["smaller priority"] = tf.convert_to_tensor(other(3.0))
    tf.register_tensor_conversion_function(other, never, 10)
    found["not implemented"] = tf.convert_to_tensor(other(3.0))
    found["the base as before"] = tf.convert_to_tensor(box(3.0))
    return found


def faults(tf: Any) -> dict[str, Any]:
    def registered(answer: Any) -> Any:
        kind = type("Kind", (), {})
        tf.register_tensor_conversion_function(kind, lambda value, dtype=None, name=None, as_ref=False: answer())
        return kind()

    def refuse() -> Any:
        raise ValueError("empty box")

    one = registered(lambda: tf.constant(1.0))
    register = tf.register_tensor_conversion_function
    return {
        "no tensor": raises(lambda: tf.convert_to_tensor(registered(lambda: 3.0)), "returned non-Tensor"),
        "another dtype": raises(lambda: tf.convert_to_tensor(one, tf.int32), "incompatible dtype: requested = int32, actual = float32"),
        "another dtype than the hint": raises(lambda: tf.convert_to_tensor(one, dtype_hint=tf.int32), "incompatible dtype"),
        "another dtype in an op": raises(lambda: tf.add(tf.constant(1), one), "incompatible dtype"),
        "nobody": raises(lambda: tf.convert_to_tensor(registered(lambda: NotImplemented)), "unsupported type"),
        "its own error": raises(lambda: tf.square(registered(refuse)), "empty box"),
        "numbers": raises(lambda: register(int, refuse), "Cannot register conversions"),
        "bools": raises(lambda: register((bool, str), refuse)),
        "no class": raises(lambda: register(3, refuse), "must be a type or a tuple of types"),
        "no function": raises(lambda: register(type(one), 3), "must be callable"),
    }


def by_itself(tf: Any) -> dict[str, Any]:
    class Pair:
        def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
            return tf.constant([5.0, 6.0], dtype)

    pair = Pair()
    with tf.GradientTape() as tape:
        w = tf.Variable([2.0, 3.0])
        y = tf.reduce_sum(w * pair)
    return {
        "converted": lambda: tf.convert_to_tensor(pair),
        "in an op": lambda: tf.add(pair, 1.0),
        "wanted dtype": lambda: tf.convert_to_tensor(pair, tf.float64),
        "like a tensor": isinstance(pair, tf.types.experimental.TensorLike),
        "no tensor": tf.is_tensor(pair),
        "gradient": tape.gradient(y, w),
        "among others": raises(lambda: tf.convert_to_tensor([pair, pair])),
        "a constant": raises(lambda: tf.constant(pair)),
    }
