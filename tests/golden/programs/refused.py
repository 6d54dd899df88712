"""What was taken and is refused: vectors in batch_jacobian, two true cases, negative sizes, small blocks, elements of another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v2"


def _ways(tf: Any, name: str, call: Callable[[], Any], *says: str) -> Answers:
    """Eagerly, in a function and in a graph, the value or the error."""
    v1 = tf.compat.v1

    def graph() -> Any:
        with v1.Graph().as_default(), v1.Session() as session:
            return session.run(call())

    return {
        f"{name}, eagerly": raises(call, *says),
        f"{name}, in a function": raises(lambda: tf.function(call, autograph=False)(), *says),
        f"{name}, in a graph": raises(graph, *says),
    }


def batch_jacobians(tf: Any) -> Answers:
    vector, matrix = tf.constant([1.0, 2.0, 3.0]), tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def asked(x: Any, f: Callable[[Any], Any], pfor: bool = True) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        return tape.batch_jacobian(y, x, experimental_use_pfor=pfor)

    words = "must have rank at least 2"
    return {
        "vectors": raises(lambda: asked(vector, lambda x: x * x), words),
        "vectors in a loop": raises(lambda: asked(vector, lambda x: x * x, pfor=False), words),
        "vector and matrix": raises(lambda: asked(vector, lambda x: tf.stack([x, x], 1)), words),
        "matrix and vector": raises(lambda: asked(matrix, lambda x: tf.reduce_sum(x, 1)), words),
        "in a function": raises(lambda: tf.function(lambda x: asked(x, lambda x: x * x))(vector), words),
        "matrices": lambda: asked(matrix, lambda x: x * x),
    }


def cases(tf: Any) -> Answers:
    v1 = tf.compat.v1
    found: Answers = {}
    for holds in ([True, True], [True, False], [False, True], [False, False], [False, True, True]):
        for exclusive in (False, True):
            for default in (False, True):

                def call(holds: list[bool] = holds, exclusive: bool = exclusive, default: bool = default) -> Any:
                    graph = not tf.executing_eagerly() and not v1.get_default_graph().building_function
                    given = [v1.placeholder_with_default(p, []) if graph else tf.constant(p) for p in holds]
                    pairs = [(p, lambda i=i: tf.constant(i)) for i, p in enumerate(given)]
                    return tf.case(pairs, default=(lambda: tf.constant(-1)) if default else None, exclusive=exclusive)

                found |= _values(tf, f"{holds} {'exclusive ' * exclusive}{'default' * default}", call)
    return found


def _values(tf: Any, name: str, call: Callable[[], Any]) -> Answers:
    return {way: _value(answer) for way, answer in _ways(tf, name, call).items()}


def _value(answer: Callable[[], Any]) -> Callable[[], Any]:
    def outcome() -> Any:
        found = answer()
        return "an error" if found["raises"] else str(found["returned"]).split("numpy=")[-1].rstrip(">").removeprefix("np.int32(").rstrip(")")

    return outcome


def sizes(tf: Any) -> Answers:
    found: Answers = {}
    for given in ([3, -3, 6], [-2, 8], [-5, 5, 6]):
        found |= _ways(tf, f"split {given}", lambda given=given: tf.split(tf.range(6.0), given), "must be >= 0")
        dynamic = tf.function(lambda n, count: tf.split(tf.range(6.0), n, num=count), autograph=False)
        found[f"split {given} when it runs"] = raises(lambda f=dynamic, n=given: f(tf.constant(n), len(n)), "must be >= 0")
    for count in (0, -1):
        found |= _ways(tf, f"split {count}", lambda count=count: tf.split(tf.range(6.0), count), "minimum 1")
    images, rows = tf.ones([1, 4, 4, 4]).numpy(), tf.ones([4, 2, 2, 1]).numpy()
    for block in (0, -1, 1):
        found |= _values(tf, f"depth_to_space {block}", lambda b=block: tf.shape(tf.nn.depth_to_space(images, b))[0])
        found |= _values(tf, f"space_to_depth {block}", lambda b=block: tf.shape(tf.nn.space_to_depth(images, b))[0])
        found |= _values(tf, f"space_to_batch {block}", lambda b=block: tf.shape(tf.space_to_batch(images, [b, b], [[0, 0], [0, 0]]))[0])
        found |= _values(tf, f"batch_to_space {block}", lambda b=block: tf.shape(tf.batch_to_space(rows, [b, b], [[0, 0], [0, 0]]))[0])
    return found


def elements(tf: Any) -> Answers:
    wrong = {"longer": ((2,), [1.0, 2.0, 3.0]), "scalar": ((2,), 1.0), "deeper": ((), [1.0]), "partly": ((None, 2), [[1.0, 2.0, 3.0]])}
    found: Answers = {}

    def written(shape: Any, value: Any, infer: bool) -> Any:
        array = tf.TensorArray(tf.float32, 2, element_shape=shape, infer_shape=infer)
        return array.write(0, value).write(1, value).stack()

    for name, (shape, value) in wrong.items():
        for infer in (True, False):
            given = {"shape": shape, "infer": infer}
            found |= _ways(tf, f"{name} {infer}", lambda value=value, given=given: written(value=value, **given))
            later = tf.function(lambda x, given=given: written(value=x, **given), input_signature=[tf.TensorSpec(None, tf.float32)])
            found[f"{name} {infer} when it runs"] = raises(lambda f=later, value=value: f(value))
    rows = tf.function(
        lambda x: tf.TensorArray(tf.float32, 2, element_shape=(3,)).unstack(x).stack(), input_signature=[tf.TensorSpec(None, tf.float32)]
    )
    found["unstack when it runs"] = raises(lambda: rows(tf.ones([2, 2])))
    found["unstack"] = lambda: rows(tf.ones([2, 3]))
    return found
