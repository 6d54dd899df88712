"""Connectionist temporal classification (Graves et al., 2006) on NumPy arrays: all examples and states at once, frame after frame.

The labels of an example, with blanks between and around them, are a ladder of states; an alignment stays, takes a step, or skips a
blank between two labels that differ.  The loss is minus the logarithm of the sum over alignments, its gradient the difference of
softmax and occupation of classes.  The recursion is written for numbers with infinitesimal parts (`ctc_numbers`), so the same code
gives derivatives along any vectors, which is the product of a higher derivative with them, without ever forming it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np

from . import numbers as numbers
from .numbers import Number

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Labels:
    """What the examples of a batch are to say: labels [batch, length], of which each uses the first `lengths`, in `frames` frames.

    merge: a label may stay for several frames, and equal neighbours need a blank between them.  other: the logarithm of the weight of
    alignments that end elsewhere than at the last label or behind it.
    """

    labels: Array
    lengths: Array
    frames: Array
    blank: int
    merge: bool = True
    other: float = -np.inf

    def states(self) -> Array:
        """The class of each state: [batch, 2 * length + 1]."""
        found = np.full((len(self.labels), 2 * self.labels.shape[1] + 1), self.blank, np.int64)
        found[:, 1::2] = self.labels
        return found

    def close_transitions(self) -> tuple[Array, Array]:
        """What is added to the logarithm for staying in a state, and for reaching it by a skip: 0 or minus infinity."""
        states = self.states()
        label = np.broadcast_to(np.arange(states.shape[1]) % 2 == 1, states.shape)
        skip = np.zeros(states.shape, bool)
        skip[:, 2:] = label[:, 2:] & (states[:, 2:] != states[:, :-2] if self.merge else True)
        return np.where(label & (not self.merge), -np.inf, 0.0), np.where(skip, 0.0, -np.inf)

    def ends(self) -> Array:
        """The logarithm of the weight of ending in each state."""
        at, last = np.arange(2 * self.labels.shape[1] + 1), 2 * self.lengths[:, None]
        return np.where((at == last) | (at == last - 1), 0.0, self.other)


def ctc(logits: Array, given: Labels, vectors: Sequence[Array] = ()) -> tuple[Array, Array]:
    """The loss of each example and its gradient, [frames, batch, classes]; with `vectors`, the derivatives of both along all of them."""
    x = numbers.perturb_along(logits.astype(np.float64), [v.astype(np.float64) for v in vectors])
    frames = np.arange(len(logits))[:, None] < given.frames
    logp = _log_softmax(x)
    states = given.states()
    at = np.broadcast_to(states, (len(logits), *states.shape))
    emit = numbers.map_coefficients(lambda part: np.take_along_axis(part, at, axis=2), logp)
    alpha, beta = _forward_sums(emit, given), _backward_sums(emit, given)
    total = _total(alpha, given)
    inside = frames & np.isfinite(numbers.real_part(total))
    known = numbers.map_real(lambda part: np.where(np.isfinite(part), part, 0.0), total)
    share = numbers.subtract(numbers.add(alpha, beta), numbers.map_coefficients(lambda part: part[None, :, None], known))
    occupied = numbers.exp(numbers.map_real(lambda part: np.where(inside[..., None], part, -np.inf), share))
    classes = (states[..., None] == np.arange(logits.shape[2])).astype(np.float64)
    gradient = numbers.last_coefficient(numbers.exp(logp)) - _sum_by_class(numbers.last_coefficient(occupied), classes)
    return -numbers.last_coefficient(total), np.where(frames[..., None], gradient, 0.0)


def _sum_by_class(states: Array, classes: Array) -> Array:
    """Sums over the states of each class."""
    found: Array = np.matmul(states.transpose(1, 0, 2), classes).transpose(1, 0, 2)
    return found


def _log_softmax(x: Number) -> Number:
    top = numbers.real_part(x).max(axis=2, keepdims=True, initial=-np.inf)
    x = numbers.map_real(lambda part: part - top, x)
    whole = numbers.map_coefficients(lambda part: part.sum(axis=2, keepdims=True), numbers.exp(x))
    return numbers.subtract(x, numbers.log(whole))


def _sum(terms: list[Number]) -> Number:
    """The logarithm of the sum of exponentials."""
    top = np.maximum.reduce([numbers.real_part(t) for t in terms])
    top = np.where(np.isfinite(top), top, 0.0)
    parts = [numbers.exp(numbers.map_real(lambda part: part - top, t)) for t in terms]
    return numbers.map_real(lambda part: part + top, numbers.log(reduce(numbers.add, parts)))


def _move_states(by: int, fill: float, x: Array) -> Array:
    """States `by` further along the ladder (back, where it is negative)."""
    found = np.full_like(x, fill)
    if by > 0:
        found[:, by:] = x[:, :-by]
    else:
        found[:, :by] = x[:, -by:]
    return found


def _move_logarithms(x: Number, by: int) -> Number:
    """The same of logarithms: where there is no state, minus infinity, which has no slope."""
    if isinstance(x, tuple):
        return _move_logarithms(x[0], by), numbers.map_coefficients(partial(_move_states, by, 0.0), x[1])
    return _move_states(by, -np.inf, x)


def _weigh(x: Number, weight: Array) -> Number:
    return numbers.map_real(lambda part: part + weight, x)


def _frame(x: Number, t: int) -> Number:
    return numbers.map_coefficients(lambda part: part[t], x)


def _select(chosen: Array, x: Number, otherwise: float | Array) -> Number:
    """A number where `chosen`, elsewhere another without slopes."""
    if isinstance(x, tuple):
        return _select(chosen, x[0], otherwise), numbers.map_coefficients(lambda part: np.where(chosen, part, 0.0), x[1])
    return np.where(chosen, x, otherwise)


def _forward_sums(emit: Number, given: Labels) -> Number:
    """For each frame and state, the logarithm of the sum over alignments up to there, this frame included."""
    stay, skip = given.close_transitions()
    frames = len(numbers.real_part(emit))
    if not frames:
        return emit
    start = np.arange(stay.shape[1]) < 2
    found = [_select(start, _frame(emit, 0), -np.inf)]
    for t in range(1, frames):
        old = found[-1]
        reached = _sum([_weigh(old, stay), _move_logarithms(old, 1), _weigh(_move_logarithms(old, 2), skip)])
        found.append(numbers.add(reached, _frame(emit, t)))
    return numbers.join_numbers(found)


def _backward_sums(emit: Number, given: Labels) -> Number:
    """For each frame and state, the logarithm of the sum over what may follow, this frame not included."""
    stay, skip = given.close_transitions()
    ends = given.ends()
    frames = len(numbers.real_part(emit))
    if not frames:
        return emit
    found = [numbers.map_real(lambda part: ends, numbers.zeros(_frame(emit, 0)))]
    for t in range(frames - 2, -1, -1):
        ahead = numbers.add(found[-1], _frame(emit, t + 1))
        following = _sum([_weigh(ahead, stay), _move_logarithms(ahead, -1), _move_logarithms(_weigh(ahead, skip), -2)])
        found.append(_select((t < given.frames - 1)[:, None], following, ends))
    return numbers.join_numbers(found[::-1])


def _total(alpha: Number, given: Labels) -> Number:
    """The logarithm of the sum over all alignments of each example; of no frames only the empty alignment is left."""
    nothing = np.where(given.lengths == 0, 0.0, given.other)
    if not len(numbers.real_part(alpha)):
        return _select(np.zeros(len(nothing), bool), numbers.map_coefficients(lambda part: np.zeros(len(nothing)), alpha), nothing)
    examples, at = np.arange(len(given.frames)), np.maximum(given.frames - 1, 0)
    terms = _weigh(numbers.map_coefficients(lambda part: part[at, examples], alpha), given.ends())
    top = numbers.real_part(terms).max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    parts = numbers.exp(numbers.map_real(lambda part: part - top[:, None], terms))
    whole = numbers.log(numbers.map_coefficients(lambda part: part.sum(axis=1), parts))
    return _select(given.frames > 0, numbers.map_real(lambda part: part + top, whole), nothing)
