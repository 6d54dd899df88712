"""Batching: what is computed for many rows at once is what a loop over the rows computes, for every case of every operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

import pullback
from pullback.control.vectorize import vectorize
from tests import cases as table
from tests.cases.case import Array, Case, cotangent, is_float
from tests.golden import observe, store

CASES = [(family, case) for family in table.families() for case in table.cases(family) if case.inputs]
#: Operations that draw random numbers, alone or inside a function; what they draw for a row is not what they draw for it alone.
RANDOM = (
    "Random", "TruncatedNormal", "Multinomial", "nn.dropout", "Rng", "UniformCandidate", "LogUniformCandidate", "LearnedUnigram",
    "ThreadUnsafeUnigram", "FixedUnigram", "nn.nce_loss", "nn.sampled_softmax_loss",
)  # fmt: skip
#: What writes one text of all rows, as in TensorFlow.
TEXTS = ("StringFormat",)
Tensors = list[Any]


def _draws(case: Case) -> bool:
    return any(case.op.startswith(name) for name in RANDOM)


def _differentiable(case: Case) -> bool:
    return case.smooth and any(is_float(x.dtype) for x in case.inputs)


SURE = [(family, case) for family, case in CASES if not _draws(case) and case.op not in TEXTS]
EVERY = [pytest.param(case, id=f"{family}:{case.id}") for family, case in SURE]
SMOOTH = [pytest.param(case, id=f"{family}:{case.id}") for family, case in SURE if _differentiable(case)]
LEADERS = {case.op: case.id for _, case in reversed(SURE) if _differentiable(case)}
#: What TensorFlow refuses in graphs, where batched functions are.
GOLDEN = {family: store.read(f"cases_{family}")["cases"] for family in table.families()}
REFUSED = {case.id for family, case in SURE if "refused" in GOLDEN[family].get(case.id, {}).get("graph", {})}
FIRST = list({case.op: pytest.param(case, id=f"{family}:{case.id}") for family, case in reversed(SURE)}.values())


class Rows:
    """A case on three rows that differ where the function allows it, one after the other and all at once."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.face = pullback if case.face == "v2" else pullback.compat.v1
        self.stacks, self.answers = self._rows()
        targets = [y for y in self.answers[0] if observe.differentiable(y)]
        self.seeds = [cotangent(tuple(y.shape.as_list()), y.dtype.as_numpy_dtype) for y in targets]
        self.places = [i for i, x in enumerate(case.inputs) if is_float(x.dtype)]

    def _rows(self) -> tuple[list[Array], list[Any]]:
        """The numbers turned round, else scaled, else the same in every row: the first that the function takes."""
        for change in (_turned, _scaled, _kept):
            stacks = [np.stack([change(x, r) for r in range(3)]) for x in self.case.inputs]
            answers, failed = observe.outcome(partial(self.one_by_one, self.outputs, stacks))
            if failed is None and (change is _kept or _alike(answers)):
                return stacks, answers
        assert failed is not None
        raise AssertionError(f"{self.case.id}: {failed['class']}: {failed['message']}")

    def outputs(self, *tensors: Any) -> Tensors:
        return list(observe.leaves(self.case.f(self.face, *tensors)))

    def with_others(self, i: int, others: Sequence[Any], row: Any) -> Tensors:
        """The outputs where input `i` is `row`."""
        return self.outputs(*others[:i], row, *others[i + 1 :])

    def gradient(self, *tensors: Any) -> Tensors:
        """The tape's gradients of the differentiable outputs, with the fixed cotangents."""
        sources = [tensors[i] for i in self.places]
        with pullback.GradientTape() as tape:
            tape.watch(sources)
            targets = [y for y in self.outputs(*tensors) if observe.differentiable(y)]
        if not targets:
            return [None] * len(sources)
        seeds = [observe.constant(pullback, seed) for seed in self.seeds]
        return [None if g is None else pullback.convert_to_tensor(g) for g in tape.gradient(targets, sources, output_gradients=seeds)]

    def one_by_one(self, function: Callable[..., Tensors], stacks: Sequence[Array]) -> list[Tensors]:
        return [function(*(observe.constant(pullback, stack[r, ...]) for stack in stacks)) for r in range(len(stacks[0]))]

    def gradient_of_all(self) -> Tensors:
        """The gradients of all rows at once."""
        tensors = [observe.constant(pullback, stack) for stack in self.stacks]
        sources = [tensors[i] for i in self.places]
        with pullback.GradientTape() as tape:
            tape.watch(sources)
            targets = [y for y in vectorize(self.outputs, *tensors) if observe.differentiable(y)]
        seeds = [observe.constant(pullback, np.stack([seed] * 3)) for seed in self.seeds]
        return [None if g is None else pullback.convert_to_tensor(g) for g in tape.gradient(targets, sources, output_gradients=seeds)]


def _turned(x: Array, r: int) -> Array:
    return np.roll(x.ravel(), r).reshape(x.shape) if is_float(x.dtype) else x


def _scaled(x: Array, r: int) -> Array:
    return (x * x.dtype.type(1 - 0.05 * r)).astype(x.dtype) if is_float(x.dtype) else x


def _kept(x: Array, r: int) -> Array:
    return x


def _alike(answers: Sequence[Tensors]) -> bool:
    """Whether all rows answer in the same shapes and with finite numbers in the same places."""

    def form(answer: Tensors) -> list[Any]:
        values = [None if y is None else observe.value(y) for y in answer]
        return [
            v if v is None else (np.shape(_plain(v)), np.isfinite(_plain(v)).all() if is_float(_plain(v).dtype) else True) for v in values
        ]

    return all(form(answer) == form(answers[0]) for answer in answers)


def _plain(value: Any) -> Array:
    return np.asarray(value["sparse"] if isinstance(value, dict) else value)


def agree(found: Sequence[Any], rows: Sequence[Sequence[Any]], case: Case) -> None:
    """What was found for all rows at once is the stack of what each row gives."""
    assert len(found) == len(rows[0])
    for i, y in enumerate(found):
        each = [row[i] for row in rows]
        if any(e is None for e in each):
            assert y is None or not np.any(np.asarray(y)), f"{case.id} [{i}]"
            continue
        wanted = np.stack([np.asarray(pullback.convert_to_tensor(e)) for e in each])
        got = np.asarray(pullback.convert_to_tensor(y))
        assert got.shape == wanted.shape, f"{case.id} [{i}]: {got.shape} for {wanted.shape}"
        if wanted.dtype.kind in "OSU" or wanted.dtype.kind in "biu":
            np.testing.assert_array_equal(got, wanted)
            continue
        narrow = wanted.dtype.itemsize <= 2
        fine = wanted.dtype.name in ("float64", "complex128")
        rtol = 4e-2 if narrow else 1e-9 if fine else 2e-4
        size = np.max(np.abs(np.nan_to_num(wanted.astype(np.complex128))), initial=1.0)
        np.testing.assert_allclose(got.astype(np.complex128), wanted.astype(np.complex128), rtol, rtol * 0.1 * min(size, 1e30))


@pytest.mark.parametrize("case", EVERY)
def test_batched_is_the_stacked_loop(case: Case) -> None:
    """With all inputs stacked, and with each of them alone, the others the same for every row."""
    rows = Rows(case)
    tensors = [observe.constant(pullback, stack) for stack in rows.stacks]
    found, failed = observe.outcome(lambda: vectorize(rows.outputs, *tensors))
    if failed is not None:
        assert case.id in REFUSED, f"{case.id}: {failed['message']}"
        return
    agree(found, rows.answers, case)
    if len(tensors) < 2:
        return
    for i, stacked in enumerate(tensors):
        others = [observe.constant(pullback, stack[0, ...]) for stack in rows.stacks]
        mixed = [np.stack([stack[r if j == i else 0] for r in range(3)]) for j, stack in enumerate(rows.stacks)]
        answers, failed = observe.outcome(partial(rows.one_by_one, rows.outputs, mixed))
        if failed is None:
            found = vectorize(partial(rows.with_others, i, others), stacked)
            agree(found, answers, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_gradients_of_batched_are_the_stacked_gradients(case: Case) -> None:
    """A tape inside the batched function; for one case of each operation, one around it too."""
    rows = Rows(case)
    answers, failed = observe.outcome(lambda: rows.one_by_one(rows.gradient, rows.stacks))
    if failed is not None:
        assert failed["class"] == "LookupError", f"{case.id}: {failed['message']}"
        return
    if case.id in REFUSED and observe.outcome(lambda: vectorize(rows.outputs, *rows.stacks))[1] is not None:
        return
    if LEADERS[case.op] == case.id:
        agree(rows.gradient_of_all(), answers, case)
    agree(vectorize(rows.gradient, *(observe.constant(pullback, stack) for stack in rows.stacks)), answers, case)


@pytest.mark.parametrize("case", FIRST)
def test_one_row_and_none(case: Case) -> None:
    """One row gives what the function gives with an axis in front; no rows give no results, of the shapes of one row."""
    rows = Rows(case)
    agree(vectorize(rows.outputs, *(observe.constant(pullback, stack[:1]) for stack in rows.stacks)), rows.answers[:1], case)
    if any(x.dtype.kind == "O" for x in case.inputs):
        return  # an empty array of Python objects does not say that they are strings
    none = [observe.constant(pullback, stack[:0]) for stack in rows.stacks]
    if case.op in OPEN:
        with pytest.raises(pullback.errors.InvalidArgumentError, match="non-fully-defined element_shape"):
            vectorize(rows.outputs, *none)
        return
    for y, row in zip(vectorize(rows.outputs, *none), rows.answers[0], strict=True):
        if y is not None:
            assert tuple(y.shape) == (0, *row.shape), case.id


# Where every input is stacked, the shape of their results depends on values, and without a row there is none.
OPEN = frozenset({
    "ComputeAccidentalHits", "signal.hamming_window", "signal.hann_window", "signal.vorbis_window",
    "BooleanMask", "BroadcastGradientArgs", "DenseBincount", "DynamicPartition", "DynamicStitch", "EagerPyFunc", "Eye", "ListDiff",
    "ParallelDynamicStitch", "PyFunc", "Range", "SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd", "SegmentSum",
    "Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2", "Where", "CTCBeamSearchDecoder",
    "CTCGreedyDecoder", "ParseTensor", "FeatureCross", "CSRSparseMatrixComponents", "CSRSparseMatrixToSparseTensor", "RaggedRange",
    "SparseSegmentMeanGradV2", "SparseSegmentSqrtN", "SparseSegmentSqrtNGradV2", "SparseSegmentSum",
    "SparseSegmentSumGradV2", "DenseToDenseSetOperation", "DenseToSparseSetOperation", "SparseToSparseSetOperation",
    "DenseCountSparseOutput", "SparseAdd", "SparseCountSparseOutput",
    "SparseSparseMaximum", "SparseSparseMinimum", "CompositeTensorVariantToComponents",
    "DecodeAndCropJpeg", "DecodeImage", "DecodeJpeg", "DecodePng", "EncodeJpegVariableQuality", "EncodePng", "NonMaxSuppression",
    "NonMaxSuppressionV2", "NonMaxSuppressionV3", "NonMaxSuppressionV4", "NonMaxSuppressionV5", "NonMaxSuppressionWithOverlaps",
})  # fmt: skip


@pytest.mark.parametrize("case", FIRST)
def test_sizes_known_late(case: Case) -> None:
    """Every size is unknown while the function is batched."""
    rows = Rows(case)
    tensors = [observe.constant(pullback, stack) for stack in rows.stacks]
    late = [pullback.TensorSpec([None] * len(t.shape), t.dtype) for t in tensors]
    one = [pullback.TensorSpec([None] * (len(t.shape) - 1), t.dtype) for t in tensors]
    traced, _ = observe.outcome(pullback.function(rows.outputs, input_signature=one, autograph=False).get_concrete_function)
    if traced is not None:  # the case reads no sizes in Python
        found = pullback.function(lambda *given: vectorize(rows.outputs, *given), input_signature=late, autograph=False)(*tensors)
        agree(found, rows.answers, case)


@pytest.mark.parametrize("case", FIRST)
def test_batched_twice(case: Case) -> None:
    """Rows of rows: what batching makes can be batched again."""
    rows = Rows(case)
    twice = [observe.constant(pullback, np.stack([stack, stack[::-1]])) for stack in rows.stacks]
    found = vectorize(lambda *given: vectorize(rows.outputs, *given), *twice)
    for y, i in zip(found, range(len(found)), strict=True):
        if y is not None:
            agree([y[0]], [[row[i]] for row in rows.answers], case)
            agree([y[1]], [[row[i]] for row in rows.answers[::-1]], case)
