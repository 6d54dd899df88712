"""Threads that share a session, stop together, and report the first exception."""

import threading

import pytest

import pullback

v1 = pullback.compat.v1


def test_threads_train_one_graph_together() -> None:
    coordinator = v1.train.Coordinator()
    graph = v1.Graph()
    with graph.as_default():
        x = v1.Variable(0.0)
        add = x.assign_add(1.0)
        sess = v1.Session(graph=graph)
        sess.run(x.initializer)

    def work() -> None:
        with coordinator.stop_on_exception():
            while not coordinator.should_stop():
                if sess.run(add) >= 200:
                    coordinator.request_stop()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    coordinator.join(threads)
    assert coordinator.joined and coordinator.should_stop()
    assert 200 <= sess.run(x) <= 203


def test_the_first_exception_is_raised_by_join() -> None:
    coordinator = v1.train.Coordinator()

    def fail() -> None:
        with coordinator.stop_on_exception():
            raise KeyError("mine")

    def wait() -> None:
        assert coordinator.wait_for_stop(10)

    threads = [threading.Thread(target=fail), threading.Thread(target=wait)]
    for thread in threads:
        coordinator.register_thread(thread)
        thread.start()
    with pytest.raises(KeyError, match="mine"):
        coordinator.join()
    coordinator.clear_stop()
    assert not coordinator.should_stop() and not coordinator.joined
    coordinator.request_stop(ValueError("later"))
    with pytest.raises(ValueError, match="later"):
        coordinator.raise_requested_exception()


def test_the_end_of_the_data_is_no_error() -> None:
    coordinator = v1.train.Coordinator()
    coordinator.request_stop(pullback.errors.OutOfRangeError(None, None, "end"))
    coordinator.join()
    other = v1.train.Coordinator(clean_stop_exception_types=(KeyError,))
    other.request_stop(KeyError())
    other.join()


def test_threads_that_go_on() -> None:
    coordinator, end = v1.train.Coordinator(), threading.Event()
    thread = threading.Thread(target=end.wait, name="stubborn")
    thread.start()
    coordinator.request_stop()
    with pytest.raises(RuntimeError, match="threads still running: stubborn"):
        coordinator.join([thread], stop_grace_period_secs=0.05)
    coordinator.join([thread], stop_grace_period_secs=0.05, ignore_live_threads=True)
    end.set()
    thread.join()
