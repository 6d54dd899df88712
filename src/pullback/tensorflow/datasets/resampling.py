"""`rejection_resample`: classes drawn as often as a target says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import float32, int64
from ...control.cond import cond
from ...ir.apply import convert_to_tensor
from ...ir.tensor import IntLike, NumberLike, Tensor
from ...ops.array.basic import fill, shape
from ...ops.array.create import one_hot
from ...ops.array.gather import gather
from ...ops.effects.operations import Print
from ...ops.primitives.cast import cast
from ...ops.random.functions import uniform
from ...ops.reduce.reductions import reduce_max, reduce_min, reduce_sum

if TYPE_CHECKING:
    from .methods import Dataset

_ESTIMATED_TOGETHER = 32  # elements, after which the frequencies are estimated anew
_SEEN_BEFORE = 10  # of each class, so that the first estimate is no extreme


def resample(
    dataset: Dataset, class_func: Callable[..., NumberLike], target_dist: NumberLike, initial_dist: NumberLike | None, seed: IntLike | None
) -> Dataset:
    """Pairs of a class and an element.

    Each is drawn from the dataset as it is, with the probability `m`, or from what is left of it where each class is accepted with a
    probability of its own.  With `m` the smallest ratio of target to frequency, least is thrown away.
    """
    of = type(dataset)
    target = cast(target_dist, float32)

    def acceptance(frequencies: Tensor) -> tuple[Tensor, Tensor]:
        ratio = target / (frequencies + np.finfo(np.float32).tiny)
        least = reduce_min(ratio)
        return (ratio - least) / (reduce_max(ratio) - least), least

    def classify(*element: Any) -> tuple[NumberLike, Any]:
        return class_func(*element), element[0] if len(element) == 1 else element

    known: float | None = None
    if initial_dist is None:
        frequencies = _estimate_classes(dataset.map(class_func), target)
    else:
        given = cast(initial_dist, float32)
        frequencies = of.from_tensors(given).repeat()
        if given.constant is not None and target.constant is not None:
            known = np.min(target.constant / given.constant)
    probabilities = frequencies.map(acceptance)

    def offer_element(accepted: Tensor, element: Any) -> tuple[NumberLike, Tensor, Any]:
        number, _ = pair = classify(*element) if isinstance(element, tuple) else classify(element)
        return number, gather(accepted, number), pair[1]

    accepting = of.zip((probabilities.map(lambda accepted, _: accepted), frequencies)).map(_warn_of_rejections)
    pairs = of.zip((accepting, dataset)).map(offer_element)
    left = pairs.filter(lambda number, probability, element: uniform([], seed=seed) < probability)
    taken = left.map(lambda number, probability, element: (number, element)).prefetch(3)
    if known == 0:
        return taken
    whole = dataset.map(classify)
    if known == 1:
        return whole
    weights = probabilities.map(lambda _, original: convert_to_tensor([original, 1.0 - original]))
    return of.sample_from_datasets([whole, taken], weights, seed, stop_on_empty_dataset=True)


def _warn_of_rejections(accepted: Tensor, frequencies: Tensor) -> Tensor:
    """The probabilities, with a word about them where they reject more than half."""
    rejected = reduce_sum((1.0 - accepted) * frequencies)
    message = "Proportion of examples rejected by sampler is high: "
    told = lambda: Print(accepted, [rejected, frequencies, accepted], message, first_n=10, summarize=100)
    return cond(rejected < 0.5, lambda: accepted, told)


def _estimate_classes(classes: Dataset, target: Tensor) -> Dataset:
    """For each element, how often each class comes among those so far."""
    count = shape(target)[0]

    def estimate(seen: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor]:
        seen = seen + reduce_sum(one_hot(numbers, count, dtype=int64), 0)
        frequencies = cast(seen / reduce_sum(seen), float32)
        return seen, frequencies[None] * np.ones((_ESTIMATED_TOGETHER, 1), np.float32)

    return classes.batch(_ESTIMATED_TOGETHER).scan(fill([count], np.int64(_SEEN_BEFORE)), estimate).unbatch()
