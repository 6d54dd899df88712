"""Datasets of TensorFlow 1: one-shot, initializable, reinitializable and feedable iterators, which sessions run."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v1"


def _drain(tf: Any, session: Any, fetched: Any, feed: Any = None) -> list[Any]:
    found = []
    while len(found) < 40:
        try:
            found.append(session.run(fetched, feed))
        except tf.errors.OutOfRangeError:
            return [*found, "end"]
    return found


def iterators(tf: Any) -> Answers:
    of = tf.data.Dataset

    def one_shot() -> Any:
        with tf.Graph().as_default():
            following = of.from_tensor_slices(([1, 2, 3], ["a", "b", "c"])).map(lambda i, s: {"i": i * 2, "s": s}).make_one_shot_iterator().get_next()
            with tf.Session() as first:
                found = _drain(tf, first, following)
            with tf.Session() as second:
                return [found, _drain(tf, second, following)]

    def initializable() -> Any:
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None, 2])
            iterator = of.from_tensor_slices(x).batch(2).make_initializable_iterator()
            following = iterator.get_next()
            with tf.Session() as session:
                session.run(iterator.initializer, {x: np.ones((3, 2), np.float32)})
                found = _drain(tf, session, following)
                session.run(iterator.initializer, {x: np.zeros((1, 2), np.float32)})
                return [*found, *_drain(tf, session, following), str(following.shape)]

    def reinitializable() -> Any:
        with tf.Graph().as_default():
            train, test = of.range(3), of.range(10, 12).map(lambda i: i + 0)
            iterator = tf.data.Iterator.from_structure(train.output_types, train.output_shapes)
            following, starts = iterator.get_next(), [iterator.make_initializer(d) for d in (train, test)]
            with tf.Session() as session:
                found = []
                for start in (*starts, starts[0]):
                    session.run(start)
                    found.append(_drain(tf, session, following))
                return found

    def feedable() -> Any:
        with tf.Graph().as_default():
            train, test = of.range(5).repeat(), of.range(100, 103)
            handle = tf.placeholder(tf.string, [])
            following = tf.data.Iterator.from_string_handle(handle, train.output_types, train.output_shapes).get_next()
            one, other = train.make_one_shot_iterator(), test.make_initializable_iterator()
            with tf.Session() as session:
                handles = session.run([one.string_handle(), other.string_handle()])
                found = []
                for _ in range(2):
                    found += [session.run(following, {handle: handles[0]}) for _ in range(3)]
                    session.run(other.initializer)
                    found += _drain(tf, session, following, {handle: handles[1]})
                return [found, handles[0] != handles[1]]

    def variables() -> Any:
        with tf.Graph().as_default():
            v = tf.get_variable("v", initializer=3.0, use_resource=True)
            iterator = of.from_tensor_slices([1.0, 2.0]).map(lambda x: x * v).make_initializable_iterator()
            following = iterator.get_next()
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                session.run(iterator.initializer)
                first = _drain(tf, session, following)
                session.run([v.assign(10.0)])
                session.run(iterator.initializer)
                return [first, _drain(tf, session, following)]

    def trained() -> Any:
        with tf.Graph().as_default():
            x, y = of.from_tensor_slices((np.arange(4.0, dtype=np.float32), np.arange(4.0, dtype=np.float32) * 2)).repeat(5).batch(2).make_one_shot_iterator().get_next()
            w = tf.Variable(0.0)
            loss = tf.reduce_mean(tf.square(w * x - y))
            step = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                found = _drain(tf, session, [loss, step])
                return [[f[0] for f in found[:-1]], session.run(w)]

    def together() -> Any:
        with tf.Graph().as_default():
            following = of.range(9).make_one_shot_iterator().get_next()
            with tf.Session() as session:
                return [session.run([following, following + 100]), session.run([following, following + 100])]

    def optionals() -> Any:
        with tf.Graph().as_default():
            iterator = of.range(1).make_one_shot_iterator()
            o = tf.data.experimental.get_next_as_optional(iterator)
            there, value = o.has_value(), tf.cond(o.has_value(), o.get_value, lambda: tf.constant(-1, tf.int64))
            with tf.Session() as session:
                return [session.run([there, value]), session.run([there, value])]

    def shuffled() -> Any:
        with tf.Graph().as_default():
            tf.set_random_seed(3)
            one = of.range(6).shuffle(6, seed=1).make_initializable_iterator()
            two = of.range(6).shuffle(4).make_initializable_iterator()
            three = of.range(4).shuffle(3, seed=2).repeat(2).make_initializable_iterator()
            following = [i.get_next() for i in (one, two, three)]
            with tf.Session() as session:
                found = []
                for _ in range(2):
                    session.run([i.initializer for i in (one, two, three)])
                    found.append([_drain(tf, session, f) for f in following])
                return found

    def described() -> Any:
        with tf.Graph().as_default():
            d = of.from_tensor_slices({"a": [[1.0, 2.0]], "b": ["x"]}).batch(2)
            i = d.make_one_shot_iterator()
            return [d.output_types, d.output_shapes, str(d.output_classes).count('Tensor'), i.output_types, str(i.output_shapes), tf.data.get_output_types(d), tf.data.get_output_shapes(d), tf.data.get_output_classes(i)['a'] is tf.Tensor, str(d.element_spec)]

    def generated() -> Any:
        with tf.Graph().as_default():
            following = of.from_generator(lambda: iter([1, 2]), tf.int32, []).make_one_shot_iterator().get_next()
            with tf.Session() as session:
                return _drain(tf, session, following)

    def sized() -> Any:
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run([of.range(7).batch(2).cardinality(), of.range(4).reduce(tf.constant(0, tf.int64), lambda s, i: s + i), of.from_tensors((1, "a")).get_single_element()])

    def captured() -> Any:
        with tf.Graph().as_default():
            n = tf.placeholder(tf.int64, [])
            total = of.range(n).map(lambda i: i * n).filter(lambda i: i > n).reduce(tf.constant(0, tf.int64), lambda s, i: s + i)
            with tf.Session() as session:
                return [session.run(total, {n: k}) for k in (3, 5)]

    functions = (one_shot, initializable, reinitializable, feedable, variables, trained, together, optionals, shuffled, described, generated, sized, captured)
    return {f.__name__: f for f in functions}


def refused(tf: Any) -> Answers:
    of = tf.data.Dataset

    def run(make: Any) -> Any:
        def call() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                return session.run(make())

        return raises(call)

    def other_types() -> Any:
        return tf.data.Iterator.from_structure(tf.int64, []).make_initializer(of.from_tensors("a"))

    def other_shapes() -> Any:
        return tf.data.Iterator.from_structure(tf.int64, []).make_initializer(of.range(3).batch(2))

    def variable() -> Any:
        v = tf.get_variable("v", initializer=3.0, use_resource=True)
        return of.range(3).map(lambda i: tf.cast(i, tf.float32) * v).make_one_shot_iterator()

    def dropped() -> Any:
        return tf.data.Iterator.from_string_handle("nobody", tf.int64, []).get_next()

    calls = {
        "not initialized": lambda: of.range(3).make_initializable_iterator().get_next(), "end": lambda: of.range(0).make_one_shot_iterator().get_next(), "other types": other_types,
        "other shapes": other_shapes, "placeholder": lambda: of.range(tf.placeholder(tf.int64, [])).make_one_shot_iterator(), "variable": variable, "dropped": dropped,
        "no initializer": lambda: of.range(3).make_one_shot_iterator().initializer, "python": lambda: list(of.range(3)), "numpy": lambda: list(of.range(3).as_numpy_iterator()), "len": lambda: len(of.range(3)),
    }  # fmt: skip
    return {name: run(call) for name, call in calls.items()}
