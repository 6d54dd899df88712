"""Threads that share variables, generators and functions."""

import threading
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.ops.state.locks import lock_all, lock_together, run_alone
from pullback.ops.state.variables import Storage
from tests.against.threads import DRAWS, UPDATES, together


@pytest.mark.parametrize("name", [*UPDATES, *DRAWS])
def test_nothing_is_lost_and_nothing_comes_twice(name: str) -> None:
    work, lost = (UPDATES | DRAWS)[name]()
    raised = together(work, 60, 8)
    assert not raised
    assert lost(480) == 0


def test_a_function_is_traced_and_makes_its_variables_once() -> None:
    made: list[Any] = []

    @tf.function
    def count() -> None:
        if not made:
            made.append(tf.Variable(0.0))
        made[0].assign_add(1.0)

    assert not together(count, 10, 8)
    assert len(made) == 1 and made[0].numpy() == 80.0


@pytest.mark.parametrize("options", [{"size": 480}, {"size": 0, "dynamic_size": True}], ids=["fixed", "growing"])
def test_no_write_to_a_tensor_array_is_lost(options: dict[str, Any]) -> None:
    array = tf.TensorArray(tf.int32, clear_after_read=False, **options)
    places = iter(range(480))

    def write() -> None:
        place = next(places)
        array.write(place, place)

    assert not together(write, 60, 8)
    assert array.stack().numpy().tolist() == list(range(480))


def test_threads_differentiate_one_function_at_once() -> None:
    w, x = tf.Variable([0.5, 2.0]), tf.constant([0.1, 0.2])
    inner = tf.function(lambda x: tf.tanh(x * w))
    f = tf.function(lambda x: tf.reduce_sum(inner(x) * tf.exp(x * w)))
    found = []

    def derive() -> None:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            first, of_w = tape.gradient(y, [x, w])
            total = tf.reduce_sum(first**2)
        found.append(np.concatenate([g.numpy() for g in (first, of_w, outer.gradient(total, x))]))

    assert not together(derive, 4, 8)
    np.testing.assert_allclose(found, [found[0]] * 32, rtol=1e-6)


def test_a_run_that_fails_takes_back_what_it_wrote_and_not_what_others_did() -> None:
    v = tf.Variable(1.0)
    other = threading.Thread(target=lambda: v.assign_add(10.0))

    def meanwhile() -> np.ndarray:
        other.start()
        other.join()
        raise ValueError("after all")

    @tf.function
    def fails() -> None:
        v.assign_add(1.0)
        tf.py_function(meanwhile, [], [])

    with pytest.raises(tf.errors.InvalidArgumentError):
        fails()
    assert v.numpy() == 12.0


def test_locks_are_exchanged_only_while_nobody_relies_on_them() -> None:
    a, b = (Storage(name, tf.float32, (), np.zeros((), np.float32)) for name in "ab")
    with lock_all([a]):
        lock_together([a, b])
        assert a.lock is not b.lock
    lock_together([a, b])
    assert a.lock is b.lock
    entered, leave, order = threading.Event(), threading.Event(), []

    def hold() -> None:
        with lock_all([a, b]):
            entered.set()
            leave.wait()
            order.append("holder")

    holder = threading.Thread(target=hold)
    waiter = threading.Thread(target=lambda: run_alone(b, order.append, "waiter"))
    holder.start()
    entered.wait()
    waiter.start()
    leave.set()
    holder.join()
    waiter.join()
    assert order == ["holder", "waiter"]
