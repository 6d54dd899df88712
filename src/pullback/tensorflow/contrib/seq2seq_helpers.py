"""Helpers of `tf.contrib.seq2seq`: they choose the symbol that a decoder's outputs stand for, and the inputs of its next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base import nest
from ...base.dtypes import bool as bool_, int32
from ...base.export import export
from ...base.shapes import TensorShape
from ...control.cond import cond
from ...control.tensor_array import TensorArray
from ...ir.apply import convert_to_tensor
from ...ir.tensor import DTypeLike, NumberLike, ShapeLike, Tensor
from ...nn.embedding import embedding_lookup
from ...ops.array.basic import reshape, shape_of, zeros_of
from ...ops.array.create import zeros
from ...ops.array.join import concat, split
from ...ops.array.where import select
from ...ops.math.arithmetic import maximum
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, greater_equal
from ...ops.random.functions import categorical, uniform
from ...ops.reduce.reductions import reduce_all
from ...ops.search.sort import argmax
from ..rnn.loops import swap_batch_and_time
from .seq2seq_decoding import lengths_of

Embedding = Callable[[Any], Any] | NumberLike


@export(v1="contrib.seq2seq.Helper")
class Helper:
    """What a `BasicDecoder` asks which symbol outputs stand for (`sample`), and what comes next (`next_inputs`).

    >>> tf1.contrib.seq2seq.Helper().sample_ids_shape, tf1.contrib.seq2seq.Helper().sample_ids_dtype
    (TensorShape([]), tf.int32)
    """

    _shape = TensorShape([])
    _dtype: DTypeLike = int32

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are."""
        raise NotImplementedError(f"{type(self).__name__} must have a batch_size")

    @property
    def sample_ids_shape(self) -> TensorShape:
        """The shape of one sequence's symbol."""
        return self._shape

    @property
    def sample_ids_dtype(self) -> Any:
        """The dtype of symbols."""
        return self._dtype

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Which sequences have ended before the first step, and its inputs."""
        raise NotImplementedError(f"{type(self).__name__} must have an initialize")

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """The symbols that outputs stand for."""
        raise NotImplementedError(f"{type(self).__name__} must have a sample")

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> tuple[Any, Any, Any]:
        """Which sequences have ended, the inputs of the next step, and the state."""
        raise NotImplementedError(f"{type(self).__name__} must have a next_inputs")


@export(v1="contrib.seq2seq.CustomHelper")
class CustomHelper(Helper):
    """A helper of functions, which are called with names: `sample_fn(time=, outputs=, state=)`, `next_inputs_fn(..., sample_ids=)`.

    >>> helper = tf1.contrib.seq2seq.CustomHelper(lambda: ([False], [[1.0]]), lambda **_: [3], lambda **_: ([True], [[1.0]], ()))
    >>> helper.sample(time=0, outputs=None, state=None)
    [3]
    """

    def __init__(
        self, initialize_fn: Callable[[], Any], sample_fn: Callable[..., Any], next_inputs_fn: Callable[..., Any],
        sample_ids_shape: ShapeLike | None = None, sample_ids_dtype: DTypeLike | None = None,
    ) -> None:  # fmt: skip
        self._initialize, self._sample, self._next = initialize_fn, sample_fn, next_inputs_fn
        self._shape = TensorShape([]) if sample_ids_shape is None else TensorShape(sample_ids_shape)
        self._dtype = sample_ids_dtype or int32
        self._batch: Any = None

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are, an int32 scalar."""
        if self._batch is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Which sequences are over before the first step, booleans [batch], and the first inputs [batch, ...]."""
        finished, inputs = self._initialize()
        self._batch = lengths_of(convert_to_tensor(finished))[0]
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """What the given function draws, for each row of the outputs [batch, ...]."""
        return self._sample(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> tuple[Any, Any, Any]:
        """What the given function says: (sequences over, booleans [batch]; inputs [batch, ...]; state)."""
        found: tuple[Any, Any, Any] = self._next(time=time, outputs=outputs, state=state, sample_ids=sample_ids)
        return found


@export(v1="contrib.seq2seq.TrainingHelper")
class TrainingHelper(Helper):
    """The inputs of each step are given; the symbol is the likeliest.

    Args:
        inputs: nested tensors [batch, time, ...], or [time, batch, ...] with `time_major`.
        sequence_length: how many steps each sequence has, a vector.

    Raises:
        ValueError: `sequence_length` is no vector.

    >>> helper = tf1.contrib.seq2seq.TrainingHelper(tf1.ones([2, 3, 4]), [3, 0])
    >>> [x.numpy().tolist() for x in helper.initialize()]
    [[False, True], [[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]]
    """

    def __init__(self, inputs: Any, sequence_length: NumberLike, time_major: bool = False, name: str | None = None) -> None:
        inputs = nest.map_structure(convert_to_tensor, inputs)
        steps = inputs if time_major else nest.map_structure(swap_batch_and_time, inputs)
        self._inputs = inputs
        self._steps = nest.map_structure(lambda x: TensorArray(x.dtype, shape_of(x)[0], element_shape=x.shape[1:]).unstack(x), steps)
        self._lengths = convert_to_tensor(sequence_length)
        if self._lengths.dims is None or len(self._lengths.dims) != 1:
            raise ValueError(f"Expected sequence_length to be a vector, but received shape: {self._lengths.shape}")
        self._nothing = nest.map_structure(lambda x: zeros_of(x[0]), steps)

    @property
    def inputs(self) -> Any:
        """The inputs of all steps."""
        return self._inputs

    @property
    def sequence_length(self) -> Tensor:
        """How many steps each sequence has."""
        return self._lengths

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are, an int32 scalar."""
        return lengths_of(self._lengths)[0]

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Which sequences are over before the first step, booleans [batch], and the first inputs [batch, ...]."""
        return self._at(convert_to_tensor(0, int32))

    def _at(self, time: NumberLike) -> tuple[Any, Any]:
        """Which sequences have no such step, and its inputs: zeros behind the last step of all."""
        finished = greater_equal(cast(time, self._lengths.dtype), self._lengths)
        read = lambda: nest.map_structure(lambda array: array.read(time), self._steps)
        return finished, cond(reduce_all(finished), lambda: self._nothing, read)

    def sample(self, time: NumberLike, outputs: NumberLike, state: Any, name: str | None = None) -> Tensor:
        """The symbol of the largest logit, for each row of the outputs [batch, ...]."""
        return cast(argmax(outputs, -1), int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> tuple[Any, Any, Any]:
        """The next of the given inputs: (sequences over, booleans [batch]; inputs [batch, ...]; state)."""
        return (*self._at(time + 1), state)


def rows_of(embedding: Embedding) -> Callable[[Any], Any]:
    """A function of symbols, which may be a table."""
    function: Any = embedding
    return function if callable(embedding) and not hasattr(embedding, "dtype") else lambda ids: embedding_lookup(function, ids)


def _check_probability(given: Any) -> Any:
    probability = convert_to_tensor(given)
    if probability.dims is None or len(probability.dims) > 1:
        raise ValueError(f"sampling_probability must be either a scalar or a vector. saw shape: {probability.shape}")
    return probability


@export(v1="contrib.seq2seq.ScheduledEmbeddingTrainingHelper")
class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """`TrainingHelper` that now and then goes on with a symbol drawn from the outputs, and not with the given one (Bengio et al., 2015).

    Args:
        embedding: a table of symbols, or a function of them.
        sampling_probability: how probable that is: a number, or one for each sequence.
        seed, scheduling_seed: of the symbols, and of when they are drawn.

    >>> helper = tf1.contrib.seq2seq.ScheduledEmbeddingTrainingHelper(tf1.ones([2, 3, 4]), [3, 2], tf1.zeros([9, 4]), 0.0)
    >>> helper.sample(0, tf1.zeros([2, 9]), ()).numpy().tolist()
    [-1, -1]
    """

    def __init__(
        self, inputs: Any, sequence_length: NumberLike, embedding: Embedding, sampling_probability: NumberLike, time_major: bool = False,
        seed: int | None = None, scheduling_seed: int | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(inputs, sequence_length, time_major)
        self._rows, self._probability = rows_of(embedding), _check_probability(sampling_probability)
        self._seed, self._when_seed = seed, scheduling_seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """Words drawn from the logits, -1 where none is, for each row of the outputs [batch, ...]."""
        drawn = uniform([self.batch_size], dtype=self._probability.dtype, seed=self._when_seed) < self._probability
        symbols = draw_symbols(outputs, self._seed)
        return select(drawn, symbols, zeros_of(symbols) - 1)

    def next_inputs(
        self, time: Any, outputs: NumberLike, state: Any, sample_ids: NumberLike, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """The drawn word embedded, or the given input: (sequences over, booleans [batch]; inputs [batch, ...]; state)."""
        finished, given = self._at(time + 1)
        return finished, select(greater_equal(sample_ids, 0), self._rows(maximum(sample_ids, 0)), given), state


@export(v1="contrib.seq2seq.ScheduledOutputTrainingHelper")
class ScheduledOutputTrainingHelper(TrainingHelper):
    """`TrainingHelper` that now and then goes on with the outputs themselves, and not with the given inputs.

    Args:
        sampling_probability: how probable that is: a number, or one for each sequence.
        next_inputs_fn: of the outputs, gives the next inputs.
        auxiliary_inputs: tensors as `inputs`, which stand behind the inputs either way.

    >>> helper = tf1.contrib.seq2seq.ScheduledOutputTrainingHelper(tf1.ones([2, 3, 4]), [3, 2], 1.0)
    >>> helper.next_inputs(0, tf1.zeros([2, 4]), (), tf1.constant([1, 0]))[1].numpy()[:, 0].tolist()
    [0.0, 1.0]
    """

    def __init__(
        self, inputs: Any, sequence_length: NumberLike, sampling_probability: NumberLike, time_major: bool = False, seed: int | None = None,
        next_inputs_fn: Callable[[Any], Any] | None = None, auxiliary_inputs: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        self._beside = None
        if auxiliary_inputs is not None:
            inputs = nest.map_structure(lambda x, y: concat([x, y], -1), inputs, auxiliary_inputs)
            self._beside = nest.map_structure(lambda y: convert_to_tensor(y).shape[-1], auxiliary_inputs)
        super().__init__(inputs, sequence_length, time_major)
        self._probability, self._seed, self._next = _check_probability(sampling_probability), seed, next_inputs_fn

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """Whether each row reads its own output next, as integers, for each row of the outputs [batch, ...]."""
        return cast(uniform([self.batch_size], dtype=self._probability.dtype, seed=self._seed) < self._probability, int32)

    def next_inputs(
        self, time: Any, outputs: NumberLike, state: Any, sample_ids: NumberLike, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """The output before or the given input: (sequences over, booleans [batch]; inputs [batch, ...]; state)."""
        finished, given = self._at(time + 1)
        new = outputs if self._next is None else self._next(outputs)
        if self._beside is not None:
            new = nest.map_structure(lambda x, y, size: concat([x, split(y, [-1, size], -1)[1]], -1), new, given, self._beside)
        return finished, nest.map_structure(lambda x, y: select(cast(sample_ids, bool_), x, y), new, given), state


def draw_symbols(logits: Tensor, seed: int | None) -> Tensor:
    """A symbol for each row of logits, drawn by their softmax."""
    return reshape(categorical(logits, 1, int32, seed), [-1])


@export(v1="contrib.seq2seq.GreedyEmbeddingHelper")
class GreedyEmbeddingHelper(Helper):
    """The likeliest symbol, and its embedding as the next inputs, until the symbol for the end.

    Args:
        embedding: a table of symbols, or a function of them.
        start_tokens: the symbol that each sequence begins with, a vector.
        end_token: the symbol for the end, a scalar.

    Raises:
        ValueError: `start_tokens` is no vector or `end_token` no scalar.

    >>> helper = tf1.contrib.seq2seq.GreedyEmbeddingHelper(tf1.eye(3), [1, 1], 2)
    >>> helper.sample(0, tf1.constant([[0.0, 0.5, 1.0], [3.0, 1.0, 0.0]]), ()).numpy().tolist()
    [2, 0]
    """

    def __init__(self, embedding: Embedding, start_tokens: NumberLike, end_token: NumberLike) -> None:
        self._rows = rows_of(embedding)
        self._start, self._end = convert_to_tensor(start_tokens, int32), convert_to_tensor(end_token, int32)
        if self._start.dims is None or len(self._start.dims) != 1:
            raise ValueError(f"start_tokens must be a vector, but is of shape {self._start.shape}")
        if self._end.dims != ():
            raise ValueError(f"end_token must be a scalar, but is of shape {self._end.shape}")
        self._first = self._rows(self._start)

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are, an int32 scalar."""
        return lengths_of(self._start)[0]

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Which sequences are over before the first step, booleans [batch], and the first inputs [batch, ...]."""
        return zeros([self.batch_size], bool_), self._first

    def sample(self, time: Any, outputs: NumberLike, state: Any, name: str | None = None) -> Tensor:
        """The symbol of the largest logit, for each row of the outputs [batch, ...]."""
        return cast(argmax(outputs, -1), int32)

    def next_inputs(
        self, time: NumberLike, outputs: NumberLike, state: Any, sample_ids: NumberLike, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """The embedding of the sampled words: (sequences over, booleans [batch]; inputs [batch, ...]; state)."""
        finished = equal(sample_ids, self._end)
        return finished, cond(reduce_all(finished), lambda: self._first, lambda: self._rows(sample_ids)), state


@export(v1="contrib.seq2seq.SampleEmbeddingHelper")
class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """`GreedyEmbeddingHelper` whose symbols are drawn by the softmax of the outputs, which a temperature divides.

    >>> helper = tf1.contrib.seq2seq.SampleEmbeddingHelper(tf1.eye(3), [1, 1], 2, softmax_temperature=0.01, seed=1)
    >>> helper.sample(0, tf1.constant([[0.0, 0.5, 1.0], [3.0, 1.0, 0.0]]), ()).numpy().tolist()
    [2, 0]
    """

    def __init__(
        self, embedding: Embedding, start_tokens: NumberLike, end_token: NumberLike, softmax_temperature: NumberLike | None = None,
        seed: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(embedding, start_tokens, end_token)
        self._temperature, self._seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """A word drawn from the logits, for each row of the outputs [batch, ...]."""
        return draw_symbols(outputs if self._temperature is None else outputs / self._temperature, self._seed)


@export(v1="contrib.seq2seq.InferenceHelper")
class InferenceHelper(Helper):
    """A helper for other symbols than numbers: functions say what is drawn, where it ends, and what the next inputs are.

    Args:
        sample_fn: of the outputs, gives the symbols [batch, *sample_shape].
        start_inputs: the inputs of the first step.
        end_fn: of the symbols, says which sequences have ended.
        next_inputs_fn: of the symbols, gives the next inputs; the symbols themselves when None.

    >>> helper = tf1.contrib.seq2seq.InferenceHelper(lambda y: 2 * y, [1], tf1.float32, [[1.0]], lambda y: y[:, 0] > 3.0)
    >>> [x.numpy().tolist() for x in helper.next_inputs(0, None, (), tf1.constant([[4.0]]))[:2]]
    [[True], [[4.0]]]
    """

    def __init__(
        self, sample_fn: Callable[[Any], Any], sample_shape: ShapeLike, sample_dtype: DTypeLike, start_inputs: NumberLike,
        end_fn: Callable[[Any], Any], next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        self._sample, self._ends, self._next = sample_fn, end_fn, next_inputs_fn
        self._shape, self._dtype = TensorShape(sample_shape), sample_dtype
        self._first = convert_to_tensor(start_inputs)

    @property
    def batch_size(self) -> Tensor:
        """How many sequences there are, an int32 scalar."""
        return lengths_of(self._first)[0]

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Which sequences are over before the first step, booleans [batch], and the first inputs [batch, ...]."""
        return zeros([self.batch_size], bool_), self._first

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Tensor:
        """What the given function draws, for each row of the outputs [batch, ...]."""
        return self._sample(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> tuple[Any, Any, Any]:
        """The inputs that the given function makes of the samples: (sequences over, booleans [batch]; inputs [batch, ...]; state)."""
        return self._ends(sample_ids), sample_ids if self._next is None else self._next(sample_ids), state
