"""Connectionist temporal classification (Graves et al., 2006) on NumPy arrays: all examples and states at once, frame after frame.

The labels of an example, with blanks between and around them, are a ladder of states; an alignment stays, takes a step, or skips a
blank between two labels that differ.  The loss is minus the logarithm of the sum over alignments, its gradient the difference of
softmax and occupation of classes.  With `vector` the same recursion carries slopes along it, which gives the product of the second
derivative with `vector` without ever forming it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Slope = Array | None


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

    def closed(self) -> tuple[Array, Array]:
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


def ctc(logits: Array, given: Labels, vector: Slope = None) -> tuple[Array, Array]:
    """The loss of each example and its gradient, [frames, batch, classes]; with `vector`, the slopes of both along it."""
    logp, d_logp = _log_softmax(logits.astype(np.float64), None if vector is None else vector.astype(np.float64))
    states, ends = given.states(), given.ends()
    at = np.broadcast_to(states, (len(logp), *states.shape))
    emit = np.take_along_axis(logp, at, axis=2)
    d_emit = None if d_logp is None else np.take_along_axis(d_logp, at, axis=2)
    alpha, d_alpha = _forwards(emit, d_emit, given)
    beta, d_beta = _backwards(emit, d_emit, given)
    total, d_total = _total(alpha, d_alpha, ends, given)
    share = alpha + beta - np.where(np.isfinite(total), total, 0.0)[None, :, None]
    inside = (np.arange(len(logp))[:, None] < given.frames) & np.isfinite(total)
    occupied = np.exp(np.where(inside[..., None], share, -np.inf))
    classes = (states[..., None] == np.arange(logits.shape[2])).astype(np.float64)
    p, counted = np.exp(logp), (np.arange(len(logp))[:, None] < given.frames)[..., None]
    if d_logp is None or d_alpha is None or d_beta is None or d_total is None:
        return -total, np.where(counted, p - _by_class(occupied, classes), 0.0)
    slope = occupied * (d_alpha + d_beta - d_total[None, :, None])
    return -d_total, np.where(counted, p * d_logp - _by_class(slope, classes), 0.0)


def _by_class(states: Array, classes: Array) -> Array:
    """Sums over the states of each class."""
    found: Array = np.matmul(states.transpose(1, 0, 2), classes).transpose(1, 0, 2)
    return found


def _log_softmax(x: Array, vector: Slope) -> tuple[Array, Slope]:
    x = x - x.max(axis=2, keepdims=True, initial=-np.inf)
    logp = x - np.log(np.exp(x).sum(axis=2, keepdims=True))
    return logp, None if vector is None else vector - (np.exp(logp) * vector).sum(axis=2, keepdims=True)


def _sum(terms: list[Array], slopes: list[Array] | None) -> tuple[Array, Slope]:
    """The logarithm of the sum of exponentials, and its slope."""
    top = np.maximum.reduce(terms)
    top = np.where(np.isfinite(top), top, 0.0)
    parts = [np.exp(t - top) for t in terms]
    whole: Array = np.add.reduce(parts)
    found = np.log(whole) + top
    if slopes is None:
        return found, None
    slope: Array = np.add.reduce([p * d for p, d in zip(parts, slopes, strict=True)]) / np.where(whole > 0, whole, 1.0)
    return found, slope


def _moved(x: Array, by: int, fill: float) -> Array:
    """States `by` further along the ladder (back, where it is negative)."""
    found = np.full_like(x, fill)
    if by > 0:
        found[:, by:] = x[:, :-by]
    else:
        found[:, :by] = x[:, -by:]
    return found


def _forwards(emit: Array, d_emit: Slope, given: Labels) -> tuple[Array, Slope]:
    """For each frame and state, the logarithm of the sum over alignments up to there, this frame included."""
    stay, skip = given.closed()
    alpha, d_alpha = np.full(emit.shape, -np.inf), None if d_emit is None else np.zeros(emit.shape)
    if not len(emit):
        return alpha, d_alpha
    alpha[0, :, :2] = emit[0, :, :2]
    if d_alpha is not None and d_emit is not None:
        d_alpha[0, :, :2] = d_emit[0, :, :2]
    for t in range(1, len(emit)):
        old = alpha[t - 1]
        slopes = None
        if d_alpha is not None:
            d = d_alpha[t - 1]
            slopes = [d, _moved(d, 1, 0.0), _moved(d, 2, 0.0)]
        found, slope = _sum([old + stay, _moved(old, 1, -np.inf), _moved(old, 2, -np.inf) + skip], slopes)
        alpha[t] = found + emit[t]
        if d_alpha is not None and d_emit is not None and slope is not None:
            d_alpha[t] = slope + d_emit[t]
    return alpha, d_alpha


def _backwards(emit: Array, d_emit: Slope, given: Labels) -> tuple[Array, Slope]:
    """For each frame and state, the logarithm of the sum over what may follow, this frame not included."""
    stay, skip = given.closed()
    ends = given.ends()
    beta, d_beta = np.empty(emit.shape), None if d_emit is None else np.zeros(emit.shape)
    if len(emit):
        beta[-1] = ends
    for t in range(len(emit) - 2, -1, -1):
        ahead = beta[t + 1] + emit[t + 1]
        slopes = None
        if d_beta is not None and d_emit is not None:
            d = d_beta[t + 1] + d_emit[t + 1]
            slopes = [d, _moved(d, -1, 0.0), _moved(d, -2, 0.0)]
        found, slope = _sum([ahead + stay, _moved(ahead, -1, -np.inf), _moved(ahead + skip, -2, -np.inf)], slopes)
        last = (t >= given.frames - 1)[:, None]
        beta[t] = np.where(last, ends, found)
        if d_beta is not None and slope is not None:
            d_beta[t] = np.where(last, 0.0, slope)
    return beta, d_beta


def _total(alpha: Array, d_alpha: Slope, ends: Array, given: Labels) -> tuple[Array, Slope]:
    """The logarithm of the sum over all alignments of each example; of no frames only the empty alignment is left."""
    if not len(alpha):
        return np.where(given.lengths == 0, 0.0, given.other), None if d_alpha is None else np.zeros(len(given.lengths))
    examples = np.arange(len(given.frames))
    last = np.maximum(given.frames - 1, 0)
    terms = alpha[last, examples] + ends
    top = terms.max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    parts = np.exp(terms - top[:, None])
    whole = parts.sum(axis=1)
    total = np.where(given.frames > 0, np.log(whole) + top, np.where(given.lengths == 0, 0.0, given.other))
    if d_alpha is None:
        return total, None
    slope = (parts * d_alpha[last, examples]).sum(axis=1) / np.where(whole > 0, whole, 1.0)
    return total, np.where(given.frames > 0, slope, 0.0)
