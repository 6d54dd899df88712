"""TensorFlow 1's optimizers: trajectories, slots, names, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raised, raises

FACE = "v1"

Make = Callable[[Any], Any]

OPTIMIZERS: dict[str, Make] = {
    "gradient descent": lambda tf: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda tf: tf.train.AdamOptimizer(0.1),
    "adam, own betas": lambda tf: tf.train.AdamOptimizer(0.05, beta1=0.7, beta2=0.9, epsilon=0.1),
    "rmsprop": lambda tf: tf.train.RMSPropOptimizer(0.1),
    "rmsprop, momentum": lambda tf: tf.train.RMSPropOptimizer(0.1, decay=0.8, momentum=0.5, epsilon=1e-3),
    "rmsprop, centered": lambda tf: tf.train.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
    "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1),
    "adagrad, own start": lambda tf: tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.5),
    "adadelta": lambda tf: tf.train.AdadeltaOptimizer(1.0),
    "adadelta, own rho": lambda tf: tf.train.AdadeltaOptimizer(0.5, rho=0.8, epsilon=1e-2),
    "ftrl": lambda tf: tf.train.FtrlOptimizer(0.1),
    "ftrl, regularized": lambda tf: tf.train.FtrlOptimizer(0.5, l1_regularization_strength=0.05, l2_regularization_strength=0.1),
    "ftrl, power": lambda tf: tf.train.FtrlOptimizer(0.5, learning_rate_power=-0.3, initial_accumulator_value=0.2),
    "ftrl, shrinkage": lambda tf: tf.train.FtrlOptimizer(0.5, l2_shrinkage_regularization_strength=0.1),
    "proximal descent": lambda tf: tf.train.ProximalGradientDescentOptimizer(0.1),
    "proximal descent, regularized": lambda tf: tf.train.ProximalGradientDescentOptimizer(
        0.2, l1_regularization_strength=0.3, l2_regularization_strength=0.4
    ),
    "proximal adagrad": lambda tf: tf.train.ProximalAdagradOptimizer(0.1),
    "proximal adagrad, regularized": lambda tf: tf.train.ProximalAdagradOptimizer(0.3, 0.5, 0.4, 0.2),
    "adagrad by dual averaging": lambda tf: tf.train.AdagradDAOptimizer(0.3, tf.train.get_or_create_global_step()),
    "adagrad by dual averaging, regularized": lambda tf: tf.train.AdagradDAOptimizer(
        0.3, tf.train.get_or_create_global_step(), 0.2, l1_regularization_strength=0.05, l2_regularization_strength=0.4
    ),
    "ftrl, beta": lambda tf: tf.train.FtrlOptimizer(0.5, beta=0.3),
}


def _in_graph(tf: Any, build: Callable[[], Any]) -> Any:
    with tf.Graph().as_default():
        return build()


def _steps(tf: Any, train: Any, watched: list[Any], feeds: list[dict[Any, Any]]) -> list[Any]:
    """The watched variables after each step."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = []
        for feed in feeds:
            session.run(train, feed)
            path.append(session.run(watched))
    return path


def _slots(optimizer: Any, *variables: Any) -> list[Any]:
    return [optimizer.get_slot(v, name) for name in optimizer.get_slot_names() for v in variables]


def _dense(tf: Any, make: Make, dtype: str = "float32") -> Any:
    v = tf.Variable(np.array([1.0, -2.0, 0.5], dtype), name="v")
    w = tf.Variable(np.array(3.0, dtype), name="w")
    scale = tf.placeholder(dtype, [])
    loss = tf.reduce_sum(scale * v * v * w) + w * w
    optimizer = make(tf)
    train = optimizer.minimize(loss, global_step=tf.train.get_global_step())
    return _steps(tf, train, [v, w, *_slots(optimizer, v, w)], [{scale: s} for s in (0.1, 0.5, -0.3, 0.2)])


def dense_paths(tf: Any) -> dict[str, Any]:
    return {name: lambda make=make: _in_graph(tf, lambda: _dense(tf, make)) for name, make in OPTIMIZERS.items()}


def dense_paths_float64(tf: Any) -> dict[str, Any]:
    makes = {name: make for name, make in OPTIMIZERS.items() if "proximal" not in name}  # TensorFlow's make their numbers float32
    return {name: lambda make=make: _in_graph(tf, lambda: _dense(tf, make, "float64")) for name, make in makes.items()}


def dense_paths_float16(tf: Any) -> dict[str, Any]:
    names = ["gradient descent", "momentum", "adagrad"]
    return {name: lambda make=OPTIMIZERS[name]: _in_graph(tf, lambda: _dense(tf, make, "float16")) for name in names}


def _sparse(tf: Any, make: Make, index: str) -> Any:
    table = tf.Variable(np.arange(10.0, dtype=np.float32).reshape(5, 2) / 5, name="table")
    rows = tf.placeholder(index, [None])
    rates = tf.placeholder("float32", [None, 2])
    loss = tf.reduce_sum(tf.gather(table, rows) * rates)
    optimizer = make(tf)
    train = optimizer.minimize(loss)
    feeds = [
        {rows: [3, 0, 3], rates: [[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]]},
        {rows: [1], rates: [[1.0, -1.0]]},
        {rows: [3, 3, 3, 4], rates: np.linspace(-0.5, 0.8, 8).reshape(4, 2)},
    ]
    return _steps(tf, train, [table, *_slots(optimizer, table)], feeds)


def sparse_paths(tf: Any) -> dict[str, Any]:
    return {name: lambda make=make: _in_graph(tf, lambda: _sparse(tf, make, "int32")) for name, make in OPTIMIZERS.items()}


def sparse_paths_int64(tf: Any) -> dict[str, Any]:
    names = ["gradient descent", "adam", "rmsprop, centered", "nesterov"]
    return {name: lambda make=OPTIMIZERS[name]: _in_graph(tf, lambda: _sparse(tf, make, "int64")) for name in names}


def _names(tf: Any, make: Make) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="table")
    loss = tf.reduce_sum(v * v * w) + tf.reduce_sum(tf.gather(table, [0, 0]))
    optimizer = make(tf)
    train = optimizer.minimize(loss)
    again = optimizer.minimize(loss, name="again")
    slots = {name: optimizer.get_slot(w, name).name for name in optimizer.get_slot_names()}
    return {
        "train op": train.name,
        "train op, named": again.name,
        "optimizer": optimizer.get_name(),
        "slots": slots,
        "no such slot": optimizer.get_slot(v, "nothing"),
        "of the optimizer": [x.name for x in optimizer.variables()],
        "global": [x.name for x in tf.global_variables()],
        "trainable": [x.name for x in tf.trainable_variables()],
        "collected": [x.name for x in tf.get_collection(tf.GraphKeys.TRAIN_OP)],
    }


def names(tf: Any) -> dict[str, Any]:
    return {name: lambda make=make: _in_graph(tf, lambda: _names(tf, make)) for name, make in OPTIMIZERS.items()}


def two_optimizers_on_one_variable(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    one, two = tf.train.AdamOptimizer(0.1), tf.train.AdamOptimizer(0.2)
    trains = [one.minimize(tf.reduce_sum(v * v)), two.minimize(tf.reduce_sum(v * 3.0))]
    return {
        "train ops": [t.name for t in trains],
        "first": [x.name for x in one.variables()],
        "second": [x.name for x in two.variables()],
        "steps": _steps(tf, trains[0], [v, *one.variables()], [{}, {}]),
    }


def global_steps(tf: Any) -> dict[str, Any]:
    v = tf.Variable(2.0, name="v")
    step = tf.train.get_or_create_global_step()
    own = tf.Variable(5, name="own", trainable=False)
    sgd = tf.train.GradientDescentOptimizer(0.1)
    a = sgd.minimize(v * v, global_step=step)
    b = sgd.apply_gradients([(tf.constant(1.0), v)], global_step=own, name="mine")
    return {
        "names": [a.name, b.name, step.name],
        "the same again": tf.train.get_or_create_global_step() is step,
        "found": tf.train.get_global_step() is step,
        "dtype": step.dtype.base_dtype,
        "counts": _steps(tf, a, [step, own, v], [{}, {}]),
        "own counts": _steps(tf, b, [step, own, v], [{}, {}]),
        "trainable": step.trainable,
        "in a session": lambda: _global_step_value(tf, step, a),
        "made twice": raises(lambda: tf.train.create_global_step(), "global_step"),
    }


def _global_step_value(tf: Any, step: Any, train: Any) -> int:
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        return int(tf.train.global_step(session, step))


def no_global_step(tf: Any) -> dict[str, Any]:
    return {"none": tf.train.get_global_step()}


def compute_gradients(tf: Any) -> dict[str, Any]:
    x = tf.Variable([1.0, 2.0], name="x")
    y = tf.Variable(3.0, name="y")
    z = tf.Variable(4.0, name="z", trainable=False)
    loss = tf.reduce_sum(x * x * y + z)
    sgd = tf.train.GradientDescentOptimizer(0.1)

    def found(**options: Any) -> list[Any]:
        pairs = sgd.compute_gradients(options.pop("loss", loss), **options)
        live = [g for g, _ in pairs if g is not None]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            values = iter(session.run(live))
        return [[v.name, None if g is None else next(values)] for g, v in pairs]

    return {
        "all": found(),
        "some": found(var_list=[y]),
        "tuple": found(var_list=(y, x)),
        "one": found(var_list=x),
        "not trainable": found(var_list=[z]),
        "unconnected": found(loss=y * y),
        "grad_loss": found(grad_loss=tf.constant(2.0)),
        "gate none": found(gate_gradients=tf.train.Optimizer.GATE_NONE),
        "gate graph": found(gate_gradients=tf.train.Optimizer.GATE_GRAPH),
        "aggregation": found(aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE),
        "colocated": found(colocate_gradients_with_ops=True),
        "vector loss": found(loss=x * y),
        "callable loss": found(loss=lambda: tf.reduce_sum(x * y), var_list=[x, y]),
        "gates": [tf.train.Optimizer.GATE_NONE, tf.train.Optimizer.GATE_OP, tf.train.Optimizer.GATE_GRAPH],
    }


def clipped(tf: Any) -> dict[str, Any]:
    v = tf.Variable([3.0, 4.0], name="v")
    w = tf.Variable(1.0, name="w")
    unused = tf.Variable(1.0, name="unused")
    sgd = tf.train.GradientDescentOptimizer(1.0)
    pairs = sgd.compute_gradients(tf.reduce_sum(v * v) * w)
    gradients, norm = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)
    train = sgd.apply_gradients(list(zip(gradients, [x for _, x in pairs], strict=True)))
    return {"steps": _steps(tf, train, [v, w, unused], [{}, {}]), "norm": lambda: _steps(tf, train, [norm], [{}])}


def learning_rates(tf: Any) -> dict[str, Any]:
    def path(rate: Any, make: Callable[[Any], Any] | None = None, feeds: list[dict[Any, Any]] | None = None) -> Any:
        v = tf.Variable([1.0, 2.0])
        optimizer = (make or tf.train.GradientDescentOptimizer)(rate)
        return _steps(tf, optimizer.minimize(tf.reduce_sum(v * v)), [v], feeds or [{}, {}])

    fed = tf.placeholder(tf.float32, [])
    rate = tf.Variable(0.25, trainable=False)
    step = tf.train.get_or_create_global_step()
    decayed = tf.train.exponential_decay(0.3, step, 1, 0.5)
    v = tf.Variable([1.0, 2.0])
    return {
        "number": path(0.1),
        "integer": path(1),
        "numpy": path(np.float64(0.1)),
        "tensor": path(tf.constant(0.1)),
        "callable": path(lambda: 0.1),
        "placeholder": path(fed, feeds=[{fed: 0.1}, {fed: 0.2}]),
        "variable": path(rate),
        "adam, placeholder": path(fed, tf.train.AdamOptimizer, [{fed: 0.1}, {fed: 0.2}]),
        "momentum, placeholder": path(fed, lambda r: tf.train.MomentumOptimizer(r, 0.5), [{fed: 0.1}, {fed: 0.2}]),
        "momentum, callable": path(0.1, lambda r: tf.train.MomentumOptimizer(r, lambda: 0.5)),
        "decayed": _steps(
            tf, tf.train.GradientDescentOptimizer(decayed).minimize(tf.reduce_sum(v * v), global_step=step), [v, step], [{}, {}, {}]
        ),
    }


def constraints(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, -2.0, 0.5], constraint=lambda x: tf.clip_by_value(x, -1.0, 1.0))
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(v * v * v))
    table = tf.Variable([[1.0], [2.0]], constraint=tf.nn.relu)
    return {
        "applied": _steps(tf, train, [v], [{}, {}]),
        "sparse": raises(lambda: tf.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(tf.gather(table, [0]))), "constraint"),
    }


def gradients_of_other_kinds(tf: Any) -> dict[str, Any]:
    def path(*gradients: Any) -> Any:
        variables = [tf.Variable([1.0, 2.0]) for _ in gradients]
        train = tf.train.GradientDescentOptimizer(0.1).apply_gradients(list(zip(gradients, variables, strict=True)))
        return _steps(tf, train, variables, [{}])

    table = tf.Variable([[1.0], [2.0], [3.0]])
    slices = tf.IndexedSlices(tf.constant([[1.0], [10.0]]), tf.constant([2, 2]))
    return {
        "list": path([1.0, 2.0]),
        "array": path(np.array([1.0, 2.0], np.float32)),
        "one None": path(None, tf.constant([1.0, 2.0])),
        "slices": _steps(tf, tf.train.GradientDescentOptimizer(0.1).apply_gradients([(slices, table)]), [table], [{}]),
    }


def refused(tf: Any) -> dict[str, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    lonely = tf.Variable(1.0, name="lonely")
    count = tf.Variable(3, name="count")
    loss = tf.reduce_sum(v * v)
    sgd = tf.train.GradientDescentOptimizer(0.1)
    return {
        "no variables": raises(lambda: _in_graph(tf, lambda: sgd.minimize(tf.constant(1.0))), "No variables to optimize"),
        "empty list": raises(lambda: sgd.minimize(loss, var_list=[]), "No variables to optimize"),
        "no gradients": raises(lambda: sgd.minimize(loss, var_list=[lonely]), "No gradients provided for any variable", "lonely"),
        "all None": raises(lambda: sgd.apply_gradients([(None, lonely)]), "No gradients provided for any variable", "lonely"),
        "apply nothing": raises(lambda: sgd.apply_gradients([]), "No variables provided"),
        "integer loss": raises(lambda: sgd.compute_gradients(count * count, [count]), "Invalid type", "int32"),
        "integer grad_loss": raises(lambda: sgd.compute_gradients(loss, grad_loss=tf.constant(1)), "Invalid type", "int32"),
        "bad gate": raises(lambda: sgd.compute_gradients(loss, gate_gradients=5), "gate_gradients"),
        "not pairs": raises(lambda: sgd.apply_gradients([v]), otherwise=("TypeError",)),
        "wrong shape": raises(lambda: sgd.apply_gradients([(tf.constant([1.0, 2.0, 3.0]), v)])),
        "wrong dtype": ours(
            raised("TypeError", "ValueError", says=("float64", "float32")),
            raises(lambda: sgd.apply_gradients([(tf.constant([1.0, 2.0], tf.float64), v)])),
        ),
        "tensor for a variable": raises(lambda: sgd.minimize(loss, var_list=[tf.constant(1.0)])),
        "no name": raises(lambda: tf.train.Optimizer(False, "")),
        "negative power": raises(lambda: tf.train.FtrlOptimizer(0.1, learning_rate_power=1.0), "learning_rate_power"),
        "negative start": raises(lambda: tf.train.FtrlOptimizer(0.1, initial_accumulator_value=-1.0), "initial_accumulator_value"),
        "negative l1": raises(lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=-1.0), "l1_regularization_strength"),
        "negative l2": raises(lambda: tf.train.FtrlOptimizer(0.1, l2_regularization_strength=-1.0), "l2_regularization_strength"),
        "negative adagrad start": raises(
            lambda: tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.0), "initial_accumulator_value"
        ),
    }


def a_failed_step_changes_nothing(tf: Any) -> dict[str, Any]:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    wanted = tf.placeholder(tf.float32, [None])
    loss = tf.reduce_sum(v * wanted) + w * w
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)

    def values() -> Any:
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            try:
                session.run(train, {wanted: [1.0, 2.0, 3.0]})
            except tf.errors.InvalidArgumentError:
                return session.run(tf.global_variables())
        return None

    untouched = [np.array([1.0, 2.0], np.float32), np.float32(3.0), np.zeros(2, np.float32), np.float32(0.0)]
    return {"values": ours([np.asarray(x) for x in untouched], values)}


def moving_averages(tf: Any) -> dict[str, Any]:
    def path(make: Callable[[], Any], changes: int = 3) -> Any:
        v = tf.Variable([1.0, 2.0], name="v")
        average = make()
        kept = average.apply([v])
        bump = tf.assign_add(v, [1.0, -1.0])
        out = []
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(changes):
                session.run(bump)
                session.run(kept)
                out.append(session.run(average.average(v)))
        return out

    def path_of_tensor(make: Callable[[], Any]) -> Any:
        fed = tf.placeholder(tf.float32, [])
        average = make()
        kept = average.apply([fed])
        return _steps(tf, kept, [average.average(fed)], [{fed: 1.0}, {fed: 2.0}, {fed: -4.0}])

    steps = tf.Variable(4, trainable=False)
    v = tf.Variable([1.0, 2.0], name="named")
    average = tf.train.ExponentialMovingAverage(0.9)
    average.apply([v])
    return {
        "plain": path(lambda: tf.train.ExponentialMovingAverage(0.9)),
        "counted": path(lambda: tf.train.ExponentialMovingAverage(0.9, num_updates=steps)),
        "debiased": path(lambda: tf.train.ExponentialMovingAverage(0.9, zero_debias=True)),
        "tensor": path_of_tensor(lambda: tf.train.ExponentialMovingAverage(0.9)),
        "tensor, debiased": path_of_tensor(lambda: tf.train.ExponentialMovingAverage(0.9, zero_debias=True)),
        "name": average.average_name(v),
        "variable": average.average(v).name,
        "to restore": sorted(average.variables_to_restore([v])),
        "unknown": average.average(steps),
    }
