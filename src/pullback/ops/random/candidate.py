"""Candidate samplers: classes drawn to stand for all others, and how often each is expected among them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import float32, int32, int64
from ...base.errors import NotFoundError
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.attributes import read_text
from ...ir.op import Op, define
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorType
from ..array.type_rules import Array, invalid_argument, match_dims, require_rank
from . import candidate_kernels as kernels
from .operations import STREAMS_LOCK, next_stream
from .seed import STREAMS, seed_attributes

_WORDS = 2048  # that a sampler reserves for each class


def _types(true_classes: Any, *, num_true: int, num_sampled: int, **_: Any) -> tuple[TensorType, TensorType, TensorType]:
    require_rank(true_classes, 2, "true_classes must be a matrix")
    rows = None if true_classes.dims is None else true_classes.dims[0]
    return TensorType((num_sampled,), int64), TensorType((rows, num_true), float32), TensorType((num_sampled,), float32)


def _check(true_classes: Array, num_true: int, num_sampled: int, unique: bool, range: int) -> None:
    if true_classes.ndim != 2:
        raise invalid_argument("true_classes must be a matrix")
    if true_classes.shape[1] != num_true:
        raise invalid_argument(f"true_classes must have num_true columns, expected: {true_classes.shape[1]} was: {num_true}")
    if unique and num_sampled > range:
        raise invalid_argument("Sampler's range is too small.")
    wrong = true_classes.view(np.uint64) >= np.uint64(range)  # negative ones too
    if wrong.any():
        raise invalid_argument(f"`true_candidate` out of range [0, {range}), received {true_classes[wrong][0]}")


def _sample_classes(
    name: str, sampler: kernels.Sampler, true_classes: Array, num_true: int, num_sampled: int, unique: bool, key: Any, site: Any
) -> tuple[Array, Array, Array]:
    _check(true_classes, num_true, num_sampled, unique, sampler.range)
    seed, seed2, rest = key
    stream = next_stream(site, name, seed, seed2, (num_true, num_sampled, unique, *rest), _WORDS * num_sampled // 4)
    found, tries = kernels.draw_classes(sampler, kernels.Source(stream), num_sampled, unique)
    counts = [kernels.expected_count(sampler.probability(x), num_sampled, tries) for x in (true_classes, found)]
    if not counts[0].ndim:
        counts = [np.full(x.shape, count, np.float32) for x, count in zip((true_classes, found), counts, strict=True)]
    return found, counts[0], counts[1]


def _define_simple(name: str, make: Callable[[int], kernels.Sampler]) -> Op:
    def kernel(
        true_classes: Array, *, num_true: int, num_sampled: int, unique: bool, range_max: int, site: Any, seed: int = 0, seed2: int = 0
    ) -> tuple[Array, Array, Array]:
        return _sample_classes(name, make(range_max), true_classes, num_true, num_sampled, unique, (seed, seed2, (range_max,)), site)

    return define(
        name, "true_classes:int64", _types, kernel, {}, outputs=_OUTPUTS, stateful=True,
        batch="numbers by their place in a stream",
    )  # fmt: skip


_OUTPUTS = "sampled_candidates true_expected_count sampled_expected_count"
UNIFORM = _define_simple("UniformCandidateSampler", kernels.Uniform)
LOG_UNIFORM = _define_simple("LogUniformCandidateSampler", kernels.LogUniform)


def _define_learned(name: str) -> Op:
    """Classes drawn as often as they were true before: each begins with weight one."""

    def kernel(
        true_classes: Array, *, num_true: int, num_sampled: int, unique: bool, range_max: int, site: Any, seed: int = 0, seed2: int = 0
    ) -> tuple[Array, Array, Array]:
        if range_max >= 2**31 - 1:
            raise invalid_argument(f"range_max must be less than {2**31 - 1} for unigram samplers, got {range_max}")
        memory = site.memory.setdefault(STREAMS, {})
        place = (site.name, name, "weights", seed, seed2, num_true, num_sampled, unique, range_max)
        with STREAMS_LOCK:
            if place not in memory:
                memory[place] = kernels.Weighted(range_max)
            sampler = memory[place]
            found = _sample_classes(name, sampler, true_classes, num_true, num_sampled, unique, (seed, seed2, (range_max,)), site)
            sampler.count(true_classes)
        return found

    return define(
        name, "true_classes:int64", _types, kernel, {}, outputs=_OUTPUTS, stateful=True,
        batch="numbers by their place in a stream",
    )  # fmt: skip


LEARNED_UNIGRAM = _define_learned("LearnedUnigramCandidateSampler")
THREAD_UNSAFE_UNIGRAM = _define_learned("ThreadUnsafeUnigramCandidateSampler")


def _draw_all(true_classes: Array, *, num_true: int, num_sampled: int, unique: bool, site: Any, seed: int = 0, seed2: int = 0) -> Any:
    _check(true_classes, num_true, num_sampled, unique, num_sampled)
    return np.arange(num_sampled, dtype=np.int64), np.ones(true_classes.shape, np.float32), np.ones(num_sampled, np.float32)


ALL = define(
    "AllCandidateSampler",
    "true_classes:int64",
    _types,
    _draw_all,
    {},
    outputs=_OUTPUTS,
    stateful=True,
    batch="numbers by their place in a stream",
)


def _lines(vocab_file: str, unigrams: Sequence[float]) -> Sequence[float]:
    """The weights that were given, or those at the ends of a file's lines."""
    if not vocab_file and not unigrams:
        raise invalid_argument("Must provide either vocab_file or unigrams.")
    if vocab_file and unigrams:
        raise invalid_argument("Must only provide one of vocab_file and unigrams.")
    if unigrams:
        return unigrams
    path = Path(vocab_file)
    if not path.exists():
        raise NotFoundError(None, None, f"{vocab_file}; No such file or directory")
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            found.append(float(line.split(",")[-1]))
        except ValueError:
            raise invalid_argument(f"Wrong vocabulary format at line: {line}") from None
    return found


@functools.lru_cache(16)
def _make_fixed(given: tuple[float, ...], distortion: float, reserved: int, shards: int, shard: int) -> kernels.Fixed:
    return kernels.Fixed(kernels.weights_of(given, distortion, reserved, shards, shard))


def _sample_fixed(
    true_classes: Array,
    *,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    site: Any,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int = 0,
    seed2: int = 0,
) -> tuple[Array, Array, Array]:
    given, options = tuple(_lines(read_text(vocab_file), unigrams)), (distortion, num_reserved_ids, num_shards, shard)
    sampler = _make_fixed(given, *options)
    if sampler.range != range_max:
        raise invalid_argument(f"range is {range_max} must be equal to weights size  {sampler.range}")
    rest = (range_max, vocab_file, *options, tuple(unigrams))
    return _sample_classes("FixedUnigramCandidateSampler", sampler, true_classes, num_true, num_sampled, unique, (seed, seed2, rest), site)


FIXED_UNIGRAM = define(
    "FixedUnigramCandidateSampler", "true_classes:int64", _types, _sample_fixed, {}, outputs=_OUTPUTS, stateful=True,
    batch="numbers by their place in a stream",
)


# ---- classes that are both true and drawn


def _find_hits(
    true_classes: Array, sampled_candidates: Array, *, num_true: int, seed: int = 0, seed2: int = 0
) -> tuple[Array, Array, Array]:
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise invalid_argument("true_candidates must be a batch_size * num_true matrix")
    if sampled_candidates.ndim != 1:
        raise invalid_argument(
            f"sampled_candidates must be a vector, which is typically an output from CandidateSampler, got {show(sampled_candidates.shape)}"
        )
    order = np.argsort(sampled_candidates, kind="stable")
    in_order = sampled_candidates[order]
    flat = true_classes.ravel()
    last = np.searchsorted(in_order, flat, "right") - 1  # of several drawn the last
    hit = (last >= 0) & (in_order[last] == flat) if len(order) else np.zeros(len(flat), bool)
    places = np.flatnonzero(hit)
    weights = np.full(len(places), np.finfo(np.float32).min, np.float32)
    return (places // num_true).astype(np.int32), order[last[places]].astype(np.int64), weights


def _hits_type(true_classes: Any, sampled_candidates: Any, *, num_true: int, **_: Any) -> tuple[TensorType, ...]:
    match_dims(f"_ {num_true}, _", true_classes, sampled_candidates)
    return TensorType((None,), int32), TensorType((None,), int64), TensorType((None,), float32)


ACCIDENTAL_HITS = define(
    "ComputeAccidentalHits", "true_classes:int64 sampled_candidates:int64", _hits_type, _find_hits, {}, outputs="indices ids weights",
    batch="shape depends on values",
)

# ---- functions


class SampledCandidates(NamedTuple):
    """Classes that were drawn, and how often the true ones and they are expected among them."""

    sampled_candidates: Tensor
    true_expected_count: Tensor
    sampled_expected_count: Tensor


class AccidentalHits(NamedTuple):
    """Where classes that were drawn are true ones: rows, places among the drawn, and the weights to add to their logits."""

    indices: Tensor
    ids: Tensor
    weights: Tensor


def _ids(classes: Any) -> Any:
    return convert_to_tensor(classes, int64 if isinstance(classes, (str, bytes, list, tuple)) else None, dtype_hint=int64)


@export("random.uniform_candidate_sampler", v1="nn.uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes: NumberLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: IntLike | None = None,
    name: str | None = None,
) -> SampledCandidates:
    """Classes in [0, range_max), all alike: `num_sampled` of them, and how often `true_classes` and they are expected among them.

    true_classes: int64 of shape [batch, num_true].  unique: whether no class is drawn twice.  seed: see `tf.random.set_seed`.
    Gives (sampled_candidates, true_expected_count, sampled_expected_count).  Raises InvalidArgumentError for another shape, a class out of
    range, and more unique classes than there are.

    >>> sampled, true, expected = tf.random.uniform_candidate_sampler([[1], [2]], 1, 4, False, 8)
    >>> true.numpy().tolist()
    [[0.5], [0.5]]
    """
    options = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max}
    return SampledCandidates(*UNIFORM(_ids(true_classes), **options, **seed_attributes(seed), name=name))


@export("random.log_uniform_candidate_sampler", v1="nn.log_uniform_candidate_sampler")
def log_uniform_candidate_sampler(
    true_classes: NumberLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: IntLike | None = None,
    name: str | None = None,
) -> SampledCandidates:
    """Classes with probabilities log((k + 2) / (k + 1)) / log(range_max + 1), for classes sorted by how often they are.

    The rest as `uniform_candidate_sampler`.

    >>> sampled, true, expected = tf.random.log_uniform_candidate_sampler([[0], [6]], 1, 1, False, 7)
    >>> true.numpy().round(3).tolist()
    [[0.3330000042915344], [0.06400000303983688]]
    """
    options = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max}
    return SampledCandidates(*LOG_UNIFORM(_ids(true_classes), **options, **seed_attributes(seed), name=name))


@export("nn.learned_unigram_candidate_sampler", "random.learned_unigram_candidate_sampler")
def learned_unigram_candidate_sampler(
    true_classes: NumberLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: IntLike | None = None,
    name: str | None = None,
) -> SampledCandidates:
    """Classes as often as they were true in the calls before, every class once at first; the rest as `uniform_candidate_sampler`.

    >>> sampled, true, expected = tf.random.learned_unigram_candidate_sampler([[1], [2]], 1, 4, False, 8)
    >>> true.numpy().tolist()
    [[0.5], [0.5]]
    """
    options = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max}
    return SampledCandidates(*LEARNED_UNIGRAM(_ids(true_classes), **options, **seed_attributes(seed), name=name))


@export("nn.fixed_unigram_candidate_sampler", "random.fixed_unigram_candidate_sampler")
def fixed_unigram_candidate_sampler(
    true_classes: NumberLike,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: IntLike | None = None,
    name: str | None = None,
) -> SampledCandidates:
    """Classes with given weights; the rest as `uniform_candidate_sampler`.

    unigrams, vocab_file: the weights, or a file whose lines end, behind a comma, with them.  distortion: their power.
    num_reserved_ids: so many classes before them have weight 0.  num_shards, shard: of so many parts, each of every n-th class, this one.
    Raises InvalidArgumentError for neither or both of file and weights, and another number of them than `range_max`.

    >>> sampled, true, expected = tf.random.fixed_unigram_candidate_sampler([[1], [2]], 1, 4, False, 3, unigrams=[1.0, 1.0, 2.0])
    >>> true.numpy().tolist()
    [[1.0], [2.0]]
    """
    found = FIXED_UNIGRAM(
        _ids(true_classes), num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max, vocab_file=vocab_file,
        distortion=distortion, num_reserved_ids=num_reserved_ids, num_shards=num_shards, shard=shard,
        unigrams=_weights(unigrams), **seed_attributes(seed), name=name,
    )  # fmt: skip
    return SampledCandidates(*found)


def _weights(unigrams: Any) -> list[float]:
    unigrams = () if unigrams is None else unigrams
    if not isinstance(unigrams, (list, tuple)):
        raise TypeError(f"Expected list for 'unigrams' argument to 'fixed_unigram_candidate_sampler' Op, not {unigrams!r}.")
    for weight in unigrams:
        if isinstance(weight, Tensor) or not hasattr(weight, "__float__"):
            raise TypeError(f"Expected float for argument 'unigrams' not {weight!r}.")
    return [float(weight) for weight in unigrams]


@export("nn.all_candidate_sampler", "random.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: NumberLike, num_true: int, num_sampled: int, unique: bool, seed: IntLike | None = None, name: str | None = None
) -> SampledCandidates:
    """All classes, 0 to num_sampled - 1, each once: for tests of what samples; the rest as `uniform_candidate_sampler`.

    >>> tf.random.all_candidate_sampler([[1], [2]], 1, 3, True)[0].numpy().tolist()
    [0, 1, 2]
    """
    options = {"num_true": num_true, "num_sampled": num_sampled, "unique": unique}
    return SampledCandidates(*ALL(_ids(true_classes), **options, **seed_attributes(seed), name=name))


@export("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: NumberLike, sampled_candidates: NumberLike, num_true: int, seed: IntLike | None = None, name: str | None = None
) -> AccidentalHits:
    """Where a class that was drawn is a true one: its row, its place among the drawn, and the weight to add to its logit, about -inf.

    true_classes: int64 of shape [batch, num_true].  sampled_candidates: int64 of shape [num_sampled].

    >>> rows, places, weights = tf.nn.compute_accidental_hits([[1], [2]], [2, 5], 1)
    >>> rows.numpy().tolist(), places.numpy().tolist()
    ([1], [0])
    """
    given = _ids(true_classes), _ids(sampled_candidates)
    return AccidentalHits(*ACCIDENTAL_HITS(*given, num_true=num_true, **seed_attributes(seed), name=name))
