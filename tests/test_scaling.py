"""`strategy.plan`: what a step would cost on more replicas, from what is measured on one; the clock is the test's own."""

import itertools
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import pullback as tf
from pullback.train import scaling

X = tf.constant(np.ones((64, 1000), np.float32))


@pytest.fixture
def clocked(monkeypatch: pytest.MonkeyPatch) -> Callable[[float, float], Callable[[tf.Tensor], tf.Tensor]]:
    """Makes steps that take a fixed time and a time for each example, by a clock that nothing else moves."""
    now = [0.0]
    monkeypatch.setattr(scaling.time, "perf_counter", lambda: now[0])

    def made(fixed: float, each: float) -> Callable[[tf.Tensor], tf.Tensor]:
        def step(x: tf.Tensor) -> tf.Tensor:
            now[0] += fixed + each * len(x)
            return tf.reduce_sum(x, 0)

        return step

    return made


def plan(step: Callable[[tf.Tensor], object], **options: object) -> scaling.ScalingPlan:
    return tf.distribute.get_strategy().plan(step, X, **{"bandwidth": 1e6, "latency": 1e-4, **options})


@pytest.mark.parametrize(("fixed", "each"), [(0.01, 0.001), (0.01, 0.0), (0.0, 0.002)])
def test_computing_is_a_fixed_part_and_one_for_each_example(clocked: object, fixed: float, each: float) -> None:
    found = plan(clocked(fixed, each), replicas=[1, 3, 64, 100])
    assert (found.fixed, found.each) == pytest.approx((fixed, each), abs=1e-9)
    assert [(cost.replicas, cost.share) for cost in found.costs] == [(1, 64), (3, 22), (64, 1), (100, 1)]
    assert [cost.computing for cost in found.costs] == pytest.approx([fixed + each * share for share in (64, 22, 1, 1)])
    assert found.costs[0].sending == 0.0
    assert found.speedup(found.costs[0]) == pytest.approx(1.0)


def test_sums_in_a_fixed_order_and_of_mpi(clocked: object) -> None:
    """4,000 bytes: small ones go to everyone; 2.56 MB of them in parts."""
    step = clocked(0.1, 0.0)
    small = plan(step, replicas=[2, 4])
    assert (small.dense, small.messages) == (4000, 1)
    assert [cost.sending for cost in small.costs] == pytest.approx([1e-4 + (1e-4 + 4e-3), 3e-4 + 3 * (1e-4 + 4e-3)])
    large = plan(lambda x: (step(x), tf.ones([639, 1000]))[1], replicas=[2, 4])
    assert large.dense == 2_556_000
    assert [cost.sending for cost in large.costs] == pytest.approx([1e-4 + (1e-4 + 2.556), 3e-4 + 6 * (1e-4 + 2.556 / 4)])
    (fast,) = plan(step, replicas=[4], fast=True).costs
    assert fast.sending == pytest.approx(3e-4 + 4e-4 + 2 * 3 / 4 * 4e-3)


def test_replicas_wait_for_the_slowest(monkeypatch: pytest.MonkeyPatch) -> None:
    """One call of five takes twice as long: one replica is slower in 1 step of 5, one of two in 9 of 25, one of many in all."""
    now, calls = [0.0], itertools.count()
    monkeypatch.setattr(scaling.time, "perf_counter", lambda: now[0])

    def step(x: tf.Tensor) -> None:
        now[0] += 0.02 if next(calls) % 5 == 0 else 0.01

    found = plan(step, replicas=[1, 2, 10_000])
    assert [cost.computing for cost in found.costs] == pytest.approx([0.01, 0.01 * 1.36 / 1.2, 0.01 * 2 / 1.2])


def test_what_overlaps_is_not_waited_for(clocked: object) -> None:
    (cost,) = plan(clocked(0.01, 0.0), replicas=[2], overlap=0.25).costs
    assert cost.waiting == pytest.approx(cost.sending - 0.0025)
    assert cost.step == pytest.approx(cost.computing + cost.waiting)
    (hidden,) = plan(clocked(0.1, 0.0), replicas=[2], overlap=0.5).costs
    assert hidden.waiting == 0.0


def test_replicas_that_share_processors_compute_in_turn(clocked: object) -> None:
    found = plan(clocked(0.01, 0.001), replicas=[1, 2, 4, 8], processors=2)
    assert [cost.computing for cost in found.costs] == pytest.approx([0.074, 0.042, 0.026 * 2, 0.018 * 4])


def test_what_does_not_overlap_is_one_sum(clocked: object) -> None:
    step = clocked(0.1, 0.0)

    def several(x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        return step(x), tf.ones([300, 1000]), tf.ones([300, 1000])

    assert plan(several, replicas=[2]).messages == 1
    assert plan(several, replicas=[2], overlap=0.5).messages == 3


def test_sparse_gradients_are_gathered(clocked: object) -> None:
    step = clocked(0.1, 0.0)
    found = plan(lambda x: [tf.IndexedSlices(x, tf.range(len(x) + 0 * int(step(x)[0]))), None], replicas=[2])
    assert (found.dense, found.sparse, found.messages) == (0, 64 * 4004, 2)
    assert found.costs[0].sending == pytest.approx(3e-4 + 32 * 4004 / 1e6)


def test_as_a_table_and_as_a_picture(clocked: object, tmp_path: Path) -> None:
    found = plan(clocked(0.01, 0.001), replicas=[1, 2, 10_000])
    head, titles, *lines = str(found).splitlines()
    assert head == "64 examples, 4 kB of gradients in 1 sums; on one replica 10 ms and 1 ms for each example"
    assert titles.split()[0] == "replicas"
    assert [line.split()[0] for line in lines] == ["1", "2", "10000"]
    found.to_svg(tmp_path / "plan.svg")
    picture = ElementTree.parse(tmp_path / "plan.svg").getroot()
    bars = picture.findall(".//{http://www.w3.org/2000/svg}g/{http://www.w3.org/2000/svg}rect")
    ends = [float(bar.get("x")) + float(bar.get("width")) for bar in bars]
    assert len(bars) == 6
    assert max(ends) <= 90 + 420 + 1e-6
    assert "... " in "".join(picture.itertext()), "a bar that is cut says so"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicas": []}, "replicas are numbers from 1 on"),
        ({"replicas": [0]}, "replicas are numbers from 1 on"),
        ({"bandwidth": 0.0}, "bandwidth is above 0"),
        ({"latency": -1.0}, "latency 0 seconds or more"),
        ({"overlap": 1.5}, "overlap from 0 to 1"),
        ({"processors": 0}, "at least 1 processor"),
    ],
)
def test_numbers_that_are_none(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan(lambda x: x, **options)


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        (tf.constant(1.0), "one first axis of known length"),
        ((tf.ones([2]), tf.ones([3])), "one first axis of known length"),
        (tf.zeros([0, 2]), "there are no examples"),
    ],
)
def test_examples_have_one_first_axis(examples: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tf.distribute.get_strategy().plan(lambda x: x, examples)
